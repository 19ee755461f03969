"""``structce engines`` as a user runs it."""

from __future__ import annotations

import json
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def engines(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run ``structce engines`` in a Python whose packages are elsewhere."""
    monkeypatch.setattr(sysconfig, "get_path", lambda *_: str(tmp_path / "packages"))
    return lambda *arguments: run("engines", *arguments)


def home(tmp_path: Path) -> Path:
    return tmp_path / "packages" / "structce-engines" / "pystruct-0.3.2"


@pytest.mark.parametrize("command", [(), ("add",), ("remove",)])
def test_help_shows_an_example(engines: Run, command: tuple[str, ...]) -> None:
    code, out, _ = engines(*command, "--help")
    assert code == 0
    assert "structce engines" in out.split("Example:")[-1]


def test_the_engines_are_listed_as_a_table_and_in_json(engines: Run) -> None:
    code, out, err = engines()
    assert (code, err) == (0, "")
    assert "next step" in out.splitlines()[0]
    code, out, _ = engines("--format", "json")
    assert code == 0
    assert [row["name"] for row in json.loads(out)][-1] == "pystruct"


def test_what_is_there_already_is_left_and_can_be_removed(engines: Run, tmp_path: Path) -> None:
    home(tmp_path).mkdir(parents=True)
    code, out, _ = engines("add", "pystruct")
    assert code == 0
    assert out == f"pystruct 0.3.2 already there: {home(tmp_path)}\n"
    code, out, _ = engines("remove", "pystruct")
    assert code == 0
    assert out == f"pystruct 0.3.2 removed: {home(tmp_path)}\n"
    assert not home(tmp_path).exists()
    code, out, _ = engines("remove", "pystruct")
    assert code == 0
    assert out == f"pystruct 0.3.2 not there: {home(tmp_path)}\n"


def test_another_archive_is_an_error_and_changes_nothing(engines: Run, tmp_path: Path) -> None:
    archive = tmp_path / "other.tar.gz"
    archive.write_bytes(b"something else")
    code, out, err = engines("add", "pystruct", "--archive", archive)
    assert (code, out) == (1, "")
    assert "error:" in err
    assert "SHA-256" in err
    assert not (tmp_path / "packages").exists()


def test_without_a_package_index_the_error_names_the_next_step(
    engines: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    code, out, err = engines("add", "pystruct")
    assert (code, out) == (1, "")
    assert "--archive pystruct-0.3.2.tar.gz" in err


def test_an_engine_that_nobody_can_add_is_wrong_usage(engines: Run) -> None:
    code, _, err = engines("add", "lbfgs")
    assert code == 2
    assert "pystruct" in err
