"""A feature set from elsewhere is checked before it is believed."""

import pytest

from structce.errors import FeatureError
from structce.features.feature_set import FeatureSet
from structce.io import encode_json

STATE = {
    "names": ["text.token", "dom.tag"],
    "min_count": 3,
    "min_pages": 2,
    "unit_norm": True,
    "n_buckets": None,
    "windows": {"dom.tag": [-1, 1]},
    "strengths": {"dom": 2.0},
    "neighbour_strength": 0.5,
    "bins": {"dom.tag": [1.0, 2.5]},
    "columns": ["bias", "dom.tag=p", "text.token=by"],
    "scales": {"dom.tag=p": 2.5},
}


@pytest.mark.parametrize("key", sorted(STATE))
def test_a_missing_part_is_an_error(key):
    with pytest.raises(FeatureError, match=key):
        FeatureSet.from_state({name: part for name, part in STATE.items() if name != key})


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("names", "text.token"),
        ("names", []),
        ("names", ["text.tokens"]),
        ("min_count", "3"),
        ("min_count", True),
        ("unit_norm", 1),
        ("n_buckets", 64),
        ("strengths", {"dom": 0}),
        ("neighbour_strength", -1.0),
        ("neighbour_strength", float("nan")),
        ("bins", {"dom.tag": [2, 1]}),
        ("bins", {"dom.tag": [float("nan")]}),
        ("bins", {"dom.tag": [10**400]}),
        ("windows", {"dom": [1.5]}),
        ("windows", {"dom": [10**12]}),
        ("columns", ["bias", 1]),
        ("columns", ["bias", "dom.tag=p", "bias"]),
        ("scales", {"dom.tag=p": -1.0}),
        ("scales", {"dom.tag=p": float("nan")}),
        ("scales", {"dom.tag=p": 1e39}),
        ("scales", {"dom.tag=p": 10**400}),
        ("scales", {"dom.tag=q": 2.0}),
    ],
)
def test_wrong_part_of_state_is_an_error_naming_it(key, value):
    with pytest.raises(FeatureError, match=f"{key[:-1]}|no feature is chosen|did you mean"):
        FeatureSet.from_state({**STATE, key: value})


@pytest.mark.parametrize("state", [None, [], "names", {}])
def test_what_is_no_feature_set_is_an_error(state):
    with pytest.raises(FeatureError, match="must contain names"):
        FeatureSet.from_state(state)


def test_whole_numbers_stay_whole():
    """So that a digest over the JSON text is the same after loading."""
    state = {**STATE, "bins": {"dom.tag": [1, 2.5]}, "strengths": {"dom": 2}}
    assert encode_json(FeatureSet.from_state(state).state()) == encode_json(state)
