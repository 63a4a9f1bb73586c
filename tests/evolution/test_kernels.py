"""Kernels of breeding against their twins, on random input."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.random import SeedSequence

from gpdr._random import kernel_state
from gpdr.evolution import reference
from gpdr.evolution.generators import ByGrammar, RampedHalfAndHalf
from gpdr.evolution.grammar import Grammar, exponents, typed, untyped
from gpdr.evolution.parameters import Parameters
from gpdr.expressions import Forest
from gpdr.expressions.appointment import APPOINTMENT

TARGETS = (APPOINTMENT.units.dimension("1"), APPOINTMENT.units.dimension("min"))
PARAMETERS = Parameters(population=12, initial_largest=4, deepest=5, mutation_depth=3)


def grammars() -> dict[str, Grammar]:
    return {
        "untyped": untyped(APPOINTMENT, 2),
        "typed": typed(APPOINTMENT, TARGETS, exponents(APPOINTMENT, -1, 1)),
        "productions": typed(
            APPOINTMENT, TARGETS, exponents(APPOINTMENT, -2, 2), by_production=True, terminal_share=0.5
        ),
    }


def world(grammar: Grammar, nodes_alike: bool = False, p: Parameters = PARAMETERS) -> reference.World:
    functions = -1.0 if nodes_alike else p.function_nodes
    return reference.World(
        APPOINTMENT, grammar, p.tournament, p.crossover, functions, p.deepest, p.mutation_depth, p.attempts
    )


def first_forest(name: str, grammar: Grammar, individuals: int) -> Forest:
    if name == "untyped":
        return RampedHalfAndHalf(APPOINTMENT, 2, PARAMETERS).generate(individuals, SeedSequence(3))
    return ByGrammar(APPOINTMENT, grammar, PARAMETERS).generate(individuals, SeedSequence(3))


@pytest.mark.kernel
@pytest.mark.parametrize("name", grammars())
@pytest.mark.parametrize("nodes_alike", [False, True])
def test_breeding_equals_its_twin(name: str, nodes_alike: bool) -> None:
    grammar = grammars()[name]
    both_breed_the_same(grammar, world(grammar, nodes_alike), first_forest(name, grammar, 12), seed=5)


@pytest.mark.kernel
@pytest.mark.parametrize("name", grammars())
@pytest.mark.parametrize("attempts", [1, 2, 5])
def test_breeding_equals_its_twin_where_children_are_often_too_deep(name: str, attempts: int) -> None:
    grammar = grammars()[name]
    crowded = replace(PARAMETERS, crossover=1.0, deepest=PARAMETERS.initial_largest, attempts=attempts)
    forest = first_forest(name, grammar, 12)
    for seed in range(5):
        both_breed_the_same(grammar, world(grammar, p=crowded), forest, seed)


def both_breed_the_same(grammar: Grammar, plain: reference.World, forest: Forest, seed: int) -> None:
    from gpdr.evolution._grammar_kernels import node_types
    from gpdr.evolution._kernels import Arena, Settings, Stock, breed

    types = np.empty(len(forest.codes), np.int64)
    node_types(grammar, APPOINTMENT.table, forest.codes, types)
    scores = np.round(np.random.default_rng(1).random(12), 1)  # rounded, so that some are equal
    settings = Settings(
        plain.tournament, plain.crossover, plain.function_nodes, plain.deepest, plain.mutation_depth, plain.attempts, 1
    )
    children = 41
    arena = Arena(
        np.empty(9000, np.int32), np.empty(9000), np.zeros(2 * children + 1, np.int64), np.zeros(children, int)
    )
    stock = Stock(forest.codes, forest.values, forest.starts, types, scores)
    assert breed(grammar, APPOINTMENT.table, stock, settings, children, kernel_state(SeedSequence(seed)), arena)
    end = arena.starts[-1]
    born = Forest(arena.codes[:end], arena.values[:end], arena.starts, 2)
    expected = reference.breed(plain, list(forest), list(scores), children, kernel_state(SeedSequence(seed)))
    assert born == Forest.of(expected)
    assert list(arena.child) == list(range(children))


@pytest.mark.kernel
@pytest.mark.parametrize("name", grammars())
def test_growing_equals_its_twin(name: str) -> None:
    from gpdr.evolution._grammar_kernels import grow

    grammar = grammars()[name]
    codes, values = np.empty(5000, np.int32), np.empty(5000)
    for seed in range(30):
        state, twin = kernel_state(SeedSequence(seed)), kernel_state(SeedSequence(seed))
        kind, full = seed % len(grammar.shallowest), seed % 2 == 0
        limit = 1 + seed % 5  # less than the type's shallowest tree needs: then that much
        end = grow(grammar, APPOINTMENT.table, state, codes, values, 0, kind, 2, limit, full)
        expected = reference.grow(world(grammar), twin, kind, 2, limit, full)
        assert np.array_equal(codes[:end], expected.codes)
        assert np.array_equal(values[:end], expected.values)
        assert state[0] == twin[0]


@pytest.mark.kernel
@pytest.mark.parametrize("name", ["untyped", "typed", "productions"])
def test_types_of_nodes_equal_their_twin(name: str) -> None:
    from gpdr.evolution._grammar_kernels import node_types

    grammar = grammars()[name]
    # Also on trees that the grammar could not have made: their nodes have type -1.
    forest = first_forest("untyped", grammar, 30)
    found = np.empty(len(forest.codes), np.int64)
    node_types(grammar, APPOINTMENT.table, forest.codes, found)
    expected = [kind for trees in forest for tree in trees for kind in reference.types(world(grammar), tree)]
    assert found.tolist() == expected
    assert name == "untyped" or -1 in expected


@pytest.mark.kernel
def test_an_arena_too_short_is_told_and_nothing_written_past_it() -> None:
    from gpdr.evolution._grammar_kernels import node_types
    from gpdr.evolution._kernels import Arena, Settings, Stock, breed, mutate_marked

    grammar = grammars()["untyped"]
    forest = first_forest("untyped", grammar, 6)
    types = np.zeros(len(forest.codes), np.int64)
    node_types(grammar, APPOINTMENT.table, forest.codes, types)
    stock = Stock(forest.codes, forest.values, forest.starts, types, np.zeros(6))
    for capacity in range(0, 40, 3):
        arena = Arena(np.empty(capacity, np.int32), np.empty(capacity), np.zeros(13, np.int64), np.zeros(6, int))
        state = kernel_state(SeedSequence(1))
        assert not breed(grammar, APPOINTMENT.table, stock, Settings(3, 0.9, 0.9, 8, 5, 3, 1), 6, state, arena)
        marked = np.ones(12, bool)
        assert not mutate_marked(
            grammar, APPOINTMENT.table, stock, Settings(3, 0.9, 0.9, 8, 5, 3, 1), marked, state, arena
        )
