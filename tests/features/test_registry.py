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
        ({"family": "colour"}, "unknown family"),
        ({"bins": (2, 1)}, "bins must rise"),
        ({"window": (1.5,)}, r"window of text\.mine is \(1\.5,\)"),
        ({"strength": 0.0}, "is 0.0; expected more than 0"),
        ({"strength": float("nan")}, "is nan; expected more than 0"),
        ({"needs": "layuot"}, "did you mean 'layout'"),
        ({"window": 3}, "the window of text.mine is 3"),
        ({"bins": "abc"}, "bins must rise"),
        ({"aliases": "other"}, "expected a list of names"),
    ],
)
def test_a_setting_of_the_wrong_kind_is_an_error_that_names_it(settings, reason):
    with pytest.raises(FeatureError, match=reason):
        feature(**{"family": "text", "name": "mine", "registry": FeatureRegistry(), **settings})(
            lambda page: page.text
        )


def test_feature_without_values_is_an_error():
    mine = FeatureRegistry()
    feature("text", registry=mine, name="mine")(lambda page: None)
    with pytest.raises(FeatureError, match=r"text\.mine returned None"):
        mine["text.mine"].values(StaticRenderer().render(Document("<p>x</p>")))
