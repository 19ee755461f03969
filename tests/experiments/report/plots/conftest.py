"""A small study whose numbers are made up by hand, for every plot to draw."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from structce.evaluation.calibration import ReliabilityBin
from structce.evaluation.metrics import LabelScore, Measures, Scores, SegmentScores
from structce.experiments.config import Candidate, Experiment
from structce.experiments.report.plots.scores import (
    ablation_plot,
    contrast_plot,
    interval_plot,
    label_plot,
    pair_plot,
    rank_plot,
    reliability_plot,
)
from structce.experiments.report.plots.training import (
    convergence_plot,
    cost_plot,
    learning_plot,
    parameter_plot,
)
from structce.experiments.results import (
    Ablation,
    Calibration,
    CandidateResult,
    Comparison,
    Contrast,
    CorpusRecord,
    Cost,
    Epoch,
    GridPoint,
    LearnerResult,
    LearningPoint,
    PartRecord,
    Ranking,
    Reliability,
    Report,
    SplitRecord,
    Study,
    TrainingRecord,
)

DRAW = {
    "ablation": lambda inputs: ablation_plot(inputs["study"], "structured-svm"),
    "contrast": lambda inputs: contrast_plot(inputs["contrasts"]),
    "convergence": lambda inputs: convergence_plot(inputs["study"]),
    "costs": lambda inputs: cost_plot(inputs["report"], inputs["study"]),
    "intervals": lambda inputs: interval_plot(inputs["study"]),
    "labels": lambda inputs: label_plot(inputs["study"]),
    "learning": lambda inputs: learning_plot(inputs["study"]),
    "pairs": lambda inputs: pair_plot(inputs["study"]),
    "parameter": lambda inputs: parameter_plot(inputs["study"], "greedy-svm", "context"),
    "ranks": lambda inputs: rank_plot(inputs["ranking"]),
    "reliability": lambda inputs: reliability_plot(inputs["calibrated"]),
}

SPACE = "{http://www.w3.org/2000/svg}"
NUMBER = re.compile(r"[−-]?[0-9.]+(e-?[0-9]+)?")

LABELS = ("Author", "Date", "None", "Paragraph", "Title")
SUPPORT = {"Author": 31, "Date": 40, "None": 2120, "Paragraph": 610, "Title": 42}
F1 = {
    "multiclass-svm": (0.612, 0.700, 0.985, 0.961, 0.801),
    "greedy-svm": (0.640, 0.742, 0.988, 0.970, 0.815),
    "linear-chain-crf": (0.688, 0.761, 0.990, 0.972, 0.902),
    "structured-svm": (0.701, 0.750, 0.991, 0.974, 0.910),
}
GRIDS = {
    "multiclass-svm": {"lambda_": (0.001, 0.01, 0.1, 1.0)},
    "greedy-svm": {"lambda_": (0.01, 0.1), "context": (1, 2, 5, 10)},
    "linear-chain-crf": {"lambda_": (0.01,)},
    "structured-svm": {"lambda_": (0.01, 0.1, 1.0), "averaged": (True, False)},
}
SECONDS = {
    "multiclass-svm": 2.1, "greedy-svm": 6.4, "linear-chain-crf": 48.0, "structured-svm": 61.0,
}  # fmt: skip


def make_scores(values):
    labels = tuple(
        LabelScore(name, Measures(f1, f1, f1), SUPPORT[name], SUPPORT[name])
        for name, f1 in zip(LABELS, values, strict=True)
    )
    inner = [label.measures.f1 for label in labels if label.name != "None"]
    mean, rest = sum(values) / len(values), sum(inner) / len(inner)
    return Scores(
        labels=labels,
        accuracy=0.97,
        micro=Measures(0.97, 0.97, 0.97),
        macro=Measures(mean, mean, mean),
        micro_foreground=Measures(0.94, 0.94, 0.94),
        macro_foreground=Measures(rest, rest, rest),
        left_out=(),
    )


def make_row(values, trials=(), *, width=0.04):
    scores = make_scores(values)
    shares = {
        "macro_f1": scores.macro_f1,
        "macro_f1_foreground": scores.macro_f1_foreground,
        **{f"f1.{label.name}": label.measures.f1 for label in scores.labels},
    }
    return LearnerResult(
        scores=scores,
        segments=SegmentScores((), Measures(0, 0, 0), Measures(0, 0, 0)),
        fields=(),
        page_exactness=0.4,
        confusion=(),
        page_accuracy={},
        intervals={
            name: (max(0.0, f1 - width), min(1.0, f1 + width / 2)) for name, f1 in shares.items()
        },
        trials=trials,
    )


def make_trial(name, split):
    grid = Candidate(name, GRIDS[name]).points
    points = tuple(
        GridPoint(parameters, 0.70 + 0.02 * split + 0.03 * ((5 * i + 2 * split) % 4), {})
        for i, parameters in enumerate(grid)
    )
    best = max(points, key=lambda point: point.value).parameters
    has_gap = name != "greedy-svm"
    steps = tuple(
        Epoch(epoch, 1 / epoch, 0.5 * (1 - len(name) / 90) ** epoch if has_gap else None)
        for epoch in range(1, 1 + 2 * len(name))
    )
    return TrainingRecord(split, best, points, {"gap": 0.001}, steps)


def make_pair(first, second, difference, interval):
    return Comparison(
        0.01, (0.0, 0.02), 0.01, 0.03, 0.2, 60, 31, first, second, difference, interval
    )


def make_calibration():
    def bins(shift):
        counts = (14, 40, 95, 180, 320, 11800)
        return tuple(
            ReliabilityBin(i / 10, (i + 1) / 10, n, i / 10 + 0.05, min(1.0, i / 10 + 0.05 + shift))
            for i, n in zip((3, 4, 5, 6, 7, 9), counts, strict=True)
        )

    return Calibration(Reliability(0.081, 0.06, bins(-0.14)), Reliability(0.012, 0.05, bins(0.02)))


def make_split(seed):
    def part(name, n_pages):
        return PartRecord(tuple(f"{name}{i}" for i in range(n_pages)), (f"{name}.example",))

    return SplitRecord(seed, part("a", 100), part("b", 30), part("c", 66), 4120)


def make_candidates():
    calibrated = make_calibration()
    return tuple(
        CandidateResult(
            name,
            make_row(values, tuple(make_trial(name, split) for split in range(3))),
            None if name == "greedy-svm" else calibrated,
        )
        for name, values in F1.items()
    )


@pytest.fixture(scope="session")
def study():
    """Four candidates on three splits; the greedy one tells neither gap nor confidence."""
    candidates = make_candidates()
    weaker = [tuple(f1 * share for f1 in F1["structured-svm"]) for share in (0.7, 0.85, 0.94)]
    kinds = [(kind, family) for family in ("text", "dom", "style") for kind in ("without", "only")]
    return Study(
        name="news by site",
        source=CorpusRecord("data/news", "news", "0" * 64, 196, (), "chromium", SUPPORT, "None"),
        by="site",
        splits=tuple(make_split(seed) for seed in range(3)),
        n_train=SUPPORT,
        n_test=SUPPORT,
        candidates=candidates,
        reference="structured-svm",
        pairs=(
            make_pair("structured-svm", "linear-chain-crf", 0.0026, (-0.012, 0.017)),
            make_pair("structured-svm", "greedy-svm", 0.0342, (0.011, 0.055)),
            make_pair("structured-svm", "multiclass-svm", 0.0534, (0.031, 0.078)),
            make_pair("linear-chain-crf", "greedy-svm", 0.0316, (-0.002, 0.054)),
            make_pair("greedy-svm", "multiclass-svm", 0.0192, (-1.0, 1.0)),
        ),
        ablations=tuple(
            Ablation(
                "structured-svm", kind, family, (900,), make_row(weaker[i % 3]),
                make_pair(f"{kind} {family}", "all", -0.1, (-0.2, 0.0)),
            )
            for i, (kind, family) in enumerate(kinds)
        ),
        learning=tuple(
            LearningPoint(name, share, 130 * share, make_row([f1 * less for f1 in F1[name]]))
            for name in ("multiclass-svm", "structured-svm")
            for share, less in ((0.1, 0.7), (0.25, 0.82), (0.5, 0.93))
        ),
    )  # fmt: skip


@pytest.fixture(scope="session")
def empty(study):
    """The same study, in which every candidate failed."""
    return replace(study, candidates=(), pairs=(), ablations=(), learning=(), reference="")


@pytest.fixture(scope="session")
def report(study):
    costs = [
        Cost("news by site", split, name, "training", seconds + split, None)
        for name, seconds in SECONDS.items()
        for split in range(3)
    ]
    costs += [
        Cost("news by site", 0, "structured-svm", "training", 5000.0, None, "without text"),
        Cost("news by site", 0, "structured-svm", "tuning", 7000.0),
        Cost("news by page", 0, "structured-svm", "training", 9000.0),
    ]
    asked = Experiment("Do neighbours help?", ("data/news",), (Candidate("structured-svm"),))
    return Report(asked, "", {}, (study,), costs=tuple(costs))


@pytest.fixture(scope="session")
def ranking():
    """Ranks of four candidates; only the first and the last differ."""
    names = tuple(F1)
    far = {("multiclass-svm", "structured-svm"), ("structured-svm", "multiclass-svm")}
    p = {a: {b: 1.0 if a == b else 0.01 if (a, b) in far else 0.4 for b in names} for a in names}
    ranks = dict(zip(names, (3.75, 2.75, 2.0, 1.5), strict=True))
    studies = tuple(f"corpus {i}" for i in range(1, 5))
    return Ranking("macro_f1", studies, ranks, 0.02, p, 2.35)


@pytest.fixture(scope="session")
def contrasts():
    return tuple(
        Contrast("by", name, "news by page", "news by site", (0.9 + i / 100, 0.8 + i / 50))
        for i, name in enumerate(F1)
    )


@pytest.fixture(scope="session")
def calibrated():
    return CandidateResult("linear-chain-crf", make_row(F1["linear-chain-crf"]), make_calibration())


@pytest.fixture(scope="session")
def new_row():
    """Make a row with these F1s, label by label."""
    return make_row


@pytest.fixture(scope="session")
def inputs(study, report, contrasts, ranking, calibrated):
    """What the functions of ``DRAW`` draw."""
    return {
        "study": study,
        "report": report,
        "contrasts": contrasts,
        "ranking": ranking,
        "calibrated": calibrated,
    }


class Figures(dict):
    """Plots by name, each drawn once."""

    def __init__(self, inputs):
        self.inputs = inputs

    def __missing__(self, name):
        self[name] = DRAW[name](self.inputs)
        return self[name]


@pytest.fixture(scope="session")
def figures(inputs):
    return Figures(inputs)


@pytest.fixture(scope="session")
def draw():
    """Return a function that draws a plot of other inputs."""
    return lambda name, inputs: DRAW[name](inputs)


class ParsedPlot:
    """A figure read back: where its parts stand, in units of the view box."""

    def __init__(self, figure):
        self.root = ElementTree.fromstring(figure.svg)

    def all(self, tag):
        return list(self.root.iter(f"{SPACE}{tag}"))

    @property
    def texts(self):
        return [element.text for element in self.all("text")]

    def dots(self, colour="var(--s[1-6])"):
        """List (x, y) of the markers filled with a colour, in the order they were drawn."""
        fill = re.compile("fill: " + re.sub("[()]", r"\\\g<0>", colour))
        return [
            (float(element.get("x")), float(element.get("y")))
            for element in self.all("use")
            if fill.search(element.get("style", ""))
        ]

    def lines(self, colour):
        """List the corners of the lines of a colour."""
        return [
            [(float(x), float(y)) for x, y in re.findall(r"[ML] (\S+) (\S+)", path.get("d"))]
            for path in self.all("path")
            if f"stroke: {colour}" in path.get("style", "") and "none" in path.get("style")
        ]

    def value(self, which="x", scale=float):
        """Return the map from a place to a value, by the two outer ticks of the first such axis."""
        anchor = "middle" if which == "x" else "end"
        for axis in self.all("g"):
            ticks = [tick for group in axis if (tick := self._tick(group, which, anchor))]
            if len(ticks) > 1:
                (a, first), *_, (b, last) = [(place, scale(float(text))) for place, text in ticks]
                return lambda place: first + (place - a) / (b - a) * (last - first)
        raise AssertionError("no axis with two ticks")

    @staticmethod
    def _tick(group, which, anchor):
        """Return the place of a tick and the number at it; None for what is no such tick."""
        marks, texts = list(group.iter(f"{SPACE}use")), list(group.iter(f"{SPACE}text"))
        if len(marks) != 1 or len(texts) != 1 or not NUMBER.fullmatch(texts[0].text):
            return None
        is_here = f"text-anchor: {anchor}" in texts[0].get("style")
        return (float(marks[0].get(which)), texts[0].text.replace("−", "-")) if is_here else None


@pytest.fixture(scope="session")
def read():
    return ParsedPlot
