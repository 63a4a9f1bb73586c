"""The clinic: its patients, rules, timetables, simulator and optimum."""

from gpdr.clinic.clinic import Clinic
from gpdr.clinic.paper import paper_clinic, paper_clinics, published_costs
from gpdr.clinic.performance import Figure, Performance
from gpdr.clinic.rules import Rule, classical_rules
from gpdr.clinic.scenarios import Scenarios, draw_scenarios
from gpdr.clinic.service import Sample, ServiceDistribution
from gpdr.clinic.simulator import mean_costs, simulate, simulate_many
from gpdr.clinic.timetable import timetable, timetables

__all__ = [
    "Clinic",
    "Figure",
    "Performance",
    "Rule",
    "Sample",
    "Scenarios",
    "ServiceDistribution",
    "classical_rules",
    "draw_scenarios",
    "mean_costs",
    "paper_clinic",
    "paper_clinics",
    "published_costs",
    "simulate",
    "simulate_many",
    "timetable",
    "timetables",
]
