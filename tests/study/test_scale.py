"""A store of 100,000 runs: counting stays instant, a report takes minutes at most."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from gpdr.study.report import write_report
from gpdr.study.status import status
from gpdr.study.store import Store
from tests.study.fakes import imitation_store, imitation_study


@pytest.mark.slow
def test_a_hundred_thousand_runs(path: Path, tmp_path: Path) -> None:
    imitation_store(path, imitation_study(seeds=596))
    start = time.process_time()
    with Store.reading(path) as store:
        found = status(store)
    assert found.done == 24 * 7 * 596 + 24
    assert time.process_time() - start < 1.0
    start = time.process_time()
    with Store.reading(path) as store:
        write_report(store, tmp_path / "report")
    assert time.process_time() - start < 120.0
