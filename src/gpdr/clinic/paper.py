"""The 24 published clinics, and what the published tables say of them."""

from __future__ import annotations

from importlib.resources import files

from gpdr.clinic.clinic import Clinic
from gpdr.errors import InputError

PAPER_CLINICS = 24
PUBLISHED_RULES = ("IBFI", "2BEG", "MBFI", "OFFSET", "DOME", "RULE7")


def paper_clinics() -> list[Clinic]:
    """All of them, in the order of the published tables."""
    return [
        Clinic(patients, mean, cv, no_show, walk_in)
        for patients, mean in ((10, 21.0), (20, 10.5))
        for cv in (0.4, 0.6, 0.8)
        for no_show in (0.0, 0.15)
        for walk_in in (0.0, 0.15)
    ]


def paper_clinic(number: int) -> Clinic:
    """Clinic 1 … 24 in the order of the published tables."""
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= PAPER_CLINICS:
        raise InputError(f"paper clinic: expected a number from 1 to {PAPER_CLINICS}, got {number!r}")
    return paper_clinics()[number - 1]


def published_costs() -> list[dict[str, float]]:
    """The published total cost of the six classical rules, a row for each clinic in order."""
    import csv

    text = files("gpdr.clinic").joinpath("data/manual_rules_total_cost.csv").read_text("utf-8")
    return [{rule: float(row[rule]) for rule in PUBLISHED_RULES} for row in csv.DictReader(text.splitlines())]
