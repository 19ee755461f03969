"""Public data set to corpus: page by page, nothing lost, nothing done twice."""

import gzip
import json

import pytest

from structce.datasets.base import GoldPage
from structce.datasets.build import aligned_pages, import_corpus, write_corpus
from structce.gold import Gold
from structce.rendering.static import StaticRenderer

NAME = "article-extraction-benchmark"


class Counting(StaticRenderer):
    """Counts what it renders, and stops when told to."""

    def __init__(self, stop_after=99):
        super().__init__()
        self.rendered: list[str] = []
        self.stop_after = stop_after

    def submit(self, document):
        if len(self.rendered) == self.stop_after:
            raise KeyboardInterrupt
        self.rendered.append(document.name)
        return super().submit(document)


@pytest.fixture
def data_set_folder(tmp_path):
    """Four pages in the layout of a data set."""
    root = tmp_path / "set"
    (root / "html").mkdir(parents=True)
    gold = {}
    for n in range(4):
        html = f"<h1>Ferry {n}</h1><p>The ferry will not sail on day {n}.</p>"
        (root / f"html/p{n}.html.gz").write_bytes(gzip.compress(html.encode(), mtime=0))
        text = f"The ferry will not sail on day {n}."
        gold[f"p{n}"] = {"articleBody": text, "url": f"https://post{n}.example/a"}
    (root / "ground-truth.json").write_text(json.dumps(gold))
    return root


def test_an_interrupted_import_goes_on_where_it_stopped(data_set_folder, tmp_path):
    with pytest.raises(KeyboardInterrupt):
        write_corpus(NAME, data_set_folder, Counting(stop_after=3), tmp_path / "out")
    assert not (tmp_path / "out/manifest.json").exists()
    written = {path.stem for path in (tmp_path / "out/pages").glob("*.page")}
    assert written
    again = Counting()
    corpus = import_corpus(NAME, data_set_folder, again, tmp_path / "out")
    assert set(again.rendered) == {"p0", "p1", "p2", "p3"} - written
    anew = import_corpus(NAME, data_set_folder, Counting(), tmp_path / "anew")
    assert corpus.digest == anew.digest


def test_changed_pages_are_rendered_again(data_set_folder, tmp_path):
    write_corpus(NAME, data_set_folder, Counting(), tmp_path / "out")
    changed = gzip.compress(b"<h1>Ferry</h1><p>The ferry will not sail on day 1.</p><p>New.</p>")
    (data_set_folder / "html/p1.html.gz").write_bytes(changed)
    (tmp_path / "out/pages/p2.page").write_bytes(b"damaged")
    again = Counting()
    corpus = import_corpus(NAME, data_set_folder, again, tmp_path / "out")
    assert again.rendered == ["p1", "p2"]
    assert [len(page.page) for page in corpus] == [2, 3, 2, 2]


def test_what_is_not_given_is_told_with_its_reason(data_set_folder, tmp_path):
    (data_set_folder / "html/p0.html.gz").unlink()
    (data_set_folder / "html/p1.html.gz").write_bytes(gzip.compress(b"\x89PNG\r\n"))
    made = write_corpus(NAME, data_set_folder, StaticRenderer(), tmp_path / "out")
    failed = made["notes"]["failed"]
    assert list(failed) == ["p0", "p1"]
    assert "PNG" in failed["p1"]
    assert [row["id"] for row in made["pages"]] == ["p2", "p3"]


def test_pages_are_read_only_a_few_ahead_of_what_is_given():
    """Memory must not grow with the number of pages."""
    taken = []

    def items():
        for n in range(50):
            taken.append(n)
            yield GoldPage(f"p{n}", "s", "s", "", b"<p>text", Gold())

    with StaticRenderer() as renderer:
        given = aligned_pages(items(), renderer)
        for n in range(10):
            page = next(given)
            assert page.id == f"p{n}"
            assert len(taken) <= n + 1 + 4
