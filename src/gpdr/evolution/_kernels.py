"""Kernels that breed: tournaments, crossover and mutation of whole populations; the twins are in reference.py."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpdr._jit import kernel, uncounted
from gpdr._random import below, uniform
from gpdr.evolution._grammar_kernels import grow
from gpdr.evolution.grammar import Grammar
from gpdr.expressions._kernels import Ints, State, node_depths, subtree_end
from gpdr.expressions.forest import Codes, Starts, Values
from gpdr.expressions.primitives import PrimitiveTable


class Stock(NamedTuple):
    """Individuals to breed from: a forest's arrays, the type of each node, the score of each individual."""

    codes: Codes
    values: Values
    starts: Starts
    types: Ints
    scores: NDArray[np.float64]


class Arena(NamedTuple):
    """Where children are written, end to end."""

    codes: Codes
    values: Values
    starts: Starts
    child: Ints  # which child each row is a candidate for


class Settings(NamedTuple):
    """What the kernels need of a method's parameters."""

    tournament: int
    crossover: float
    function_nodes: float  # negative: all nodes with the same chance
    deepest: int
    mutation_depth: int
    attempts: int
    candidates: int


class Exchange(NamedTuple):
    """What a child takes from its parents: the subtree at node `graft` of the one for that at `cut` of the other."""

    cut: int  # -1: nothing, the child is its parent
    graft: int


@kernel
def tournament(scores: NDArray[np.float64], size: int, state: State) -> int:
    """The lowest score of `size` individuals drawn with replacement; of equals the first drawn."""
    best = below(state, len(scores))
    for _ in range(size - 1):
        rival = below(state, len(scores))
        if scores[rival] < scores[best]:
            best = rival
    return best


@kernel
def pick_node(
    table: PrimitiveTable,
    codes: Codes,
    types: Ints,
    begin: int,
    end: int,
    kind: int,
    function_nodes: float,
    state: State,
) -> int:
    """A node of type `kind` (-1: of any) of the tree begin … end-1: a function with the chance function_nodes.

    Where there are only functions or only terminals, one of those; -1 where no node is of the type.
    """
    functions = 0
    terminals = 0
    for k in range(begin, end):
        if kind < 0 or types[k] == kind:
            if codes[k] < table.functions:
                functions += 1
            else:
                terminals += 1
    if functions + terminals == 0:
        return -1
    chance = function_nodes if function_nodes >= 0.0 else functions / (functions + terminals)
    function = uniform(state) < chance
    if (function and functions == 0) or (not function and terminals == 0):
        function = not function
    left = below(state, functions if function else terminals)
    for k in range(begin, end):
        if (kind < 0 or types[k] == kind) and (codes[k] < table.functions) == function:
            if left == 0:
                return k
            left -= 1
    return -1


@kernel
def copy_nodes(source: Stock, begin: int, end: int, arena: Arena, position: int) -> int:
    """Append nodes begin … end-1; the position after them, or -1 where the arena ends or has ended before."""
    if position < 0 or position + end - begin > len(arena.codes):
        return -1
    for k in range(begin, end):
        arena.codes[position] = source.codes[k]
        arena.values[position] = source.values[k]
        position += 1
    return position


@kernel
def splice(table: PrimitiveTable, stock: Stock, whole: int, exchange: Exchange, arena: Arena, position: int) -> int:
    """Append tree `whole` after an exchange."""
    cut, graft = exchange
    position = copy_nodes(stock, stock.starts[whole], cut, arena, position)
    position = copy_nodes(stock, graft, subtree_end(table.arity, stock.codes, graft), arena, position)
    return copy_nodes(stock, subtree_end(table.arity, stock.codes, cut), stock.starts[whole + 1], arena, position)


@kernel
def write_child(
    table: PrimitiveTable,
    stock: Stock,
    mother: int,
    father: int,
    trees: int,
    tree: int,
    exchange: Exchange,
    arena: Arena,
    row: int,
    child: int,
) -> bool:
    """Write one child at `row`: tree number `tree` is the mother's after the exchange, all other trees are the
    father's. Returns whether it fitted."""
    arena.child[row] = child
    position = arena.starts[row * trees]
    for t in range(trees):
        if t == tree and exchange.cut >= 0:
            position = splice(table, stock, mother * trees + t, exchange, arena, position)
        else:
            whole = (mother if t == tree else father) * trees + t
            position = copy_nodes(stock, stock.starts[whole], stock.starts[whole + 1], arena, position)
        if position < 0:
            return False
        arena.starts[row * trees + t + 1] = position
    return True


@kernel
def height(depths: Ints, begin: int, end: int) -> int:
    """Depth of the subtree begin … end-1 by itself, from the depths of its nodes in their tree."""
    deepest = depths[begin]
    for k in range(begin + 1, end):
        deepest = max(deepest, depths[k])
    return int(deepest - depths[begin] + 1)


@kernel
def choose_exchanges(
    table: PrimitiveTable, stock: Stock, settings: Settings, mother: int, father: int, depths: Ints, state: State
) -> tuple[Exchange, Exchange]:
    """Nodes of the same type in two trees to be exchanged: for either child those of the first attempt at which it
    is not too deep."""
    m_begin, m_end = stock.starts[mother], stock.starts[mother + 1]
    f_begin, f_end = stock.starts[father], stock.starts[father + 1]
    node_depths(table.arity, stock.codes, m_begin, m_end, depths[0])
    node_depths(table.arity, stock.codes, f_begin, f_end, depths[1])
    first, second = Exchange(-1, -1), Exchange(-1, -1)
    for _ in range(settings.attempts):
        cut = pick_node(table, stock.codes, stock.types, m_begin, m_end, -1, settings.function_nodes, state)
        kind = stock.types[cut]
        graft = pick_node(table, stock.codes, stock.types, f_begin, f_end, kind, settings.function_nodes, state)
        if graft < 0:
            continue
        cut_end = subtree_end(table.arity, stock.codes, cut)
        graft_end = subtree_end(table.arity, stock.codes, graft)
        above_cut, above_graft = depths[0, cut - m_begin] - 1, depths[1, graft - f_begin] - 1
        below_cut = height(depths[0], cut - m_begin, cut_end - m_begin)
        below_graft = height(depths[1], graft - f_begin, graft_end - f_begin)
        if first.cut < 0 and above_cut + below_graft <= settings.deepest:
            first = Exchange(cut, graft)
        if second.cut < 0 and above_graft + below_cut <= settings.deepest:
            second = Exchange(graft, cut)
        if first.cut >= 0 and second.cut >= 0:
            break
    return first, second


@kernel
def cross(
    table: PrimitiveTable,
    stock: Stock,
    settings: Settings,
    trees: int,
    child: int,
    pair: bool,
    row: int,
    depths: Ints,
    state: State,
    arena: Arena,
) -> int:
    """Crossover (CS): subtrees of one tree are exchanged, all other trees swapped whole; two children, or the first
    only. Candidates of each child, by the same parents. Returns the next row, -1 where the arena ends."""
    mother = tournament(stock.scores, settings.tournament, state)
    father = tournament(stock.scores, settings.tournament, state)
    for _ in range(settings.candidates):
        tree = below(state, trees)
        first, second = choose_exchanges(
            table, stock, settings, mother * trees + tree, father * trees + tree, depths, state
        )
        # A child that stays too deep is replaced by its parent, whole.
        other = father if first.cut >= 0 else mother
        if not write_child(table, stock, mother, other, trees, tree, first, arena, row, child):
            return -1
        row += 1
        if pair:
            other = mother if second.cut >= 0 else father
            if not write_child(table, stock, father, other, trees, tree, second, arena, row, child + 1):
                return -1
            row += 1
    return row


@kernel
def mutate_tree(
    grammar: Grammar,
    table: PrimitiveTable,
    stock: Stock,
    settings: Settings,
    whole: int,
    depths: Ints,
    state: State,
    arena: Arena,
    position: int,
) -> int:
    """Append tree `whole` with a random subtree replaced by a grown one of the same type."""
    begin, end = stock.starts[whole], stock.starts[whole + 1]
    node_depths(table.arity, stock.codes, begin, end, depths[0])
    cut = pick_node(table, stock.codes, stock.types, begin, end, -1, settings.function_nodes, state)
    kind = stock.types[cut]
    room = settings.deepest - depths[0, cut - begin] + 1
    limit = min(room, settings.mutation_depth)
    position = copy_nodes(stock, begin, cut, arena, position)
    if position < 0:
        return -1
    position = grow(grammar, table, state, arena.codes, arena.values, position, kind, 1, limit, False)
    return copy_nodes(stock, subtree_end(table.arity, stock.codes, cut), end, arena, position)


@kernel
def mutate(
    grammar: Grammar,
    table: PrimitiveTable,
    stock: Stock,
    settings: Settings,
    trees: int,
    child: int,
    row: int,
    depths: Ints,
    state: State,
    arena: Arena,
) -> int:
    """Subtree mutation of one tree of an individual. Returns the next row, -1 where the arena ends."""
    parent = tournament(stock.scores, settings.tournament, state)
    for _ in range(settings.candidates):
        tree = below(state, trees)
        arena.child[row] = child
        position = arena.starts[row * trees]
        for t in range(trees):
            whole = parent * trees + t
            if t == tree:
                position = mutate_tree(grammar, table, stock, settings, whole, depths, state, arena, position)
            else:
                position = copy_nodes(stock, stock.starts[whole], stock.starts[whole + 1], arena, position)
            if position < 0:
                return -1
            arena.starts[row * trees + t + 1] = position
        row += 1
    return row


@kernel
def breed(
    grammar: Grammar, table: PrimitiveTable, stock: Stock, settings: Settings, children: int, state: State, arena: Arena
) -> bool:
    """Fill the arena with `settings.candidates` candidates for each of `children`. Returns whether all fitted."""
    trees = len(grammar.roots)
    depths = np.empty((2, longest_tree(stock.starts)), np.int64)
    grammar, table, stock, state, arena = uncounted((grammar, table, stock, state, arena))
    arena.starts[0] = 0
    child, row = 0, 0
    while child < children:
        if uniform(state) < settings.crossover:
            pair = child + 1 < children
            row = cross(table, stock, settings, trees, child, pair, row, uncounted(depths), state, arena)
            child += 2
        else:
            row = mutate(grammar, table, stock, settings, trees, child, row, uncounted(depths), state, arena)
            child += 1
        if row < 0:
            return False
    return True


@kernel
def longest_tree(starts: Starts) -> int:
    """Nodes of the largest tree."""
    longest = 0
    for k in range(len(starts) - 1):
        longest = max(longest, starts[k + 1] - starts[k])
    return longest


@kernel
def mutate_marked(
    grammar: Grammar,
    table: PrimitiveTable,
    stock: Stock,
    settings: Settings,
    marked: NDArray[np.bool_],
    state: State,
    arena: Arena,
) -> bool:
    """Every tree again, those marked after one subtree mutation. Returns whether all fitted."""
    depths = np.empty((2, longest_tree(stock.starts)), np.int64)
    grammar, table, stock, state, arena = uncounted((grammar, table, stock, state, arena))
    arena.starts[0] = 0
    position = 0
    for whole in range(len(marked)):
        if marked[whole]:
            position = mutate_tree(grammar, table, stock, settings, whole, uncounted(depths), state, arena, position)
        else:
            position = copy_nodes(stock, stock.starts[whole], stock.starts[whole + 1], arena, position)
        if position < 0:
            return False
        arena.starts[whole + 1] = position
    return True
