"""The clinic: who comes, how long a service takes, what waiting, idling and working late cost."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from gpdr._checks import names, real, short, whole
from gpdr.clinic.service import (
    MAX_CV,
    MAX_MEAN,
    SERVICE_NAMES,
    ServiceDistribution,
    named_distribution,
    usual_cv,
)
from gpdr.errors import InputError, unknown_name

WALK_IN_POLICIES = ("fourth-in-line", "when-free")
MAX_PATIENTS = 500


@dataclass(frozen=True)
class Clinic:
    """One session of one doctor.

    Attributes:
        patients: How many are scheduled, P in the rules.
        mean_service: Mean length of a consultation in minutes, M; a distribution as `service` knows it.
        cv: Its standard deviation divided by its mean; left out, 0.4, or what the distribution implies.
        no_show: Probability that a scheduled patient stays away, PN.
        walk_in: Expected walk-ins as a share of the scheduled patients, PW.
        session: Length of the session in minutes; left out, patients times mean_service.
        cost_ratio: What idling and overtime weigh against waiting, CR.
        walk_in_policy: Who is next: "fourth-in-line" or "when-free".
        service: "lognormal", "gamma", "exponential", "deterministic", or a distribution such as a Sample.
    """

    # Nobody meets a None: what was left out is a number once the clinic is made.
    patients: int
    mean_service: float = None  # type: ignore[assignment]
    cv: float = None  # type: ignore[assignment]
    no_show: float = 0.0
    walk_in: float = 0.0
    session: float = None  # type: ignore[assignment]
    cost_ratio: float = 0.1
    walk_in_policy: str = "fourth-in-line"
    service: str | ServiceDistribution = "lognormal"

    def __post_init__(self) -> None:
        def settle(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        settle("patients", whole("patients", self.patients, 1, MAX_PATIENTS))
        self._settle_service()
        settle("no_show", real("no_show", self.no_show, 0.0, 0.99, hint=_AS_A_SHARE))
        settle("walk_in", real("walk_in", self.walk_in, 0.0, 5.0, hint=_AS_A_SHARE))
        if self.session is None:
            settle("session", self.patients * self.mean_service)
        settle("session", real("session", self.session, 0.0, MAX_PATIENTS * MAX_MEAN, above=True))
        settle("cost_ratio", real("cost_ratio", self.cost_ratio, 0.0, 1000.0))
        if self.walk_in_policy not in WALK_IN_POLICIES:
            raise unknown_name("walk_in_policy", str(self.walk_in_policy), WALK_IN_POLICIES)

    def _settle_service(self) -> None:
        """Mean and coefficient of variation: given for a named distribution, known to any other."""
        mean, cv = self.mean_service, self.cv
        if isinstance(self.service, str):
            if mean is None:
                raise InputError("mean_service: expected the mean length of a service in minutes, got nothing")
            mean = real("mean_service", mean, 0.0, MAX_MEAN, above=True)
            cv = real("cv", usual_cv(self.service) if cv is None else cv, 0.0, MAX_CV)
            named_distribution(self.service, mean, cv)
        else:
            if not all(hasattr(self.service, name) for name in ("mean", "cv", "draw")):
                kinds = ", ".join(SERVICE_NAMES)
                came = short(self.service)
                raise InputError(f"service: expected one of {kinds}, or a distribution such as a Sample, got {came}")
            for name, given, known in (("mean_service", mean, self.service.mean), ("cv", cv, self.service.cv)):
                if given is not None and given != known:
                    raise InputError(f"{name}: the service distribution has {known:g}, got {given:g}; leave it out")
            mean, cv = self.service.mean, self.service.cv
        object.__setattr__(self, "mean_service", mean)
        object.__setattr__(self, "cv", cv)

    @property
    def sd(self) -> float:
        """Standard deviation of a service time, V in the rules."""
        return self.cv * self.mean_service

    @cached_property
    def distribution(self) -> ServiceDistribution:
        """What service times are drawn from."""
        if isinstance(self.service, str):
            return named_distribution(self.service, self.mean_service, self.cv)
        return self.service

    @property
    def label(self) -> str:
        """A short name for tables: what tells this clinic from its like."""
        parts = [f"P={self.patients}", f"M={self.mean_service:g}", f"CV={self.cv:g}"]
        parts += [f"PN={self.no_show:g}", f"PW={self.walk_in:g}"]
        return " ".join(parts)

    def as_dict(self) -> dict[str, Any]:
        """All fields as plain data; `Clinic.from_dict` reads it again."""
        plain = {field.name: getattr(self, field.name) for field in fields(self)}
        plain["service"] = self.service if isinstance(self.service, str) else self.service.as_dict()
        return plain

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Clinic:
        """A clinic from plain data; a name that is not a field is an error that lists the fields."""
        from gpdr.clinic.service import distribution_from_dict

        names("clinic field", values, [field.name for field in fields(cls)])
        if "patients" not in values:
            raise InputError("patients: expected the number of scheduled patients, got nothing")
        settled = dict(values)
        if isinstance(settled.get("service"), dict):
            settled["service"] = distribution_from_dict(settled["service"])
        return cls(**settled)

    @classmethod
    def from_toml(cls, path: str | Path) -> Clinic:
        """A clinic from a TOML file: the fields at the top, or in a table [clinic]."""
        try:
            values = tomllib.loads(Path(path).read_text("utf-8"))
        except OSError as error:
            raise InputError(f"clinic file {path}: {error.strerror or error}") from None
        except ValueError as error:  # not TOML, not UTF-8, or a number without end
            raise InputError(f"clinic file {path}: not TOML: {error}") from None
        table = values.get("clinic", values)
        if not isinstance(table, dict):
            raise InputError(f"clinic file {path}: expected a table [clinic], got {short(table)}")
        if table is not values and len(values) > 1:
            other = next(name for name in values if name != "clinic")
            raise InputError(f"clinic file {path}: expected all in the table [clinic], got {other!r} beside it")
        try:
            return cls.from_dict(_with_sample_read(table, Path(path).parent))
        except InputError as error:
            raise InputError(f"clinic file {path}: {error}") from None


def _with_sample_read(table: dict[str, Any], folder: Path) -> dict[str, Any]:
    """`service = {distribution = "sample", file = "times.csv", column = "minutes"}`, the file read."""
    service = table.get("service")
    if not isinstance(service, dict) or "file" not in service:
        return table
    from gpdr.clinic.consultations import read_minutes

    names("field of service with a file", service, ("distribution", "file", "column"))
    if service.get("distribution", "sample") != "sample":
        raise InputError(f'service: expected distribution = "sample" with a file, got {service["distribution"]!r}')
    for name in ("file", "column"):
        if name in service and not isinstance(service[name], str):
            raise InputError(f"service: expected {name} as text, got {short(service[name])}")
    minutes = read_minutes(folder / service["file"], service.get("column"))
    return {**table, "service": {"distribution": "sample", "minutes": minutes}}


_AS_A_SHARE = "; it is a share of the patients, so 15 % is 0.15"
