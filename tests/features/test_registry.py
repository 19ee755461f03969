import math

import pytest

from structce.errors import FeatureError
from structce.features.registry import REGISTRY, FeatureRegistry, feature
from structce.features.tables import ordered_names


def register(registry=None, family="text", name="mine", compute=lambda page: [True], **settings):
    """Register a feature, in a registry of its own unless one is given."""
    registry = FeatureRegistry() if registry is None else registry
    feature(family, name=name, registry=registry, **settings)(compute)
    return registry[f"{family}.{name}"]


def test_a_taken_name_is_an_error():
    registry = FeatureRegistry()
    register(registry)
    with pytest.raises(FeatureError, match=r"'text\.mine' is taken"):
        register(registry)


def test_an_unknown_name_suggests_the_nearest():
    with pytest.raises(FeatureError, match=r"did you mean 'text\.word-count'"):
        REGISTRY["text.wordcount"]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [([True], "returned 1 values for the 2 regions of https"), (None, "returned None")],
)
def test_values_of_another_form_name_the_feature(make_page, answer, reason):
    mine = register(compute=lambda page: answer)
    with pytest.raises(FeatureError, match=rf"text\.mine {reason}"):
        mine.values(make_page("<p>a</p><p>b</p>"))


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
        register(registry, name=name)
    registry.sort(["text.gone", "text.a"])
    assert list(registry) == ["text.a", "text.c", "text.b"]


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"family": "colour"}, "unknown family"),
        ({"needs": "layuot"}, "did you mean 'layout'"),
        ({"window": 3}, "the window of text.mine is 3"),
        ({"window": (1.5,)}, r"window of text\.mine is \(1\.5,\)"),
        ({"bins": "abc"}, "bins must rise"),
        ({"bins": (2, 1)}, "bins must rise"),
        ({"aliases": "other"}, "expected a list of names"),
        *(({"strength": n}, f"is {n}; expected more") for n in (0.0, -1.0, math.inf, math.nan)),
    ],
)
def test_a_setting_of_the_wrong_kind_is_an_error_that_names_it(settings, reason):
    with pytest.raises(FeatureError, match=reason):
        register(**settings)
