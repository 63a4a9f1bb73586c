"""New nodes for new classes: which function, which terminal, which value."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpdr._jit import kernel
from gpdr._random import below, uniform
from gpdr.consistency._kernels.arrays import Flags, Reals, Records
from gpdr.expressions._kernels import State, draw_constant
from gpdr.expressions.forest import Codes, Values
from gpdr.expressions.functions import Rule
from gpdr.expressions.primitives import PrimitiveTable

_TERMINAL = int(Rule.TERMINAL)


class Replacements(NamedTuple):
    """What a node becomes: functions by old and new class, terminals by how often each is wanted."""

    starts: NDArray[np.int64]  # functions from class r to s: codes[starts[r, s] : starts[r, s + 1]]
    codes: NDArray[np.int64]
    wanted: NDArray[np.float64]  # by code: terminals are drawn in proportion; evenly where all of a class are 0


@kernel
def draw_of_class(table: PrimitiveTable, wanted: Reals, group: int, state: State) -> int:
    """A terminal of this dimension class."""
    first, last = table.class_starts[group], table.class_starts[group + 1]
    total = 0.0
    for k in range(first, last):
        total += wanted[table.class_codes[k]]
    if total <= 0.0:
        return int(table.class_codes[first + below(state, last - first)])
    left = uniform(state) * total
    code = int(table.class_codes[first])
    for k in range(first, last):
        if wanted[table.class_codes[k]] > 0.0:
            code = int(table.class_codes[k])
            left -= wanted[code]
            if left < 0.0:
                break
    return code


@kernel
def replace_nodes(
    table: PrimitiveTable,
    replacements: Replacements,
    nodes: Records,
    count: int,
    codes: Codes,
    values: Values,
    changed: Flags,
    state: State,
) -> None:
    """Give the first `count` nodes of codes and values what was chosen for them, and mark the changed ones."""
    for n in range(count):
        old, new = nodes[n].rule, nodes[n].chosen
        changed[n] = new != (-1 if old == _TERMINAL else old)
        if not changed[n]:
            continue
        if old == _TERMINAL:
            codes[n] = draw_of_class(table, replacements.wanted, new, state)
            values[n] = draw_constant(table, state, codes[n])
        else:
            first, last = replacements.starts[old, new], replacements.starts[old, new + 1]
            codes[n] = replacements.codes[first]
            if last - first > 1:
                codes[n] = replacements.codes[first + below(state, last - first)]
