"""Rules: the classical ones, the strongest hand-made one, and rules made of expressions."""

from gpdr.clinic.rules.classical import CLASSICAL_NAMES, classical_rules
from gpdr.clinic.rules.rule import Rule

__all__ = ["CLASSICAL_NAMES", "Rule", "classical_rules"]
