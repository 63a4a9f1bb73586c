"""How the time of the exact repair grows with the size of a tree and the number of base units.

`python -m bench.repair_growth` draws docs/results/repair-growth.svg, with the figures in the .csv beside it. Medians
are over the trees not given up; where some were, the point is open and says how many.
"""

from __future__ import annotations

import csv
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import process_time

import numpy as np
from matplotlib.figure import Figure
from numpy.random import SeedSequence

from bench.made_by import made_by
from gpdr._threads import available_threads
from gpdr.consistency import Repaired, gaps, repair_forest
from gpdr.consistency.exact import Status
from gpdr.dimensions import UnitSystem
from gpdr.expressions import Constant, Forest, PrimitiveSet, Sampler, Terminal, ramped_half_and_half
from gpdr.expressions.appointment import APPOINTMENT

COMMAND = "python -m bench.repair_growth"
FOLDER = Path(__file__).parents[1] / "docs" / "results"
BASE_UNITS = ("m", "s", "kg", "A", "K", "mol", "cd")
UNITS, NODES = (1, 2, 3, 5, 7), (5, 10, 20, 50, 100, 200, 500, 1000)
TREES = 9
DRAWN, DEEPEST = 4000, 13
LONG = 0.02  # seconds: what takes less is done again and again
SEED = SeedSequence(1)
_PLATE = {"facecolor": "white", "edgecolor": "none", "pad": 0.5}  # under labels that a line may run through


@dataclass(frozen=True)
class Point:
    """Trees of one size in so many base units."""

    units: int
    nodes: int
    seconds: list[float]  # of the trees that were repaired, or found to have no repair
    given_up: int

    def row(self) -> list[object]:
        return [self.units, self.nodes, f"{1e6 * median(self.seconds):.1f}" if self.seconds else "", self.given_up]


def primitives(units: int) -> PrimitiveSet:
    """The functions of appointment rules; a terminal for each base unit, a plain one and a random constant."""
    terminals = [Terminal(f"x{k}", unit) for k, unit in enumerate(BASE_UNITS[:units])]
    share = Constant("share", Sampler.REAL, 0.0, 1.0)
    system = UnitSystem(BASE_UNITS[:units])
    return PrimitiveSet(f"{units} units", APPOINTMENT.functions, (*terminals, Terminal("n"), share), system)


def points(units: int) -> list[Point]:
    own = primitives(units)
    forest = ramped_half_and_half(own, DRAWN, 1, SEED, 2, DEEPEST)
    forest = forest.take(np.flatnonzero(gaps(forest, own, (own.units.dimension("m"),))))
    found = list[Point]()
    for nodes in NODES:
        found.append(point(forest, own, units, nodes))
        print(*found[-1].row(), flush=True)
    return found


def point(forest: Forest, own: PrimitiveSet, units: int, nodes: int) -> Point:
    """The trees nearest in size, one by one."""
    nearest = np.argsort(abs(forest.sizes - nodes), kind="stable")[:TREES]
    times = [time_of(forest.take([k]), own) for k in nearest]
    seconds = [time for time in times if time is not None]
    return Point(units, nodes, seconds, len(times) - len(seconds))


def time_of(one: Forest, own: PrimitiveSet) -> float | None:
    """Processor time of one repair; of a short one, its share in that of many copies; none if it is given up."""
    first, result = _repaired(one, own)  # with what is done but once: memory, and loading of kernels
    if result.status[0, 0] == Status.GIVEN_UP:
        return None
    if first > LONG:
        return first
    copies = one.take(np.zeros(max(1, int(LONG / first)), np.int64))
    return min(_repaired(copies, own)[0] for _ in range(3)) / len(copies)


def _repaired(forest: Forest, own: PrimitiveSet) -> tuple[float, Repaired]:
    start = process_time()
    result = repair_forest(forest, own, (own.units.dimension("m"),), SEED)
    return process_time() - start, result


def draw(found: list[Point]) -> Figure:
    figure = Figure(figsize=(7.2, 4.2), layout="constrained")
    axes = figure.subplots()
    for shade, units in zip(np.linspace(0.75, 0.0, len(UNITS)), UNITS, strict=True):
        own = [p for p in found if p.units == units and p.seconds]
        colour = (0.0, 0.47 * (1 - shade) + 0.8 * shade, 0.42 * (1 - shade) + 0.75 * shade)
        label = f"{units} base unit{'s' if units > 1 else ''}"
        axes.plot([p.nodes for p in own], [median(p.seconds) for p in own], "o-", color=colour, ms=4, label=label)
        for p in own:
            if p.given_up:
                place = (p.nodes, median(p.seconds))
                axes.plot(*place, "o", color=colour, mfc="white", ms=4)
                note = f"{p.given_up} of {TREES} given up"
                axes.annotate(
                    note, place, (-4, 4), textcoords="offset points", ha="right", color=colour, fontsize=7, bbox=_PLATE
                )
    axes.set(xscale="log", yscale="log", xlabel="nodes of the tree", ylabel="time of a repair")
    axes.set_xticks(NODES, [f"{nodes:,}" for nodes in NODES], minor=False)
    axes.minorticks_off()
    axes.set_yticks([1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10])
    axes.set_yticklabels(["1 µs", "10 µs", "100 µs", "1 ms", "10 ms", "0.1 s", "1 s", "10 s"])
    axes.grid(color="#e4e4e4", lw=0.7)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, reverse=True)
    axes.set_title(f"Median of {TREES} random trees", loc="left", fontsize=9.5)
    figure.text(0.01, -0.03, made_by(COMMAND).replace("`", ""), fontsize=6)
    return figure


def main() -> None:
    import matplotlib as mpl

    FOLDER.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(available_threads()) as pool:
        found = [point for line in pool.map(points, UNITS) for point in line]
    with (FOLDER / "repair-growth.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["base_units", "nodes", "median_us", f"given_up_of_{TREES}", "made_by"])
        writer.writerows([*point.row(), made_by(COMMAND)] for point in found)
    with mpl.rc_context({"svg.hashsalt": "gpdr", "svg.fonttype": "path"}):
        draw(found).savefig(
            FOLDER / "repair-growth.svg", metadata={"Date": None}, facecolor="white", bbox_inches="tight"
        )


if __name__ == "__main__":
    main()
