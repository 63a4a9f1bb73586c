"""Whether trees are trees of a primitive set: what kernels take for granted."""

from __future__ import annotations

from gpdr.errors import InputError
from gpdr.expressions.forest import Forest
from gpdr.expressions.primitives import PrimitiveSet


def ensure_made_of(forest: Forest, primitives: PrimitiveSet) -> int:
    """Refuse a forest with another set's codes or incomplete trees; the height of the stack that evaluation needs."""
    from gpdr.expressions._evaluation_kernels import stack_height

    height = stack_height(primitives.table, forest.codes, forest.starts)
    if height < 0:
        raise InputError(
            f"forest: tree {-1 - height} is not made of primitive set {primitives.name!r};"
            " give the set it was parsed or generated with"
        )
    return int(height)
