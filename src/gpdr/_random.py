"""Random numbers inside kernels: splitmix64, its state an array of one uint64, seeded through SeedSequence."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gpdr._jit import kernel

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)
_TO_UNIT = 1.0 / 9007199254740992.0  # 2^-53


def kernel_state(seed: np.random.SeedSequence) -> NDArray[np.uint64]:
    """The state a kernel draws from and advances; one for each stream."""
    return np.asarray(seed.generate_state(1, np.uint64), np.uint64)


def kernel_states(seed: np.random.SeedSequence, count: int) -> NDArray[np.uint64]:
    """One state a row for work that is split: row k is the stream of item k, whoever does it."""
    return np.asarray(seed.generate_state(count, np.uint64), np.uint64).reshape(count, 1)


@kernel
def next_uint64(state: NDArray[np.uint64]) -> np.uint64:
    """The next 64 random bits (Steele, Lea and Flood 2014)."""
    state[0] += _GAMMA
    z: np.uint64 = state[0]
    z = (z ^ (z >> _S30)) * _MIX_1
    z = (z ^ (z >> _S27)) * _MIX_2
    return z ^ (z >> _S31)


@kernel
def uniform(state: NDArray[np.uint64]) -> float:
    """A real in [0, 1), of 53 random bits."""
    return float(next_uint64(state) >> _S11) * _TO_UNIT


@kernel
def below(state: NDArray[np.uint64], n: float) -> int:
    """An integer in 0 … n-1; the bias of n / 2^53 is beyond any use made here."""
    return int(uniform(state) * n)
