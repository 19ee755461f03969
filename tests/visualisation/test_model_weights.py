"""What weighs in a model, and its drawing as SVG and PNG."""

import json
import re
from collections.abc import Sequence

import numpy as np
import pytest
from lxml import etree

from structce.errors import LabelError
from structce.labels import LabelSet
from structce.language import display_width
from structce.learners import GreedySVM, Learner, MulticlassSVM, StructuredSVM
from structce.visualisation.model_weights import (
    ModelView,
    StrongestColumns,
    Weight,
    draw_model,
    to_png,
    view_model,
)

LABELS = LabelSet(("None", "Title", "Date"), "None")
COLUMNS = ("bias", "heading", "digits", "rare")
WEIGHTS = [[1.0, -0.5, -0.5], [-2.0, 2.0, 0.0], [-1.0, -1.0, 2.0], [1e-6, -1e-6, 0.0]]


SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = (
    'text.token=<script>alert("1")</script>',
    "text.token=]]>&amp;'\"",
    "text.token=\x00\x1b[31m\ud800\ufffe",
    "text.token=\u202egnp",
    "text.token=" + "日本語" * 40,
)


def fitted(kind: type[Learner], **weights: object) -> Learner:
    learner = kind()
    learner.n_columns_, learner.classes_, learner.temperature_ = 4, np.arange(3), 1.0
    for key, value in {"emissions_": WEIGHTS, **weights}.items():
        setattr(learner, key, np.array(value))
    return learner


def test_the_strongest_columns_are_those_of_the_largest_weights():
    view = view_model(fitted(MulticlassSVM), COLUMNS, LABELS, counts={"Title": 7})
    assert [label.label for label in view.labels] == ["None", "Title", "Date"]
    assert [label.n_regions for label in view.labels] == [None, 7, None]
    none, title, date = view.labels
    assert none.supporting == (Weight("bias", 1.0),)
    assert none.opposing == (Weight("heading", -2.0), Weight("digits", -1.0))
    assert title.supporting == (Weight("heading", 2.0),)
    assert title.opposing == (Weight("digits", -1.0), Weight("bias", -0.5))
    assert date.opposing == (Weight("bias", -0.5),)


def test_one_label_and_few_columns_can_be_chosen():
    view = view_model(fitted(MulticlassSVM), COLUMNS, LABELS, label="Title", n_columns=1)
    (title,) = view.labels
    assert title.opposing == (Weight("digits", -1.0),)
    assert view_model(fitted(MulticlassSVM), COLUMNS, LABELS, n_columns=0).labels[0].opposing == ()
    with pytest.raises(LabelError, match="unknown label 'Heading'"):
        view_model(fitted(MulticlassSVM), COLUMNS, LABELS, label="Heading")


def test_only_chains_have_transitions():
    transitions = np.arange(9.0).reshape(3, 3)
    view = view_model(fitted(StructuredSVM, transitions_=transitions), COLUMNS, LABELS)
    assert view.transitions is not None
    assert np.array_equal(view.transitions, transitions)
    assert view.distances == ()
    assert view_model(fitted(MulticlassSVM), COLUMNS, LABELS).transitions is None


def test_the_greedy_context_is_summed_by_distance():
    context = np.stack([np.eye(3), -2 * np.eye(3)])
    view = view_model(fitted(GreedySVM, context_weights_=context), COLUMNS, LABELS)
    assert view.transitions is not None
    assert np.array_equal(view.transitions, np.eye(3))
    assert view.distances == (3.0, 6.0)
    blind = fitted(GreedySVM, context_weights_=np.zeros((0, 3, 3)))
    assert view_model(blind, COLUMNS, LABELS).transitions is None


def test_a_view_is_written_as_json():
    learner = fitted(StructuredSVM, transitions_=np.arange(9.0).reshape(3, 3))
    back = json.loads(json.dumps(view_model(learner, COLUMNS, LABELS).as_dict()))
    assert back["columns"]["Title"]["for"] == [["heading", 2.0]]
    assert back["transitions"]["Title"]["Date"] == 5.0


def a_view(
    names: Sequence[str] = ("None", "Title", "Date"),
    columns: Sequence[str] = ("bias",),
    *,
    with_transitions: bool = True,
    distances: tuple[float, ...] = (),
) -> ModelView:
    labels = tuple(
        StrongestColumns(
            name,
            n,
            tuple(Weight(column, 0.5) for column in columns),
            tuple(Weight(column, -0.25) for column in columns),
        )
        for n, name in enumerate(names)
    )
    matrix = np.linspace(-0.4, 0.8, len(names) ** 2).reshape(len(names), -1)
    return ModelView(labels, tuple(names), matrix if with_transitions else None, distances)


def texts(picture: str) -> list[str]:
    root = etree.fromstring(picture.encode())
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def test_a_picture_contains_every_label_and_number():
    picture = draw_model("a model", [("Learner", "structured-svm")], a_view())
    words = texts(picture)
    assert words.count("Title") == 3  # row, column and panel
    assert {"a model", "structured-svm", "+0.80", "−0.40", "+0.50", "−0.25"} <= set(words)
    assert words.count("bias") == 6
    assert picture == draw_model("a model", [("Learner", "structured-svm")], a_view())


def test_names_from_pages_are_escaped_cleaned_and_cut():
    view = a_view(names=("None", "<b>&'\""), columns=HOSTILE)
    picture = draw_model("<model> \x07", [("<&>", '"')], view)
    root = etree.fromstring(picture.encode())
    tags = {etree.QName(element).localname for element in root.iter() if element.tag is not None}
    assert not tags & {"script", "b", "foreignObject", "image", "a", "use"}
    words = texts(picture)
    assert "<b>&'\"" in words
    assert "text.token=��[31m��" in words
    assert "text.token=gnp" in words
    assert max(display_width(text) for text in words if text.startswith("text.token")) <= 39
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\u202e]", picture)


def test_a_picture_loads_nothing_and_runs_nothing():
    picture = draw_model("m", [], a_view(columns=HOSTILE))
    root = etree.fromstring(picture.encode())
    for element in root.iter():
        assert not [name for name in element.attrib if name.startswith("on") or "href" in name]
    addresses = re.findall(r"url\(([^)]*)\)|(https?://[^\"' ]*)", picture)
    assert {address or other for address, other in addresses} == {
        "#against",
        "#plus",
        "#minus",
        "http://www.w3.org/2000/svg",
    }


@pytest.mark.browser
def test_a_browser_draws_it_as_png(chromium):
    drawn = draw_model("m", [("Learner", "x")], a_view(columns=HOSTILE))
    picture = to_png(drawn, chromium)
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    assert f'width="{int.from_bytes(picture[16:20], "big") / 2}"' in drawn
