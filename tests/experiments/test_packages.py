"""Pages of an extraction experiment: main content, parts, limits."""

from dataclasses import replace

import msgspec
import pytest

from structce.corpus import RawPage, save_raw
from structce.datasets import READERS, GoldPage
from structce.errors import ExperimentError
from structce.experiments import packages
from structce.experiments.config import PackageSource
from structce.experiments.packages import (
    draw_folds,
    draw_pages,
    read_packages,
)
from structce.gold import Gold

NONE = Gold()


def page_of(name: str = "one", gold: Gold = NONE) -> GoldPage:
    return GoldPage(name, "a.example", "a.example", "", b"<p>a", gold)


def with_source(extraction, **changes):
    source = msgspec.structs.replace(extraction.packages[0], **changes)
    return of_sources(extraction, source)


def of_sources(extraction, *sources, **changes):
    packages = {source.name: source for source in sources}
    return msgspec.structs.replace(extraction, package=packages, **changes)


def test_pages_are_read_with_their_main_content(extraction):
    alpha, beta = read_packages(extraction)
    assert (len(alpha.pages), len(beta.pages)) == (4, 3)
    assert alpha.pages[0].gold.text.startswith("The ferry to the island")
    assert not alpha.parts
    assert not alpha.lost


def test_a_source_is_divided_by_facts_of_its_pages(extraction):
    (alpha,) = read_packages(with_source(extraction, by=("site", "language")))
    assert set(alpha.parts.values()) == {"alpha site0.example de", "alpha site1.example en"}


def test_a_source_is_limited_to_values_of_its_first_fact(extraction):
    (alpha,) = read_packages(with_source(extraction, by=("language", "site"), only=("de",)))
    assert set(alpha.parts.values()) == {"alpha de site0.example"}
    assert not alpha.lost
    with pytest.raises(ExperimentError, match="alpha: contains no page with main content"):
        read_packages(with_source(extraction, by=("language",), only=("fr",)))


def test_a_larger_draw_contains_a_smaller_one():
    pages = [page_of(str(number)) for number in range(30)]
    drawn = [{page.id for page in draw_pages(pages, most, seed=3)} for most in (5, 12)]
    assert drawn[0] < drawn[1]
    assert drawn[0] != {page.id for page in draw_pages(pages, 5, seed=4)}
    assert draw_pages(pages, 0, seed=3) == pages


def test_a_missing_or_empty_source_is_an_error(extraction, data):
    with pytest.raises(ExperimentError, match=r"package.alpha: .*gamma: no such folder"):
        read_packages(with_source(extraction, path="gamma"))
    for file in (data / "alpha").glob("*.txt"):
        file.unlink()
    with pytest.raises(ExperimentError, match="alpha: contains no page with main content"):
        read_packages(extraction)


def with_split(source, monkeypatch, third=b"<p>c"):
    """Let the reader state a split: two pages to learn from and two others."""
    sources = (("dev", b"<p>a"), ("dev", b"<p>b"), ("final", third), ("", b"<p>d"))
    pages = [
        replace(page_of(f"{i}", Gold(body=(("Text", "a"),), about={"split": split})), data=data)
        for i, (split, data) in enumerate(sources)
    ]
    reader = replace(READERS["gottron"], read=lambda _: pages)
    monkeypatch.setattr(packages, "READERS", {"gottron": reader})
    return msgspec.structs.replace(source, learn_from="dev")


def test_pages_of_a_split_are_learnt_from_and_not_measured(extraction, monkeypatch):
    source = with_split(extraction.packages[0], monkeypatch)
    (whole,) = read_packages(of_sources(extraction, source, pages=0))
    assert [page.id for page in whole.learnt] == ["0", "1"]
    assert [page.id for page in whole.pages] == ["2", "3"]
    (drawn,) = read_packages(of_sources(extraction, source, pages=1))
    assert (len(drawn.learnt), len(drawn.pages)) == (2, 1)
    source = msgspec.structs.replace(source, learn_from="")
    assert len(read_packages(of_sources(extraction, source))[0].pages) == 4


def test_copies_of_learnt_pages_are_not_measured(extraction, monkeypatch):
    source = with_split(extraction.packages[0], monkeypatch, third=b"<p>a")
    (whole,) = read_packages(of_sources(extraction, source))
    assert [page.id for page in whole.pages] == ["3"]
    assert whole.lost == {"2": "it is among those to learn from"}


def test_a_corpus_of_raw_pages_is_a_source(extraction, tmp_path):
    html = "<html><body><h1>Ferry stops</h1><p>In June.</p><p>Menu</p></body></html>"
    labels = {
        "/html[1]/body[1]/h1[1]/text()[1]": "Title",
        "/html[1]/body[1]/p[1]/text()[1]": "Paragraph",
    }
    page = RawPage("one", "a.example", "a.example", "https://a.example/", html, labels)
    save_raw(tmp_path / "news", "news", [page], licence="ours")
    source = PackageSource("news", "corpus", str(tmp_path / "news"))
    (news,) = read_packages(of_sources(extraction, source))
    assert [page.gold.text for page in news.pages] == ["Ferry stops\nIn June."]


def test_folds_keep_sites_whole_and_are_of_like_size():
    pages = [replace(page_of(f"{i}"), family=f"site{i % 4}") for i in range(12)]
    folds = draw_folds(pages, 2, "site", seed=1)
    assert sorted(map(len, folds)) == [6, 6]
    families = [{page.family for page in fold} for fold in folds]
    assert not families[0] & families[1]
    assert len(draw_folds(pages, 9, "site", seed=1)) == 4
    assert sorted(map(len, draw_folds(pages, 5, "random", seed=1))) == [2, 2, 2, 3, 3]
