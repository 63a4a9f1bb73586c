"""Schedules as files: a table for spreadsheets, entries for calendars, a page for the printer."""

from __future__ import annotations

import csv
import html
import io
import json
import uuid
from datetime import date, datetime, timedelta

from gpdr.clinic.clock import minutes_of
from gpdr.clinic.schedule import Schedule
from gpdr.errors import InputError

_NAMESPACE = uuid.UUID("5f0ae0f5-6d5c-4b5b-9b43-0a6c1f0f8a4e")


def to_csv(schedule: Schedule) -> str:
    """A line for each patient: when to come, and the wait to be expected."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["patient", "clock", "minutes", "expected_wait"])
    waits = schedule.chosen.performance.wait_by_position
    rows = zip(schedule.clocks, schedule.chosen.times, waits, strict=True)
    for patient, (at, minutes, wait) in enumerate(rows, start=1):
        writer.writerow([patient, at, f"{minutes:g}", "" if wait is None else f"{wait.mean:.1f}"])
    return text.getvalue()


def parsed_date(text: str) -> date:
    """A date YYYY-MM-DD."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputError(f"date: expected YYYY-MM-DD, got {text!r}") from None


def to_ics(schedule: Schedule, day: date, title: str = "") -> str:
    """iCalendar (RFC 5545): an entry for each patient, in the local time of whoever opens it.

    An entry is known by title, clinic, day, start and patient, so that another timetable for them moves the entries.
    """
    midnight = datetime(day.year, day.month, day.day)
    opening = midnight + timedelta(minutes=minutes_of(schedule.start))
    session = [title, schedule.clinic.as_dict(), f"{opening:%Y%m%dT%H%M}"]
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//gpdr//appointments//EN", "CALSCALE:GREGORIAN"]
    for patient, minutes in enumerate(schedule.chosen.times, start=1):
        begin = opening + timedelta(minutes=int(minutes))
        end = begin + timedelta(minutes=max(1, round(schedule.clinic.mean_service)))
        identity = uuid.uuid5(_NAMESPACE, json.dumps([session, patient]))
        lines += [
            "BEGIN:VEVENT",
            f"UID:{identity}",
            f"DTSTAMP:{day:%Y%m%d}T000000Z",
            f"DTSTART:{begin:%Y%m%dT%H%M%S}",
            f"DTEND:{end:%Y%m%dT%H%M%S}",
            f"SUMMARY:{_escaped(f'{title}: patient {patient}' if title else f'Patient {patient}')}",
            f"DESCRIPTION:{_escaped(f'Rule {schedule.exact.name}; {schedule.clinic.label}')}",
            "END:VEVENT",
        ]
    lines.append("END:VCALENDAR")
    return "".join(_folded(line) + "\r\n" for line in lines)


def _escaped(text: str) -> str:
    """Text as iCalendar wants it."""
    for sign in ("\\", ";", ","):
        text = text.replace(sign, "\\" + sign)
    return " ".join(text.split())


def _folded(line: str) -> str:
    """At most 75 bytes on a line; what follows begins with a space."""
    pieces: list[str] = []
    piece = ""
    for sign in line:
        if len((piece + sign).encode()) > (75 if not pieces else 74):
            pieces.append(piece)
            piece = ""
        piece += sign
    return "\r\n ".join([*pieces, piece])


def to_html(schedule: Schedule, title: str = "") -> str:
    """A page to print and hang up: a line for each time, with room for names."""
    heading = f"{title}: appointments from {schedule.start}" if title else f"Appointments from {schedule.start}"
    rows = "\n".join(
        f"<tr><th>{slot.clock}</th><td>{len(slot.patients)}</td>"
        f"<td>{', '.join(map(str, slot.patients))}</td><td></td></tr>"
        for slot in schedule.slots
    )
    cost = schedule.chosen.performance
    remark = (
        f"{schedule.exact.name}; {schedule.clinic.label}; expected wait {cost.wait.mean:.0f} min, "
        f"overtime {cost.session_overtime.mean:.0f} min"
    )
    return _PAGE.format(title=html.escape(heading), rows=rows, remark=html.escape(remark))


_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<style>
body {{ font: 14pt/1.5 sans-serif; margin: 2cm auto; max-width: 17cm; }}
table {{ border-collapse: collapse; width: 100%; }}
th, td {{ border-bottom: 1px solid #999; padding: 0.2em 0.6em; text-align: left; }}
td:last-child {{ width: 55%; }}
footer {{ color: #555; font-size: 10pt; margin-top: 1em; }}
@media print {{ body {{ margin: 0; }} }}
</style>
</head>
<body>
<h1>{title}</h1>
<table>
<thead><tr><th>Time</th><th>Patients</th><th>Places</th><th>Names</th></tr></thead>
<tbody>
{rows}
</tbody>
</table>
<footer>{remark}</footer>
</body>
</html>
"""
