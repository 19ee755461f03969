"""Scores of articles, and comparisons of systems."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.articles import comparison, score_memory
from benchmarks.articles.answers import Answer
from benchmarks.articles.comparison import Cell, compare, site_p_value
from benchmarks.articles.corpora import ArticleCorpus
from benchmarks.articles.scores import (
    MEASURES,
    Difference,
    PageScore,
    SystemScores,
    score_page,
    value_of,
    within,
)
from benchmarks.articles.systems import ALL_FIELDS
from structce.evaluation.significance import wilcoxon


def test_a_right_answer_scores_one_and_none_scores_zero(article_pages, right):
    names = {"title", "authors", "date", "text", "precision", "recall", "rouge", "shingles"}
    names |= {"complete", "lines", "short-lines", "first-line", "last-line"}
    answers = right, Answer("p0", error="none")
    best, worst = (score_page(article_pages[0], answer, ALL_FIELDS) for answer in answers)
    assert set(best.rows) == set(worst.rows) == names
    assert {value_of([best], MEASURES[name]) for name in names} == {1.0}
    assert {value_of([worst], MEASURES[name]) for name in names} == {0.0}
    assert set(score_page(article_pages[0], right, ("date",)).rows) == {"date"}


def test_author_of_a_page_without_one_is_invented(article_pages, right):
    answers = right, replace(right, authors=())
    score, empty = (score_page(article_pages[2], answer, ("authors",)) for answer in answers)
    assert score.rows == {"invented": (1, 1)}
    assert empty.rows["invented"][0] == 0
    silent = ArticleCorpus("c", "c", ("authors",))
    assert within(score, silent).rows == {}
    assert within(score, replace(silent, empty_means_no_author=True)).rows == score.rows


def test_scores_are_recomputed_only_after_changes(tmp_path, monkeypatch, article_pages, right):
    memory, asked = score_memory.ScoreMemory(tmp_path), []
    compute = score_memory.score_page

    def counted(page, *rest):
        asked.append(page.id)
        return compute(page, *rest)

    def scores(answers):
        return memory.scores("peer", article_pages[: len(answers)], answers, ("title", "authors"))

    monkeypatch.setattr(score_memory, "score_page", counted)
    answers = [replace(right, id=page.id) for page in article_pages]
    assert scores(answers) == scores(answers)
    slower = scores([replace(answer, ms=9.0) for answer in answers])
    assert ({score.ms for score in slower}, len(asked)) == ({9.0}, 3)
    other = [replace(right, title="no"), *answers[1:]]
    assert (scores(other)[0].rows["title"], len(asked)) == ((0, 1), 6)
    scores(other[:2])
    assert len(asked) == 8


def test_cells_compare_ours_with_best_other_system(section, monkeypatch):
    monkeypatch.setattr(comparison, "LEAST_PAGES", 1)
    (title,) = comparison.compare([section], "ours-static", seed=1, measures=("title",))
    assert (title.other, title.n_sites, title.difference.n_pages) == ("trafilatura", 2, 3)
    assert (title.value, title.other_value) == (pytest.approx(2 / 3), pytest.approx(1 / 3))
    # Site a is a tie, site b is won: draws of the two sites differ by 0 (a, a) to 1 (b, b).
    assert title.difference.interval == (0.0, 1.0)
    asked = {"against": "goose3", "measures": ("title",)}
    (other,) = comparison.compare([section], "ours-static", seed=1, **asked)
    assert (other.other, other.other_value) == ("goose3", 0)
    monkeypatch.setattr(comparison, "LEAST_PAGES", 4)
    assert comparison.compare([section], "ours-static", seed=1) == []


def system_of(values, name="s"):
    """Scores of one page a site, by whether its title is right."""
    return SystemScores(name, tuple(
        PageScore(f"p{n}", f"{n // 2}.example", "article", "en", 1.0, "", {"title": (float(v), 1)})
        for n, v in enumerate(values)
    ))  # fmt: skip


def test_p_values_are_of_sites_and_corrected_for_all_cells(section):
    ours, other = system_of([1] * 20), system_of([0] * 14 + [1] * 6, "trafilatura")
    mine, theirs = ours.having("title"), other.having("title")
    by_hand = wilcoxon(np.ones(10), np.array([0.0] * 7 + [1.0] * 3))
    p_value = site_p_value(mine, theirs, MEASURES["title"])
    assert p_value == pytest.approx(by_hand)
    assert site_p_value(mine[:4], theirs, MEASURES["title"]) > by_hand  # two sites
    renamed = replace(section, systems=(replace(ours, system="ours-static"), other))
    (alone,) = compare([renamed], "ours-static", seed=1)
    both = compare([renamed, renamed], "ours-static", seed=1)
    assert alone.p_value == pytest.approx(by_hand)
    assert [cell.p_value for cell in both] == pytest.approx([2 * by_hand] * 2)
    assert alone.verdict == "ahead"


@pytest.mark.parametrize(
    ("name", "value", "interval", "p_value", "verdict"),
    [
        ("title", 0.1, (0.02, 0.2), 0.01, "ahead"),
        ("title", 0.1, (0.02, 0.2), 0.2, "level"),
        ("title", 0.1, (-0.02, 0.2), 0.01, "level"),
        ("title", -0.1, (-0.2, -0.02), 0.2, "behind"),
        ("title", -0.1, (-0.2, 0.02), 0.01, "behind"),
        ("title", -0.1, (-0.2, 0.02), 0.2, "level"),
        ("invented", -0.1, (-0.2, -0.02), 0.01, "ahead"),
        ("invented", 0.1, (0.02, 0.2), 0.2, "behind"),
        ("title", 0.1, None, 0.01, "level"),
    ],
)
def test_ahead_needs_test_and_interval_behind_one_of_them(name, value, interval, p_value, verdict):
    difference = Difference(value, interval, 20)
    cell = Cell("c", "stated", MEASURES[name], 9, 0.5, None, "o", 0.4, difference, p_value)
    assert cell.verdict == verdict
