"""The command line: parses, calls, prints; no logic."""

from __future__ import annotations

import sys


def main() -> None:
    """The entry point of the `gpdr` command."""
    from gpdr.cli.app import app
    from gpdr.cli.errors import exit_status

    sys.exit(exit_status(app, sys.argv[1:]))
