"""Scenarios: what chance decides in a session, drawn once and met by every timetable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.random import SFC64, Generator, SeedSequence
from numpy.typing import NDArray

from gpdr._threads import map_parts
from gpdr.clinic import _checks
from gpdr.clinic.clinic import Clinic

# Replications are drawn in blocks of this many, each with a seed of its own, so that the first n are the same
# whatever the number of replications and threads.
BLOCK = 1024
MAX_REPLICATIONS = 10_000_000
_MAX_DRAWS = 2_000_000_000


class Draws(NamedTuple):
    """Flat arrays over sessions; those of session r lie between offsets r and r + 1.

    A session's services are in the order in which the doctor gives them, so they begin at the sum of both offsets.
    """

    shown: NDArray[np.uint32]
    shown_at: NDArray[np.int64]
    arrivals: NDArray[np.float32]
    arrivals_at: NDArray[np.int64]
    services: NDArray[np.float32]
    loads: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Scenarios:
    """Sessions of one clinic, drawn beforehand."""

    clinic: Clinic
    draws: Draws

    @property
    def replications(self) -> int:
        return int(self.draws.loads.size)


class _Block(NamedTuple):
    shown: NDArray[np.uint32]
    shown_counts: NDArray[np.int64]
    arrivals: NDArray[np.float32]
    arrival_counts: NDArray[np.int64]
    services: NDArray[np.float32]
    loads: NDArray[np.float32]


def draw_scenarios(clinic: Clinic, replications: int, seed: int | SeedSequence, threads: int = 1) -> Scenarios:
    """Draw sessions of the clinic. The first n are the same for any number of replications and of threads."""
    replications = _checks.whole("replications", replications, 1, MAX_REPLICATIONS)
    expected = replications * clinic.patients * (1 + clinic.walk_in)
    _checks.real("replications x patients", expected, 1, _MAX_DRAWS, hint="; simulate fewer replications")
    root = seed if isinstance(seed, SeedSequence) else SeedSequence(seed)

    def block(number: int) -> _Block:
        # Not `spawn`, which counts its calls: the same seed shall give the same scenarios again.
        child = SeedSequence(root.entropy, spawn_key=(*root.spawn_key, number), pool_size=root.pool_size)
        return _draw_block(clinic, Generator(SFC64(child)))

    blocks = map_parts(block, range(-(-replications // BLOCK)), threads)
    return Scenarios(clinic, _joined(blocks, replications))


def _draw_block(clinic: Clinic, generator: Generator) -> _Block:
    from gpdr.clinic import _scenario_kernels as kernels

    patients = clinic.patients
    if clinic.no_show > 0.0:
        present = generator.random((BLOCK, patients), dtype=np.float32) >= np.float32(clinic.no_show)
        shown, shown_counts = np.empty(BLOCK * patients + 1, np.uint32), np.empty(BLOCK, np.int64)
        shown = shown[: kernels.shown_patients(present, shown, shown_counts)]
    else:
        shown = np.tile(np.arange(patients, dtype=np.uint32), BLOCK)
        shown_counts = np.full(BLOCK, patients, np.int64)
    if clinic.walk_in > 0.0:
        arrival_counts = generator.poisson(clinic.walk_in * patients, BLOCK)
        arrivals = generator.random(int(arrival_counts.sum()), dtype=np.float32) * np.float32(clinic.session)
        kernels.sort_within(arrivals, np.cumsum(arrival_counts))
    else:
        arrival_counts, arrivals = np.zeros(BLOCK, np.int64), np.empty(0, np.float32)
    services = clinic.distribution.draw(generator, shown.size + arrivals.size)
    loads = np.empty(BLOCK, np.float32)
    kernels.sum_within(services, np.cumsum(shown_counts + arrival_counts), loads)
    return _Block(shown, shown_counts, arrivals, arrival_counts, services, loads)


def _joined(blocks: list[_Block], replications: int) -> Draws:
    """The blocks as one, cut after the last replication wanted."""
    shown_at = _offsets([block.shown_counts for block in blocks], replications)
    arrivals_at = _offsets([block.arrival_counts for block in blocks], replications)
    shown_end, arrivals_end = int(shown_at[-1]), int(arrivals_at[-1])
    return Draws(
        np.concatenate([block.shown for block in blocks])[:shown_end],
        shown_at,
        np.concatenate([block.arrivals for block in blocks])[:arrivals_end],
        arrivals_at,
        np.concatenate([block.services for block in blocks])[: shown_end + arrivals_end],
        np.concatenate([block.loads for block in blocks])[:replications],
    )


def _offsets(counts: list[NDArray[np.int64]], replications: int) -> NDArray[np.int64]:
    offsets = np.zeros(replications + 1, np.int64)
    np.cumsum(np.concatenate(counts)[:replications], out=offsets[1:])
    return offsets
