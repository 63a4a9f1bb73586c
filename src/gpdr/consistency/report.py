"""The check of one expression, told so that who knows the subject understands it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gpdr.consistency import reference
from gpdr.consistency.reading import read_expression, read_target
from gpdr.dimensions import Dimension, UnitSystem
from gpdr.expressions.forest import Tree
from gpdr.expressions.functions import Op, Rule
from gpdr.expressions.primitives import PrimitiveSet
from gpdr.expressions.reference import inputs_of
from gpdr.expressions.writer import node_texts

_VERBS = {Op.ADD: "adds", Op.SUB: "subtracts", Op.MAX: "compares", Op.MIN: "compares"}


@dataclass(frozen=True)
class NodeReport:
    """One node: the text of its subtree, its unit, its gap, and in words what is wrong ("" if nothing)."""

    text: str
    dimension: str
    gap: float
    problem: str

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

    @property
    def dimension(self) -> str:
        return self.nodes[0].dimension

    @property
    def consistent(self) -> bool:
        return self.gap == 0

    @property
    def problems(self) -> tuple[str, ...]:
        """All that is wrong, in words."""
        found = [node.problem for node in self.nodes] + [self.off_target]
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
    nodes = []
    for k, node in enumerate(found):
        problem = ""
        if node.gap:
            function = primitives.functions[tree.codes[k]]
            below = [units.text(found[child].dimension) for child in inputs[k]]
            problem = f"{_what_it_does(function.rule, function.op, below)} at '{texts[k]}'"
        nodes.append(NodeReport(texts[k], units.text(node.dimension), float(node.gap), problem))
    gap = float(reference.gap(tree, primitives, wanted))
    return Report(text, units.text(wanted), tuple(nodes), gap, _off_target(found[0].dimension, wanted, units))


def _what_it_does(rule: Rule, op: Op, below: list[str]) -> str:
    if rule is Rule.SAME:
        return f"{_VERBS.get(op, 'combines')} {below[0]} and {below[1]}"
    if rule is Rule.CHOICE:
        return f"chooses between {below[1]} and {below[2]}"
    return f"takes {below[0]} where a plain number is due"


def _off_target(found: Dimension, wanted: Dimension, units: UnitSystem) -> str:
    return "" if found == wanted else f"gives {units.text(found)} where {units.text(wanted)} is wanted"
