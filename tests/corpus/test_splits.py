"""Splits: groups that stay whole, oldest pages first, files that were changed."""

import json
from dataclasses import replace
from datetime import date, datetime, timedelta, timezone

import numpy as np
import pytest
from msgspec import structs

from structce.corpus import Corpus, Split
from structce.corpus.splits import families_of, publication_day
from structce.errors import CorpusError
from structce.gold import Gold
from structce.page import Metadata

HALVES = {"first": 0.5, "second": 0.5}


@pytest.fixture
def dated(make_corpus):
    """Return a function that makes a corpus of pages with some dates and no stated ones."""

    def make(days):
        pages = [
            replace(page, gold=Gold(date=day), page=structs.replace(page.page, metadata=Metadata()))
            for page, day in zip(make_corpus(len(days)), days, strict=True)
        ]
        return Corpus("dated", tuple(pages))

    return make


def with_names(corpus, names):
    """Return the corpus with other sites and families, by page."""
    pages = (replace(page, site=names[page.id][0], family=names[page.id][1]) for page in corpus)
    return replace(corpus, pages=tuple(pages))


def ids_of(parts):
    return [{page.id for page in part} for part in parts]


def textbook_split(pages, fractions, seed):
    """Split families, the largest first, each to the part that lacks most."""
    groups = {}
    for page in sorted(pages, key=lambda page: page.id):
        groups.setdefault(page.family, []).append(page.id)
    order = np.random.default_rng(seed).permutation(len(groups))
    parts = [set() for _ in fractions]
    for group in sorted((groups[sorted(groups)[i]] for i in order), key=len, reverse=True):
        lacking = [f * len(pages) - len(part) for f, part in zip(fractions, parts, strict=True)]
        parts[lacking.index(max(lacking))].update(group)
    return parts


def test_families_are_split_as_in_the_textbook(make_corpus):
    corpus = make_corpus(24)
    for seed in range(5):
        random = np.random.default_rng(seed)
        sites = {page.id: int(random.integers(12)) for page in corpus}
        named = with_names(corpus, {name: (f"s{n}", f"f{n % 7}") for name, n in sites.items()})
        parts = named.split((0.5, 0.3, 0.2), seed=seed)
        assert ids_of(parts) == textbook_split(named.pages, (0.5, 0.3, 0.2), seed)


def test_families_that_share_sites_in_a_row_are_one(make_corpus):
    rows = "a one, b one, b two, c two, c aaa, d four".split(", ")
    names = {f"page{n}": row.split() for n, row in enumerate(rows)}
    corpus = with_names(make_corpus(6), names)
    assert families_of(corpus.pages) == ["aaa"] * 5 + ["four"]
    assert {len(part) for part in corpus.split((0.5, 0.5), seed=1)} == {5, 1}


def test_the_first_part_by_time_is_the_oldest(dated):
    corpus = dated([date(2026, 3, day) for day in (9, 1, 7, 3, 5, 2)])
    expected = [{"page1", "page3", "page5"}, {"page0", "page2", "page4"}]
    for seed in (0, 1):
        assert ids_of(corpus.split((0.5, 0.5), by="time", seed=seed)) == expected
    one_day = [datetime(2026, 3, 2, hour) for hour in range(3)]
    corpus = dated([date(2026, 3, 1), *one_day, date(2026, 3, 3)])
    assert [len(part) for part in corpus.split((0.4, 0.6), by="time")] == [1, 4]


def test_the_day_is_that_of_the_gold_or_of_the_page(make_corpus):
    page = make_corpus(1).pages[0]  # states 1 March 2026
    assert publication_day(page) == date(2026, 3, 1)
    late = datetime(2025, 12, 31, 23, tzinfo=timezone(-timedelta(hours=5)))
    assert publication_day(replace(page, gold=Gold(date=late))) == date(2025, 12, 31)
    assert (
        publication_day(replace(page, page=structs.replace(page.page, metadata=Metadata()))) is None
    )


def test_pages_without_a_date_are_left_out_by_time(dated):
    corpus = dated([date(2026, 3, 1), None, date(2026, 3, 3)])
    split = corpus.draw_split(HALVES, by="time", seed=0)
    assert split.left_out == ("page1",)
    assert [len(part) for part in corpus.parts(split).values()] == [1, 1]
    with pytest.raises(CorpusError, match="'weather'; expected one of site, time, page"):
        corpus.split((0.5, 0.5), by="weather")


def test_a_split_is_loaded_as_it_was_saved(make_corpus, tmp_path):
    corpus = make_corpus(8)
    shuffled = replace(corpus, pages=tuple(reversed(corpus.pages)))
    for file, pages, seed in (("a", corpus, 3), ("b", shuffled, 3), ("c", corpus, 4)):
        pages.draw_split(HALVES, by="site", seed=seed).save(tmp_path / file)
    first, same, other = ((tmp_path / name).read_bytes() for name in "abc")
    assert first == same != other
    split = Split.load(tmp_path / "a")
    assert split == corpus.draw_split(HALVES, by="site", seed=3)
    assert ids_of(corpus.parts(split).values()) == ids_of(corpus.split((0.5, 0.5), seed=3))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 8}, "changed since it was written"),
        ({"version": 9}, r"no split of structce-split version 1"),
        ({"parts": ["page0"]}, "Expected `object`"),
        ({"by": "weather"}, "Invalid enum value 'weather'"),
        ({"parts": {"a": ["page0"], "b": ["page0"]}}, "'page0' is in two parts"),
    ],
)
def test_a_changed_file_is_an_error(make_corpus, tmp_path, change, message):
    file = tmp_path / "split.json"
    make_corpus().draw_split(HALVES, by="site", seed=7).save(file)
    file.write_text(json.dumps({**json.loads(file.read_bytes()), **change}))
    with pytest.raises(CorpusError, match=message):
        Split.load(file)


@pytest.mark.parametrize("content", [b"\xff", b"[]", b"3", b"{"])
def test_a_file_that_is_no_split_is_an_error(tmp_path, content):
    (tmp_path / "split.json").write_bytes(content)
    with pytest.raises(CorpusError, match=r"split\.json: "):
        Split.load(tmp_path / "split.json")


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"a": ("page0", "page1"), "b": ("page9",)}, "'page9' of the split is not in the corpus"),
        ({"a": ("page0", "page1"), "b": ("page2",)}, "'page3' is in no part"),
        ({"a": ("page0", "page2"), "b": ("page1", "page3")}, "is in a and b"),
    ],
    ids=["foreign", "missing", "straddling"],
)
def test_a_split_that_does_not_fit_is_refused(make_corpus, parts, message):
    corpus = make_corpus(4, pages_per_site=2)
    with pytest.raises(CorpusError, match=message):
        corpus.parts(Split("small", corpus.digest, "site", 0, parts))
    with pytest.raises(CorpusError, match="split this corpus again"):
        corpus.parts(make_corpus(6).draw_split(HALVES, by="site", seed=0))
