import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from structce.corpus.corpus import Corpus
from structce.corpus.statistics import (
    draw_plots,
    language_of,
    quartiles,
    summarise,
)
from structce.errors import MissingExtraError
from structce.gold import EXACT, Match
from structce.labels import UNKNOWN

Make = Callable[..., Corpus]


@pytest.fixture
def uneven_corpus(make_corpus: Make) -> Corpus:
    """Five pages of three sites; the first is all unknown, the last has two gold values."""
    pages = list(make_corpus(5, pages_per_site=2))
    pages[0] = replace(pages[0], labels=(UNKNOWN,) * len(pages[0].labels))
    pages[1] = replace(pages[1], page=replace(pages[1].page, lang="de_AT"))
    pages[2] = replace(pages[2], page=replace(pages[2].page, lang=""))
    pages[4] = replace(
        pages[4],
        family="site0.example",
        matches=(Match("Title", "x", EXACT, 1.0, (1,)), Match("Title", "y")),
    )
    covered = ("Title", "Date", "Paragraph")
    return Corpus("small", tuple(pages), licence="MIT", covered=covered)


def test_counts_are_those_of_the_pages(uneven_corpus: Corpus) -> None:
    summary = summarise(uneven_corpus)
    n = len(uneven_corpus.pages[0].page)
    assert (summary["pages"], summary["sites"], summary["families"]) == (5, 3, 2)
    assert (summary["regions"], summary["unknown"]) == (5 * n, n)
    assert summary["languages"] == {"en": 3, "?": 1, "de": 1}
    sites = {"site0.example": 2, "site1.example": 2, "site2.example": 1}
    assert summary["pages_by_site"] == sites
    for key, count in (("labels", 4), ("pages_by_label", 4), ("sites_by_label", 3)):
        assert summary[key]["Title"] == summary[key]["Author"] == count
    assert summary["covered"] == "Date None Paragraph Title".split()
    assert sum(summary["labels"].values()) == 4 * n
    assert json.loads(json.dumps(summary)) == summary


def test_gold_is_counted_by_field_and_state(uneven_corpus: Corpus) -> None:
    (row,) = summarise(uneven_corpus)["gold"]
    wanted = {"field": "Title", "gold": 2, "found": 1, "missing": 1, "share": 0.5, "exact": 1}
    assert {name: row[name] for name in wanted} == wanted


def test_quartiles_are_those_of_a_worked_case() -> None:
    assert list(quartiles([5, 1, 3, 2, 4]).values()) == [1, 2, 3, 4, 5]
    assert quartiles([7])["median"] == 7
    assert quartiles([]) == {}


@pytest.mark.parametrize(
    ("stated", "language"), [("de-AT", "de"), ("EN_us", "en"), (" fr ", "fr"), ("", "?")]
)
def test_a_language_goes_without_its_country(stated: str, language: str) -> None:
    assert language_of(stated) == language


def test_a_corpus_without_pages_is_summarised_and_drawn(tmp_path: Path) -> None:
    corpus = Corpus("empty", ())
    assert summarise(corpus)["sizes"] == {"regions": {}, "characters": {}}
    assert len(draw_plots(corpus, tmp_path)) == 8


def test_pictures_are_the_same_every_time(uneven_corpus: Corpus, tmp_path: Path) -> None:
    """Many languages, sites of all sizes, and a name that is not a formula."""
    pages = tuple(
        replace(page, id=f"p{n}", site=f"s{min(n, 3)}", page=replace(page.page, lang=f"l{n}"))
        for n, page in enumerate(uneven_corpus.pages * 6)
    )
    corpus = Corpus("$x_1$ & wide", pages)
    files = draw_plots(corpus, tmp_path / "new" / "plots")
    texts = {file.stem: file.read_text("utf-8") for file in files if file.suffix == ".svg"}
    assert texts.keys() == {"labels", "regions", "languages", "sites"}
    assert all("$x_1$ &amp; wide" in text for text in texts.values())
    assert "10 others" in texts["languages"]
    assert "16 to 31" in texts["sites"]
    assert "median" in texts["regions"]
    assert all(file.read_bytes().startswith(b"\x89PNG") for file in files if file.suffix == ".png")
    again = draw_plots(corpus, tmp_path / "again")
    assert [file.read_bytes() for file in again] == [file.read_bytes() for file in files]


def test_without_matplotlib_the_error_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"structce\[plots\]"):
        draw_plots(Corpus("empty", ()), tmp_path)
