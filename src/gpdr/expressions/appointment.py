"""The primitives of appointment rules: what a clinic knows before its session starts."""

from __future__ import annotations

from gpdr.dimensions import UnitSystem
from gpdr.expressions.functions import ADD, DIV, IF, MAX, MIN, MUL, SQRT, SUB
from gpdr.expressions.primitives import PrimitiveSet
from gpdr.expressions.terminals import Constant, Sampler, Terminal

SHORTEST_MEAN = 1e-3  # minutes: no service is shorter, and a rule may divide by M * M without protection

# The ranges are those of a Clinic, except that it takes any mean above 0.
APPOINTMENT = PrimitiveSet(
    name="appointment",
    functions=(ADD, SUB, MUL, DIV, MAX, MIN, SQRT, IF),
    terminals=(
        Terminal("P", low=1, high=500),  # patients scheduled
        Terminal("i", low=0, high=499),  # the patient's place in the sequence, from 0
        Terminal("PN", low=0, high=0.99),  # probability of a no-show
        Terminal("PW", low=0, high=5),  # walk-ins, as a share of the patients
        Terminal("CR", low=0, high=1000),  # cost ratio of idle time and overtime to waiting
        Terminal("M", "min", low=SHORTEST_MEAN, high=1e4),  # mean service time
        Terminal("V", "min", low=0, high=1e5),  # standard deviation of service times
        Constant("alpha", Sampler.INTEGER, 0, 2),
        Constant("beta", Sampler.REAL, 0.0, 1.0),
    ),
    units=UnitSystem(("min",)),
)
