import numpy as np
import pytest

from structce.errors import FeatureError
from structce.features.encoding import Descriptions
from structce.features.feature_set import FeatureSet
from structce.features.registry import FeatureRegistry, feature


@pytest.fixture
def registry():
    """One feature of each kind, worked by hand."""
    registry = FeatureRegistry()

    @feature("text", registry=registry)
    def is_long(page):
        return np.array([len(text) > 3 for text in page.text], dtype=bool)

    @feature("text", bins=(2, 4), registry=registry)
    def length(page):
        return np.array([len(text) for text in page.text], dtype=np.int64)

    @feature("text", registry=registry)
    def weight(page):
        return np.array([len(t) * 10.0 if len(t) > 1 else np.nan for t in page.text])

    @feature("dom", registry=registry)
    def tag(page):
        return [None if tag == "a" else tag for tag in page.tag]

    @feature("task", registry=registry)
    def letter(page):
        return [frozenset(text) for text in page.text]

    return registry


def rows(features, page):
    """Return each region's columns by name."""
    matrix = features.transform(page).toarray()
    names = features.columns_
    return [{names[j]: row[j] for j in np.flatnonzero(row)} for row in matrix]


def test_every_kind_of_value_becomes_its_columns(make_page, registry):
    page = make_page("<p>ab</p><a>c</a><p>abcd</p>")
    features = FeatureSet(min_count=1, windows={}, unit_norm=False, registry=registry).fit([page])
    assert rows(features, page) == [
        {"bias": 1, "text.length:1": 1, "text.weight": 0.5, "dom.tag=p": 1, "task.letter=a": 1,
         "task.letter=b": 1},
        {"bias": 1, "text.length:0": 1, "task.letter=c": 1},
        {"bias": 1, "text.is-long": 1, "text.length:2": 1, "text.weight": 1, "dom.tag=p": 1,
         "task.letter=a": 1, "task.letter=b": 1, "task.letter=c": 1, "task.letter=d": 1},
    ]  # fmt: skip


def test_neighbours_see_the_cells_of_the_regions_beside_them(make_page, registry):
    page = make_page("<p>ab</p><a>c</a><p>abcd</p>")
    features = FeatureSet(
        include=["dom.tag"], families=(), min_count=1, windows={"dom": (-1, 2)}, registry=registry
    ).fit([page])
    assert rows(features, page) == [
        {"bias": 1, "dom.tag=p": 1, "next-2.dom.tag=p": 0.5},
        {"bias": 1, "previous.dom.tag=p": 0.5},
        {"bias": 1, "dom.tag=p": 1},
    ]


def test_rare_columns_are_left_out_and_unknown_ones_passed_over(make_page, registry):
    page = make_page("<p>a</p><p>a</p><p>b</p>")
    features = FeatureSet(["task"], min_count=2, windows={}, registry=registry).fit([page])
    assert features.columns_ == ("bias", "task.letter=a")
    assert rows(features, make_page("<p>z</p>")) == [{"bias": 1}]


def test_a_saved_set_encodes_the_same(make_page, article_html):
    pages = [make_page(article_html(n)) for n in range(3)]
    features = FeatureSet(exclude=["text.token"]).fit(pages)
    back = FeatureSet.from_state(features.state())
    assert back.digest == features.digest
    assert (back.transform(pages[0]) != features.transform(pages[0])).nnz == 0
    assert not any(name.startswith("text.token=") for name in features.columns_)


def test_a_page_without_regions_gives_no_rows(make_page, registry):
    features = FeatureSet(min_count=1, registry=registry).fit([make_page("<p>a</p>")])
    assert features.transform(make_page("<html></html>")).shape == (0, len(features.columns_))


def test_bins_are_learnt_from_the_training_pages_and_kept(make_page):
    registry = FeatureRegistry()

    @feature("text", bins=4, registry=registry)
    def size(page):
        return np.array([len(text) for text in page.text], dtype=np.int64)

    page = make_page("".join(f"<p>{'x' * n}</p>" for n in range(1, 9)))
    features = FeatureSet(min_count=1, windows={}, registry=registry).fit([page])
    assert features.state()["bins"] == {"text.size": [3.0, 5.0, 7.0]}
    assert features.transform(page).toarray()[:, 1:].argmax(axis=1).tolist() == [
        0, 0, 1, 1, 2, 2, 3, 3,
    ]  # fmt: skip
    back = FeatureSet.from_state(features.state(), registry)
    assert (back.transform(page) != features.transform(page)).nnz == 0


def test_the_names_of_a_feature_in_a_region_have_a_norm_of_one(make_page, registry):
    page = make_page("<p>abcd</p><p>a</p>")
    features = FeatureSet(["task"], min_count=1, windows={}, registry=registry).fit([page])
    half = dict.fromkeys([f"task.letter={letter}" for letter in "abcd"], 0.5)
    assert rows(features, page) == [{"bias": 1, **half}, {"bias": 1, "task.letter=a": 1}]


def test_columns_of_few_pages_are_left_out(make_page, registry):
    pages = [make_page("<p>aaa</p><p>ab</p>"), make_page("<p>b</p>"), make_page("<p>b</p>")]
    features = FeatureSet(["task"], min_count=1, min_pages=3, windows={}, registry=registry)
    assert features.fit(pages).columns_ == ("bias", "task.letter=b")


def test_processes_describe_pages_as_one_does(make_page, article_html):
    pages = [make_page(article_html(n)) for n in range(17)]
    alone = FeatureSet(["text"]).fit(pages)
    together = FeatureSet(["text"], n_jobs=2).fit(pages)
    assert together.digest == alone.digest
    for rows, other in zip(together.transform_all(pages), alone.transform_all(pages), strict=True):
        assert (rows != other).nnz == 0


def test_sets_that_share_descriptions_describe_a_page_once(make_page):
    registry, calls = FeatureRegistry(), []

    @feature("text", registry=registry)
    def seen(page):
        calls.append(page.text[0])
        return [True] * len(page)

    pages, shared = [make_page("<p>a</p>"), make_page("<p>b</p>")], Descriptions()
    for part in (pages, pages[:1], pages[1:]):
        features = FeatureSet(min_count=1, registry=registry, descriptions=shared).fit(part)
        features.transform_all(pages)
    assert calls == ["a", "b"]


def test_a_feature_brings_its_window_and_strength_along(make_page):
    registry = FeatureRegistry()

    @feature("dom", window=(1,), strength=3.0, registry=registry)
    def tag(page):
        return page.tag

    @feature("task", registry=registry)
    def letter(page):
        return page.text

    page = make_page("<p>a</p><b>c</b>")
    features = FeatureSet(min_count=1, registry=registry).fit([page])
    assert rows(features, page) == [
        {"bias": 1, "dom.tag=p": 3, "next.dom.tag=b": 1.5, "task.letter=a": 1,
         "next.task.letter=c": 0.5},
        {"bias": 1, "dom.tag=b": 3, "task.letter=c": 1, "previous.task.letter=a": 0.5},
    ]  # fmt: skip
    assert features.state()["windows"] == {"task": [-1, 1], "dom.tag": [1]}
    assert features.state()["strengths"] == {"dom.tag": 3.0}
    plain = FeatureSet(min_count=1, windows={}, strengths={}, registry=registry).fit([page])
    assert rows(plain, page)[0] == {"bias": 1, "dom.tag=p": 1, "task.letter=a": 1}


@pytest.mark.parametrize("option", ["windows", "strengths"])
@pytest.mark.parametrize(
    ("name", "near"), [("text.lenght", "text.length"), ("tasks", "task"), ("dom.tags", "dom.tag")]
)
def test_unknown_setting_suggests_the_nearest_name(registry, option, name, near):
    value = (-1, 1) if option == "windows" else 2.0
    message = f"'{name}' is neither a feature nor a family; did you mean '{near}'"
    with pytest.raises(FeatureError, match=message):
        FeatureSet(registry=registry, **{option: {name: value}})


def test_stored_setting_may_name_an_absent_feature(make_page):
    state = FeatureSet(["dom"], min_count=1).fit([make_page("<p>a</p>")]).state()
    state["windows"] = {"text.of-somebody-else": [-1, 1]}
    assert FeatureSet.from_state(state).state() == state


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"windows": {"dom": (0.5,)}}, r"window of dom is \(0\.5,\); expected whole numbers"),
        ({"strengths": {"dom": 0}}, "strength of dom is 0; expected more than 0"),
        ({"families": ["colour"]}, "unknown family 'colour'"),
        ({"exclude": ["text.tokens"]}, "did you mean"),
        ({"families": ()}, "no feature is chosen"),
        ({}, "not fitted"),
    ],
)
def test_wrong_choices_are_clear_errors(make_page, choices, message):
    with pytest.raises(FeatureError, match=message):
        FeatureSet(**choices).transform(make_page("<p>a</p>"))
