"""Rules for use elsewhere: a formula in LaTeX, a Python module that needs nothing else, a sheet that computes."""

from __future__ import annotations

from itertools import chain

from gpdr.clinic.clinic import Clinic
from gpdr.clinic.clock import clock, minutes_of
from gpdr.clinic.rules.expressions import TwoTrees
from gpdr.clinic.rules.rule import Rule
from gpdr.errors import InputError
from gpdr.expressions import Tree, parse, to_text
from gpdr.expressions.appointment import APPOINTMENT
from gpdr.expressions.latex import to_latex
from gpdr.expressions.source import to_formula, to_python

_TIMES = '''def appointment_times(P, M, V, PN=0.0, PW=0.0, CR=0.1, session=None):
    """Minutes from the start of the session at which patients 0 ... P-1 are told to come."""
    session = P * M if session is None else session
    times, previous = [], 0.0
    for i in range(P):
        time = {raw}
        previous = time if previous <= time <= session else previous
        times.append(previous)
    return times
'''


def rule_text(rule: Rule) -> str:
    """The rule as one formula."""
    return f"A_i = {' + '.join(_summands(rule))}"


def rule_latex(rule: Rule, digits: int | None = 5) -> str:
    """The rule as one formula; numbers rounded to so many significant digits, or in full."""
    first, *rest = _summands(rule)
    whole = parse("".join([first, *(f" + ({text})" for text in rest)]), APPOINTMENT)
    return f"A_i = {to_latex(whole, APPOINTMENT, digits)}"


def rule_python(rule: Rule) -> str:
    """A Python module with `appointment_times(P, M, V, …)`, which needs the standard library only."""
    trees = dict(zip(("tree1", "tree2"), _trees(rule), strict=True))
    parts = chain.from_iterable(to_python(tree, APPOINTMENT, name).split("\n\n\n") for name, tree in trees.items())
    calls = [f"{name}({', '.join(_read(tree))})" for name, tree in trees.items()]
    head = f'"""Appointment times by the rule {rule.name}: A_i = Tree1 x M + Tree2."""'
    once = dict.fromkeys(part.strip("\n") for part in parts)  # both trees may bring the same helpers
    return "\n\n\n".join([head, *once, _TIMES.format(raw=f"{calls[0]} * M + {calls[1]}")])


def rule_sheet(rule: Rule, clinic: Clinic, start: str = "09:00") -> list[list[str]]:
    """A sheet, row by row: the clinic's numbers, to be changed at will, and formulas for every patient's time.

    What follows from other numbers is a formula too. Formulas are in English, with commas and decimal points.
    """
    usual_session = clinic.session == clinic.patients * clinic.mean_service
    known: dict[str, float | str] = {
        "P": clinic.patients,
        "M": clinic.mean_service,
        "CV": clinic.cv,
        "V": "=B2*B3",
        "PN": clinic.no_show,
        "PW": clinic.walk_in,
        "CR": clinic.cost_ratio,
        "session": "=B1*B2" if usual_session else clinic.session,
        "start": clock(minutes_of(start), 0.0),
    }
    rows = [[name, value if isinstance(value, str) else f"{value:.10g}"] for name, value in known.items()]
    cells = {name: f"$B${row}" for row, name in enumerate(known, 1)}
    rows += [[], ["i", "by the rule", "minutes", "time"]]
    for i in range(clinic.patients):
        row = len(rows) + 1
        first, second = (to_formula(tree, APPOINTMENT, {**cells, "i": f"A{row}"})[1:] for tree in _trees(rule))
        before = f"C{row - 1}" if i else "0"
        in_order = f"IF(B{row}>={before},B{row}<={cells['session']},FALSE)"
        minutes = f"=IF(ISNUMBER(B{row}),IF({in_order},B{row},{before}),{before})"
        shown = f'TEXT(ROUND({cells["start"]}*1440+C{row},0)/1440,"hh:mm")'
        time = f'=IF(A{row}<{cells["P"]},{shown},"")'
        rows.append([str(i), f"=({first})*{cells['M']}+{second}", minutes, time])
    return rows


def _trees(rule: Rule) -> tuple[Tree, Tree]:
    if not isinstance(rule.formula, TwoTrees):
        raise InputError(f"rule {rule.name}: only a rule made of two expressions can be exported")
    return rule.formula.tree1, rule.formula.tree2


def _summands(rule: Rule) -> list[str]:
    """Tree1 x M and Tree2 as text, without what is 0."""
    tree1, tree2 = _trees(rule)
    product = parse(f"({to_text(tree1, APPOINTMENT)}) * M", APPOINTMENT)
    shown = [summand for tree, summand in ((tree1, product), (tree2, tree2)) if not _is_zero(tree)]
    return [to_text(summand, APPOINTMENT) for summand in shown] or ["0"]


def _is_zero(tree: Tree) -> bool:
    return len(tree) == 1 and APPOINTMENT.is_number(int(tree.codes[0])) and tree.values[0] == 0.0


def _read(tree: Tree) -> list[str]:
    """The terminals that a tree reads, in the order in which its Python function takes them."""
    present = set(tree.codes.tolist())
    return [name for name in APPOINTMENT.columns if APPOINTMENT.code(name) in present]
