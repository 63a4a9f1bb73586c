"""Real runs: what is kept of them, on what they are judged, and when results count as changed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gpdr.clinic import mean_costs, paper_clinic
from gpdr.study.job import REFERENCES, Cell, Job
from gpdr.study.keys import RESULTS_VERSION, Json, canonical, digest
from gpdr.study.runner import _test_draws, run_appointment

METHODS = ("gp", "cugp", "cdagp", "mogp", "stgp", "cfggp", "gpdr")
PINNED = Path(__file__).parent / "pinned_results.json"


def job(method: str = "gpdr", seed: int = 1, clinic: int = 4) -> Job:
    problem = {"clinic": paper_clinic(clinic).as_dict(), "test": {"replications": 2048, "seed": 1}}
    parameters = {} if method == REFERENCES else {"population": 32, "generations": 8, "replications": 512}
    return Job(Cell(problem, method, parameters, f"paper:{clinic}", method.upper()), seed)


def pins() -> Json:
    """Small runs of all methods and the references, with walk-ins and without: what changes results changes these."""
    found: Json = {"results_version": RESULTS_VERSION, "fingerprints": {}, "judged": {}}
    for clinic in (4, 3):
        results = {method: run_appointment(job(method, clinic=clinic))["result"] for method in METHODS}
        found["fingerprints"][f"paper:{clinic}"] = {method: fingerprint(run) for method, run in results.items()}
        rules = [run["test"] for run in results.values()]
        rules += run_appointment(job(REFERENCES, clinic=clinic))["result"]["rules"]
        found["judged"][f"paper:{clinic}"] = {
            rule["name"]: {"times": rule["times"], "cost": rule["total_cost"]["mean"]} for rule in rules
        }
    return found


def fingerprint(result: Json) -> str:
    """Of the rule and the archive, as text: whatever changes evolution changes them."""
    return digest(canonical([result["rule"]["trees"], [member["trees"] for member in result["archive"]]]))


def differences(pinned: Json, found: Json) -> list[str]:
    """What came out differently, by name.

    Trees are the same or they are not. Figures have room for the last bits of other processors: times in a formula
    1e-6 minutes, those that the optimum's search ends with 0.01, costs a hundred-thousandth.
    """
    named = [(f"{clinic} {name}", mark, found["fingerprints"][clinic].get(name))
             for clinic, marks in pinned["fingerprints"].items() for name, mark in marks.items()]  # fmt: skip
    different = [name for name, mark, other in named if mark != other]
    for clinic, rules in pinned["judged"].items():
        for name, rule in rules.items():
            other, room = found["judged"][clinic][name], 0.01 if name == "OPTIMUM" else 1e-6
            near = other["times"] == pytest.approx(rule["times"], rel=0.0, abs=room)
            if not near or other["cost"] != pytest.approx(rule["cost"], rel=1e-5):
                different.append(f"{clinic} {name}, judged")
    return different


def test_changed_results_need_another_results_version() -> None:
    pinned, found = json.loads(PINNED.read_text()), pins()
    assert (found["results_version"], differences(pinned, found)) == (pinned["results_version"], []), (
        "runs come out differently: raise RESULTS_VERSION in gpdr/study/keys.py, so that stores do not mix them, "
        "then pin the new results: python -m tests.study.test_runner"
    )


def test_a_change_of_any_figure_is_noticed() -> None:
    pinned = json.loads(PINNED.read_text())
    assert differences(pinned, pinned) == []
    for clinic, rules in pinned["judged"].items():
        for name, rule in rules.items():
            for part, changed in (("cost", rule["cost"] * 1.0001), ("times", [*rule["times"][:-1], 0.0])):
                other = json.loads(PINNED.read_text())
                other["judged"][clinic][name][part] = changed
                assert differences(pinned, other) == [f"{clinic} {name}, judged"]


@pytest.mark.parametrize("method", ["gpdr", "mogp"])
def test_a_repeated_run_gives_the_same_result(method: str) -> None:
    first, second = run_appointment(job(method)), run_appointment(job(method))
    assert canonical(first["result"]) == canonical(second["result"])
    assert first["seconds"] != second["seconds"]


def test_rules_of_all_methods_and_seeds_are_judged_on_the_same_sessions() -> None:
    runs = [run_appointment(job(method, seed))["result"] for method in ("gpdr", "gp") for seed in (1, 2)]
    references = {rule["name"]: rule for rule in run_appointment(job(REFERENCES))["result"]["rules"]}
    draws = _test_draws(canonical(job().cell.problem), 2048)
    rules = [run["test"] for run in runs] + list(references.values())
    again = mean_costs(draws, np.array([rule["times"] for rule in rules]))
    assert [rule["total_cost"]["mean"] for rule in rules] == pytest.approx(list(again), rel=1e-5)
    optimum = references["OPTIMUM"]["total_cost"]["mean"]
    assert all(rule["total_cost"]["mean"] >= 0.98 * optimum for rule in rules)


def test_a_document_has_what_reports_need() -> None:
    run = run_appointment(job())
    result = run["result"]
    assert result["cost"] == result["test"]["total_cost"]["mean"]
    assert result["history"]["generation"] == list(range(9))
    assert all(len(column) == 9 for column in result["history"].values())
    assert {"trees", "size", "fitness", "dimension_gap", "test_cost"} <= set(result["archive"][0])
    assert run["provenance"]["parameters"]["population"] == 32
    assert 0.0 < run["seconds"]["processor"] <= run["seconds"]["total"] + 0.05
    assert len(canonical(run)) < 20_000


def test_importing_studies_loads_nothing_heavy() -> None:
    script = (
        "import sys, gpdr.study; sys.exit(', '.join({'numpy', 'numba', 'scipy', 'pandas'} & set(sys.modules)) or 0)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


if __name__ == "__main__":
    PINNED.write_text(json.dumps(pins(), indent=2) + "\n")
