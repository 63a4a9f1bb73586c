"""What an evolution found for a clinic: the rule, what else was found, and how it fares on fresh sessions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpdr.clinic import Clinic, Rule, simulate
from gpdr.clinic.compare import Comparison, RuleOnClinic, compare
from gpdr.clinic.problem.words import DIGITS, conventions, rounded_numbers
from gpdr.clinic.rules import RULE_NAMES
from gpdr.evolution.events import Outcome
from gpdr.evolution.parameters import Parameters
from gpdr.evolution.population import Population
from gpdr.expressions import Tree, to_text
from gpdr.expressions.appointment import APPOINTMENT

TEST_REPLICATIONS = 200_000
# Apart from the seeds of runs: all rules found for a clinic are tested on the same sessions, which no run has seen.
TEST_SEED = 20_200_202_020


@dataclass(frozen=True)
class FoundRule:
    """A rule of the archive, with its cost on the last generation's sessions."""

    trees: tuple[str, str]
    size: int
    fitness: float
    dimension_gap: float
    times: NDArray[np.float64]

    def as_dict(self) -> dict[str, Any]:
        return {
            "trees": list(self.trees),
            "size": self.size,
            "fitness": self.fitness,
            "dimension_gap": self.dimension_gap,
        }


@dataclass(frozen=True)
class Evolved:
    """The result of `evolve`."""

    clinic: Clinic
    method: str
    seed: int
    replications: int
    parameters: Parameters
    outcome: Outcome
    threads: int = 1

    @cached_property
    def found(self) -> FoundRule:
        """The rule, with its cost on the comparison by which it was named."""
        return _found(self.outcome.best)[0]

    @cached_property
    def rule(self) -> Rule:
        """The rule, which can be applied to any clinic."""
        tree1, tree2 = self.outcome.best.forest[0]
        return Rule.from_trees(tree1, tree2, name=self.method.upper())

    @cached_property
    def archive(self) -> tuple[FoundRule, ...]:
        """Rules that nothing beats in both cost and size, the largest and best first."""
        return _found(self.outcome.archive)

    @property
    def history(self) -> list[dict[str, Any]]:
        """One object a generation."""
        return [generation.as_dict() for generation in self.outcome.history]

    @property
    def seconds(self) -> dict[str, float]:
        """Where the time went."""
        return self.outcome.seconds

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended the run early."""
        return self.outcome.interrupted

    @cached_property
    def test(self) -> RuleOnClinic:
        """How the rule fares on fresh sessions, the same for every method and seed."""
        times = self.found.times
        performance = simulate(self.clinic, times, TEST_REPLICATIONS, TEST_SEED, self.threads)
        return RuleOnClinic(self.rule.name, times, performance)

    @cached_property
    def comparison(self) -> Comparison:
        """The rule beside all hand-made ones and the optimum, on the sessions of `test`."""
        rules: list[Rule | str] = [*RULE_NAMES, self.rule]
        return compare(self.clinic, rules, True, TEST_REPLICATIONS, TEST_SEED, self.threads)

    @cached_property
    def simplified(self) -> tuple[str, str]:
        """Both trees as text, simplified: shorter, with the same values and units."""
        tree1, tree2 = (to_text(tree, APPOINTMENT) for tree in self._simplified)
        return tree1, tree2

    @cached_property
    def formula(self) -> str:
        """The rule for people: simplified, numbers rounded; `Rule.to_file` keeps them in full."""
        from gpdr.clinic.rules.export import rule_text

        return rounded_numbers(rule_text(self._short))

    @cached_property
    def latex(self) -> str:
        """The same in LaTeX."""
        from gpdr.clinic.rules.export import rule_latex

        return rule_latex(self._short, DIGITS)

    @cached_property
    def conventions(self) -> str:
        """What the formula's functions mean where schoolbooks have no answer; empty where it has none of these."""
        return conventions(self._simplified)

    @cached_property
    def _short(self) -> Rule:
        return Rule.from_trees(*self._simplified, name=self.method.upper())

    @cached_property
    def _simplified(self) -> tuple[Tree, Tree]:
        from gpdr.expressions.simplify import simplify

        tree1, tree2 = (simplify(tree, APPOINTMENT) for tree in self.outcome.best.forest[0])
        return tree1, tree2

    @cached_property
    def provenance(self) -> dict[str, Any]:
        """What was asked, and the versions and machine that answered."""
        from gpdr.provenance import provenance

        return provenance({**self.parameters.as_dict(), "replications": self.replications})

    def as_dict(self, test: bool = True) -> dict[str, Any]:
        """The result as plain data; the test on fresh sessions can be left out, which takes longer than the rest."""
        best = self.found
        plain: dict[str, Any] = {
            "clinic": self.clinic.as_dict(),
            "method": self.method,
            "seed": self.seed,
            "rule": {"trees": list(best.trees), "size": best.size, "dimension_gap": best.dimension_gap},
        }
        if test:
            plain["test"] = self.test.as_dict()
        return plain | {
            "archive": [rule.as_dict() for rule in self.archive],
            "history": self.history,
            "interrupted": self.interrupted,
            "seconds": self.seconds,
            "provenance": self.provenance,
        }


def _found(population: Population) -> tuple[FoundRule, ...]:
    order = np.argsort(population.costs, kind="stable")
    texts = [tuple(to_text(tree, APPOINTMENT) for tree in trees) for trees in population.forest]
    return tuple(
        FoundRule(
            trees=(texts[n][0], texts[n][1]),
            size=int(population.sizes[n]),
            fitness=float(population.costs[n]),
            dimension_gap=float(population.gaps[n]),
            times=population.behaviour[n],
        )
        for n in order
    )
