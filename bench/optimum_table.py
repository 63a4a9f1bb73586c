"""The best timetable for each of the 24 published clinics and how far the hand-made rules are above it.

`python -m bench.optimum_table` writes docs/results/optimum.md and optimum.csv; a few minutes.
"""

from __future__ import annotations

import csv
from pathlib import Path

from gpdr._threads import available_threads
from gpdr.clinic import RULE_NAMES, Comparison, compare, paper_clinics
from gpdr.clinic.compare import OPTIMUM

FOLDER = Path(__file__).parents[1] / "docs" / "results"
REPLICATIONS = 400_000
SEED = 1

HEADING = f"""# The optimum on the 24 published clinics

The least mean total cost of any timetable found, with its 95 % interval, on {REPLICATIONS:,} sessions that neither the
search nor the tuning of UNIVERSAL has seen, and by how many per cent each hand-made rule costs more on the same
sessions. OFFSET may tell patients to come after the session's end, which no other timetable may.

Made by `python -m bench.optimum_table`.

"""


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    found = [compare(clinic, RULE_NAMES, True, REPLICATIONS, SEED, available_threads()) for clinic in paper_clinics()]
    (FOLDER / "optimum.md").write_text(HEADING + table(found), "utf-8")
    with (FOLDER / "optimum.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["clinic", "rule", "total_cost", "low", "high", "percent_above_optimum", "low", "high"])
        for number, comparison in enumerate(found, start=1):
            for rule in comparison.rules:
                cost, above = rule.performance.total_cost, percent_above(comparison, rule.name)
                figures = (cost.mean, *cost.ci95, *above)
                writer.writerow([number, rule.name, *(f"{figure:.4f}" for figure in figures)])


def percent_above(comparison: Comparison, name: str) -> tuple[float, float, float]:
    """By how many per cent of the optimum a rule costs more, with the ends of the 95 % interval."""
    difference, best = comparison.difference(name, OPTIMUM), comparison[OPTIMUM].performance.total_cost.mean
    mean, low, high = (100 * value / best for value in (difference.mean, *difference.ci95))
    return mean, low, high


def table(found: list[Comparison]) -> str:
    """A line for each clinic, and the averages."""
    lines = ["| | clinic | optimum | " + " | ".join(RULE_NAMES) + " |", "|---|---|---|" + "---|" * len(RULE_NAMES)]
    above = [[percent_above(comparison, rule)[0] for rule in RULE_NAMES] for comparison in found]
    for number, (comparison, row) in enumerate(zip(found, above, strict=True), start=1):
        cost = comparison[OPTIMUM].performance.total_cost
        shown = f"{cost.mean:.3f} ± {cost.ci95[1] - cost.mean:.3f}"
        cells = " | ".join(f"{value:.1f} %" for value in row)
        lines.append(f"| {number} | {comparison.clinic.label} | {shown} | {cells} |")
    means = " | ".join(f"{sum(column) / len(found):.1f} %" for column in zip(*above, strict=True))
    mean = sum(comparison[OPTIMUM].performance.total_cost.mean for comparison in found) / len(found)
    return "\n".join([*lines, f"| | average | {mean:.3f} | {means} |"]) + "\n"


if __name__ == "__main__":
    main()
