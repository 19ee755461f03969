"""Statistics of extraction experiments, against cases worked by hand."""

from dataclasses import replace

import numpy as np
import pytest

from structce.datasets import GoldPage
from structce.evaluation import FOUR, Overlap, Spread, wilcoxon
from structce.experiments.extraction.packages import SourcePages
from structce.experiments.extraction.results import MeanDeviation
from structce.experiments.extraction.statistics import (
    package_results,
    page_shares,
    rank_methods,
    row_failures,
)
from structce.extraction import DocumentRow, Method
from structce.gold import Gold

VALUES = {
    "plain": [0.5, 0.6, 0.4, 0.5, 0.3, 0.2, 0.6, 0.5],
    "bte": [0.7, 0.9, 0.8, 0.9, 0.6, 0.8, 0.9, 0.7],
    "dsc": [0.7, 0.8, 0.9, 0.9, 0.7, 0.8, 0.9, 0.6],
}


def page_of(number: int, html: str = "<p>a b c d") -> GoldPage:
    gold = Gold(body=(("Text", "a b"),))
    site = f"site{number % 3}.example"
    return GoldPage(f"page-{number}", site, site, "", html.encode(), gold)


PAGES = tuple(page_of(number) for number in range(8))


def rows_of(values):
    return {
        name: {
            page.id: DocumentRow(
                "alpha", name, page.id, "", 500, 0.001, dict.fromkeys(FOUR, Overlap(value, value))
            )
            for page, value in zip(PAGES, scores, strict=True)
        }
        for name, scores in values.items()
    }


@pytest.fixture
def result(experiment):
    methods = tuple(Method(name, name) for name in VALUES)
    changed = replace(experiment, methods=methods, reference="bte")
    source = SourcePages("alpha", PAGES, {}, {})
    (result,) = package_results(changed, source, rows_of(VALUES))
    return result


def test_scores_are_means_and_deviations_over_pages(result):
    for name, values in VALUES.items():
        scores = result.method(name).measures["set"]
        assert scores.f1.mean == pytest.approx(np.mean(values))
        assert scores.f1.deviation == pytest.approx(np.std(values, ddof=1))
    assert result.method("bte").seconds_per_kb.mean == pytest.approx(0.002)
    assert result.method("bte").median_milliseconds == pytest.approx(1)


def test_every_other_method_is_tested_against_the_reference(result):
    assert [pair.method for pair in result.pairs] == ["plain", "dsc"]
    assert result.pair("bte") is None
    plain, dsc = result.pairs
    ours, theirs = (np.array(VALUES[name]) for name in ("plain", "bte"))
    assert plain.difference == pytest.approx(np.mean(ours - theirs))
    assert plain.p == pytest.approx(wilcoxon(ours, theirs))
    assert plain.effect == -1
    assert plain.interval[0] < plain.difference < plain.interval[1] < 0
    assert (plain.n_pages, plain.n_differ, dsc.n_differ) == (8, 8, 4)


def test_leaves_of_a_failed_page_are_all_left_out(experiment):
    measures = ("leaf", "leaf-boilerplate")
    pages = tuple(page_of(i, "<p>x y z</p><p>a b</p>") for i in range(2))
    right = dict.fromkeys((*FOUR, *measures), Overlap(1, 1))
    wrong = dict.fromkeys((*FOUR, *measures), Overlap(0, 0))
    rows = {
        "bte": {
            page.id: DocumentRow("alpha", "bte", page.id, "", 9, None, overlaps, error)
            for page, overlaps, error in zip(pages, (right, wrong), ("", "no"), strict=True)
        }
    }
    methods = (Method("bte", "bte"),)
    asked = replace(experiment, methods=methods, measures=measures, reference="bte")
    (both,) = package_results(asked, SourcePages("alpha", pages, {}, {}), rows)
    leaves = both.method("bte").leaves
    assert leaves["leaf"] == Overlap(1, 0.5)
    assert leaves["leaf-boilerplate"] == Overlap(2 / 3, 1)
    alone = replace(asked, measures=("leaf",))
    (one,) = package_results(alone, SourcePages("alpha", pages, {}, {}), rows)
    assert not one.method("bte").leaves


def test_p_values_are_corrected_after_holm(result):
    plain, dsc = result.pairs
    assert plain.p < dsc.p
    assert plain.p_holm == pytest.approx(2 * plain.p)
    assert dsc.p_holm == pytest.approx(max(dsc.p, plain.p_holm))


def test_parts_hold_their_pages(experiment):
    methods = tuple(Method(name, name) for name in VALUES)
    changed = replace(experiment, methods=methods, reference="bte")
    parts = {page.id: f"alpha {page.site}" for page in PAGES if page.site != "site2.example"}
    source = SourcePages("alpha", PAGES, {"page-9": "cut off"}, parts)
    whole, first, second = package_results(changed, source, rows_of(VALUES))
    assert (whole.n_pages, whole.n_sites, whole.n_lost) == (8, 3, 1)
    assert (first.n_pages, first.n_sites, first.n_lost) == (3, 1, 0)
    values = [VALUES["dsc"][number] for number in (1, 4, 7)]
    assert second.name == "alpha site1.example"
    assert second.method("dsc").measures["bag"].f1.mean == pytest.approx(np.mean(values))


def test_shares_of_link_text_and_of_main_content_by_hand():
    html = "<title>x</title><ul><li><a href=/>abcd</a></li></ul><p>ab cd <b>ef</b> gh ijkl"
    gold = Gold(body=(("Text", "ab cd ef"),))
    links, main = page_shares(replace(page_of(0, html), gold=gold))
    assert links == pytest.approx(4 / 16)
    assert main == pytest.approx(3 / 6)
    assert page_shares(page_of(0, "")) == (0, 0)


def test_methods_are_ranked_by_their_means_over_packages(result):
    swapped = replace(result, name="beta", methods=tuple(
        replace(method, measures=result.method(other).measures)
        for method, other in zip(result.methods, ("plain", "dsc", "bte"), strict=True)
    ))  # fmt: skip
    ranking = rank_methods([result, swapped], "bag")
    assert ranking.ranks == {"plain": 3, "bte": 1.5, "dsc": 1.5}
    assert ranking.p_friedman is None
    tested = rank_methods([result, swapped, result, result], "bag")
    assert 0 < tested.p_friedman < 0.2
    assert tested.critical_difference > 0


def test_one_package_or_one_method_is_not_ranked(result):
    assert rank_methods([result], "bag") is None
    alone = replace(result, methods=result.methods[:1])
    assert rank_methods([alone, alone], "bag") is None
    assert rank_methods([], "bag") is None


def test_a_single_value_has_no_deviation_and_no_value_has_no_mean():
    assert MeanDeviation.of(Spread.of([0.5])) == MeanDeviation(0.5, None)
    assert MeanDeviation.of(Spread.of([])) is None


def test_failures_are_counted_by_method_and_package():
    rows = [row for by_page in rows_of(VALUES).values() for row in by_page.values()]
    failed = [replace(row, error=f"no {row.document}") for row in rows[:2]]
    (failure,) = row_failures([*failed, *rows])
    assert (failure.method, failure.n_pages, failure.error) == ("plain", 2, "no page-0")
