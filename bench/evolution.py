"""A run of evolution beside DEAP: the same clinic, population and sessions, written as a user of DEAP would.

`python -m bench.evolution` shows where the time of GPDR's runs goes, on clinics of 10 and 20 patients.

DEAP's side evolves two trees by plain GP, computes timetables with NumPy and simulates them one after another with a
Numba function, fresh sessions for each generation. It repairs nothing, so it does less than ours.
"""

from __future__ import annotations

import operator
import random
from functools import partial
from typing import Any

import numba
import numpy as np
from deap import gp
from numpy.typing import NDArray

from bench.case import Case
from gpdr.cli.output import console, table
from gpdr.clinic import Clinic, draw_scenarios, mean_costs, paper_clinic
from gpdr.clinic.problem import evolve

REPLICATIONS, POPULATION, GENERATIONS = 15_000, 256, 50
PATIENTS = np.arange(10.0)


@numba.njit
def cost_of(times: NDArray[np.float64], services: NDArray[np.float64], session: float) -> float:
    """Mean total cost of a timetable without no-shows and walk-ins, at a cost ratio of 0.1."""
    total = 0.0
    for row in services:
        end, wait, idle = 0.0, 0.0, 0.0
        for i in range(len(times)):
            start = max(end, times[i])
            wait += start - times[i]
            if i > 0:
                idle += start - end
            end = start + row[i]
        idle += max(0.0, session - end)
        total += (wait + idle + 1.5 * max(0.0, end - session)) / len(times)
    return total / len(services)


def quotient(a: Any, b: Any) -> Any:
    tiny = np.abs(b) < 1e-9
    return np.where(tiny, 1e6, a / np.where(tiny, 1.0, b))


def primitives() -> gp.PrimitiveSet:
    """The appointment primitives in DEAP's words."""
    names = ("P", "i", "PN", "PW", "CR", "M", "V")
    made = gp.PrimitiveSet("RULE", len(names))
    made.renameArguments(**{f"ARG{k}": name for k, name in enumerate(names)})
    for function, arity in (
        (operator.add, 2), (operator.sub, 2), (operator.mul, 2), (quotient, 2), (np.maximum, 2), (np.minimum, 2),
    ):  # fmt: skip
        made.addPrimitive(function, arity)
    made.addPrimitive(lambda a: np.sqrt(np.abs(a)), 1, "root")
    made.addPrimitive(lambda a, b, c: np.where(a > 0, b, c), 3, "choice")
    made.addEphemeralConstant("alpha", partial(random.randint, 0, 2))
    made.addEphemeralConstant("beta", random.random)
    return made


class Deap:
    """GP with DEAP's parts."""

    def __init__(self, clinic: Clinic) -> None:
        self.clinic, self.pset = clinic, primitives()
        sigma = np.sqrt(np.log(1 + clinic.cv**2))
        self.lognormal = (np.log(clinic.mean_service) - sigma**2 / 2, sigma)
        self.grow = partial(gp.genGrow, pset=self.pset, min_=0, max_=4)

    def individual(self) -> list[Any]:
        return [gp.PrimitiveTree(gp.genHalfAndHalf(self.pset, 1, 5)) for _ in range(2)]

    def times(self, individual: list[Any]) -> NDArray[np.float64]:
        c = self.clinic
        arguments = (c.patients, PATIENTS, c.no_show, c.walk_in, c.cost_ratio, c.mean_service, c.sd)
        with np.errstate(all="ignore"):
            tree1, tree2 = (gp.compile(tree, self.pset)(*arguments) for tree in individual)
            raw = np.nan_to_num(np.broadcast_to(tree1 * c.mean_service + tree2, c.patients))
        raw = np.where(raw > c.session, 0.0, raw)  # a time past the session becomes the one before
        return np.maximum.accumulate(np.maximum(raw, 0.0))

    def child(self, parents: list[list[Any]]) -> list[Any]:
        mother, father = ([gp.PrimitiveTree(tree) for tree in parent] for parent in parents)
        k = random.randrange(2)
        if random.random() < 0.9:
            made, _ = gp.cxOnePointLeafBiased(mother[k], father[k], termpb=0.1)
            mother[1 - k] = father[1 - k]
        else:
            (made,) = gp.mutUniform(mother[k], self.grow, self.pset)
        return mother if made.height > 7 else [*mother[:k], made, *mother[k + 1 :]]

    def run(self, generations: int, seed: int = 1) -> float:
        random.seed(seed)
        rng = np.random.default_rng(seed)
        shape = (REPLICATIONS, self.clinic.patients)
        population = [self.individual() for _ in range(POPULATION)]
        for generation in range(generations + 1):
            services = rng.lognormal(*self.lognormal, shape)
            costs = [cost_of(self.times(individual), services, self.clinic.session) for individual in population]
            if generation < generations:
                draws = [
                    min(random.choices(range(POPULATION), k=7), key=costs.__getitem__) for _ in range(2 * POPULATION)
                ]
                best = np.argsort(costs)[:2]
                pairs = zip(draws[::2], draws[1::2], strict=True)
                children = [self.child([population[a], population[b]]) for a, b in pairs][: POPULATION - 2]
                population = [population[n] for n in best] + children
        return min(costs)


def same_costs(clinic: Clinic) -> None:
    """Both simulators agree, or there is no comparison."""
    deap = Deap(clinic)
    times = PATIENTS * clinic.mean_service
    services = np.random.default_rng(1).lognormal(*deap.lognormal, (200_000, clinic.patients))
    ours = mean_costs(draw_scenarios(clinic, 200_000, 1), times[None])[0]
    np.testing.assert_allclose(cost_of(times, services, clinic.session), ours, rtol=0.02)


def cases() -> list[Case]:
    clinic = paper_clinic(9)
    same_costs(clinic)
    deap = Deap(clinic)
    peer = "DEAP's GP, NumPy and a Numba simulator, one core"
    return [
        Case(
            f"a run of {method.upper()}: {GENERATIONS + 1} generations, {POPULATION} rules, {REPLICATIONS:,} sessions, "
            f"{threads} thread{'s' if threads > 1 else ''}",
            partial(evolve, clinic, method, threads=threads, generations=GENERATIONS),
            peer,
            partial(deap.run, GENERATIONS),
            rounds=2,
            wall=threads > 1,
        )
        for method, threads in (("gp", 1), ("gpdr", 1), ("gpdr", 2))
    ]


# Seconds that a run on two cores may take: 10 patients without walk-ins, 10 with, 20 with.
TARGETS = {1: 0.5, 4: 1.0, 16: 1.8}
# And of these, repair and breeding.
MENDING = 0.2


def quickest(number: int, rounds: int = 3) -> dict[str, float]:
    """Seconds of GPDR's quickest run of several, after one to warm up: in all, and of each step."""
    runs = [evolve(paper_clinic(number), threads=2, generations=GENERATIONS).seconds for _ in range(rounds + 1)]
    return min(runs[1:], key=operator.itemgetter("total"))


def main() -> None:
    clinics = {number: paper_clinic(number) for number in TARGETS}
    runs = [quickest(number) for number in clinics]
    shown = table("", *(f"paper:{number}" for number in clinics), title="A run of GPDR, 2 threads")
    shown.add_row("patients", *(str(clinic.patients) for clinic in clinics.values()))
    shown.add_row("walk-ins, %", *(f"{100 * clinic.walk_in:g}" for clinic in clinics.values()))
    shown.add_row("seconds", *(f"{run['total']:.2f}" for run in runs))
    shown.add_row("  at most", *(f"{target:.2f}" for target in TARGETS.values()))
    for step in ("evaluation", "sampling", "behaviour", "selection", "naming", "repair", "breeding"):
        shown.add_row(f"{step}, %", *(f"{100 * run.get(step, 0.0) / run['total']:.0f}" for run in runs))
    shown.add_row("repair and breeding, seconds", *(f"{run['repair'] + run['breeding']:.2f}" for run in runs))
    shown.add_row("  at most", *(f"{MENDING:.2f}" for _ in runs))
    console().print(shown)


if __name__ == "__main__":
    main()
