"""Repair beside the published programme: the same trees, as evolution makes them, and the same least costs.

Trees are children of GPDR before their repair, those that need one: consistent ones cost nothing in any way. In
`make bench` all ways take the same sample of them; `python -m bench.repair` gives all of them to each, in some minutes,
and writes docs/results/repair.md.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from time import process_time

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import NDArray

from bench.case import Case
from bench.made_by import made_by
from gpdr.clinic import paper_clinic
from gpdr.clinic.problem import AppointmentProblem
from gpdr.consistency import gaps, reference, repair_forest
from gpdr.consistency.milp.gurobi import Gurobi
from gpdr.consistency.milp.highs import Highs
from gpdr.consistency.milp.model import build_model
from gpdr.consistency.milp.solution import MilpSolver, Solution, solve
from gpdr.consistency.weights import weights_of_nodes
from gpdr.dimensions import Dimension
from gpdr.evolution.loop import run
from gpdr.evolution.methods import gpdr
from gpdr.evolution.parts import Breeder, Mating
from gpdr.expressions import Forest, Tree, ramped_half_and_half
from gpdr.expressions.appointment import APPOINTMENT

TREES, MEAN_NODES, POPULATION = 2000, (17, 50), 256
CLINIC, RUNS, REPLICATIONS = 18, 6, 1000
TARGETS = tuple(APPOINTMENT.units.dimension(unit) for unit in ("1", "min"))
MINUTES = TARGETS[1:]
SEED = SeedSequence(1)
ROUNDS = 3
EVERY: dict[MilpSolver, int] = {"gurobi": 20, "highs": 40}  # of a sample for `make bench`: each so many'th tree
TARGET = Path(__file__).parents[1] / "docs" / "results" / "repair.md"
HEADING = """# Repair beside solvers

What the repair of a tree takes, in microseconds of processor time: means over the same {trees:,} trees for each way,
children of {runs} GPDR runs on `paper:{clinic}` that need a repair. All ways found the same least costs, to
10<sup>-9</sup>. Times of the exact repair are the best of twenty, with everything that `repair_forest` does; solvers
take each tree once. Models are built by Python code; in the last column, how many times longer than the exact repair
it takes, in parentheses without the building. [How it works](../explanation/repair.md).

By {made_by}.

| mean nodes | by | building the model | solving | together | times exact |
|---:|---|---:|---:|---:|---:|
"""
NAMES: dict[MilpSolver, str] = {"gurobi": "Gurobi", "highs": "HiGHS"}


@dataclass(frozen=True)
class Recording:
    """A breeder that keeps what it bred."""

    breeder: Breeder
    bred: list[Forest] = field(default_factory=list)

    def breed(self, mating: Mating, seed: SeedSequence) -> Forest:
        self.bred.append(self.breeder.breed(mating, seed))
        return self.bred[-1]


@cache
def children() -> Forest:
    """The second trees, which are to be minutes, of all children of a few runs that need a repair."""
    problem, parameters = AppointmentProblem(paper_clinic(CLINIC), replications=REPLICATIONS), gpdr.Parameters()
    found = []
    for seed in range(1, RUNS + 1):
        method = gpdr.build(problem, parameters)
        recording = Recording(method.breeder.breeder)
        run(problem, replace(method, breeder=replace(method.breeder, breeder=recording)), parameters, seed=seed)
        for forest in recording.bred:
            second = Forest.of([(individual[1],) for individual in forest])
            found += [second[k] for k in np.flatnonzero(gaps(second, APPOINTMENT, MINUTES))]
    return Forest.of(found)


def trees_of_mean(nodes: int, trees: int = TREES) -> Forest:
    """Some of the children, evenly over their sizes: without the largest, or the smallest, so that this is the mean."""
    forest = children()
    order = np.argsort(forest.sizes, kind="stable")
    if forest.sizes.mean() < nodes:
        order = order[::-1]
    means = np.cumsum(forest.sizes[order]) / np.arange(1, len(order) + 1)
    enough = np.flatnonzero(np.sign(means - nodes) == np.sign(means[0] - nodes))[-1] + 1
    return forest.take(order[np.linspace(0, enough - 1, trees).astype(np.int64)])


def solvers() -> list[MilpSolver]:
    """Those installed; who lacks one is told."""
    if find_spec("gurobipy"):
        return ["gurobi", "highs"]
    print("gurobipy is not installed: its comparisons are left out; pip install 'gpdr[gurobi]'", file=sys.stderr)
    return ["highs"]


@dataclass(frozen=True)
class Job:
    """One tree to be repaired."""

    tree: Tree
    weights: NDArray[np.float64]
    target: Dimension

    def solved(self, solver: MilpSolver) -> Solution:
        return solve(self.tree, APPOINTMENT, self.weights, self.target, solver)

    def built(self, solver: MilpSolver) -> Highs | Gurobi:
        """The model in the solver's hands."""
        maker = {"highs": Highs, "gurobi": Gurobi}[solver]
        return maker(build_model(self.tree, APPOINTMENT, self.weights.tolist(), self.target))


def jobs(forest: Forest) -> list[Job]:
    """The trees of the forest that are not consistent."""
    weights = np.split(weights_of_nodes(forest, APPOINTMENT, "depth", "none"), forest.starts[1:-1])
    found = [Job(forest.tree(k), prices, targets(forest)[k % forest.trees]) for k, prices in enumerate(weights)]
    return [job for job in found if reference.gap(job.tree, APPOINTMENT, job.target)]


def targets(forest: Forest) -> tuple[Dimension, ...]:
    """Single trees are to be minutes."""
    return TARGETS[-forest.trees :]


def least_costs(forest: Forest) -> NDArray[np.float64]:
    return repair_forest(forest, APPOINTMENT, targets(forest), SEED).cost


def cases() -> list[Case]:
    return [*(case for nodes in MEAN_NODES for case in of_evolution(nodes)), *first_population()]


def of_evolution(nodes: int) -> Iterator[Case]:
    """A tree of evolution, beside solvers with and without the time in which their models are built."""
    forest = trees_of_mean(nodes)
    for solver in solvers():
        some = forest.take(np.arange(0, TREES, EVERY[solver]))
        again = some.take(np.tile(np.arange(len(some)), EVERY[solver]))  # as many as evolution hands over at once
        few, peer = jobs(some), NAMES[solver]
        costs = [job.solved(solver).cost for job in few]
        np.testing.assert_allclose(costs, least_costs(some), atol=1e-9)  # the same job, or no comparison
        models = iter([[job.built(solver) for job in few] for _ in range(ROUNDS + 1)])  # each is solved but once
        peers: dict[str, Callable[[], object]] = {
            "models built and solved": lambda few=few, solver=solver: [job.solved(solver) for job in few],
            "models solved": lambda models=models: [model.solve() for model in next(models)],
        }
        for what, theirs in peers.items():
            yield Case(
                f"repair of a tree, of {len(few)} with {nodes} nodes on average",
                lambda again=again: least_costs(again),
                f"{peer}, {what}",
                theirs,
                our_units=len(again),
                their_units=len(few),
                rounds=ROUNDS,
            )


def first_population() -> Iterator[Case]:
    """A whole random population of appointment rules."""
    forest = ramped_half_and_half(APPOINTMENT, POPULATION, 2, SEED)
    inconsistent, solver = jobs(forest), solvers()[0]
    yield Case(
        f"repair of a random population of {POPULATION}, two trees each",
        lambda: least_costs(forest),
        f"{NAMES[solver]}, models built and solved",
        lambda: [job.solved(solver) for job in inconsistent],
        rounds=1,
    )


def best_time(forest: Forest, rounds: int = 20) -> float:
    """Processor seconds of the exact repair of a forest."""
    times = []
    for _ in range(rounds):
        start = process_time()
        least_costs(forest)
        times.append(process_time() - start)
    return min(times)


def rows() -> Iterator[str]:
    """Every tree by every solver: means in microseconds of processor time."""
    for nodes in MEAN_NODES:
        forest = trees_of_mean(nodes)
        ours, costs = 1e6 * best_time(forest) / TREES, least_costs(forest)
        yield f"| {nodes} | exact | | | {ours:.1f} | |"
        for solver in solvers():
            found = [job.solved(solver) for job in jobs(forest)]
            np.testing.assert_allclose([solution.cost for solution in found], costs, atol=1e-9)
            building, solving = (
                1e6 * float(np.mean([getattr(solution, f"{part}_seconds") for solution in found]))
                for part in ("build", "solve")
            )
            both = building + solving
            yield (
                f"| {nodes} | {NAMES[solver]} | {building:,.0f} | {solving:,.0f} | {both:,.0f} "
                f"| {both / ours:,.0f} ({solving / ours:,.0f}) |"
            )


def main() -> None:
    population = best_time(ramped_half_and_half(APPOINTMENT, POPULATION, 2, SEED))
    text = HEADING.format(
        trees=TREES, runs=RUNS, clinic=CLINIC, made_by=made_by("python -m bench.repair", "gurobipy", "highspy")
    )
    text += "\n".join(rows())
    text += f"\n\nA random population of {POPULATION} individuals of two trees: {1e3 * population:.1f} ms.\n"
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
