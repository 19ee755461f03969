"""A report as an experiment could have made it: every number is chosen here, nothing was run."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.text import Text

from structce.evaluation.bootstrap import site_interval
from structce.evaluation.calibration import ReliabilityBin
from structce.evaluation.metrics import (
    FieldScore,
    LabelScore,
    Measures,
    SegmentScores,
    score_confusion,
)
from structce.evaluation.significance import holm, rank_biserial, wilcoxon
from structce.experiments.config import Candidate, Experiment, Splits
from structce.experiments.results import (
    Ablation,
    Calibration,
    CandidateResult,
    ColumnLead,
    Comparison,
    Contrast,
    CorpusRecord,
    Cost,
    Epoch,
    FailureRecord,
    GridPoint,
    LearnerResult,
    LearningPoint,
    Mistake,
    PartRecord,
    Power,
    Ranking,
    Reliability,
    Report,
    Study,
    TrainingRecord,
    WorstPage,
)
from structce.experiments.results import SplitRecord as SplitPages
from structce.labels import LabelSet

NAMES = ("Author", "Date", "Image", "None", "Paragraph", "Title")
LABELS = LabelSet(NAMES, background="None")
SITES = ("east.example", "lower.example", "north.example", "south.example", "upper.example",
         "<b>west</b>.example")  # fmt: skip
N_TEST = {"Author": 20, "Date": 20, "Image": 0, "None": 400, "Paragraph": 180, "Title": 24}

# Gold labels in rows. No image occurs, and the greedy SVM never says Date.
CONFUSION = {
    "greedy-svm": ((10, 0, 0, 8, 2, 0), (0, 0, 0, 20, 0, 0), (0, 0, 0, 0, 0, 0),
                   (6, 0, 0, 372, 20, 2), (0, 0, 0, 30, 150, 0), (2, 0, 0, 2, 6, 14)),
    "linear-chain-crf": ((14, 0, 0, 6, 0, 0), (1, 15, 0, 4, 0, 0), (0, 0, 0, 0, 0, 0),
                         (4, 2, 0, 384, 10, 0), (0, 0, 0, 16, 164, 0), (0, 0, 0, 0, 5, 19)),
    "structured-svm": ((15, 0, 0, 5, 0, 0), (0, 18, 0, 2, 0, 0), (0, 0, 0, 0, 0, 0),
                       (4, 2, 0, 390, 4, 0), (0, 0, 0, 10, 170, 0), (0, 0, 0, 0, 4, 20)),
}  # fmt: skip
LEVELS = (0.84, 0.92, 0.94)
GRIDS = {
    "greedy-svm": {"lambda_": (0.1, 1.0), "context": (1, 5, 10, 25)},
    "linear-chain-crf": {"lambda_": (0.1, 1.0, 10.0)},
    "structured-svm": {"lambda_": (0.1, 1.0)},
}


def improved(confusion):
    """Return a confusion matrix with half of its mistakes, rounded down."""
    halved = np.array(confusion) // 2
    np.fill_diagonal(halved, 0)
    right = np.sum(confusion, axis=1) - halved.sum(axis=1)
    return tuple(map(tuple, (halved + np.diag(right)).tolist()))


def pages_of(sites, n=4):
    return tuple(f"{site}/{i}" for site in sites for i in range(n))


def accuracies(level):
    """Return page accuracies that swing around a level, more on some sites than on others."""
    return {
        page: min(1.0, round(level + 0.03 * np.sin(7 * i + 40 * level) * (1 + i // 4 % 3), 4))
        for i, page in enumerate(pages_of(SITES))
    }


def segment_scores(scores):
    inner = [label for label in scores.labels if label.name != "None"]
    labels = tuple(
        LabelScore(label.name, scaled(label.measures), label.support, label.n_predicted)
        for label in inner
    )
    return SegmentScores(labels, scaled(scores.micro_foreground), scaled(scores.macro_foreground))


def scaled(measures):
    return Measures(0.9 * measures.precision, 0.8 * measures.recall, 0.85 * measures.f1)


def around(value):
    return max(0.0, round(value - 0.05, 4)), min(1.0, round(value + 0.04, 4))


def make_row(confusion, level, trials=()):
    scores = score_confusion(np.array(confusion), LABELS)
    by_label = {label.name: label.measures.f1 for label in scores.labels if label.occurs}
    measures = {"accuracy": scores.accuracy, "macro_f1": scores.macro_f1, "page_exactness": 0.25}
    measures["macro_f1_foreground"] = scores.macro_f1_foreground
    measures |= {f"f1.{name}": value for name, value in by_label.items()}
    return LearnerResult(
        scores=scores,
        segments=segment_scores(scores),
        fields=tuple(
            FieldScore(name, N_TEST[name] and 24, N_TEST[name] and 12)
            for name in NAMES
            if name != "None"
        ),
        page_exactness=0.25,
        confusion=confusion,
        page_accuracy=accuracies(level),
        intervals={name: around(value) for name, value in measures.items()},
        trials=tuple(trials),
    )


def make_trial(name):
    keys = GRIDS[name]
    grid = [dict(zip(keys, row, strict=True)) for row in itertools.product(*keys.values())]
    stop = {"gap": 0.0009, "n_epochs": 12.0, "objective": 0.41}
    if name == "linear-chain-crf":
        stop = {"gradient_norm": 0.0002, "n_iterations": 88.0, "objective": 0.3}
    points = tuple(
        GridPoint(parameters, round(0.7 + 0.01 * i - 0.001 * i * i, 4), stop)
        for i, parameters in enumerate(grid)
    )
    said = ("stopped at a gap of 0.0009, above the tolerance 0.0001",)
    return TrainingRecord(
        split=0,
        parameters=max(points, key=lambda point: point.value).parameters,
        points=points,
        stop=stop,
        steps=tuple(Epoch(i, 1 / i + 0.4, 1.0 / i**2) for i in range(1, 13)),
        warnings=said if name == "structured-svm" else (),
        temperature=1.25 if name != "greedy-svm" else None,
    )


def make_calibration(shift):
    bins = tuple(
        ReliabilityBin(i / 10, (i + 1) / 10, 2 ** (i + 1), i / 10 + 0.05, i / 10 + 0.05 - shift)
        for i in range(3, 10)
    )
    near = tuple(replace(bin_, accuracy=bin_.confidence - 0.02) for bin_ in bins)
    return Calibration(Reliability(shift, 0.12, bins), Reliability(0.02, 0.08, near))


def make_pair(first, second, rows, p_holm=None):
    ours, theirs = (np.array(list(rows[name].page_accuracy.values())) for name in (first, second))
    sites = [page.rsplit("/", 1)[0] for page in rows[first].page_accuracy]
    macro = rows[first].scores.macro_f1 - rows[second].scores.macro_f1
    p = wilcoxon(ours, theirs)
    return Comparison(
        first=first,
        second=second,
        difference=float(np.mean(ours - theirs)),
        interval=site_interval(ours - theirs, sites, seed=7),
        p=p,
        p_holm=p if p_holm is None else p_holm,
        effect=rank_biserial(ours, theirs),
        n_pages=len(ours),
        n_differ=int((ours != theirs).sum()),
        macro_difference=macro,
        macro_interval=(round(macro - 0.04, 4), round(macro + 0.03, 4)),
    )


def make_pairs(rows):
    both = list(itertools.combinations(rows, 2))
    corrected = holm([make_pair(*names, rows).p for names in both])
    return tuple(
        make_pair(*names, rows, float(p)) for names, p in zip(both, corrected, strict=True)
    )


PARTS = (("without", "text", 0.9, 200), ("without", "style", 0.93, 350),
         ("only", "text", 0.88, 151), ("only", "style", 0.7, 1))  # fmt: skip


def make_ablations(rows):
    full = "structured-svm"
    for kind, family, level, n in PARTS:
        row = make_row(CONFUSION["greedy-svm" if level < 0.89 else "linear-chain-crf"], level)
        name = f"{kind} {family}"
        yield Ablation(full, kind, family, (n,), row, make_pair(name, full, {name: row, **rows}))


def make_learning():
    for name, share in itertools.product(("linear-chain-crf", "structured-svm"), (0.25, 0.5)):
        row = make_row(CONFUSION["greedy-svm"], 0.7 + share / 4)
        yield LearningPoint(name, share, 24 * share, row)


def make_study(by, shift=0.0):
    rows = {
        name: make_row(improved(matrix) if shift else matrix, level + shift, [make_trial(name)])
        for (name, matrix), level in zip(CONFUSION.items(), LEVELS, strict=True)
    }
    calibrated = {
        "linear-chain-crf": make_calibration(0.05 - shift / 2),
        "structured-svm": make_calibration(0.2 - shift),
    }
    early, middle = ("april.example", "march.example"), ("may.example",)
    return Study(
        name=f"harbour news by {by}",
        source=CorpusRecord(
            path="data/harbour",
            name="harbour news",
            digest="0123456789abcdef" * 4,
            n_pages=48,
            sites=(*early, *middle, *SITES),
            renderer="chromium",
            counts={name: 3 * n for name, n in N_TEST.items()},
            background="None",
            n_unknown=17,
        ),
        by=by,
        splits=(
            SplitPages(
                seed=7,
                train=PartRecord(pages_of(early, 9), early),
                validation=PartRecord(pages_of(middle, 6), middle),
                test=PartRecord(pages_of(SITES), SITES),
                n_columns=412,
            ),
        ),
        n_train={name: 1.5 * n for name, n in N_TEST.items()},
        n_test=N_TEST,
        candidates=tuple(
            CandidateResult(name, row, calibrated.get(name)) for name, row in rows.items()
        ),
        reference="structured-svm",
        pairs=make_pairs(rows),
        power=Power(24, 0.041, 0.026, True),
    )


def with_everything(study):
    """Return a study with all that it may have: failures, ablations, a curve, worst pages."""
    job, error = "multiclass-svm, lambda = 0.1, split 1", "ArithmeticError: <b>no</b>\nminimum"
    return replace(
        study,
        failures=(FailureRecord("multiclass-svm", job, error),),
        ablations=tuple(
            make_ablations({candidate.name: candidate.row for candidate in study.candidates})
        ),
        learning=tuple(make_learning()),
        worst=tuple(make_worst(i) for i in range(3)),
    )


def make_worst(i):
    reasons = (ColumnLead("text.token=<b>by</b>", 1.25), ColumnLead("(neighbours)", -0.4))
    mistakes = (
        Mistake(3, '<img src=x onerror="alert(1)">', "Author", "None", 0.71, reasons),
        Mistake(9, "Read more about {{ 7 * 7 }} boats in the harbour", "None", "Paragraph"),
    )
    site = SITES[5 - i]
    return WorstPage("structured-svm", 0, f"{site}/{i}", site, 0.8 + 0.05 * i, 6 - i, 30, mistakes)


def make_contrasts(first, second):
    for before, after in zip(first.candidates, second.candidates, strict=True):
        values = before.row.scores.macro_f1, after.row.scores.macro_f1
        pair = make_pair(first.name, second.name, {first.name: before.row, second.name: after.row})
        yield Contrast("by", before.name, first.name, second.name, values,
                       pair if before.name == "structured-svm" else None)  # fmt: skip


def make_costs(study):
    for i, name in enumerate(CONFUSION):
        for j, step in enumerate(("tuning", "training", "prediction")):
            yield Cost(study, 0, name, step, (40.0 + 30 * i) / 4**j, 100.0 + 50 * i - j)
    yield Cost(study, 0, "", "features", 12.5, 80.0)
    yield Cost(study, 0, "structured-svm", "training", 999.0, None, "without text")


def make_ranking():
    ranks = zip(CONFUSION, (3.0, 1.6667, 1.3333), strict=True)
    p_pairs = {name: dict.fromkeys(CONFUSION, 0.12) for name in CONFUSION}
    studies = tuple(f"{name} by site" for name in ("harbour", "market", "valley"))
    return Ranking("macro_f1", studies, dict(ranks), 0.097, p_pairs, 1.91)


@pytest.fixture(scope="session")
def report():
    """Two studies of one corpus; the first has everything that a study can have."""
    by_site, by_page = with_everything(make_study("site")), make_study("page", shift=0.03)
    return Report(
        experiment=Experiment(
            question="Is <i>anything</i> better\nthan 100% nothing & _more_?",
            corpora=("data/harbour",),
            candidates=(
                Candidate("multiclass-svm", {"lambda_": (0.1, 1.0)}),
                *(Candidate(name, values) for name, values in GRIDS.items()),
            ),
            splits=Splits(by=("site", "page")),
            seed=7,
            families=("text", "style"),
            ablation=("text", "style"),
            learning_curve=(0.25, 0.5),
        ),
        command="structce compare harbour.toml --seed 7 > <out>",
        versions={"structce": "0.1.0", "numpy": "2.1.0", "python-crfsuite": ""},
        studies=(by_site, by_page),
        rankings=(make_ranking(),),
        contrasts=tuple(make_contrasts(by_site, by_page)),
        costs=(*make_costs(by_site.name), *make_costs(by_page.name)),
    )


@pytest.fixture
def study(report):
    return report.studies[0]


@pytest.fixture
def texts_outside():
    """Return the texts of a plot that stand partly outside of it at the width of a phone.

    Without numbers of an axis: those beyond its ends are there, but not drawn.
    """

    def find(plot):
        figure = plot.figure
        figure.set_figwidth(4.8)
        figure.draw_without_rendering()
        left, bottom, right, top = figure.bbox.extents
        ticks = [
            tick for axes in figure.axes for tick in axes.get_xticklabels() + axes.get_yticklabels()
        ]
        shown = [text for text in figure.findobj(Text) if text.get_text() and text not in ticks]
        return [
            text.get_text()
            for text, box in zip(shown, (text.get_window_extent() for text in shown), strict=True)
            if box.x0 < left - 1 or box.x1 > right + 1 or box.y0 < bottom - 1 or box.y1 > top + 1
        ]

    return find
