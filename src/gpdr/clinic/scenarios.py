"""Scenarios: what chance decides in a session, drawn once and met by every timetable."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.random import SFC64, Generator, SeedSequence
from numpy.typing import NDArray

from gpdr._checks import whole
from gpdr._threads import map_parts
from gpdr.clinic.clinic import Clinic
from gpdr.errors import InputError

# Replications are drawn in blocks of this many, each with a seed of its own, so that the first n are the same
# whatever the number of replications and threads. Four blocks are a generation's 15,000 with little left over.
BLOCK = 3840
MAX_REPLICATIONS = 10_000_000
# A service drawn takes some 8 bytes on the way, a walk-in twice as many; so many take one to two gigabytes.
_MAX_DRAWS = 150_000_000
# glibc hands freed memory back to the system, and each generation would pay for its pages again. Once it has seen a
# block of this size freed, it keeps as much at hand (mallopt(3) at M_MMAP_THRESHOLD).
np.empty(16 * 2**20, np.uint8)

Scalar = TypeVar("Scalar", bound=np.generic)


class Draws(NamedTuple):
    """Flat arrays over sessions; those of session r lie between offsets r and r + 1.

    A session's services are in the order in which the doctor gives them, so they begin at the sum of both offsets.
    """

    shown: NDArray[np.uint16]
    shown_at: NDArray[np.int64]
    arrivals: NDArray[np.float32]
    arrivals_at: NDArray[np.int64]
    services: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Scenarios:
    """Sessions of one clinic, drawn beforehand."""

    clinic: Clinic
    draws: Draws

    @property
    def replications(self) -> int:
        return self.draws.shown_at.size - 1


def draw_scenarios(clinic: Clinic, replications: int, seed: int | SeedSequence, threads: int = 1) -> Scenarios:
    """Draw sessions of the clinic. The first n are the same for any number of replications and of threads."""
    check_sessions(clinic, replications, seed, fewest=1)
    replications = int(replications)  # 1e4 is a whole number too
    root = seed if isinstance(seed, SeedSequence) else SeedSequence(seed)

    def who(number: int) -> _Who:
        # Not `spawn`, which counts its calls: the same seed shall give the same scenarios again.
        child = SeedSequence(root.entropy, spawn_key=(*root.spawn_key, number), pool_size=root.pool_size)
        return _draw_who(clinic, Generator(SFC64(child)))

    blocks = map_parts(who, range(-(-replications // BLOCK)), threads)
    shown_at = _offsets([block.shown_counts for block in blocks])
    arrivals_at = _offsets([block.arrival_counts for block in blocks])
    shown_edges = shown_at[::BLOCK].tolist()
    edges = (shown_at[::BLOCK] + arrivals_at[::BLOCK]).tolist()
    shown, services = np.empty(shown_edges[-1], np.uint16), np.empty(edges[-1], np.float32)

    def work(number: int) -> None:
        block = blocks[number]
        shown[shown_edges[number] : shown_edges[number + 1]] = block.shown
        clinic.distribution.draw(block.generator, services[edges[number] : edges[number + 1]])

    map_parts(work, range(len(blocks)), threads)
    services_end = shown_at[replications] + arrivals_at[replications]
    draws = Draws(
        shown[: shown_at[replications]],
        shown_at[: replications + 1],
        _end_to_end([block.arrivals for block in blocks])[: arrivals_at[replications]],
        arrivals_at[: replications + 1],
        services[:services_end],
    )
    return Scenarios(clinic, draws)


def check_sessions(clinic: Clinic, replications: int, seed: int | SeedSequence, fewest: int = 2) -> None:
    """Refuse sessions that cannot be drawn; there must be two to tell how sure a figure is."""
    whole("replications", replications, fewest, MAX_REPLICATIONS)
    most = int(_MAX_DRAWS / (clinic.patients * (1 + clinic.walk_in)))
    if replications > most:
        raise InputError(
            f"replications: expected at most {most:,} for {clinic.patients} patients, got {replications:,}; "
            f"more would not fit into memory"
        )
    if not isinstance(seed, SeedSequence):
        whole("seed", seed, 0)


class _Who(NamedTuple):
    """Who comes in a block of sessions, and the generator that is to draw their services."""

    shown: NDArray[np.uint16]
    shown_counts: NDArray[np.int64]
    arrivals: NDArray[np.float32]
    arrival_counts: NDArray[np.int64]
    generator: Generator


def _draw_who(clinic: Clinic, generator: Generator) -> _Who:
    from gpdr.clinic import _scenario_kernels as kernels

    patients = clinic.patients
    shown, shown_counts = _everybody(patients, BLOCK)
    if clinic.no_show > 0.0:
        present, shown_counts = np.empty(BLOCK * patients, np.uint8), np.empty(BLOCK, np.int64)
        kernels.who_shows(np.uint64(generator.bit_generator.random_raw()), clinic.no_show, present)
        shown = np.empty(present.size + 1, np.uint16)
        shown = shown[: kernels.list_shown(present, patients, shown, shown_counts)]
    arrivals, arrival_counts = np.empty(0, np.float32), np.zeros(BLOCK, np.int64)
    if clinic.walk_in > 0.0:
        arrival_counts = generator.poisson(clinic.walk_in * patients, BLOCK)
        arrivals = generator.random(int(arrival_counts.sum()), dtype=np.float32) * np.float32(clinic.session)
        kernels.sort_within(arrivals, np.cumsum(arrival_counts))
    return _Who(shown, shown_counts, arrivals, arrival_counts, generator)


@lru_cache(maxsize=4)
def _everybody(patients: int, sessions: int) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    """A block of sessions in which all patients show up."""
    return np.tile(np.arange(patients, dtype=np.uint16), sessions), np.full(sessions, patients, np.int64)


def _offsets(counts: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    offsets = np.zeros(len(counts) * BLOCK + 1, np.int64)
    np.cumsum(_end_to_end(counts), out=offsets[1:])
    return offsets


def _end_to_end(parts: list[NDArray[Scalar]]) -> NDArray[Scalar]:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)
