"""How long a service takes: the distributions a clinic may have, each drawn as float32 minutes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gpdr._checks import names, real, short
from gpdr.errors import InputError, unknown_name

MAX_MEAN, MAX_CV = 10_000.0, 10.0


class ServiceDistribution(Protocol):
    """What a clinic asks of its service times."""

    @property
    def name(self) -> str: ...
    @property
    def mean(self) -> float: ...
    @property
    def cv(self) -> float: ...
    def draw(self, generator: np.random.Generator, out: NDArray[np.float32]) -> None: ...
    def as_dict(self) -> dict[str, Any]: ...


@dataclass(frozen=True)
class _ByMeanAndCv:
    """A distribution known by its mean and coefficient of variation."""

    mean: float
    cv: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "mean", real("mean_service", self.mean, 0.0, MAX_MEAN, above=True))
        object.__setattr__(self, "cv", real("cv", self.cv, 0.0, MAX_CV))

    @property
    def name(self) -> str:
        return type(self).__name__.lower()

    def as_dict(self) -> dict[str, Any]:
        return {"distribution": self.name, "mean": self.mean, "cv": self.cv}


@dataclass(frozen=True)
class Lognormal(_ByMeanAndCv):
    """The usual shape of consultation times: the logarithm is normal."""

    def draw(self, generator: np.random.Generator, out: NDArray[np.float32]) -> None:
        from gpdr.clinic._normal_kernels import normals

        variance = math.log1p(self.cv**2)
        mean, deviation = np.float32(math.log(self.mean) - variance / 2), np.float32(math.sqrt(variance))
        normals(np.uint64(generator.bit_generator.random_raw()), mean, deviation, out)
        np.exp(out, out=out)


@dataclass(frozen=True)
class Gamma(_ByMeanAndCv):
    """Gamma, with Erlang-k as the case cv = 1 / sqrt(k)."""

    def draw(self, generator: np.random.Generator, out: NDArray[np.float32]) -> None:
        if self.cv == 0.0:
            out.fill(self.mean)
            return
        generator.standard_gamma(1.0 / self.cv**2, dtype=np.float32, out=out)
        out *= np.float32(self.mean * self.cv**2)


@dataclass(frozen=True)
class Exponential(_ByMeanAndCv):
    """Memoryless services: the coefficient of variation is 1."""

    cv: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.cv != 1.0:
            raise InputError(f"cv: exponential services have cv 1, got {self.cv:g}; leave it out or choose gamma")

    def draw(self, generator: np.random.Generator, out: NDArray[np.float32]) -> None:
        generator.standard_exponential(dtype=np.float32, out=out)
        out *= np.float32(self.mean)


@dataclass(frozen=True)
class Deterministic(_ByMeanAndCv):
    """Every service takes the mean: the coefficient of variation is 0."""

    cv: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.cv != 0.0:
            raise InputError(f"cv: deterministic services have cv 0, got {self.cv:g}; leave it out or choose gamma")

    def draw(self, generator: np.random.Generator, out: NDArray[np.float32]) -> None:
        out.fill(self.mean)


def checked_minutes(name: str, minutes: Iterable[object]) -> tuple[float, ...]:
    """Consultation times that can be worked with; an error tells which of them cannot."""
    return tuple(
        real(f"{name}, value {i}", value, 0.0, MAX_MEAN, above=True) for i, value in enumerate(minutes, start=1)
    )


@dataclass(frozen=True)
class Sample:
    """Past consultation times, drawn with replacement."""

    minutes: tuple[float, ...] = field(repr=False)

    def __init__(self, minutes: Iterable[float]) -> None:
        checked = checked_minutes("service sample", minutes)
        if len(checked) < 2:
            raise InputError(f"service sample: expected at least 2 consultation times, got {len(checked)}")
        object.__setattr__(self, "minutes", checked)

    @property
    def name(self) -> str:
        return "sample"

    @cached_property
    def _array(self) -> NDArray[np.float32]:
        return np.array(self.minutes, np.float32)

    @property
    def mean(self) -> float:
        return float(np.mean(self.minutes))

    @property
    def cv(self) -> float:
        return float(np.std(self.minutes)) / self.mean

    def draw(self, generator: np.random.Generator, out: NDArray[np.float32]) -> None:
        out[:] = self._array[generator.integers(0, self._array.size, out.size)]

    def as_dict(self) -> dict[str, Any]:
        return {"distribution": self.name, "mean": self.mean, "cv": self.cv, "minutes": list(self.minutes)}


_BY_NAME: dict[str, Callable[[float, float], ServiceDistribution]] = {
    "lognormal": Lognormal,
    "gamma": Gamma,
    "exponential": Exponential,
    "deterministic": Deterministic,
}
_FIXED_CV = {"exponential": 1.0, "deterministic": 0.0}
SERVICE_NAMES = tuple(_BY_NAME)


def usual_cv(name: str) -> float:
    """The coefficient of variation where none was given: what the distribution implies, else 0.4."""
    return _FIXED_CV.get(name, 0.4)


def named_distribution(name: str, mean: float, cv: float) -> ServiceDistribution:
    """The distribution of that name with this mean and coefficient of variation."""
    if name not in _BY_NAME:
        raise unknown_name("service", name, SERVICE_NAMES)
    return _BY_NAME[name](mean, cv)


def distribution_from_dict(values: dict[str, Any]) -> str | ServiceDistribution:
    """The distribution that `as_dict` described, or one written by hand in a clinic file."""
    kind = values.get("distribution", "sample" if "minutes" in values else None)
    if not isinstance(kind, str) or kind not in (*_BY_NAME, "sample"):
        raise unknown_name("service", str(kind), [*SERVICE_NAMES, "sample"])
    names(
        f"field of service {kind}", values, ("distribution", "mean", "cv", *(("minutes",) if kind == "sample" else ()))
    )
    mean, cv = values.get("mean"), values.get("cv")
    if kind == "sample":
        minutes = values.get("minutes")
        if not isinstance(minutes, list):
            raise InputError(f"service: expected minutes = [consultation times], got {short(minutes)}")
        return Sample(minutes)
    if mean is None:
        raise InputError("service: expected the mean length of a service in minutes, got nothing")
    return named_distribution(kind, mean, usual_cv(kind) if cv is None else cv)
