"""Runs of extraction experiments: rows, what is kept, failures, processes."""

import importlib
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from structce.errors import ExtractionError, MissingExtraError
from structce.experiments.extraction import runner
from structce.experiments.extraction.runner import run_extraction
from structce.experiments.report.extraction import extraction_page
from structce.experiments.report.files import report_text
from structce.experiments.report.tables.base import DASH
from structce.experiments.report.tables.extraction import extraction_tables
from structce.extraction import Extraction, Method, make_extractor, measurement
from structce.extraction.proxies import ExtractionProxy
from structce.features import import_features
from structce.features import registry as feature_registry

ASKED: list[str] = []

DYING = """
import os
from structce.extraction import Extraction, extractor

@extractor("dying")
class Dying:
    '''Ends its process on one page.'''

    def extract(self, document):
        if "day 1" in document.html:
            os._exit(3)
        return Extraction(document.html)
"""


@dataclass(frozen=True)
class Counting:
    """Keeps the first words of a page, and counts what it is asked."""

    n_words: int = 3

    def extract(self, document):
        ASKED.append(document.name)
        if "day 2" in document.html:
            raise ExtractionError("no third\npage")
        return Extraction(" ".join(document.words.text[: self.n_words]))


@pytest.fixture
def counting(experiment, extractors):
    extractors["counting"] = Counting
    ASKED.clear()
    return replace(experiment, methods=(Method("counting", "counting"), Method("bte", "bte")))


def documents(result) -> list[list[str]]:
    lines = [line.split("\t") for line in result.tables["results.tsv"].splitlines()]
    return [cells for cells in lines if cells[0] == "document"]


def test_every_page_and_method_is_a_row_and_every_package_and_method_a_summary(experiment):
    result = run_extraction(experiment)
    assert len(documents(result)) == 7 * 3
    kinds = [line.split("\t")[0] for line in result.tables["results.tsv"].splitlines()]
    assert kinds.count("mean") == kinds.count("deviation") == 2 * 3
    assert [package.name for package in result.report.packages] == ["alpha", "beta"]
    assert result.report.is_complete


def test_methods_that_see_through_the_page_are_ahead_of_plain(experiment):
    (alpha, _) = run_extraction(experiment).report.packages
    scores = {method.name: method.measures["bag"] for method in alpha.methods}
    assert scores["plain"].recall.mean == 1
    assert scores["plain"].f1.mean < scores["link-quota-50"].f1.mean == 1
    assert all(method.seconds_per_kb.mean > 0 for method in alpha.methods)


def test_a_proxy_is_a_method(experiment):
    with ExtractionProxy(make_extractor("link-quota-50"), allow_private=True) as proxy:
        methods = (
            Method("plain", "plain"),
            Method("away", f"proxy:{proxy.address}"),
        )
        asked = replace(experiment, methods=methods, measures=("bag", "leaf"), reference="plain")
        report = run_extraction(asked).report
    for package in report.packages:
        scores = {method.name: method.measures for method in package.methods}
        assert scores["away"]["bag"].f1.mean == 1
        assert scores["away"]["leaf"].f1.mean == 1 > scores["plain"]["leaf"].f1.mean
    assert report.is_complete


def test_what_is_measured_is_kept_and_failures_are_tried_again(counting, tmp_path):
    first = run_extraction(counting, cache=tmp_path)
    assert len(ASKED) == 7
    ASKED.clear()
    second = run_extraction(counting, cache=tmp_path)
    assert ASKED == ["page-2", "page-2"]
    kept = [[row for row in documents(run) if not row[-1]] for run in (first, second)]
    assert [row[:9] for row in kept[0]] == [row[:9] for row in kept[1]]  # seconds, too


def test_a_changed_page_and_a_changed_parameter_are_measured_anew(counting, data, tmp_path):
    run_extraction(counting, cache=tmp_path)
    ASKED.clear()
    (data / "alpha" / "page-0.txt").write_text("Something else.\n")
    run_extraction(counting, cache=tmp_path)
    assert ASKED == ["page-0", "page-2", "page-2"]
    ASKED.clear()
    changed = Method("counting", "counting", {"n_words": 2})
    run_extraction(replace(counting, methods=(changed, Method("bte", "bte"))), cache=tmp_path)
    assert len(ASKED) == 7


def test_changed_code_makes_what_is_kept_stale(counting, tmp_path, monkeypatch):
    run_extraction(counting, cache=tmp_path)
    ASKED.clear()
    monkeypatch.setattr(runner, "code_digest", lambda *_: "other code")
    run_extraction(counting, cache=tmp_path)
    assert len(ASKED) == 7


def test_a_changed_file_of_an_extractor_makes_what_is_kept_stale(extractors, tmp_path, monkeypatch):
    file = tmp_path / "extractors_of_mine.py"
    file.write_text("class Mine:\n    pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    extractors["mine"] = importlib.import_module(file.stem).Mine
    before = runner.shared_state()
    assert runner.shared_state() == before
    file.write_text("class Mine:\n    size = 2\n")
    assert runner.shared_state() != before


def test_an_interrupted_run_goes_on_where_it_was(counting, tmp_path, monkeypatch):
    whole = measurement.measure_document

    def stop(*arguments):
        if len(ASKED) == 2:
            raise KeyboardInterrupt
        return whole(*arguments)

    monkeypatch.setattr(measurement, "measure_document", stop)
    with pytest.raises(KeyboardInterrupt):
        run_extraction(counting, cache=tmp_path)
    monkeypatch.setattr(measurement, "measure_document", whole)
    run_extraction(counting, cache=tmp_path)
    assert len(ASKED) == 7


def test_a_page_that_a_method_fails_on_is_a_row_with_the_reason(counting):
    result = run_extraction(counting)
    failed = [cells for cells in documents(result) if cells[-1]]
    assert [cells[3] for cells in failed] == ["page-2", "page-2"]
    assert failed[0][-1] == "no third page"
    assert not result.report.is_complete
    failures = [
        (failure.method, failure.package, failure.n_pages) for failure in result.report.failures
    ]
    assert failures == [("counting", "alpha", 1), ("counting", "beta", 1)]
    alpha = result.report.packages[0].method("counting")
    assert alpha.n_failures == 1


def test_a_method_that_cannot_be_made_is_a_failure_and_the_others_go_on(experiment, extractors):
    def absent():
        raise MissingExtraError("it needs a package")

    extractors["absent"] = absent
    methods = (Method("absent", "absent"), *experiment.methods)
    result = run_extraction(replace(experiment, methods=methods))
    (failure,) = result.report.failures
    assert (failure.method, failure.package) == ("absent", "")
    assert len(documents(result)) == 7 * 3


def test_without_the_reference_there_are_no_differences_and_the_reason(experiment, extractors):
    def absent():
        raise MissingExtraError("it needs a package")

    extractors["absent"] = absent
    changed = replace(
        experiment, methods=(Method("absent", "absent"), Method("bte", "bte")), reference="absent"
    )
    report = run_extraction(changed).report
    assert not report.packages[0].pairs
    said = "The reference absent could not run: it needs a package; no differences."
    assert said in report_text(report)


def test_a_method_that_fails_on_every_page_of_a_source_is_left_out(experiment, extractors):
    class Broken:
        def extract(self, document):
            raise ExtractionError("no program")

    extractors["broken"] = Broken
    methods = (*experiment.methods, Method("broken", "broken"))
    result = run_extraction(replace(experiment, methods=methods, reference="broken"))
    report = result.report
    assert {row[2] for row in documents(result)} == {"plain", "bte", "link-quota-50"}
    assert all(whole.method("broken") is None for whole in report.wholes)
    assert "broken" not in report.ranking.ranks
    assert [(failure.method, failure.error) for failure in report.failures] == [
        ("broken", "no program")
    ] * 2
    assert "The reference broken could not run: no program; no differences." in report_text(report)


def test_a_method_that_runs_on_one_source_alone_is_in_its_table_alone(experiment, extractors):
    class Picky:
        def extract(self, document):
            if "day 3" in document.html:
                return Extraction(document.html)
            raise ExtractionError("no program")

    extractors["picky"] = Picky
    methods = (Method("picky", "picky"), *experiment.methods)
    packages = experiment.packages[::-1]
    asked = replace(experiment, packages=packages, methods=methods, reference="picky")
    report = run_extraction(asked).report
    beta, alpha = report.wholes
    assert beta.method("picky") is None
    assert alpha.method("picky").n_failures == 3
    tables = extraction_tables(report)
    assert "picky" not in [row[0] for row in tables["overall"].rows]
    assert tables["f1"].headers[-4:] == ("plain", "bte", "link-quota-50", "picky")
    assert tables["f1"].rows[0][-1] == tables["precision"].rows[0][-1] == DASH
    said = "The reference picky could not run on beta: no program; no differences."
    assert said in report_text(report)


def test_a_run_in_which_nothing_could_run_has_only_reasons(experiment, extractors):
    class Broken:
        def extract(self, document):
            raise ExtractionError("no program")

    extractors["broken"] = Broken
    report = run_extraction(
        replace(experiment, methods=(Method("broken", "broken"),), reference="")
    ).report
    assert set(extraction_tables(report)) == {"f1", "precision", "failures"}
    assert extraction_page(report).html


def test_several_processes_give_the_same_rows_and_one_that_dies_costs_its_row(
    experiment, extractors, tmp_path: Path, monkeypatch
):
    monkeypatch.setattr(feature_registry, "_IMPORTED", {})  # what it imports no other test sees
    file = tmp_path / "dying.py"
    file.write_text(DYING)
    import_features([str(file)])
    changed = replace(experiment, methods=(*experiment.methods, Method("dying", "dying")))
    result = run_extraction(changed, n_jobs=2, cache=tmp_path / "jobs")
    failed = [(cells[2], cells[3]) for cells in documents(result) if cells[-1]]
    assert failed == [("dying", "page-1"), ("dying", "page-1")]
    alone = run_extraction(experiment)

    def scores(run):
        return [row[:5] + row[10:] for row in documents(run) if row[2] != "dying"]

    assert scores(result) == scores(alone)


def test_parts_have_results_of_their_own(experiment):
    alpha = replace(experiment.packages[0], by=("site",))
    report = run_extraction(replace(experiment, packages=(alpha,))).report
    names = [package.name for package in report.packages]
    assert names == ["alpha", "alpha site0.example", "alpha site1.example"]
    assert [package.n_pages for package in report.packages] == [4, 2, 2]
    assert [package.is_whole for package in report.packages] == [True, False, False]
    assert report.ranking is None
    assert set(report.part_rankings) == {"alpha"}
