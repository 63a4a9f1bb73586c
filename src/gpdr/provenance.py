"""Where a result comes from: what was asked, and the versions and machine that answered."""

from __future__ import annotations

import json
import platform
import subprocess
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path
from typing import Any

from gpdr._version import __version__


def provenance(parameters: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The record that every result carries: parameters, versions, commit, platform."""
    return {
        "parameters": dict(parameters or {}),
        "gpdr": __version__,
        "commit": commit(),
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
        "platform": platform.platform(),
        "processor": processor(),
    }


@cache
def processor() -> str | None:
    """The processor's name, where the system tells it."""
    try:
        described = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:  # not Linux
        return platform.processor() or None
    names = (line.partition(":")[2].strip() for line in described.splitlines() if line.startswith("model name"))
    return next(names, platform.processor() or None)


@cache
def commit() -> str | None:
    """The commit of the checkout this package runs from, or of the repository that pip installed it from."""
    root = Path(__file__).resolve().parents[2]
    return _checked_out(root) if (root / ".git").exists() else _installed()


def _checked_out(root: Path) -> str | None:
    git = ["git", "-C", str(root)]
    try:
        head = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=True, timeout=10)
        edits = subprocess.run(
            [*git, "status", "--porcelain", "--untracked-files=no", "--", "src"],
            capture_output=True, text=True, check=True, timeout=10,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return None
    return head.stdout.strip() + ("+edits" if edits.stdout.strip() else "")


def _installed() -> str | None:
    """The commit pip wrote down (PEP 610) when it installed from a repository."""
    try:
        record = json.loads(distribution("gpdr").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return None
    found: str | None = record.get("vcs_info", {}).get("commit_id")
    return found
