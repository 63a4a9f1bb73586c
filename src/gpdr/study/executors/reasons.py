"""Why a run failed, short enough for a table and long enough to find the fault."""

from __future__ import annotations

import traceback

_LINES = 12


def reason_of(error: BaseException) -> str:
    """The last lines of the traceback; the very last one says what it was."""
    lines = "".join(traceback.format_exception(error)).rstrip().splitlines()
    return "\n".join(lines[-_LINES:])
