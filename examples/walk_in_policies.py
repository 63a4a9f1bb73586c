"""What it means when walk-ins are served whenever the doctor is free, instead of fourth in line."""

from dataclasses import replace

from gpdr import Clinic, optimum

CLINIC = Clinic(patients=10, mean_service=21.0, cv=0.4, no_show=0.15, walk_in=0.15)


def main(replications: int = 15_000) -> None:
    for policy in ("fourth-in-line", "when-free"):
        best = optimum(replace(CLINIC, walk_in_policy=policy), replications=replications)
        wait = best.performance
        print(
            f"{policy:14} costs {wait.total_cost.mean:.2f} at best; scheduled patients wait "
            f"{wait.wait_scheduled.mean:.1f} min, walk-ins {wait.wait_walk_in.mean:.1f}"
        )
        print("  appointments, minutes:", " ".join(f"{time:.0f}" for time in best.times))


if __name__ == "__main__":
    main()
