"""Evolution: problems, the parts that methods are made of, seven methods, and the loop they share."""

from gpdr.evolution.events import Generation, Outcome
from gpdr.evolution.methods import METHODS
from gpdr.evolution.on_data import DataProblem, regression
from gpdr.evolution.problem import Problem, Trial
from gpdr.evolution.solve import solve

__all__ = ["METHODS", "DataProblem", "Generation", "Outcome", "Problem", "Trial", "regression", "solve"]
