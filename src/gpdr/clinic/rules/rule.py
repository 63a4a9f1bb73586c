"""A rule: for any clinic, the times at which its patients are told to come."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gpdr.clinic.clinic import Clinic
from gpdr.clinic.timetable import timetable

if TYPE_CHECKING:
    from gpdr.expressions import Tree

Formula = Callable[[Clinic], NDArray[np.floating]]


@dataclass(frozen=True)
class Rule:
    """A named rule. `formula` says raw appointment times; `times` makes a timetable of them.

    Attributes:
        name: What tables call it.
        formula: From a clinic to a number for each of its patients.
        past_session: Patients may be told to come after the session's end.
    """

    name: str
    formula: Formula
    past_session: bool = False

    def times(self, clinic: Clinic) -> NDArray[np.float64]:
        """The clinic's timetable by this rule, minutes from the start."""
        return timetable(self.formula(clinic), math.inf if self.past_session else clinic.session)

    def __str__(self) -> str:
        return f"{self.name}: A_i = ({self.trees[0]}) * M + {self.trees[1]}" if self.trees else self.name

    @property
    def trees(self) -> tuple[str, str] | None:
        """The two expressions as text, if the rule is made of such."""
        from gpdr.clinic.rules.expressions import TwoTrees

        return self.formula.texts if isinstance(self.formula, TwoTrees) else None

    @classmethod
    def from_trees(cls, tree1: Tree, tree2: Tree, name: str = "RULE") -> Rule:
        """The rule A_i = Tree1 x M + Tree2."""
        from gpdr.clinic.rules.expressions import TwoTrees

        return cls(name, TwoTrees(tree1, tree2))

    @classmethod
    def from_text(cls, tree1: str, tree2: str, name: str = "RULE") -> Rule:
        """The rule A_i = Tree1 x M + Tree2, as a person writes it; it must say something about the place i."""
        from gpdr.clinic.rules.expressions import read_trees

        return cls.from_trees(*read_trees(tree1, tree2), name=name)

    @classmethod
    def from_file(cls, path: str | Path) -> Rule:
        """A rule from a rule file."""
        from gpdr.clinic.rules.files import read_rule

        return read_rule(path)

    def to_file(self, path: str | Path, provenance: dict[str, Any] | None = None) -> None:
        """Write a rule made of expressions to a rule file."""
        from gpdr.clinic.rules.files import write_rule

        write_rule(self, path, provenance)
