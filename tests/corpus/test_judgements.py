"""Judgements of people join what a data set says of the same page."""

import json
from dataclasses import replace

import numpy as np
import pytest

from structce.corpus import Corpus, read_judgements, with_judgements
from structce.corpus.judgements import Judgement
from structce.corpus.storage import LabelledPage
from structce.errors import CorpusError, LabelError
from structce.page import Provenance

DIGEST = "ab" * 32


@pytest.fixture
def judged(make_page):
    page = make_page("<h1>Ferry</h1><p>Advertisement</p><p>The quay.</p><p>It sails.</p>")
    page = replace(page, provenance=Provenance(digest=DIGEST))
    labels = ("Title", "?", "Caption|None|Paragraph", "Paragraph")
    return LabelledPage("one", "a.example", "a.example", page, labels)


def judgement(page, **labels):
    places = {page.page.xpath[int(name[1:])]: label for name, label in labels.items()}
    return Judgement("set", "one", DIGEST, "final", ("Advertisement", "Caption"), places)


def labels_of(page, judgement):
    corpus = Corpus("set", (page,), covered=("Title", "Paragraph"))
    return with_judgements(
        corpus, [judgement], possible=lambda page, label: np.ones(len(page), bool)
    )


def test_a_judgement_decides_if_the_gold_disagrees(judged):
    made = labels_of(judged, judgement(judged, r1="Advertisement|None", r3="Caption"))
    assert made.pages[0].labels == (
        "Title",
        "Advertisement|None",
        "None|Paragraph",  # nobody judged it to be a caption
        "Caption",
    )
    assert set(made.covered) == {"Advertisement", "Caption", "Paragraph", "Title"}


def test_what_could_not_be_told_stays_as_it_was(judged):
    made = labels_of(judged, judgement(judged, r2="?"))
    assert made.pages[0].labels[2] == "Caption|None|Paragraph"


def test_background_of_unjudged_pages_is_doubted(judged):
    other = replace(judged, id="two", labels=("Title", "None", "None", "Paragraph"))
    other = replace(other, page=replace(other.page, provenance=Provenance(digest="cd" * 32)))
    made = labels_of(other, judgement(judged))
    doubtful = "Advertisement|Caption|None"
    assert made.pages[0].labels == ("Title", doubtful, doubtful, "Paragraph")


def test_an_unknown_label_is_refused(judged):
    with pytest.raises(LabelError, match="Headline"):
        labels_of(judged, judgement(judged, r1="Headline"))


def test_lines_are_read_by_part_and_a_page_twice_is_an_error(judged):
    row = {"data_set": "s", "id": "one", "digest": DIGEST, "part": "final",
           "looked_for": ["Caption"], "labels": {"/html": "Caption"}}  # fmt: skip
    other = {**row, "digest": "cd" * 32, "part": "choosing"}
    data = "".join(json.dumps(line) + "\n" for line in (row, other)).encode()
    assert [judgement.part for judgement in read_judgements(data, "x")] == ["final", "choosing"]
    assert [judgement.part for judgement in read_judgements(data, "x", ["choosing"])] == [
        "choosing"
    ]
    with pytest.raises(CorpusError, match="twice"):
        read_judgements(data + json.dumps(row).encode(), "x")
    with pytest.raises(CorpusError, match="x"):
        read_judgements(b'{"id": 3}', "x")
