"""Examples in docs and docstrings run, and do what they say."""

import doctest
import re
from importlib import import_module
from pathlib import Path

import pytest

from structce.datasets.base import READERS

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("docs/*.md"), ROOT / "README.md"])
MODULES = (
    "structce",
    "structce.language.bylines",
    "structce.datasets.text_formats",
    "structce.extraction.registry",
    "structce.labeller",
    "structce.features.registry",
)


@pytest.fixture
def registered():
    """Take back the readers of data sets that an example registers."""
    before = dict(READERS)
    yield
    READERS.clear()
    READERS.update(before)


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_examples_of_a_page_run(path, monkeypatch):
    monkeypatch.chdir(ROOT)
    failed, _ = doctest.testfile(str(path), module_relative=False)
    assert failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_a_module_run(name):
    failed, tried = doctest.testmod(import_module(name))
    assert tried > 0
    assert failed == 0


def test_every_dependency_is_named_with_its_reason():
    text = (ROOT / "docs" / "dependencies.md").read_text()
    setup = (ROOT / "setup.cfg").read_text()
    names = [line.split(">=")[0].strip() for line in setup.splitlines() if ">=" in line]
    wanted = [
        n for n in names if not n.startswith(("python_requires", "types-", "lxml-", "scipy-"))
    ]
    assert len(wanted) > 15
    assert [name for name in wanted if name not in text] == []


def test_links_inside_the_docs_lead_somewhere():
    for path in PAGES:
        for target in re.findall(r"\[[^]]+\]\(([\w./-]+)\)", path.read_text()):
            if "://" not in target:
                assert (path.parent / target).exists(), f"{path.name}: {target}"
