"""Text to trees: operator precedence with a stack of its own, bounded in length, depth and nodes.

    sum     := product (("+" | "-") product)*          from the left: a - b - c is (a - b) - c
    product := factor (("*" | "/") factor)*
    factor  := "-" factor                              read as 0 - factor
             | number | "[" number with sign and label "]"
             | terminal
             | function "(" sum ("," sum)* ")"
             | "(" sum ")"

Nothing is ever rearranged.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

from gpdr.errors import InputError, unknown_name
from gpdr.expressions.forest import Tree
from gpdr.expressions.functions import Function
from gpdr.expressions.nodes import Node, function_node, to_tree
from gpdr.expressions.numbers import labelled_number
from gpdr.expressions.primitives import PrimitiveSet
from gpdr.expressions.tokens import Kind, Token, bracketed, fault, tokens, where
from gpdr.expressions.writer import INFIX, PRECEDENCE

DEEPEST = 200
MOST_NODES = 20_000
_OPERATORS = {sign: op for op, sign in INFIX.items()}
_NEGATION = 3  # binds closer than any operator between two operands


def parse(text: str, primitives: PrimitiveSet) -> Tree:
    """The tree that a text names, in the primitives of a set; what is wrong is told with its position."""
    if not isinstance(text, str):
        raise InputError(f"expression: expected a text, got {type(text).__name__}")
    return _Reader(text, primitives).tree()


class _Operator(NamedTuple):
    token: Token
    function: Function
    precedence: int


@dataclass(slots=True)
class _Group:
    """What is open: the whole text, a pair of parentheses, or the inputs of a function."""

    token: Token | None = None
    function: Function | None = None
    inputs: list[Node] = field(default_factory=list)  # those completed by a comma
    operands: list[Node] = field(default_factory=list)
    operators: list[_Operator] = field(default_factory=list)


class _Reader:
    """Takes the tokens once, from left to right: an operand is due, or what may follow one."""

    def __init__(self, text: str, primitives: PrimitiveSet) -> None:
        self.text = text
        self.primitives = primitives
        self.tokens = iter(tokens(text))
        self.open = [_Group()]

    def tree(self) -> Tree:
        while True:
            self.take_operand()
            if self.take_what_follows():
                return to_tree(self.open[0].operands[0])

    def take_operand(self) -> None:
        """Opening parentheses, functions and minus signs, until there is a number or a terminal."""
        while True:
            token = next(self.tokens)
            if token.text == "-":
                self.group.operators.append(_Operator(token, self.function(token), _NEGATION))
            elif token.text == "(":
                self.begin(_Group(token))
            elif token.kind is Kind.NAME and self.is_function(token):
                opening = next(self.tokens)
                if opening.text != "(":
                    raise fault(self.text, opening, f"( after {token.text}")
                self.begin(_Group(token, self.primitives.functions[self.primitives.codes[token.text]]))
            else:
                self.group.operands.append(self.leaf(token))
                return

    def take_what_follows(self) -> bool:
        """Closing parentheses, until there is an operator or a comma; True at the end of the text."""
        while True:
            token = next(self.tokens)
            if token.text in PRECEDENCE:
                self.reduce(PRECEDENCE[token.text])
                self.group.operators.append(_Operator(token, self.function(token), PRECEDENCE[token.text]))
                return False
            if token.text == "," and self.group.function:
                self.reduce()
                self.group.inputs.append(self.group.operands.pop())
                return False
            if token.kind is Kind.END and len(self.open) == 1:
                self.reduce()
                return True
            if token.text != ")" or len(self.open) == 1:
                raise self.misplaced(token)
            self.close()

    # -- groups --------------------------------------------------------------------------------------------------

    @property
    def group(self) -> _Group:
        return self.open[-1]

    def begin(self, group: _Group) -> None:
        if len(self.open) > DEEPEST and group.token:
            raise self.too_deep(group.token)
        self.open.append(group)

    def close(self) -> None:
        """The group becomes an operand of the one around it."""
        self.reduce()
        group = self.open.pop()
        operand = group.operands.pop()
        if group.function and group.token:
            inputs = (*group.inputs, operand)
            if len(inputs) != group.function.arity:
                wanted = "1 input" if group.function.arity == 1 else f"{group.function.arity} inputs"
                raise InputError(
                    f"{where(self.text, group.token)}: {group.function.name} takes {wanted}, got {len(inputs)}"
                )
            operand = self.node(group.token, group.function, inputs)
        self.group.operands.append(operand)

    def reduce(self, precedence: int = 0) -> None:
        """Apply the operators that bind at least this close to the operands they have."""
        operands, operators = self.group.operands, self.group.operators
        while operators and operators[-1].precedence >= precedence:
            operator = operators.pop()
            right = operands.pop()
            left = self.number(operator.token, 0.0) if operator.precedence == _NEGATION else operands.pop()
            operands.append(self.node(operator.token, operator.function, (left, right)))

    # -- nodes ---------------------------------------------------------------------------------------------------

    def node(self, token: Token, function: Function, inputs: tuple[Node, ...]) -> Node:
        made = function_node(self.primitives.codes[function.name], inputs)
        if made.depth > DEEPEST:
            raise self.too_deep(token)
        if made.size > MOST_NODES:
            raise InputError(f"{where(self.text, token)}: expected an expression of at most {MOST_NODES} nodes")
        return made

    def leaf(self, token: Token) -> Node:
        if token.kind is Kind.NUMBER:
            return self.number(token, float(token.text))
        if token.kind is Kind.BRACKET:
            return self.number(token, *bracketed(self.text, token))
        if token.kind is not Kind.NAME:
            raise fault(self.text, token, "a number, a name, - or (")
        code = self.primitives.codes[token.text]
        if self.primitives.is_number(code):
            raise InputError(
                f"{where(self.text, token)}: {token.text} is a random constant,"
                f" expected its value, as in [0.5 {token.text}]"
            )
        return Node(code, 0.0)

    def number(self, token: Token, value: float, label: str = "") -> Node:
        if not math.isfinite(value):
            raise InputError(f"{where(self.text, token)}: number {token} is too large, expected at most 1.8e308")
        try:
            found = labelled_number(self.primitives, value, label)
        except InputError as error:
            raise InputError(f"{where(self.text, token)}: {error}") from error
        if found is None:
            raise InputError(
                f"{where(self.text, token)}: primitive set {self.primitives.name!r} has no constant"
                f" of unit {label} that may be {value:g}"
            )
        if not math.isfinite(found[1]):
            raise InputError(f"{where(self.text, token)}: number {token} is too large in base units, at most 1.8e308")
        return Node(*found)

    def function(self, operator: Token) -> Function:
        """The function of the set that an operator stands for."""
        op = _OPERATORS[operator.text]
        function = self.primitives.function_of(op)
        if function is None:
            raise InputError(
                f"{where(self.text, operator)}: {operator.text} needs function {op.name.lower()},"
                f" which primitive set {self.primitives.name!r} lacks"
            )
        return function

    def is_function(self, token: Token) -> bool:
        if token.text not in self.primitives.codes:
            signs = [
                f.name for f in self.primitives.functions if self.primitives.function_of(f.op) is f and f.op in INFIX
            ]
            choices = [name for name in self.primitives.codes if name not in signs]
            raise InputError(f"{where(self.text, token)}: {unknown_name('name', token.text, choices)}")
        return self.primitives.is_function(self.primitives.codes[token.text])

    # -- errors --------------------------------------------------------------------------------------------------

    def too_deep(self, token: Token) -> InputError:
        return InputError(f"{where(self.text, token)}: nested too deeply, expected at most {DEEPEST} levels")

    def misplaced(self, token: Token) -> InputError:
        """The error for a token that cannot follow an operand."""
        if len(self.open) == 1:
            expected = "an operator (+ - * /) or the end"
        else:
            expected = "an operator (+ - * /), a comma or )" if self.group.function else "an operator (+ - * /) or )"
        starts_operand = token.kind in (Kind.NUMBER, Kind.NAME, Kind.BRACKET) or token.text == "("
        return fault(self.text, token, expected, "; write * to multiply" if starts_operand else "")
