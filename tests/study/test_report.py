"""Reports: from the store alone, the same bytes again, and figures that can be checked by hand."""

from __future__ import annotations

import csv
import dataclasses
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from gpdr.clinic import paper_clinic
from gpdr.errors import InputError
from gpdr.study.export import runs_table
from gpdr.study.plan import Study
from gpdr.study.report import figures, write_report
from gpdr.study.report.collectors import Convergence, Sample
from gpdr.study.report.domes import marks
from gpdr.study.report.parameters import Parameters
from gpdr.study.report.published import Published, clinic_key
from gpdr.study.report.results import Results
from gpdr.study.report.rules import simplification_table
from gpdr.study.report.semantics import Semantics
from gpdr.study.report.summary import _about_ranks
from gpdr.study.report.table import ReportTable
from gpdr.study.statistics import Ranking, against_method, against_value
from gpdr.study.store import Store
from tests.study.fakes import imitation_store, imitation_study


@pytest.fixture(scope="module")
def store_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "study.db"
    imitation_store(path, imitation_study(seeds=8, clinics=3))
    return path


@pytest.fixture(scope="module")
def folder(store_path: Path) -> Path:
    out = store_path.parent / "report"
    with Store.reading(store_path) as store:
        write_report(store, out)
    return out


def records(file: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(file.read_text().splitlines()))


def test_everything_is_there(folder: Path) -> None:
    names = {file.name for file in folder.iterdir()}
    for table in (
        "overview",
        "classical_rules",
        "methods_cost",
        "methods_gap",
        "methods_size",
        "run_times",
        "above_optimum",
        "parameters",
    ):
        assert {f"{table}.csv", f"{table}.tex"} <= names
    for figure in ("ranks", "convergence", "fronts", "run_times", "intervals"):
        assert {f"{figure}.svg", f"{figure}.pdf"} <= names
    page = (folder / "report.md").read_text()
    assert "3 clinics × 7 methods × 8 runs (seeds 1 to 8)" in page
    assert all(f"({name})" in page for name in names if name.endswith((".svg", ".csv", ".tex")))
    assert [name for name in names if name.endswith(".md")] == ["report.md"]
    assert "- **MOGP**: NSGA-II with two objectives, cost and dimension gap. Here with `population = 8`." in page


def test_the_same_store_gives_the_same_bytes(store_path: Path, folder: Path, tmp_path: Path) -> None:
    with Store.reading(store_path) as store:
        files = write_report(store, tmp_path)
    assert {file.name for file in files} == {file.name for file in folder.iterdir()}
    for file in files:
        assert file.read_bytes() == (folder / file.name).read_bytes(), file.name


def test_cells_are_those_of_the_store(store_path: Path, folder: Path) -> None:
    with Store.reading(store_path) as store:
        runs = runs_table(store)
    cell = {
        method: runs[(runs["problem"] == "paper:2") & (runs["method"] == method)]["cost"].to_numpy()
        for method in ("GP", "GPDR")
    }
    (record,) = [r for r in records(folder / "methods_cost.csv") if (r["clinic"], r["column"]) == ("paper:2", "GP")]
    assert float(record["mean"]) == pytest.approx(cell["GP"].mean())
    assert float(record["sd"]) == pytest.approx(cell["GP"].std(ddof=1))
    assert record["runs"] == "8"
    assert float(record["p"]) == pytest.approx(against_method(cell["GPDR"], cell["GP"]).p)
    assert float(record["published_mean"]) == 27.8096
    assert record["published_mark"] == "="
    (rule,) = [r for r in records(folder / "classical_rules.csv") if (r["clinic"], r["column"]) == ("paper:2", "IBFI")]
    assert float(rule["p"]) == pytest.approx(against_value(cell["GPDR"], float(rule["mean"])).p)
    assert float(rule["published_mean"]) == 29.6358


def test_origins_are_those_of_every_run(store_path: Path, folder: Path) -> None:
    (origin,) = records(folder / "origins.csv")
    assert int(origin["runs"]) == 3 * 7 * 8 + 3  # the references too
    with Store.reading(store_path) as store:
        assert float(origin["processor_seconds"]) == pytest.approx(runs_table(store)["processor_seconds"].sum())


def test_correction_is_an_option_and_never_makes_p_smaller(store_path: Path, folder: Path, tmp_path: Path) -> None:
    with Store.reading(store_path) as store:
        write_report(store, tmp_path, correction="holm")
        with pytest.raises(InputError, match="unknown correction 'homl': choose one of none, holm"):
            write_report(store, tmp_path, correction="homl")
    plain = [float(r["p"]) for r in records(folder / "methods_cost.csv") if r["p"]]
    holm = [float(r["p"]) for r in records(tmp_path / "methods_cost.csv") if r["p"]]
    assert len(plain) == 18
    assert all(after >= before for before, after in zip(plain, holm, strict=True))
    assert holm != plain


def overview(tmp_path: Path, study: Study, correction: str = "none") -> str:
    """The notes and the table of the overview."""
    imitation_store(tmp_path / "study.db", study)
    with Store.reading(tmp_path / "study.db") as store:
        write_report(store, tmp_path / "report", correction=correction)
    return (tmp_path / "report" / "report.md").read_text().split("### ")[1]


def test_a_correction_is_told_where_marks_are_counted(tmp_path: Path) -> None:
    assert "5 % level, p values of the table corrected by Holm's method)" in overview(
        tmp_path, imitation_study(9, 2), "holm"
    )


def test_too_few_runs_are_told_and_no_marks_counted(tmp_path: Path) -> None:
    told = overview(tmp_path, imitation_study(5, 2))
    assert "There are too few runs for the test to tell methods apart, however different they are." in told
    assert "0 / 2 / 0" not in told
    page = (tmp_path / "report" / "report.md").read_text()
    assert page.count("too few runs") == 3


def test_two_methods_have_no_friedman_test(tmp_path: Path) -> None:
    study = imitation_study(6, 3)
    told = overview(tmp_path, dataclasses.replace(study, methods=study.methods[-2:]))
    assert "Friedman" not in told
    assert "nan" not in told
    assert "Two methods differ in rank by Nemenyi's test if they are 1.13 apart." in told


@pytest.mark.parametrize(
    ("p", "words"), [(0.01, "Ranks differ (Friedman's"), (0.3, "No difference of ranks is shown (Friedman's")]
)
def test_friedmans_verdict_follows_its_p(p: float, words: str) -> None:
    assert words in _about_ranks(Ranking(("a", "b", "c"), (1.0, 2.0, 3.0), 1.0, 9, p))


def test_the_overviews_figures_are_all_in_its_file(folder: Path) -> None:
    effects = {record["method"]: record["effect"] for record in records(folder / "overview.csv")}
    assert effects.pop("GPDR") == ""
    assert all(0.0 < abs(float(effect)) <= 1.0 for effect in effects.values())


def test_a_best_below_the_optimum_is_drawn_and_the_tested_cost_beside_it() -> None:
    study = imitation_study(1, 1)
    curves = Convergence()
    curves.see("paper:1", "GPDR", {"result": {"history": {"best": [30.0, 20.0, 9.0]}}})
    runs = pd.DataFrame({"problem": ["paper:1"], "method": ["GPDR"], "seed": [1], "cost": [10.5]})
    optimum = {"paper:1": {"OPTIMUM": {"total_cost": {"mean": 10.0}}}}
    drawn = figures.convergence(Results(study, runs, optimum, Published()), curves)
    assert drawn is not None
    (axis,) = drawn.axes
    curve, tested = axis.lines[:2]
    assert list(curve.get_ydata()) == pytest.approx([200.0, 100.0, -10.0])
    assert list(tested.get_ydata()) == pytest.approx([5.0])
    assert axis.get_ylim()[0] < -10.0
    assert axis.get_yscale() == "symlog"


def test_run_times_name_every_clinic() -> None:
    study = imitation_study(1, 3)
    mine = dataclasses.replace(study.problems[2], name="mine")
    study = dataclasses.replace(study, problems=(*study.problems[:2], mine))
    runs = pd.DataFrame({"problem": ["mine"], "method": ["GPDR"], "seed": [1], "processor_seconds": [1.0]})
    drawn = figures.run_times(Results(study, runs, {}, Published()))
    assert drawn is not None
    assert [label.get_text() for label in drawn.axes[0].get_xticklabels()] == ["1", "2", "mine"]


def test_a_report_goes_into_a_folder(store_path: Path, tmp_path: Path) -> None:
    (tmp_path / "k.db").touch()
    with (
        Store.reading(store_path) as store,
        pytest.raises(
            InputError, match=r"k\.db: expected a folder for the report, this is a file: name another by --out"
        ),
    ):
        write_report(store, tmp_path / "k.db")


def test_an_unfinished_study_is_reported_as_such(tmp_path: Path) -> None:
    study = imitation_study(seeds=2, clinics=2)
    path = tmp_path / "study.db"
    imitation_store(path, study)
    with Store.driving(path) as store:
        store.record(imitation_study(seeds=3, clinics=3))
        write_report(store, tmp_path)
    page = (tmp_path / "report.md").read_text()
    assert "**Incomplete: 28 of 63 runs are done**" in page
    row = next(line for line in page.splitlines() if line.startswith("| paper:3 |"))
    assert "–" in row
    # Averages stand beside the published ones of the same clinics.
    (gp,) = [record for record in records(tmp_path / "overview.csv") if record["method"] == "GP"]
    published = {key: cell.mean for (key, method), cell in Published().cost.items() if method == "GP"}
    done = [clinic_key(paper_clinic(number).as_dict()) for number in (1, 2)]
    assert float(gp["published_cost"]) == pytest.approx(np.mean([published[key] for key in done if key]))


def test_published_costs_are_scaled_by_the_classical_rules(folder: Path) -> None:
    (record,) = [r for r in records(folder / "publication_distance.csv") if r["column"] == "GP"]
    classical, costs = records(folder / "classical_rules.csv"), records(folder / "methods_cost.csv")
    differences, above = [], []
    for clinic in ("paper:1", "paper:2", "paper:3"):
        rules = {r["column"]: r for r in classical if r["clinic"] == clinic}
        ratios = [float(r["mean"]) / float(r["published_mean"]) for r in rules.values() if r["published_mean"]]
        (gp,) = [r for r in costs if (r["clinic"], r["column"]) == (clinic, "GP")]
        # Our subject stands among the rules too, and is not one of the six.
        ratios.remove(float(rules["GPDR"]["mean"]) / float(rules["GPDR"]["published_mean"]))
        scaled = float(gp["published_mean"]) * float(np.mean(ratios))
        differences.append(100 * (float(gp["mean"]) / scaled - 1))
        above.append(100 * (scaled / float(rules["OPTIMUM"]["mean"]) - 1))
    assert float(record["scaled_mean_percent"]) == pytest.approx(np.mean(differences))
    assert float(record["published_above_optimum_percent"]) == pytest.approx(np.mean(above))
    assert int(record["published_below_optimum"]) == sum(percent < 0 for percent in above)


def test_parameters_in_force_stand_beside_the_published_ones() -> None:
    study = imitation_study(1, 1)
    parameters, shared = Parameters(), {"tournament": 7, "distinct_parents": True, "attempts": 3}
    for method in study.methods:
        own = {"stgp": {"exponents": 1}, "cfggp": {"exponents": 3}}.get(method.method, {})
        parameters.see("paper:1", method.name, {"provenance": {"parameters": {**shared, **own}}})
    results = Results(study, pd.DataFrame(), {}, Published())
    rows = {row[0]: row[1:4] for row in parameters.table(results).rows}
    (note,) = [note for note in parameters.table(results).notes if "not as published" in note]
    assert note.startswith("With `distinct_parents` and `exponents` not as published, costs and sizes beside")
    assert rows == {
        "`attempts`": ["3", "–", "left open"],
        "`distinct_parents`": ["true", "false", "differs"],
        "`exponents`": ["1 (STGP); 3 (CFGGP)", "1 (STGP); 2 (CFGGP)", "differs"],
        "`tournament`": ["7", "7", "as published"],
    }


def test_published_tables_are_whole() -> None:
    published = Published()
    assert len(published.cost) == len(published.gap) == len(published.size) == 168
    assert len(published.classical) == 144
    assert len(published.seconds) == 48
    average = np.mean([cell.mean for (_, method), cell in published.cost.items() if method == "GPDR"])
    assert average == pytest.approx(20.286, abs=0.001)
    assert [cell.mark for (_, method), cell in published.cost.items() if method == "GP"].count("-") == 7


def test_a_clinic_unlike_the_published_ones_has_no_published_figures() -> None:
    clinic = imitation_study(1, 1).problems[0].definition["clinic"]
    assert clinic_key(clinic) == (10, 21.0, 0.4, 0.0, 0.0)
    assert clinic_key({**clinic, "walk_in_policy": "when-free"}) is None
    assert clinic_key({**clinic, "session": 240.0}) is None


_PLATEAU = [1.07] * 6


@pytest.mark.parametrize(
    ("intervals", "dome", "inside"),
    [
        ([1, 1, 2, 2, 1, 1], True, (True, True, True)),
        ([1, 1, 1, 1, 1, 1], False, (False, False, False)),
        ([1, 1, 2, 2, 2, 2], False, (False, False, False)),
        ([2, 2, 1, 1, 2, 2], False, (False, False, False)),
        ([0, 1, 1.1, 1.1, 1, 0.9], True, (True, True, True)),
        ([0, 0, 0], False, (False, False, False)),
        ([0.79, *_PLATEAU, 0.0, 0.0], False, (False, False, False)),  # the session ends; nothing shrinks
        ([0.79, *_PLATEAU, 1.05], False, (True, False, False)),
        ([0.75, 0.9, 0.97, 1.07, 1.11, 1.11, 1.05], True, (True, True, True)),  # thirds would see it rise
        ([0.8, 1.1, 0.9, 1.1, 0.8], False, (True, True, True)),
    ],
)
def test_domes_are_recognised_whatever_the_end_cuts_off(
    intervals: list[float], dome: bool, inside: tuple[bool, ...]
) -> None:
    clinic = {"patients": len(intervals) + 1, "mean_service": 21.0, "cv": 0.4}
    assert marks(list(21.0 * np.cumsum([0.0, *intervals])), clinic) == (dome, *inside)


def test_rules_are_counted_once_for_each_part() -> None:
    semantics = Semantics()
    result = {
        "rule": {"trees": ["i - 0.25", "(i - 0.5) * M + V * (i - 0.25) + (0.5 + 0.1) * V"]},
    }
    semantics.see("paper:1", "GPDR", {"result": result})
    assert semantics.terminals["GPDR"] == {"i": 1, "#": 1, "M": 1, "V": 1}
    assert semantics.subexpressions["GPDR"] == {
        "i - #": 1,
        "M * (i - #)": 1,
        "V * (i - #)": 1,
        "M * (i - #) + V * (i - #)": 1,
        "(# + #) * V": 1,
        "(# + #) * V + (M * (i - #) + V * (i - #))": 1,
    }


def test_only_what_survives_simplification_is_counted_and_its_share_is_told() -> None:
    semantics, sample = Semantics(), Sample()
    for seed in range(1, 8):
        trees = ["i - 0", "V * (i + CR)"] if seed <= Sample.per_cell else ["i", "M"]
        rule = {"result": {"size": 8 if len(trees[0]) > 1 else 2, "rule": {"trees": trees}}}
        for gatherer in (semantics, sample):
            gatherer.see("paper:1", "GPDR", rule)
    results = Results(imitation_study(7, 1), pd.DataFrame(), {}, Published())
    shares = {record["sub-expression"]: record for record in semantics.subexpression_table(results, sample).records}
    assert {text: record["GPDR"] for text, record in shares.items()} == {"CR + i": 1.0, "(CR + i) * V": 1.0}
    assert shares["CR + i"]["as_evolved"] == pytest.approx(5 / 7)
    (record,) = simplification_table(results, sample).records
    assert (record["rules"], record["nodes"], record["nodes_left"], record["unchanged"]) == (5, 8.0, 6.0, 0)


def test_tables_survive_their_formats() -> None:
    table = ReportTable("t", "T", ("a", "b"), [["x|y", "1 ± 2 %"]], [{"a": "x|y", "b": 1.5}, {"a": "z", "c": 2}])
    assert "| x\\|y | 1 ± 2 % |" in table.markdown()
    assert "x|y & 1 $\\pm$ 2 \\% \\\\" in table.latex()
    assert table.csv() == "a,b,c\nx|y,1.5,\nz,,2\n"


def test_a_row_that_begins_with_a_bracket_is_no_argument_in_latex() -> None:
    table = ReportTable("t", "T", ("a", "words"), [["x", "long " * 20], ["[+]", "`f(x)`"]], words=("words",))
    assert "{[}+{]} & \\texttt{f(x)} \\\\" in table.latex()
    assert "\\begin{tabular}{lp{0.35\\linewidth}}" in table.latex()
    assert "|---|---|" in table.markdown()
