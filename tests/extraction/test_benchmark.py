"""Benchmarks of extractors on test packages, and the table of their results."""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from structce.datasets import GoldPage
from structce.errors import CorpusError
from structce.evaluation import FOUR
from structce.extraction.benchmark import (
    DocumentRow,
    MethodSystem,
    Outcome,
    Package,
    digest_of,
    measure,
    measure_document,
    measure_perturbed,
    read_package,
)
from structce.extraction.result_table import COLUMNS, ResultFile, document_cells, table
from structce.gold import Gold


def page_of(name: str, gold: str, html: str = "<p>a b c d</p>") -> GoldPage:
    return GoldPage(name, "a.example", "a.example", "", html.encode(), Gold(body=(("Text", gold),)))


class Counting:
    """A system that gives two words, fails where it is told to, and counts what it is asked."""

    name = "counting"

    def __init__(self, fails_on: str = "") -> None:
        self.fails_on = fails_on
        self.asked: list[str] = []

    def run(self, page: GoldPage) -> Outcome:
        self.asked.append(page.id)
        if page.id == self.fails_on:
            return Outcome("", None, "it\thangs")
        return Outcome("a b", 0.028)


PACKAGE = Package("small", (page_of("one", "a b"), page_of("two", "a b c d")), {})


def rows_of(system: Counting, package: Package = PACKAGE) -> list[DocumentRow]:
    return list(measure([package], [system], {}))


def test_a_document_has_the_four_measures_and_seconds_per_kilobyte():
    row = measure_document("small", Counting(), page_of("two", "a b c d"))
    assert set(row.overlaps) == set(FOUR)
    assert (row.overlaps["bag"].precision, row.overlaps["bag"].recall) == (1, 0.5)
    assert row.overlaps["characters"].recall == pytest.approx(3 / 7)
    assert row.n_bytes == 14
    assert row.seconds_per_kb == pytest.approx(2)


def test_a_failure_counts_as_nothing_extracted_and_has_no_time():
    _, two = rows_of(Counting(fails_on="two"))
    assert two.overlaps["set"].f1 == 0
    assert two.seconds_per_kb is None


def test_texts_are_compared_with_those_before_a_perturbation():
    lines = [f"Line {name} of the main text of this page, {name} of four" for name in "abcd"]
    page = page_of("p", "\n".join(lines), "<div><p>" + "</p><p>".join(lines) + "</p></div>")
    package = Package("small", (page, page_of("png", "a", "\x89PNG")), {})
    rows = measure_perturbed([package], [MethodSystem("plain")], {}, [*FOUR, "lines"])
    scores = {row.package: row.overlaps["lines"] for row in rows}
    assert scores["small, list appended"].f1 == scores["small, space added"].f1 == 1
    assert scores["small, promo between"].precision < 1
    assert "small, byline removed" not in scores


def test_packages_and_systems_have_summaries_of_their_own():
    other = replace(PACKAGE, name="other")
    systems = [Counting(), MethodSystem("plain")]
    rows = measure([PACKAGE, other], systems, {})
    summaries = [row for row in cells(table(map(document_cells, rows))) if row["row"] == "mean"]
    assert [(row["package"], row["system"]) for row in summaries] == [
        ("small", "counting"),
        ("small", "plain"),
        ("other", "counting"),
        ("other", "plain"),
    ]


def test_an_extractor_that_fails_is_a_reason():
    broken = replace(page_of("png", "a"), data=b"\x89PNG\r\n\x1a\n")
    assert "PNG" in MethodSystem("plain").run(broken).error


def cells(text: str) -> list[dict[str, str]]:
    header, *lines = text.splitlines()
    return [dict(zip(header.split("\t"), line.split("\t"), strict=True)) for line in lines]


def test_the_table_has_rows_of_documents_then_means_and_deviations():
    rows = rows_of(Counting(fails_on="two"))
    table_rows = cells(table(map(document_cells, rows)))
    assert tuple(table_rows[0]) == COLUMNS
    assert [row["row"] for row in table_rows] == ["document", "document", "mean", "deviation"]
    assert [row["error"] for row in table_rows] == ["", "it hangs", "", ""]
    assert [row["seconds"] for row in table_rows] == ["0.028", "", "0.028", ""]
    assert [row["bag_recall"] for row in table_rows[:3]] == ["1", "0", "0.5"]
    assert [row["failures"] for row in table_rows] == ["", "", "1", "1"]
    assert float(table_rows[3]["bag_recall"]) == pytest.approx(math.sqrt(0.5), abs=1e-6)


def run_into(path: Path, system: Counting, n_rows: int | None = None) -> None:
    """Measure the package into a file; stop after some rows, as an interrupt does."""
    results = ResultFile(path)
    rows = []
    with results:
        for row in measure([PACKAGE], [system], results.known):
            results.add(row)
            rows.append(row)
            if len(rows) == n_rows:
                return
    results.finish(rows)


def test_a_run_that_was_stopped_goes_on(tmp_path):
    path = tmp_path / "results.tsv"
    run_into(path, Counting(), n_rows=1)
    with path.open("a") as file:
        file.write("document\tsmall\tcounting\ttwo\tbroken off")
    second = Counting()
    run_into(path, second)
    assert second.asked == ["two"]
    whole = tmp_path / "whole.tsv"
    run_into(whole, Counting())
    assert path.read_text() == whole.read_text()
    third = Counting()
    run_into(path, third)
    assert third.asked == []
    assert path.read_text() == whole.read_text()


def test_rows_of_other_runs_stay_and_those_of_edited_documents_go(tmp_path):
    path = tmp_path / "results.tsv"
    run_into(path, Counting())
    changed = replace(PACKAGE, pages=(page_of("one", "a b c"),))
    results = ResultFile(path)
    with results:
        rows = list(measure([changed], [Counting(), MethodSystem("plain")], results.known))
    results.finish(rows)
    known = [(row["system"], row["document"], row["bag_recall"]) for row in cells(path.read_text())]
    assert known[:3] == [
        ("counting", "two", "0.5"),
        ("counting", "one", "0.666667"),
        ("plain", "one", "1"),
    ]
    assert [row[0] for row in known[3:]] == ["counting"] * 2 + ["plain"] * 2


def test_failures_of_other_systems_stay(tmp_path):
    path = tmp_path / "results.tsv"
    run_into(path, Counting(fails_on="two"))
    results = ResultFile(path)
    results.finish(list(measure([PACKAGE], [MethodSystem("plain")], results.known)))
    known = cells(path.read_text())
    assert [row["error"] for row in known[:2]] == ["", "it hangs"]
    assert [row["failures"] for row in known if row["row"] == "mean"] == ["1", "0"]


def test_failures_and_changed_documents_are_measured_again(tmp_path):
    path = tmp_path / "results.tsv"
    run_into(path, Counting(fails_on="two"))
    again = Counting()
    run_into(path, again)
    assert again.asked == ["two"]
    known = ResultFile(path).known
    changed = Package("small", (page_of("one", "a b c"), PACKAGE.pages[1]), {})
    last = Counting()
    assert len(list(measure([changed], [last], known))) == 2
    assert last.asked == ["one"]


def test_a_file_of_something_else_is_left_alone(tmp_path):
    path = tmp_path / "notes.tsv"
    path.write_text("my notes\n")
    with pytest.raises(CorpusError, match="not results"):
        ResultFile(path)
    assert path.read_text() == "my notes\n"


def test_page_type_and_gold_are_in_the_digest():
    page = page_of("one", "a")
    others = [replace(page, content_type="x"), page_of("one", "b"), page_of("one", "a", "<p>")]
    assert len({digest_of(variant) for variant in (page, *others)}) == 4
    assert digest_of(replace(page, id="two")) == digest_of(page)


def test_a_package_is_read_with_what_is_lost(tmp_path):
    folder = tmp_path / "wiki"
    folder.mkdir()
    (folder / "description.package").write_text("name: x\n")
    (folder / "a.html").write_text("<p>a</p>")
    (folder / "a.txt").write_text("a\n\nb\n")
    (folder / "b.html").write_text("<p>b</p>")
    package = read_package(folder)
    assert package.name == "wiki"
    assert [page.gold.text for page in package.pages] == ["a\nb"]
    assert list(package.lost) == ["b"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(CorpusError):
        read_package(tmp_path / "empty")
