"""Grammars and generators: what they make, and what they can never make."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.random import SeedSequence

from gpdr.consistency import gaps
from gpdr.dimensions import UnitSystem
from gpdr.errors import InputError
from gpdr.evolution import DataProblem, solve
from gpdr.evolution.breeding import Repair, Variation
from gpdr.evolution.generators import ByGrammar, RampedHalfAndHalf, RepairedAtBirth
from gpdr.evolution.grammar import Grammar, exponents, typed, untyped
from gpdr.evolution.parameters import Parameters
from gpdr.evolution.parts import Generator
from gpdr.expressions import ADD, DIV, IF, MUL, SQ, SQRT, PrimitiveSet, Terminal
from gpdr.expressions.appointment import APPOINTMENT
from gpdr.expressions.reference import heights

from .fakes import MINUTES, NUMBER

TARGETS = (NUMBER, MINUTES)


def productions(grammar: Grammar, kind: int, primitives: PrimitiveSet = APPOINTMENT) -> list[str]:
    rows = range(grammar.starts[kind], grammar.starts[kind + 1])
    arity = primitives.table.arity
    return [
        " ".join([primitives.name_of(grammar.code[p]), *map(str, grammar.inputs[p, : arity[grammar.code[p]]])])
        for p in rows
    ]


def test_productions_of_times_by_hand() -> None:
    grammar = typed(APPOINTMENT, TARGETS, exponents(APPOINTMENT, -1, 1))
    # Types 0, 1, 2 are 1/min, 1 and min.
    assert productions(grammar, 2) == [
        "add 2 2", "sub 2 2", "mul 1 2", "mul 2 1", "div 1 0", "div 2 1", "max 2 2", "min 2 2",
        "if 0 2 2", "if 1 2 2", "if 2 2 2", "M", "V",
    ]  # fmt: skip
    assert "sqrt 1" in productions(grammar, 1)
    assert not any("sqrt" in text for kind in (0, 2) for text in productions(grammar, kind))
    # A rate has no terminal, the shallowest is 1 / M: this is where generators without such a table fail.
    assert grammar.shallowest.tolist() == [2, 1, 1]
    assert grammar.roots.tolist() == [1, 2]


def test_squares_and_roots_of_larger_exponents() -> None:
    primitives = PrimitiveSet("s", (ADD, MUL, DIV, SQ, SQRT, IF), (Terminal("M", "min"),), UnitSystem(("min",)))
    grammar = typed(primitives, [primitives.units.dimension("min")], exponents(primitives, -2, 2))
    assert "sq 3" in productions(grammar, 4, primitives)
    assert "sqrt 4" in productions(grammar, 3, primitives)
    assert not any(text.startswith("sq ") for text in productions(grammar, 1, primitives))
    assert grammar.shallowest.tolist() == [3, 3, 2, 1, 2]


def test_a_function_counts_once_or_once_for_each_production() -> None:
    types = exponents(APPOINTMENT, -1, 1)
    once = typed(APPOINTMENT, TARGETS, types)
    rows = slice(once.starts[2], once.terminals[2])
    weights = dict(zip(productions(once, 2), once.weight[rows], strict=False))
    assert weights["mul 1 2"] == pytest.approx(1 / 2)
    assert weights["if 0 2 2"] == pytest.approx(1 / 3)
    assert once.weight[rows].sum() == pytest.approx(7)  # add sub mul div max min if
    assert once.share[2] == pytest.approx(2 / 9)
    each = typed(APPOINTMENT, TARGETS, types, by_production=True, terminal_share=0.5)
    assert set(each.weight) == {1.0}
    assert each.share.tolist() == [0.5] * 3


def test_what_a_grammar_cannot_make_is_told_at_once() -> None:
    beyond = "not among the types of this grammar, which have whole exponents; raise the parameter exponents"
    with pytest.raises(InputError, match=f"^target min: {beyond}$"):
        typed(APPOINTMENT, TARGETS, [NUMBER])
    with pytest.raises(InputError, match=f"^terminal M in min: {beyond}, or leave the terminal out$"):
        typed(APPOINTMENT, [NUMBER], [NUMBER])
    lonely = PrimitiveSet("s", (ADD,), (Terminal("M", "min"),), UnitSystem(("min",)))
    nothing = "target 1: no tree of this grammar has this dimension; raise the parameter exponents"
    with pytest.raises(InputError, match=f"^{nothing}$"):
        typed(lonely, [lonely.units.dimension("1")], exponents(lonely, -1, 1))
    wide = PrimitiveSet("s", (ADD,), (Terminal("M", "min"),), UnitSystem(("min", "kg", "m", "A", "K")))
    many = "3125 types are too many for a grammar: at most 500; lower the parameter exponents"
    with pytest.raises(InputError, match=f"^{many}$"):
        typed(wide, [], exponents(wide, -2, 2))


def generators() -> dict[str, Generator]:
    p = Parameters()
    free = RampedHalfAndHalf(APPOINTMENT, 2, p)
    types = exponents(APPOINTMENT, -2, 2)
    return {
        "free": free,
        "typed": ByGrammar(APPOINTMENT, typed(APPOINTMENT, TARGETS, exponents(APPOINTMENT, -1, 1)), p),
        "grammar": ByGrammar(APPOINTMENT, typed(APPOINTMENT, TARGETS, types, True, 0.5), p),
        "repaired": RepairedAtBirth(free, Repair(Variation(APPOINTMENT, untyped(APPOINTMENT, 2), p), TARGETS)),
    }


@pytest.mark.parametrize("name", generators())
def test_contract_of_every_generator(name: str) -> None:
    generator = generators()[name]
    forest = generator.generate(300, SeedSequence(1))
    assert len(forest) == 300
    assert forest.trees == 2
    depths = np.array([[heights(tree, APPOINTMENT)[0] for tree in trees] for trees in forest])
    assert depths.min() >= 1 if name == "repaired" else depths.min() == 2
    # Repair keeps structure; what it cannot repair is mutated, and may then grow to the limit of offspring.
    assert depths.max() <= (8 if name == "repaired" else 6)
    assert len(np.unique(depths)) >= 4, "depths are ramped"
    if name != "free":
        assert not gaps(forest, APPOINTMENT, TARGETS).any()
    assert forest == generator.generate(300, SeedSequence(1))
    assert forest != generator.generate(300, SeedSequence(2))


def test_a_grammar_grows_as_deep_as_its_targets_need_and_no_method_begins_below() -> None:
    lengths = PrimitiveSet("lengths", (MUL,), (Terminal("x", "m"),), UnitSystem(("m",)))
    target = lengths.units.dimension("m^8")  # eight factors need depth 4
    grammar = typed(lengths, [target], exponents(lengths, -8, 8))
    forest = ByGrammar(lengths, grammar, Parameters(initial_largest=3, deepest=3)).generate(20, SeedSequence(1))
    assert {heights(tree, lengths)[0] for (tree,) in forest} == {4}
    problem = DataProblem(lengths, ["m^8"], {"x": np.array([1.0, 2.0])}, lambda values: values[:, 0].mean(axis=1))
    for method in ("stgp", "cfggp"):
        with pytest.raises(InputError) as told:
            solve(problem, method, parameters={"initial_largest": 3, "deepest": 3, "exponents": 8})
        assert str(told.value) == (
            "parameter deepest: expected at least 4, the depth of the shallowest trees that have the targets' "
            "dimensions in this grammar, got 3"
        )


def test_the_first_individuals_are_the_same_for_any_number_of_them() -> None:
    for name in ("free", "typed", "grammar"):
        generator = generators()[name]
        assert generator.generate(20, SeedSequence(1)) == generator.generate(50, SeedSequence(1)).take(range(20))
