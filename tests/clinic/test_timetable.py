"""From raw appointment times to timetables."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpdr.clinic import timetable, timetables
from gpdr.clinic.timetable import timetable_by_the_book
from gpdr.errors import InputError

raw_times = st.lists(st.floats(-50, 250) | st.floats(), min_size=1, max_size=12)


@pytest.mark.kernel
@given(raw_times, st.floats(1, 200))
def test_kernel_agrees_with_the_book(raw, session):
    times = timetable(raw, session)
    assert times.tolist() == timetable_by_the_book(raw, session)
    assert (times >= 0).all()
    assert (times <= session).all()
    assert (np.diff(times) >= 0).all()


@pytest.mark.kernel
def test_by_hand():
    nan, inf = float("nan"), float("inf")
    raw = [[-5, 10, 8, 300, 40], [nan, 10, nan, inf, -inf], [300, 10, 20, 20, 210]]
    assert timetables(raw, 210).tolist() == [[0, 10, 10, 10, 40], [0, 10, 10, 10, 10], [0, 10, 20, 20, 210]]
    with pytest.raises(InputError, match=r"raw: expected rows of appointment times, got an array of shape \(3,\)"):
        timetables([1.0, 2.0, 3.0], 210)
