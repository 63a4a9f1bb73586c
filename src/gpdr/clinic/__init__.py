"""The clinic: its patients, rules, timetables, simulator and optimum."""

from gpdr.clinic.clinic import Clinic
from gpdr.clinic.compare import Comparison, RuleOnClinic, compare
from gpdr.clinic.consultations import read_minutes
from gpdr.clinic.estimate import ServiceEstimate, estimate
from gpdr.clinic.optimum import Optimum, optimum
from gpdr.clinic.paper import paper_clinic, paper_clinics, published_costs
from gpdr.clinic.performance import Figure, Performance
from gpdr.clinic.rules import RULE_NAMES, Rule, classical_rules, named_rule, universal
from gpdr.clinic.scenarios import Scenarios, draw_scenarios
from gpdr.clinic.schedule import Schedule, schedule
from gpdr.clinic.service import Sample, ServiceDistribution
from gpdr.clinic.simulator import mean_costs, simulate, simulate_many
from gpdr.clinic.timetable import timetable, timetables

__all__ = [
    "RULE_NAMES",
    "Clinic",
    "Comparison",
    "Figure",
    "Optimum",
    "Performance",
    "Rule",
    "RuleOnClinic",
    "Sample",
    "Scenarios",
    "Schedule",
    "ServiceDistribution",
    "ServiceEstimate",
    "classical_rules",
    "compare",
    "draw_scenarios",
    "estimate",
    "mean_costs",
    "named_rule",
    "optimum",
    "paper_clinic",
    "paper_clinics",
    "published_costs",
    "read_minutes",
    "schedule",
    "simulate",
    "simulate_many",
    "timetable",
    "timetables",
    "universal",
]
