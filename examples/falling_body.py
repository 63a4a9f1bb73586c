"""Find a law in measurements with units: how far a thrown body falls in a time, s = v t + g t^2 / 2."""

import numpy as np

from gpdr.evolution import regression, solve
from gpdr.expressions import to_text


def main(population: int = 256, generations: int = 30) -> None:
    rng = np.random.default_rng(1)
    v, t, g = rng.uniform(0, 10, 50), rng.uniform(0, 5, 50), np.full(50, 9.81)
    s = v * t + g * t * t / 2
    problem = regression(
        columns={"v": v, "t": t, "g": g},
        units={"v": "m/s", "t": "s", "g": "m/s^2"},
        target=s,
        target_unit="m",
        base_units=["m", "s"],
    )
    best = solve(problem, seed=1, parameters={"population": population, "generations": generations}).best
    print(f"s = {to_text(best.forest[0][0], problem.primitives)}, error {best.costs[0]:.2g}, gap {best.gaps[0]:g}")


if __name__ == "__main__":
    main()
