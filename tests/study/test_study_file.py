"""Study files: what they mean, and what is said about wrong ones."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from gpdr.errors import InputError
from gpdr.study.keys import digest
from gpdr.study.plan import Study
from gpdr.study.study_file import load_study

STUDIES = Path(__file__).parents[2] / "studies"

RIGHT = """
[problems]
paper = [3]
[[methods]]
method = "gpdr"
"""


def load(tmp_path: Path, text: str) -> Study:
    file = tmp_path / "mine.toml"
    file.write_text(text)
    return load_study(file)


def test_the_published_study_has_all_its_runs() -> None:
    study = load_study(STUDIES / "paper.toml")
    runs = [job for job in study.jobs() if job.cell.method != "references"]
    assert len(runs) == 24 * 7 * 30
    assert len({job.identity for job in runs}) == 5040
    assert [method.name for method in study.methods] == ["GP", "CUGP", "CDAGP", "MOGP", "STGP", "CFGGP", "GPDR"]
    assert all(
        method.parameters == {"population": 256, "generations": 50, "replications": 15000} for method in study.methods
    )
    assert {job.seed for job in runs} == set(range(1, 31))


def test_keys_stay_so_that_stores_can_go_on() -> None:
    cells = [
        dataclasses.replace(planned.cell, results_version=0) for planned in load_study(STUDIES / "paper.toml").cells()
    ]
    assert (
        digest("".join(cell.hash for cell in cells))
        == "5b4418367694f6d95baf1271ba94c96f0269f6c30d348b443b152333ef1f076c"
    )


@pytest.mark.parametrize("name", ["paper", "quick", "smoke"])
def test_every_study_of_ours_survives_its_own_plan(name: str) -> None:
    study = load_study(STUDIES / f"{name}.toml")
    assert study.name == name
    assert Study.from_dict(study.as_dict()) == study


def test_defaults(tmp_path: Path) -> None:
    study = load(tmp_path, RIGHT)
    assert (study.name, study.first_seed, study.seeds, study.attempts) == ("mine", 1, 30, 3)
    (problem,) = study.problems
    assert problem.name == "paper:3"
    assert problem.definition["test"] == {"replications": 200_000, "seed": 1}
    assert problem.definition["clinic"]["no_show"] == 0.15


def test_a_number_written_in_two_ways_is_the_same_clinic(tmp_path: Path) -> None:
    texts = ["patients = 10\nmean_service = 21\ncv = 0.4", "patients = 10\nmean_service = 21.0\ncv = 0.40\nno_show = 0"]
    method = '\n[[methods]]\nmethod = "gp"\n'
    hashes = {next(load(tmp_path, f"[[problems.clinic]]\n{text}{method}").jobs()).cell.hash for text in texts}
    assert len(hashes) == 1


def test_a_grid_has_every_combination(tmp_path: Path) -> None:
    grid = "[[problems.grid]]\npatients = [10, 12]\nmean_service = 15\ncv = [0.4, 0.6]\n"
    study = load(tmp_path, grid + '[[methods]]\nmethod = "gp"\n')
    assert [problem.name for problem in study.problems] == [
        "P=10 M=15 CV=0.4 PN=0 PW=0",
        "P=10 M=15 CV=0.6 PN=0 PW=0",
        "P=12 M=15 CV=0.4 PN=0 PW=0",
        "P=12 M=15 CV=0.6 PN=0 PW=0",
    ]


def test_a_grid_names_what_labels_leave_out(tmp_path: Path) -> None:
    grid = "[[problems.grid]]\npatients = 10\nmean_service = 15\ncv = 0.4\ncost_ratio = [0.1, 0.5]\nsession = 160\n"
    study = load(tmp_path, grid + '[[methods]]\nmethod = "gp"\n')
    assert [problem.name for problem in study.problems] == [
        "P=10 M=15 CV=0.4 PN=0 PW=0 cost_ratio=0.1",
        "P=10 M=15 CV=0.4 PN=0 PW=0 cost_ratio=0.5",
    ]
    assert [problem.definition["clinic"]["cost_ratio"] for problem in study.problems] == [0.1, 0.5]


def test_a_method_may_be_there_twice_with_other_parameters(tmp_path: Path) -> None:
    text = RIGHT + '[[methods]]\nmethod = "gpdr"\nname = "small"\nparameters = { population = 64 }\n'
    study = load(tmp_path, text)
    assert [method.name for method in study.methods] == ["GPDR", "small"]
    assert [method.parameters["population"] for method in study.methods] == [256, 64]


METHODS = '[[methods]]\nmethod = "gp"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = 3\n" + RIGHT, "name: expected a text, got 3"),
        ("seed = 3\n" + RIGHT, "unknown key 'seed': choose one of name, description, attempts, test, problems"),
        (RIGHT + "[seeds]\ncount = 0\n", "[seeds]: count: expected at least 1, got 0"),
        (RIGHT + "[seeds]\ncount = 2.5\n", "[seeds]: count: expected a whole number, got 2.5"),
        (RIGHT + "[seeds]\ncount = true\n", "[seeds]: count: expected a whole number, got True"),
        (
            RIGHT + "[seeds]\ncuont = 2\n",
            "[seeds]: unknown key 'cuont': choose one of first, count; did you mean count?",
        ),
        (RIGHT + "[test]\nreplications = 1\n", "[test]: replications: expected at least 2, got 1"),
        (RIGHT + "[evolution]\npopulaton = 9\n", "[evolution]: unknown key 'populaton': choose one of population,"),
        (METHODS, '[problems]: no clinics: write paper = "all", or give a grid or clinic'),
        ("[problems]\npaper = [25]\n" + METHODS, 'paper: expected "all" or a list of numbers from 1 to 24, got 25'),
        ('[problems]\npaper = "alll"\n' + METHODS, "expected \"all\" or a list of numbers from 1 to 24, got 'alll'"),
        ("[problems]\npaper = 3\n" + METHODS, 'paper: expected "all" or a list of numbers from 1 to 24, got 3'),
        (
            "[problems]\npaper = [1, 1]\n" + METHODS,
            "two clinics named 'paper:1': give one another name, or leave it out",
        ),
        ("[problems]\npaper = [1]\n", 'no methods: write one [[methods]] with method = "gpdr" for each'),
        (RIGHT + METHODS + METHODS, "methods 2: two methods named 'GP': give one of them another name"),
        (
            RIGHT + METHODS + METHODS + 'name = "GP2"\n',
            "'GP2' is 'GP' under another name: change a parameter, or leave it out",
        ),
        (
            RIGHT + METHODS + METHODS + 'name = "GP2"\nparameters = { population = 256 }\n',
            "'GP2' is 'GP' under another name: change a parameter, or leave it out",
        ),
        (
            "[problems]\npaper = [1]\n[[problems.clinic]]\npatients = 10\nmean_service = 21\ncv = 0.4\n" + METHODS,
            "[problems]: 'P=10 M=21 CV=0.4 PN=0 PW=0' is 'paper:1' under another name: change a figure, or leave it",
        ),
        (
            "[[problems.grid]]\npatients = 9\nmean_service = 20\ncv = 0.4\nsession = [180, 180.0]\n" + METHODS,
            "session=180.0' is 'P=9 M=20 CV=0.4 PN=0 PW=0 session=180' under another name: change a figure, or leave",
        ),
        (
            RIGHT + METHODS + 'name = "references"\n',
            "name: 'references' is what classical rules and optimum are called: choose another",
        ),
        ('name = ""\n' + RIGHT, "mine.toml: name: expected a text of one line to be shown in tables, got ''"),
        (RIGHT + 'name = " "\n', "methods 1: name: expected a text of one line to be shown in tables, got ' '"),
        (RIGHT + 'name = "a\\nb"\n', "methods 1: name: expected a text of one line to be shown in tables, got 'a\\nb'"),
        (
            RIGHT + 'parameters = { replications = "x" }\n',
            "methods 1: [parameters]: replications: expected a whole number, got 'x'",
        ),
        (
            RIGHT + "parameters = { replications = 1 }\n",
            "methods 1: [parameters]: replications: expected at least 2, got 1",
        ),
        (RIGHT + '[[methods]]\nmethod = "gdpr"\n', "methods 2: unknown method 'gdpr': choose one of gpdr, gp, cugp"),
        (RIGHT + "[[methods]]\nnmae = 3\n", "methods 2: method is missing: expected a text"),
        (
            "[[problems.clinic]]\npatient = 3\n" + METHODS,
            "[problems]: clinic 1: unknown clinic field 'patient': choose one of",
        ),
        (
            "[[problems.clinic]]\npatients = 3\n" + METHODS,
            "[problems]: clinic 1: mean_service: expected the mean length",
        ),
        (
            "[[problems.grid]]\npatients = [10, -2]\nmean_service = 5\n" + METHODS,
            "[problems]: grid 1: patients: expected",
        ),
        ("problems = 3\n" + METHODS, "problems: expected a table, got 3"),
        ("[problems\n", "not a TOML file"),
    ],
)
def test_wrong_files_are_answered_in_one_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        load(tmp_path, text)
    answer = str(error.value)
    assert message in answer
    assert answer.startswith(str(tmp_path / "mine.toml"))
    assert "\n" not in answer


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(InputError, match=r"no such file: name the TOML file of a study, such as studies/smoke.toml"):
        load_study("nowhere.toml")
