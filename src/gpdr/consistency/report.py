"""The check of one expression, told so that who knows the subject understands it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from gpdr.consistency import reference
from gpdr.consistency.gap import gap_as_float
from gpdr.consistency.reading import read_expression, read_target
from gpdr.dimensions import Dimension, UnitSystem
from gpdr.expressions.forest import Tree
from gpdr.expressions.functions import Op, Rule
from gpdr.expressions.primitives import PrimitiveSet
from gpdr.expressions.reference import inputs_of
from gpdr.expressions.writer import node_texts

_LONGEST_UNIT = 40  # characters, in words
_VERBS = {Op.ADD: "adds", Op.SUB: "subtracts", Op.MAX: "compares", Op.MIN: "compares"}


@dataclass(frozen=True)
class NodeReport:
    """One node: the text of its subtree, its unit, its gap, and in words what is wrong ("" if nothing).

    What is wrong may follow from a fault below, which leaves the node's inputs units that nobody meant.
    """

    text: str
    dimension: str
    gap: float
    problem: str
    follows: bool = False

    def as_dict(self) -> dict[str, Any]:
        return {"text": self.text, "dimension": self.dimension, "gap": self.gap}


@dataclass(frozen=True)
class Report:
    """Do the units of an expression fit, and do they give the target?"""

    expression: str
    target: str
    nodes: tuple[NodeReport, ...]  # in prefix order, the root first
    gap: float
    off_target: str  # in words, "" where the root has the target dimension
    remark: str  # in words, on a target of another size than the base units'

    @property
    def dimension(self) -> str:
        return self.nodes[0].dimension

    @property
    def consistent(self) -> bool:
        return self.gap == 0

    @property
    def problems(self) -> tuple[str, ...]:
        """All that is wrong of itself, in words."""
        found = [node.problem for node in self.nodes if not node.follows] + [self.off_target]
        return tuple(problem for problem in found if problem)

    def as_dict(self) -> dict[str, Any]:
        return {
            "expression": self.expression,
            "dimension": self.dimension,
            "gap": self.gap,
            "consistent": self.consistent,
            "nodes": [node.as_dict() for node in self.nodes],
        }


def check(expression: str | Tree, target: str | Dimension, primitives: PrimitiveSet | None = None) -> Report:
    """The dimension and gap of every node of an expression, which is to have the target's unit.

    The primitives are those of appointment rules unless others are given.
    """
    text, tree, primitives = read_expression(expression, primitives)
    wanted = read_target(target, primitives)
    units = primitives.units
    found, inputs = reference.nodes(tree, primitives), inputs_of(tree, primitives)
    texts = node_texts(tree, primitives)
    faulty = [bool(node.gap) for node in found]  # the node or one below it
    for k in reversed(range(len(found))):
        faulty[k] |= any(faulty[child] for child in inputs[k])
    nodes = []
    for k, node in enumerate(found):
        problem = ""
        if node.gap:
            function = primitives.functions[tree.codes[k]]
            below = [_in_words(found[child].dimension, units) for child in inputs[k]]
            problem = f"{_what_it_does(function.rule, function.op, below)} at '{texts[k]}'"
        follows = bool(problem) and any(faulty[child] for child in inputs[k])
        nodes.append(NodeReport(texts[k], units.text(node.dimension), gap_as_float(node.gap), problem, follows))
    return Report(
        expression=text,
        target=units.text(wanted),
        nodes=tuple(nodes),
        gap=gap_as_float(reference.gap(tree, primitives, wanted)),
        off_target=_off_target(found[0].dimension, wanted, units),
        remark=_on_size(target, units) if isinstance(target, str) else "",
    )


def _what_it_does(rule: Rule, op: Op, below: list[str]) -> str:
    if rule is Rule.SAME:
        return f"{_VERBS.get(op, 'combines')} {below[0]} and {below[1]}"
    if rule is Rule.CHOICE:
        return f"chooses between {below[1]} and {below[2]}"
    return f"takes {below[0]} where a plain number is due"


def _off_target(found: Dimension, wanted: Dimension, units: UnitSystem) -> str:
    return "" if found == wanted else f"gives {_in_words(found, units)} where {_in_words(wanted, units)} is wanted"


def _on_size(target: str, units: UnitSystem) -> str:
    size = units.size(target)
    if size == 1:
        return ""
    base = units.text(units.dimension(target))
    known = f"{size:g}" if 0 < size < math.inf else "no"
    return f"{target.strip()} is {known} {base}: checked is the dimension, results are in {base}"


def _in_words(dimension: Dimension, units: UnitSystem) -> str:
    text = units.text(dimension)
    return text if len(text) <= _LONGEST_UNIT else f"{text[: _LONGEST_UNIT - 1]}…"
