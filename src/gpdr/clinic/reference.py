"""The simulator written for reading: one session, event by event; what the kernels are tested against.

It keeps the queue as a list of people and knows nothing of the shortcuts that make the kernels fast.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from gpdr.clinic.clinic import Clinic
from gpdr.clinic.scenarios import Scenarios


@dataclass
class Person:
    """A patient; `place` is his place among those who show up, None for a walk-in."""

    arrival: float
    place: int | None
    start: float = 0.0

    @property
    def wait(self) -> float:
        return self.start - self.arrival


@dataclass
class Session:
    """What happened in a session: people in the order served, and when the last service ended."""

    length: float
    served: list[Person] = field(default_factory=list)
    end: float = 0.0
    idle: float = 0.0

    def serve(self, person: Person, service: float) -> None:
        """The doctor takes this person next, waiting for him if he is not there yet."""
        person.start = max(self.end, person.arrival)
        if self.served:
            self.idle += person.start - self.end
        self.end = person.start + service
        self.served.append(person)

    @property
    def count(self) -> int:
        return max(1, len(self.served))

    @property
    def wait(self) -> float:
        return sum(person.wait for person in self.served) / self.count

    @property
    def idle_share(self) -> float:
        return (self.idle + max(0.0, self.length - self.end)) / self.count

    @property
    def overtime(self) -> float:
        return max(0.0, self.end - self.length) / self.count

    def cost(self, cost_ratio: float) -> float:
        return self.wait + cost_ratio * (10 * self.idle_share + 15 * self.overtime)


def simulate_session(
    clinic: Clinic, scheduled: Sequence[float], walk_ins: Sequence[float], services: Sequence[float]
) -> Session:
    """One session: when those who show up are told to come, when walk-ins arrive, how long services take.

    The n-th service, whoever gets it, takes the n-th of `services`.
    """
    queue = [Person(arrival, place) for place, arrival in enumerate(scheduled)]
    outside = [Person(arrival, None) for arrival in walk_ins]
    policy = _fourth_in_line if clinic.walk_in_policy == "fourth-in-line" else _when_free
    return policy(Session(clinic.session), queue, outside, iter(services))


def _fourth_in_line(session: Session, queue: list[Person], outside: list[Person], services: Iterator[float]) -> Session:
    """The queue begins as all who will show up. The doctor takes its head, and waits if he is not there yet."""
    while queue or outside:
        if not queue:
            queue.append(outside.pop(0))
        starts = max(session.end, queue[0].arrival)
        while outside and outside[0].arrival <= starts:
            _join_fourth(queue, outside.pop(0))
        session.serve(queue.pop(0), next(services))
    return session


def _join_fourth(queue: list[Person], walk_in: Person) -> None:
    """The fourth place of what is left, behind those who walked in before."""
    place = 3
    while place < len(queue) and queue[place].place is None:
        place += 1
    queue.insert(place, walk_in)


def _when_free(session: Session, queue: list[Person], outside: list[Person], services: Iterator[float]) -> Session:
    """The doctor never idles while somebody is there; a walk-in lets three scheduled patients go first at most."""
    while queue or outside:
        now = max(session.end, min(person.arrival for person in (*queue[:1], *outside[:1])))
        present = bool(queue) and queue[0].arrival <= now
        if outside and outside[0].arrival <= now:
            passed = [p for p in session.served if p.place is not None and p.start >= outside[0].arrival]
            if not present or len(passed) >= 3:
                session.serve(outside.pop(0), next(services))
                continue
        session.serve(queue.pop(0), next(services))
    return session


def sessions_of(scenarios: Scenarios, times: Sequence[float]) -> Iterator[Session]:
    """The drawn sessions under a timetable, one after another."""
    draws = scenarios.draws
    for r in range(scenarios.replications):
        shown = draws.shown[draws.shown_at[r] : draws.shown_at[r + 1]]
        walk_ins = draws.arrivals[draws.arrivals_at[r] : draws.arrivals_at[r + 1]]
        begin, end = draws.shown_at[r] + draws.arrivals_at[r], draws.shown_at[r + 1] + draws.arrivals_at[r + 1]
        scheduled = [float(times[place]) for place in shown]
        yield simulate_session(scenarios.clinic, scheduled, walk_ins.tolist(), draws.services[begin:end].tolist())
