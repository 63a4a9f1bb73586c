"""What a file of results says of its making."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from gpdr.provenance import provenance


def made_by(command: str, *packages: str) -> str:
    """The command, the processor, the commit, and the versions of what the figures depend on."""
    made = provenance()
    names = {"Python": made["python"], "NumPy": made["numpy"], "Numba": made["numba"]}
    for package in packages:
        try:
            names[package] = version(package)
        except PackageNotFoundError:
            continue
    versions = ", ".join(f"{name} {number}" for name, number in names.items())
    return f"`{command}`, one core of {made['processor']}, commit {str(made['commit'])[:7]}, {versions}"
