"""Comparisons on common random numbers, schedules and what is made of them."""

from __future__ import annotations

import csv
import io
import re
from datetime import date, datetime, timedelta
from itertools import product

import numpy as np
import pytest

from gpdr.clinic import Clinic, Rule, compare, draw_scenarios, mean_costs, paper_clinic, schedule, simulate
from gpdr.clinic.clock import clock, minutes_of
from gpdr.clinic.exports import parsed_date, to_csv, to_html, to_ics
from gpdr.clinic.figures import plot
from gpdr.clinic.reference import sessions_of
from gpdr.clinic.rounding import rounded, well_rounded
from gpdr.errors import InputError

CLINIC = Clinic(6, 17.0, 0.6, 0.1, 0.2)
EVEN = Rule("EVEN", lambda clinic: np.arange(clinic.patients) * 18.3)


def test_compare_is_what_simulate_says():
    outcome = compare(CLINIC, ["IBFI", EVEN], replications=3000, seed=5, threads=2)
    assert [rule.name for rule in outcome.rules] == ["IBFI", "EVEN"]
    for rule in outcome.rules:
        assert rule.performance == simulate(CLINIC, rule.times, 3000, seed=5)
    assert compare(CLINIC, ["IBFI", EVEN], replications=3000, seed=5, threads=1).as_dict() == outcome.as_dict()


def test_paired_differences():
    """Their interval is that of the differences session by session, far narrower than those of the costs."""
    outcome = compare(CLINIC, ["IBFI", EVEN], replications=4000, seed=2)
    a, b = (np.array(_costs(rule.times)) for rule in (outcome["IBFI"], outcome["EVEN"]))
    figure = outcome.difference("IBFI", "EVEN")
    half = 1.959963984540054 * (a - b).std(ddof=1) / np.sqrt(4000)
    assert figure.mean == pytest.approx((a - b).mean(), rel=1e-6)
    assert figure.ci95[1] - figure.mean == pytest.approx(half, rel=1e-6)
    assert outcome.difference("EVEN", "EVEN").ci95 == (0.0, 0.0)


def _costs(times):
    return [session.cost(CLINIC.cost_ratio) for session in sessions_of(draw_scenarios(CLINIC, 4000, 2), times)]


def test_the_optimum_may_be_named():
    clinic = Clinic(3, 17.0)
    named = compare(clinic, ["Optimum", "IBFI"], replications=50)
    assert named.as_dict() == compare(clinic, ["IBFI"], optimum=True, replications=50).as_dict()


def test_a_single_rule_needs_no_list():
    for one in ("IBFI", EVEN):
        assert compare(CLINIC, one, replications=50).as_dict() == compare(CLINIC, [one], replications=50).as_dict()


def test_bad_comparisons():
    with pytest.raises(InputError, match="rules: expected at least one rule, or the optimum"):
        compare(CLINIC, [])
    with pytest.raises(InputError, match="rules: IBFI is there twice; give each rule a name of its own"):
        compare(CLINIC, ["IBFI", "ibfi"])
    with pytest.raises(InputError, match="rule: expected a Rule or the name of one, got 3"):
        compare(CLINIC, [3])
    with pytest.raises(InputError, match="rule 'DOME': not in this comparison of IBFI"):
        compare(CLINIC, ["IBFI"], replications=10)["DOME"]


def test_rounding():
    times = np.array([0, 17.4, 37.5, 37.5, 99.0])
    assert rounded(times, 5, 100).tolist() == [0, 15, 40, 40, 100]
    assert rounded(times, 15, 99).tolist() == [0, 15, 45, 45, 90]  # 105 would be past the session
    clinic = Clinic(5, 20.0, 0.6)
    found = well_rounded(clinic, times, 15)
    assert (found % 15 == 0).all()
    assert (np.diff(found) >= 0).all()
    assert found[-1] <= clinic.session
    scenarios = draw_scenarios(clinic, 100_000, 99)
    naive, searched = mean_costs(scenarios, np.array([rounded(times, 15, clinic.session), found]))
    assert searched < naive
    with pytest.raises(InputError, match="round: expected a number above 0 up to 1440, got 0"):
        rounded(times, 0, 100)


def test_rounding_finds_the_best_of_the_times_beside():
    clinic, times = Clinic(5, 20.0, 0.5), np.array([0, 14.0, 36.0, 52.0, 84.0])
    grid = np.array([(0, *rest) for rest in product((10, 20), (30, 40), (50, 60), (80, 90))], float)
    costs = mean_costs(draw_scenarios(clinic, 50_000, 4), grid)
    found = well_rounded(clinic, times, 10)
    assert costs[(grid == found).all(axis=1)][0] <= costs.min() * 1.002
    assert found.tolist() != rounded(times, 10, clinic.session).tolist()


def test_times_on_the_grid_stay():
    clinic = Clinic(12, 15.0, 0.4, no_show=0.3)
    even = np.arange(12) * 15.0
    assert well_rounded(clinic, even, 5).tolist() == even.tolist()
    assert well_rounded(clinic, even + 0.4, 5)[3] in (45, 50)


def test_schedule():
    made = schedule(CLINIC, "IBFI", "08:30", 10, replications=2000)
    assert made.exact.times.tolist() == [17.0 * i for i in range(6)]
    assert made.nearest.times.tolist() == [0, 20, 30, 50, 70, 90]
    assert made.exact.performance == simulate(CLINIC, made.exact.times, 2000)
    assert made.chosen.performance.total_cost.mean <= made.nearest.performance.total_cost.mean * 1.01
    assert made.above_nearest.mean <= 0.2
    assert [slot.clock for slot in made.slots] == sorted(slot.clock for slot in made.slots)
    assert [patient for slot in made.slots for patient in slot.patients] == [1, 2, 3, 4, 5, 6]
    assert (abs(made.chosen.times - made.exact.times) < 10).all()
    to_the_minute = schedule(Clinic(5, 20.25), "IBFI", round=0, replications=500)
    assert to_the_minute.clocks == ["09:00", "09:20", "09:41", "10:01", "10:21"]
    assert to_the_minute.chosen.performance == simulate(Clinic(5, 20.25), [0, 20, 41, 61, 81], 500)
    assert schedule(Clinic(5, 20.25), "IBFI", round=1, replications=500).clocks == to_the_minute.clocks
    together = schedule(CLINIC, Rule("ALL", lambda clinic: np.zeros(clinic.patients)), round=60, replications=500)
    assert len(together.nearest.times) == 6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"start": "9 am"}, "start: expected a clock time from 00:00 to 23:59, got '9 am'"),
        ({"start": "24:00"}, "start: expected a clock time from 00:00 to 23:59, got '24:00'"),
        ({"start": "23:00"}, "start: the last patient would come after midnight; start before 22:35"),
        ({"start": 9}, "start: expected a clock time from 00:00 to 23:59, got 9"),
        (
            {"clinic": Clinic(100, 20.0)},
            "session: expected the last patient within a day, he would come after 1980 min",
        ),
        ({"round": -5}, "round: expected a whole number from 0 to 1440, got -5"),
        ({"round": 2.5}, "round: expected a whole number from 0 to 1440, got 2.5"),
        ({"round": float("nan")}, "round: expected a whole number from 0 to 1440, got nan"),
        ({"rule": 3}, "rule: expected a Rule or the name of one, got 3"),
        ({"rule": "BEST"}, "unknown rule 'BEST': choose one of IBFI, 2BEG, MBFI, OFFSET, DOME, RULE7, UNIVERSAL"),
    ],
)
def test_bad_schedules(arguments, message):
    with pytest.raises(InputError) as error:
        schedule(**{"clinic": CLINIC, "rule": "IBFI", **arguments})
    assert str(error.value).startswith(message)


def test_clock():
    assert minutes_of("9:05") == 545
    assert clock(545, 55.2) == "10:00"
    assert [clock(540, minutes) for minutes in (20.5, 21.5)] == ["09:21", "09:22"]  # halves up, both


def test_csv():
    made = schedule(CLINIC, "IBFI", "08:30", 10, replications=500)
    rows = list(csv.DictReader(io.StringIO(to_csv(made))))
    assert [row["clock"] for row in rows] == made.clocks
    assert [float(row["minutes"]) for row in rows] == made.chosen.times.tolist()
    assert [int(row["patient"]) for row in rows] == [1, 2, 3, 4, 5, 6]


def test_calendar():
    """Read as RFC 5545 says: lines end in CRLF, none above 75 bytes, folded ones joined."""
    name = "A rule; with, signs \\ and a name that is far too long for one line of a calendar, which folds ä ö ü"
    made = schedule(CLINIC, Rule(name, EVEN.formula), "08:30", 10, replications=500)
    text = to_ics(made, date(2027, 3, 1))
    lines = text.split("\r\n")
    assert lines.pop() == ""
    assert max(len(line.encode()) for line in lines) <= 75
    assert "\n" not in "".join(lines)
    unfolded = text.replace("\r\n ", "").split("\r\n")[:-1]
    assert unfolded[:2] == ["BEGIN:VCALENDAR", "VERSION:2.0"]
    assert unfolded[-1] == "END:VCALENDAR"
    events = [dict(line.split(":", 1) for line in event) for event in _events(unfolded)]
    assert len(events) == 6
    assert len({event["UID"] for event in events}) == 6
    opening = datetime(2027, 3, 1, 8, 30)
    for patient, (event, minutes) in enumerate(zip(events, made.chosen.times, strict=True), start=1):
        begin = datetime.strptime(event["DTSTART"], "%Y%m%dT%H%M%S")
        assert begin == opening + timedelta(minutes=float(minutes))
        assert datetime.strptime(event["DTEND"], "%Y%m%dT%H%M%S") - begin == timedelta(minutes=17)
        assert re.fullmatch(r"\d{8}T\d{6}Z", event["DTSTAMP"])
        assert event["SUMMARY"] == f"Patient {patient}"
        assert "rule\\; with\\, signs \\\\ and" in event["DESCRIPTION"]
    with pytest.raises(InputError, match=r"date: expected YYYY-MM-DD, got .1\.3\.2027."):
        parsed_date("1.3.2027")


def test_calendars_of_two_clinics_do_not_share_entries_and_a_new_timetable_moves_them():
    def entries(clinic=CLINIC, rule="IBFI", round=10, day=date(2027, 3, 1), start="08:30", title=""):
        made = schedule(clinic, rule, start, round, replications=100)
        return re.findall(r"UID:(.*)\r\n", to_ics(made, day, title))

    first = set(entries())
    assert len(first) == 6
    for moved in ({"rule": "2BEG"}, {"round": 5}, {"rule": EVEN}):
        assert set(entries(**moved)) == first
    for other in (
        {"clinic": Clinic(6, 17.0, 0.6, 0.1, 0.3)},
        {"day": date(2027, 3, 2)},
        {"start": "13:00"},
        {"title": "Dr. Ada"},
    ):
        assert not first & set(entries(**other))


def test_a_title_stands_in_calendar_and_page():
    made = schedule(CLINIC, "IBFI", "08:30", 10, replications=100)
    assert "SUMMARY:Dr. Ada\\, room 2: patient 1\r\n" in to_ics(made, date(2027, 3, 1), "Dr. Ada, room 2")
    assert "<h1>Dr. Ada &amp; Co: appointments from 08:30</h1>" in to_html(made, "Dr. Ada & Co")


def _events(lines):
    begin = [k for k, line in enumerate(lines) if line == "BEGIN:VEVENT"]
    end = [k for k, line in enumerate(lines) if line == "END:VEVENT"]
    return [lines[b + 1 : e] for b, e in zip(begin, end, strict=True)]


def test_page():
    made = schedule(CLINIC, Rule("<b>", EVEN.formula), "08:30", 10, replications=500)
    page = to_html(made)
    assert page.count("<tr>") == len(made.slots) + 1
    assert "<th>08:30</th>" in page
    assert "&lt;b&gt;" in page
    assert "<b>" not in page


def test_the_page_tells_the_overtime_of_a_session():
    clinic = Clinic(6, 17.0, 0.6, no_show=0.2, walk_in=0.8)
    made = schedule(clinic, "IBFI", replications=400)
    sessions = list(sessions_of(draw_scenarios(clinic, 400, 1), made.chosen.times))
    late = np.mean([max(0.0, session.end - session.length) for session in sessions])
    assert f"overtime {late:.0f} min</footer>" in to_html(made)
    assert f"{late:.0f}" != f"{6 * made.chosen.performance.overtime.mean:.0f}"  # not all served had an appointment


@pytest.mark.parametrize(("ending", "magic"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_figures(tmp_path, ending, magic):
    rules = compare(paper_clinic(1), ["IBFI", "DOME"], replications=200).rules
    first, second = tmp_path / f"a.{ending}", tmp_path / f"b.{ending}"
    plot(rules, first)
    plot(rules, second)
    assert first.read_bytes().startswith(magic)
    assert first.read_bytes() == second.read_bytes()


def test_a_figure_that_fails_leaves_nothing_behind(tmp_path, monkeypatch):
    def fail(self, path, **_):
        path.write_bytes(b"half a figure")
        raise OSError("disk full")

    monkeypatch.setattr("matplotlib.figure.Figure.savefig", fail)
    with pytest.raises(OSError, match="disk full"):
        plot(compare(Clinic(2, 10.0), ["IBFI"], replications=50).rules, tmp_path / "a.svg")
    assert list(tmp_path.iterdir()) == []


def test_figure_of_one_patient_and_of_a_bad_format(tmp_path):
    plot(compare(Clinic(1, 10.0), ["IBFI"], replications=50).rules, tmp_path / "one.svg")
    with pytest.raises(InputError, match=r"plot: expected a file ending in .pdf, .png, .svg, got 'a.gif'"):
        plot([], "a.gif")
