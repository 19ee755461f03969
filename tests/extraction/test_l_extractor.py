"""L-Extractor: features of blocks, what is learnt of them, and what a file keeps."""

import math
from dataclasses import replace

import pytest

from structce.errors import ModelError
from structce.extraction import ParsedDocument, block_set, make_extractor
from structce.extraction.l_extractor import FEATURES, FeatureClassifier, LExtractor, feature_rows
from structce.extraction.trained import TrainedExtractor, Training, save_trained

WORDS = "ferry harbour island master monday prices rise sailor storm summer ticket winter".split()


def page(n):
    """A page of a long paragraph and short lists of links, and its text."""
    text = " ".join(WORDS[(n + i) % len(WORDS)] for i in range(30 + n))
    menu = "".join(f"<li><a href=/{i}>Entry {i}</a>" for i in range(5 + n % 3))
    html = f"<div><ul>{menu}</ul></div><p>{text}</p><div><a>Imprint</a> <a>Help</a><img></div>"
    return ParsedDocument(html), text


@pytest.fixture(scope="module")
def fitted_extractor():
    documents, texts = zip(*(page(n) for n in range(8)), strict=True)
    return LExtractor().fit(documents, texts)


def test_a_row_has_logarithms_of_counts_and_presence():
    blocks = block_set(ParsedDocument("<p>one two three <img><img></p>"))
    (row,) = feature_rows(blocks)
    by_name = dict(zip(FEATURES, row, strict=False))
    assert by_name["text"] == pytest.approx(math.log(4))
    assert by_name["image"] == pytest.approx(math.log(3))
    assert by_name["link"] == 0
    present = dict(zip(FEATURES, row[len(FEATURES) :], strict=True))
    assert {name for name, value in present.items() if value == 1} == {"text", "image", "text-tag"}


def test_long_paragraphs_are_told_from_lists_of_links(fitted_extractor):
    document, text = page(20)
    assert fitted_extractor.extract(document).text == text
    assert fitted_extractor.extract(ParsedDocument("")).text == ""


@pytest.mark.parametrize("change", [{"features": ["text"]}, {"tags": []}, {"extra": 1}])
def test_a_file_of_other_features_is_refused(tmp_path, monkeypatch, fitted_extractor, change):
    state = fitted_extractor.state()
    other = replace(state, settings={**state.settings, **change})
    with pytest.raises(ValueError, match="this version has"):
        FeatureClassifier.from_state(other)
    monkeypatch.setattr(FeatureClassifier, "state", lambda self: other)
    save_trained(tmp_path / "a", TrainedExtractor("l-extractor", fitted_extractor, Training()))
    with pytest.raises(ModelError, match="not a learnt extractor"):
        make_extractor(f"trained:{tmp_path / 'a'}")
