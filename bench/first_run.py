"""What a stranger meets: `make run` and `make test` in a new clone with an empty home, timed.

`python -m bench.first_run` writes docs/results/first-run.md; minutes, most of them the installation.
"""

from __future__ import annotations

import os
import platform
import resource
import subprocess
import tempfile
from pathlib import Path
from time import perf_counter

from gpdr.provenance import provenance

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "docs" / "results" / "first-run.md"
PATH = "/usr/local/bin:/usr/bin:/bin"

HEADING = """# The first run

`make run` and `make test` in a new clone, with an empty home directory and no caches, as they print in a pipe. By
`python -m bench.first_run` on {cores} cores of {processor}, Python {python}, commit {commit}. Processor time is that of
all cores together; where it is far below the time on the clock, the machine was busy with something else.
"""


def timed(target: str, clone: Path, home: Path) -> str:
    """A section with what the target printed, and how long it took."""
    environment = {"HOME": str(home), "PATH": PATH}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
    done = subprocess.run(
        ["make", target], cwd=clone, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    wall, after = perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    printed = done.stdout.replace(str(clone), ".").replace(str(home), "~").strip("\n")
    took = f"{clock(wall)} on the clock, {clock(processor)} of processor time, exit status {done.returncode}."
    return f"\n## make {target}\n\n{took}\n\n```text\n{printed}\n```\n"


def clock(seconds: float) -> str:
    return f"{seconds // 60:.0f} min {seconds % 60:.0f} s"


def processor() -> str:
    """The processor's name as the system tells it."""
    told = Path("/proc/cpuinfo")
    names = [line.partition(":")[2].strip() for line in told.read_text().splitlines() if line.startswith("model name")]
    return names[0] if names else platform.processor()


def python() -> str:
    """The version of the python3 that `make` will find."""
    told = subprocess.run(["python3", "-V"], env={"PATH": PATH}, capture_output=True, text=True, check=True)
    return told.stdout.split()[1]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as home:
        clone = Path(folder) / "gpdr"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        heading = HEADING.format(
            cores=os.cpu_count(), processor=processor(), python=python(), commit=provenance()["commit"]
        )
        sections = [timed(target, clone, Path(home)) for target in ("run", "test")]
    TARGET.write_text(heading + "".join(sections), encoding="utf-8")
    print(f"Written: {TARGET.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
