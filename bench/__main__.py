"""Every comparison in one table: `python -m bench [TOPIC …]`, written to bench/out/speed.json as well.

After that, what is promised of the simulator; `python -m bench.simulator` alone ends with status 1 if it is not kept.
"""

from __future__ import annotations

import json
import pkgutil
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import bench
from bench.case import Case, Timing, measure
from bench.simulator import broken_promises
from gpdr.cli.output import console, table
from gpdr.errors import InputError, unknown_name

OUT = Path(__file__).parent / "out" / "speed.json"


def topics() -> dict[str, Callable[[], list[Case]]]:
    """What makes the cases of every module of bench that has some, by module name."""
    names = [info.name for info in pkgutil.iter_modules(bench.__path__) if info.name != "__main__"]
    modules = {name: import_module(f"bench.{name}") for name in names}
    return {name: module.cases for name, module in modules.items() if hasattr(module, "cases")}


def timings(wanted: list[str]) -> Iterator[Timing]:
    """Time the cases of the topics wanted, or of all."""
    found = topics()
    for topic in wanted:
        if topic not in found:
            raise unknown_name("topic", topic, found)
    notes = console(stderr=True)
    for topic in wanted or found:
        for case in found[topic]():
            with notes.status(f"{case.name} beside {case.peer}"):
                yield measure(case)


def duration(seconds: float) -> str:
    """Seconds in the unit that reads best."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def three_digits(ratio: float) -> str:
    """A ratio to three significant digits, large ones with separators: 2.65, 40.9, 191,000."""
    return f"{float(f'{ratio:.3g}'):,.15g}"


def main() -> None:
    try:
        rows = list(timings(sys.argv[1:]))
    except InputError as error:
        sys.exit(str(error))
    shown = table("job", "gpdr", "peer", "peer's time", "times quicker")
    shown.columns[2].justify = "left"
    for row in rows:
        shown.add_row(row.name, duration(row.ours_s), row.peer, duration(row.peer_s), three_digits(row.ratio))
    console().print(shown)
    for row in rows:
        if row.unit:
            console().print(row.rates, markup=False)
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(json.dumps([row.as_dict() for row in rows], indent=2) + "\n")
    if not sys.argv[1:] or "simulator" in sys.argv[1:]:
        broken_promises()


if __name__ == "__main__":
    main()
