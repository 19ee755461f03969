"""The list of engines names what is usable, and what to do about the others."""

from pathlib import Path

from structce.errors import MissingExtraError
from structce.learners.backends import engines


def test_every_engine_is_listed_with_its_next_step(monkeypatch):
    def missing(name="pystruct"):
        raise MissingExtraError("no")

    monkeypatch.setattr(engines, "import_pystruct", missing)
    monkeypatch.setattr(engines, "pystruct_home", lambda: Path("nowhere"))
    listed = {engine.name: engine for engine in engines.list_engines()}
    assert list(listed) == ["frank-wolfe", "lbfgs", "crfsuite", "pystruct"]
    assert [name for name, engine in listed.items() if not engine.usable] == ["pystruct"]
    assert listed["pystruct"].next_step == "structce engines add pystruct"
    assert not any(engine.next_step for engine in listed.values() if engine.usable)
