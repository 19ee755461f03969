"""Two reports side by side: what was asked, what came out, and whether it matters."""

import json
from dataclasses import replace

import numpy as np
import pytest

from structce.evaluation.metrics import SegmentScores, score_confusion
from structce.experiments.config import Candidate, Experiment, Splits
from structce.experiments.report.diff import (
    BeforeAfter,
    FieldChange,
    PageTest,
    diff_reports,
    difference_text,
    experiment_changes,
    field_changes,
)
from structce.experiments.report.files import to_json
from structce.experiments.results import (
    CandidateResult,
    CorpusRecord,
    Cost,
    FailureRecord,
    LearnerResult,
    PartRecord,
    Report,
    SplitRecord,
    Study,
)
from structce.labels import LabelSet

LABELS = LabelSet(("Author", "None", "Title"), background="None")
GOOD, BAD = [[0, 0, 0], [0, 8, 0], [0, 0, 2]], [[0, 0, 0], [0, 8, 0], [0, 2, 0]]
PAGES = tuple(f"{site}-{number}" for site in "abcde" for number in range(2))


@pytest.fixture(scope="session")
def pages():
    """The test pages: two of each of five sites."""
    return PAGES


@pytest.fixture(scope="session")
def bad():
    """A confusion matrix without any Title found; that of an candidate by default has them all."""
    return BAD


@pytest.fixture(scope="session")
def low():
    """Accuracies of the test pages."""
    return dict.fromkeys(PAGES, 0.5)


@pytest.fixture(scope="session")
def high():
    """Better ones, each page by another amount: all 45 ranks speak for it."""
    return {page: 0.51 + 0.01 * number for number, page in enumerate(PAGES)}


@pytest.fixture(scope="session")
def make_candidate():
    """Return a function that makes an candidate."""

    def make(name, page_accuracy, matrix=GOOD):
        scores = score_confusion(np.array(matrix), LABELS)
        row = LearnerResult(
            scores=scores,
            segments=SegmentScores((), scores.macro, scores.macro),
            fields=(),
            page_exactness=0.0,
            confusion=tuple(map(tuple, matrix)),
            page_accuracy=page_accuracy,
            intervals={},
            trials=(),
        )
        return CandidateResult(name, row)

    return make


@pytest.fixture(scope="session")
def make_study():
    """Return a function that makes a study of candidates."""

    def make(*candidates, name="news by site", tested=PAGES, trained=("z-0",), **changes):
        counts = {"Author": 0, "None": 8, "Title": 2}
        source = CorpusRecord("data/news", "news", "ab12", 11, ("a", "z"), "static", counts, "None")
        study = Study(
            name=name,
            source=source,
            by="site",
            splits=(
                SplitRecord(
                    0, PartRecord(trained, ("z",)), PartRecord((), ()), PartRecord(tested, ()), 9
                ),
            ),
            n_train={},
            n_test={},
            candidates=candidates,
            page_sites={page: page[0] for page in tested},
        )
        return replace(study, **changes)

    return make


@pytest.fixture(scope="session")
def make_report():
    """Return a function that makes a report of studies."""

    def make(*studies, **changes):
        experiment = Experiment("Which?", ("data/news",), (Candidate("crf"),))
        return replace(Report(experiment, "", {"numpy": "2.0"}, studies), **changes)

    return make


ALL_TEN = 2 / 2**10
"""Wilcoxon's two-sided p-value if ten of ten differences have one sign."""


@pytest.fixture
def differ(make_report):
    """Return a function that gives the difference of two studies."""

    def find(before, after):
        (difference,) = diff_reports(make_report(before), make_report(after)).studies
        return difference

    return find


def test_a_report_is_the_same_as_itself(make_candidate, make_study, make_report, high):
    report = make_report(make_study(make_candidate("crf", high)))
    cost = Cost("news by site", 0, "crf", "training", 9.0)
    slower = replace(report, costs=(cost,), command="structce compare elsewhere.toml")
    difference = diff_reports(report, slower)
    assert difference.is_same
    assert (difference.experiment, difference.versions, difference.losses) == ((), (), ())
    assert difference_text(difference).startswith("The two reports say the same")


def test_dictionaries_are_compared_name_by_name():
    before = {"seed": 1, "splits": {"folds": None, "by": ("site",)}, "gone": True, "same": 2}
    after = {"seed": 2, "splits": {"folds": 5, "by": ("site", "page")}, "same": 2.0, "new": 0.1}
    assert field_changes(before, after) == (
        FieldChange("seed", "1", "2"),
        FieldChange("splits.folds", "", "5"),
        FieldChange("splits.by", "site", "site, page"),
        FieldChange("gone", "true", ""),
        FieldChange("new", "", "0.1"),
    )


def test_experiments_differ_by_their_candidates_names_in_whatever_order():
    crf, svm = Candidate("crf", {"lambda_": (0.1, 1)}), Candidate("greedy-svm", name="svm")
    before = Experiment("Which?", ("news",), (crf, svm))
    after = replace(before, candidates=(svm, replace(crf, values={"lambda_": (0.1,)})))
    assert experiment_changes(before, replace(before, candidates=(svm, crf))) == ()
    assert experiment_changes(before, after) == (
        FieldChange("candidates.crf.lambda", "0.1, 1", "0.1"),
    )
    alone = replace(before, splits=Splits(folds=5), candidates=(crf,))
    assert experiment_changes(before, alone) == (
        FieldChange("candidates.svm.learner", "greedy-svm", ""),
        FieldChange("splits.folds", "", "5"),
    )


def test_versions_and_corpora_that_differ_are_named(make_candidate, make_study, make_report, low):
    study = make_study(make_candidate("crf", low))
    moved = replace(study.source, path="elsewhere", digest="cd34", sites=("a", "b", "z"))
    difference = diff_reports(
        make_report(study), make_report(replace(study, source=moved), versions={"numpy": "2.1"})
    )
    assert difference.versions == (FieldChange("numpy", "2.0", "2.1"),)
    assert difference.studies[0].corpus == (
        FieldChange("digest", "ab12", "cd34"),
        FieldChange("n_sites", "2", "3"),
    )
    assert not difference.is_same


def test_a_candidate_that_is_better_on_every_page_is_better(
    make_candidate, make_study, low, high, bad, differ
):
    difference = differ(
        make_study(make_candidate("crf", low, bad)), make_study(make_candidate("crf", high))
    )
    (candidate,) = difference.candidates
    assert candidate.verdict == "better"
    assert candidate.accuracy == BeforeAfter(0.8, 1.0)
    assert candidate.macro_f1 == BeforeAfter(pytest.approx((16 / 18 + 0) / 2), 1.0)
    assert candidate.labels == {
        "Author": BeforeAfter(None, None),
        "None": BeforeAfter(pytest.approx(16 / 18), 1.0),
        "Title": BeforeAfter(0.0, 1.0),
    }
    assert candidate.pages.difference == pytest.approx(np.mean([0.01 * n for n in range(1, 11)]))
    assert candidate.pages.p == candidate.pages.p_holm == pytest.approx(ALL_TEN)
    assert candidate.pages.effect == 1.0
    assert (candidate.pages.n_pages, candidate.pages.n_differ) == (10, 10)
    least, most = candidate.pages.interval
    # means of sites: 0.015, 0.035, ..., 0.095
    assert 0.015 < least < candidate.pages.difference < most < 0.095


def test_the_other_way_round_it_is_worse_by_the_same_numbers(
    make_candidate, make_study, make_report, low, high, differ
):
    first, second = make_study(make_candidate("crf", low)), make_study(make_candidate("crf", high))
    better, worse = (differ(*pair).candidates[0] for pair in ((first, second), (second, first)))
    assert worse.verdict == "worse"
    assert worse.pages.difference == -better.pages.difference
    assert worse.pages.effect == -1.0
    assert worse.pages.interval == pytest.approx(tuple(-end for end in better.pages.interval[::-1]))
    assert diff_reports(make_report(second), make_report(first)).losses == ("news by site: crf",)


def test_equal_accuracies_show_no_difference(make_candidate, make_study, low, differ):
    difference = differ(
        make_study(make_candidate("crf", low)), make_study(make_candidate("crf", dict(low)))
    )
    test = difference.candidates[0].pages
    assert difference.candidates[0].verdict == "no difference shown"
    assert test == PageTest(0.0, (0.0, 0.0), 1.0, 1.0, 0.0, 10, 0)


def test_p_values_are_corrected_over_the_candidates_of_all_studies(
    make_candidate, make_study, make_report, pages, low, high
):
    # 8 pages better, the smallest two worse: ranks 52 to 3, p = 2 * 5 / 2**10 exactly
    mixed = {page: 0.5 + 0.01 * (n if n > 2 else -n) for n, page in enumerate(pages, start=1)}
    names = ("one by site", "two by site")
    before = [
        make_study(make_candidate("x", low), make_candidate("y", low), name=name) for name in names
    ]
    after = [
        make_study(make_candidate("x", high), make_candidate("y", low), name="one by site"),
        make_study(make_candidate("x", mixed), make_candidate("y", high), name="two by site"),
    ]
    differences = diff_reports(make_report(*before), make_report(*after)).studies
    p = [candidate.pages.p for study in differences for candidate in study.candidates]
    corrected = [candidate.pages.p_holm for study in differences for candidate in study.candidates]
    assert p == pytest.approx([ALL_TEN, 1.0, 5 * ALL_TEN, ALL_TEN])
    assert corrected == pytest.approx([4 * ALL_TEN, 1.0, 10 * ALL_TEN, 4 * ALL_TEN])


@pytest.mark.parametrize(
    ("numbers", "verdict"),
    [
        ({}, "better"),
        ({"p_holm": 0.051}, "no difference shown"),
        ({"interval": (-0.01, 0.3)}, "no difference shown"),
        ({"interval": (0.0, 0.3)}, "no difference shown"),
        ({"interval": (-1.0, 1.0)}, "no difference shown"),  # fewer than two sites
        ({"effect": -0.2}, "no difference shown"),
        ({"difference": -0.1}, "no difference shown"),
        ({"difference": -0.1, "effect": -0.5, "interval": (-0.2, -0.1)}, "worse"),
        ({"difference": -0.1, "effect": -0.5, "interval": (-1.0, 1.0)}, "no difference shown"),
        ({"difference": -0.1, "effect": -0.5, "interval": (-0.2, 0.1)}, "no difference shown"),
    ],
)
def test_a_verdict_needs_test_effect_and_interval_to_agree(numbers, verdict):
    test = PageTest(0.1, (0.05, 0.2), 0.01, 0.05, 0.5, 100, 50)
    assert replace(test, **numbers).verdict == verdict


def test_without_the_sites_of_pages_the_interval_is_unknown(
    make_candidate, make_study, low, high, differ
):
    before, after = make_study(make_candidate("crf", low)), make_study(make_candidate("crf", high))
    difference = differ(replace(before, page_sites={}), after)
    assert difference.candidates[0].pages.interval == (-1.0, 1.0)
    assert difference.candidates[0].verdict == "no difference shown"


def test_other_test_pages_give_numbers_and_no_verdict(
    make_candidate, make_study, pages, low, high, differ
):
    one_less = {page: high[page] for page in pages[1:]}
    difference = differ(
        make_study(make_candidate("crf", low)),
        make_study(make_candidate("crf", one_less), tested=pages[1:]),
    )
    assert difference.splits == "other test pages"
    assert difference.candidates[0].pages is None
    assert difference.candidates[0].verdict == "not comparable"
    assert difference.candidates[0].accuracy == BeforeAfter(1.0, 1.0)


def test_pages_of_one_name_on_other_sites_are_other_pages(
    make_candidate, make_study, low, high, differ
):
    before, after = make_study(make_candidate("crf", low)), make_study(make_candidate("crf", high))
    sites = {**after.page_sites, "a-0": "b"}
    assert differ(before, replace(after, page_sites=sites)).splits == "other test pages"


def test_pages_with_an_accuracy_in_one_report_alone_cannot_be_compared(
    make_candidate, make_study, pages, low, high, differ
):
    fewer = {page: high[page] for page in pages[1:]}
    difference = differ(
        make_study(make_candidate("crf", low)), make_study(make_candidate("crf", fewer))
    )
    assert difference.splits == "same splits"
    assert difference.candidates[0].verdict == "not comparable"


def test_other_labels_cannot_be_compared(make_candidate, make_study, low, high, differ):
    before, after = make_study(make_candidate("crf", low)), make_study(make_candidate("crf", high))
    coarse = replace(after.source, counts={"None": 8, "Title": 2})
    assert differ(before, replace(after, source=coarse)).candidates[0].verdict == "not comparable"


def test_the_same_test_pages_may_be_split_otherwise(make_candidate, make_study, low, differ):
    before, after = (
        make_study(make_candidate("crf", low), trained=trained) for trained in (("z-0",), ("z-1",))
    )
    difference = differ(before, after)
    assert difference.splits == "same test pages, split otherwise"
    assert difference.candidates[0].verdict == "no difference shown"


def test_candidates_and_studies_that_one_report_alone_has_are_named(
    make_candidate, make_study, make_report, low
):
    failure = FailureRecord("svm", "svm, split 0", "LearnerError: no\nway")
    before = make_study(
        make_candidate("crf", low), make_candidate("svm", low), make_candidate("old", low)
    )
    after = make_study(make_candidate("crf", low), make_candidate("new", low), failures=(failure,))
    difference = diff_reports(
        make_report(before, make_study(name="gone")), make_report(after, make_study(name="came"))
    )
    (study,) = difference.studies
    assert [candidate.name for candidate in study.candidates] == ["crf"]
    assert (study.only_before, study.only_after) == (("svm", "old"), ("new",))
    assert study.failures_after == (failure,)
    assert study.newly_failed == ("svm",)
    assert difference.losses == ("news by site: svm",)
    assert (difference.only_before, difference.only_after) == (("gone",), ("came",))
    text = difference_text(difference)
    assert "Failed after: svm, split 0: LearnerError: no way" in text
    assert "Scores only in the report before: svm, old" in text
    assert "Only in the report after: came" in text


def test_the_difference_is_the_same_every_time(
    make_candidate, make_study, make_report, pages, low, high
):
    reports = [make_report(make_study(make_candidate("crf", pages))) for pages in (low, high)]
    assert to_json(diff_reports(*reports)) == to_json(diff_reports(*reports))


def test_the_words_hold_numbers_and_verdicts(
    make_candidate, make_study, make_report, low, high, bad
):
    difference = diff_reports(
        make_report(make_study(make_candidate("crf", low, bad))),
        make_report(make_study(make_candidate("crf", high)), versions={"numpy": "2.1"}),
    )
    lines = difference_text(difference).splitlines()
    assert "# news by site (same splits)" in lines
    assert any(line.split() == ["numpy", "2.0", "2.1"] for line in lines)
    assert any(line.split() == ["Title", "0.00", "->", "100.00"] for line in lines)
    assert any(line.split() == ["Author", "–"] for line in lines)
    (row,) = (line for line in lines if line.startswith("crf"))
    for cell in ("44.44 -> 100.00", "80.00 -> 100.00", "+5.50", "0.002", "+1.00", "10 of 10"):
        assert cell in row
    assert row.endswith("better")
    assert "Holm" in " ".join(lines[-4:])


def test_studies_on_other_pages_are_said_to_be_not_comparable(
    make_candidate, make_study, make_report, pages, low, high
):
    difference = diff_reports(
        make_report(make_study(make_candidate("crf", low))),
        make_report(make_study(make_candidate("crf", high), tested=pages[1:])),
    )
    text = difference_text(difference)
    assert "not comparable page by page" in text
    assert "interval" not in text


def test_a_long_value_is_cut_in_words_and_whole_in_json(
    make_candidate, make_study, make_report, low
):
    question = "Does it " + "really " * 20 + "help?"
    report = make_report(make_study(make_candidate("crf", low)))
    asked = replace(report, experiment=replace(report.experiment, question=question))
    difference = diff_reports(report, asked)
    assert question not in difference_text(difference)
    assert "really ..." in difference_text(difference)
    assert json.loads(to_json(difference))["experiment"] == [
        {"name": "question", "before": "Which?", "after": question}
    ]
