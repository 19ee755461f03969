"""Times of ours beside another system's: medians over runs, ratios, and stages that add up."""

import pytest

from benchmarks.articles.speed import Ours, Stopwatch, median_of, table_rows
from benchmarks.articles.systems import WARM_UP


def test_a_pages_time_is_the_median_of_the_runs():
    runs = [[{"ours": 3.0}], [{"ours": 5.0}], [{"ours": 100.0, "roles": 3.0}]]
    assert median_of(runs) == [{"ours": 5.0, "roles": 0.0}]


def test_ratios_are_those_of_means_and_of_medians():
    pages = [{"ours": 1.0, "trafilatura": 2.0}] * 3 + [{"ours": 9.0, "trafilatura": 2.0}]
    ours, rival = table_rows(pages)
    assert (ours["ratio of means"], ours["ratio of medians"]) == (1.5, 0.5)
    assert (rival["ratio of means"], rival["ratio of medians"]) == (1.0, 1.0)


def test_a_stage_is_timed_whether_it_fails_or_not():
    watch = Stopwatch()

    def fail():
        raise KeyError

    with pytest.raises(KeyError):
        watch.timed("roles", fail)()
    assert watch.taken["roles"] >= 0


@pytest.mark.parametrize("has_spans", [False, True])
def test_stages_of_an_article_are_parts_of_its_time(has_spans, monkeypatch):
    monkeypatch.setattr("benchmarks.articles.speed.reading", _CopyOfReading())
    ours = Ours(has_spans=has_spans)
    assert ours(**WARM_UP).title is not None
    stages = ours.stages()
    assert ("spans" in stages) == has_spans
    assert stages["article"] >= stages["rest of the article"] >= 0
    assert ours.stages() == {}


class _CopyOfReading:
    """Stand-in for the module whose functions are timed, so that no other test times them."""

    choose = choose_authors = choose_body = assign_roles = reconcile_labels = staticmethod(print)
