import numpy as np
import pytest

from structce.errors import FeatureError
from structce.features.registry import REGISTRY, FeatureRegistry, feature
from structce.page import Page


def test_a_taken_name_is_an_error() -> None:
    registry = FeatureRegistry()

    def length(page: Page) -> list[bool]:
        """Nothing."""
        return [True] * len(page)

    feature("text", registry=registry)(length)
    with pytest.raises(FeatureError, match=r"'text\.length' is taken"):
        feature("text", registry=registry)(length)


def test_an_unknown_name_suggests_the_nearest() -> None:
    with pytest.raises(FeatureError, match=r"did you mean 'text\.word-count'"):
        REGISTRY["text.wordcount"]


def test_an_unknown_family_and_falling_bins_are_errors() -> None:
    with pytest.raises(FeatureError, match="unknown family"):
        feature("colour", registry=FeatureRegistry())(lambda page: [True] * len(page))
    with pytest.raises(FeatureError, match="bins must rise"):
        feature("text", bins=(2, 1), registry=FeatureRegistry())(lambda page: np.zeros(len(page)))


def test_a_feature_of_the_wrong_length_is_an_error_that_names_it() -> None:
    from structce.rendering.document import Document
    from structce.rendering.static import StaticRenderer

    registry = FeatureRegistry()
    feature("text", name="short", registry=registry)(lambda page: [True])
    page = StaticRenderer().render(Document("<p>a</p><p>b</p>", url="https://x.example"))
    with pytest.raises(FeatureError, match=r"text\.short gave 1 values for 2 regions of https"):
        registry["text.short"].values(page)
