from collections.abc import Callable

import numpy as np
import pytest
from sklearn.metrics import mutual_info_score

from structce.errors import FeatureError
from structce.experiments.feature_trials import MIN_VALUE_COUNT, summarise_values
from structce.features.registry import Feature, FeatureRegistry, feature
from structce.page import Page

Make = Callable[..., Page]


def made(compute: Callable[[Page], object], **options: object) -> Feature:
    """Return the function as a feature."""
    registry = FeatureRegistry()
    feature("text", name="mine", registry=registry, **options)(compute)  # type: ignore[arg-type]
    return registry["text.mine"]


def bits(codes: object, is_label: object) -> float:
    return float(mutual_info_score(codes, is_label)) / np.log(2)


@pytest.fixture
def pages(make_page: Make) -> list[Page]:
    return [make_page("<p>a</p><p>b</p><p>c</p><p>d</p>"), make_page("<p>e</p><p>f</p>")]


def by_letter(values: dict[str, object]) -> Callable[[Page], object]:
    return lambda page: [values.get(text) for text in page.text]


def by_letter_number(values: dict[str, float]) -> Callable[[Page], object]:
    return lambda page: np.array([values.get(text, np.nan) for text in page.text])


@pytest.mark.parametrize(
    ("compute", "regions", "n_pages"),
    [
        (by_letter({"a": True, "b": True, "c": False}), 2 / 6, 1 / 2),
        (by_letter({"a": "x", "b": "", "e": "y"}), 2 / 6, 1),
        (by_letter({"a": frozenset({"x"}), "b": frozenset()}), 1 / 6, 1 / 2),
        (by_letter_number({"a": 0.0, "f": 3.0}), 2 / 6, 1),
        (lambda page: np.array([text == "e" for text in page.text]), 1 / 6, 1 / 2),
        (lambda page: np.zeros(len(page), dtype=np.int64), 1, 1),
    ],
)
def test_what_is_known_is_counted_by_region_and_by_page(
    compute: Callable[[Page], object], regions: float, n_pages: float, pages: list[Page]
) -> None:
    observed = summarise_values(made(compute), pages)
    assert (observed.regions, observed.pages) == pytest.approx((regions, n_pages))
    assert observed.milliseconds > 0


def test_a_page_that_lacks_what_the_feature_needs_says_nothing(pages: list[Page]) -> None:
    observed = summarise_values(made(lambda page: page.boxes[:, 0] / 0, needs="layout"), pages)
    assert (observed.regions, observed.pages) == (0, 0)
    assert observed.information(np.array([0, 1, 0, 1, 0, 1]), 2) == [0, 0]


def test_no_pages_and_empty_pages_say_nothing(make_page: Make) -> None:
    always = made(lambda page: [True] * len(page))
    for none in ([], [make_page("<html></html>")]):
        observed = summarise_values(always, none)
        assert (observed.regions, observed.pages) == (0, 0)
        assert observed.information(np.zeros(0, dtype=np.int64), 3) == [0, 0, 0]


def test_a_feature_that_gives_what_it_may_not_is_an_error(pages: list[Page]) -> None:
    with pytest.raises(FeatureError, match="return numbers as a NumPy array"):
        summarise_values(made(lambda page: [0.5] * len(page)), pages)


def test_the_information_of_a_truth_value_is_that_worked_out_by_hand(pages: list[Page]) -> None:
    """A cue that stands in just the regions of one label tells all there is: one bit of a coin."""
    observed = summarise_values(made(by_letter({"a": True, "c": True, "e": True})), pages)
    known, other = np.array([1, 0, 1, 0, 1, 0]), np.array([1, 2, 1, 0, 1, 0])
    assert observed.information(known, 2) == pytest.approx([1, 1])
    assert observed.information(other, 4) == pytest.approx(
        [bits(known, other == label) for label in range(3)] + [0]
    )


def test_a_rare_truth_value_tells_as_much_in_an_array_as_in_a_list(make_page: Make) -> None:
    page = make_page("<p>x</p>" * 99 + "<p>y</p>")
    labels = np.array([0] * 99 + [1])
    listed = summarise_values(made(lambda page: [text == "y" for text in page.text]), [page])
    array = summarise_values(
        made(lambda page: np.array([text == "y" for text in page.text])), [page]
    )
    assert array.information(labels, 2) == pytest.approx([bits(labels, labels)] * 2)
    assert array.codes[0].tolist() == labels.tolist()
    assert listed.regions == array.regions == 0.01


def test_the_least_of_many_numbers_is_apart(make_page: Make) -> None:
    """Most regions have none of what is counted, and that is what tells most."""
    page = make_page("<p>x</p>" * 200)
    counts = np.maximum(np.arange(200) - 180, 0)
    labels = (counts > 0).astype(np.int64)
    observed = summarise_values(made(lambda page: counts.copy()), [page])
    assert observed.information(labels, 2)[1] == pytest.approx(bits(labels, labels))


def test_numbers_are_cut_at_their_own_borders(pages: list[Page]) -> None:
    numbers = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0, "e": 5.0}
    labels = np.array([0, 0, 1, 1, 1, 0])
    observed = summarise_values(made(by_letter_number(numbers), bins=(3,)), pages)
    assert observed.information(labels, 2)[1] == pytest.approx(bits([0, 0, 1, 1, 1, 2], labels))


def test_numbers_without_borders_are_cut_into_tenths(make_page: Make) -> None:
    random = np.random.default_rng(0)
    values = random.normal(size=500)
    labels = (values + random.normal(size=500) > 0).astype(np.int64)
    page = make_page("<p>x</p>" * 500)
    observed = summarise_values(made(lambda page: values.copy()), [page])
    tenths = (10 * values.argsort().argsort()) // 500
    assert observed.information(labels, 2)[0] == pytest.approx(bits(tenths, labels))


def test_rare_texts_are_one_so_that_each_cannot_tell_its_own_label(make_page: Make) -> None:
    page = make_page("".join(f"<p>{n}</p>" for n in range(2 * MIN_VALUE_COUNT)))
    labels = np.arange(2 * MIN_VALUE_COUNT, dtype=np.int64) % 2
    alone = summarise_values(made(lambda page: list(page.text)), [page])
    assert alone.information(labels, 2) == [0, 0]
    often = summarise_values(made(lambda page: [str(int(text) % 2) for text in page.text]), [page])
    assert often.information(labels, 2) == pytest.approx([1, 1])


def test_of_sets_the_member_that_tells_most_counts(pages: list[Page]) -> None:
    sets = {"a": {"x", "z"}, "b": {"y", "z"}, "c": {"x"}, "d": set(), "e": {"x", "z"}, "f": {"y"}}
    labels = np.array([1, 0, 1, 0, 1, 0])
    observed = summarise_values(
        made(by_letter({key: frozenset(letters) for key, letters in sets.items()})), pages
    )
    by_member = [bits([name in letters for letters in sets.values()], labels) for name in "xyz"]
    assert observed.information(labels, 2)[1] == pytest.approx(max(by_member))
