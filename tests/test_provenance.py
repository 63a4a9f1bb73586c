"""Provenance: what every result says about where it comes from."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import gpdr
from gpdr.provenance import commit, provenance


def test_the_record_is_json_and_complete() -> None:
    record = json.loads(json.dumps(provenance({"seed": 3})))
    assert record["parameters"] == {"seed": 3}
    assert record["gpdr"] == gpdr.__version__
    assert set(record) == {"parameters", "gpdr", "commit", "python", "numpy", "numba", "platform", "processor"}
    assert all(record[name] for name in ("python", "numpy", "numba", "platform"))


def test_the_commit_is_that_of_the_checkout() -> None:
    root = Path(gpdr.__file__).parents[2]
    head = subprocess.run(["git", "-C", root, "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    commit.cache_clear()
    found = commit()
    if head.returncode == 0:
        assert found is not None
        assert found.removesuffix("+edits") == head.stdout.strip()
    else:
        assert found is None
