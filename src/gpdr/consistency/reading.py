"""What a user hands in: an expression as text or tree, a target as text or dimension."""

from __future__ import annotations

import re
from dataclasses import replace

from gpdr.dimensions import Dimension
from gpdr.errors import InputError
from gpdr.expressions.appointment import APPOINTMENT
from gpdr.expressions.forest import Forest, Tree
from gpdr.expressions.functions import BUILT_IN
from gpdr.expressions.membership import ensure_made_of
from gpdr.expressions.parser import parse
from gpdr.expressions.primitives import PrimitiveSet
from gpdr.expressions.writer import to_text


def read_expression(expression: str | Tree, primitives: PrimitiveSet | None) -> tuple[str, Tree, PrimitiveSet]:
    """The expression as text and as tree, and the set it is made of.

    Without a set it is that of appointment rules, and built-in functions that the text calls join it: who writes
    sq(M) has sq.
    """
    if primitives is None:
        primitives = _with_functions_called(expression) if isinstance(expression, str) else APPOINTMENT
    if isinstance(expression, Tree):
        ensure_made_of(Forest.of([(expression,)]), primitives)
        return to_text(expression, primitives), expression, primitives
    tree = parse(expression, primitives)
    return to_text(tree, primitives), tree, primitives


def _with_functions_called(text: str) -> PrimitiveSet:
    called = set(re.findall(r"\w+", text))
    missing = tuple(f for f in BUILT_IN if f.name in called and f.name not in APPOINTMENT.codes)
    return replace(APPOINTMENT, functions=(*APPOINTMENT.functions, *missing)) if missing else APPOINTMENT


def read_target(target: str | Dimension, primitives: PrimitiveSet) -> Dimension:
    """The target in the set's base units."""
    if isinstance(target, str):
        return primitives.units.dimension(target)
    if not isinstance(target, Dimension):
        raise InputError(f"target: expected a unit, like 'min', or a dimension, got {target!r}")
    if len(target) != len(primitives.units):
        raise InputError(
            f"target: expected a dimension over {len(primitives.units)} base units, got one over {len(target)}"
        )
    return target
