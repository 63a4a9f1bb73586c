"""Scenarios: the same for any cut and any threads, and distributed as they say."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from numpy.random import SeedSequence
from scipy import stats

from gpdr.clinic import Clinic, Sample, draw_scenarios, simulate
from gpdr.clinic.scenarios import _MAX_DRAWS
from gpdr.clinic.service import Gamma, Lognormal
from gpdr.errors import InputError

CLINIC = Clinic(7, 20.0, 0.6, 0.2, 0.4)


@pytest.mark.parametrize("threads", [1, 3])
def test_the_first_are_the_same_whatever_the_number(threads):
    longest = draw_scenarios(CLINIC, 5000, SeedSequence(4), threads).draws
    for count in (1, 100, 2047, 2048, 2049, 4999):
        draws = draw_scenarios(CLINIC, count, 4).draws
        assert draws.shown_at.size == draws.arrivals_at.size == count + 1
        assert draws.services.size == draws.shown.size + draws.arrivals.size
        for name, values in draws._asdict().items():
            assert np.array_equal(values, getattr(longest, name)[: values.size]), name


def test_the_same_seed_sequence_gives_the_same_again():
    seed = SeedSequence(9)
    first, second = (draw_scenarios(CLINIC, 100, seed).draws for _ in range(2))
    assert np.array_equal(first.services, second.services)
    other = draw_scenarios(CLINIC, 100, SeedSequence(9, spawn_key=(1,))).draws
    assert not np.array_equal(first.services, other.services)


def test_who_comes():
    draws = draw_scenarios(CLINIC, 40_000, 1).draws
    shown = np.bincount(draws.shown, minlength=7) / 40_000
    assert shown == pytest.approx([0.8] * 7, abs=4 * np.sqrt(0.16 / 40_000))
    counts = np.diff(draws.arrivals_at)
    assert counts.mean() == pytest.approx(2.8, abs=0.04)
    assert counts.var() == pytest.approx(2.8, rel=0.05)
    assert stats.kstest(draws.arrivals / CLINIC.session, "uniform").pvalue > 0.001
    for r in range(200):
        assert (np.diff(draws.arrivals[draws.arrivals_at[r] : draws.arrivals_at[r + 1]]) >= 0).all()
        assert (np.diff(draws.shown[draws.shown_at[r] : draws.shown_at[r + 1]].astype(int)) > 0).all()
    places = draws.shown_at[1:] - draws.shown_at[:-1]
    assert abs(np.corrcoef(places, counts)[0, 1]) < 0.02


@pytest.mark.parametrize(
    ("service", "law"),
    [
        ("lognormal", stats.lognorm(np.sqrt(np.log(1.25)), scale=20 / np.sqrt(1.25))),
        ("gamma", stats.gamma(4, scale=5)),
        ("exponential", stats.expon(scale=20)),
    ],
)
def test_services_follow_their_law(service, law):
    clinic = Clinic(10, 20.0, 1.0 if service == "exponential" else 0.5, service=service)
    draws = draw_scenarios(clinic, 20_000, 2).draws.services.astype(float)
    assert stats.kstest(draws, law.cdf).pvalue > 0.001
    assert draws.mean() == pytest.approx(20.0, rel=0.01)
    assert draws.std() / draws.mean() == pytest.approx(clinic.cv, rel=0.02)


def test_services_of_a_sample():
    draws = draw_scenarios(Clinic(5, service=Sample([10, 20, 60])), 4000, 1).draws.services
    assert np.unique(draws, return_counts=True)[1] / draws.size == pytest.approx([1 / 3] * 3, abs=0.02)


def test_limits_of_distributions():
    generator = np.random.default_rng(1)
    for law in (Lognormal(20.0, 0.0), Gamma(20.0, 0.0)):
        services = np.empty(5, np.float32)
        law.draw(generator, services)
        assert services == pytest.approx([20.0] * 5, rel=1e-6)
    for minutes, message in (
        ([10], "service sample: expected at least 2 consultation times, got 1"),
        ([10, -1], "service sample, value 2: expected a number above 0 up to 10000, got -1"),
        ([10, "x"], "service sample, value 2: expected a number above 0 up to 10000, got 'x'"),
    ):
        with pytest.raises(InputError) as error:
            Sample(minutes)
        assert str(error.value) == message


def test_normals_are_normal_and_exact_to_rounding():
    from gpdr.clinic._normal_kernels import normals

    values = np.empty(1_000_001, np.float32)
    normals(np.uint64(11), np.float32(0.0), np.float32(1.0), values)
    assert stats.kstest(values.astype(float), "norm").pvalue > 0.001
    lags = [np.corrcoef(values[:-lag], values[lag:])[0, 1] for lag in (1, 2, 500_000)]
    assert np.abs(lags).max() < 0.005
    assert abs(stats.kurtosis(values.astype(float))) < 0.02


@pytest.mark.kernel
@pytest.mark.filterwarnings("ignore:overflow encountered")  # numbers of 64 bits wrap round, as they should
def test_normals_agree_with_the_textbook():
    from gpdr.clinic._normal_kernels import normals

    seed, count = 3, 4999  # more than a piece, and odd
    values = np.empty(count, np.float32)
    normals(np.uint64(seed), np.float32(3.0), np.float32(0.5), values)
    half = (count + 1) // 2
    for i, z in enumerate(_splitmix64(seed, half)):
        radius, angle = np.sqrt(-2 * np.log(((z >> 24) + 1) / 2**40)), 2 * np.pi * (z & 0xFFFFFF) / 2**24
        assert values[i] == pytest.approx(3.0 + 0.5 * radius * np.cos(angle), abs=1e-6)
        if half + i < count:
            assert values[half + i] == pytest.approx(3.0 + 0.5 * radius * np.sin(angle), abs=1e-6)


@pytest.mark.kernel
@pytest.mark.filterwarnings("ignore:overflow encountered")
def test_who_shows_agrees_with_the_textbook():
    from gpdr.clinic import _scenario_kernels as kernels

    patients, sessions, no_show = 3, 40, 0.4
    present, counts = np.empty(patients * sessions, np.uint8), np.empty(sessions, np.int64)
    kernels.who_shows(np.uint64(8), no_show, present)
    listed = np.empty(present.size + 1, np.uint16)
    total = kernels.list_shown(present, patients, listed, counts)
    uniform = np.array([z >> 32 for z in _splitmix64(8, patients * sessions)]) / 2**32
    comes = [np.flatnonzero(row).tolist() for row in (uniform >= no_show).reshape(sessions, patients)]
    assert counts.tolist() == [len(places) for places in comes]
    assert listed[:total].tolist() == [place for places in comes for place in places]


def _splitmix64(seed, count):
    """What the generator yields, in whole numbers of any size (Steele, Lea and Flood 2014)."""
    mask = (1 << 64) - 1
    for step in range(1, count + 1):
        z = (seed + 0x9E3779B97F4A7C15 * step) & mask
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        yield z ^ (z >> 31)


@pytest.mark.parametrize(
    ("replications", "message"),
    [
        (0, "replications: expected a whole number from 1 to 10000000, got 0"),
        (1e9, "replications: expected a whole number from 1 to 10000000, got 1000000000.0"),
        ("many", "replications: expected a whole number from 1 to 10000000, got 'many'"),
    ],
)
def test_bad_replications(replications, message):
    with pytest.raises(InputError) as error:
        draw_scenarios(CLINIC, replications, 1)
    assert str(error.value) == message


@pytest.mark.parametrize("drawing", [draw_scenarios, lambda clinic, n, seed: simulate(clinic, [0.0] * 200, n, seed)])
def test_sessions_that_cannot_be_drawn_are_refused_before_memory_is_taken(drawing):
    for clinic, most in ((Clinic(200, 10.0), "750,000 for 200"), (Clinic(200, 10.0, walk_in=1.0), "375,000 for 200")):
        with pytest.raises(InputError) as error:
            drawing(clinic, 10_000_000, 1)
        line = f"replications: expected at most {most} patients, got 10,000,000; more would not fit into memory"
        assert str(error.value) == line
    for seed, came in ((-1, "-1"), ("x", "'x'"), (None, "None"), (1.5, "1.5")):
        with pytest.raises(InputError) as error:
            drawing(Clinic(200, 10.0), 10, seed)
        assert str(error.value) == f"seed: expected a whole number from 0, got {came}"


def test_no_more_memory_is_taken_than_is_promised():
    """Two gigabytes for the most services that may be drawn: fourteen bytes each."""
    clinic = Clinic(20, 10.0, no_show=0.15, walk_in=0.5)
    draw_scenarios(clinic, 10, 1)
    tracemalloc.start()
    draws = draw_scenarios(clinic, 40_000, 1).draws
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak / (40_000 * 20 * 1.5) < 2 * 2**30 / _MAX_DRAWS
    assert draws.services.nbytes < peak
