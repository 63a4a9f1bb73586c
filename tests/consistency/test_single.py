"""Arguments of `repair` and `best_repairs` that are wrong: one line each."""

from __future__ import annotations

from typing import Any

import pytest

from gpdr.consistency import best_repairs, repair
from gpdr.errors import InputError


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"seed": -1}, "seed: expected a whole number from 0, got -1"),
        ({"seed": 1.5}, "seed: expected a whole number from 0, got 1.5"),
        ({"most_changes": 1.5}, "most_changes: expected a whole number from 0, got 1.5"),
        ({"most_changes": -1}, "most_changes: expected a whole number from 0, got -1"),
        ({"target": None}, "target: expected a unit, like 'min', or a dimension, got None"),
    ],
)
@pytest.mark.parametrize("text", ["M", "M + 1"])
def test_wrong_arguments(text: str, wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as caught:
        repair(text, **{"target": "min", **wrong})
    assert str(caught.value) == said
    with pytest.raises(InputError) as caught:
        best_repairs(text, **{"target": "min", "count": 2, **wrong})
    assert str(caught.value) == said
