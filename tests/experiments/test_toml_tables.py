import pytest

from structce.errors import ExperimentError
from structce.experiments.toml_tables import apply_overrides, parse_override


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("seed=3", ("seed",), 3),
        ("seed = 3 # three", ("seed",), 3),
        ("learner.greedy-svm.lambda=0.5", ("learner", "greedy-svm", "lambda"), 0.5),
        ('splits.by=["site","page"]', ("splits", "by"), ["site", "page"]),
        ("features.ablation=true", ("features", "ablation"), True),
        ("splits={folds=5}", ("splits",), {"folds": 5}),
        ("corpus=news", ("corpus",), "news"),
        ("corpus=data/sample", ("corpus",), "data/sample"),
        ("corpus='3'", ("corpus",), "3"),
        ("question=Is a = b?", ("question",), "Is a = b?"),
        ("question=", ("question",), ""),
        ("question=1\nseed = 2", ("question",), "1\nseed = 2"),
        ('learner."a=b".x=1', ("learner", "a=b", "x"), 1),
        ("learner . greedy-svm.'a.b'.\"\\u0041\"=1", ("learner", "greedy-svm", "a.b", "A"), 1),
    ],
)
def test_a_value_is_toml_or_else_a_string(text, key, value):
    override = parse_override(text)
    assert (override.key, override.value) == (key, value)
    assert str(override) == f"--set {text}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seed", "--set seed: expected PATH=VALUE"),
        ("=3", "'' is not a key"),
        ("splits..by=3", "'splits..by' is not a key"),
        ("a\nb=3", "is not a key"),
        ("[t]\n[u]\na=3", "is not a key"),
        ("#=3", "'#' is not a key"),
        ("a b=3", "'a b' is not a key"),
        ("splits.by=[1, 2", "the value is not complete"),
        ('question="why', "the value is not complete"),
        ("splits={folds=5", "the value is not complete"),
    ],
)
def test_a_text_that_is_no_override_is_an_error(text, message):
    with pytest.raises(ExperimentError) as caught:
        parse_override(text)
    assert message in str(caught.value)


def test_overrides_leave_the_given_table_unchanged():
    table = {"seed": 1, "learner": {"a": {"x": 1}}}
    texts = ["seed=2", "learner.a.y=2", "learner.b={z=3}", "learner.b.z=4", "splits.folds=5"]
    changed = apply_overrides(table, [parse_override(text) for text in texts])
    assert changed == {
        "seed": 2,
        "learner": {"a": {"x": 1, "y": 2}, "b": {"z": 4}},
        "splits": {"folds": 5},
    }
    assert table == {"seed": 1, "learner": {"a": {"x": 1}}}
