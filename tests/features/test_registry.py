import numpy as np
import pytest

from structce.errors import FeatureError
from structce.features.registry import REGISTRY, FeatureRegistry, feature
from structce.features.tables import ordered_names
from structce.rendering.document import Document
from structce.rendering.static import StaticRenderer


def test_a_taken_name_is_an_error():
    registry = FeatureRegistry()

    def length(page):
        """Nothing."""
        return [True] * len(page)

    feature("text", registry=registry)(length)
    with pytest.raises(FeatureError, match=r"'text\.length' is taken"):
        feature("text", registry=registry)(length)


def test_an_unknown_name_suggests_the_nearest():
    with pytest.raises(FeatureError, match=r"did you mean 'text\.word-count'"):
        REGISTRY["text.wordcount"]


def test_an_unknown_family_and_falling_bins_are_errors():
    with pytest.raises(FeatureError, match="unknown family"):
        feature("colour", registry=FeatureRegistry())(lambda page: [True] * len(page))
    with pytest.raises(FeatureError, match="bins must rise"):
        feature("text", bins=(2, 1), registry=FeatureRegistry())(lambda page: np.zeros(len(page)))


def test_a_feature_of_the_wrong_length_is_an_error_that_names_it():
    registry = FeatureRegistry()
    feature("text", name="short", registry=registry)(lambda page: [True])
    page = StaticRenderer().render(Document("<p>a</p><p>b</p>", url="https://x.example"))
    with pytest.raises(
        FeatureError, match=r"text\.short returned 1 values for the 2 regions of https"
    ):
        registry["text.short"].values(page)


def test_windows_and_strengths_out_of_range_are_errors():
    with pytest.raises(FeatureError, match=r"window of text\.<?lambda>? is \(1\.5,\)"):
        feature("text", window=(1.5,), registry=FeatureRegistry())(lambda page: [True])
    for strength in (0.0, -1.0, float("inf"), float("nan")):
        with pytest.raises(FeatureError, match=f"is {strength}; expected more than 0"):
            feature("text", strength=strength, registry=FeatureRegistry())(lambda page: [True])


def test_window_is_of_the_family_by_default():
    assert REGISTRY["task.author-cue"].window == (-1, 1)
    assert REGISTRY["task.zone"].window == ()
    assert REGISTRY["dom.depth"].window == ()
    assert REGISTRY["dom.tag"].window == (-3, -2, -1, 1, 2, 3)


def test_order_does_not_depend_on_imports():
    ours = [name for name in REGISTRY if REGISTRY[name].compute.__module__.startswith("structce.")]
    names = ordered_names()
    assert ours[: len(names)] == list(names)


def test_what_no_order_lists_comes_after_the_others():
    registry = FeatureRegistry()
    for name in ("c", "b", "a"):
        feature("text", name=name, registry=registry)(lambda page: [True] * len(page))
    registry.sort(["text.gone", "text.a"])
    assert list(registry) == ["text.a", "text.c", "text.b"]


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"needs": "layuot"}, "did you mean 'layout'"),
        ({"window": 3}, "the window of text.mine is 3"),
        ({"bins": "abc"}, "bins must rise"),
        ({"aliases": "other"}, "expected a list of names"),
    ],
)
def test_a_setting_of_the_wrong_kind_is_an_error_that_names_it(settings, reason):
    with pytest.raises(FeatureError, match=reason):
        feature("text", registry=FeatureRegistry(), name="mine", **settings)(lambda page: page.text)


def test_feature_without_values_is_an_error():
    mine = FeatureRegistry()
    feature("text", registry=mine, name="mine")(lambda page: None)
    with pytest.raises(FeatureError, match=r"text\.mine returned None"):
        mine["text.mine"].values(StaticRenderer().render(Document("<p>x</p>")))
