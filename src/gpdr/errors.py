"""What a user did wrong, in one line that says what to do."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class InputError(ValueError):
    """Wrong input: one line with what was expected, what came and the likely fix. The command line exits with 2."""


def unknown_name(kind: str, name: str, choices: Iterable[str]) -> InputError:
    """The error for a name that is not among the choices, with the nearest one suggested."""
    known = list(choices)
    near = get_close_matches(name, known, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    return InputError(f"unknown {kind} {name!r}: choose one of {', '.join(known)}{hint}")
