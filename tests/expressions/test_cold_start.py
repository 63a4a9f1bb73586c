"""What the first call costs, in seconds of a core: import, a kernel with an empty cache, one with a warm cache."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

IMPORT = """
from time import process_time
started = process_time()
import gpdr
print(process_time() - started)
"""

FIRST_KERNELS = """
from time import process_time
started = process_time()
import numpy as np
from gpdr.expressions import evaluate, ramped_half_and_half
from gpdr.expressions.appointment import APPOINTMENT
forest = ramped_half_and_half(APPOINTMENT, 256, 2, np.random.SeedSequence(1))
evaluate(forest, APPOINTMENT, np.ones((20, 7)))
print(process_time() - started)
"""


def seconds(script: str, cache: Path) -> float:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout)


@pytest.mark.slow
def test_first_calls(tmp_path: Path) -> None:
    assert seconds(FIRST_KERNELS, tmp_path) < 10
    assert min(seconds(FIRST_KERNELS, tmp_path) for _ in range(3)) < 1
    assert min(seconds(IMPORT, tmp_path) for _ in range(3)) < 0.3
