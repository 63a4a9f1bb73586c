"""The generation loop that all methods share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

import numpy as np
from numpy.random import SeedSequence

from gpdr.errors import InputError
from gpdr.evolution.events import Generation, Outcome
from gpdr.evolution.invariants import verify
from gpdr.evolution.parameters import Parameters
from gpdr.evolution.parts import Mating, Method
from gpdr.evolution.population import Population, alike, described, joined
from gpdr.evolution.problem import Problem, Trial
from gpdr.evolution.survival import archived
from gpdr.expressions.forest import Forest


def run(
    problem: Problem,
    method: Method,
    parameters: Parameters,
    seed: int | SeedSequence,
    on_event: Callable[[Generation], None] | None = None,
    check_invariants: bool = False,
) -> Outcome:
    """Evolve. Ctrl-C ends the run with the best of the generations that were finished."""
    begin, clock = perf_counter(), method.clock
    root = SeedSequence(seed) if isinstance(seed, int) else seed
    for_birth, for_draws, for_breeding, for_naming = root.spawn(4)
    draws = for_draws.spawn(parameters.generations + 1)
    breeding = for_breeding.spawn(parameters.generations + 1)
    mating: Mating | None = None
    history: list[Generation] = []
    interrupted = False
    try:
        with clock("breeding"):
            children = method.generator.generate(parameters.population, for_birth)
        for generation in range(parameters.generations + 1):
            with clock("sampling"):
                trial = problem.draw(draws[generation])
            judged, distinct = _judge(problem, method, trial, children, mating)
            with clock("selection"):
                method.fitness.adapt(judged, trial)
                scores = method.fitness.scores(judged, trial)
                mating = method.survival.select(judged, len(judged) - len(children), scores)
            if check_invariants:
                verify(problem, method, parameters, judged, mating)
            history.append(_told(generation, parameters, method, mating, distinct, perf_counter() - begin))
            if on_event:
                on_event(history[-1])
            if generation < parameters.generations:
                with clock("breeding"):
                    children = method.breeder.breed(mating, breeding[generation])
    except KeyboardInterrupt:
        if mating is None:
            raise
        interrupted = True
    assert mating is not None  # at least one generation is always judged
    try:
        best = _named(problem, method, parameters, mating, trial, for_naming)
    except KeyboardInterrupt:  # then without a closer look
        interrupted = True
        best = _named(problem, method, replace(parameters, final_effort=0), mating, trial, for_naming)
    pool = mating.pool
    archive = pool.take(archived(pool, pool.costs, np.arange(len(pool))[::-1]))
    seconds = {"total": perf_counter() - begin, **clock.seconds}
    return Outcome(best, archive, tuple(history), seconds, interrupted)


def _judge(
    problem: Problem, method: Method, trial: Trial, children: Forest, mating: Mating | None
) -> tuple[Population, int]:
    """Children and those that live on, judged on the same draws: each behaviour once."""
    with method.clock("behaviour"):
        newcomers = described(children, problem)
        everyone = joined([newcomers, mating.kept]) if mating and len(mating.kept) else newcomers
        open_cases = len(everyone) if method.rejudge_kept else len(newcomers)
        groups = alike(everyone.behaviour[:open_cases])
        forest = everyone.forest.take(groups.first)
    with method.clock("evaluation"):
        costs = trial.costs(forest, everyone.behaviour[groups.first])[groups.group]
    return everyone.with_costs(np.concatenate([costs, everyone.costs[open_cases:]])), len(groups.first)


def _named(
    problem: Problem, method: Method, parameters: Parameters, mating: Mating, trial: Trial, seed: SeedSequence
) -> Population:
    """The result: candidates are compared once more, on fresh and more numerous draws."""
    candidates = method.naming.candidates(mating)
    if not np.isfinite(candidates.costs).any():
        raise InputError("no individual could be judged: every cost is infinite or not a number; check the problem")
    if len(candidates) == 1:
        return candidates
    with method.clock("naming"):
        if parameters.final_effort > 0:
            trial = problem.draw(seed, parameters.final_effort)
            candidates = candidates.with_costs(trial.costs(candidates.forest, candidates.behaviour))
        return candidates.take([method.naming.name(candidates, method.fitness.scores(candidates, trial))])


def _told(
    generation: int, parameters: Parameters, method: Method, mating: Mating, distinct: int, seconds: float
) -> Generation:
    # Of equal scores the cheapest: the ends of a front of cost and gap score alike.
    pool, best = mating.pool, int(np.lexsort((mating.pool.costs, mating.scores))[0])
    costs = pool.costs[np.isfinite(pool.costs)]
    return Generation(
        generation=generation,
        generations=parameters.generations,
        best=float(pool.costs[best]),
        mean=float(costs.mean()) if len(costs) else float("inf"),
        size=int(pool.sizes[best]),
        gap=float(pool.gaps[best]),
        archive=len(mating.kept),
        distinct=distinct,
        state=method.fitness.state(),
        seconds=seconds,
    )
