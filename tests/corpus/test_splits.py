import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta, timezone
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from structce.corpus.corpus import Corpus
from structce.corpus.splits import Split, families_of, publication_day
from structce.corpus.storage import LabelledPage
from structce.errors import CorpusError
from structce.gold import Gold
from structce.page import Metadata

Make = Callable[..., Corpus]
Dated = Callable[[Sequence[date | None]], Corpus]

HALVES = {"first": 0.5, "second": 0.5}


@pytest.fixture
def dated(make_corpus: Make) -> Dated:
    """Return a function that makes a corpus of pages with these dates and no stated ones."""

    def make(days: Sequence[date | None]) -> Corpus:
        pages = [
            replace(page, gold=Gold(date=day), page=replace(page.page, metadata=Metadata()))
            for page, day in zip(make_corpus(len(days)), days, strict=True)
        ]
        return Corpus("dated", tuple(pages))

    return make


def placed(corpus: Corpus, places: Mapping[str, tuple[str, str]]) -> Corpus:
    """Return the corpus with other sites and families, by page."""
    pages = (replace(page, site=places[page.id][0], family=places[page.id][1]) for page in corpus)
    return replace(corpus, pages=tuple(pages))


def by_family(
    pages: Sequence[LabelledPage], fractions: Sequence[float], seed: int
) -> list[set[str]]:
    """Split as before sites were joined: a group a family, the largest first."""
    groups: dict[str, list[str]] = {}
    for page in sorted(pages, key=lambda page: page.id):
        groups.setdefault(page.family, []).append(page.id)
    order = np.random.default_rng(seed).permutation(len(groups))
    shuffled = [groups[sorted(groups)[i]] for i in order]
    parts: list[set[str]] = [set() for _ in fractions]
    for group in sorted(shuffled, key=len, reverse=True):
        lacking = [f * len(pages) - len(part) for f, part in zip(fractions, parts, strict=True)]
        parts[lacking.index(max(lacking))].update(group)
    return parts


@pytest.mark.parametrize("by", ["site", "family"])
def test_families_that_hold_their_sites_are_split_as_ever(make_corpus: Make, by: str) -> None:
    corpus = make_corpus(24)
    for seed in range(5):
        random = np.random.default_rng(seed)
        sites = {page.id: int(random.integers(12)) for page in corpus}
        of = placed(corpus, {name: (f"s{n}", f"f{n % 7}") for name, n in sites.items()})
        parts = of.split((0.5, 0.3, 0.2), by=by, seed=seed)
        ids_of_parts = [{page.id for page in part} for part in parts]
        assert ids_of_parts == by_family(of.pages, (0.5, 0.3, 0.2), seed)


def test_families_that_share_a_site_in_a_row_are_one(make_corpus: Make) -> None:
    places = {
        "page0": ("a", "one"),
        "page1": ("b", "one"),
        "page2": ("b", "two"),
        "page3": ("c", "two"),
        "page4": ("c", "aaa"),
        "page5": ("d", "four"),
    }
    corpus = placed(make_corpus(6), places)
    assert families_of(corpus.pages) == ["aaa"] * 5 + ["four"]
    first, second = corpus.split((0.5, 0.5), seed=1)
    assert {len(first), len(second)} == {5, 1}


def test_by_time_the_first_part_is_the_oldest(dated: Dated) -> None:
    days = [date(2026, 3, day) for day in (9, 1, 7, 3, 5, 2)]
    corpus = dated(days)
    for seed in (0, 1):
        old, new = corpus.split((0.5, 0.5), by="time", seed=seed)
        assert {page.id for page in old} == {"page1", "page3", "page5"}
        assert {page.id for page in new} == {"page0", "page2", "page4"}


def test_by_time_a_day_stays_together(dated: Dated) -> None:
    days = [date(2026, 3, 1), *[datetime(2026, 3, 2, hour) for hour in range(3)], date(2026, 3, 3)]
    old, new = dated(days).split((0.4, 0.6), by="time")
    assert [page.id for page in old] == ["page0"]
    assert len(new) == 4


def test_the_day_is_that_of_the_gold_or_of_the_page(make_corpus: Make) -> None:
    page = make_corpus(1).pages[0]  # states 1 March 2026
    assert publication_day(page) == date(2026, 3, 1)
    late = datetime(2025, 12, 31, 23, tzinfo=timezone(-timedelta(hours=5)))
    assert publication_day(replace(page, gold=Gold(date=late))) == date(2025, 12, 31)
    assert publication_day(replace(page, page=replace(page.page, metadata=Metadata()))) is None


def test_by_time_pages_without_a_date_are_an_error_or_left_out(dated: Dated) -> None:
    corpus = dated([date(2026, 3, 1), None, date(2026, 3, 3)])
    with pytest.raises(CorpusError, match=r"1 of 3 pages have no date, such as page1"):
        corpus.split((0.5, 0.5), by="time")
    split = corpus.draw_split(HALVES, by="time", seed=0, dated_only=True)
    assert split.left_out == ("page1",)
    assert {name: len(part) for name, part in corpus.parts(split).items()} == {
        "first": 1,
        "second": 1,
    }


def test_an_unknown_unit_is_an_error(make_corpus: Make) -> None:
    with pytest.raises(CorpusError, match="'weather'; expected one of site, family, time, page"):
        make_corpus().split((0.5, 0.5), by="weather")


def test_a_split_is_loaded_as_it_was_saved(make_corpus: Make, tmp_path: Path) -> None:
    corpus = make_corpus(8)
    shuffled = replace(corpus, pages=tuple(reversed(corpus.pages)))
    for file, given, seed in (("a", corpus, 3), ("b", shuffled, 3), ("c", corpus, 4)):
        given.draw_split(HALVES, by="site", seed=seed).save(tmp_path / file)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert (tmp_path / "a").read_bytes() != (tmp_path / "c").read_bytes()
    split = Split.load(tmp_path / "a")
    assert split == corpus.draw_split(HALVES, by="site", seed=3)
    drawn = corpus.split((0.5, 0.5), seed=3)
    assert [{page.id for page in part} for part in corpus.parts(split).values()] == [
        {page.id for page in part} for part in drawn
    ]


def test_parts_are_disjoint_and_hold_every_page(make_corpus: Make) -> None:
    corpus = make_corpus(12, pages_per_site=2)
    shares = {"train": 0.5, "validation": 0.17, "test": 0.33}
    for by in ("site", "family", "page", "time"):
        parts = corpus.parts(corpus.draw_split(shares, by=by, seed=7))
        ids = [{page.id for page in part} for part in parts.values()]
        assert list(parts) == ["train", "validation", "test"]
        assert set().union(*ids) == {page.id for page in corpus}
        assert not any(part & other for part, other in combinations(ids, 2))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 8}, "changed since it was written"),
        ({"version": 9}, r"version 9; this release reads structce-split version 1"),
        ({"parts": ["page0"]}, "Expected `object`"),
        ({"by": "weather"}, "Invalid enum value 'weather'"),
        ({"parts": {"a": ["page0"], "b": ["page0"]}}, "'page0' is in two parts"),
    ],
    ids=["seed", "version", "parts", "unit", "twice"],
)
def test_a_changed_file_is_a_clear_error(
    make_corpus: Make, tmp_path: Path, change: dict[str, object], message: str
) -> None:
    file = tmp_path / "split.json"
    make_corpus().draw_split(HALVES, by="site", seed=7).save(file)
    file.write_text(json.dumps({**json.loads(file.read_bytes()), **change}))
    with pytest.raises(CorpusError, match=message):
        Split.load(file)


def test_a_split_of_another_corpus_is_refused(make_corpus: Make) -> None:
    split = make_corpus(4).draw_split(HALVES, by="site", seed=0)
    with pytest.raises(CorpusError, match="split this corpus again"):
        make_corpus(6).parts(split)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"a": ("page0", "page1"), "b": ("page9",)}, "'page9' of the split is not in the corpus"),
        ({"a": ("page0", "page1"), "b": ("page2",)}, "'page3' is in no part of the split"),
        ({"a": ("page0", "page2"), "b": ("page1", "page3")}, "is in a and b"),
    ],
    ids=["foreign", "missing", "straddling"],
)
def test_a_split_that_breaks_its_rule_is_refused(
    make_corpus: Make, parts: dict[str, tuple[str, ...]], message: str
) -> None:
    corpus = make_corpus(4, pages_per_site=2)
    with pytest.raises(CorpusError, match=message):
        corpus.parts(Split("small", corpus.digest, "site", 0, parts))
