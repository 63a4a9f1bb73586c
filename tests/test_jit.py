"""Compiler settings: kernels are kept on disk where there is room for them, and work where there is none."""

from __future__ import annotations

import os
import subprocess
import sys

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
