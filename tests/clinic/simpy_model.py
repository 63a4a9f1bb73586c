"""A session in SimPy, written from the description of the clinic: processes, events and a queue that is a list."""

from __future__ import annotations

from dataclasses import dataclass, field

import simpy


@dataclass
class Outcome:
    starts: list[float] = field(default_factory=list)
    wait: float = 0.0
    idle: float = 0.0
    end: float = 0.0


class _Session:
    def __init__(self, policy, scheduled, walk_ins, services):
        self.policy, self.services = policy, iter(services)
        self.env = simpy.Environment()
        self.left = [("scheduled", arrival) for arrival in scheduled]
        self.to_come = len(walk_ins)
        self.waiting = []  # walk-ins that are present, under when-free
        self.outcome = Outcome()
        self.change = self.env.event()
        self.scheduled_starts = []
        for arrival in walk_ins:
            self.env.process(self.walk_in(arrival))
        for arrival in scheduled:
            self.env.process(self.arrive(arrival))
        self.env.process(self.doctor())

    def announce(self):
        self.change.succeed()
        self.change = self.env.event()

    def arrive(self, arrival):
        yield self.env.timeout(arrival)
        self.announce()

    def walk_in(self, arrival):
        yield self.env.timeout(arrival)
        self.to_come -= 1
        if self.policy == "fourth-in-line":
            place = 3
            while place < len(self.left) and self.left[place][0] == "walk-in":
                place += 1
            self.left.insert(place, ("walk-in", arrival))
        else:
            self.waiting.append(arrival)
        self.announce()

    def choose(self):
        """Whom to take now, or None to wait for something to happen."""
        now = self.env.now
        here = bool(self.left) and self.left[0][1] <= now
        if self.policy == "when-free" and self.waiting:
            passed = sum(start >= self.waiting[0] for start in self.scheduled_starts)
            if not here or passed >= 3:
                return ("walk-in", self.waiting.pop(0))
        return self.left.pop(0) if here else None

    def doctor(self):
        first = True
        while self.left or self.waiting or self.to_come:
            person = self.choose()
            if person is None:
                yield self.change
                continue
            kind, arrival = person
            start = self.env.now
            if kind == "scheduled":
                self.scheduled_starts.append(start)
            self.outcome.starts.append(start)
            self.outcome.wait += start - arrival
            if not first:
                self.outcome.idle += start - self.outcome.end
            first = False
            yield self.env.timeout(next(self.services))
            self.outcome.end = self.env.now


def simpy_session(policy, scheduled, walk_ins, services):
    """Run one session; the n-th service takes the n-th of `services`."""
    session = _Session(policy, scheduled, walk_ins, services)
    session.env.run()
    return session.outcome
