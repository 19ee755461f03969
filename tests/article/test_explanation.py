"""Explanations of the values of fields."""

import numpy as np
import pytest

from structce.article import explain_value, read_labelling
from structce.article.choice import candidate_rows, candidates_of, probabilities
from structce.article.evidence import evidence_of
from structce.errors import StructceError
from structce.labelling import Labelling
from structce.labels import NEWS


@pytest.fixture(scope="module")
def reading(labeller, make_corpus):
    return read_labelling(labeller.label(next(iter(make_corpus(1))).page))


@pytest.mark.parametrize("field", ["title", "date"])
def test_shares_add_up_to_the_log_odds_between_two_candidates(reading, labeller, field):
    why = explain_value(reading, field, n_columns=2)
    evidence, trees = evidence_of(reading.initial), labeller.trees
    candidates = candidates_of(field, evidence, trees)
    p = probabilities(field, candidates, candidate_rows(field, candidates), trees)
    assert [c.probability for c in why.candidates] == sorted(p.tolist(), reverse=True)
    assert why.chosen.value == getattr(reading.article, field).value
    assert why.confidence == getattr(reading.article, field).confidence
    if why.rival is not None:
        odds = [np.log(c.probability / (1 - c.probability)) for c in (why.chosen, why.rival)]
        assert why.margin == pytest.approx(odds[0] - odds[1], abs=1e-4)
    total = sum(share.difference for share in why.shares) + why.others
    assert total == pytest.approx(why.margin)
    assert len(why.shares) == 2


def test_all_chosen_authors_are_marked(reading):
    why = explain_value(reading, "authors")
    chosen = {candidate.value for candidate in why.candidates if candidate.is_chosen}
    assert chosen == {author.value for author in reading.article.authors}


def test_a_choice_by_rule_has_candidates_and_no_columns(make_page):
    page = make_page("<title>Ferry to stop</title><h1>Ferry to stop</h1><p>In June.")
    labels = ("Title", "Paragraph")
    why = explain_value(read_labelling(Labelling(page, labels, np.ones(2), NEWS)), "title")
    assert (why.chosen.value, why.shares) == ("Ferry to stop", ())


def test_a_field_without_a_value_has_no_chosen_candidate(make_page):
    page = make_page("<p>It will stop, said the company that runs the ferry.")
    reading = read_labelling(Labelling(page, ("None",), np.ones(1), NEWS))
    why = explain_value(reading, "date")
    assert (why.chosen, why.confidence, why.candidates) == (None, None, ())


def test_a_field_without_candidates_is_an_error(reading):
    with pytest.raises(StructceError, match=r"'text'.*expected one of title, authors, date"):
        explain_value(reading, "text")
