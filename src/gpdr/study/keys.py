"""What identifies a run: its key, and the version of the code's results."""

from __future__ import annotations

import hashlib
import json
from typing import Any

# Raise it whenever a change makes any run come out differently: results of other versions stay in a store, but are
# never mixed in.
RESULTS_VERSION = 2

Json = dict[str, Any]


def canonical(value: object) -> str:
    """The one JSON text of a value: equal values have equal texts, so texts and their hashes can be compared."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(text: str | bytes) -> str:
    """SHA-256, as hexadecimal digits."""
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()
