import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from structce.corpus.corpus import Corpus
from structce.corpus.storage import LabelledPage
from structce.errors import CorpusError, LabelError
from structce.gold import Gold

Make = Callable[..., Corpus]


def test_a_corpus_comes_back_with_the_same_digest(make_corpus: Make, tmp_path: Path) -> None:
    corpus = make_corpus()
    corpus.save(tmp_path / "c")
    back = Corpus.load(tmp_path / "c")
    assert back.digest == corpus.digest
    assert back.counts == corpus.counts
    assert [page.labels for page in back] == [page.labels for page in corpus]


def test_a_zip_archive_is_read_like_a_folder(make_corpus: Make, tmp_path: Path) -> None:
    import shutil

    make_corpus().save(tmp_path / "c")
    archive = shutil.make_archive(str(tmp_path / "c"), "zip", tmp_path / "c")
    assert Corpus.load(Path(archive)).digest == make_corpus().digest


def test_sites_never_stand_on_two_sides(make_corpus: Make) -> None:
    corpus = make_corpus(12, pages_per_site=3)
    parts = corpus.split((0.5, 0.25, 0.25), by="site", seed=3)
    sites = [set(part.sites) for part in parts]
    assert sum(len(part) for part in parts) == 12
    assert sum(len(names) for names in sites) == len(set().union(*sites))


def test_template_families_never_stand_on_two_sides(make_corpus: Make) -> None:
    pages = [replace(page, family="shared" if n < 4 else page.site) for n, page in
             enumerate(make_corpus(8))]  # fmt: skip
    for seed in range(5):
        first, second = Corpus("c", tuple(pages)).split((0.5, 0.5), by="site", seed=seed)
        assert {"shared"} != {p.family for p in first} & {p.family for p in second}


def test_pages_have_counts_of_their_site_in_the_corpus(make_corpus: Make) -> None:
    corpus = make_corpus(6, pages_per_site=3)
    counted = corpus.with_sites()
    first = counted.pages[0].page.site
    assert first is not None
    assert (first.n_pages, first.texts["home"], first.texts["ferrytostopinjunepart0"]) == (3, 3, 1)
    assert (
        [page.page.site for page in counted][:3]
        == [first] * 3
        != [page.page.site for page in counted][3:]
    )
    assert counted.digest == corpus.digest
    assert [page.labels for page in counted] == [page.labels for page in corpus]
    assert all(page.page.site is None for page in corpus)


def test_folds_hold_every_page_once(make_corpus: Make) -> None:
    folds = make_corpus(10).folds(5, seed=0)
    assert sorted(page.id for fold in folds for page in fold) == sorted(
        page.id for page in make_corpus(10)
    )
    assert {len(fold) for fold in folds} == {2}


@pytest.mark.parametrize("sizes", [(0.5, 0.4), (1.5, -0.5), (2, 0.5), (2, 0), (2, 1.5)])
def test_sizes_are_either_shares_or_numbers_of_pages(
    make_corpus: Make, sizes: tuple[float, float]
) -> None:
    with pytest.raises(CorpusError, match="either shares above 0 of sum 1 or whole numbers"):
        make_corpus().split(sizes)


@pytest.mark.parametrize("sizes", [(6, 2, 4), (5, 1, 2)])
def test_by_page_parts_have_exactly_the_numbers_asked_for(
    make_corpus: Make, sizes: tuple[int, ...]
) -> None:
    corpus = make_corpus(12, pages_per_site=3)
    parts = corpus.split(sizes, by="page", seed=3)
    assert [len(part) for part in parts] == list(sizes)
    assert len({page.id for part in parts for page in part}) == sum(sizes)
    split = corpus.draw_split(dict(zip("abc", sizes, strict=True)), by="page", seed=3)
    assert len(split.left_out) == 12 - sum(sizes)
    assert list(map(len, corpus.parts(split).values())) == list(sizes)


def test_by_time_numbers_of_pages_leave_out_the_oldest(make_corpus: Make) -> None:
    days = [date(2026, 3, day) for day in range(1, 13)]
    pages = (replace(p, gold=Gold(date=d)) for p, d in zip(make_corpus(12), days, strict=True))
    parts = Corpus("dated", tuple(pages)).split((4, 2, 3), by="time")
    assert [[p.gold.date.day for p in part] for part in parts] == [
        [4, 5, 6, 7],
        [8, 9],
        [10, 11, 12],
    ]


def test_too_few_sites_are_an_error(make_corpus: Make) -> None:
    with pytest.raises(CorpusError, match="too few groups"):
        make_corpus(4, pages_per_site=4).split((0.5, 0.5))


def test_the_number_of_labels_must_be_that_of_regions(make_corpus: Make) -> None:
    page = make_corpus(1).pages[0]
    with pytest.raises(LabelError, match="labels for"):
        LabelledPage("p", "s", "s", page.page, ("None",))


def test_a_label_on_no_region_is_an_error(make_corpus: Make, tmp_path: Path) -> None:
    make_corpus(1).save(tmp_path)
    (tmp_path / "labels" / "page0.json").write_text(json.dumps({"/html[1]/nowhere": "Title"}))
    with pytest.raises(LabelError, match="on no region"):
        Corpus.load(tmp_path)


def test_changed_labels_are_an_error(make_corpus: Make, tmp_path: Path) -> None:
    make_corpus(1).save(tmp_path)
    (tmp_path / "labels" / "page0.json").write_text("{}")
    with pytest.raises(CorpusError, match="changed since"):
        Corpus.load(tmp_path)


def test_no_corpus_and_another_version_are_clear_errors(make_corpus: Make, tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="no corpus here"):
        Corpus.load(tmp_path / "nothing")
    make_corpus(1).save(tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    (tmp_path / "manifest.json").write_text(json.dumps({**manifest, "version": 7}))
    with pytest.raises(CorpusError, match=r"version 7.*version 3"):
        Corpus.load(tmp_path)


@pytest.mark.parametrize("name", ["", "/a", "..", "../a", "a/../../b", "..\\a"])
def test_a_page_is_not_written_outside_of_the_folder(
    make_corpus: Make, tmp_path: Path, name: str
) -> None:
    corpus = make_corpus(1)
    pages = (replace(corpus.pages[0], id=name),)
    with pytest.raises(CorpusError, match="leads to another folder"):
        replace(corpus, pages=pages).save(tmp_path / "c" / "d")
    assert list(tmp_path.rglob("*.*")) == []
