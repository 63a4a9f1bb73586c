"""Options that many commands share: dataclasses of options, flattened into a command's own."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_type_hints

import typer
from rich.console import Console

from gpdr.cli import output
from gpdr.errors import InputError

if TYPE_CHECKING:
    from gpdr.clinic import Clinic

WalkInPolicy = Literal["fourth-in-line", "when-free"]
Service = Literal["lognormal", "gamma", "exponential", "deterministic"]


def _clinic(text: str, otherwise: str | None, metavar: str | None = None) -> Any:
    """An option whose default is none: what holds otherwise may also come from a file."""
    told = text if otherwise is None else f"{text}; {otherwise} unless given"
    return typer.Option(help=f"{told}.", metavar=metavar, rich_help_panel="Clinic")


@dataclass(frozen=True)
class ClinicOptions:
    """The clinic a command is about: by its numbers, by a TOML file, or one of the published 24."""

    clinic: Annotated[str | None, _clinic("A TOML file, or paper:1 … paper:24", None, "FILE|paper:N")] = None
    patients: Annotated[int | None, _clinic("Patients scheduled", "10", "N")] = None
    mean: Annotated[float | None, _clinic("Mean service time", "21", "MINUTES")] = None
    cv: Annotated[float | None, _clinic("Standard deviation of service over its mean", "0.4", "X")] = None
    no_show: Annotated[float | None, _clinic("Probability that a patient does not come", "0", "X")] = None
    walk_in: Annotated[float | None, _clinic("Walk-ins, as a share of the patients", "0", "X")] = None
    cost_ratio: Annotated[float | None, _clinic("Cost ratio CR of idling and overtime to waiting", "0.1", "X")] = None
    session: Annotated[float | None, _clinic("Length of the session", "patients x mean", "MINUTES")] = None
    walk_in_policy: Annotated[WalkInPolicy | None, _clinic("When a walk-in is served", "fourth-in-line")] = None
    service: Annotated[Service | None, _clinic("Distribution of service times", "lognormal")] = None

    def load(self) -> Clinic:
        """The clinic these options describe."""
        from gpdr.clinic import Clinic, paper_clinic

        given = {name: value for name, value in vars(self).items() if name != "clinic" and value is not None}
        if self.clinic is None:
            given["mean_service"] = given.pop("mean", 21.0)
            return Clinic(**{"patients": 10, **given})
        if given:
            option = "--" + next(iter(given)).replace("_", "-")
            raise InputError(
                f"--clinic {self.clinic} and {option} cannot be given together: "
                f"leave one out, or change the value in a TOML file"
            )
        kind, _, number = self.clinic.partition(":")
        if kind != "paper":
            return Clinic.from_toml(self.clinic)
        if not number.isdecimal():
            raise InputError(f"--clinic {self.clinic}: expected paper:1 … paper:24 or a TOML file")
        return paper_clinic(int(number))


@dataclass(frozen=True)
class RunOptions:
    """How the work is done; the seed and the replications decide the result, the threads do not."""

    seed: Annotated[int, typer.Option(min=0, metavar="N", help="The same seed gives the same result.")] = 1
    replications: Annotated[int, typer.Option(min=1, metavar="N", help="Simulated sessions a timetable.")] = 15_000
    threads: Annotated[int | None, typer.Option(min=1, metavar="N", help="Threads.", show_default="all cores")] = None


@dataclass(frozen=True)
class OutputOptions:
    """Where the answer goes: a table for people on stdout, JSON for programs."""

    json: Annotated[
        str | None,
        typer.Option("--json", metavar="FILE", help="Also write JSON; - is stdout, with nothing else on it."),
    ] = None
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no remarks.")] = False

    @property
    def people(self) -> Console:
        """Prints results for people: stdout, or nowhere when stdout is promised to JSON."""
        return output.console(quiet=self.json == "-")

    @property
    def remarks(self) -> Console:
        """Prints progress and remarks: stderr, or nowhere with --quiet."""
        return output.console(stderr=True, quiet=self.quiet)

    def write_json(self, data: object) -> None:
        """Write the result as JSON if it was asked for."""
        if self.json is not None:
            output.write_json(self.json, data)


def flattened(command: Callable[..., Any]) -> Callable[..., None]:
    """The command as typer wants it: each parameter that is a dataclass of options replaced by its fields."""
    groups: dict[str, type[Any]] = {}
    parameters: dict[str, inspect.Parameter] = {}
    for parameter in inspect.signature(command, eval_str=True).parameters.values():
        if not is_dataclass(parameter.annotation):
            parameters[parameter.name] = parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            continue
        group = groups[parameter.name] = parameter.annotation  # type: ignore[assignment]
        hints = get_type_hints(group, include_extras=True)
        for field in fields(group):
            parameters[field.name] = inspect.Parameter(
                field.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=field.default,
                annotation=hints[field.name],
            )

    def call(**values: Any) -> None:
        built = {name: group(**{f.name: values.pop(f.name) for f in fields(group)}) for name, group in groups.items()}
        command(**built, **values)

    call.__name__, call.__doc__ = command.__name__, command.__doc__
    call.__annotations__ = {name: parameter.annotation for name, parameter in parameters.items()}
    call.__signature__ = inspect.Signature(list(parameters.values()))  # type: ignore[attr-defined]
    return call
