"""Choice among candidates: by rule, by trees, and of the body."""

from dataclasses import dataclass

import numpy as np
import pytest
from msgspec import structs

from structce.article.candidates import ValueCandidate
from structce.article.choice import (
    CHOICE_COLUMNS,
    FIELDS,
    candidates_of,
    choice_columns,
    choose,
    choose_authors,
    probabilities,
    select_authors,
)
from structce.article.page_type import PAGE_COLUMNS
from structce.article.reading import checked_trees
from structce.article.tuned import tuned
from structce.errors import ModelError
from structce.labelling import ArticleTrees

PAGE = np.full(len(PAGE_COLUMNS), 7.0)
NO_PAGE = np.zeros(0)
NO_TREES = ArticleTrees()


@dataclass
class Fixed:
    """Trees that answer with given probabilities, and keep what they were asked."""

    answers: tuple[float, ...]
    names: tuple[str, ...] = ()
    asked: object = None

    def probability(self, rows):
        self.asked = rows
        return np.array(self.answers[: len(rows)])


@pytest.mark.parametrize("field", FIELDS)
def test_no_candidate_is_no_choice(field, make_page, see):
    trees = ArticleTrees({field: Fixed(())})
    assert probabilities(field, [], np.zeros((0, 0)), trees).shape == (0,)
    empty = see(make_page(""))
    assert choose_authors(empty, NO_TREES, NO_PAGE) == []
    if field != "authors":
        assert choose(field, empty, NO_TREES, NO_PAGE) is None


def test_the_likeliest_is_chosen_and_of_equals_the_first(make_page, see):
    evidence = see(make_page("<h1>One</h1><h1>Two</h1>"), ["Title", "Title"], [0.5, 0.5])
    assert choose("title", evidence, NO_TREES, NO_PAGE).candidate.value == "One"
    choice = choose("title", evidence, ArticleTrees({"title": Fixed((0.2, 0.7))}), NO_PAGE)
    assert (choice.candidate.value, choice.confidence) == ("Two", 0.7)


def test_further_trees_say_how_sure_a_choice_is(make_page, see):
    evidence = see(make_page("<h1>One</h1><h1>Two</h1>"), ["Title", "Title"], [0.5, 0.5])
    sure = Fixed((0.9,), choice_columns("title"))
    trees = ArticleTrees({"title": Fixed((0.2, 0.7))}, {"title": sure})
    choice = choose("title", evidence, trees, PAGE)
    assert (choice.candidate.value, choice.confidence) == ("Two", 0.9)
    row = dict(zip(sure.names, sure.asked[0], strict=True))
    facts = {
        "p_first": 0.7, "p_second": 0.2, "p_third": 0, "p_gap": 0.5, "p_sum": 0.9,
        "entropy": 0.5297,  # of 2/9 and 7/9
        "n_candidates": 2, "n_stating": 0, "second_p": 0.5, "second_shown": 1, "second_stated": 0,
        "likeness": 100 / 3,  # "one" and "two" share the letter o alone
    }  # fmt: skip
    assert {name: row[name] for name in CHOICE_COLUMNS} == pytest.approx(facts, abs=1e-4)
    assert row["rank"] == 1


def test_one_author_may_be_less_likely_than_further_ones():
    names = [ValueCandidate(name) for name in ("Ann Lee", "Tom Rost", "Mira Okafor")]
    between = (tuned("author") + tuned("only-author")) / 2
    assert select_authors(names, np.array([between, between - 0.01, 0])) == [0]
    assert select_authors(names, np.array([between, 0.9, tuned("author")])) == [1, 2]
    assert select_authors(names, np.array([0.1, tuned("only-author") - 0.01, 0.0])) == []
    assert select_authors([], np.zeros(0)) == []


def test_second_author_is_chosen_if_metadata_state_both():
    ann = ValueCandidate("Ann Lee", (4,), ("json-ld", "meta"))
    tom = ValueCandidate("Tom Rost", (6,), ("json-ld",))
    p = np.array([0.8, 0.3])
    assert select_authors([ann, tom], p) == [0, 1]
    for changes in ({"sources": ("time",)}, {"regions": (60,)}, {"regions": ()}):
        assert select_authors([ann, structs.replace(tom, **changes)], p) == [0]
    assert select_authors([ann, tom], np.array([0.8, 0.01])) == [0]


def test_names_of_one_line_are_authors_together():
    ann = ValueCandidate("Ann Lee", (4,), raw="By Ann Lee and Tom Rost")
    tom = ValueCandidate("Tom Rost", (40,), raw=ann.raw)
    p = np.array([0.8, 0.3])
    assert select_authors([ann, tom], p) == [0, 1]
    assert select_authors([ann, structs.replace(tom, raw="Photo: Tom Rost")], p) == [0]
    assert select_authors([structs.replace(ann, raw=""), structs.replace(tom, raw="")], p) == [0]
    assert select_authors([ann, tom], np.array([0.8, 0.01])) == [0]
    titled = structs.replace(ann, raw="By Ann Lee, Harbour Editor")
    role = ValueCandidate("Harbour Editor", (4,), raw=titled.raw)
    assert select_authors([titled, role], np.array([0.8, 0.1])) == [0]


def test_authors_are_in_order_of_page_then_metadata(make_page, see):
    html = "<meta name=author content='Zoe Stone'><html lang=en><p>By Ann Lee</p><p>By Tom Rost</p>"
    evidence = see(make_page(html), ["Author", "Author"], [0.6, 0.9])
    choices = choose_authors(evidence, NO_TREES, NO_PAGE)
    assert [choice.candidate.value for choice in choices] == ["Ann Lee", "Tom Rost", "Zoe Stone"]


def test_choice_trees_compare_each_author_with_rivals(make_page, see):
    html = "<html lang=en><p>By Ann Lee</p><p>By Tom Rost</p>"
    evidence = see(make_page(html), ["Author", "Author"], [0.6, 0.9])
    beside = Fixed((0.1, 0.95), choice_columns("authors"))
    trees = ArticleTrees({"authors": Fixed((0.7, 0.4))}, {"authors": beside})
    (choice,) = choose_authors(evidence, trees, PAGE)
    assert (choice.candidate.value, choice.confidence) == ("Ann Lee", 0.95)
    rows = [dict(zip(beside.names, row, strict=True)) for row in beside.asked]
    assert [(row["p_first"], row["p_second"]) for row in rows] == [(0.7, 0.4), (0.4, 0.7)]


@pytest.mark.parametrize(
    ("field", "html", "label", "values"),
    [
        ("authors", "<p>Ann Lee, PhD", "Author", {"Ann Lee, PhD"}),
        ("title", "<h1><i>Harbour</i> <b>Ferry stops</b>", "Title", {"Harbour"}),
    ],
)
def test_parts_and_whole_texts_are_for_trees(field, html, label, values, make_page, see):
    page = make_page(html)
    evidence = see(page, [label] * len(page), [0.4, 0.9][-len(page) :])
    known, by_rule = (
        {candidate.value for candidate in candidates_of(field, evidence, trees)}
        for trees in (ArticleTrees({field: Fixed(())}), NO_TREES)
    )
    assert values <= known
    assert by_rule == known - values


def changed(trees, name, names):
    """Return the trees with other columns of one stored ensemble."""
    stored = trees.stored()
    return ArticleTrees.of_stored({**stored, name: structs.replace(stored[name], names=names)})


def test_trees_with_an_unknown_column_are_an_error(trees):
    checked_trees(trees)
    checked_trees(ArticleTrees({"a user's own": Fixed(())}))
    subjects = {name: name for name in ("title", "authors", "body", "quality")}
    subjects |= {"date-sure": "choice of date", "role-None": "role None"}
    subjects["type-listing"] = "page type listing"
    for name, subject in subjects.items():
        names = (*trees.stored()[name].names[1:], "lucky-number")
        with pytest.raises(ModelError, match=f"{subject} .*'lucky-number'"):
            checked_trees(changed(trees, name, names))
