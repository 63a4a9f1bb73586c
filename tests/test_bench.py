"""What bench compares with does the same work."""

from __future__ import annotations

import numpy as np
import pytest
from bench._scalar_kernel import mean_cost

from gpdr.clinic import Clinic, draw_scenarios, mean_costs, timetables


@pytest.mark.parametrize("policy", ["fourth-in-line", "when-free"])
@pytest.mark.parametrize("walk_in", [0.0, 0.5])
def test_the_scalar_kernel_finds_the_same_cost(policy: str, walk_in: float) -> None:
    clinic = Clinic(9, 12.0, 0.7, no_show=0.2, walk_in=walk_in, walk_in_policy=policy)
    scenarios = draw_scenarios(clinic, 300, 1)
    times = timetables(np.arange(9)[None] * 11.0, clinic.session)
    prices = np.array([10.0, 15.0], np.float32) * np.float32(clinic.cost_ratio)
    fourth = policy == "fourth-in-line"
    found = mean_cost(times[0].astype(np.float32), scenarios.draws, prices, np.float32(clinic.session), fourth)
    assert found == pytest.approx(mean_costs(scenarios, times)[0], rel=1e-5)
