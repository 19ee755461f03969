"""The benchmark of features: fresh pages, turns of contenders, growing pages, its tables."""

import json
import sys
from functools import lru_cache
from itertools import chain, repeat
from types import ModuleType

import pytest
from click.testing import CliRunner

from benchmarks.features import timing
from benchmarks.features.__main__ import costs, growing_pages, joined, main
from structce.features.feature_set import FeatureSet
from structce.features.landmarks import heading_region
from structce.language import split_words


@pytest.fixture
def rendered_articles(make_page, article_html):
    return [make_page(article_html(n)) for n in range(2)]


@pytest.fixture
def corpus_folder(make_corpus, tmp_path):
    make_corpus(2).save(tmp_path / "corpus")
    return str(tmp_path / "corpus")


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


def test_pages_grow_by_whole_bodies(make_page, article_html):
    htmls = [article_html(n) for n in range(3)]
    page = make_page(joined(htmls))
    assert list(page.text) == [text for html in htmls for text in make_page(html).text]
    assert page.title == make_page(htmls[0]).title


def test_growing_pages_keep_their_site():
    pages = growing_pages(1, seed=0, factors=(1, 2, 4))
    sizes = [len(page) for (page,) in pages.values()]
    assert list(pages) == [1, 2, 4]
    assert sizes[1] > 1.7 * sizes[0]
    assert sizes[2] > 1.7 * sizes[1]
    assert len({page.url for (page,) in pages.values()}) == 1


def test_each_feature_is_measured_and_all_are_summed(rendered_articles):
    *dearest, every = costs(rendered_articles, 1, lambda _: None)
    taken = [float(row["ms per page"]) for row in dearest]
    assert taken == sorted(taken, reverse=True)
    assert every["feature"] == f"all ({len(FeatureSet().names)})"
    assert float(every["ms per page"]) >= sum(taken) - 0.01


def test_the_command_prints_and_stores_its_tables(corpus_folder, tmp_path):
    file = tmp_path / "report.json"
    options = ["--pages", "2", "--rounds", "1", "--sites", "1", "--json", str(file)]
    done = CliRunner().invoke(main, [corpus_folder, *options])
    assert done.exit_code == 0, done.output
    tables = json.loads(file.read_text("utf-8"))["tables"]
    assert len(tables) == 3
    assert all(title in done.output for title in tables)
