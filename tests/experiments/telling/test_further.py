"""What an ablation, a learning curve and a grid say in words."""

from dataclasses import replace

import pytest

from structce.experiments.report.summary import further_answers


@pytest.fixture
def scored():
    """Return a function that gives a row another macro F1."""

    def score(row, macro_f1):
        macro = replace(row.scores.macro, f1=macro_f1)
        return replace(row, scores=replace(row.scores, macro=macro))

    return score


@pytest.fixture
def best(study):
    return study.arms[0]


def part(study, best, scored, kind, family, macro_f1, interval):
    one = next(one for one in study.ablations)
    pair = replace(one.pair, p_holm=0.5, macro_interval=interval)
    row = scored(best.row, macro_f1)
    return replace(one, arm=best.name, kind=kind, family=family, row=row, pair=pair)


def test_the_family_that_is_missed_most_is_named_and_those_that_are_not(study, best, scored):
    full = best.row.scores.macro_f1
    parts = (
        part(study, best, scored, "without", "text", full - 0.01, (-0.03, 0.01)),
        part(study, best, scored, "without", "task", full - 0.2, (-0.3, -0.1)),
        part(study, best, scored, "only", "text", 0.25, (-1, 1)),
        part(study, best, scored, "only", "task", 0.5, (-1, 1)),
    )
    said = list(further_answers(replace(study, ablations=parts, learning=()), best))
    assert said == [
        "Of the families of features it needs task most: without it macro F1 changes by -20.00 "
        "points.",
        "No loss is shown without text.",
        "With task alone it reaches 50.00 per cent.",
    ]


def test_a_learning_curve_tells_of_its_begin_and_its_last_step(study, best, scored):
    full = best.row.scores.macro_f1
    one = replace(study.learning[0], arm=best.name)
    points = (
        replace(one, share=0.5, row=scored(one.row, full - 0.02)),
        replace(one, share=0.1, row=scored(one.row, 0.4)),
    )
    (said,) = further_answers(replace(study, ablations=(), learning=points), best)
    assert said == (
        "With 10 per cent of the training sites it reaches 40.00 per cent; the step from 50 per "
        "cent of them to all brings +2.00 points."
    )


def test_a_single_learner_tells_what_was_chosen(study, best):
    alone = replace(study, arms=(best,), ablations=(), learning=())
    said = list(further_answers(alone, best))
    is_tuned = any(len(trial.points) > 1 for trial in best.row.trials)
    assert is_tuned
    assert said[0].startswith("The validation pages chose lambda = ")


def test_of_what_was_not_asked_nothing_is_said(study, best):
    assert not list(further_answers(replace(study, ablations=(), learning=()), best))
