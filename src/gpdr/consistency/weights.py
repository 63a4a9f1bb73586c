"""What changing a node costs."""

from __future__ import annotations

from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from gpdr.errors import InputError, unknown_name
from gpdr.expressions.forest import Forest
from gpdr.expressions.primitives import PrimitiveSet

T = TypeVar("T", bound=np.generic)
Weights = Literal["depth", "uniform", "size"] | NDArray[np.float64]


def weights_of_nodes(
    forest: Forest, primitives: PrimitiveSet, weights: Weights, fixed: str | NDArray[np.bool_]
) -> NDArray[np.float64]:
    """The price of each node of the forest; infinite for nodes that are to stay as they are.

    "depth": 1 at the root, 1/k at depth k. "uniform": 1. "size": the node's share of its tree, with all below it.
    """
    from gpdr.consistency._kernels.forest import node_weights

    prices = np.ones(len(forest.codes))
    if isinstance(weights, str):
        if weights not in ("depth", "uniform", "size"):
            raise unknown_name("weights", weights, ("depth", "uniform", "size"))
        if weights != "uniform":
            node_weights(primitives.table, forest.codes, forest.starts, weights == "size", prices)
    else:
        prices = _per_node("weights", np.array(weights, np.float64), forest)
        if not np.all(prices >= 0):
            raise InputError("weights: expected no number below 0 (infinite keeps a node as it is)")
    prices[_stay(forest, primitives, fixed)] = np.inf
    return prices


def scaled_weights(
    forest: Forest, primitives: PrimitiveSet, weights: Weights, fixed: str | NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Prices of the nodes, those of one's own with the dearest of each tree between 1 and 2; and what to multiply by.

    Costs are compared by absolute tolerances. Scales are powers of 2, so nothing is rounded.
    """
    prices = weights_of_nodes(forest, primitives, weights, fixed)
    if isinstance(weights, str):
        return prices, np.ones(len(forest.starts) - 1)
    dearest = np.maximum.reduceat(np.where(np.isfinite(prices), prices, 0.0), forest.starts[:-1])
    scales = np.where(dearest > 0, np.ldexp(1.0, np.frexp(dearest)[1] - 1), 1.0)
    return prices / np.repeat(scales, np.diff(forest.starts)), scales


def _stay(forest: Forest, primitives: PrimitiveSet, fixed: str | NDArray[np.bool_]) -> NDArray[np.bool_]:
    functions: NDArray[np.bool_] = forest.codes < len(primitives.functions)
    if not isinstance(fixed, str):
        return _per_node("fixed", np.asarray(fixed, np.bool_), forest)
    choices = {"none": np.zeros(len(functions), np.bool_), "functions": functions, "terminals": ~functions}
    if fixed not in choices:
        raise unknown_name("fixed", fixed, choices)
    return choices[fixed]


def _per_node(name: str, given: NDArray[T], forest: Forest) -> NDArray[T]:
    if given.shape != forest.codes.shape:
        raise InputError(
            f"{name}: expected one value for each of the {len(forest.codes)} nodes, got shape {given.shape}"
        )
    return given
