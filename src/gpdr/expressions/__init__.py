"""What an expression is: primitive sets, trees and forests, text in and out, evaluation."""

from gpdr.expressions.evaluate import Evaluation, evaluate
from gpdr.expressions.forest import Forest, Tree, concatenate
from gpdr.expressions.functions import ADD, BUILT_IN, DIV, IF, MAX, MIN, MUL, SQ, SQRT, SUB, Function, Op, Rule
from gpdr.expressions.generate import full, grow, ramped_half_and_half
from gpdr.expressions.parser import parse
from gpdr.expressions.primitives import PrimitiveSet, PrimitiveTable
from gpdr.expressions.terminals import Constant, Sampler, Terminal
from gpdr.expressions.writer import node_texts, to_text

__all__ = [
    "ADD",
    "BUILT_IN",
    "DIV",
    "IF",
    "MAX",
    "MIN",
    "MUL",
    "SQ",
    "SQRT",
    "SUB",
    "Constant",
    "Evaluation",
    "Forest",
    "Function",
    "Op",
    "PrimitiveSet",
    "PrimitiveTable",
    "Rule",
    "Sampler",
    "Terminal",
    "Tree",
    "concatenate",
    "evaluate",
    "full",
    "grow",
    "node_texts",
    "parse",
    "ramped_half_and_half",
    "to_text",
]
