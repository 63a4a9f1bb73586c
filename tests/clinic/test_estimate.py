"""Mean and spread from past consultation times."""

from __future__ import annotations

import numpy as np
import pytest

from gpdr.clinic import estimate, read_minutes
from gpdr.errors import InputError


def test_estimate_of_lognormal_times():
    generator = np.random.default_rng(1)
    sigma = np.sqrt(np.log(1.25))
    inside = []
    for _ in range(200):
        found = estimate(list(generator.lognormal(np.log(20) - sigma**2 / 2, sigma, 150)))
        inside.append(
            [
                found.mean.ci95[0] <= 20 <= found.mean.ci95[1],
                found.cv.ci95[0] <= 0.5 <= found.cv.ci95[1],
                found.p_value >= 0.05,
            ]
        )
    mean, cv, fits = np.mean(inside, axis=0)
    assert 0.9 <= mean <= 0.99
    assert 0.85 <= cv <= 0.99  # the usual undercoverage of a skewed sample
    assert 0.9 <= fits <= 0.99
    assert found.verdict.startswith("a lognormal fits")


def test_estimate_of_other_times():
    two_kinds = [5.0 + 0.01 * k for k in range(100)] + [40.0 + 0.01 * k for k in range(100)]
    found = estimate(two_kinds)
    assert found.verdict == "a lognormal fits badly: use the sample itself as the service distribution"
    assert found.mean.mean == pytest.approx(np.mean(two_kinds))
    assert found.cv.mean == pytest.approx(np.std(two_kinds, ddof=1) / np.mean(two_kinds))
    slightly_off = np.random.default_rng(2).gamma(6, 3, 6000)
    assert estimate(list(slightly_off)).verdict == "a lognormal fits well enough for planning, though not exactly"


@pytest.mark.parametrize("step", [1.0, 5.0])
@pytest.mark.parametrize("size", [60, 2000])
def test_times_noted_to_whole_minutes_are_judged_as_what_they_were(step, size):
    generator = np.random.default_rng(3)
    sigma = np.sqrt(np.log(1.16))

    def noted(exact):
        return list(np.maximum(step, step * np.round(exact / step)))

    lognormal = [noted(generator.lognormal(3 - sigma**2 / 2, sigma, size)) for _ in range(60)]
    assert np.mean([estimate(times).p_value >= 0.05 for times in lognormal]) >= 0.85
    two_kinds = [noted(generator.normal(np.repeat([12, 40], size // 2), 2.0)) for _ in range(20)]
    assert all("badly" in estimate(times).verdict for times in two_kinds)


@pytest.mark.parametrize(
    ("minutes", "message"),
    [
        ([10.0] * 7, "consultation times: expected at least 8, got 7"),
        ([10.0] * 8 + [-1.0], "consultation times, value 9: expected a number above 0 up to 10000, got -1"),
        ([10.0] * 8 + [float("nan")], "consultation times, value 9: expected a number above 0 up to 10000, got nan"),
        ([10.0] * 8 + ["10"], "consultation times, value 9: expected a number above 0 up to 10000, got '10'"),
        ([10.0] * 9, "consultation times: all are the same; choose --service deterministic"),
    ],
)
def test_too_little_to_go_by(minutes, message):
    with pytest.raises(InputError) as error:
        estimate(minutes)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("10\n20\n", None, [10, 20]),
        ("minutes\n10\n20.5\n", None, [10, 20.5]),
        ("\ufeffminutes\n10\n\n20\n", None, [10, 20]),
        ("day,minutes\n1,10\n2,20\n", "minutes", [10, 20]),
        ('day, minutes\n1,"10"\n2,20\n', "minutes", [10, 20]),
        ("day,minutes\n1,10,,\n2,20,,\n", "minutes", [10, 20]),
        ("day;minutes\n1;10,5\n2;20\n3;7.25\n", "minutes", [10.5, 20, 7.25]),
        ("\ufeffday;minutes\r\n1;10,5\r\n2;20\r\n", "minutes", [10.5, 20]),
        ("day\tminutes\n1\t10,5\n2\t20\n", "minutes", [10.5, 20]),
        ("minutes;\n10,5;\n20;\n", "minutes", [10.5, 20]),
    ],
)
def test_reading(tmp_path, text, column, expected):
    path = tmp_path / "times.csv"
    path.write_text(text, "utf-8")
    assert read_minutes(path, column) == expected


_DECIMALS = "; write decimals with a point, or separate columns by semicolons"


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", None, ": expected consultation times, the file is empty"),
        ("day,minutes\n1,2\n", None, ": has 2 columns; choose one with --column: day, minutes"),
        ("minutes\n10\nten\n", None, ", line 3: expected minutes above 0 up to 10000, got 'ten'"),
        ("minutes\n10\n-4\n", None, ", line 3: expected minutes above 0 up to 10000, got '-4'"),
        ("minutes\n10\nnan\n", None, ", line 3: expected minutes above 0 up to 10000, got 'nan'"),
        ("minutes\n10\n1_0\n", None, ", line 3: expected minutes above 0 up to 10000, got '1_0'"),
        ("minutes\n10\n\n\n-4\n", None, ", line 5: expected minutes above 0 up to 10000, got '-4'"),
        ("minutes\n10\n12,5\n", None, ", line 3: expected 1 cell as in the first line, got 2" + _DECIMALS),
        ("day,minutes\n1,12,5\n", "minutes", ", line 2: expected 2 cells as in the first line, got 3" + _DECIMALS),
        ("10\n12,5\n", None, ", line 2: expected 1 cell as in the first line, got 2" + _DECIMALS),
        (
            "10,5\n12,5\n",
            None,
            ": has 2 columns without names; name them in the first line, and write decimals with a point",
        ),
        ('minutes\n"10,5"\n', None, ", line 2: expected minutes above 0 up to 10000, got '10,5'"),
        ("day;minutes\n1;1.234,5\n", "minutes", ", line 2: expected minutes above 0 up to 10000, got '1.234,5'"),
        ("day,minutes\n1,10\n2\n", "minutes", ", line 3: expected minutes above 0 up to 10000, got ''"),
    ],
)
def test_bad_files(tmp_path, text, column, message):
    path = tmp_path / "times.csv"
    path.write_text(text)
    with pytest.raises(InputError) as error:
        read_minutes(path, column)
    assert str(error.value) == f"{path}{message}"


def test_other_bad_files(tmp_path):
    path = tmp_path / "times.csv"
    path.write_text("day,minutes\n1,2\n")
    with pytest.raises(InputError, match="'minute': choose one of day, minutes; did you mean minutes"):
        read_minutes(path, "minute")
    with pytest.raises(InputError, match="No such file or directory"):
        read_minutes(tmp_path / "nothing.csv")
    path.write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(InputError, match="not a CSV file"):
        read_minutes(path)
