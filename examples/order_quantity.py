"""How much to order at a time? A problem of your own, with your own cost and units: GPDR finds Harris's formula.

A shop sells d items a day. An order costs k EUR whatever its size q; an item in stock costs h EUR a day. Ordering q at
a time costs k d / q + h q / 2 a day, least for q = sqrt(2 k d / h). Evolution knows only that cost.
"""

import numpy as np

from gpdr.dimensions import UnitSystem
from gpdr.evolution import DataProblem, solve
from gpdr.expressions import ADD, DIV, MUL, SQRT, SUB, Constant, PrimitiveSet, Sampler, Terminal, to_text

UNITS = UnitSystem(("item", "day", "EUR"))
KNOWN = (Terminal("d", "item/day"), Terminal("k", "EUR"), Terminal("h", "EUR/item/day"))
SHOP = PrimitiveSet("shop", (ADD, SUB, MUL, DIV, SQRT), (*KNOWN, Constant("small", Sampler.INTEGER, 1, 3)), UNITS)


def main(population: int = 128, generations: int = 10) -> None:
    d, k, h = np.random.default_rng(1).uniform([1, 5, 0.01], [50, 80, 0.5], (40, 3)).T

    def cost(values):
        q = np.abs(values[:, 0]) + 1e-9  # what each formula orders in each of forty shops
        return ((k * d / q + h * q / 2) / np.sqrt(2 * k * d * h)).mean(axis=1)

    problem = DataProblem(SHOP, units=["item"], data={"d": d, "k": k, "h": h}, cost=cost)
    best = solve(problem, seed=1, parameters={"population": population, "generations": generations}).best
    print(f"order q = {to_text(best.forest[0][0], SHOP)}, which costs {best.costs[0]:.4f} times the least possible")


if __name__ == "__main__":
    main()
