"""Which primitive a number in a text stands for."""

from __future__ import annotations

from gpdr.expressions.primitives import PrimitiveSet


def number_code(primitives: PrimitiveSet, value: float, label: str = "") -> int | None:
    """The code of a number with a label: nothing, a constant's name, or a unit; None where the set has none such.

    Without a name it is the first constant of that dimension that could have been drawn with this value, for plain
    numbers else the literal. An unknown unit raises InputError.
    """
    if label == primitives.name_of(primitives.literal):
        return primitives.literal
    code = primitives.codes.get(label)
    if code is not None and primitives.is_number(code):
        return code
    return primitives.constant_code(value, primitives.units.dimension(label))
