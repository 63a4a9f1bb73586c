"""Compiler settings: kernels are kept on disk where there is room for them, and work where there is none."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any, NamedTuple

import numpy as np
import pytest

from gpdr._jit import kernel, uncounted

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
