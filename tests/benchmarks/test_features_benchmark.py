import json
import re
import sys
from functools import lru_cache
from itertools import chain, repeat
from types import ModuleType

import numpy as np
import pytest
from click.testing import CliRunner

from benchmarks.features import timing
from benchmarks.features.__main__ import main
from benchmarks.features.dictionaries import Dictionaries, disagreements, same_features
from benchmarks.features.measures import Cost, Plan, costs, growing_pages, joined
from benchmarks.features.regions import BORDERS, FUNCTIONS
from benchmarks.features.report import cost_rows
from structce.features.feature_set import FeatureSet
from structce.features.landmarks import heading_region
from structce.features.registry import FAMILIES
from structce.language import split_words
from structce.rendering.document import Document

BESIDE = ("previous", "next")


@pytest.fixture
def rendered_articles(make_page, article_html):
    return [make_page(article_html(n)) for n in range(2)]


@pytest.fixture
def corpus_folder(make_corpus, tmp_path):
    make_corpus(2).save(tmp_path / "corpus")
    return str(tmp_path / "corpus")


def both_ways(pages):
    return same_features().fit(pages), Dictionaries().fit(pages)


def test_functions_of_a_region_give_the_same_cells_as_features_of_a_page(
    rendered_articles, make_page
):
    ours, theirs = both_ways(rendered_articles)
    empty = make_page("<html><body></body></html>")
    named = {re.split("[=:]", name)[0] for name in ours.columns_ if not name.startswith(BESIDE)}
    assert named >= {"text.shape", "dom.near-token", "style.is-bold", "task.from-heading"}
    assert disagreements(ours, theirs, [*rendered_articles, empty]) == []


@pytest.mark.browser
def test_they_give_the_same_cells_with_layout(article_html, chromium):
    pages = [chromium.render(Document(article_html(n), name=f"{n}")) for n in range(2)]
    ours, theirs = both_ways(pages)
    assert {name.split(":")[0] for name in ours.columns_} >= {"style.left", "style.previous-gap"}
    assert disagreements(ours, theirs, pages) == []


def test_a_function_that_differs_is_named(rendered_articles, monkeypatch):
    ours = same_features().fit(rendered_articles)
    monkeypatch.setitem(FUNCTIONS, "text.length", lambda region: {"text.length:3": True})
    differing = disagreements(ours, Dictionaries().fit(rendered_articles), rendered_articles)
    assert {"text.length:1", "text.length:3", "previous-2.text.length:3"} <= set(differing)
    assert all("text.length" in name for name in differing)


def test_the_compared_features_are_of_all_families_and_of_all_kinds():
    assert {name.split(".")[0] for name in FUNCTIONS} == set(FAMILIES)
    assert 25 <= len(FUNCTIONS) <= 35
    assert 10 <= sum(bool(BORDERS[name]) for name in FUNCTIONS) <= 25


def test_of_a_fresh_page_nothing_is_known(rendered_articles):
    page = rendered_articles[0]
    FeatureSet().fit([page])
    new = timing.fresh(page)
    assert set(vars(new)) == set(page.__dataclass_fields__)
    assert set(vars(new.elements)) == set(page.elements.__dataclass_fields__)
    assert set(vars(new.metadata)) == set(page.metadata.__dataclass_fields__)
    assert heading_region(new) == heading_region(page)


def test_memos_of_texts_are_emptied_and_tables_stay(monkeypatch):
    module = ModuleType("structce.made_up")
    module.memo = lru_cache(maxsize=4096)(str.upper)
    module.table = lru_cache(maxsize=64)(str.lower)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    assert module.memo("a") + module.table("B") == "Ab"
    assert split_words("Ann Lee") == ("ann", "lee")
    timing.forget_texts()
    memos = [split_words, module.memo, module.table]
    assert [memo.cache_info().currsize for memo in memos] == [0, 0, 1]


@pytest.fixture
def _without_collecting(monkeypatch):
    """Collecting garbage takes long in a process of many tests, and is not what is tested."""
    monkeypatch.setattr(timing.gc, "collect", lambda: 0)


@pytest.mark.usefixtures("_without_collecting")
def test_contenders_take_turns_and_the_best_round_counts(monkeypatch):
    done = []
    times = {"a": chain([3.0, 1.0], repeat(2.0)), "b": repeat(5.0)}
    monkeypatch.setattr(timing, "seconds", lambda work: next(times[work()]))

    def contender(name):
        return lambda item: lambda: (done.append((name, item)), name)[1]

    best = timing.best_of(3, [7, 8], {"a": contender("a"), "b": contender("b")}, lambda _: None)
    assert [name for name, item in done if item == 7] == ["a", "b", "b", "a", "a", "b"]
    assert best["a"].tolist() == [2.0, 1.0]
    assert best["b"].tolist() == [5.0, 5.0]


@pytest.mark.usefixtures("_without_collecting")
def test_every_batch_is_measured():
    items = range(2 * timing.BATCH + 1)
    best = timing.best_of(1, items, {"a": lambda item: lambda: None}, lambda _: None)
    assert len(best["a"]) == len(items)
    assert np.isfinite(best["a"]).all()


def test_pages_grow_by_whole_bodies(make_page, article_html):
    htmls = [article_html(n) for n in range(3)]
    page = make_page(joined(htmls))
    assert list(page.text) == [text for html in htmls for text in make_page(html).text]
    assert page.title == make_page(htmls[0]).title


def test_growing_pages_hold_more_and_more_regions_of_the_same_site():
    pages = growing_pages(1, seed=0, factors=(1, 2, 4))
    sizes = [len(page) for (page,) in pages.values()]
    assert list(pages) == [1, 2, 4]
    assert sizes[1] > 1.7 * sizes[0]
    assert sizes[2] > 1.7 * sizes[1]
    assert len({page.url for (page,) in pages.values()}) == 1


def test_each_feature_is_measured_by_itself_and_the_dearest_comes_first(rendered_articles):
    measured = costs(rendered_articles, Plan(rounds=1, n_sites=1, seed=0), lambda _: None)
    assert {cost["name"] for cost in measured} == set(FeatureSet().names)
    firsts = [cost["first"] for cost in measured]
    assert firsts == sorted(firsts, reverse=True)


def test_what_the_dearest_leave_is_summed_up():
    measured = [Cost(name=f"f{n}", first=1.0, again=0.5) for n in range(20)]
    *_, last, rest, total = cost_rows(measured, 2)
    assert last["feature"] == "f14"
    assert (rest["feature"], rest["ms per page"]) == ("the rest (5)", "2500.000")
    assert (total["feature"], total["once landmarks are known"]) == ("all (20)", "5000.000")


def test_the_command_prints_four_tables_and_writes_all_figures(corpus_folder, tmp_path):
    file = tmp_path / "report.json"
    done = CliRunner().invoke(
        main, [corpus_folder, "--pages", "2", "--rounds", "1", "--sites", "1", "--json", str(file)]
    )
    assert done.exit_code == 0, done.output
    figures = json.loads(file.read_text("utf-8"))
    assert len(figures["tables"]) == 4
    assert all(title in done.output for title in figures["tables"])
    assert (figures["corpus"]["n_pages"], figures["plan"]["rounds"]) == (2, 1)
    parts = figures["encoding"]["seconds"]
    assert parts["describing"] + parts["encoding"] == pytest.approx(parts["transform"])
    compared = figures["comparison"]
    ratio = compared["seconds"]["dictionaries"] / compared["seconds"]["ours"]
    assert compared["times_ours"]["dictionaries"] == pytest.approx(ratio)
    assert len(figures["growth"]["regions"]) == 4
    assert np.isfinite(figures["growth"]["exponent"])


def test_nothing_is_timed_where_the_two_ways_differ(corpus_folder, monkeypatch):
    monkeypatch.setitem(FUNCTIONS, "dom.tag", lambda region: {"dom.tag": "p"})
    done = CliRunner().invoke(main, [corpus_folder])
    assert done.exit_code == 1
    assert "columns that differ: dom.tag=" in done.output
