"""Examples in docs and docstrings run, and do what they say."""

import doctest
import html
import re
import unicodedata
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import resolve_name

import pytest

from structce.datasets.base import READERS
from structce.version import __version__

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.rglob("*.md"), ROOT / "README.md"])
# Pages, and sections of pages, whose examples stand on an extra.
NEEDS = {"label-files.md": "pyarrow", "notebooks.md": "pandas", "schema.md": "jsonschema"}
ADAPTERS = {
    "datatrove": "datatrove", "NeMo Curator": "nemo_curator", "Scrapy": "scrapy",
    "spaCy": "spacy", "LangChain": "langchain_core", "LlamaIndex": "llama_index",
}  # fmt: skip
LINK = re.compile(r"!?\[[^]]*\]\(([^()\s]+)\)")
MODULES = """language.bylines datasets.text_formats extraction.registry labelling.labeller
features.registry article.api article.article article.context article.reader""".split()


@pytest.fixture
def registered(forgets_learners):
    """Take back the readers of data sets and the learners that an example registers."""
    before = dict(READERS)
    yield
    READERS.clear()
    READERS.update(before)


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_examples_of_a_page_run(path, monkeypatch):
    if (module := NEEDS.get(path.name)) and find_spec(module) is None:
        pytest.skip(f"needs {module}")
    if path.name == "adapters.md":
        pytest.skip("each section needs a package of its own")
    monkeypatch.chdir(ROOT)
    failed, _ = doctest.testfile(str(path), module_relative=False)
    assert failed == 0


@pytest.mark.parametrize(("section", "module"), ADAPTERS.items())
def test_the_example_of_an_adapter_runs_with_its_package(section, module, monkeypatch, tmp_path):
    if find_spec(module) is None:
        pytest.skip(f"needs {module}")
    text = (DOCS / "adapters.md").read_text(encoding="utf-8")
    beginning, own = text.partition("\n## ")[0], text.partition(f"\n## {section}\n")[2]
    own = own.partition("\n## ")[0]
    assert ">>>" in own
    example = f"{beginning}\n{own}"
    monkeypatch.chdir(tmp_path)
    tests = doctest.DocTestParser().get_doctest(example, {}, section, "adapters.md", 0)
    assert doctest.DocTestRunner().run(tests).failed == 0


def test_readme_installs_in_three_lines_that_name_this_release():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    block = re.search(r"## Install\n\n((?: {4}.+\n)+)", text)
    assert block is not None
    checkout, wheel, doctor = [line.partition("#")[0].split() for line in block[1].splitlines()]
    assert checkout == ["pip", "install", "."]
    assert wheel == ["pip", "install", f"structce-{__version__}-*.whl"]
    assert doctor == ["structce", "doctor"]


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize("name", ["structce", *(f"structce.{name}" for name in MODULES)])
def test_examples_of_a_module_run(name):
    failed, tried = doctest.testmod(import_module(name))
    assert tried > 0
    assert failed == 0


def test_every_dependency_is_named_with_its_reason():
    text = (ROOT / "docs" / "dependencies.md").read_text()
    setup = (ROOT / "setup.cfg").read_text()
    names = [line.split(">=")[0].strip() for line in setup.splitlines() if ">=" in line]
    stubs = ("python_requires", "types-", "lxml-", "scipy-")
    wanted = [name for name in names if not name.startswith(stubs)]
    assert len(wanted) > 15
    assert [name for name in wanted if name not in text] == []


def prose(path):
    """The text of a page without its code, in which brackets are no links."""
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"^(`{3,}).*?^\1`*$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"(`+).+?\1", "", text)


def anchors(path):
    """The names by which headings of a page are linked to, as GitHub and the site make them."""
    text = re.sub(r"^(`{3,}).*?^\1`*$", "", path.read_text("utf-8"), flags=re.M | re.S)
    anchors = []
    for heading in re.findall(r"^#+ +(.+?) *$", text, re.MULTILINE):
        shown = html.unescape(LINK.sub(lambda link: link[0].partition("](")[0][1:], heading))
        kept = (c for c in shown.lower() if c in " -_" or unicodedata.category(c)[0] in "LN")
        anchors.append("".join(kept).replace(" ", "-"))
    again = [f"{name}-{anchors[:i].count(name)}" for i, name in enumerate(anchors)]
    return {*anchors, *again}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_inside_the_docs_lead_somewhere(path):
    for link in LINK.findall(prose(path)):
        target, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        file = path.parent / target if target else path
        assert file.exists(), link
        if anchor:
            assert anchor in anchors(file), link


def test_every_page_has_a_place_in_the_navigation():
    listed = {DOCS / "index.md"}
    for path in DOCS.rglob("*.md"):
        for block in re.findall(r"^```{toctree}\n(.*?)^```", path.read_text("utf-8"), re.M | re.S):
            names = [line for line in block.split() if re.fullmatch(r"[\w/-]+(\.ipynb)?", line)]
            for name in names:
                suffix = "" if name.endswith(".ipynb") else ".md"
                listed.add(path.parent / (name + suffix))
    pages = {*DOCS.rglob("*.md"), *DOCS.glob("*.ipynb")}
    assert pages - listed == set()


def test_the_code_of_each_item_of_the_papers_exists():
    rows = re.findall(r"^\|(?!-)[^|]+\|([^|]*)\|", (DOCS / "papers.md").read_text("utf-8"), re.M)
    names = [name for cell in rows for name in re.findall(r"`([^`]+)`", cell)]
    assert len(names) > 50
    for name in names:
        if "/" in name:
            assert (ROOT / "structce" / name).is_file(), name
        else:
            resolve_name(f"structce.{name}")
