"""Fields and regions of a page agree: the invariant, and the cases that it is made of."""

import numpy as np
import pytest

from structce.article.candidates import Candidate
from structce.article.choice import Choice
from structce.article.roles import agree
from structce.labelling import Labelling
from structce.labels import NEWS


def labelled(make_page, html, labels, confidence=0.8):
    page = make_page(html)
    marginals = np.full((len(page), len(NEWS)), 0.01)
    marginals[:, NEWS.index("Paragraph")] = 0.1
    marginals[np.arange(len(page)), NEWS.encode(labels)] = confidence
    return Labelling(page, labels, np.full(len(page), confidence), NEWS, None, marginals)


HTML = "<h1>Ferry stops</h1><p>Ann Lee, 3 May</p><p>It sails.</p><h2>More</h2><p>Bo Ek</p>"


def decoded(make_page, labels, *, title=None, day=None, authors=()):
    labelling = labelled(make_page, HTML, labels)
    made = agree(labelling, labelling.marginals, title=title, day=day, authors=authors)
    return made.labels, made.confidence


def test_what_was_chosen_is_clamped_and_what_was_refused_is_decoded_anew(make_page):
    title = Choice(Candidate("Ferry stops", (0,)), 0.95)
    author = Choice(Candidate("Ann Lee", (1,)), 0.6)
    given = ("None", "Paragraph", "Paragraph", "Title", "Author")
    labels, confidence = decoded(make_page, given, title=title, authors=[author])
    assert labels == ("Title", "Author", "Paragraph", "Paragraph", "Paragraph")
    assert confidence.tolist() == pytest.approx([0.95, 0.6, 0.8, 0.1, 0.1])


def test_a_page_without_a_title_has_none_and_one_from_metadata_the_likeliest(make_page):
    given = ("Title", "None", "None", "Title", "None")
    assert "Title" not in decoded(make_page, given)[0]
    stated = Choice(Candidate("Ferry stops", sources=("og",)), 0.9)
    assert decoded(make_page, given, title=stated)[0].count("Title") == 1


def test_a_region_of_several_values_is_named_after_the_first(make_page):
    author = Choice(Candidate("Ann Lee", (1,)), 0.6)
    day = Choice(Candidate("2026-05-03", (1,)), 0.7)
    assert decoded(make_page, ("None",) * 5, day=day, authors=[author])[0][1] == "Date"


def test_a_date_that_a_title_goes_on_over_keeps_its_region(make_page):
    title = Choice(Candidate("Ferry stops Ann Lee, 3 May", (0, 1)), 0.6)
    day = Choice(Candidate("2026-05-03", (1,)), 0.7)
    assert decoded(make_page, ("None",) * 5, title=title, day=day)[0][:2] == ("Title", "Date")


def test_another_mention_of_an_author_is_no_byline_unless_it_is_the_only_one(make_page):
    given = ("None", "Author", "None", "None", "Author")
    author = Choice(Candidate("Bo Ek", (1,)), 0.6)
    assert decoded(make_page, given, authors=[author])[0][4] == "Paragraph"
    stated = Choice(Candidate("Bo Ek", sources=("json-ld",)), 0.6)
    assert decoded(make_page, given, authors=[stated])[0][1::3] == ("Paragraph", "Author")


def test_a_clamped_region_is_as_sure_as_its_label_was_if_that_is_more(make_page):
    title = Choice(Candidate("Ferry stops", (0,)), 0.5)
    _, confidence = decoded(make_page, ("Title",) + ("None",) * 4, title=title)
    assert confidence[0] == pytest.approx(0.8)
