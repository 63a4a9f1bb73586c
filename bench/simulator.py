"""The simulator beside a scalar kernel, SimPy and Ciw, and what is promised of it: `python -m bench.simulator`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from time import perf_counter, thread_time

import ciw
import numpy as np
from numpy.typing import NDArray
from tests.clinic.simpy_model import simpy_session

from bench._scalar_kernel import mean_cost
from bench.case import Case
from gpdr.clinic import Clinic, draw_scenarios, mean_costs, timetables
from gpdr.clinic.scenarios import Scenarios

REPLICATIONS = 15_360
POPULATION = 256
# Microseconds for a timetable that are promised, by patients and walk-ins.
TARGETS = {(10, 0.0): 25, (20, 0.0): 55, (10, 0.15): 130, (20, 0.15): 320}

# Drawing the sessions of a generation, as a share of evaluating it on them; gain of a second thread.
MOST_DRAWING, LEAST_GAIN = 0.2, 1.8
_BURST, _SECONDS = 10, 4.0  # calls by as many threads in a row; how long both take turns


def population(clinic: Clinic) -> NDArray[np.float64]:
    """Timetables as they are in the middle of an evolution: around the mean service, no two alike."""
    noise = 0.3 * np.random.default_rng(2).normal(size=(POPULATION, clinic.patients))
    return timetables((np.arange(clinic.patients) + noise) * clinic.mean_service, clinic.session)


def cases() -> list[Case]:
    """A timetable on a session, ours 256 side by side, theirs one by one."""
    made = []
    for patients, walk_in in TARGETS:
        clinic = Clinic(patients, 210 / patients, 0.4, 0.0, walk_in)
        scenarios, times = draw_scenarios(clinic, REPLICATIONS, 1), population(clinic)
        few = draw_scenarios(clinic, 200, 1)
        ours = _ours(scenarios, times)
        units = REPLICATIONS * POPULATION
        name = f"simulate a session, {patients} patients" + (", walk-ins" if walk_in else "")
        made.append(Case(name, ours, "scalar kernel", _one_by_one(scenarios, times[0]), units, REPLICATIONS))
        made.append(Case(name, ours, "SimPy", _simpy(few, times[0]), units, few.replications))
        if not walk_in:  # Ciw knows no queue that a walk-in enters at the fourth place
            made.append(Case(name, ours, "Ciw", _ciw(few, times[0]), units, few.replications))
    return made


def _ours(scenarios: Scenarios, times: NDArray[np.float64]) -> Callable[[], object]:
    return partial(mean_costs, scenarios, times)


def _one_by_one(scenarios: Scenarios, times: NDArray[np.float64]) -> Callable[[], object]:
    clinic = scenarios.clinic
    prices = np.array([10.0, 15.0], np.float32) * np.float32(clinic.cost_ratio)
    fourth = clinic.walk_in_policy == "fourth-in-line"
    row = times.astype(np.float32)
    return lambda: mean_cost(row, scenarios.draws, prices, np.float32(clinic.session), fourth)


def _sessions(scenarios: Scenarios, times: NDArray[np.float64]) -> list[tuple[list[float], list[float], list[float]]]:
    """Appointments, walk-ins and services of each session."""
    draws, found = scenarios.draws, []
    for (p, p_end), (a, a_end) in zip(pairwise(draws.shown_at), pairwise(draws.arrivals_at), strict=True):
        services = draws.services[p + a : p_end + a_end]
        found.append((times[draws.shown[p:p_end]].tolist(), draws.arrivals[a:a_end].tolist(), services.tolist()))
    return found


def _simpy(scenarios: Scenarios, times: NDArray[np.float64]) -> Callable[[], object]:
    sessions, policy = _sessions(scenarios, times), scenarios.clinic.walk_in_policy
    return lambda: [simpy_session(policy, *session) for session in sessions]


def _ciw(scenarios: Scenarios, times: NDArray[np.float64]) -> Callable[[], object]:
    def run() -> None:
        for appointments, _, services in _sessions(scenarios, times):
            gaps = np.diff([0.0, *appointments]).tolist()
            network = ciw.create_network(
                arrival_distributions=[ciw.dists.Sequential([*gaps, float("inf")])],
                service_distributions=[ciw.dists.Sequential(services)],
                number_of_servers=[1],
            )
            ciw.Simulation(network).simulate_until_max_customers(len(appointments), method="Finish")

    return run


def _best(job: Callable[[], object], rounds: int = 25) -> float:
    """Processor seconds of one thread."""
    job()
    taken = []
    for _ in range(rounds):
        start = thread_time()
        job()
        taken.append(thread_time() - start)
    return min(taken)


def _generations(clinic: Clinic, times: NDArray[np.float64], count: int = 60) -> tuple[float, float]:
    """Processor seconds to draw and to evaluate, as generations of an evolution do in turn: the best of each."""
    drawing, evaluating = [], []
    for generation in range(-2, count):
        begin = thread_time()
        scenarios = draw_scenarios(clinic, REPLICATIONS, 3 + generation)
        drawn = thread_time()
        mean_costs(scenarios, times)
        if generation >= 0:
            drawing.append(drawn - begin)
            evaluating.append(thread_time() - drawn)
    return min(drawing), min(evaluating)


def _gain_of_two_threads(scenarios: Scenarios, times: NDArray[np.float64]) -> float:
    """By the clock on the wall: the best of many, in bursts by one thread and by two in turns for some seconds.

    On a virtual machine there may be seconds in which nothing short gains by a second thread, be it a bare loop.
    """
    taken: dict[int, list[float]] = {1: [], 2: []}
    end = perf_counter() + _SECONDS
    while perf_counter() < end or len(taken[2]) < _BURST:
        for threads, seconds in taken.items():
            for _ in range(_BURST):
                start = perf_counter()
                mean_costs(scenarios, times, threads)
                seconds.append(perf_counter() - start)
    return min(taken[1]) / min(taken[2])


def broken_promises() -> int:
    """Print what is promised: time for a timetable, share of drawing, gain of a second thread. How many are broken?"""
    missed = 0
    print("patients  walk-ins  no-shows  us/timetable  target  drawing/evaluating  two threads")
    for (patients, walk_in), target in TARGETS.items():
        for no_show in (0.0, 0.15):
            clinic = Clinic(patients, 210 / patients, 0.4, no_show, walk_in)
            scenarios, times = draw_scenarios(clinic, REPLICATIONS, 1), population(clinic)
            alone = _best(_ours(scenarios, times))
            drawing, evaluating = _generations(clinic, times)
            gain = _gain_of_two_threads(scenarios, times)
            each = alone / POPULATION * 1e6
            missed += (each > target) + (drawing / evaluating > MOST_DRAWING) + (gain < LEAST_GAIN)
            print(
                f"{patients:8d}  {walk_in:8g}  {no_show:8g}  {each:12.1f}  {target:6d}  {drawing / evaluating:18.3f}"
                f"  {gain:10.2f}x"
            )
    if missed:
        print(f"{missed} figures worse than promised")
    return missed


if __name__ == "__main__":
    sys.exit(1 if broken_promises() else 0)
