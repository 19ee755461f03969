"""How long a block takes, and how much memory."""

import threading
from types import SimpleNamespace

import numpy as np
import pytest

from structce.experiments import fit
from structce.experiments.fit import Meter


def test_a_block_that_allocates_shows_how_much():
    with Meter() as meter:
        block = np.ones(10_000_000)  # 80 MB, every page of it touched
    assert block.nbytes == 80_000_000
    assert meter.megabytes >= 60
    assert meter.seconds > 0


class Process:
    """A process whose memory the test chooses; it notes when that is looked at."""

    def __init__(self):
        self.rss, self.seen = 5_000_000, threading.Event()

    def memory_info(self):
        self.seen.set()
        return SimpleNamespace(rss=self.rss)


def test_the_most_counts_and_not_what_is_left(monkeypatch):
    process = Process()
    monkeypatch.setattr(fit.psutil, "Process", lambda: process)
    with Meter() as meter:
        for rss in (25_000_000, 3_000_000):
            process.rss = rss
            process.seen.clear()
            assert process.seen.wait(10)  # until somebody has looked at it
    assert meter.megabytes == 20
    process.rss = 3_000_000
    with Meter() as meter:
        process.rss = 1_000_000
    assert meter.megabytes == 0


def test_a_block_that_does_nothing_takes_no_less_than_nothing():
    with Meter() as meter:
        pass
    assert meter.seconds >= 0
    assert meter.megabytes >= 0


def test_a_block_that_raises_is_measured_and_its_error_goes_on():
    meter = Meter()
    with pytest.raises(ZeroDivisionError), meter:
        _ = 1 / 0
    assert meter.seconds >= 0
    assert meter.megabytes >= 0
    assert not meter._watcher.is_alive()
