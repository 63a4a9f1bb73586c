"""Reading a study from its TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from gpdr.errors import InputError
from gpdr.study.job import REFERENCES
from gpdr.study.keys import Json, canonical
from gpdr.study.plan import Method, Problem, Study
from gpdr.study.toml_table import Table

if TYPE_CHECKING:
    from gpdr.clinic import Clinic

PAPER_CLINICS = range(1, 25)
# A clinic's label tells these fields; a grid over others adds them to it.
_IN_LABELS = ("patients", "mean_service", "cv", "no_show", "walk_in")


def load_study(path: str | Path) -> Study:
    """The study that a TOML file describes; whatever is wrong with it, one line says where and what."""
    try:
        content = tomllib.loads(Path(path).read_text("utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: no such file: name the TOML file of a study, such as studies/smoke.toml") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not a TOML file: {error}") from None
    table = Table(content, str(path))
    name = table.take_name(Path(path).stem)
    description = table.take("description", str, "")
    attempts = table.take("attempts", int, 3, least=1)
    test = _test(table.part("test"))
    problems = _problems(table.part("problems"), test)
    methods = _methods(table)
    seeds = table.part("seeds")
    first, count = seeds.take("first", int, 1, least=0), seeds.take("count", int, 30, least=1)
    seeds.finish()
    table.finish()
    return Study(name, problems, methods, first, count, attempts, references=True, description=description)


def _test(table: Table) -> Json:
    """How the rules that come out are judged; part of a problem, since it shapes a run's result."""
    test = {
        "replications": table.take("replications", int, 200_000, least=2),
        "seed": table.take("seed", int, 1, least=0),
    }
    table.finish()
    return test


def _problems(table: Table, test: Json) -> tuple[Problem, ...]:
    clinics = [*_paper_clinics(table)]
    for grid in table.parts("grid"):
        clinics += _grid(grid)
    for own in table.parts("clinic"):
        name = own.take("name", str, "")
        clinic = _clinic(own.rest(), own.place)
        clinics.append((name or clinic.label, clinic))
    table.finish()
    if not clinics:
        raise InputError(f'{table.place}: no clinics: write paper = "all", or give a grid or clinic')
    names = [name for name, _ in clinics]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"{table.place}: two clinics named {name!r}: give one another name, or leave it out")
    if twins := _twins([(name, clinic.as_dict()) for name, clinic in clinics]):
        raise InputError(f"{table.place}: {twins}: change a figure, or leave it out")
    return tuple(Problem(name, {"clinic": clinic.as_dict(), "test": test}) for name, clinic in clinics)


def _twins(named: Iterable[tuple[str, Json]]) -> str | None:
    """Who is another under another name: a store keeps runs by what shapes them, whatever they are called."""
    known: dict[str, str] = {}
    for name, content in named:
        first = known.setdefault(canonical(content), name)
        if first != name:
            return f"{name!r} is {first!r} under another name"
    return None


def _paper_clinics(table: Table) -> list[tuple[str, Clinic]]:
    from gpdr.clinic import paper_clinic

    given = table.take_any("paper", [])
    numbers = list(PAPER_CLINICS) if given == "all" else given
    wrong = (
        [n for n in numbers if n not in PAPER_CLINICS or isinstance(n, bool)] if isinstance(numbers, list) else [given]
    )
    if wrong:
        raise InputError(f'{table.place}: paper: expected "all" or a list of numbers from 1 to 24, got {wrong[0]!r}')
    return [(f"paper:{number}", paper_clinic(number)) for number in numbers]


def _grid(table: Table) -> list[tuple[str, Clinic]]:
    """Every combination of the values given; a single value stands for a list of one."""
    axes = {key: value if isinstance(value, list) else [value] for key, value in table.rest().items()}
    told_apart = [key for key, values in axes.items() if len(values) > 1 and key not in _IN_LABELS]
    clinics = []
    for values in product(*axes.values()):
        fields = dict(zip(axes, values, strict=True))
        clinic = _clinic(fields, table.place)
        clinics.append((" ".join([clinic.label, *(f"{key}={fields[key]}" for key in told_apart)]), clinic))
    return clinics


def _clinic(fields: Json, place: str) -> Clinic:
    from gpdr.clinic import Clinic

    try:
        return Clinic.from_dict(fields)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None


def _methods(table: Table) -> tuple[Method, ...]:
    shared = table.part("evolution")
    common: Json = {
        "population": shared.take("population", int, 256, least=2),
        "generations": shared.take("generations", int, 50, least=0),
        "replications": shared.take("replications", int, 15_000, least=2),
    }
    shared.finish()
    parts = table.parts("methods")
    methods = tuple(_method(part, common) for part in parts)
    if not methods:
        raise InputError(f'{table.place}: no methods: write one [[methods]] with method = "gpdr" for each')
    names = [method.name for method in methods]
    for part, name in zip(parts, names, strict=True):
        if names.count(name) > 1:
            raise InputError(f"{part.place}: two methods named {name!r}: give one of them another name")
    if twins := _twins((method.name, {"method": method.method, **method.parameters}) for method in methods):
        raise InputError(f"{table.place}: {twins}: change a parameter, or leave it out")
    return methods


def _method(table: Table, common: Json) -> Method:
    from gpdr.evolution.methods import recipe

    method = table.take("method", str).lower()
    name = table.take_name(method.upper())
    if name == REFERENCES:
        raise InputError(
            f"{table.place}: name: {name!r} is what classical rules and optimum are called: choose another"
        )
    given = table.part("parameters")
    table.finish()
    replications = given.take("replications", int, common["replications"], least=2)
    parameters = {**common, **given.rest()}
    try:
        recipe(method).parameters.from_dict({k: value for k, value in parameters.items() if k != "replications"})
    except InputError as error:
        raise InputError(f"{table.place}: {error}") from None
    return Method(name, method, {**parameters, "replications": replications})
