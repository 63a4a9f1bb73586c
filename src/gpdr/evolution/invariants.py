"""What must hold after every generation; checked in debug mode, which tests switch on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gpdr.evolution.grammar import Grammar
from gpdr.evolution.parameters import Parameters
from gpdr.evolution.parts import Mating, Method, Scores
from gpdr.evolution.population import Population, alike
from gpdr.evolution.problem import Problem
from gpdr.evolution.survival import Archive


class BrokenInvariantError(AssertionError):
    """A defect of the program, never of its input."""


def verify(problem: Problem, method: Method, parameters: Parameters, judged: Population, mating: Mating) -> None:
    """Raise where anything is not as it must be; `judged` are all of a generation, also those who leave it."""
    for population in (judged, mating.pool, mating.kept):
        _well_formed(problem, parameters, population)
        _described(problem, method, population)
        if method.grammar is not None:
            _typed(method.grammar, problem, population)
    if isinstance(method.survival, Archive):
        verify_archive(mating.kept, mating.scores[len(mating.pool) - len(mating.kept) :])
    _demand(len(mating.scores) == len(mating.pool), "a score for every parent")
    _demand(not np.isnan(mating.scores).any(), "scores can be ordered")
    _demand(0 < mating.children <= parameters.population, "some children, at most a population of them")


def verify_archive(archive: Population, scores: Scores) -> None:
    """Nobody in an archive dominates another on score and size, and all behave differently."""
    groups = alike(archive.behaviour)
    _demand(len(groups.first) == len(archive), "no duplicates in the archive")
    for score, size in zip(scores, archive.sizes, strict=True):
        no_worse = (scores <= score) & (archive.sizes <= size)
        better = (scores < score) | (archive.sizes < size)
        _demand(not (no_worse & better).any(), "no member of the archive dominates another")


def _well_formed(problem: Problem, parameters: Parameters, population: Population) -> None:
    forest, table = population.forest, problem.primitives.table
    _demand(forest.trees == len(problem.targets), "one tree for every target")
    _demand(bool((forest.codes >= 0).all() and (forest.codes < table.drawable).all()), "codes of the primitive set")
    for k in range(len(forest.starts) - 1):
        depth = _depth(table.arity[forest.codes[forest.starts[k] : forest.starts[k + 1]]])
        _demand(0 < depth <= parameters.deepest, f"whole trees of depth at most {parameters.deepest}, got {depth}")


def _depth(arities: NDArray[np.int64]) -> int:
    """Depth of a tree from the arities of its nodes; 0 where they do not make a tree."""
    missing = [1]  # inputs still to come at each depth
    deepest = 0
    for arity in arities:
        while missing and missing[-1] == 0:
            missing.pop()
        if not missing:
            return 0
        missing[-1] -= 1
        deepest = max(deepest, len(missing))
        missing.append(int(arity))
    return deepest if not any(missing) else 0


def _described(problem: Problem, method: Method, population: Population) -> None:
    from gpdr.consistency import gaps

    told = gaps(population.forest, problem.primitives, problem.targets)
    _demand(bool(np.array_equal(told, population.gaps)), "gaps belong to their individuals")
    _demand(not method.consistent or not told.any(), f"{method.name} makes consistent individuals only")
    behaviour = problem.behaviour(population.forest)
    _demand(bool(np.array_equal(behaviour, population.behaviour, equal_nan=True)), "behaviour belongs to individuals")


def _typed(grammar: Grammar, problem: Problem, population: Population) -> None:
    from gpdr.evolution._grammar_kernels import node_types

    forest = population.forest
    types = np.empty(len(forest.codes), np.int64)
    node_types(grammar, problem.primitives.table, forest.codes, types)
    _demand(bool((types >= 0).all()), "a type of the grammar for every node")
    roots = types[forest.starts[:-1]].reshape(-1, forest.trees)
    _demand(bool((roots == grammar.roots).all()), "the type of its target for every root")


def _demand(condition: bool, what: str) -> None:
    if not condition:
        raise BrokenInvariantError(f"expected: {what}")
