"""The findings in plain words: which learner leads, and how far that can be believed."""

from dataclasses import replace

import pytest

from structce.experiments.report.text import (
    Evidence,
    analysis_sentences,
    evidence,
    oriented_pair,
    report_findings,
    study_findings,
)
from structce.experiments.results import FailureRecord, Power

LEAD = ("linear-chain-crf", "structured-svm")


@pytest.fixture
def changed(study):
    """The study with another pair of its two best learners, given as the best minus the next."""

    def change(interval=(0.01, 0.08), difference=0.03, p_holm=0.01, **more):
        pairs = tuple(
            replace(pair, difference=-difference, p_holm=p_holm,
                    macro_interval=(-interval[1], -interval[0]), **more)
            if (pair.first, pair.second) == LEAD else pair
            for pair in study.pairs
        )  # fmt: skip
        return replace(study, pairs=pairs, failures=())

    return change


@pytest.mark.parametrize(
    ("changes", "expected", "said"),
    [
        ({}, Evidence.BOTH, "That is certain: with whole sites resampled, the lead lies between "
                            "+1.00 and +8.00 points"),
        ({"p_holm": 0.2}, Evidence.SITES, "Take it as a hint: with whole sites resampled,"),
        ({"interval": (-0.01, 0.08)}, Evidence.PAGES,
         "Take it as a hint: page by page a test finds a difference of accuracy (p = 0.010"),
        ({"interval": (-1.0, 1.0)}, Evidence.PAGES, "too few sites for an interval"),
        ({"interval": (-0.01, 0.08), "p_holm": 0.3}, Evidence.NONE, "That may be chance"),
        ({"interval": (0.0, 0.08), "p_holm": 0.3}, Evidence.NONE, "so there may be none"),
        ({"difference": -0.02}, Evidence.AGAINST,
         "Page by page, however, linear-chain-crf is right more often, by 2.00 points"),
    ],
)  # fmt: skip
def test_the_words_follow_the_evidence(changed, changes, expected, said):
    study = changed(**changes)
    assert evidence(oriented_pair(study, *reversed(LEAD))) is expected
    text = study_findings(study)
    assert text.startswith("structured-svm has the highest macro F1: 89.89 per cent (95 per cent")
    assert "That is 4.41 points more than linear-chain-crf, the next." in text
    assert said in text


def test_only_what_may_be_chance_is_told_what_the_pages_could_show(changed):
    doubtful = changed(interval=(-0.01, 0.08), p_holm=0.3)
    assert "only if it were about 2.6 points of accuracy or more" in study_findings(doubtful)
    assert "only if it were" not in study_findings(changed())
    strong = replace(doubtful, power=Power(900, 0.01, 0.001, False))
    assert "only if it were" not in study_findings(strong)


def test_the_lead_over_others_is_told_as_certain_or_not(study):
    assert "Its lead over greedy-svm is certain." in study_findings(study)
    pairs = tuple(replace(pair, p_holm=0.5) for pair in study.pairs)
    doubtful = study_findings(replace(study, pairs=pairs))
    assert "Its lead over greedy-svm is not certain." in doubtful


def test_a_difference_turns_with_its_names(study):
    pair = oriented_pair(study, "structured-svm", "greedy-svm")
    other = study.pair("greedy-svm", "structured-svm")
    assert (pair.first, pair.second) == ("structured-svm", "greedy-svm")
    assert (pair.difference, pair.effect) == (-other.difference, -other.effect)
    assert pair.interval == (-other.interval[1], -other.interval[0])
    assert pair.macro_interval[0] < pair.macro_difference < pair.macro_interval[1]
    assert oriented_pair(study, "greedy-svm", "nobody") is None


def test_learners_that_are_the_same_have_no_lead(study):
    first = study.candidates[2]
    twin = replace(first, name="twin")
    text = study_findings(
        replace(study, candidates=(first, twin), pairs=(), failures=(), learning=(), ablations=())
    )
    assert "structured-svm has the highest macro F1" in text
    assert " twin has the same value. For structured-svm lambda" in text


def test_learners_that_agree_on_every_page_are_said_to(changed):
    text = study_findings(changed(n_differ=0))
    assert "On none of the 24 test pages do the two differ in accuracy." in text


def test_one_learner_is_compared_with_nothing(study):
    text = study_findings(replace(study, candidates=study.candidates[:1], pairs=(), failures=()))
    assert text == (
        "greedy-svm reaches a macro F1 of 59.17 per cent (95 per cent interval 54.17 to 63.17). "
        "There is no other to compare it with. The validation pages chose lambda = 1.0, "
        "context = 5. For greedy-svm lambda = 1.0 was chosen, the largest of its grid: the best "
        "value may lie beyond."
    )


def test_nothing_measured_and_what_failed_are_said(study):
    assert study_findings(replace(study, candidates=())) == (
        "Nothing could be measured: every learner failed."
    )
    assert "multiclass-svm failed, in whole or in part." in study_findings(study)
    twice = replace(study, failures=(*study.failures, FailureRecord("a", "a, split 1", "x")))
    assert "a and multiclass-svm failed" in study_findings(twice)


def test_a_split_by_page_is_said_to_flatter(report):
    by_site, by_page = report.studies
    assert "expect lower scores on new sites" in study_findings(by_page)
    assert "expect lower scores on new sites" not in study_findings(by_site)


def test_studies_are_named_and_then_taken_together(report):
    first, second, together = report_findings(report)
    assert (first.heading, second.heading) == ("harbour news by site", "harbour news by page")
    changes = sorted(
        100 * (contrast.values[1] - contrast.values[0]) for contrast in report.contrasts
    )
    assert f"changes by +{changes[0]:.2f} to +{changes[-1]:.2f} points" in together.text
    assert "structured-svm has the best mean rank by macro F1, 1.33" in together.text
    assert "the ranks may differ by chance (Friedman's test, p = 0.097)" in together.text
    (alone,) = report_findings(
        replace(report, studies=report.studies[:1], rankings=(), contrasts=())
    )
    assert alone.heading == ""


@pytest.mark.parametrize(
    ("p", "said"), [(None, "cannot be tested"), (0.05, "by more than chance"), (0.2, "may differ")]
)
def test_ranks_are_told_with_their_test(report, p, said):
    ranking = replace(report.rankings[0], p_friedman=p)
    assert said in report_findings(replace(report, rankings=(ranking,)))[-1].text


@pytest.fixture
def scored():
    """Return a function that gives a row another macro F1."""

    def score(row, macro_f1):
        macro = replace(row.scores.macro, f1=macro_f1)
        return replace(row, scores=replace(row.scores, macro=macro))

    return score


@pytest.fixture
def best(study):
    return study.candidates[0]


def part(study, best, scored, kind, family, macro_f1, interval):
    ablation = next(part for part in study.ablations)
    pair = replace(
        ablation.pair, p_holm=0.01, difference=-0.1, effect=-0.5, macro_interval=interval
    )
    row = scored(best.row, macro_f1)
    return replace(ablation, candidate=best.name, kind=kind, family=family, row=row, pair=pair)


def test_the_family_that_is_missed_most_is_named_and_those_that_are_not(study, best, scored):
    full = best.row.scores.macro_f1
    parts = (
        part(study, best, scored, "without", "text", full - 0.01, (-0.03, 0.01)),
        part(study, best, scored, "without", "task", full - 0.2, (-0.3, -0.1)),
        part(study, best, scored, "only", "text", 0.25, (-1, 1)),
        part(study, best, scored, "only", "task", 0.5, (-1, 1)),
    )
    said = list(analysis_sentences(replace(study, ablations=parts, learning=()), best))
    assert said == [
        "Of the families of features it needs task most: without it macro F1 changes by -20.00 "
        "points.",
        "No loss is certain without text.",
        "With task alone it reaches 50.00 per cent.",
    ]


def test_a_learning_curve_tells_of_its_begin_and_its_last_step(study, best, scored):
    full = best.row.scores.macro_f1
    point = replace(study.learning[0], candidate=best.name)
    points = (
        replace(point, share=0.5, row=scored(point.row, full - 0.02)),
        replace(point, share=0.1, row=scored(point.row, 0.4)),
    )
    (said,) = analysis_sentences(replace(study, ablations=(), learning=points), best)
    assert said == (
        "With 10 per cent of the training sites it reaches 40.00 per cent; the step from 50 per "
        "cent of them to all brings +2.00 points."
    )


def test_a_single_learner_tells_what_was_chosen(study, best):
    alone = replace(study, candidates=(best,), ablations=(), learning=())
    said = list(analysis_sentences(alone, best))
    is_tuned = any(len(trial.points) > 1 for trial in best.row.trials)
    assert is_tuned
    assert said[0].startswith("The validation pages chose lambda = ")


def test_of_what_was_not_asked_nothing_is_said(study, best):
    assert not list(analysis_sentences(replace(study, ablations=(), learning=()), best))


def edge_sentence(study, name, grid, chosen):
    """The findings on a learner for which each split chose a value of a grid, after the others."""
    candidate = study.candidates[0]
    trial = candidate.row.trials[0]
    points = tuple(
        replace(trial.points[0], parameters={name: value, "engine": "x"}) for value in grid
    )
    trials = tuple(
        replace(trial, split=i, parameters={name: value, "engine": "x"}, points=points)
        for i, value in enumerate(chosen)
    )
    changed = replace(candidate, row=replace(candidate.row, trials=trials))
    text = study_findings(replace(study, candidates=(changed,), pairs=(), failures=()))
    return text.partition(f" For {candidate.name} ")[2]


@pytest.mark.parametrize(
    ("name", "grid", "chosen", "sentence"),
    [
        ("lambda_", (10.0, 1.0, 0.1), [0.1] * 8 + [1.0, 10.0], "lambda = 0.1 was chosen, the "
         "smallest of its grid, in 8 of 10 splits: the best value may lie beyond."),
        ("lambda_", (10.0, 1.0), [10.0], "lambda = 10.0 was chosen, the largest of its grid: "
         "the best value may lie beyond."),
        ("context", (1, 5, 25), [25, 25, 5], "context = 25 was chosen, the largest of its grid, "
         "in 2 of 3 splits: the best value may lie beyond."),
        ("lambda_", (10.0, 1.0, 0.1), [0.1, 0.1, 1.0, 10.0], ""),  # half are not most
        ("lambda_", (10, 3, 1), [1], "lambda = 1 was chosen, the smallest of its grid: the best "
         "value may lie beyond."),
        ("lambda_", (10.0, 1.0, 0.1), [1.0, 1.0, 1.0], ""),
        ("context", (1, 5, 25), [1, 1, 1], ""),  # a shorter one is no context
        ("transition_weight", (0, 0.5), [0], ""),
        ("warm_start", (False, True), [True], ""),
        ("lambda_", (1.0,), [1.0], ""),
    ],
)  # fmt: skip
def test_a_choice_at_the_end_of_its_grid_is_in_the_answer(study, name, grid, chosen, sentence):
    assert edge_sentence(study, name, grid, chosen) == sentence
