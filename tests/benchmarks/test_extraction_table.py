"""The table of all methods and all published outputs."""

import pytest

from benchmarks.extraction.published import PageRow, SystemRows
from benchmarks.extraction.study import StudyPage
from benchmarks.extraction.table import (
    draw_files,
    measure_methods,
    on_common_pages,
    set_table,
    usable_methods,
)

STORY = "The ferry will stop in June, and a bridge takes its place."
HTML = f"<ul><li><a href=/>News</a></ul><p>{STORY}".encode()


def pages_of(n_pages: int) -> dict[str, StudyPage]:
    return {f"{i}.html": StudyPage(f"{i}.html", HTML, STORY) for i in range(n_pages)}


def rows_of(origin: str, data_set: str, system: str, **values: float) -> SystemRows:
    pages = (
        PageRow(file, value, value, value, value, value, value, value, (1, 0, 0))
        for file, value in values.items()
    )
    return SystemRows(origin, data_set, system, tuple(pages))


def test_methods_are_scored_on_each_set_once(tmp_path, monkeypatch):
    golds = {"readability": pages_of(3), "l3s-gn1": pages_of(1)}
    methods = ["plain", "link-quota-50"]
    rows = list(measure_methods(methods, golds, tmp_path, 2))
    assert [(one.system, one.data_set, len(one.pages)) for one in rows] == [
        *(("plain", "readability", 2), ("plain", "l3s-gn1", 1)),
        *(("link-quota-50", "readability", 2), ("link-quota-50", "l3s-gn1", 1)),
    ]
    assert all(page.rouge == 1 for one in rows[2:] for page in one.pages)
    assert all(0 < page.rouge < 1 for one in rows[:2] for page in one.pages)
    monkeypatch.setattr("benchmarks.extraction.table.extracted", None)  # is not called again
    assert list(measure_methods(methods, golds, tmp_path, 2)) == rows


def test_a_method_that_fails_on_a_page_has_extracted_nothing(tmp_path):
    (one,) = measure_methods(["command:false"], {"l3s-gn1": pages_of(1)}, tmp_path, None)
    assert one.pages[0].rouge == 0


def test_more_files_hold_all_of_fewer():
    pages = pages_of(20)
    assert draw_files(pages, 5) == draw_files(pages, 9)[:5]
    assert sorted(draw_files(pages, None)) == sorted(pages)
    assert draw_files(pages, 5) != sorted(pages)[:5]


def test_rows_are_of_the_pages_that_every_method_has():
    ours = [rows_of("here", "readability", "a", x=1, y=0), rows_of("here", "readability", "b", y=1)]
    theirs = [
        rows_of("study", "readability", "c", x=1, y=0.5, z=0),
        rows_of("study", "o", "c", x=1),
    ]
    found = on_common_pages(ours, theirs)
    assert [[page.file for page in one.pages] for one in found] == [["y"]] * 3
    assert [one.data_set for one in found] == ["readability"] * 3


def test_the_table_of_sets_has_means_the_best_first():
    every = [
        rows_of("here", "readability", "a", x=0.5, y=0.7),
        rows_of("here", "l3s-gn1", "a", x=0.2),
        rows_of("study", "readability", "c", x=0.9),
    ]
    lines = set_table(every).splitlines()
    assert lines[2].split("|")[1].strip() == "c"
    assert "0.600" in lines[3]
    assert "0.200" in lines[3]


def test_a_mean_of_the_sets_needs_all_of_them():
    sets = ("article-extraction-benchmark", "cleanportaleval", "l3s-gn1", "readability")
    every = [rows_of("here", name, "a", x=0.1 * i) for i, name in enumerate(sets, 1)]
    assert set_table(every).splitlines()[2].split("|")[-2].strip() == "0.250"
    assert set_table(every[:3]).splitlines()[2].split("|")[-2].strip() == ""


@pytest.mark.parametrize("name", ["plain", "bte", "dsc"])
def test_methods_of_our_own_can_always_be_made(name):
    assert name in usable_methods()
