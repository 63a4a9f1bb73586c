"""Text to tokens, each with its position, and errors that point at one."""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple

from gpdr.errors import InputError

LONGEST_TEXT = 100_000
_SHOWN = 60

_NUMBER = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_TOKEN = re.compile(
    rf"\s*(?:(?P<number>{_NUMBER})|(?P<name>[A-Za-z_][A-Za-z_0-9]*)"
    r"|(?P<bracket>\[[^\]]*\]?)|(?P<sign>[-+*/(),])|(?P<other>\S))"
)
_SIGNED = re.compile(rf"\s*(?:(-)\s*)?({_NUMBER})")

_HINTS = {
    "^": "write sq(a) or a * a for a power",
    ">": "if(a, b, c) is b where a > 0: write if(a - x, b, c)",
    "<": "if(a, b, c) is b where a > 0: write if(x - a, b, c)",
    "\u2212": "write - for minus",
    "\u00d7": "write * for times",
    "\u00b7": "write * for times",
    "\u00f7": "write / for division",
    ":": "write / for division",
}


class Kind(Enum):
    NUMBER = "number"
    NAME = "name"
    BRACKET = "bracket"  # a number with its sign and its unit or constant's name: [-0.5], [9.81 m/s^2]
    SIGN = "sign"
    END = "end"


class Token(NamedTuple):
    kind: Kind
    text: str
    position: int  # counted from 1

    def __str__(self) -> str:
        if self.kind is Kind.END:
            return "the end"
        shown = self.text if len(self.text) <= _SHOWN else f"{self.text[: _SHOWN - 1]}…"
        return shown if shown.isprintable() else repr(shown)


def tokens(text: str) -> list[Token]:
    """All tokens and the end."""
    if len(text) > LONGEST_TEXT:
        raise InputError(f"expression of {len(text)} characters: expected at most {LONGEST_TEXT}")
    found: list[Token] = []
    end = len(text.rstrip())
    at = 0
    while at < end:
        match = _TOKEN.match(text, at)
        assert match is not None  # the last alternative takes any character
        assert match.lastgroup is not None
        token = Token(Kind.SIGN, match[match.lastgroup], match.start(match.lastgroup) + 1)
        if match.lastgroup == "other":
            hint = _HINTS.get(token.text, "")
            raise fault(text, token, "a number, a name or one of + - * / , ( )", f"; {hint}" if hint else "")
        found.append(token._replace(kind=Kind(match.lastgroup)))
        at = match.end()
    return [*found, Token(Kind.END, "", end + 1)]


def bracketed(text: str, token: Token) -> tuple[float, str]:
    """The value and the label of a number in brackets."""
    match = _SIGNED.match(token.text, 1)
    if not match or not token.text.endswith("]"):
        raise fault(text, token, "a number in brackets such as [-0.5] or [9.81 m/s^2]")
    return float("".join(match.groups(""))), token.text[match.end() : -1].strip()


def where(text: str, token: Token) -> str:
    """The start of an error about this token."""
    shown = text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
    return f"expression {shown!r}, position {token.position}"


def fault(text: str, token: Token, expected: str, hint: str = "") -> InputError:
    return InputError(f"{where(text, token)}: expected {expected}, got {token}{hint}")
