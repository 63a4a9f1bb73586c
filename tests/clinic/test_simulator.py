"""The simulator against an event-by-event twin, against SimPy, against sums done by hand."""

from __future__ import annotations

import tracemalloc
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpdr.clinic import (
    Clinic,
    Figure,
    compare,
    draw_scenarios,
    mean_costs,
    optimum,
    schedule,
    simulate,
    simulate_many,
)
from gpdr.clinic import scenarios as drawing
from gpdr.clinic.reference import sessions_of, simulate_session
from gpdr.errors import InputError
from tests.clinic.populations import near, wild
from tests.clinic.simpy_model import simpy_session

# Without the compiler NumPy warns of 64 bits that wrap round, as they should.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered")

POLICIES = ("fourth-in-line", "when-free")
# Without the compiler two thousand sessions take long to draw.
_IN_SMALL_BLOCKS = patch.object(drawing, "BLOCK", 16)
_NOT_FINITE = "times: expected finite minutes from the start, none negative; use timetable() on a raw row"

clinics = st.builds(
    Clinic,
    patients=st.integers(1, 12),
    mean_service=st.floats(5, 30),
    cv=st.floats(0, 1.5),
    no_show=st.floats(0, 0.9),
    walk_in=st.floats(0, 1.5),
    cost_ratio=st.floats(0, 1),
    walk_in_policy=st.sampled_from(POLICIES),
)


def _twin_costs(scenarios, times):
    return np.array([session.cost(scenarios.clinic.cost_ratio) for session in sessions_of(scenarios, times)])


@pytest.mark.kernel
@_IN_SMALL_BLOCKS
@settings(max_examples=25, deadline=None, derandomize=True)
@given(clinics, st.integers(0, 10**9))
def test_kernels_agree_with_the_twin(clinic, seed):
    scenarios = draw_scenarios(clinic, 12, seed)
    population = np.vstack([near(clinic, 2, seed), wild(clinic, 2, seed)])
    expected = [_twin_costs(scenarios, times).mean() for times in population]
    assert mean_costs(scenarios, population) == pytest.approx(expected, rel=2e-6, abs=1e-4)
    performances = simulate_many(scenarios, list(population))
    assert [p.total_cost.mean for p in performances] == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.slow
@settings(max_examples=3000, deadline=None, derandomize=True)
@given(clinics, st.integers(0, 10**9))
def test_kernels_agree_with_the_twin_on_thousands_of_clinics(clinic, seed):
    scenarios = draw_scenarios(clinic, 8, seed)
    population = np.vstack([near(clinic, 1, seed), wild(clinic, 2, seed)])
    expected = [_twin_costs(scenarios, times).mean() for times in population]
    assert mean_costs(scenarios, population) == pytest.approx(expected, rel=2e-6, abs=1e-4)


@pytest.mark.parametrize("policy", POLICIES)
def test_all_figures_agree_with_the_twin(policy):
    clinic = Clinic(8, 15.0, 0.7, no_show=0.2, walk_in=0.4, walk_in_policy=policy)
    scenarios, times = draw_scenarios(clinic, 400, 3), near(clinic, 1)[0]
    sessions = list(sessions_of(scenarios, times))
    figures = simulate_many(scenarios, [times])[0]

    def check(figure, values):
        assert figure.mean == pytest.approx(np.mean(values), rel=1e-9)
        half = 1.959963984540054 * np.std(values, ddof=1) / np.sqrt(len(values))
        assert figure.ci95 == pytest.approx((np.mean(values) - half, np.mean(values) + half), rel=1e-9)

    check(figures.wait, [s.wait for s in sessions])
    check(figures.idle, [s.idle_share for s in sessions])
    check(figures.overtime, [s.overtime for s in sessions])
    check(figures.session_overtime, [max(0.0, s.end - s.length) for s in sessions])
    check(figures.total_cost, [s.cost(clinic.cost_ratio) for s in sessions])
    scheduled = [p.wait for s in sessions for p in s.served if p.place is not None]
    walked_in = [p.wait for s in sessions for p in s.served if p.place is None]
    assert figures.wait_scheduled.mean == pytest.approx(np.mean(scheduled), rel=1e-9)
    assert figures.wait_walk_in.mean == pytest.approx(np.mean(walked_in), rel=1e-9)
    shown = np.split(scenarios.draws.shown, scenarios.draws.shown_at[1:-1])
    waits = [[] for _ in range(clinic.patients)]
    for session, places in zip(sessions, shown, strict=True):
        for person in session.served:
            if person.place is not None:
                waits[places[person.place]].append(person.wait)
    for figure, values in zip(figures.wait_by_position, waits, strict=True):
        check(figure, values)


@pytest.mark.parametrize("policy", POLICIES)
def test_simpy_agrees_path_by_path(policy):
    clinic = Clinic(9, 12.0, 0.9, no_show=0.2, walk_in=0.5, walk_in_policy=policy)
    scenarios, draws = draw_scenarios(clinic, 150, 7), draw_scenarios(clinic, 150, 7).draws
    for times in (near(clinic, 1, 5)[0], wild(clinic, 1, 8)[0]):
        for r, ours in enumerate(sessions_of(scenarios, times)):
            shown = draws.shown[draws.shown_at[r] : draws.shown_at[r + 1]]
            walk_ins = draws.arrivals[draws.arrivals_at[r] : draws.arrivals_at[r + 1]].tolist()
            begin = draws.shown_at[r] + draws.arrivals_at[r]
            services = draws.services[begin : begin + len(shown) + len(walk_ins)].tolist()
            theirs = simpy_session(policy, times[shown].tolist(), walk_ins, services)
            assert sorted(p.start for p in ours.served) == pytest.approx(sorted(theirs.starts), abs=1e-9)
            assert sum(p.wait for p in ours.served) == pytest.approx(theirs.wait, abs=1e-9)
            assert ours.idle == pytest.approx(theirs.idle, abs=1e-9)
            assert ours.end == pytest.approx(theirs.end, abs=1e-9)


def test_fourth_in_line_by_hand():
    clinic = Clinic(5, 10.0, 0.0, walk_in=0.1)
    session = simulate_session(clinic, [0, 10, 20, 30, 40], [5.0], [10.0] * 6)
    # At 5 patients 1, 2, 3 and 4 are left: he is served after 1, 2 and 3, at 40; patient 4 at 50.
    assert [(p.place, p.start) for p in session.served] == [(0, 0), (1, 10), (2, 20), (3, 30), (None, 40), (4, 50)]
    assert session.wait == pytest.approx((35 + 10) / 6)
    assert session.overtime == pytest.approx(10 / 6)
    assert session.idle_share == 0


def test_the_doctor_waits_for_the_head_of_the_list_though_a_walk_in_is_there():
    clinic = Clinic(2, 10.0, 0.0, walk_in=0.1, session=60.0)
    session = simulate_session(clinic, [0, 30], [12.0], [10.0] * 3)
    assert [(p.place, p.start) for p in session.served] == [(0, 0), (1, 30), (None, 40)]
    assert session.idle == 20
    free = simulate_session(
        Clinic(2, 10.0, 0.0, walk_in=0.1, session=60.0, walk_in_policy="when-free"), [0, 30], [12.0], [10.0] * 3
    )
    assert [(p.place, p.start) for p in free.served] == [(0, 0), (None, 12), (1, 30)]


@pytest.mark.kernel
@_IN_SMALL_BLOCKS
def test_deterministic_clinic_by_hand():
    clinic = Clinic(4, 10.0, service="deterministic")
    costs = mean_costs(draw_scenarios(clinic, 10, 1), np.array([[0, 10, 20, 30.0], [0, 0, 0, 0], [0, 20, 30, 40]]))
    # Perfect; four at once wait 0, 10, 20, 30; a gap of 10 and overtime of 10.
    assert costs == pytest.approx([0.0, 15.0, (10 + 1.5 * 10) / 4])


@pytest.mark.kernel
@_IN_SMALL_BLOCKS
def test_one_patient_and_empty_sessions():
    clinic = Clinic(1, 10.0, no_show=0.5, service="deterministic", session=30.0)
    figures = simulate_many(draw_scenarios(clinic, 64, 1), [[5.0]])[0]
    came = draw_scenarios(clinic, 64, 1).draws.shown.size / 64
    # The patient leaves 15 of 30 minutes unused, an empty session all of them.
    assert figures.idle.mean == pytest.approx(came * 15 + (1 - came) * 30)
    assert figures.total_cost.mean == pytest.approx(mean_costs(draw_scenarios(clinic, 64, 1), np.array([[5.0]]))[0])
    assert figures.wait.mean == figures.overtime.mean == 0


@pytest.mark.parametrize("patients", [10, 20])
def test_when_free_costs_the_same_whoever_goes_first(patients):
    """Work-conserving: the session kernel lets scheduled patients go first, the lanes first come, first served."""
    clinic = Clinic(patients, 210 / patients, 0.8, 0.15, 0.3, walk_in_policy="when-free")
    scenarios, times = draw_scenarios(clinic, 4000, 5), wild(clinic, 8)
    detailed = [figures.total_cost.mean for figures in simulate_many(scenarios, list(times))]
    assert mean_costs(scenarios, times) == pytest.approx(detailed, rel=2e-6)


def test_policies_differ_as_they_should():
    times = np.arange(10) * 21.0
    clinic = Clinic(10, 21.0, 0.4, 0.15, 0.15)
    free = Clinic(10, 21.0, 0.4, 0.15, 0.15, walk_in_policy="when-free")
    assert simulate(clinic, times, 100_000).total_cost.mean == pytest.approx(28.2, rel=0.01)
    assert simulate(free, times, 100_000).total_cost.mean == pytest.approx(22.0, rel=0.01)


def test_erlang_oracle():
    """Erlang-4 services, waits and gaps at one half each: 2.2699 is known to be the optimum."""
    clinic = Clinic(10, 1.0, 0.5, service="gamma", session=1e-9)
    gaps = [0, 1.069, 1.276, 1.304, 1.309, 1.310, 1.302, 1.284, 1.242, 1.117]
    figures = simulate(clinic, np.cumsum(gaps), 2_000_000, seed=3)
    # With no session to speak of, idle time is gaps alone.
    assert 0.5 * 10 * (figures.wait.mean + figures.idle.mean) == pytest.approx(2.2699, rel=0.002)


@pytest.mark.parametrize("walk_in", [0.0, 0.4])
def test_a_timetable_costs_the_same_in_any_company(walk_in):
    clinic = Clinic(10, 21.0, 0.4, 0.15, walk_in)
    scenarios, times = draw_scenarios(clinic, 3000, 5), np.vstack([near(clinic, 150), wild(clinic, 150)])
    together = mean_costs(scenarios, times)
    assert np.array_equal(together, mean_costs(scenarios, times, threads=3))
    assert np.array_equal(together[::-1], mean_costs(scenarios, times[::-1]))
    for k in (0, 7, 211):
        assert together[k] == mean_costs(scenarios, times[k : k + 1])[0]
    assert np.array_equal(together[40:213], mean_costs(scenarios, times[40:213]))
    assert mean_costs(scenarios, times[:0]).shape == (0,)


def test_threads_do_not_change_the_figures():
    clinic = Clinic(10, 21.0, 0.4, 0.15, 0.15)
    times = near(clinic, 1)[0]
    assert simulate(clinic, times, 5000, threads=1) == simulate(clinic, times, 5000, threads=3)


@pytest.mark.parametrize(
    ("times", "message"),
    [
        ([0, 10], "times: expected 3 numbers, one a patient, got shape (2,)"),
        (
            [0, 10, float("nan")],
            "times: expected finite minutes from the start, none negative; use timetable() on a raw row",
        ),
        ([-1, 10, 20], _NOT_FINITE),
        ([0, 20, 10], "times: expected times that never decrease; use timetable() on a raw row"),
        (["a", 1, 2], "times: expected 3 numbers, minutes from the start, got ['a', 1, 2]"),
    ],
)
def test_bad_times(times, message):
    with pytest.raises(InputError) as error:
        simulate(Clinic(3, 10.0), times)
    assert str(error.value) == message
    with pytest.raises(InputError, match="times: expected 3 columns, one a patient, got 2"):
        mean_costs(draw_scenarios(Clinic(3, 10.0), 5, 1), np.zeros((4, 2)))
    with pytest.raises(
        InputError, match=r"times: expected finite minutes from the start; use timetables\(\) on raw rows"
    ):
        mean_costs(draw_scenarios(Clinic(2, 10.0), 5, 1), np.array([[0.0, np.nan]]))


@pytest.mark.parametrize(
    ("judge", "subject"), [(simulate, [[0, 10]]), (compare, [["IBFI"]]), (schedule, ["IBFI"]), (optimum, [])]
)
def test_one_session_says_nothing_of_others(judge, subject):
    with pytest.raises(InputError, match="replications: expected a whole number from 2 to 10000000, got 1"):
        judge(Clinic(2, 10.0), *subject, replications=1)
    with pytest.raises(InputError, match="seed: expected a whole number from 0, got -1"):
        judge(Clinic(2, 10.0), *subject, seed=-1)


def test_one_drawn_session_is_not_judged():
    scenarios = draw_scenarios(Clinic(2, 10.0), 1.0, 1)
    with pytest.raises(InputError, match="replications: expected a whole number from 2, got 1"):
        simulate_many(scenarios, [[0, 10]])


def test_few_sessions_have_wide_intervals():
    """One interval in twenty misses the truth; by the normal quantile one in eight would."""
    values = np.random.default_rng(1).normal(size=(4000, 5))
    figures = [Figure.from_moments(5, row.sum(), (row**2).sum()) for row in values]
    assert np.mean([f.ci95[0] <= 0 <= f.ci95[1] for f in figures]) == pytest.approx(0.95, abs=0.01)
    seldom = simulate(Clinic(4, 10.0, no_show=0.9), [0, 10, 20, 30], replications=6)
    assert None in seldom.wait_by_position
    assert all(wait is None or wait.ci95[0] <= wait.mean for wait in seldom.wait_by_position)


def test_a_generation_takes_little_memory():
    clinic = Clinic(20, 10.5, 0.4, 0.15, 0.15)
    tracemalloc.start()
    mean_costs(draw_scenarios(clinic, 15_000, 1), near(clinic, 256), threads=2)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50e6
