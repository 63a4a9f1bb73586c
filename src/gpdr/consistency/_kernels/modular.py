"""Dimensions as residues: sums, differences, doubles and halves of dimensions are those of their keys.

A key is the sum of exponent times coefficient, modulo an odd number below 2^62. Whatever holds for dimensions holds
for their keys; docs/explanation/repair.md says why the converse is safe to use.
"""

from __future__ import annotations

from gpdr._jit import inlined


@inlined
def plus(a: int, b: int, modulus: int) -> int:
    total = a + b
    return total - modulus if total >= modulus else total


@inlined
def minus(a: int, b: int, modulus: int) -> int:
    difference = a - b
    return difference + modulus if difference < 0 else difference


@inlined
def half(a: int, modulus: int) -> int:
    """The one residue whose double is a: the modulus is odd."""
    return (a + modulus) >> 1 if a & 1 else a >> 1
