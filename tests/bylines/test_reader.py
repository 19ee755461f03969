"""The reader of bylines: names, agencies and what is neither, in odd lines of many languages."""

import numpy as np
import pytest

from structce.bylines import (
    BYLINE_LABELS,
    BylineReader,
    PageNames,
    load_reader,
    save_reader,
    shipped_reader,
)
from structce.bylines.reader import names_in
from structce.bylines.tokens import tokens_of
from structce.errors import ModelError
from structce.learners import LinearChainCRF


def labelled(byline, *labels):
    tokens = tokens_of(byline)
    found = np.array([BYLINE_LABELS.index(label) for label in labels])
    names = names_in(byline, tokens, found, np.full((len(tokens), len(BYLINE_LABELS)), 0.5))
    return [(name.text, name.is_group) for name in names]


def test_labels_of_tokens_become_names():
    labels = ("noise", "name", "more", "noise", "name", "more", "noise", "group", "organisation")
    found = labelled("By Ann Lee and Tom Rost, AP Post", *labels)
    assert found == [("Ann Lee", False), ("Tom Rost", False), ("AP", True)]


def test_a_name_over_two_lines_is_one():
    assert labelled("Ann\nLee", "name", "more", "more") == [("Ann Lee", False)]


def test_a_mark_alone_names_nobody():
    assert labelled("· 7", "name", "more") == []


@pytest.fixture
def small():
    """A reader that takes capitals for names, and knows nothing else."""
    learner = LinearChainCRF()
    columns = {"shape=Xx": 0, "-1:shape=Xx": 1}
    learner.n_labels_, learner.n_columns_ = len(BYLINE_LABELS), len(columns)
    learner.temperature_, learner.calibration_ = 1.0, None
    learner.emissions_ = np.zeros((2, len(BYLINE_LABELS)))
    learner.emissions_[0, 1] = 2.0
    learner.emissions_[1, 2] = 3.0
    learner.emissions_[:, 0] = 0.5
    learner.transitions_ = np.zeros((len(BYLINE_LABELS),) * 2)
    learner.objective_ = learner.gradient_norm_ = 0.0
    learner.n_iterations_, learner.curve_ = 1, []
    return BylineReader(learner, columns, frozenset({"ann"}))


def test_a_reader_survives_the_disk(small, tmp_path):
    save_reader(tmp_path / "r", small, about={"pages": 1}, card="# small")
    read = load_reader(tmp_path / "r")
    assert (read.columns, read.given) == (small.columns, small.given)
    assert read.read("by Ann Lee") == small.read("by Ann Lee")
    assert [name.text for name in read.read("by Ann Lee")] == ["Ann Lee"]


def test_a_reader_whose_columns_are_another_s_is_not_loaded(small, tmp_path):
    save_reader(tmp_path / "r", small, about={}, card="")
    small.columns["any"] = 2
    save_reader(tmp_path / "s", small, about={}, card="")
    with pytest.raises(ModelError, match="other columns or labels"):
        load_reader(tmp_path / "s")
    (tmp_path / "r" / "learner.json").write_bytes(b"{}")
    with pytest.raises(ModelError, match=r"learner\.json is not the file"):
        load_reader(tmp_path / "r")


def test_a_text_that_is_too_long_names_nobody(small):
    assert small.read("Ann Lee " * 200) == []
    assert small.read("") == []


def test_leaning_to_names_finds_more(small):
    learner = small.learner
    learner.emissions_ = learner.emissions_ - 2 * np.eye(1, len(BYLINE_LABELS), 1)
    found = [len(small.read_all(["ann Lee"], lean=lean)[0]) for lean in (-5.0, 5.0)]
    assert found[0] < found[1]


def read(byline, lang="en", authors=(), sites=()):
    names = PageNames.of(authors, sites)
    return [name.text for name in shipped_reader().read(byline, lang, names)]


@pytest.mark.parametrize(
    ("lang", "byline", "names"),
    [
        ("en", "By Ann Lee", ["Ann Lee"]),
    ],
)
def test_names_are_read_out_of_odd_bylines(lang, byline, names):
    assert read(byline, lang) == names
