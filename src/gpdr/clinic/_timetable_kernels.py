"""From what a rule says to a timetable, for a whole population at once."""

from __future__ import annotations

from gpdr._jit import kernel


@kernel
def clean(raw, session, times):  # type: ignore[no-untyped-def]
    """Row by row: never negative, never decreasing, never past the session; not-a-number repeats the one before."""
    for row in range(raw.shape[0]):
        before = 0.0
        for i in range(raw.shape[1]):
            time = raw[row, i]
            if time > session or not time > before:  # the second is also true for not-a-number
                time = before
            times[row, i] = time
            before = time
