"""The figure of the README: intervals of an evolved rule, classical rules and the optimum, and what they cost."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gpdr.clinic import compare, paper_clinic
from gpdr.clinic.compare import Comparison
from gpdr.clinic.problem import evolve
from gpdr.clinic.rules import CLASSICAL_NAMES

CLINIC = 15
SETTINGS = {"tolerance": 0.003}  # the rule that `make run` names
TARGET = Path(__file__).parents[1] / "docs" / "figure.svg"
LABELS = {"GPDR": "evolved rule", "OPTIMUM": "optimum", "UNIVERSAL": "UNIVERSAL, tuned"}
COLOURS = {"GPDR": "#00796b", "OPTIMUM": "#d84315"}
GREY = "#8d99a6"
REPLICATIONS = 200_000


def comparison() -> Comparison:
    """The evolved rule beside the six classical ones, UNIVERSAL and the optimum."""
    clinic = paper_clinic(CLINIC)
    evolved = evolve(clinic, seed=1, parameters=SETTINGS)
    return compare(
        clinic, [*CLASSICAL_NAMES, "UNIVERSAL", evolved.rule], optimum=True, replications=REPLICATIONS, seed=2
    )


def draw_intervals(axes: Axes, found: Comparison) -> None:
    """How long after the patient before each one is told to come."""
    places = np.arange(2, found.clinic.patients + 1)
    for name in ("IBFI", "OFFSET", "OPTIMUM", "GPDR"):
        colour = COLOURS.get(name, GREY)
        style = {"IBFI": ":", "OFFSET": "--"}.get(name, "-")
        intervals = np.diff(found[name].times)
        axes.plot(
            places, intervals, style, color=colour, lw=2.2 if name == "GPDR" else 1.5, label=LABELS.get(name, name)
        )
    axes.set_xticks([2, *range(5, found.clinic.patients + 1, 5)])
    axes.set_xlabel("patient")
    axes.set_ylabel("minutes after the one before")
    axes.set_ylim(bottom=0)
    axes.set_title("Intervals between appointments", loc="left", fontsize=10.5)
    axes.legend(frameon=False, loc="lower center", fontsize=9)


def draw_costs(axes: Axes, found: Comparison) -> None:
    """Total costs, the best at the top."""
    rules = sorted(found.rules, key=lambda rule: -rule.performance.total_cost.mean)
    names = [rule.name for rule in rules]
    costs = [rule.performance.total_cost.mean for rule in rules]
    bars = axes.barh(
        [LABELS.get(name, name) for name in names], costs, color=[COLOURS.get(name, GREY) for name in names]
    )
    axes.bar_label(bars, fmt="%.2f", padding=3, fontsize=9)
    axes.set_xlim(0, max(costs) * 1.12)
    axes.set_xlabel("total cost a patient, minutes of waiting")
    axes.tick_params(axis="y", length=0)
    axes.set_title("What they cost", loc="left", fontsize=10.5)


def main() -> None:
    found = comparison()
    figure = Figure(figsize=(9.2, 3.5), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=[1.15, 1])
    draw_intervals(left, found)
    draw_costs(right, found)
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
    import matplotlib as mpl

    with mpl.rc_context({"svg.hashsalt": "gpdr", "svg.fonttype": "path"}):
        figure.savefig(TARGET, metadata={"Date": None}, facecolor="white")
    print(f"{TARGET.relative_to(Path.cwd())}: clinic {CLINIC}, {found.clinic.label}")


if __name__ == "__main__":
    main()
