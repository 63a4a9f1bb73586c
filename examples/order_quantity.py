"""How much to order at a time? A problem of your own, with your own cost and units: GPDR finds Harris's formula.

A shop sells d items a day. An order costs k EUR whatever its size q; an item in stock costs h EUR a day. Ordering q at
a time costs k d / q + h q / 2 a day, least for q = sqrt(2 k d / h). Evolution knows only the cost, and that the answer
is in items.
"""

from dataclasses import dataclass

import numpy as np

from gpdr.dimensions import UnitSystem
from gpdr.evolution.loop import run
from gpdr.evolution.methods import recipe
from gpdr.expressions import ADD, DIV, MUL, SQRT, SUB, Constant, PrimitiveSet, Sampler, Terminal, evaluate, to_text

SHOP = PrimitiveSet(
    name="shop",
    functions=(ADD, SUB, MUL, DIV, SQRT),
    terminals=(
        Terminal("d", "item/day"),
        Terminal("k", "EUR"),
        Terminal("h", "EUR/item/day"),
        Constant("small", Sampler.INTEGER, 1, 3),
    ),
    units=UnitSystem(("item", "day", "EUR")),
)


@dataclass(frozen=True)
class Shops:
    """Shops on which formulas are judged: rows of d, k, h."""

    shops: np.ndarray
    reference_cost: float = 1.0

    def costs(self, forest, behaviour):
        d, k, h = self.shops.T
        q = np.abs(behaviour) + 1e-9  # what each formula orders in each shop
        return ((k * d / q + h * q / 2) / np.sqrt(2 * k * d * h)).mean(axis=1)


@dataclass(frozen=True)
class OrderQuantity:
    """The problem: what formulas are made of, the unit of the answer, and what a formula does."""

    shops: np.ndarray
    primitives = SHOP
    targets = (SHOP.units.dimension("item"),)

    def behaviour(self, forest):
        return evaluate(forest, SHOP, self.shops).values[:, 0]

    def draw(self, seed, effort=1):
        return Shops(self.shops)


def main(population: int = 256, generations: int = 20) -> None:
    shops = np.random.default_rng(1).uniform([1, 5, 0.01], [50, 80, 0.5], (40, 3))
    problem = OrderQuantity(shops)
    gpdr = recipe("gpdr")
    parameters = gpdr.parameters(population=population, generations=generations)
    outcome = run(problem, gpdr.build(problem, parameters, 1), parameters, seed=1)
    formula = to_text(outcome.best.forest[0][0], SHOP)
    print(f"order q = {formula}, which costs {outcome.best.costs[0]:.4f} times the least possible")


if __name__ == "__main__":
    main()
