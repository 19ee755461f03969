"""``structce engines`` as a user runs it."""

import json
import sysconfig

import pytest


@pytest.fixture
def engines(run, monkeypatch, tmp_path):
    """Run ``structce engines`` in a Python whose packages are elsewhere."""
    monkeypatch.setattr(sysconfig, "get_path", lambda *_: str(tmp_path / "packages"))
    return lambda *arguments: run("engines", *arguments)


def test_the_engines_are_listed(engines):
    code, out, err = engines()
    assert (code, err) == (0, "")
    assert "next step" in out.splitlines()[0]
    assert [row["name"] for row in json.loads(engines("--format", "json")[1])][-1] == "pystruct"
    assert engines("add", "lbfgs")[0] == 2


def test_an_engine_is_kept_and_removed(engines, tmp_path):
    home = tmp_path / "packages" / "structce-engines" / "pystruct-0.3.2"
    home.mkdir(parents=True)
    for command, what in (("add", "already there"), ("remove", "removed"), ("remove", "not there")):
        code, out, _ = engines(command, "pystruct")
        assert (code, out) == (0, f"pystruct 0.3.2 {what}: {home}\n")
    assert not home.exists()


def test_an_engine_that_cannot_be_added_is_an_error(engines, tmp_path, monkeypatch):
    archive = tmp_path / "other.tar.gz"
    archive.write_bytes(b"something else")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    for options, message in ((("--archive", archive), "SHA-256"), ((), "--archive pystruct-0.3.2")):
        code, out, err = engines("add", "pystruct", *options)
        assert (code, out) == (1, "")
        assert message in err
    assert not (tmp_path / "packages").exists()
