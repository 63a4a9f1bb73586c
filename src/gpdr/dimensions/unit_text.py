"""The text of a unit, such as "m/s^2" or "kg/(m s)", as names with their exponents.

unit     := power (("*" | "/" | " ") power)*      from the left: a/b/c is (a/b)/c
power    := (name | "1" | "(" unit ")") (("^" | "**") exponent)?
exponent := number | "(" number ("/" number)? ")"     with a sign, at most
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from gpdr.errors import InputError

LONGEST_TEXT = 200
DEEPEST = 20
LARGEST_EXPONENT = 100
FINEST_EXPONENT = 100  # largest denominator

_NUMBER = r"[-+]?[0-9]+(?:\.[0-9]+)?"
_TOKEN = re.compile(
    rf"\s*(?:(?P<power>(?:\^|\*\*)\s*(?:{_NUMBER}|\(\s*{_NUMBER}\s*(?:/\s*{_NUMBER}\s*)?\)))"
    rf"|(?P<name>[^\W\d]\w*|%)|(?P<sign>[*/()·])|(?P<number>{_NUMBER})|(?P<other>\S))"
)
_SUPERSCRIPTS = str.maketrans({"²": "^2", "³": "^3"})


def unit_powers(text: str) -> dict[str, Fraction]:
    """Exponents of the names in a unit's text; names may be any, those that cancel are left out."""
    if len(text) > LONGEST_TEXT:
        raise InputError(f"unit of {len(text)} characters: expected at most {LONGEST_TEXT}, such as min or m/s^2")
    reader = _Reader(text)
    powers = reader.unit(0)
    if reader.sign == ")":
        raise reader.fault("has a ) too many")
    too_large = [e for e in powers.values() if abs(e) > LARGEST_EXPONENT or e.denominator > FINEST_EXPONENT]
    if too_large:
        raise InputError(
            f"unit {text!r}: expected exponents of at most {LARGEST_EXPONENT},"
            f" fractions down to 1/{FINEST_EXPONENT}, got {too_large[0]}"
        )
    return {name: exponent for name, exponent in powers.items() if exponent}


class _Reader:
    """One token ahead: its kind and its text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = self._scan(text.translate(_SUPERSCRIPTS))
        self.kind, self.sign = next(self.tokens)

    def fault(self, what: str) -> InputError:
        return InputError(f"unit {self.text!r} {what}; expected a unit such as min, m/s^2 or 1")

    def unit(self, nesting: int) -> dict[str, Fraction]:
        if nesting > DEEPEST:
            raise self.fault("has too many parentheses in one another")
        powers: Counter[str] = Counter()
        direction = 1
        while True:
            for name, exponent in self.power(nesting).items():
                powers[name] += direction * exponent  # type: ignore[assignment]
            if self.sign in ("*", "·", "/"):
                direction = -1 if self.sign == "/" else 1
                self.advance()
            elif self.kind == "end" or self.sign == ")":
                return dict(powers)  # type: ignore[arg-type]
            else:
                direction = 1  # a space multiplies

    def power(self, nesting: int) -> dict[str, Fraction]:
        kind, sign = self.kind, self.sign
        if kind == "number" and sign != "1":
            raise self.fault(f"contains the number {sign}; put the {sign} into the data")
        if kind not in ("name", "number") and sign != "(":
            shown = sign if sign.isprintable() else repr(sign)
            raise self.fault(f"has {shown} where a name is due" if sign else "ends too early")
        self.advance()
        base = {sign: Fraction(1)} if kind == "name" else {}
        if sign == "(":
            base = self.unit(nesting + 1)
            if self.sign != ")":
                raise self.fault("lacks a )")
            self.advance()
        if self.kind != "power":
            return base
        exponent = self.exponent()
        return {name: power * exponent for name, power in base.items()}

    def exponent(self) -> Fraction:
        above, _, below = re.sub(r"[\s()^]|\*\*", "", self.sign).partition("/")
        if below and not Fraction(below):
            raise self.fault("divides by zero in an exponent")
        self.advance()
        return Fraction(above) / Fraction(below or 1)

    def advance(self) -> None:
        self.kind, self.sign = next(self.tokens, ("end", ""))

    @staticmethod
    def _scan(text: str) -> Iterator[tuple[str, str]]:
        for match in _TOKEN.finditer(text):
            yield str(match.lastgroup), match[match.lastgroup or 0]
        yield "end", ""
