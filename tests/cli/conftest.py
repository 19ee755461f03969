"""Commands run as a user runs them."""

import pytest

from structce.features import registry

CUES = """
from structce.features import feature

@feature("text")
def {name}(page):
    '''Text in capitals, as in a kicker.'''
    return [text.isupper() for text in page.text]
"""


@pytest.fixture
def forgets_imports(own_features, monkeypatch):
    """What a test imports is unknown to the next."""
    monkeypatch.setattr(registry, "_IMPORTED", {})
    monkeypatch.setattr(registry, "_LOADED", set())


@pytest.fixture
def make_cues(tmp_path):
    """Return a function that writes a file which registers a feature of a name."""

    def write(file, name):
        path = tmp_path / file
        path.write_text(CUES.format(name=name))
        return path

    return write


@pytest.fixture
def shouts(make_cues):
    """Return a file that registers ``text.zz-shouts``."""
    return make_cues("my_cues.py", "zz_shouts")


@pytest.fixture(scope="session")
def small(tmp_path_factory, small_corpus):
    """The folder of that corpus."""
    folder = tmp_path_factory.mktemp("small") / "corpus"
    small_corpus.save(folder)
    return folder
