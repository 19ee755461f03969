"""Merges of corpora, and judgements of people beside what a data set says of a page."""

import json
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest
from msgspec import structs

from structce.corpus import Corpus, LabelledPage, merge, read_judgements, with_judgements
from structce.corpus.merge import Judgement
from structce.errors import CorpusError, LabelError
from structce.labels import NEWS, LabelSet
from structce.page import Provenance

BODY = ("Paragraph", "Subtitle")


@pytest.fixture
def everywhere(monkeypatch):
    """Let any region have any label."""
    module = import_module("structce.corpus.merge")  # the package has a function of this name
    monkeypatch.setattr(module, "possible_regions", lambda page, _: np.ones(len(page), dtype=bool))


@pytest.fixture
def news(make_corpus):
    """Two pages whose gold covers all labels."""
    return replace(make_corpus(2), name="news")


@pytest.fixture
def bodies(make_corpus):
    """Two pages of other sites whose gold covers the main text alone."""
    pages = []
    for n, page in enumerate(make_corpus(4).pages[2:], start=2):
        labels = tuple(label if label in BODY else "None" for label in page.labels)
        pages.append(replace(page, id=f"body{n}", labels=labels))
    return Corpus("bodies", tuple(pages), covered=BODY, licence="CC0", notes={"by": "hand"})


@pytest.mark.usefixtures("everywhere")
def test_background_that_could_have_a_label_becomes_a_set(news, bodies):
    merged = merge([news, bodies])
    assert merged.covered == news.covered
    assert [page.labels for page in merged][:2] == [page.labels for page in news]
    several = "|".join(sorted(set(NEWS.names) - set(BODY)))
    assert {label for page in merged.pages[2:] for label in page.labels} == {*BODY, several}
    assert merged.n_several == sum(page.labels.count("None") for page in bodies)


def test_ids_that_two_corpora_use_get_a_prefix(make_corpus):
    pages = [replace(page, site=page.id, family=page.id) for page in make_corpus(3)]
    first, second = Corpus("a b/c", tuple(pages[:2])), Corpus("other", tuple(pages[1:]))
    merged = merge([first, second])
    names = ["page0", "a-b-c-page1", "other-page1", "page2"]
    assert [(page.id, page.site, page.family) for page in merged] == [(n, n, n) for n in names]
    renamed = [row["renamed"] for row in merged.notes["merged"]]
    assert renamed == [{"page1": "a-b-c-page1"}, {"page1": "other-page1"}]


def test_sites_of_several_corpora_share_a_family(make_corpus):
    pages = make_corpus(4).pages
    first = Corpus("a", tuple(replace(page, site="s", family="template") for page in pages[:2]))
    second = Corpus("b", (replace(pages[2], site="s", family="s"), pages[3]))
    merged = merge([first, second])
    assert [page.family for page in merged] == ["s", "s", "s", "site3.example"]


@pytest.mark.usefixtures("everywhere")
def test_licences_notes_and_label_sets_are_joined(news, bodies):
    merged = merge([news, bodies], name="both")
    assert (merged.name, merged.licence) == ("both", "news: MIT; bodies: CC0")
    first, second = merged.notes["merged"]
    assert (first["name"], first["digest"]) == ("news", news.digest)
    assert second["notes"] == {"by": "hand"}
    assert second["n_turned_several"] == merged.n_several > 0
    names = ("None", "Paragraph", "Comment", "Subtitle")
    other = replace(bodies, label_set=LabelSet(names, "None"), covered=(*BODY, "Comment"))
    assert merge([news, other]).label_set.names == (*NEWS.names, "Comment")


DIGEST = "ab" * 32


@pytest.fixture
def page(make_page):
    page = make_page("<h1>Ferry</h1><p>Advertisement</p><p>The quay.</p><p>It sails.</p>")
    page = structs.replace(page, provenance=Provenance(digest=DIGEST))
    labels = ("Title", "?", "Caption|None|Paragraph", "Paragraph")
    return LabelledPage("one", "a.example", "a.example", page, labels)


def judged(page, **labels):
    """Return a corpus of a page that was judged, labels given as ``r1="Caption"``."""
    named = {page.page.xpath[int(name[1:])]: label for name, label in labels.items()}
    judgement = Judgement("set", "one", DIGEST, "final", ("Advertisement", "Caption"), named)
    corpus = Corpus("set", (page,), covered=("Title", "Paragraph"))
    return with_judgements(corpus, [judgement])


@pytest.mark.usefixtures("everywhere")
@pytest.mark.parametrize(
    ("labels", "result"),
    [
        ({"r1": "Advertisement|None", "r3": "Caption"},
         ("Title", "Advertisement|None", "None|Paragraph", "Caption")),
        ({"r1": "Caption", "r2": "?"}, ("Title", "Caption", "Caption|None|Paragraph", "Paragraph")),
    ],
    ids=["decided", "impossible to tell"],
)  # fmt: skip
def test_a_judgement_decides_where_the_gold_does_not(page, labels, result):
    corpus = judged(page, **labels)
    assert corpus.pages[0].labels == result
    assert set(corpus.covered) == {"Advertisement", "Caption", "Paragraph", "Title"}


@pytest.mark.usefixtures("everywhere")
def test_background_of_unjudged_pages_becomes_a_set(page):
    other = replace(page, id="two", labels=("Title", "None", "None", "Paragraph"))
    other = replace(
        other, page=structs.replace(other.page, provenance=Provenance(digest="cd" * 32))
    )
    several = "Advertisement|Caption|None"
    assert judged(other).pages[0].labels == ("Title", several, several, "Paragraph")
    with pytest.raises(LabelError, match="Headline"):
        judged(page, r1="Headline")


def test_judgements_are_read_by_part():
    row = {"data_set": "s", "id": "one", "digest": DIGEST, "part": "final",
           "looked_for": ["Caption"], "labels": {"/html": "Caption"}}  # fmt: skip
    other = {**row, "digest": "cd" * 32, "part": "choosing"}
    data = "".join(json.dumps(line) + "\n" for line in (row, other)).encode()
    assert [judgement.part for judgement in read_judgements(data, "x")] == ["final", "choosing"]
    assert len(read_judgements(data, "x", ["choosing"])) == 1
    for damaged in (data + json.dumps(row).encode(), b'{"id": 3}', b'{"id": "\xff"}', b"["):
        with pytest.raises(CorpusError, match="x: "):
            read_judgements(damaged, "x")
