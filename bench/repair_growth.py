"""How the time of the exact repair grows with the size of a tree and the number of base units.

`python -m bench.repair_growth` draws docs/results/repair-growth.svg, with the figures in the .csv beside it. A line
ends at the first size of which a tree is given up: that alone takes many seconds.
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

from gpdr._threads import available_threads
from gpdr.consistency import gaps, repair_forest
from gpdr.dimensions import UnitSystem
from gpdr.errors import InputError
from gpdr.expressions import Constant, Forest, PrimitiveSet, Sampler, Terminal, ramped_half_and_half
from gpdr.expressions.appointment import APPOINTMENT
from gpdr.provenance import processor

FOLDER = Path(__file__).parents[1] / "docs" / "results"
BASE_UNITS = ("m", "s", "kg", "A", "K", "mol", "cd")
UNITS, NODES = (1, 2, 3, 5, 7), (5, 10, 20, 50, 100, 200, 500, 1000)
TREES = 9
DRAWN, DEEPEST = 4000, 13
LONG = 0.02  # seconds: what takes less is done again and again
SEED = SeedSequence(1)


@dataclass(frozen=True)
class Point:
    """Trees of one size in so many base units."""

    units: int
    nodes: int
    seconds: list[float]  # of the trees that were repaired, or found to have no repair
    given_up: bool

    def row(self) -> list[object]:
        time = "" if self.given_up else f"{1e6 * median(self.seconds):.1f}"
        return [self.units, self.nodes, time, int(self.given_up)]


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
        if found[-1].given_up:
            break
    return found


def point(forest: Forest, own: PrimitiveSet, units: int, nodes: int) -> Point:
    """The trees nearest in size, one by one, until one is given up."""
    seconds = []
    for k in np.argsort(abs(forest.sizes - nodes), kind="stable")[:TREES]:
        try:
            seconds.append(time_of(forest.take([k]), own))
        except InputError:
            return Point(units, nodes, seconds, True)
    return Point(units, nodes, seconds, False)


def time_of(one: Forest, own: PrimitiveSet) -> float:
    """Processor time of one repair; of a short one, its share in that of many copies."""
    first = _repaired(one, own)  # with what is done but once: memory, and loading of kernels
    if first > LONG:
        return first
    copies = one.take(np.zeros(max(1, int(LONG / first)), np.int64))
    return min(_repaired(copies, own) for _ in range(3)) / len(copies)


def _repaired(forest: Forest, own: PrimitiveSet) -> float:
    start = process_time()
    repair_forest(forest, own, (own.units.dimension("m"),), SEED)
    return process_time() - start


def draw(found: list[Point]) -> Figure:
    figure = Figure(figsize=(7.2, 4.2), layout="constrained")
    axes = figure.subplots()
    for shade, units in zip(np.linspace(0.75, 0.0, len(UNITS)), UNITS, strict=True):
        own = [p for p in found if p.units == units and not p.given_up]
        axes.plot(
            [p.nodes for p in own],
            [median(p.seconds) for p in own],
            "o-",
            color=(0.0, 0.47 * (1 - shade) + 0.8 * shade, 0.42 * (1 - shade) + 0.75 * shade),
            ms=4,
            label=f"{units} base unit{'s' if units > 1 else ''}",
        )
    axes.set(xscale="log", yscale="log", xlabel="nodes of the tree", ylabel="time of a repair")
    axes.set_xticks(NODES, [f"{nodes:,}" for nodes in NODES], minor=False)
    axes.minorticks_off()
    axes.set_yticks([1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10])
    axes.set_yticklabels(["1 µs", "10 µs", "100 µs", "1 ms", "10 ms", "0.1 s", "1 s", "10 s"])
    axes.grid(color="#e4e4e4", lw=0.7)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, reverse=True)
    axes.set_title(f"Median of {TREES} random trees, one core of an {processor()}", loc="left", fontsize=9.5)
    return figure


def main() -> None:
    import matplotlib as mpl

    FOLDER.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(available_threads()) as pool:
        found = [point for line in pool.map(points, UNITS) for point in line]
    with (FOLDER / "repair-growth.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["base_units", "nodes", "median_us", "given_up"])
        writer.writerows(point.row() for point in found)
    with mpl.rc_context({"svg.hashsalt": "gpdr", "svg.fonttype": "path"}):
        draw(found).savefig(FOLDER / "repair-growth.svg", metadata={"Date": None}, facecolor="white")


if __name__ == "__main__":
    main()
