"""The primitives of appointment rules: what a clinic knows before its session starts."""

from __future__ import annotations

from gpdr.dimensions import UnitSystem
from gpdr.expressions.functions import ADD, DIV, IF, MAX, MIN, MUL, SQRT, SUB
from gpdr.expressions.primitives import PrimitiveSet
from gpdr.expressions.terminals import Constant, Sampler, Terminal

APPOINTMENT = PrimitiveSet(
    name="appointment",
    functions=(ADD, SUB, MUL, DIV, MAX, MIN, SQRT, IF),
    terminals=(
        Terminal("P"),  # patients scheduled
        Terminal("i"),  # the patient's place in the sequence, from 0
        Terminal("PN"),  # probability of a no-show
        Terminal("PW"),  # walk-ins, as a share of the patients
        Terminal("CR"),  # cost ratio of idle time and overtime to waiting
        Terminal("M", "min"),  # mean service time
        Terminal("V", "min"),  # standard deviation of service times
        Constant("alpha", Sampler.INTEGER, 0, 2),
        Constant("beta", Sampler.REAL, 0.0, 1.0),
    ),
    units=UnitSystem(("min",)),
)
