"""Rules: the classical ones, the strongest hand-made one, and rules made of expressions."""

from __future__ import annotations

from gpdr.clinic.rules.classical import CLASSICAL_NAMES, classical_rules
from gpdr.clinic.rules.rule import Rule
from gpdr.clinic.rules.universal import universal
from gpdr.errors import unknown_name

RULE_NAMES = (*CLASSICAL_NAMES, "UNIVERSAL")


def named_rule(name: str) -> Rule:
    """One of the hand-made rules, by name in any case."""
    for rule in (*classical_rules(), universal()):
        if rule.name == name.strip().upper():
            return rule
    raise unknown_name("rule", name, RULE_NAMES)


__all__ = ["CLASSICAL_NAMES", "RULE_NAMES", "Rule", "classical_rules", "named_rule", "universal"]
