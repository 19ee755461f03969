"""Names of extractors, their descriptions, and those of other packages."""

from importlib.metadata import EntryPoint

import pytest

from structce.errors import ExtractionError
from structce.extraction import EXTRACTORS, Extraction, load_extractors, make_extractor, registry
from structce.extraction.element_methods import LinkQuotaFilter
from structce.extraction.feature_extractor import FeatureExtractor
from structce.extraction.registry import MethodRegistry


class Foreign:
    """Everything in one word."""

    def extract(self, document):
        return Extraction("foreign")


def test_a_name_may_have_parameters_behind_it():
    assert make_extractor("link-quota-25 threshold=0.6") == LinkQuotaFilter(0.6)
    assert make_extractor("link-quota-25 is_nested=true") == LinkQuotaFilter(0.25, is_nested=True)
    extractor = make_extractor("feature-extractor desired=text,image tags=div")
    assert extractor == FeatureExtractor("text,image", tags="div")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("plian", r"expected one of .*, plain, .* mean 'plain'"),
        ("plain quick", "'quick' is not a parameter"),
        ("plain quick=1", "plain: .*'quick'"),
        ("link-quota-25 threshold=high", "link-quota-25: threshold: Expected `float`, got `str`"),
        ("link-quota-25 threshold=1.5", "link-quota-25: threshold: Expected `float` <= 1"),
        ("dsc window=1", "dsc: window: Expected `int` >= 2"),
        ("ccb radius=0", "ccb: radius: Expected `int` >= 1"),
        ("crunch cells=none", "crunch: cells: Invalid enum value 'none'"),
        ("k-feature-extractor n_clusters=3", "3 of 2 clusters"),
        ("feature-extractor desired=words", "desired 'words'"),
        ("plian a=1", "unknown extractor 'plian'"),
        ("dsc windw=2", r"dsc: .*'windw'; .*did you mean 'window'"),
        ("  ", "unknown extractor ''"),
    ],
)
def test_parameters_that_do_not_fit_are_an_error(name, expected):
    with pytest.raises(ExtractionError, match=expected):
        make_extractor(name)


def points(monkeypatch, *entries):
    known = MethodRegistry("extractor", ExtractionError, EXTRACTORS)
    monkeypatch.setattr(registry, "EXTRACTORS", known)
    points = [EntryPoint(name, value, "structce.extractors") for name, value in entries]
    monkeypatch.setattr(registry, "entry_points", lambda group: points)


def test_an_extractor_that_cannot_be_loaded_is_a_warning(monkeypatch, caplog):
    points(monkeypatch, ("broken", "no_such_module:Broken"), ("foreign", f"{__name__}:Foreign"))
    load_extractors()
    assert "broken was not loaded" in caplog.text
    assert isinstance(make_extractor("foreign"), Foreign)
