"""A call is interrupted when its time is up, and never afterwards."""

import math
import threading
from functools import partial

import pytest

from structce.errors import RenderError
from structce.runtime import call_within


def spin(n_rounds=math.inf):
    """Go on for ever, whatever is raised that calls itself an error."""
    n_done = 0
    while n_done < n_rounds:
        try:
            n_done += 1
        except Exception:
            continue


def test_a_call_without_end_is_interrupted():
    with pytest.raises(RenderError, match=r"^page: took longer than the limit of 0.1 seconds"):
        call_within(0.1, "page", spin)


def test_any_thread_is_interrupted():
    errors = []

    def work():
        try:
            call_within(0.1, "page", spin)
        except RenderError as error:
            errors.append(str(error))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert len(errors) == 1


def test_the_inner_of_two_limits_may_be_the_first():
    def outer():
        with pytest.raises(RenderError, match="inner"):
            call_within(0.1, "inner", spin)
        spin(1000)
        return "done"

    assert call_within(600, "outer", outer) == "done"


def test_the_outer_of_two_limits_may_be_the_first():
    with pytest.raises(RenderError):
        call_within(0.1, "outer", partial(call_within, 600, "inner", spin))


def test_what_ends_in_time_is_not_interrupted_later():
    for n in range(300):
        try:
            call_within(0.0005, "page", partial(spin, 20 * n))
        except RenderError:
            continue
        spin(2000)


def test_an_error_of_the_call_goes_its_way():
    with pytest.raises(KeyError):
        call_within(600, "page", partial({}.__getitem__, "x"))


def test_there_need_be_no_limit():
    before = threading.active_count()
    assert call_within(math.inf, "page", threading.active_count) == before
