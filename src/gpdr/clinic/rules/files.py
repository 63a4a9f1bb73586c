"""Rule files: JSON that people can read, with the trees as text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gpdr._checks import short
from gpdr._files import whole_file
from gpdr.clinic.rules.rule import Rule
from gpdr.errors import InputError
from gpdr.expressions.appointment import APPOINTMENT

# Far above any rule that evolution makes; a larger file is something else.
_MAX_BYTES = 1_000_000


def read_rule(path: str | Path) -> Rule:
    """The rule in a rule file."""
    try:
        file = Path(path)
        if file.stat().st_size > _MAX_BYTES:
            raise InputError(f"rule file {path}: expected at most {_MAX_BYTES:,} bytes; is it a rule file?")
        data = json.loads(file.read_text("utf-8"))
    except OSError as error:
        raise InputError(f"rule file {path}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"rule file {path}: not JSON: {error}") from None
    trees = data.get("trees") if isinstance(data, dict) else None
    if not isinstance(trees, list) or len(trees) != 2:
        raise InputError(f'rule file {path}: expected "trees": [tree 1, tree 2], got {short(trees)}')
    primitives = data.get("primitives", APPOINTMENT.name)
    if primitives != APPOINTMENT.name:
        raise InputError(f"rule file {path}: expected primitives {APPOINTMENT.name!r}, got {short(primitives)}")
    name = data.get("name", file.stem)
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise InputError(f"rule file {path}: expected the name as text on one line, got {short(name)}")
    try:
        return Rule.from_text(trees[0], trees[1], name)
    except InputError as error:
        raise InputError(f"rule file {path}: {error}") from None


def write_rule(rule: Rule, path: str | Path, provenance: dict[str, Any] | None = None) -> None:
    """Write a rule made of expressions; `provenance` says where it comes from."""
    if rule.trees is None:
        raise InputError(f"rule {rule.name}: only a rule made of two expressions can be written to a rule file")
    data = {"name": rule.name, "trees": list(rule.trees), "primitives": APPOINTMENT.name}
    text = json.dumps(data | {"provenance": provenance or {}}, indent=2, ensure_ascii=False)
    with whole_file(path) as part:
        part.write_text(text + "\n", "utf-8")
