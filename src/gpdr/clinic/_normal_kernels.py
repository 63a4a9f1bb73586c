"""Normal numbers several times as fast as one by one: Box and Muller's method on whole vectors.

Every step is arithmetic that the compiler turns into vector instructions, logarithm, sine and cosine included: the
polynomials are those of Moshier's Cephes library in single precision, good to a unit in the last place.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gpdr._jit import inlined, kernel

GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S24 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(24)
_LOW_24 = np.uint64(0xFFFFFF)

_F = np.float32
# Steps at a time. Integers of 64 bits and floats of 32 in loops of their own: together, vectors would hold as many
# floats as they hold integers, and half of each register would be idle. Both loops find their numbers in the cache.
_PIECE = 2048
_MANTISSA, _ONE_HALF, _BIAS = np.int32(0x007FFFFF), np.int32(0x3F000000), np.int32(126)


@inlined
def mixed(state: np.uint64) -> np.uint64:
    """What splitmix64 yields in this state."""
    z = (state ^ (state >> _S30)) * _MIX_1
    z = (z ^ (z >> _S27)) * _MIX_2
    return z ^ (z >> _S31)


@inlined
def _minus_log(bits: np.int32, scale: np.float32) -> np.float32:
    """-log(x) + scale x log 2 of the positive float32 with these bits (Cephes logf)."""
    exponent = _F(np.int32((bits >> np.int32(23)) - _BIAS))
    m = np.int32((bits & _MANTISSA) | _ONE_HALF).view(np.float32)  # in [0.5, 1)
    small = m < _F(0.70710678)
    exponent -= _F(1.0) if small else _F(0.0)
    x = (m + m if small else m) - _F(1.0)
    z = x * x
    y = _F(7.0376836292e-2)
    y = y * x - _F(1.1514610310e-1)
    y = y * x + _F(1.1676998740e-1)
    y = y * x - _F(1.2420140846e-1)
    y = y * x + _F(1.4249322787e-1)
    y = y * x - _F(1.6668057665e-1)
    y = y * x + _F(2.0000714765e-1)
    y = y * x - _F(2.4999993993e-1)
    y = y * x + _F(3.3333331174e-1)
    log = x + (x * z * y - _F(0.5) * z)
    return (scale - exponent) * _F(0.69314718) - log


@kernel
def _uniforms(state: np.uint64, radius: NDArray[np.float32], angle: NDArray[np.float32]) -> None:
    """Bits of the steps after `state`: 40 for the radius, so that the tail is fine, 24 for the angle."""
    for i in range(radius.size):
        state += GAMMA
        z = mixed(state)
        radius[i] = _F(np.int64(z >> _S24) + 1)
        angle[i] = _F(np.int64(z & _LOW_24))


@kernel
def _box_muller(
    mean: np.float32, deviation: np.float32, radius: NDArray[np.float32], angle: NDArray[np.float32]
) -> None:
    """Two normal numbers in place of each radius and angle."""
    for i in range(radius.size):
        high = _F(radius[i])  # a number by itself: only such can be seen as an integer
        length = np.sqrt(_F(2.0) * max(_minus_log(high.view(np.int32), _F(40.0)), _F(0.0)))
        turn = angle[i] * _F(2.0**-22)  # in quarters of a circle, 0 … 4
        quarter = np.int32(turn + _F(0.5))
        x = (turn - _F(quarter)) * _F(1.5707963267948966)  # in -pi/4 … pi/4
        w = x * x
        sine = x + x * w * ((_F(-1.9515295891e-4) * w + _F(8.3321608736e-3)) * w - _F(1.6666654611e-1))
        cosine = _F(2.443315711809948e-5) * w - _F(1.388731625493765e-3)
        cosine = (cosine * w + _F(4.166664568298827e-2)) * w * w - _F(0.5) * w + _F(1.0)
        odd = (quarter & np.int32(1)) != 0
        a, b = (sine if odd else cosine), (cosine if odd else sine)
        a = -a if ((quarter + np.int32(1)) & np.int32(2)) != 0 else a
        b = -b if (quarter & np.int32(2)) != 0 else b
        radius[i] = length * a * deviation + mean
        angle[i] = length * b * deviation + mean


@kernel
def normals(seed: np.uint64, mean: np.float32, deviation: np.float32, out: NDArray[np.float32]) -> None:
    """Fill `out`; number i of the first half and number i of the second come of the i-th step of splitmix64."""
    pairs, half = out.size // 2, (out.size + 1) // 2
    for begin in range(0, pairs, _PIECE):
        end, state = min(begin + _PIECE, pairs), seed + GAMMA * np.uint64(begin)
        _uniforms(state, out[begin:end], out[half + begin : half + end])
        _box_muller(mean, deviation, out[begin:end], out[half + begin : half + end])
    if half > pairs:
        last = np.empty(2, np.float32)
        _uniforms(seed + GAMMA * np.uint64(pairs), last[:1], last[1:])
        _box_muller(mean, deviation, last[:1], last[1:])
        out[pairs] = last[0]
