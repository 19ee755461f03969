"""The pause of the search for garbage ends with its function, however that ends."""

import gc

import pytest

from structce.runtime import without_collection


@pytest.fixture(autouse=True)
def running_collection():
    was_enabled = gc.isenabled()
    gc.enable()
    yield
    (gc.enable if was_enabled else gc.disable)()


@without_collection
def state(depth: int = 0) -> list[bool]:
    return [gc.isenabled(), *(state(depth - 1) if depth else [])]


def test_no_cycles_are_searched_for_inside_nor_in_nested_calls():
    assert state(2) == [False, False, False]
    assert gc.isenabled()


def test_the_search_goes_on_after_an_error():
    @without_collection
    def fail() -> None:
        raise ValueError("no page")

    with pytest.raises(ValueError, match="no page"):
        fail()
    assert gc.isenabled()


def test_a_search_that_was_off_stays_off():
    gc.disable()
    assert state() == [False]
    assert not gc.isenabled()


def test_arguments_and_name_are_those_of_the_function():
    assert state.__name__ == "state"
    assert len(state(depth=3)) == 4
