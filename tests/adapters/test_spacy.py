"""Articles as documents of spaCy."""

import pytest

pytest.importorskip("spacy")

import spacy
from spacy.tokens import DocBin

import structce
from structce.adapters import to_spacy


@pytest.fixture
def doc(article_html):
    return to_spacy(structce.label(article_html()), spacy.blank("en"))


def test_spans_are_the_parts_of_the_article(doc, article_html):
    article = structce.label(article_html())
    texts = {}
    for span in doc.spans["structce"]:
        texts.setdefault(span.label_, []).append(span.text)
    assert texts["Title"] == [article.title.value]
    assert texts["Author"] == ["Ann Lee"]
    assert texts["Date"] == [article.date.value]
    assert texts["Caption"] == ["The quay on a grey morning."]
    lines = [line for label in ("Paragraph", "Subtitle") for line in texts[label]]
    assert sorted(lines) == sorted(article.text.splitlines())


def test_spans_know_their_place_in_the_source(doc, article_html):
    for span in doc.spans["structce"]:
        place = span._.structce
        assert place["xpath"].startswith("/html")
        assert 0 <= place["confidence"] <= 1
        start, end = place["span"]
        if span.label_ != "Date":  # printed otherwise than in ISO 8601
            assert span.text.split()[0] in article_html()[start:end]


def test_values_of_the_page_belong_to_the_document(doc):
    assert doc._.structce["language"] == "en"


def test_a_stored_document_keeps_spans_and_places(doc):
    stored = DocBin(docs=[doc], store_user_data=True).to_bytes()
    (again,) = DocBin().from_bytes(stored).get_docs(doc.vocab)
    for before, after in zip(doc.spans["structce"], again.spans["structce"], strict=True):
        assert (before.text, before.label_) == (after.text, after.label_)
        assert before._.structce["xpath"] == after._.structce["xpath"]


def test_components_of_a_pipeline_take_the_document(article_html):
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    doc = nlp(to_spacy(structce.label(article_html()), nlp))
    assert len(list(doc.sents)) > 3


def test_an_empty_page_is_an_empty_document():
    with pytest.warns(structce.EmptyPageWarning):
        doc = to_spacy(structce.label("<p>"), spacy.blank("en"))
    assert doc.text == ""
    assert len(doc.spans["structce"]) == 0
