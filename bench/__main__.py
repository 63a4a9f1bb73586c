"""Every comparison in one table: `python -m bench [TOPIC …]`, written to bench/out/speed.json as well."""

from __future__ import annotations

import json
import pkgutil
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import bench
from bench.case import Case, Timing, measure
from gpdr.cli.output import console, table

OUT = Path(__file__).parent / "out" / "speed.json"


def topics() -> dict[str, list[Case]]:
    """The cases of every module of bench that has some, by module name."""
    modules = {
        info.name: import_module(f"bench.{info.name}")
        for info in pkgutil.iter_modules(bench.__path__)
        if info.name != "__main__"
    }
    return {name: module.cases() for name, module in modules.items() if hasattr(module, "cases")}


def timings(wanted: list[str]) -> Iterator[Timing]:
    found = topics()
    unknown = set(wanted) - set(found)
    if unknown:
        sys.exit(f"unknown topic {', '.join(sorted(unknown))}: choose among {', '.join(found)}")
    notes = console(stderr=True)
    for topic, cases in found.items():
        for case in cases if not wanted or topic in wanted else []:
            with notes.status(f"{case.name} beside {case.peer}"):
                yield measure(case)


def duration(seconds: float) -> str:
    """Seconds in the unit that reads best."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def main() -> None:
    rows = list(timings(sys.argv[1:]))
    shown = table("job", "gpdr", "peer", "peer's time", "times quicker")
    for row in rows:
        shown.add_row(row.name, duration(row.ours_s), row.peer, duration(row.peer_s), f"{row.ratio:.3g}")
    console().print(shown)
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(json.dumps([row.as_dict() for row in rows], indent=2) + "\n")


if __name__ == "__main__":
    main()
