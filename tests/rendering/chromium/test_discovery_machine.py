"""Commands that are run on the machine itself, and what they tell when they fail."""

import os
import sys

import pytest

from structce.rendering.chromium.discovery import CommandResult, list_names, run_command

NO_LIBRARY = "/x: error while loading shared libraries: libnss3.so: cannot open shared object"


def test_a_command_gives_its_code_and_its_output():
    code = "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"
    assert run_command([sys.executable, "-c", code], 60) == CommandResult(3, "out\n", "err\n")


def test_a_command_that_cannot_be_started_is_an_outcome(tmp_path):
    outcome = run_command([str(tmp_path / "none")], 60)
    assert outcome.code == 127
    assert "No such file" in outcome.reason()


@pytest.mark.skipif(os.name == "nt", reason="process groups are of POSIX")
def test_a_command_without_an_answer_is_ended_with_what_it_started():
    child = f"{sys.executable} -c 'import time; time.sleep(600)'"
    outcome = run_command(["sh", "-c", f"{child} & wait"], 0.5)  # or this test never ends
    assert outcome == CommandResult(124, "", "no answer in 0.5 s")


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        (CommandResult(1, "a\nb\n\n"), "b"),
        (CommandResult(1, "", "Reading\nE: first\nE: second\nbye\n"), "E: first"),
        (CommandResult(127, "", f"{NO_LIBRARY}\n"), NO_LIBRARY),
        (
            CommandResult(1, "", "Error: no download, caused by\nError: no net\n"),
            "Error: no download, caused by Error: no net",
        ),
        (CommandResult(5), "exit 5"),
    ],
)
def test_the_reason_is_the_line_that_tells_most(outcome, reason):
    assert outcome.reason() == reason


def test_a_folder_that_is_not_there_holds_no_names(tmp_path):
    (tmp_path / "b").touch()
    (tmp_path / "a").touch()
    assert list_names(tmp_path) == ["a", "b"]
    assert list_names(tmp_path / "none") == []
