"""Compiler settings: kernels are kept on disk where there is room for them, and work where there is none."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from gpdr._jit import SOURCES, kernel, uncounted

PACKAGE = Path(__file__).parents[1] / "src" / "gpdr"

SCRIPT = """
import tempfile

def read_only(*_arguments, **_options):
    raise OSError(30, "Read-only file system")

tempfile.TemporaryFile = read_only  # with which Numba tries whether a directory can be written
import gpdr
from gpdr._jit import inlined, kernel

assert gpdr.check("M", "min").consistent
inner = inlined(lambda a: 2 * a)
assert kernel(lambda a: inner(a) + 1)(3) == 7
"""


def test_nothing_needs_a_directory_to_write_to() -> None:
    where = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_CACHE")}
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=where, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


class Mixed(NamedTuple):
    """What kernels are handed: numbers, arrays, and records."""

    number: int
    row: Any
    table: Any


@kernel
def _raise_all(mixed: Mixed, other: Any) -> int:
    mixed, other = uncounted((mixed, other))
    mixed.row[0] += mixed.number
    mixed.table[1, 1] += len(other)
    other[2].key += 1
    return len(mixed.row) + int(mixed.table[0, 1])


@pytest.mark.kernel
def test_uncounted_arrays_are_the_same_memory() -> None:
    row, table, records = np.zeros(3), np.eye(2), np.zeros(5, [("key", np.int64)]).view(np.recarray)
    before = [sys.getrefcount(array) for array in (row, table, records)]
    for _ in range(10):
        assert _raise_all(Mixed(7, row, table), records) == 3
    assert row.tolist() == [70.0, 0.0, 0.0]
    assert table.tolist() == [[1.0, 0.0], [0.0, 51.0]]
    assert records.key.tolist() == [0, 0, 10, 0, 0]
    assert [sys.getrefcount(array) for array in (row, table, records)] == before


def test_a_kernel_is_compiled_again_when_one_that_it_calls_has_changed(tmp_path: Path) -> None:
    """As after an update that replaces some files only."""
    package = tmp_path / "gpdr"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    script = """
import numpy as np
from gpdr.clinic._scenario_kernels import who_shows
present = np.empty(100, np.uint8)
who_shows(np.uint64(1), 0.5, present)
print(present.sum(), sum(who_shows.stats.cache_hits.values()))
"""
    where = {**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def shown_and_cached() -> list[int]:
        run = subprocess.run([sys.executable, "-c", script], env=where, capture_output=True, text=True, check=True)
        return [int(word) for word in run.stdout.split()]

    first = shown_and_cached()
    assert first[1] == 0
    assert 0 < first[0] < 100
    assert shown_and_cached() == [first[0], 1]
    callee = package / "clinic" / "_normal_kernels.py"
    changed = callee.read_text("utf-8").replace("return z ^ (z >> _S31)", "return np.uint64(0)")
    callee.write_text(changed, "utf-8")
    assert shown_and_cached() == [0, 0]


def test_every_module_that_kernels_take_values_from_is_watched() -> None:
    """Others give types only, which are part of what a compiled kernel is known by."""
    of_types = {
        "gpdr.clinic.scenarios",
        "gpdr.evolution.grammar",
        "gpdr.expressions.forest",
        "gpdr.expressions.primitives",
    }
    files = [path for path in PACKAGE.rglob("*.py") if "kernels" in str(path.relative_to(PACKAGE))]
    texts = [file.read_text("utf-8") for file in files]
    taken_from = {module for text in texts for module in re.findall(r"^from (gpdr\S*) import", text, re.MULTILINE)}
    watched = {m for m in taken_from if "kernels" in m or f"{m.replace('.', '/')}.py".endswith(SOURCES)}
    assert taken_from - watched == of_types
