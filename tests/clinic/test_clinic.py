"""A clinic's fields, checked; TOML; the published clinics."""

from __future__ import annotations

import math

import pytest

from gpdr.clinic import Clinic, Sample, paper_clinic, paper_clinics
from gpdr.clinic.service import Exponential, Gamma
from gpdr.errors import InputError


def test_defaults():
    clinic = Clinic(10, 21.0, 0.4)
    assert (clinic.session, clinic.sd, clinic.cost_ratio) == (210.0, pytest.approx(8.4), 0.1)
    assert (clinic.walk_in_policy, clinic.service, clinic.no_show, clinic.walk_in) == (
        "fourth-in-line",
        "lognormal",
        0.0,
        0.0,
    )
    assert Clinic(10, 21.0).cv == 0.4
    assert Clinic(10, 21.0, service="exponential").cv == 1.0
    assert Clinic(10, 21.0, service="deterministic").cv == 0.0
    assert Clinic(3, service=Gamma(12.0, 0.5)).mean_service == 12.0
    assert Clinic(3, service=Sample([10, 20])).sd == 5.0


_SHARE = "; it is a share of the patients, so 15 % is 0.15"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"patients": 0}, "patients: expected a whole number from 1 to 500, got 0"),
        ({"patients": 10**9}, "patients: expected a whole number from 1 to 500, got 1000000000"),
        ({"patients": 2.5}, "patients: expected a whole number from 1 to 500, got 2.5"),
        ({"patients": math.nan}, "patients: expected a whole number from 1 to 500, got nan"),
        ({"patients": True}, "patients: expected a whole number from 1 to 500, got True"),
        ({"patients": 10**400}, "patients: expected a whole number from 1 to 500, got " + "1" + "0" * 56 + "..."),
        ({"mean_service": 10**400}, "mean_service: expected a number above 0 up to 10000, got inf"),
        (
            {"service": 5},
            "service: expected one of lognormal, gamma, exponential, deterministic, "
            "or a distribution such as a Sample, got 5",
        ),
        ({"patients": "ten"}, "patients: expected a whole number from 1 to 500, got 'ten'"),
        ({"mean_service": 0}, "mean_service: expected a number above 0 up to 10000, got 0"),
        ({"mean_service": -3.0}, "mean_service: expected a number above 0 up to 10000, got -3"),
        ({"mean_service": math.inf}, "mean_service: expected a number above 0 up to 10000, got inf"),
        ({"mean_service": None}, "mean_service: expected the mean length of a service in minutes, got nothing"),
        ({"cv": -0.1}, "cv: expected a number from 0 to 10, got -0.1"),
        ({"cv": math.nan}, "cv: expected a number from 0 to 10, got nan"),
        ({"no_show": 1.0}, "no_show: expected a number from 0 to 0.99, got 1" + _SHARE),
        ({"no_show": 15}, "no_show: expected a number from 0 to 0.99, got 15" + _SHARE),
        ({"walk_in": -1}, "walk_in: expected a number from 0 to 5, got -1" + _SHARE),
        ({"session": 0}, "session: expected a number above 0 up to 5e+06, got 0"),
        ({"cost_ratio": -1}, "cost_ratio: expected a number from 0 to 1000, got -1"),
        (
            {"walk_in_policy": "whenfree"},
            "unknown walk_in_policy 'whenfree': choose one of fourth-in-line, when-free; did you mean when-free?",
        ),
        (
            {"service": "lognormale"},
            "unknown service 'lognormale': choose one of lognormal, gamma, exponential, deterministic; "
            "did you mean lognormal?",
        ),
        (
            {"service": "exponential", "cv": 0.4},
            "cv: exponential services have cv 1, got 0.4; leave it out or choose gamma",
        ),
        (
            {"service": "deterministic", "cv": 0.4},
            "cv: deterministic services have cv 0, got 0.4; leave it out or choose gamma",
        ),
        ({"service": Exponential(20.0)}, "mean_service: the service distribution has 20, got 21; leave it out"),
    ],
)
def test_bad_clinics(fields, message):
    with pytest.raises(InputError) as error:
        Clinic(**{"patients": 10, "mean_service": 21.0, **fields})
    assert str(error.value) == message


def test_toml(tmp_path):
    path = tmp_path / "clinic.toml"
    path.write_text('[clinic]\npatients = 12\nmean_service = 15\ncv = 0.5\nservice = "gamma"\nwalk_in = 0.2\n')
    assert Clinic.from_toml(path) == Clinic(12, 15.0, 0.5, walk_in=0.2, service="gamma")
    path.write_text("patients = 12\nmean_service = 15\n")
    assert Clinic.from_toml(path) == Clinic(12, 15.0)
    (tmp_path / "times.csv").write_text("day,minutes\n1,10\n2,20\n")
    path.write_text('patients = 3\n[service]\ndistribution = "sample"\nfile = "times.csv"\ncolumn = "minutes"\n')
    clinic = Clinic.from_toml(path)
    assert clinic.service == Sample([10, 20])
    assert Clinic.from_dict(clinic.as_dict()) == clinic
    assert hash(clinic) == hash(Clinic.from_dict(clinic.as_dict()))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("patient = 3", "unknown clinic field 'patient': choose one of patients, mean_service, cv"),
        ("mean_service = 3", "patients: expected the number of scheduled patients, got nothing"),
        ("patients = ", "not TOML: "),
        ("clinic = 3", "expected a table [clinic], got 3"),
        ("patients = -3\nmean_service = 10", "patients: expected a whole number from 1 to 500, got -3"),
        ('patients = 3\nservice = {distribution = "normal"}', "unknown service 'normal': choose one of lognormal"),
        ('patients = 3\nservice = {distribution = "gamma"}', "service: expected the mean length of a service"),
        ("patients = 3\nservice = 3", "service: expected one of lognormal, gamma, exponential, deterministic, or a"),
        ("patients = 3\nservice = {distribution = ['a']}", "unknown service \"['a']\": choose one of lognormal, gamma"),
        (
            "patients = 3\nservice = {distribution = 'gamma', mean = 9, sd = 5}",
            "unknown field of service gamma 'sd': choose one of distribution, mean, cv",
        ),
        (
            "patients = 3\nservice = {file = 'a.csv', colunm = 'x'}",
            "unknown field of service with a file 'colunm': choose one of distribution, file, column",
        ),
        ("patients = 3\nservice = {file = 'a.csv', column = 2}", "service: expected column as text, got 2"),
        ("patients = 3\nservice = {file = 4}", "service: expected file as text, got 4"),
        (
            "patients = 3\nservice = {file = 'a.csv', distribution = 'gamma'}",
            "service: expected distribution = \"sample\" with a file, got 'gamma'",
        ),
        (
            "patients = 3\nservice = {minutes = [1, 2], column = 'x'}",
            "unknown field of service sample 'column': choose one of distribution, mean, cv, minutes",
        ),
        ("walk_in = 1\n[clinic]\npatients = 3", "expected all in the table [clinic], got 'walk_in' beside it"),
        ("patients = 1" + "0" * 400, "patients: expected a whole number from 1 to 500, got 1000"),
        ("patients = 1" + "0" * 5000, "not TOML: "),
        ('patients = 3\nservice = {distribution = "sample"}', "service: expected minutes = [consultation times], got"),
    ],
)
def test_bad_toml(tmp_path, text, message):
    path = tmp_path / "clinic.toml"
    path.write_text(text)
    with pytest.raises(InputError) as error:
        Clinic.from_toml(path)
    assert str(error.value).startswith(f"clinic file {path}: {message}")
    assert "\n" not in str(error.value)


def test_missing_toml(tmp_path):
    with pytest.raises(InputError, match="No such file or directory"):
        Clinic.from_toml(tmp_path / "nothing.toml")


def test_paper_clinics():
    clinics = paper_clinics()
    assert len(clinics) == len(set(clinics)) == 24
    assert paper_clinic(1) == Clinic(10, 21.0, 0.4)
    assert paper_clinic(14) == Clinic(20, 10.5, 0.4, 0.0, 0.15)
    assert {clinic.session for clinic in clinics} == {210.0}
    for number in (0, 25, True, "1"):
        with pytest.raises(InputError, match="paper clinic: expected a number from 1 to 24"):
            paper_clinic(number)
