"""The collector is paused during the work on a page, and freed memory is returned now and then."""

import ctypes
import gc

import pytest

from structce.runtime import memory, without_collection


@pytest.fixture(autouse=True)
def running_collection():
    was_enabled = gc.isenabled()
    gc.enable()
    yield
    (gc.enable if was_enabled else gc.disable)()


@pytest.fixture
def returns(monkeypatch):
    """The lengths of memory that the C library is asked to keep."""
    asked = []
    monkeypatch.setattr(memory, "_trim", lambda: asked.append)
    return asked


@without_collection
def state(depth=0):
    return [gc.isenabled(), *(state(depth - 1) if depth else [])]


@without_collection
def fail():
    raise ValueError("no page")


def test_no_cycles_are_searched_for_inside_nor_in_nested_calls():
    assert state(2) == [False, False, False]
    assert gc.isenabled()
    with pytest.raises(ValueError, match="no page"):
        fail()
    assert gc.isenabled()
    gc.disable()
    assert state() == [False]
    assert not gc.isenabled()


def test_memory_is_returned_once_in_a_period_of_pages(returns):
    for _ in range(3 * memory.PERIOD):
        state(depth=2)
    for _ in range(memory.PERIOD):
        with pytest.raises(ValueError, match="no page"):
            fail()
    assert returns == [0, 0, 0, 0]


@pytest.mark.parametrize("error", [OSError, TypeError, AttributeError])
def test_another_c_library_keeps_its_memory(monkeypatch, error):
    def load(name):
        raise error(name)

    monkeypatch.setattr(ctypes, "CDLL", load)
    memory._trim.cache_clear()
    memory.return_memory()
    memory._trim.cache_clear()
