"""Which of the usual rules suits a clinic? All are judged on the same simulated sessions, beside the best timetable."""

from gpdr import Clinic, compare

CLINIC = Clinic(patients=12, mean_service=15.0, cv=0.5, no_show=0.1)


def main(replications: int = 15_000) -> None:
    found = compare(CLINIC, optimum=True, replications=replications)
    for rule in sorted(found.rules, key=lambda rule: rule.performance.total_cost.mean):
        cost = rule.performance
        more = found.difference(rule.name, "OPTIMUM").mean
        print(
            f"{rule.name:10} costs {cost.total_cost.mean:5.2f}, {more:+5.2f} on the optimum: "
            f"patients wait {cost.wait.mean:4.1f} min, the doctor idles {cost.idle.mean:4.1f} a patient"
        )


if __name__ == "__main__":
    main()
