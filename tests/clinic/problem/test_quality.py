"""Rules of full-size runs: near the optimum, better than the classical ones, and well-formed all the way."""

from __future__ import annotations

import numpy as np
import pytest

from gpdr import evolve
from gpdr.clinic import classical_rules, draw_scenarios, mean_costs, paper_clinic, timetable
from gpdr.clinic.optimum import best_times
from gpdr.evolution import METHODS


@pytest.mark.slow
@pytest.mark.parametrize("number", [3, 9, 13, 22])
def test_gpdr_comes_near_the_optimum_and_beats_the_classical_rules(number: int) -> None:
    clinic = paper_clinic(number)
    found = [evolve(clinic, seed=seed).found for seed in (1, 2, 3)]
    assert all(rule.dimension_gap == 0 for rule in found)
    # Within the session, as evolved rules are: OFFSET alone may tell patients to come past its end, and with that
    # licence it is 0.02 to 0.5 % better than GPDR on average in clinics 20, 21, 22 and 24.
    classical = [timetable(rule.times(clinic), clinic.session) for rule in classical_rules()]
    timetables = [best_times(clinic).times, *classical, *(rule.times for rule in found)]
    optimum, *others = mean_costs(draw_scenarios(clinic, 200_000, 77), np.array(timetables))
    hand_made, evolved = others[: len(classical)], others[len(classical) :]
    assert max(evolved) < min(hand_made)
    assert np.mean(evolved) < 1.025 * optimum


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_invariants_hold_at_full_size(method: str) -> None:
    evolve(paper_clinic(16), method, seed=5, replications=2_000, generations=30, check_invariants=True)
