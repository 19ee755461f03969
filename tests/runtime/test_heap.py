"""Freed memory is returned to the system now and then, and only where the C library can."""

import ctypes
import gc

import pytest

from structce.runtime import heap, without_collection


@pytest.fixture
def returns(monkeypatch):
    """The lengths of memory that the C library is asked to keep."""
    asked: list[int] = []
    monkeypatch.setattr(heap, "_trim", lambda: asked.append)
    return asked


@pytest.fixture(autouse=True)
def running_collection():
    was_enabled = gc.isenabled()
    gc.enable()
    yield
    (gc.enable if was_enabled else gc.disable)()


@without_collection
def work(depth: int = 0) -> None:
    if depth:
        work(depth - 1)


def test_memory_is_returned_once_in_a_period_of_pages(returns):
    for _ in range(3 * heap.PERIOD):
        work()
    assert returns == [0, 0, 0]


def test_parts_of_the_work_on_a_page_do_not_count(returns):
    for _ in range(heap.PERIOD):
        work(depth=5)
    assert returns == [0]


def test_work_that_fails_counts(returns):
    @without_collection
    def fail() -> None:
        raise ValueError("no page")

    for _ in range(heap.PERIOD):
        with pytest.raises(ValueError, match="no page"):
            fail()
    assert returns == [0]


@pytest.mark.parametrize("error", [OSError, TypeError, AttributeError])
def test_another_c_library_keeps_its_memory(monkeypatch, error):
    def load(name: object) -> object:
        raise error(name)

    monkeypatch.setattr(ctypes, "CDLL", load)
    heap._trim.cache_clear()
    heap.return_memory()
    heap._trim.cache_clear()
