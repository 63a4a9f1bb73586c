"""Rules side by side: every one meets the same sessions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpdr._threads import available_threads
from gpdr.clinic.clinic import Clinic
from gpdr.clinic.optimum import best_times
from gpdr.clinic.performance import Figure, Performance
from gpdr.clinic.rules import RULE_NAMES, Rule, named_rule
from gpdr.clinic.scenarios import check_sessions, draw_scenarios
from gpdr.clinic.simulator import Judged, judged
from gpdr.errors import InputError
from gpdr.provenance import provenance

OPTIMUM = "OPTIMUM"


@dataclass(frozen=True)
class RuleOnClinic:
    """A rule's timetable for a clinic, and what it does there.

    Attributes:
        name: The rule's name.
        times: Appointment times, minutes from the start.
        performance: What they cost.
    """

    name: str
    times: NDArray[np.float64]
    performance: Performance

    def as_dict(self) -> dict[str, Any]:
        return {"name": self.name, "times": self.times.tolist(), **self.performance.as_dict()}


@dataclass(frozen=True)
class Comparison:
    """The outcome of `compare`; a rule on the clinic is found by its name, as in `found["IBFI"]`.

    Attributes:
        clinic: Where all rules were judged.
        replications: On how many sessions.
        seed: What the sessions were drawn from.
        rules: All of them, in the order given, the optimum last.
    """

    clinic: Clinic
    replications: int
    seed: int
    rules: tuple[RuleOnClinic, ...]
    _judged: Judged

    def __getitem__(self, name: str) -> RuleOnClinic:
        return self.rules[self._index(name)]

    @property
    def best(self) -> RuleOnClinic:
        """The cheapest on these sessions."""
        return min(self.rules, key=lambda rule: rule.performance.total_cost.mean)

    def difference(self, name: str, other: str) -> Figure:
        """By how much `name` costs more than `other`: far sharper than the two intervals suggest."""
        return self._judged.difference(self._index(name), self._index(other))

    def _index(self, name: str) -> int:
        names = [rule.name for rule in self.rules]
        if name not in names:
            raise InputError(f"rule {name!r}: not in this comparison of {', '.join(names)}")
        return names.index(name)

    def as_dict(self) -> dict[str, Any]:
        """The comparison under the names of the JSON contract."""
        best = self.best.name
        rules = [{**rule.as_dict(), "above_best": self.difference(rule.name, best).as_dict()} for rule in self.rules]
        return {
            "clinic": self.clinic.as_dict(),
            "replications": self.replications,
            "seed": self.seed,
            "rules": rules,
            "provenance": provenance({"replications": self.replications, "seed": self.seed}),
        }


def is_optimum(rule: Rule | str) -> bool:
    """Is this the name of the best timetable there is?"""
    return isinstance(rule, str) and rule.strip().upper() == OPTIMUM


def known_rule(rule: Rule | str) -> Rule:
    """A rule given as such or by name."""
    if isinstance(rule, str):
        return named_rule(rule)
    if not isinstance(rule, Rule):
        raise InputError(f"rule: expected a Rule or the name of one, got {rule!r}")
    return rule


def compare(
    clinic: Clinic,
    rules: Sequence[Rule | str] | Rule | str = RULE_NAMES,
    optimum: bool = False,
    replications: int = 15_000,
    seed: int = 1,
    threads: int | None = None,
) -> Comparison:
    """Judge rules, given as such or by name, and if wanted the best timetable there is, on the same sessions.

    `OPTIMUM` among the names asks for it too.
    """
    check_sessions(clinic, replications, seed)
    used = available_threads() if threads is None else threads
    rules = [rules] if isinstance(rules, (Rule, str)) else rules
    named = [rule for rule in rules if not is_optimum(rule)]
    optimum = optimum or len(named) < len(rules)
    chosen = [known_rule(rule) for rule in named]
    names, timetables = [rule.name for rule in chosen], [rule.times(clinic) for rule in chosen]
    if optimum:
        names.append(OPTIMUM)
        timetables.append(best_times(clinic, seed=seed, threads=used).times)
    if not names:
        raise InputError("rules: expected at least one rule, or the optimum")
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"rules: {name} is there twice; give each rule a name of its own")
    outcome = judged(draw_scenarios(clinic, replications, seed, used), timetables, used)
    found = zip(names, timetables, outcome.performances, strict=True)
    return Comparison(clinic, replications, seed, tuple(RuleOnClinic(*one) for one in found), outcome)
