"""Grammars: which trees a generator can make. A type is a dimension; one type alone means that anything goes.

A production makes a node of one type: a terminal, or a function with a type for each input. A derivation tree has one
non-terminal for each node of its expression, the node's type, and that follows from the expression. So a forest
is a forest of derivation trees as well, and nothing more needs to be stored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpdr.dimensions import Dimension
from gpdr.errors import InputError
from gpdr.expressions.functions import Function, Rule
from gpdr.expressions.primitives import PrimitiveSet

_MOST_INPUTS = 3
_MOST_TYPES = 500
_NEVER = 10**6
_BEYOND = "not among the types of this grammar, which have whole exponents; raise the parameter exponents"


class Grammar(NamedTuple):
    """A grammar as arrays. The productions of type t are starts[t] … starts[t + 1] - 1, functions first."""

    starts: NDArray[np.int64]  # (types + 1,)
    terminals: NDArray[np.int64]  # (types,): where type t's terminals start
    code: NDArray[np.int64]  # (productions,)
    inputs: NDArray[np.int64]  # (productions, 3): types of the inputs
    weight: NDArray[np.float64]  # (productions,): chance relative to others of its kind
    need: NDArray[np.int64]  # (productions,): depth of the shallowest tree that starts so
    shallowest: NDArray[np.int64]  # (types,): depth of the shallowest tree of the type
    share: NDArray[np.float64]  # (types,): chance of a terminal where function and terminal are possible
    result: NDArray[np.int64]  # (codes, types, types): a node's type by those of its last two inputs, -1: none
    roots: NDArray[np.int64]  # (trees,): type of each tree's root


@dataclass(frozen=True)
class Production:
    """One way to make a node of a type: its primitive, and the types of its inputs."""

    code: int
    inputs: tuple[int, ...] = ()


def untyped(primitives: PrimitiveSet, trees: int) -> Grammar:
    """Every primitive fits everywhere, each with the same chance (Koza's grow)."""
    functions = [Production(code, (0,) * f.arity) for code, f in enumerate(primitives.functions)]
    terminals = [Production(code) for code in range(len(functions), primitives.literal)]
    grammar = _arrays(primitives, [functions], [terminals], [0] * trees, by_production=True, terminal_share=None)
    return grammar._replace(result=np.zeros_like(grammar.result))  # numbers that nobody draws fit too


def typed(
    primitives: PrimitiveSet,
    targets: Sequence[Dimension],
    types: Sequence[Dimension],
    by_production: bool = False,
    terminal_share: float | None = None,
) -> Grammar:
    """Only nodes whose dimension is one of `types`, put together as their dimensions demand.

    A function that can give a type from several types of inputs counts once, its inputs drawn afterwards (a strongly
    typed function is one function); by_production: once for each of them (a context-free grammar writes them all
    out). terminal_share None: functions and terminals have the chance of their numbers.
    """
    if len(types) > _MOST_TYPES:
        raise InputError(
            f"{len(types)} types are too many for a grammar: at most {_MOST_TYPES}; lower the parameter exponents"
        )
    text = primitives.units.text
    if missing := [target for target in targets if target not in types]:
        raise InputError(f"target {text(missing[0])}: {_BEYOND}")
    index = {dimension: t for t, dimension in enumerate(types)}
    drawable = list(enumerate(primitives.dimensions))[len(primitives.functions) : primitives.literal]
    for code, dimension in drawable:
        if dimension is not None and dimension not in index:
            name = primitives.name_of(code)
            raise InputError(f"terminal {name} in {text(dimension)}: {_BEYOND}, or leave the terminal out")
    functions = [
        [Production(code, inputs) for code, f in enumerate(primitives.functions) for inputs in _inputs(f, want, index)]
        for want in types
    ]
    terminals = [[Production(code) for code, dimension in drawable if dimension == want] for want in types]
    roots = [index[target] for target in targets]
    grammar = _arrays(primitives, functions, terminals, roots, by_production, terminal_share)
    for target, root in zip(targets, roots, strict=True):
        if grammar.shallowest[root] >= _NEVER:
            raise InputError(
                f"target {text(target)}: no tree of this grammar has this dimension; raise the parameter exponents"
            )
    return grammar


def exponents(primitives: PrimitiveSet, low: int, high: int) -> list[Dimension]:
    """All dimensions with whole exponents from low to high."""
    return [Dimension.of(e) for e in product(range(low, high + 1), repeat=len(primitives.units))]


def _inputs(function: Function, want: Dimension, index: dict[Dimension, int]) -> Iterator[tuple[int, ...]]:
    """Types of inputs with which a function gives the dimension wanted."""
    own = index[want]
    match function.rule:
        case Rule.SAME:
            yield own, own
        case Rule.PRODUCT:
            yield from ((i, index[want / a]) for a, i in index.items() if want / a in index)
        case Rule.QUOTIENT:
            yield from ((index[want * b], i) for b, i in index.items() if want * b in index)
        case Rule.SQUARE if (root := want ** Fraction(1, 2)) in index:
            yield (index[root],)
        case Rule.ROOT if (square := want**2) in index:
            yield (index[square],)
        case Rule.CHOICE:
            yield from ((i, own, own) for i in index.values())
        case Rule.PURE if not want:
            yield (own,)


def _arrays(
    primitives: PrimitiveSet,
    functions: Sequence[Sequence[Production]],
    terminals: Sequence[Sequence[Production]],
    roots: Sequence[int],
    by_production: bool,
    terminal_share: float | None,
) -> Grammar:
    count = len(functions)
    result = np.full((primitives.literal + 1, count, count), -1)
    weight: list[float] = []
    share = np.zeros(count)
    for t, (own, leaves) in enumerate(zip(functions, terminals, strict=True)):
        times = Counter(p.code for p in own)
        weight += [1.0 if by_production else 1.0 / times[p.code] for p in own] + [1.0] * len(leaves)
        kinds = len(own) if by_production else len(times)
        share[t] = len(leaves) / max(1, len(leaves) + kinds) if terminal_share is None else terminal_share
        for p in (*own, *leaves):
            last = ((0, 0) + p.inputs * (2 if len(p.inputs) == 1 else 1))[-2:]
            result[p.code, last[0], last[1]] = t
    productions = [[*own, *leaves] for own, leaves in zip(functions, terminals, strict=True)]
    flat = [p for own in productions for p in own]
    shallowest = _shallowest(productions)
    starts = np.cumsum([0, *(len(own) for own in productions)])
    return Grammar(
        starts=starts.astype(np.int64),
        terminals=(starts[:-1] + [len(own) for own in functions]).astype(np.int64),
        code=np.array([p.code for p in flat], np.int64),
        inputs=np.array([(*p.inputs, 0, 0, 0)[:_MOST_INPUTS] for p in flat], np.int64).reshape(-1, _MOST_INPUTS),
        weight=np.array(weight),
        need=np.array([_need(p, shallowest) for p in flat], np.int64),
        shallowest=np.array(shallowest, np.int64),
        share=share,
        result=result.astype(np.int64),
        roots=np.array(roots, np.int64),
    )


def _need(production: Production, shallowest: Sequence[int]) -> int:
    """Depth of the shallowest tree that starts with this production."""
    return min(_NEVER, 1 + max((shallowest[t] for t in production.inputs), default=0))


def _shallowest(productions: Sequence[Sequence[Production]]) -> list[int]:
    """Depth of the shallowest tree of each type: grows from terminals until nothing changes."""
    depths = [_NEVER] * len(productions)
    while True:
        better = [min((_need(p, depths) for p in own), default=_NEVER) for own in productions]
        if better == depths:
            return depths
        depths = better
