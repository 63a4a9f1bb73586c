"""The judge: what timetables cost in drawn sessions, many at once or one in every detail."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import ArrayLike, NDArray

from gpdr._checks import whole
from gpdr._threads import available_threads, map_parts
from gpdr.clinic.clinic import Clinic
from gpdr.clinic.performance import Figure, Performance
from gpdr.clinic.scenarios import Scenarios, check_sessions, draw_scenarios
from gpdr.errors import InputError

# Timetables side by side in one pass over the sessions; more would leave the first-level cache.
_LANES = 256
# Lanes are padded to a multiple of four vectors of 16 float32, which the compiled loops take in one step.
_LANE_MULTIPLE = 64
# Sums over so many sessions are made by one thread, and added up in a fixed order.
_BLOCK = 512


def mean_costs(scenarios: Scenarios, times: NDArray[np.float64], threads: int = 1) -> NDArray[np.float64]:
    """The mean total cost of each row of `times`: all timetables meet the same sessions.

    A figure depends neither on the other rows nor on the number of threads.
    """
    from gpdr.clinic._cost_kernels import lane_costs

    times = np.atleast_2d(times)
    clinic = scenarios.clinic
    if times.shape[1] != clinic.patients:
        raise InputError(f"times: expected {clinic.patients} columns, one a patient, got {times.shape[1]}")
    if not np.isfinite(times).all():
        raise InputError("times: expected finite minutes from the start; use timetables() on raw rows")
    blocks = -(-scenarios.replications // _BLOCK)
    chunks = _chunks(times)
    # An array of its own for each chunk: a part of a larger one would be another type, and compiled once more.
    totals = [np.zeros((blocks, chunk.times.shape[1])) for chunk in chunks]
    prices, session = _prices(clinic).astype(np.float32), np.float32(clinic.session)
    fourth = clinic.walk_in_policy == "fourth-in-line"

    def work(part: tuple[int, tuple[int, int]]) -> None:
        number, (first, last) = part
        rows, latest, total = chunks[number].times, chunks[number].latest, totals[number]
        lane_costs(rows, latest, scenarios.draws, prices, session, fourth, _BLOCK, first, last, total)

    ranges = _ranges(blocks, threads)
    map_parts(work, [(number, part) for number in range(len(chunks)) for part in ranges], threads)
    # Rows of so many columns are added one after another: a figure depends on its own timetable alone.
    sums = [total.sum(axis=0)[: chunk.count] for chunk, total in zip(chunks, totals, strict=True)]
    return np.concatenate([np.empty(0), *sums]) / scenarios.replications


class _Chunk:
    """Timetables as columns of float32, padded, with a last row for "no patient is left"."""

    def __init__(self, times: NDArray[np.float64], rows: slice) -> None:
        mine = times[rows].T
        lanes = -(-mine.shape[1] // _LANE_MULTIPLE) * _LANE_MULTIPLE
        self.count = mine.shape[1]
        self.times = np.full((mine.shape[0] + 1, lanes), np.inf, np.float32)
        self.times[:-1, : mine.shape[1]] = mine
        self.times[:-1, mine.shape[1] :] = mine[:, -1:]
        self.latest: NDArray[np.float32] = self.times[:-1].max(axis=1)


def _chunks(times: NDArray[np.float64]) -> list[_Chunk]:
    """The timetables in as few chunks as will do, of equal size."""
    count = times.shape[0]
    pieces = max(1, -(-count // _LANES))
    size = max(1, -(-count // pieces))
    return [_Chunk(times, slice(begin, min(begin + size, count))) for begin in range(0, count, size)]


def _ranges(count: int, parts: int) -> list[tuple[int, int]]:
    """0 … count-1 in contiguous parts of nearly equal size."""
    parts = max(1, min(parts, count))
    edges = [count * part // parts for part in range(parts + 1)]
    return list(pairwise(edges))


def simulate(
    clinic: Clinic,
    times: ArrayLike,
    replications: int = 15_000,
    seed: int | SeedSequence = 1,
    threads: int | None = None,
) -> Performance:
    """All figures of one timetable: costs with intervals, waits by kind of patient and by place."""
    check_sessions(clinic, replications, seed)
    used = available_threads() if threads is None else threads
    scenarios = draw_scenarios(clinic, replications, seed, used)
    return simulate_many(scenarios, [times], used)[0]


def simulate_many(scenarios: Scenarios, timetables: Sequence[ArrayLike], threads: int = 1) -> list[Performance]:
    """All figures of several timetables on the same sessions."""
    return judged(scenarios, timetables, threads).performances


@dataclass(frozen=True)
class Judged:
    """Timetables judged on the same sessions, and how their costs vary together."""

    performances: list[Performance]
    _cost_sums: NDArray[np.float64]
    _cost_products: NDArray[np.float64]
    _replications: int

    def difference(self, a: int, b: int) -> Figure:
        """By how much timetable a costs more than timetable b, session by session."""
        square = self._cost_products[a, a] - 2 * self._cost_products[a, b] + self._cost_products[b, b]
        return Figure.from_moments(self._replications, self._cost_sums[a] - self._cost_sums[b], square)


def judged(scenarios: Scenarios, timetables: Sequence[ArrayLike], threads: int = 1) -> Judged:
    """All figures of several timetables on the same sessions, fit to be compared in pairs."""
    from gpdr.clinic import _session_kernels as kernels

    clinic, replications = scenarios.clinic, scenarios.replications
    whole("replications", replications, 2)  # of one session nobody can tell how sure a figure is
    rows = [checked_times(times, clinic.patients) for times in timetables]
    prices, fourth = _prices(clinic), clinic.walk_in_policy == "fourth-in-line"

    def block(number: int) -> tuple[list[_Moments], NDArray[np.float64], NDArray[np.float64]]:
        lo, hi = number * _BLOCK, min((number + 1) * _BLOCK, replications)
        moments, costs = [], np.empty((len(rows), hi - lo))
        for times, cost in zip(rows, costs, strict=True):
            noted, places = np.empty((hi - lo, kernels.COLUMNS)), np.zeros((3, clinic.patients))
            kernels.sessions(times, scenarios.draws, prices, clinic.session, fourth, lo, hi, noted, *places)
            moments.append(_Moments(noted.sum(axis=0), _products(noted.T), places))
            cost[:] = noted[:, kernels.COST]
        return moments, costs.sum(axis=1), _products(costs)

    blocks = map_parts(block, range(-(-replications // _BLOCK)), threads)
    performances = [_performance(replications, [moments[k] for moments, _, _ in blocks]) for k in range(len(rows))]
    return Judged(performances, _sum(b[1] for b in blocks), _sum(b[2] for b in blocks), replications)


class _Moments(NamedTuple):
    """Sums over a block of sessions: of what was noted, of its products, and of waits by place."""

    sums: NDArray[np.float64]
    products: NDArray[np.float64]
    places: NDArray[np.float64]


def _products(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sums of products of rows; not by a matrix product, whose rounding depends on the machine's library."""
    products: NDArray[np.float64] = np.einsum("ir,jr->ij", rows, rows)
    return products


def _sum(parts: Iterable[NDArray[np.float64]]) -> NDArray[np.float64]:
    """The sum of arrays, in their order."""
    first, *others = parts
    return sum(others, start=first)


def checked_times(times: ArrayLike, patients: int) -> NDArray[np.float64]:
    """Appointment times as the simulator takes them: one a patient, not negative, not decreasing."""
    try:
        row = np.asarray(times, np.float64)
    except (TypeError, ValueError):
        raise InputError(f"times: expected {patients} numbers, minutes from the start, got {times!r}") from None
    if row.shape != (patients,):
        raise InputError(f"times: expected {patients} numbers, one a patient, got shape {row.shape}")
    if not np.isfinite(row).all() or (row < 0).any():
        raise InputError("times: expected finite minutes from the start, none negative; use timetable() on a raw row")
    if (np.diff(row) < 0).any():
        raise InputError("times: expected times that never decrease; use timetable() on a raw row")
    return row


def _prices(clinic: Clinic) -> NDArray[np.float64]:
    """What a minute idle and a minute of overtime cost, in minutes of waiting."""
    return np.array([10.0 * clinic.cost_ratio, 15.0 * clinic.cost_ratio])


def _performance(replications: int, moments: list[_Moments]) -> Performance:
    from gpdr.clinic import _session_kernels as kernels

    sums, products, places = (_sum(part) for part in zip(*moments, strict=True))

    def figure(column: int) -> Figure:
        return Figure.from_moments(replications, sums[column], products[column, column])

    def ratio(top: int, below: int) -> Figure | None:
        return _ratio(replications, sums[[top, below]], products[np.ix_([top, below], [top, below])])

    return Performance(
        total_cost=figure(kernels.COST),
        wait=figure(kernels.WAIT),
        idle=figure(kernels.IDLE),
        overtime=figure(kernels.OVER),
        session_overtime=figure(kernels.LATE),
        wait_scheduled=ratio(kernels.SCHEDULED_WAIT, kernels.SCHEDULED),
        wait_walk_in=ratio(kernels.WALK_IN_WAIT, kernels.WALK_INS),
        wait_by_position=tuple(
            Figure.from_moments(int(count), wait, square) if count > 1 else None for wait, square, count in places.T
        ),
        replications=replications,
    )


def _ratio(count: int, sums: NDArray[np.float64], products: NDArray[np.float64]) -> Figure | None:
    """Minutes waited over patients, both summed over sessions; its error by the delta method."""
    if sums[1] == 0.0:
        return None
    mean = sums[0] / sums[1]
    residual = products[0, 0] - 2 * mean * products[0, 1] + mean * mean * products[1, 1]
    return Figure.from_error(float(mean), math.sqrt(max(0.0, residual)) / float(sums[1]), count)
