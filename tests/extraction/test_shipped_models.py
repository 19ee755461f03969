"""What the models behind methods were trained on."""

import pytest

from structce.extraction import Method, training_sets
from structce.labelling import RegionLabeller


@pytest.mark.parametrize(
    ("method", "sets"),
    [
        (Method("regions", "regions"), {"wcxb", "trafilatura"}),
        (Method("mine", "regions", {"model": "news-chromium"}), {"wcxb"}),
        (Method("boilernet-small", "boilernet-small"), {"fundus"}),
        (Method("web2text-wcxb", "web2text-wcxb"), {"wcxb", "fundus"}),
    ],
)
def test_shipped_models_say_what_they_were_trained_on(method, sets):
    assert sets <= training_sets(method)


def test_methods_without_a_model_were_trained_on_nothing():
    assert not training_sets(Method("bte", "bte"))
    assert not RegionLabeller().training_sets
    assert RegionLabeller(card={"corpus": "mine"}).training_sets == {"mine"}
