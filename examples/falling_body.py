"""Find a law in measurements with units: how far a thrown body falls in a time, s = v t + g t^2 / 2, on any planet."""

import numpy as np

from gpdr.evolution import regression, solve
from gpdr.expressions import ADD, DIV, MUL, SQ, SUB, to_text


def main(population: int = 256, generations: int = 30) -> None:
    rng = np.random.default_rng(0)
    v, t, g = rng.uniform(-5, 20, 40), rng.uniform(0, 10, 40), rng.uniform(1, 25, 40)
    problem = regression(
        columns={"v": v, "t": t, "g": g},
        units={"v": "m/s", "t": "s", "g": "m/s^2"},
        target=v * t + g * t * t / 2,
        target_unit="m",
        base_units=["m", "s"],
        functions=(ADD, SUB, MUL, DIV, SQ),
    )
    best = solve(problem, seed=1, parameters={"population": population, "generations": generations}).best
    print(f"s = {to_text(best.forest[0][0], problem.primitives)}, error {best.costs[0]:.2g}, gap {best.gaps[0]:g}")


if __name__ == "__main__":
    main()
