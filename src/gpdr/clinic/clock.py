"""Clock times of a day: 09:00 is 540 minutes."""

from __future__ import annotations

import math
import re

from gpdr.errors import InputError

_DAY = 24 * 60


def minutes_of(text: str) -> int:
    """Minutes since midnight of a clock time HH:MM."""
    found = re.fullmatch(r"([01]?\d|2[0-3]):([0-5]\d)", text.strip(), re.ASCII) if isinstance(text, str) else None
    if found is None:
        raise InputError(f"start: expected a clock time from 00:00 to 23:59, got {text!r}")
    return int(found[1]) * 60 + int(found[2])


def clock(start: int, minutes: float) -> str:
    """The clock time that many minutes after `start`, to the minute, halves up."""
    after = math.floor(minutes + 0.5)
    whole = start + after
    if after >= _DAY:
        raise InputError(f"session: expected the last patient within a day, he would come after {after} minutes")
    if whole >= _DAY:
        raise InputError(f"start: the last patient would come after midnight; start before {clock(0, _DAY - after)}")
    return f"{whole // 60:02d}:{whole % 60:02d}"
