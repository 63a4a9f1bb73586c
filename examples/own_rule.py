"""A rule of your own: written as text, or as a function of the clinic; judged, rounded, told in clock times."""

from datetime import datetime, timedelta

import numpy as np

from gpdr import Clinic, Rule, compare

CLINIC = Clinic(patients=10, mean_service=20.0, cv=0.6, no_show=0.15)

# A_i = Tree1 x M + Tree2; i counts patients from 0, M is the mean service, V its standard deviation.
LATER = Rule.from_text("i", "0.05 * i * V - 0.2 * V", name="LATER")
# Two patients at the start, then one every quarter of an hour.
QUARTERS = Rule("QUARTERS", lambda clinic: np.maximum(np.arange(clinic.patients) - 1, 0) * 15.0)


def main(replications: int = 15_000) -> None:
    found = compare(CLINIC, [LATER, QUARTERS, "IBFI"], replications=replications)
    for rule in found.rules:
        print(f"{rule.name:9} {rule.performance.total_cost.mean:.2f}")
    opening = datetime(2030, 1, 7, 8, 30)
    for patient, minutes in enumerate(found.best.times, 1):
        print(f"patient {patient:2} at {opening + timedelta(minutes=5 * round(minutes / 5)):%H:%M}")


if __name__ == "__main__":
    main()
