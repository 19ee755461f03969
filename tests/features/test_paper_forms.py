"""Table 1 of Spengler et al. (2010) in the paper's forms, and numbers as values."""

import numpy as np
import pytest

from structce.errors import FeatureError
from structce.features import REGISTRY, FeatureSet
from structce.rendering import Document, StaticRenderer

HTML = """
<title>Ferry stops</title><script type="application/ld+json">
{"@type": "NewsArticle", "headline": "Harbour falls silent"}</script>
<!-- one two three four five six seven eight nine ten eleven twelve -->
<p class="storyLead" name="intro" id="main" role="note">Ferry stops in June</p><p>Harbour</p>
"""


def make_page(html):
    return StaticRenderer().render(Document(html))


def values(name, html=HTML):
    return REGISTRY[name].values(make_page(html))


def test_tokens_come_from_class_and_name_alone():
    assert list(values("dom.class-and-name-token")) == [{"story", "lead", "intro"}, set()]


def test_comments_are_read_to_their_end():
    html = f"<body><p>Start</p>{HTML}"
    assert "twelve" in list(values("dom.whole-previous-comment", html))[1]
    assert "twelve" in next(iter(values("dom.whole-next-comment", html)))
    assert "twelve" not in list(values("dom.previous-comment-token", html))[1]


def test_the_title_is_the_title_element_not_the_stated_headline():
    assert np.array_equal(values("task.page-title-word-match"), [0.5, 0.0])
    assert list(values("task.title-word-match"))[1] == 1.0


def test_the_title_distance_counts_edits():
    assert np.array_equal(values("task.page-title-distance"), [len(" in June"), 11 - 2])


def test_lengths_and_places_are_counts():
    assert np.array_equal(values("text.string-length"), [len("Ferry stops in June"), 7])
    assert np.array_equal(values("text.output-number"), [0, 1])


def test_a_number_is_a_column_a_value_or_a_bin_or_both():
    page = make_page(HTML)
    columns = {}
    for encoding in ("bins", "value", "both"):
        chosen = {"include": ["text.word-count"], "min_count": 1, "windows": {}}
        features = FeatureSet((), encoding=encoding, **chosen)
        columns[encoding] = set(features.fit([page]).columns_)
    assert columns["value"] == {"bias", "text.word-count=4", "text.word-count=1"}
    assert columns["bins"] == {"bias", "text.word-count:3", "text.word-count:1"}
    assert columns["both"] == columns["value"] | columns["bins"]


def test_values_have_four_digits_and_unknown_ones_no_column():
    page = make_page("<title>x</title><p>a b c</p><p>d e f</p><img alt='' src=a.png>")
    chosen = ["text.output-position", "task.page-title-distance"]
    features = FeatureSet((), include=chosen, min_count=1, windows={}, encoding="value")
    names = features.fit([page]).columns_
    assert "text.output-position=0.5" in names
    assert {"task.page-title-distance=5"} == {name for name in names if "title" in name}


def test_an_encoding_is_stored_and_scores_agree_with_the_matrix():
    page = make_page(HTML)
    features = FeatureSet((), include=["text.word-count", "dom.tag"], min_count=1, encoding="value")
    features.fit([page])
    again = FeatureSet.from_state(features.state())
    assert again.state() == features.state()
    weights = np.random.default_rng(1).normal(size=(len(features.columns_), 3))
    np.testing.assert_allclose(again.scores(make_page(HTML), weights),
                               features.transform(page) @ weights)  # fmt: skip


def test_an_unknown_encoding_is_an_error():
    with pytest.raises(FeatureError, match="expected one of"):
        FeatureSet((), include=["dom.tag"], encoding="hashed")
