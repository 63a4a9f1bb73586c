"""Crossover and mutation on tiny trees, where all children can be listed; culling and repair with scripted parts."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest
from numpy.random import SeedSequence
from numpy.typing import NDArray

from gpdr.consistency import gaps
from gpdr.dimensions import UnitSystem
from gpdr.errors import InputError
from gpdr.evolution import breeding
from gpdr.evolution.breeding import Culling, Repair, Repaired, Variation, terminal_counts
from gpdr.evolution.grammar import Grammar, exponents, typed, untyped
from gpdr.evolution.parameters import Parameters
from gpdr.evolution.parts import Breeder, Mating
from gpdr.evolution.population import Population
from gpdr.expressions import MUL, Forest, PrimitiveSet, Terminal, parse, to_text
from gpdr.expressions.appointment import APPOINTMENT
from gpdr.expressions.reference import heights

from .fakes import MINUTES, NUMBER

TARGETS = (NUMBER, MINUTES)
Individual = tuple[str, ...]


def mating(individuals: list[Individual], scores: list[float] | None = None, children: int = 1) -> Mating:
    forest = Forest.of([[parse(text, APPOINTMENT) for text in trees] for trees in individuals])
    zeros = np.zeros(len(forest))
    pool = Population(forest, zeros, np.arange(len(forest), dtype=float)[:, None], zeros)
    return Mating(pool, zeros if scores is None else np.array(scores), pool, children)


def texts(forest: Forest) -> list[Individual]:
    return [tuple(to_text(tree, APPOINTMENT) for tree in trees) for trees in forest]


def variation(trees: int = 2, grammar: Grammar | None = None, **changed: float) -> Variation:
    parameters = Parameters(**{"tournament": 1, **changed})  # type: ignore[arg-type]
    return Variation(APPOINTMENT, grammar or untyped(APPOINTMENT, trees), parameters)


def born(breeder: Breeder, parents: Mating, seeds: int = 400) -> set[Individual]:
    return {child for seed in range(seeds) for child in texts(breeder.breed(parents, SeedSequence(seed)))}


def test_crossover_makes_all_children_that_it_may_and_no_others() -> None:
    # Trees end to end in brackets, so that exchange is exchange of text: a subtree of the one for one of the other.
    subtrees = {"P + i": ["P + i", "P", "i"], "M": ["M"], "CR": ["CR"], "V - M": ["V - M", "V", "M"]}
    pool = [("P + i", "M"), ("CR", "V - M")]
    expected = set()
    for mother, father in product(pool, repeat=2):
        for cut, graft in product(subtrees[mother[0]], subtrees[father[0]]):
            expected.add((exchanged(mother[0], cut, graft), father[1]))
        for cut, graft in product(subtrees[mother[1]], subtrees[father[1]]):
            expected.add((father[0], exchanged(mother[1], cut, graft)))
    assert born(variation(crossover=1.0, function_nodes=0.5), mating(pool, children=2), 1500) == expected


def exchanged(tree: str, cut: str, graft: str) -> str:
    """The text of a tree with one subtree's text replaced, read and written again."""
    return to_text(parse(tree.replace(cut, f"({graft})"), APPOINTMENT), APPOINTMENT)


def test_the_other_tree_is_swapped_whole() -> None:
    parents = mating([("P", "M"), ("i", "V")], scores=[0.0, 0.0], children=2)
    found = born(variation(crossover=1.0), parents)
    # With trees of one node, exchange and swap of either tree make the parents again, in either order.
    assert found == {("P", "M"), ("i", "V")}


def test_both_children_of_a_crossover_use_up_all_nodes_of_their_parents() -> None:
    parents = mating([("P + i * CR", "M"), ("PN - PW", "V / (M + M)")], children=2)
    for seed in range(100):
        pair = variation(crossover=1.0).breed(parents, SeedSequence(seed))
        mothers = [
            sorted(t.codes.tolist()) for t in ((parents.pool.forest.take([a, b])) for a in (0, 1) for b in (0, 1))
        ]
        assert sorted(pair.codes.tolist()) in mothers


def test_mutation_replaces_one_subtree_by_a_grown_one() -> None:
    parents = mating([("P + i", "M")])
    for seed in range(300):
        (child,) = variation(crossover=0.0, mutation_depth=2).breed(parents, SeedSequence(seed))
        first, second = (to_text(tree, APPOINTMENT) for tree in child)
        assert (first == "P + i") or (second == "M"), "one tree alone is touched"
        assert max(heights(child[0], APPOINTMENT)[0] - 1, heights(child[1], APPOINTMENT)[0]) <= 2


def test_nodes_are_chosen_nine_times_in_ten_among_functions() -> None:
    from gpdr._random import kernel_state
    from gpdr.evolution._kernels import pick_node

    tree = parse("P + i * CR", APPOINTMENT)  # two functions, three terminals
    state = kernel_state(SeedSequence(1))
    types = np.zeros(5, np.int64)
    picked = np.array([pick_node(APPOINTMENT.table, tree.codes, types, 0, 5, -1, 0.9, state) for _ in range(20_000)])
    shares = np.bincount(picked, minlength=5) / len(picked)
    assert shares == pytest.approx([0.45, 0.1 / 3, 0.45, 0.1 / 3, 0.1 / 3], abs=0.012)
    alike = np.array([pick_node(APPOINTMENT.table, tree.codes, types, 0, 5, -1, -1.0, state) for _ in range(20_000)])
    assert np.bincount(alike, minlength=5) / len(alike) == pytest.approx([0.2] * 5, abs=0.012)


def test_tournament_chances() -> None:
    from gpdr._random import kernel_state
    from gpdr.evolution._kernels import tournament

    state = kernel_state(SeedSequence(1))
    won = [tournament(np.array([3.0, 1.0, 2.0, np.inf]), 3, state) for _ in range(20_000)]
    # The k-th best of n wins with chance ((n-k+1)^3 - (n-k)^3) / n^3.
    assert np.bincount(won, minlength=4) / len(won) == pytest.approx(np.array([7, 37, 19, 1]) / 64, abs=0.012)


def test_a_child_too_deep_gives_way_to_its_parent() -> None:
    deep = "P + (i + (P + (i + P)))"  # depth 5
    parents = mating([(deep,), ("i * (CR * (i * (CR * i)))",)], children=2)
    breeder = variation(trees=1, crossover=1.0, deepest=5, initial_largest=5, attempts=1)
    replaced = 0
    for seed in range(200):
        for child in breeder.breed(parents, SeedSequence(seed)):
            assert heights(child[0], APPOINTMENT)[0] <= 5
            replaced += to_text(child[0], APPOINTMENT) in texts(parents.pool.forest)[0] + texts(parents.pool.forest)[1]
    assert replaced > 50, "some crossovers must have failed, or nothing was tested"


def test_typed_crossover_and_mutation_keep_every_type() -> None:
    grammar = typed(APPOINTMENT, TARGETS, exponents(APPOINTMENT, -1, 1))
    parents = mating([("i * (M / V)", "M + V"), ("if(V, P, i / P)", "max(M, V) * (V / M)")], children=40)
    for crossover in (0.0, 1.0):
        children = variation(grammar=grammar, crossover=crossover).breed(parents, SeedSequence(3))
        assert len(set(texts(children))) > 10
        assert not gaps(children, APPOINTMENT, TARGETS).any()


def test_numbers_that_nobody_draws_may_be_mated_where_anything_goes() -> None:
    parents = mating([("i * 3.5", "M"), ("7.5", "7.5 + V")], children=40)
    assert any("7.5" in second for _, second in texts(variation().breed(parents, SeedSequence(3))))
    typed_only = variation(grammar=typed(APPOINTMENT, TARGETS, exponents(APPOINTMENT, -1, 1)))
    with pytest.raises(InputError) as told:
        typed_only.breed(parents, SeedSequence(3))
    assert str(told.value) == "parents: expected trees of this method's grammar, got one with a mul it cannot make"


@pytest.mark.parametrize("each", [1, 2, 5])
def test_culling_bears_the_candidate_with_the_smallest_gap(each: int) -> None:
    parents = mating([("P + i * CR", "M"), ("M - i", "V / (M + M)"), ("i", "V * P")], children=31)
    inner = variation()
    candidates, child = inner.candidates(parents, SeedSequence(9), each)
    told = gaps(candidates, APPOINTMENT, TARGETS)
    assert np.bincount(child).tolist() == [each] * 31
    children = Culling(inner, TARGETS, each).breed(parents, SeedSequence(9))
    expected = [
        texts(candidates.take([min(np.flatnonzero(child == c), key=lambda n: (told[n], n))]))[0] for c in range(31)
    ]
    assert texts(children) == expected


def test_repair_mutates_what_cannot_be_repaired_and_leaves_the_rest() -> None:
    forest = mating([("P", "V"), ("P", "P * P"), ("i / i", "sqrt(P)"), ("M + V", "M")]).pool.forest
    mended = Repair(variation(), TARGETS)(forest, SeedSequence(4), None)
    assert not gaps(mended, APPOINTMENT, TARGETS).any()
    assert texts(mended)[0] == ("P", "V")
    # A root of a time can be no time whatever stands below it: only another structure helps.
    assert not texts(mended)[2][1].startswith("sqrt(") or len(mended[2][1]) > 2
    assert texts(mended)[2][0] == "i / i"


def test_repair_gives_up_where_consistent_trees_are_beyond_the_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    lengths = PrimitiveSet("lengths", (MUL,), (Terminal("x", "m"),), UnitSystem(("m",)))
    target = lengths.units.dimension("m^9")  # eight products are deeper than three
    shallow = Variation(lengths, untyped(lengths, 1), Parameters(initial_largest=3, deepest=3))
    monkeypatch.setattr(breeding, "_MOST_MUTATIONS", 20)
    with pytest.raises(InputError) as told:
        Repair(shallow, (target,))(Forest.of([[parse("x * x", lengths)]], trees=1), SeedSequence(1), None)
    assert str(told.value) == (
        "repair: a tree had no repair after 20 mutations, though its target can be reached: consistent trees are too "
        "rare within depth 3; raise the parameters deepest and mutation_depth, or add a terminal of the target's "
        "dimension"
    )


@dataclass(frozen=True)
class Clones:
    """Bears the pool again."""

    def breed(self, mating: Mating, seed: SeedSequence) -> Forest:
        return mating.pool.forest


def test_repair_draws_terminals_as_often_as_they_live_on() -> None:
    pool = mating([("M", "V")] * 300).pool
    kept = mating([("PW + PW * PW", "V")]).pool
    children = Repaired(Clones(), Repair(variation(), TARGETS)).breed(
        Mating(pool, pool.costs, kept, 300), SeedSequence(1)
    )
    assert {first for first, _ in texts(children)} == {"PW"}
    uniform = Repaired(Clones(), Repair(variation(), TARGETS), by_frequency=False)
    firsts = {first for first, _ in texts(uniform.breed(Mating(pool, pool.costs, kept, 300), SeedSequence(1)))}
    assert {"P", "i", "PN", "PW", "CR"} < firsts


def test_terminal_counts() -> None:
    counts: NDArray[np.float64] = terminal_counts(mating([("P + P", "V")]).pool.forest, APPOINTMENT)
    named = {APPOINTMENT.name_of(code): count for code, count in enumerate(counts) if count}
    assert named == {"P": 2, "V": 1}


@pytest.mark.parametrize(
    "breeder",
    [
        variation(),
        variation(grammar=typed(APPOINTMENT, TARGETS, exponents(APPOINTMENT, -1, 1))),
        Culling(variation(), TARGETS, 2),
        Repaired(variation(), Repair(variation(), TARGETS)),
    ],
)
def test_contract_of_every_breeder(breeder: Breeder) -> None:
    parents = mating([("i * (M / V)", "M + V"), ("P", "V"), ("if(V, P, i)", "max(M, V)")], children=33)
    children = breeder.breed(parents, SeedSequence(7))
    assert len(children) == 33
    assert children.trees == 2
    assert all(heights(tree, APPOINTMENT)[0] <= 8 for trees in children for tree in trees)
    assert children == breeder.breed(parents, SeedSequence(7)), "the seed decides"
    assert children != breeder.breed(parents, SeedSequence(8))
