"""Roles of regions: their columns by hand, and what trees, bodies and containers make of them."""

import numpy as np
import pytest

from structce.article.block_columns import block_columns
from structce.article.candidates import ValueCandidate
from structce.article.choice import Choice
from structce.article.evidence import evidence_of
from structce.article.roles import (
    ROLE_COLUMNS,
    advertised_regions,
    assign_roles,
    doubtful_regions,
    reconcile_labels,
    role_rows,
)
from structce.features.contract import ODD_HTML
from structce.labelling import ArticleTrees, Labelling
from structce.labels import NEWS
from structce.learners import BoostedTrees

HTML = (
    "<meta name=description content='The ferry between the towns will stop in June, they said.'>"
    "<main><h1>Ferry stops</h1>"
    "<p class=standfirst>The ferry between the towns will stop in June, they said.</p>"
    "<p>It sails at noon.</p></main><div class=ad-slot><p>Buy</p></div><p>Advertisement</p>"
)
LABELS = ("Title", "Paragraph", "Paragraph", "None", "None")


ROLES = ("Paragraph", "Subtitle", "None")


def role_columns(evidence, regions):
    rows = role_rows(evidence, block_columns(evidence).T, regions)
    return dict(zip(ROLE_COLUMNS, rows.T, strict=True))


def leaf(p):
    """Return a tree whose share of the odds is the same for each region."""
    nowhere, zero = np.zeros(1, dtype=np.int32), np.zeros(1, dtype=np.float32)
    places = {"roots": nowhere, "columns": nowhere, "children": np.zeros((1, 2), dtype=np.int32)}
    inner = {"thresholds": zero, "values": zero, "unknown_left": np.zeros(1, dtype=bool)}
    return BoostedTrees(ROLE_COLUMNS, **places, **inner, depth=0, baseline=float(np.log(p)))


@pytest.fixture
def evidence(make_page, see):
    return see(make_page(HTML), LABELS, [0.9] * 5)


def test_columns_are_what_they_are_called(evidence):
    columns = role_columns(evidence, np.arange(5))
    assert columns["p_Paragraph"].tolist() == pytest.approx([0, 0.9, 0.9, 0, 0])
    assert columns["highest_Title"].tolist() == pytest.approx([0.9] * 5)
    assert columns["p_Title-1"].tolist() == pytest.approx([np.nan, 0.9, 0, 0, 0], nan_ok=True)
    assert columns["block_p_Paragraph+1"].tolist() == pytest.approx(
        [0.9, 0.9, 0, 0, np.nan], nan_ok=True
    )
    assert columns["sum_Paragraph_before"].tolist() == pytest.approx([0, 0.9, 1.8, 1.8, 1.8])
    assert columns["sum_Paragraph_after"].tolist() == pytest.approx([1.8, 0.9, 0, 0, 0])
    assert columns["n_words"].tolist() == [1, 10, 3, 0, 0]  # spaces
    assert columns["from_title"].tolist() == [0, 1, 2, 3, 4]
    assert columns["from_paragraph"].tolist() == [-1, 0, 1, 2, 3]
    assert columns["ends_sentence"].tolist() == [0, 1, 1, 0, 0]
    assert columns["level"].tolist() == [1, 0, 0, 0, 0]
    assert columns["in_lead"].tolist() == [0, 1, 0, 0, 0]
    assert columns["advertisement_name"].tolist() == [0, 0, 0, 2, 0]
    assert columns["advertisement_cue"].tolist() == [0, 0, 0, 0, 1]
    assert columns["like_description"].tolist() == pytest.approx([0, 1, 0, 0, 0])


def test_sure_background_is_skipped_except_advertisements(make_page, see):
    evidence = see(make_page(HTML), LABELS, [0.9, 0.9, 0.9, 0.99, 0.99])
    assert doubtful_regions(evidence).tolist() == [True, True, True, True, False]
    assert advertised_regions(evidence).tolist() == [False, False, False, True, True]


@pytest.mark.parametrize(
    ("html", "called"),
    [
        ("<div><b>Advertisement</b><p>Buy now<img src=a></div><p>Text", "yyyn"),
        ("<div><p>Buy now<b>Advertisement</b></div><p>Text", "nyn"),  # it announces what follows
        ("<div><h3>Advertising</h3><p>Partners<p>Media kit</div><p>Text", "ynnn"),
        ("<ul><li><a href=/ads>Advertisement</a><li>Partners</ul><p>Text", "nnn"),
        ("<div><b>Advertisement</b>" + "<p>Text" * 9 + "</div>", "y" + "n" * 9),
    ],
)
def test_a_label_announces_what_follows_it_in_a_small_element(make_page, see, html, called):
    page = make_page(f"<html lang=en>{html}")
    evidence = see(page, ["None"] * len(page), [0.9] * len(page))
    assert advertised_regions(evidence).tolist() == [letter == "y" for letter in called]


def roles(*p):
    return ArticleTrees(roles=dict(zip(ROLES, map(leaf, p), strict=True)))


def judge(page, trees, is_body=(False, True, True, False, False)):
    marginals = np.full((len(page), len(NEWS)), 0.1 / (len(NEWS) - 1))
    marginals[np.arange(len(page)), NEWS.encode(LABELS)] = 0.9
    labelling = Labelling(page, LABELS, np.full(len(page), 0.9), NEWS, None, marginals)
    evidence = evidence_of(labelling)
    made = assign_roles(labelling, evidence, block_columns(evidence).T, np.array(is_body), trees)
    assert made.marginals.sum(axis=1) == pytest.approx(np.ones(len(page)))
    return made


def test_role_trees_leave_other_labels_unchanged(make_page):
    page = make_page(HTML)
    trees = roles(0.1, 0.8, 0.1)
    made = judge(page, trees)
    assert made.labels == ("Title", "Subtitle", "Subtitle", "Advertisement", "Advertisement")
    given = 0.9 + 2 * 0.0125
    assert made.confidence[1:3].tolist() == pytest.approx([0.8 * given, 0.8 * given])


def test_no_region_outside_the_body_is_a_paragraph(make_page):
    trees = roles(0.8, 0.1, 0.1)
    made = judge(make_page(HTML), trees, is_body=(False, True, False, False, True))
    assert made.labels[1] == "Paragraph"
    assert made.labels[4] == "Paragraph"  # called an advertisement, but the body holds it
    assert "Paragraph" not in (made.labels[2], made.labels[3])


@pytest.mark.parametrize("html", ["", *ODD_HTML])
def test_any_page_has_rows_without_infinities(html, make_page, see):
    evidence = see(make_page(html))
    columns = role_columns(evidence, np.arange(len(evidence.page)))
    assert {column.shape for column in columns.values()} == {(len(evidence.page),)}
    assert not any(np.isinf(column).any() for column in columns.values())


def labelled(make_page, html, labels, confidence=0.8):
    page = make_page(html)
    marginals = np.full((len(page), len(NEWS)), 0.01)
    marginals[:, NEWS.index("Paragraph")] = 0.1
    marginals[np.arange(len(page)), NEWS.encode(labels)] = confidence
    return Labelling(page, labels, np.full(len(page), confidence), NEWS, None, marginals)


BYLINES = "<h1>Ferry stops</h1><p>Ann Lee, 3 May</p><p>It sails.</p><h2>More</h2><p>Bo Ek</p>"


def decoded(make_page, labels, *, title=None, day=None, authors=()):
    labelling = labelled(make_page, BYLINES, labels)
    made = reconcile_labels(labelling, title=title, day=day, authors=authors)
    return made.labels, made.confidence


def test_chosen_values_are_clamped_refused_ones_redecoded(make_page):
    title = Choice(ValueCandidate("Ferry stops", (0,)), 0.95)
    author = Choice(ValueCandidate("Ann Lee", (1,)), 0.6)
    given = ("None", "Paragraph", "Paragraph", "Title", "Author")
    labels, confidence = decoded(make_page, given, title=title, authors=[author])
    assert labels == ("Title", "Author", "Paragraph", "Paragraph", "Paragraph")
    assert confidence.tolist() == pytest.approx([0.95, 0.6, 0.8, 0.1, 0.1])


def test_stated_title_goes_to_its_likeliest_region(make_page):
    given = ("Title", "None", "None", "Title", "None")
    assert "Title" not in decoded(make_page, given)[0]
    stated = Choice(ValueCandidate("Ferry stops", sources=("og",)), 0.9)
    assert decoded(make_page, given, title=stated)[0].count("Title") == 1


def test_a_region_of_several_values_is_named_after_the_first(make_page):
    author = Choice(ValueCandidate("Ann Lee", (1,)), 0.6)
    day = Choice(ValueCandidate("2026-05-03", (1,)), 0.7)
    assert decoded(make_page, ("None",) * 5, day=day, authors=[author])[0][1] == "Date"


def test_other_mentions_of_an_author_are_not_bylines(make_page):
    given = ("None", "Author", "None", "None", "Author")
    author = Choice(ValueCandidate("Bo Ek", (1,)), 0.6)
    assert decoded(make_page, given, authors=[author])[0][4] == "Paragraph"
    stated = Choice(ValueCandidate("Bo Ek", sources=("json-ld",)), 0.6)
    assert decoded(make_page, given, authors=[stated])[0][1::3] == ("Paragraph", "Author")
