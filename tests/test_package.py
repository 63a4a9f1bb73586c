"""The package as a whole: quick to import, quick to help, its names where the contract says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import gpdr


def seconds(*arguments: str) -> float:
    """Processor time of Python with these arguments, the best of three: what it takes on a machine that is not busy."""
    times = []
    for _ in range(3):
        before = os.times()
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        after = os.times()
        times.append(sum(after[2:4]) - sum(before[2:4]))
    return min(times)


def test_import_takes_less_than_300_ms() -> None:
    assert seconds("-c", "import gpdr") < 0.3


def test_help_takes_less_than_500_ms() -> None:
    assert seconds("-m", "gpdr", "--help") < 0.5


@pytest.mark.parametrize("arguments", [("-c", "import gpdr"), ("-m", "gpdr", "--help")])
def test_nothing_heavy_is_imported_before_it_is_needed(arguments: tuple[str, ...]) -> None:
    done = subprocess.run([sys.executable, "-X", "importtime", *arguments], capture_output=True, text=True, check=True)
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert not imported & {"numpy", "numba", "scipy", "sympy", "matplotlib", "pandas", "pint", "distributed"}


def test_setting_up_tells_of_errors_only() -> None:
    asked = ["make", "--dry-run", "--always-make", ".venv/.ready"]
    done = subprocess.run(asked, cwd=Path(__file__).parents[1], capture_output=True, text=True, check=True)
    installing = [line for line in done.stdout.splitlines() if "pip install" in line]
    assert len(installing) == 2
    assert all("--quiet --quiet" in line for line in installing)


@pytest.mark.parametrize("name", gpdr.__all__)
def test_every_name_of_the_package_is_there(name: str) -> None:
    assert getattr(gpdr, name) is not None
    assert name in dir(gpdr)


def test_an_unknown_name_lists_the_choices() -> None:
    with pytest.raises(AttributeError, match="no attribute 'evolute'; it offers Clinic, Rule"):
        _ = gpdr.evolute
