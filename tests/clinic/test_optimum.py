"""The optimum: against a linear programme, another optimiser, a known optimum."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.random import SeedSequence
from scipy.optimize import linprog
from scipy.sparse import coo_array

from gpdr.clinic import Clinic, compare, draw_scenarios, mean_costs, optimum, paper_clinic
from gpdr.clinic.optimum import _by_gradient, _Objective, _starts, best_times, timetables_of
from gpdr.errors import InputError


def linear_programme(scenarios):
    """The least mean cost over these sessions, all of whose patients come: starts are variables held up from below.

    Variables: times A_i, then for each session its starts s_i, and u = max(0, L - end). With the gaps written as
    s_last + x_last - s_0 - load, and overtime as end - L + u, all is linear in them.
    """
    clinic = scenarios.clinic
    count, sessions = clinic.patients, scenarios.replications
    services = scenarios.draws.services.reshape(sessions, count).astype(float)
    idle, over = 10 * clinic.cost_ratio, 15 * clinic.cost_ratio
    start = count + np.arange(sessions * count).reshape(sessions, count)
    early = count + sessions * count + np.arange(sessions)
    cost = np.zeros(early[-1] + 1)
    share = 1 / (count * sessions)
    cost[start.ravel()] += share
    cost[:count] -= 1 / count
    cost[start[:, -1]] += (idle + over) * share
    cost[start[:, 0]] -= idle * share
    cost[early] += (idle + over) * share
    constant = share * ((idle + over) * services[:, -1] - idle * services.sum(axis=1) - over * clinic.session).sum()
    rows, columns, values, bounds = [], [], [], []

    def at_most(terms, bound):
        for column, value in terms:
            rows.append(len(bounds)), columns.append(column), values.append(value)
        bounds.append(bound)

    for i in range(1, count):
        at_most([(i - 1, 1.0), (i, -1.0)], 0.0)
    at_most([(count - 1, 1.0)], clinic.session)
    for r in range(sessions):
        for i in range(count):
            at_most([(i, 1.0), (start[r, i], -1.0)], 0.0)
            if i:
                at_most([(start[r, i - 1], 1.0), (start[r, i], -1.0)], -services[r, i - 1])
        at_most([(start[r, -1], -1.0), (early[r], -1.0)], services[r, -1] - clinic.session)
        # The first service starts when its patient comes: it must not be drawn out to save idle time.
        at_most([(start[r, 0], 1.0), (0, -1.0)], 0.0)
    matrix = coo_array((values, (rows, columns)), shape=(len(bounds), cost.size)).tocsr()
    solved = linprog(cost, A_ub=matrix, b_ub=bounds, bounds=(0, None), method="highs")
    assert solved.status == 0
    return solved.fun + constant, solved.x[:count]


@pytest.mark.parametrize("clinic", [Clinic(4, 15.0, 0.6), Clinic(6, 10.0, 0.8, session=70.0, cost_ratio=0.4)])
def test_linear_programme_agrees(clinic):
    seed = SeedSequence(5)
    objective = _Objective(clinic, 400, seed, 1)
    least, times = linear_programme(draw_scenarios(clinic, 400, seed))
    assert objective.costs(times[None])[0] == pytest.approx(least, rel=1e-5)
    found = timetables_of(_by_gradient(objective, _starts(clinic)[0])[None], clinic.session)
    cost = objective.costs(found)[0]
    assert least * (1 - 1e-6) <= cost <= least * 1.001


@pytest.mark.parametrize("number", [1, 4, 9])
def test_starts_agree(number):
    assert best_times(paper_clinic(number)).spread < 0.001


def test_another_optimiser_agrees():
    clinic = Clinic(5, 20.0, 0.6, 0.1, 0.3)
    timetables = np.array([best_times(clinic, method=method).times for method in ("gradient", "cma")])
    a, b = mean_costs(draw_scenarios(clinic, 100_000, 3), timetables)
    assert a == pytest.approx(b, rel=0.001)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(1, 25))
def test_another_optimiser_agrees_on_all_clinics(number):
    clinic = paper_clinic(number)
    best = [
        best_times(clinic, method=method, threads=2, sessions=sessions)
        for method, sessions in (("gradient", 16_384), ("cma", 8_192))
    ]
    a, b = mean_costs(draw_scenarios(clinic, 400_000, 3), np.array([one.times for one in best]))
    assert a == pytest.approx(b, rel=0.001)
    assert best[0].spread < 0.0005


def test_known_gaps_of_erlang_services_cannot_be_bettered():
    """In a session of no length overtime is the gaps and a constant: 25 CR = 1 gives waits and gaps equal weight."""
    clinic = Clinic(10, 1.0, 0.5, service="gamma", session=1e-6, cost_ratio=0.04)
    gaps = np.array([0, 1.069, 1.276, 1.304, 1.309, 1.310, 1.302, 1.284, 1.242, 1.117])
    moved = [gaps + step * unit for unit in np.eye(10)[1:] for step in (-0.15, 0.15)]
    costs = mean_costs(draw_scenarios(clinic, 100_000, 3), np.cumsum([gaps, *moved], axis=1))
    assert (costs[1:] > costs[0]).all()


def test_nothing_beats_it():
    outcome = compare(paper_clinic(12), optimum=True, replications=30_000)
    assert outcome.best.name == "OPTIMUM"
    universal = outcome.difference("UNIVERSAL", "OPTIMUM")
    assert universal.ci95[0] > 0
    assert universal.mean / outcome["OPTIMUM"].performance.total_cost.mean < 0.06


def test_the_same_for_any_threads():
    clinic = Clinic(5, 20.0, 0.6, 0.1, 0.2)
    assert best_times(clinic, threads=1).times.tolist() == best_times(clinic, threads=3).times.tolist()


def test_leaves_numpys_generator_alone():
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    best_times(Clinic(3, 20.0, 0.6), method="cma")
    assert np.array_equal(before, np.random.get_state()[1])  # noqa: NPY002


def test_corners():
    assert optimum(Clinic(1, 20.0)).times.tolist() == [0.0]
    with pytest.raises(InputError, match="unknown method 'gradinet': choose one of gradient, cma; did you mean gradie"):
        optimum(Clinic(3, 20.0), method="gradinet")
