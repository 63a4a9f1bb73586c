"""Breeding and growing in plain Python, one individual at a time: the twins of the kernels, written for reading.

They draw the same random numbers in the same order, so a test can ask for the very same children.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpdr._random import below, uniform
from gpdr.evolution.grammar import Grammar
from gpdr.expressions.forest import Tree
from gpdr.expressions.primitives import PrimitiveSet
from gpdr.expressions.reference import depths, heights, inputs_of, sizes

State = NDArray[np.uint64]
Individual = tuple[Tree, ...]


@dataclass(frozen=True)
class World:
    """What breeding needs to know."""

    primitives: PrimitiveSet
    grammar: Grammar
    tournament: int
    crossover: float
    function_nodes: float
    deepest: int
    mutation_depth: int
    attempts: int


def grow(world: World, state: State, kind: int, smallest: int, limit: int, full: bool, depth: int = 1) -> Tree:
    """A tree of a type whose node at hand has depth `depth` and whose deepest node has at most depth `limit`, or what
    its shallowest tree needs."""
    limit = max(limit, depth - 1 + int(world.grammar.shallowest[kind]))
    terminal = not full and depth >= smallest and uniform(state) < world.grammar.share[kind]
    production = _draw(world, state, kind, limit - depth + 1, terminal)
    if production is None:
        production = _draw(world, state, kind, limit - depth + 1, not terminal)
    assert production is not None
    code = int(world.grammar.code[production])
    node = Tree(np.array([code], np.int32), np.array([_fresh_value(world.primitives, state, code)]))
    arity = int(world.primitives.table.arity[code])
    inputs = [int(world.grammar.inputs[production, k]) for k in range(arity)]
    return join([node, *(grow(world, state, t, smallest, limit, full, depth + 1) for t in inputs)])


def _draw(world: World, state: State, kind: int, budget: int, terminal: bool) -> int | None:
    """A production that can finish within the budget, by roulette on the weights."""
    grammar = world.grammar
    first, middle, last = grammar.starts[kind], grammar.terminals[kind], grammar.starts[kind + 1]
    own = range(middle, last) if terminal else range(first, middle)
    possible = [p for p in own if grammar.need[p] <= budget]
    left = uniform(state) * sum(grammar.weight[p] for p in possible)
    for p in possible:
        left -= grammar.weight[p]
        if left < 0:
            return p
    return possible[-1] if possible else None


def _fresh_value(primitives: PrimitiveSet, state: State, code: int) -> float:
    from gpdr.expressions._kernels import draw_constant

    return float(draw_constant(primitives.table, state, code))


def types(world: World, tree: Tree) -> list[int]:
    """The type of each node."""
    found = [-1] * len(tree)
    for k, inputs in reversed(list(enumerate(inputs_of(tree, world.primitives)))):
        last = [found[n] for n in inputs][-2:] or [0, 0]
        # Of a choice only the last two inputs matter, but the first must be of some type.
        if all(found[n] >= 0 for n in inputs):
            found[k] = int(world.grammar.result[tree.codes[k], last[0], last[-1]])
    return found


def tournament(world: World, scores: Sequence[float], state: State) -> int:
    """The best of a few drawn with replacement."""
    drawn = [below(state, len(scores)) for _ in range(world.tournament)]
    return min(drawn, key=lambda n: scores[n])


def pick_node(world: World, tree: Tree, kind: int | None, state: State) -> int | None:
    """A node of a type: a function with the chance wanted, where there are both."""
    own = types(world, tree)
    nodes = [k for k in range(len(tree)) if kind is None or own[k] == kind]
    functions = [k for k in nodes if world.primitives.is_function(int(tree.codes[k]))]
    terminals = [k for k in nodes if k not in functions]
    if not nodes:
        return None
    chance = world.function_nodes if world.function_nodes >= 0 else len(functions) / len(nodes)
    chosen = functions if uniform(state) < chance else terminals
    chosen = chosen or functions or terminals
    return chosen[below(state, len(chosen))]


def breed(
    world: World, pool: Sequence[Individual], scores: Sequence[float], children: int, state: State
) -> list[Individual]:
    """Children by crossover, two at a time, and by mutation."""
    born: list[Individual] = []
    while len(born) < children:
        if uniform(state) < world.crossover:
            mother, father = (pool[tournament(world, scores, state)] for _ in range(2))
            born += cross(world, mother, father, state)
        else:
            born.append(mutate(world, pool[tournament(world, scores, state)], state))
    return born[:children]


def cross(world: World, mother: Individual, father: Individual, state: State) -> list[Individual]:
    """Subtrees of one tree are exchanged, all other trees swapped whole; a child too deep gives way to its parent."""
    tree = below(state, len(mother))
    a, b = mother[tree], father[tree]
    first: Tree | None = None
    second: Tree | None = None
    for _ in range(world.attempts):
        cut = pick_node(world, a, None, state)
        assert cut is not None
        graft = pick_node(world, b, types(world, a)[cut], state)
        if graft is None:
            continue
        first = first or shallow(world, replaced(world, a, cut, cutting(world, b, graft)))
        second = second or shallow(world, replaced(world, b, graft, cutting(world, a, cut)))
        if first and second:
            break
    return [
        own if made is None else tuple(made if t == tree else other[t] for t in range(len(own)))
        for made, own, other in ((first, mother, father), (second, father, mother))
    ]


def mutate(world: World, parent: Individual, state: State) -> Individual:
    """A random subtree of a random tree is replaced by a grown one of the same type."""
    tree = below(state, len(parent))
    old = parent[tree]
    cut = pick_node(world, old, None, state)
    assert cut is not None
    kind = types(world, old)[cut]
    room = world.deepest - depths(old, world.primitives)[cut] + 1
    new = replaced(world, old, cut, grow(world, state, kind, 1, min(room, world.mutation_depth), full=False))
    return tuple(new if t == tree else parent[t] for t in range(len(parent)))


def cutting(world: World, tree: Tree, node: int) -> Tree:
    """The subtree at a node."""
    nodes = slice(node, node + sizes(tree, world.primitives)[node])
    return Tree(tree.codes[nodes], tree.values[nodes])


def replaced(world: World, tree: Tree, node: int, new: Tree) -> Tree:
    """The tree with the subtree at a node replaced."""
    end = node + sizes(tree, world.primitives)[node]
    before, after = Tree(tree.codes[:node], tree.values[:node]), Tree(tree.codes[end:], tree.values[end:])
    return join([before, new, after])


def shallow(world: World, tree: Tree) -> Tree | None:
    """The tree, unless it is too deep."""
    return tree if height(world, tree) <= world.deepest else None


def height(world: World, tree: Tree) -> int:
    return heights(tree, world.primitives)[0]


def join(parts: Sequence[Tree]) -> Tree:
    return Tree(np.concatenate([part.codes for part in parts]), np.concatenate([part.values for part in parts]))
