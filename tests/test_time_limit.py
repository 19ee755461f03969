"""A block is interrupted when its time is up, and never afterwards."""

import math
import threading

import pytest

from structce.errors import RenderError
from structce.time_limit import time_limit


def spin(n_rounds=math.inf):
    """Go on for ever, whatever is raised that calls itself an error."""
    n_done = 0
    while n_done < n_rounds:
        try:
            n_done += 1
        except Exception:
            continue


def test_a_block_without_end_is_interrupted():
    with pytest.raises(RenderError, match=r"^page: took more than 0.1 seconds"):
        with time_limit(0.1, "page"):
            spin()


def test_any_thread_is_interrupted():
    found = []

    def work():
        try:
            with time_limit(0.1, "page"):
                spin()
        except RenderError as error:
            found.append(str(error))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert len(found) == 1


def test_the_inner_of_two_limits_may_be_the_first():
    with time_limit(600, "outer"):
        with pytest.raises(RenderError, match="inner"), time_limit(0.1, "inner"):
            spin()
        spin(1000)


def test_the_outer_of_two_limits_may_be_the_first():
    with pytest.raises(RenderError), time_limit(0.1, "outer"), time_limit(600, "inner"):
        spin()


def test_what_ends_in_time_is_not_interrupted_later():
    for _ in range(200):
        try:
            with time_limit(0.001, "page"):
                spin(2000)
        except RenderError:
            pass
        spin(2000)


def test_an_error_of_the_block_goes_its_way():
    with pytest.raises(KeyError), time_limit(600, "page"):
        raise KeyError


def test_there_need_be_no_limit():
    before = threading.active_count()
    with time_limit(math.inf, "page"):
        assert threading.active_count() == before
