"""Commands with a model that compares the pages of a site with one another."""

import json
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

import pytest

from structce.article import PageReader, Reading, page_loaders
from structce.corpus.corpus import Corpus
from structce.features.feature_set import FeatureSet
from structce.labelling import ModelChoice, RegionLabeller
from structce.learners.registry import LEARNERS
from structce.page import Page
from structce.rendering.document import Document
from structce.rendering.sources import Source
from structce.rendering.static import StaticRenderer
from structce.synthetic.generate import write_sample

Run = Callable[..., tuple[int, str, str]]

SETTINGS = ("--learner", "multiclass-svm", "--set", "max-epochs=3", "--no-calibrate")


@pytest.fixture(scope="module")
def trained(
    tmp_path_factory: pytest.TempPathFactory, make_corpus: Callable[..., Corpus]
) -> dict[str, Path]:
    """A corpus of two sites with three pages each, and the folder for a model of it."""
    folder = tmp_path_factory.mktemp("sites")
    make_corpus(6, pages_per_site=3).save(folder / "corpus")
    return {"corpus": folder / "corpus", "model": folder / "model"}


@pytest.fixture
def model(run: Run, trained: dict[str, Path]) -> Path:
    if not trained["model"].exists():
        code, _, err = run("train", trained["corpus"], "--families", "text,dom,style,task,site",
                           "--out", trained["model"], *SETTINGS)  # fmt: skip
        assert code == 0, err
        assert "warning: no site" not in err
    return trained["model"]


@pytest.fixture
def folders(tmp_path: Path, article_html: Callable[..., str]) -> Path:
    """Two folders with two pages each, and a broken file in one of them."""
    for n in range(4):
        path = tmp_path / "pages" / f"site{n // 2}" / f"{n}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(article_html(n))
    (tmp_path / "pages" / "site0" / "0b.html").write_bytes(b"\x89PNG\r\n\x1a\n")
    return tmp_path / "pages"


def sites_of(sources: list[str], model: Path) -> list[int]:
    """Number of pages that each page was compared with, itself included; 0 where none was."""
    loaders = list(page_loaders(sources, Source.read))
    outcomes = PageReader(StaticRenderer(), ModelChoice(model)).pipe(loaders, _n_compared)
    return [n_pages for _, n_pages, _ in outcomes if n_pages is not None]


def _n_compared(_: str, reading: Reading) -> int:
    site = reading.labelling.page.site
    return 0 if site is None else site.n_pages


def test_a_model_that_compares_pages_is_trained_and_measured(
    run: Run, model: Path, trained: dict[str, Path]
) -> None:
    assert any(name.startswith("site.") for name in RegionLabeller.load(model).features.columns_)
    code, out, err = run("evaluate", model, trained["corpus"], "--format", "json")
    assert code == 0, err
    rows = {row["label"]: row for row in json.loads(out)}
    assert rows["macro"]["f1"] > 0.5


def test_a_corpus_of_lone_pages_is_warned_of(run: Run, tmp_path: Path) -> None:
    write_sample(tmp_path / "corpus", 2, 1, seed=3)
    arguments = ("--renderer", "static", "--out", tmp_path / "model", *SETTINGS)
    code, _, err = run("train", tmp_path / "corpus", "--families", "site,text", *arguments)
    assert code == 0, err
    assert "no site has two pages" in err


def test_files_are_compared_with_those_of_their_folder(
    run: Run, model: Path, folders: Path, caplog: pytest.LogCaptureFixture
) -> None:
    code, out, err = run("label", folders, "--model", model, "--renderer", "static")
    assert code == 1
    records = [json.loads(line) for line in out.splitlines()]
    assert ["error" in record for record in records] == [False, True, False, False, False]
    titles = [record["title"]["value"][-1] for record in records if "error" not in record]
    assert titles == ["0", "1", "2", "3"]
    assert "PNG" in err
    assert "no two" not in caplog.text
    assert sites_of([str(folders)], model) == [2, 2, 2, 2]
    assert sites_of([str(folders / "site0"), str(folders / "site1" / "2.html")], model) == [2, 2, 0]


def test_pages_with_an_address_are_compared_with_those_of_their_domain(
    model: Path, article_html: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(source: Source) -> Document:
        url = source.name if source.name.startswith("http") else ""
        return Document(article_html(len(source.name)), url=url, name=source.name)

    monkeypatch.setattr(Source, "read", read)
    sources = ["https://www.news.com/1", "https://m.news.com/2", "https://news.org/1", "-"]
    sources += ["here.html", "https://news.com/3", "here/3.html"]
    assert sites_of(sources, model) == [3, 3, 0, 0, 0, 3, 0]


def test_a_page_alone_is_labelled_and_warned_of(
    run: Run, model: Path, folders: Path, caplog: pytest.LogCaptureFixture
) -> None:
    source = folders / "site0" / "0.html"
    code, out, _ = run("label", source, "--model", model, "--renderer", "static")
    assert code == 0
    assert json.loads(out)["regions"]
    assert "no two of these share a site" in caplog.text


def test_other_models_label_each_page_as_it_comes(
    folders: Path, make_corpus: Callable[..., Corpus]
) -> None:
    learner = LEARNERS["multiclass-svm"](max_epochs=1)
    labeller = RegionLabeller(FeatureSet(["dom"]), learner).fit(make_corpus(2))
    seen: list[str] = []

    class _Recording(StaticRenderer):
        def submit(self, document: Document) -> Future[Page]:
            seen.append(document.name)
            return super().submit(document)

    loaders = list(page_loaders([str(folders)], Source.read))
    first = next(PageReader(_Recording(), ModelChoice("mine", labeller)).pipe(loaders))
    assert seen == [first.source]


def test_help_says_that_pages_are_held_in_memory(run: Run) -> None:
    code, out, _ = run("label", "--help")
    assert code == 0
    assert "held in memory" in " ".join(out.split())
