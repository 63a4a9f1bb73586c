"""What nodes of a new class become."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gpdr._random import kernel_state
from gpdr.consistency._kernels.replace import Replacements
from gpdr.errors import InputError
from gpdr.expressions.forest import Tree
from gpdr.expressions.functions import Op, Rule
from gpdr.expressions.primitives import PrimitiveSet

_PREFERRED = {Rule.PRODUCT: Op.MUL, Rule.QUOTIENT: Op.DIV, Rule.SQUARE: Op.SQ, Rule.ROOT: Op.SQRT}
_SAME_FROM = {Rule.PRODUCT: Op.ADD, Rule.QUOTIENT: Op.SUB}


def functions_for(primitives: PrimitiveSet, old: Rule, new: Rule) -> list[int]:
    """Codes a function of class `old` may turn into to have class `new`, each as likely.

    Products turn into sums and quotients into differences, as they are so often written; where the set lacks that
    very function, any of the class.
    """
    wanted = _SAME_FROM.get(old) if new is Rule.SAME else _PREFERRED.get(new)
    members = [code for code, function in enumerate(primitives.functions) if function.rule is new]
    return [code for code in members if primitives.functions[code].op is wanted] or members


def replacements(primitives: PrimitiveSet, terminal_weights: NDArray[np.float64] | None) -> Replacements:
    """The tables that kernels draw new nodes from."""
    count = len(primitives.table.arity)
    wanted = np.zeros(count) if terminal_weights is None else np.asarray(terminal_weights, np.float64)
    if wanted.shape != (count,) or not np.all(np.isfinite(wanted)) or np.any(wanted < 0):
        raise InputError(
            f"terminal_weights: expected {count} finite numbers, one for each code and none below 0, "
            f"got an array of shape {wanted.shape}"
        )
    return Replacements(*_functions(primitives), wanted)


@lru_cache(maxsize=64)
def _functions(primitives: PrimitiveSet) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    starts, codes = np.zeros((len(Rule), len(Rule) + 1), np.int64), list[int]()
    for old in Rule:
        for new in Rule:
            starts[old, new] = len(codes)
            codes += functions_for(primitives, old, new)
        starts[old, len(Rule)] = len(codes)
    return starts, np.array(codes, np.int64)


def replaced(
    tree: Tree,
    primitives: PrimitiveSet,
    choice: Sequence[int],
    seed: np.random.SeedSequence,
    terminal_weights: NDArray[np.float64] | None = None,
) -> tuple[Tree, NDArray[np.bool_]]:
    """The tree with the classes chosen for its nodes, and which nodes that changed.

    A choice is the Rule of a function, the dimension class of a terminal, or -1 for a terminal that stays.
    """
    from gpdr.consistency._kernels.memory import NODE
    from gpdr.consistency._kernels.replace import replace_nodes

    nodes = np.recarray(len(tree), NODE)
    nodes["rule"], nodes["chosen"] = primitives.table.rule[tree.codes], choice
    codes, values, changed = tree.codes.copy(), tree.values.copy(), np.zeros(len(tree), np.bool_)
    become = replacements(primitives, terminal_weights)
    replace_nodes(primitives.table, become, nodes, len(tree), codes, values, changed, kernel_state(seed))
    return Tree(codes, values), changed
