"""A call is interrupted when its time is up, and never afterwards."""

import math
import os
import threading
from functools import partial

import pytest

from structce.errors import RenderError
from structce.runtime import call_within
from structce.runtime.time_limit import WATCHER


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


# An interruption that lands in a callback of the interpreter is dropped there, and sent again.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_nested_limits_end_and_leave_one_thread():
    def work():
        while True:
            call_within(30, "inner", lambda: None)

    for _ in range(20):
        with pytest.raises(RenderError):
            call_within(0.01, "outer", work)
    watchers = [thread for thread in threading.enumerate() if thread.name == WATCHER]
    assert len(watchers) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_forked_process_has_a_watcher_of_its_own():
    call_within(600, "page", list)
    child = os.fork()
    if not child:
        try:
            call_within(0.01, "page", spin)
        except RenderError:
            os._exit(3)
        os._exit(4)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3
