"""The loop's exact control flow, with parts that follow a script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from numpy.random import SeedSequence

from gpdr.errors import InputError
from gpdr.evolution.events import Generation
from gpdr.evolution.fitness import CostAlone
from gpdr.evolution.invariants import BrokenInvariantError
from gpdr.evolution.loop import run
from gpdr.evolution.naming import BestOfPool
from gpdr.evolution.parameters import Parameters
from gpdr.evolution.parts import Mating, Method, Scores
from gpdr.evolution.population import Population
from gpdr.evolution.problem import Trial
from gpdr.expressions import Forest

from .fakes import FakeProblem, FakeTrial, forest


@dataclass
class Script:
    """A generator, breeder and survival in one that do as told and write down what they were asked."""

    batches: Sequence[Forest]
    log: list[str] = field(default_factory=list)
    seeds: list[tuple[int, ...]] = field(default_factory=list)

    def generate(self, individuals: int, seed: SeedSequence) -> Forest:
        self.log.append(f"generate {individuals}")
        self.seeds.append(seed.spawn_key)
        return self.batches[0]

    def select(self, judged: Population, kept: int, scores: Scores) -> Mating:
        self.log.append(f"select from {len(judged)}, {kept} kept")
        best = int(np.argmin(scores))
        return Mating(judged, scores, judged.take([best]), children=2)

    def breed(self, mating: Mating, seed: SeedSequence) -> Forest:
        self.log.append(f"breed {mating.children} from {len(mating.pool)}")
        self.seeds.append(seed.spawn_key)
        return self.batches[sum(entry.startswith("breed") for entry in self.log)]


BATCHES = (forest("i + P", "i + P * CR", "P + i"), forest("i", "i + P"), forest("P", "CR + P * i"))
SETTINGS = Parameters(population=3, generations=2, finalists=2, final_effort=4)


def method(script: Script, rejudge_kept: bool = True) -> Method:
    return Method("fake", script, CostAlone(), script, script, BestOfPool(2), rejudge_kept=rejudge_kept)


def test_generations_follow_the_script() -> None:
    script, problem, heard = Script(BATCHES), FakeProblem(), list[Generation]()
    outcome = run(problem, method(script), SETTINGS, 1, heard.append)
    assert script.log == [
        "generate 3",
        "select from 3, 0 kept",
        "breed 2 from 3",
        "select from 3, 1 kept",
        "breed 2 from 3",
        "select from 3, 1 kept",
    ]
    # Duplicates are judged once, those who live on again on each generation's draws, finalists on more of them.
    assert problem.asked == [[3, 5], [1, 3], [1, 5], [1, 5]]
    assert problem.efforts == [1, 1, 1, 4]
    assert [event.generation for event in heard] == [0, 1, 2]
    assert [event.best for event in heard] == [3, 1, 1]
    assert [event.distinct for event in heard] == [2, 2, 2]
    assert tuple(heard) == outcome.history
    assert outcome.best.sizes.tolist() == [1]
    assert outcome.archive.sizes.tolist() == [1]
    assert not outcome.interrupted


def test_those_who_live_on_may_keep_their_costs() -> None:
    script, problem = Script(BATCHES), FakeProblem()
    outcome = run(problem, method(script, rejudge_kept=False), SETTINGS, 1)
    assert problem.asked == [[3, 5], [1, 3], [1, 5], [1, 5]]
    assert outcome.best.costs.tolist() == [1]
    batches = (BATCHES[0], forest("i + P * CR", "i + P * PN"), BATCHES[0])
    problem = FakeProblem()
    run(problem, method(Script(batches), rejudge_kept=False), SETTINGS, 1)
    assert problem.asked[1] == [5], "the one of 3 nodes lives on with the cost it has"


def test_seeds_belong_to_generations_not_to_the_order_of_calls() -> None:
    first, second = Script(BATCHES), Script(BATCHES)
    run(FakeProblem(), method(first), SETTINGS, SeedSequence(5))
    run(FakeProblem(), method(second), SETTINGS, 5)
    assert first.seeds == second.seeds == [(0,), (2, 0), (2, 1)]


@pytest.mark.parametrize("generation", [0, 1])
def test_interrupted_run_returns_the_best_so_far(generation: int) -> None:
    def stop(event: Generation) -> None:
        if event.generation == generation:
            raise KeyboardInterrupt

    outcome = run(FakeProblem(), method(Script(BATCHES)), SETTINGS, 1, stop)
    assert outcome.interrupted
    assert len(outcome.history) == generation + 1
    assert outcome.best.costs.tolist() == [[3.0], [1.0]][generation]


def test_interrupted_while_the_result_is_named_the_best_so_far_is_it() -> None:
    class Impatient(FakeProblem):
        def draw(self, seed: SeedSequence, effort: int = 1) -> FakeTrial:
            if effort > 1:
                raise KeyboardInterrupt
            return super().draw(seed, effort)

    outcome = run(Impatient(), method(Script(BATCHES)), SETTINGS, 1)
    assert outcome.interrupted
    assert len(outcome.history) == 3
    assert outcome.best.costs.tolist() == [1.0]


def test_history_tells_of_the_cheapest_of_equal_scores() -> None:
    class Equal(CostAlone):
        def scores(self, judged: Population, trial: Trial) -> Scores:
            return np.zeros(len(judged))

    heard = list[Generation]()
    batches = (forest("i + P * CR", "i + P", "i + P * CR"), *BATCHES[1:])
    run(FakeProblem(), replace(method(Script(batches)), fitness=Equal()), SETTINGS, 1, heard.append)
    assert (heard[0].best, heard[0].size) == (3.0, 3)


def test_invariants_are_looked_after_in_those_who_leave_too() -> None:
    class Careless(Script):
        def select(self, judged: Population, kept: int, scores: Scores) -> Mating:
            return super().select(sound := judged.take(judged.gaps == 0), 0, scores[: len(sound)])

    batches = (forest("i + P", "i + P * CR", "P + M"), *BATCHES[1:])
    promising = replace(method(Careless(batches)), consistent=True)
    with pytest.raises(BrokenInvariantError, match="fake makes consistent individuals only"):
        run(FakeProblem(), promising, SETTINGS, 1, check_invariants=True)


def test_interrupted_before_anything_is_judged_there_is_no_result() -> None:
    class Impatient(Script):
        def generate(self, individuals: int, seed: SeedSequence) -> Forest:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(FakeProblem(), method(Impatient(BATCHES)), SETTINGS, 1)


def test_without_final_effort_the_last_generation_decides() -> None:
    class Last:
        """Names the last of the pool, whatever it costs."""

        def candidates(self, mating: Mating) -> Population:
            return mating.pool

        def name(self, candidates: Population, scores: Scores) -> int:
            assert scores.tolist() == candidates.costs.tolist()
            return len(candidates) - 1

    problem, made = FakeProblem(), replace(method(Script(BATCHES)), naming=Last())
    outcome = run(problem, made, Parameters(population=3, generations=2, final_effort=0), 1)
    assert problem.efforts == [1, 1, 1]
    assert outcome.best.sizes.tolist() == [1], "the survivor of the generation before, which stands last"


def test_a_problem_that_can_judge_nobody_is_told() -> None:
    with pytest.raises(InputError, match=r"^no individual could be judged: every cost is infinite or not a number"):
        run(FakeProblem(offset=np.nan), method(Script(BATCHES)), SETTINGS, 1)
