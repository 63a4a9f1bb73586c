"""Rules made of two expressions: A_i = Tree1 x M + Tree2."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpdr.clinic.clinic import Clinic
from gpdr.errors import InputError
from gpdr.expressions import Forest, Tree, evaluate, parse, to_text
from gpdr.expressions.appointment import APPOINTMENT


def patient_data(clinic: Clinic) -> NDArray[np.float64]:
    """What a rule reads: a row for each patient, columns as the primitives want them."""
    places = np.arange(clinic.patients, dtype=np.float64)
    known: dict[str, float | NDArray[np.float64]] = {
        "P": clinic.patients,
        "i": places,
        "PN": clinic.no_show,
        "PW": clinic.walk_in,
        "CR": clinic.cost_ratio,
        "M": clinic.mean_service,
        "V": clinic.sd,
    }
    return np.column_stack([np.full(places.shape, known[name]) for name in APPOINTMENT.columns])


@dataclass(frozen=True)
class TwoTrees:
    """The formula of a rule made of expressions."""

    tree1: Tree
    tree2: Tree

    def __call__(self, clinic: Clinic) -> NDArray[np.float64]:
        values = evaluate(Forest.of([(self.tree1, self.tree2)]), APPOINTMENT, patient_data(clinic)).values[0]
        with np.errstate(all="ignore"):  # what is not finite is the timetable step's business
            times: NDArray[np.float64] = values[0] * clinic.mean_service + values[1]
        return times

    @property
    def texts(self) -> tuple[str, str]:
        return to_text(self.tree1, APPOINTMENT), to_text(self.tree2, APPOINTMENT)


def read_trees(tree1: str, tree2: str) -> tuple[Tree, Tree]:
    """Both expressions from text."""
    trees = []
    for name, text in (("tree 1", tree1), ("tree 2", tree2)):
        if not isinstance(text, str):
            raise InputError(f"{name}: expected an expression as text, got {text!r}")
        try:
            trees.append(parse(text, APPOINTMENT))
        except InputError as error:
            raise InputError(f"{name}: {error}") from None
    place = APPOINTMENT.code("i")
    if not any(place in tree.codes for tree in trees):
        raise InputError("rule: expected i, the patient's place, in at least one tree: without it all come at one time")
    return trees[0], trees[1]
