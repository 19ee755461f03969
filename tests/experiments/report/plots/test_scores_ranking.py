import sys
from dataclasses import replace

import pytest

from structce.errors import ExperimentError, MissingExtraError
from structce.experiments.report.plots.scores import rank_plot


def test_bars_join_the_candidates_that_the_test_does_not_tell_apart(read, figures):
    drawn = read(figures["ranks"])
    value = drawn.value()
    thick = [
        sorted(value(x) for x, _ in line)
        for line in drawn.lines("var(--s1)")
        if len({y for _, y in line}) == 1
    ]
    assert thick == [
        pytest.approx([1.5, 2.0, 2.75], abs=0.01),
        pytest.approx([2.0, 2.75, 3.75], abs=0.01),
    ]


def test_markers_stand_at_the_mean_ranks(read, figures):
    drawn = read(figures["ranks"])
    value = drawn.value()
    ranks = [value(x) for x, _ in drawn.dots()]
    assert ranks == pytest.approx([1.5, 2.0, 2.75, 3.75], abs=0.01)
    assert "linear-chain-crf (2.00)" in drawn.texts


def test_the_critical_difference_is_drawn_to_scale(read, figures):
    drawn = read(figures["ranks"])
    value = drawn.value()
    ends = [[value(x) for x, _ in line] for line in drawn.lines("var(--ink)")]
    assert ends == [pytest.approx([1, 3.35], abs=0.01)]
    assert "critical difference 2.35" in drawn.texts


def test_a_critical_difference_longer_than_all_ranks_has_room(ranking, read):
    drawn = read(rank_plot(replace(ranking, critical_difference=6.0)))
    value = drawn.value()
    assert max(value(x) for line in drawn.lines("var(--ink)") for x, _ in line) > 6.99
    assert [text for text in drawn.texts if text.isdigit()] == ["1", "2", "3", "4"]


def test_the_description_names_the_pairs_that_differ(ranking, figures):
    said = figures["ranks"].description
    assert "structured-svm 1.50, linear-chain-crf 2.00, greedy-svm 2.75" in said
    assert said.endswith("The test distinguishes structured-svm and multiclass-svm (p = 0.01).")
    p = {a: dict.fromkeys(ranking.ranks, 0.5) for a in ranking.ranks}
    assert "distinguishes no two of them." in rank_plot(replace(ranking, p_pairs=p)).description


def test_one_half_of_the_p_values_is_enough(ranking, figures):
    names = list(ranking.ranks)
    half = {a: {b: ranking.p_pairs[a][b] for b in names[i + 1 :]} for i, a in enumerate(names)}
    assert rank_plot(replace(ranking, p_pairs=half)).svg == figures["ranks"].svg


def test_a_missing_p_value_is_an_error(ranking):
    with pytest.raises(ExperimentError, match="structured-svm"):
        rank_plot(replace(ranking, p_pairs={"greedy-svm": {"multiclass-svm": 0.4}}))


def test_ranks_without_a_test_are_dots_and_say_so(ranking, read):
    figure = rank_plot(replace(ranking, p_pairs={}, critical_difference=None))
    drawn = read(figure)
    value = drawn.value()
    assert [value(x) for x, _ in drawn.dots()] == pytest.approx([1.5, 2.0, 2.75, 3.75], abs=0.01)
    assert figure.description.endswith("There is no test of these ranks.")


def test_fewer_than_two_candidates_have_no_ranks(ranking):
    assert rank_plot(replace(ranking, ranks={"greedy-svm": 1.0}, p_pairs={})) is None


def test_without_scikit_posthocs_the_error_names_the_extra(ranking, monkeypatch):
    monkeypatch.setitem(sys.modules, "scikit_posthocs", None)
    with pytest.raises(MissingExtraError, match=r"structce\[experiments\]"):
        rank_plot(ranking)
