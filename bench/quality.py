"""How good evolved rules are: GPDR over ten seeds on six clinics, in per cent above the optimum.

`make quality` writes docs/results/quality-VERSION.md; from release to release it shows whether rules got worse.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gpdr._threads import available_threads
from gpdr._version import __version__
from gpdr.clinic import Clinic, classical_rules, draw_scenarios, mean_costs, paper_clinic
from gpdr.clinic.optimum import best_times
from gpdr.clinic.problem import evolve
from gpdr.clinic.rules import named_rule
from gpdr.provenance import provenance

CLINICS = (1, 4, 9, 14, 19, 24)
SEEDS = range(1, 11)
SESSIONS = 200_000
SESSIONS_SEED = 20_300_107
TARGET = Path(__file__).parents[1] / "docs" / "results" / f"quality-{__version__}.md"


@dataclass(frozen=True)
class Quality:
    """One clinic: what rules cost above the optimum, in per cent, on the same fresh sessions."""

    number: int
    clinic: Clinic
    optimum: float
    evolved: list[float]
    universal: float
    classical: float
    gaps: list[float]
    sizes: list[int]

    def row(self) -> str:
        evolved = np.array(self.evolved)
        cells = [
            f"paper:{self.number}",
            self.clinic.label,
            f"{self.optimum:.2f}",
            f"{evolved.mean():.2f}",
            f"{evolved.min():.2f} … {evolved.max():.2f}",
            f"{self.universal:.2f}",
            f"{self.classical:.2f}",
            f"{np.mean(self.sizes):.0f}",
            f"{max(self.gaps):g}",
        ]
        return f"| {' | '.join(cells)} |"


def measure(number: int) -> Quality:
    """Evolve with every seed, and judge all on the same sessions."""
    clinic, threads = paper_clinic(number), available_threads()
    found = [evolve(clinic, seed=seed) for seed in SEEDS]
    others = [best_times(clinic, threads=threads).times, named_rule("UNIVERSAL").times(clinic)]
    classical = [rule.times(clinic) for rule in classical_rules()]
    times = np.array([result.found.times for result in found] + others + classical)
    costs = mean_costs(draw_scenarios(clinic, SESSIONS, SESSIONS_SEED, threads), times, threads)
    optimum = costs[len(found)]
    above = 100 * (costs / optimum - 1)
    return Quality(
        number,
        clinic,
        float(optimum),
        above[: len(found)].tolist(),
        float(above[len(found) + 1]),
        float(above[len(found) + 2 :].min()),
        [result.found.dimension_gap for result in found],
        [result.found.size for result in found],
    )


def report(rows: list[Quality]) -> str:
    """The page of results."""
    made = provenance()
    evolved = [above for row in rows for above in row.evolved]
    heads = ["clinic", "", "optimum", "GPDR, mean % above", "least … most"]
    heads += ["UNIVERSAL %", "best classical %", "nodes", "gap"]
    lines = [
        f"# Quality of evolved rules, gpdr {__version__}",
        "",
        f"GPDR, seeds {SEEDS[0]} to {SEEDS[-1]}, its defaults (256 rules, 50 generations, 15,000 replications); costs",
        f"on {SESSIONS:,} fresh sessions, the same for all. Per cent above the best timetable found. By `make",
        f"quality`, commit {made['commit']}, NumPy {made['numpy']}, Numba {made['numba']}.",
        "",
        "UNIVERSAL is tuned for each clinic. The best classical rule may be OFFSET, which as published may tell",
        "patients to come after the session's end; no other timetable here may.",
        "",
        f"| {' | '.join(heads)} |",
        "|---|---|" + "---:|" * (len(heads) - 2),
        *(row.row() for row in rows),
        "",
        f"Mean over clinics: {np.mean(evolved):.2f} % above the optimum, the worst run {max(evolved):.2f} %.",
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    rows = []
    for number in CLINICS:
        rows.append(measure(number))
        print(rows[-1].row(), flush=True)
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(report(rows), encoding="utf-8")
    print(f"Written: {TARGET.relative_to(Path.cwd())}")


if __name__ == "__main__":
    main()
