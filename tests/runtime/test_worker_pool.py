"""Worker processes: copies of this one where that is safe, else fresh ones; each may die."""

import multiprocessing
import os
import threading
from functools import partial

import pytest

from structce.errors import RenderError, SourceError
from structce.runtime import WorkerPool
from structce.runtime.worker_pool import _serve, _Worker, can_fork

HERE = []  # what only this process and its copies have
DEADLY, WRONG = -1, -2


def start():
    return partial(work, [])


def work(seen, item):
    """Return the item, what the process has of this one, its number, and all items that it got."""
    if item == DEADLY:
        os._exit(7)
    if item == WRONG:
        raise SourceError("no page")
    seen.append(item)
    return item, list(HERE), os.getpid(), list(seen)


@pytest.fixture
def secret():
    HERE.append("secret")
    yield HERE
    HERE.clear()


def pool_of(workers, **given):
    return WorkerPool(start, workers, seconds=60, **given)


def results(pool, items):
    try:
        return [future.result() for future in [pool.submit(item, str(item)) for item in items]]
    finally:
        pool.close()


def test_process_is_replaced_after_its_share_of_items(secret):
    answers = results(pool_of(1, most_items=2), range(5))
    assert [items for *_, items in answers] == [[0], [0, 1], [2], [2, 3], [4]]
    assert all(here == [] for _, here, *_ in answers)


def test_copy_has_what_this_process_has_and_its_replacement_not(secret):
    if not can_fork():
        pytest.skip("threads of other tests are running")
    outcomes = results(pool_of(2, work=start()), range(6))
    assert [item for item, *_ in outcomes] == list(range(6))
    assert all(here == ["secret"] for _, here, _, _ in outcomes)
    pool = pool_of(1, work=start())
    try:
        with pytest.raises(RenderError, match=r"two: the process that rendered it died .*7"):
            pool.submit(DEADLY, "two").result()
        with pytest.raises(RenderError, match="no page"):
            pool.submit(WRONG, "three").result()
        assert pool.submit(4, "four").result()[1] == []
    finally:
        pool.close()


def test_process_is_not_copied_while_another_thread_runs(secret):
    ready = threading.Event()
    other = threading.Thread(target=ready.wait)
    other.start()
    try:
        pool = pool_of(1, work=start())
    finally:
        ready.set()
        other.join()
    assert results(pool, [1])[0][1] == []


def test_results_are_in_order_and_failures_alone():
    asked = []

    def items():
        for item in (1, 2, WRONG, *range(3, 30)):
            asked.append(item)
            yield item, str(item)

    outcomes = pool_of(1).run_ahead(items())
    item, future = next(outcomes)
    assert (item, future.result()[0]) == (1, 1)
    assert len(asked) < 10  # a few ahead of what was yielded
    rest = [(item, future.exception()) for item, future in outcomes]
    assert [item for item, _ in rest] == asked[1:]
    assert [item for item, error in rest if error] == [WRONG]


def test_started_processes_are_ended_where_another_cannot_start(monkeypatch):
    started = []

    def start_once(worker, *given):
        if started:
            raise OSError(24, "Too many open files")
        started.append(worker)
        return begin(worker, *given)

    begin = _Worker.run
    monkeypatch.setattr(_Worker, "run", start_once)
    with pytest.raises(OSError, match="Too many open files"):
        WorkerPool(start, 2, seconds=60)
    assert started[0].running is None


def test_process_whose_pool_is_gone_ends_without_a_word():
    near, far = multiprocessing.Pipe()
    near.close()
    _serve(far, start())
