"""One sitting of a study: everything opened in the right order, and closed again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from gpdr.study.driver import Driver
from gpdr.study.events import Checked, Event
from gpdr.study.executors.base import Executor
from gpdr.study.plan import Study
from gpdr.study.status import Status, status
from gpdr.study.store import Store


def sit(
    study: Study,
    store: str | Path,
    executor: Executor,
    listen: Callable[[Event], None] = lambda event: None,
    retry_failed: bool = False,
    check: bool = False,
) -> Status:
    """Carries out what is missing of a study, and tells where it stands then.

    With `check`, every document of the store is tested first, and runs whose document is damaged are done again.
    """
    # The store first: it refuses a second driver before any worker starts.
    with Store.driving(store) as opened, executor:
        opened.sign(executor.workers)
        if check:
            listen(Checked(opened.forget_damaged()))
        Driver(study, opened, executor, listen).work(retry_failed)
        return status(opened, study.name)
