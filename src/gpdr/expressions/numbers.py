"""Which primitive a number in a text stands for."""

from __future__ import annotations

from gpdr.expressions.primitives import PrimitiveSet


def labelled_number(primitives: PrimitiveSet, value: float, label: str = "") -> tuple[int, float] | None:
    """Code and value of a number with a label: nothing, a constant's name, or a unit.

    A value in another unit is converted to the base units ([1 h] is 60 where they are minutes). Without a name it is
    the first constant of that dimension that could have been drawn with this value, for plain numbers else the
    literal; None where the set has none such. An unknown unit raises InputError.
    """
    if label == primitives.name_of(primitives.literal):
        return primitives.literal, value
    code = primitives.codes.get(label)
    if code is not None and primitives.is_number(code):
        return code, value
    unit = primitives.units.unit(label)
    code = primitives.constant_code(value * unit.size, unit.dimension)
    return None if code is None else (code, value * unit.size)
