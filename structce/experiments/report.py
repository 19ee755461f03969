"""Report of an experiment as records: ``report.json``, its schema, and frames of the records.

Learners and extractors share the records. A study is a corpus under one way of splitting, or a
package of pages; a subject is a candidate, or a setting of a method; a unit is a page.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from structce.errors import ExperimentError
from structce.extras import load_extra
from structce.io import write_all_atomic

if TYPE_CHECKING:
    import pandas as pd

REPORT_FILE = "report.json"

Value = bool | int | float | str


class Record(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True
):
    """Row of a table of a report; fields with their default value are left out of the file."""


class Study(Record, frozen=True):
    """What a study measures on, without its pages.

    Parameters
    ----------
    source
        Path of the corpus as the user wrote it, or the source that a package is a part of; a
        package that is the whole of its source has its name.
    n_unknown, n_several
        Regions of unknown label, which no score counts, and of a set of labels, any of which is
        right.
    reference
        Subject that the others are marked against; empty without subjects.
    spread, detectable
        Standard deviation over pages of the difference of two subjects (the median of all pairs),
        and the smallest mean difference that a Wilcoxon test at 0.05 finds four times of five.
    link_quota, main_quota
        Median share of a page's text inside links, and of its words in the main content.
    """

    name: str
    source: str
    digest: str
    n_pages: int
    n_sites: int
    by: str = ""
    corpus: str = ""
    renderer: str = ""
    background: str = ""
    labels: dict[str, int] = {}
    n_unknown: int = 0
    n_several: int = 0
    site_rule: str = ""
    is_invented: bool = False
    n_unknown_features: int = 0
    reference: str = ""
    spread: float | None = None
    detectable: float | None = None
    n_bytes: int = 0
    n_lost: int = 0
    n_learnt: int = 0
    link_quota: float = 0.0
    main_quota: float = 0.0

    @property
    def is_whole(self) -> bool:
        """Whether a package is the whole of its source."""
        return self.name == self.source


class Split(Record, frozen=True):
    """A split of the pages of a study, and the number of columns from its training pages."""

    study: str
    split: int
    seed: int
    train: tuple[str, ...]
    validation: tuple[str, ...]
    test: tuple[str, ...]
    sites: dict[str, tuple[str, ...]]
    n_columns: int


class Score(Record, frozen=True):
    """A score of a subject in a study over all units, such as ``macro_f1`` or ``seconds_per_kb``.

    Parameters
    ----------
    part
        Part of the features (``without text``), of the training sites (``share 0.5``) or of the
        pages (``seen``); empty for all of them.
    low, high
        95 per cent interval from resampling whole sites; None if not known.
    deviation
        Standard deviation over units, as of a sample; None if not known.
    """

    study: str
    subject: str
    measure: str
    value: float
    label: str = ""
    part: str = ""
    low: float | None = None
    high: float | None = None
    deviation: float | None = None


class Unit(Record, frozen=True):
    """A page with the score of every subject; one tested in several splits has the mean.

    The part is the package that the page belongs to.
    """

    study: str
    unit: str
    site: str
    measure: str
    values: dict[str, float]
    part: str = ""


class Pair(Record, frozen=True):
    """Paired test of the scores of two subjects on the same units, first minus second.

    Parameters
    ----------
    kind
        ``subjects``; ``features``, a part of them against all, of the same subject; ``studies``
        that differ in one ``setting``, for the same subject.
    difference, low, high
        Mean difference over units, and its 95 per cent interval from resampling whole sites; None
        if not known.
    p, p_holm
        P-value of Wilcoxon's matched-pairs signed-ranks test, two-sided; after Holm's correction
        over the pairs in one table.
    effect
        Matched-pairs rank-biserial correlation, in [-1, 1].
    macro_difference, macro_low, macro_high
        Difference of macro F1 of learners with its interval.
    """

    kind: Literal["subjects", "features", "studies"]
    study: str
    first: str
    second: str
    subject: str = ""
    setting: str = ""
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    p: float = 1.0
    p_holm: float = 1.0
    effect: float = 0.0
    n_units: int = 0
    n_differ: int = 0
    macro_difference: float | None = None
    macro_low: float | None = None
    macro_high: float | None = None


class Ranking(Record, frozen=True):
    """Ranking of subjects over several studies, after Demsar (2006).

    The studies are parts of the source, or of several corpora or sources if it is empty. Mean ranks
    begin with 1, the best; ties share their ranks. Friedman's test, Nemenyi's test by subject and
    other subject, and its critical difference at 0.05 are missing for too few subjects or studies.
    """

    measure: str
    studies: tuple[str, ...]
    ranks: dict[str, float]
    source: str = ""
    p_friedman: float | None = None
    p_pairs: dict[str, dict[str, float]] = {}
    critical_difference: float | None = None


class Fit(Record, frozen=True):
    """One fit of a learner on one split.

    Parameters
    ----------
    step
        ``tuning``: a point of the grid, scored on the validation pages. ``test``: the chosen one.
    stop
        How the solver stopped: ``gap`` or ``gradient_norm``, ``objective``, ``n_epochs``, ...
    epochs
        Number, objective and gap (or norm of the gradient) of each epoch of a tested model.
    costs
        Wall-clock seconds and megabytes beyond what the process held, by step; they alone differ
        between two runs.
    """

    study: str
    subject: str
    split: int
    step: Literal["tuning", "test"]
    parameters: dict[str, Value]
    part: str = ""
    value: float | None = None
    stop: dict[str, float | None] = {}
    temperature: float | None = None
    warnings: tuple[str, ...] = ()
    epochs: tuple[tuple[int, float | None, float | None], ...] = ()
    costs: dict[str, tuple[float, float]] = {}


class Bin(Record, frozen=True):
    """Regions of similar confidence, in [low, high): a point of a reliability diagram."""

    study: str
    subject: str
    is_calibrated: bool
    low: float
    high: float
    n_regions: int
    confidence: float
    accuracy: float


class Confusion(Record, frozen=True):
    """Confusion matrix of a learner; gold labels are rows, in the order of the label set."""

    study: str
    subject: str
    counts: tuple[tuple[int, ...], ...]


class Mistake(Record, frozen=True):
    """A wrong region of one of the pages that the best learner got most wrong, the worst first.

    The accuracy is that of the page. Reasons are the lead of the predicted label over the right one
    by the columns that most support it.
    """

    study: str
    subject: str
    split: int
    page: str
    site: str
    accuracy: float
    n_wrong: int
    n_known: int
    region: int
    text: str
    gold: str
    predicted: str
    confidence: float | None = None
    reasons: dict[str, float] = {}


class Learnt(Record, frozen=True):
    """What an extraction method learnt on a source.

    Parameters
    ----------
    n_pages
        Pages of a class that it learnt from; 0 for a method that learns from folds. Their scores
        have the parts ``seen`` and ``unseen``.
    n_classes
        Classes with that many pages, or models of a trained method.
    tokens
        Tokens of ``id`` and ``class`` that the models look for, with the number of models.
    """

    study: str
    subject: str
    method: str
    n_pages: int
    n_classes: int
    n_unseen: int = 0
    learning_milliseconds: float | None = None
    milliseconds: float | None = None
    tokens: dict[str, int] = {}


class Failure(Record, frozen=True):
    """A job that raised, or a method that failed on pages, with the first error.

    The study is empty for a method that could not be made.
    """

    subject: str
    error: str
    study: str = ""
    job: str = ""
    n_units: int = 1


class Report(Record, frozen=True, dict=True):
    """An experiment and its results: ``report.json``.

    Parameters
    ----------
    experiment
        The table of the experiment's file, with all defaults.
    command
        Command line that repeats the experiment; empty if it was run from Python.
    trained_on
        Sources whose data sets a method's shipped model was trained on, by the method's name: its
        scores on them are not of unseen pages.
    """

    kind: Literal["learners", "extractors"]
    experiment: dict[str, Any]
    command: str
    versions: dict[str, str]
    studies: tuple[Study, ...]
    splits: tuple[Split, ...] = ()
    scores: tuple[Score, ...] = ()
    units: tuple[Unit, ...] = ()
    pairs: tuple[Pair, ...] = ()
    rankings: tuple[Ranking, ...] = ()
    fits: tuple[Fit, ...] = ()
    bins: tuple[Bin, ...] = ()
    confusions: tuple[Confusion, ...] = ()
    mistakes: tuple[Mistake, ...] = ()
    learnt: tuple[Learnt, ...] = ()
    failures: tuple[Failure, ...] = ()
    trained_on: dict[str, tuple[str, ...]] = {}

    @property
    def is_complete(self) -> bool:
        """Whether no job and no method failed."""
        return not self.failures

    @property
    def subjects(self) -> tuple[str, ...]:
        """Names of the subjects that have scores, in the order of the experiment."""
        return tuple(dict.fromkeys(score.subject for score in self.scores))

    @property
    def measure(self) -> str:
        """Measure that subjects are ranked by, as in the scores."""
        if self.kind == "learners":
            return "macro_f1"
        return f"{self.experiment['measures'][0]}_f1"

    @cached_property
    def score_index(self) -> dict[tuple[str, str, str, str, str], Score]:
        """Scores by study, subject, measure, label and part."""
        return {(s.study, s.subject, s.measure, s.label, s.part): s for s in self.scores}

    def score(
        self, study: str, subject: str, measure: str = "", label: str = "", part: str = ""
    ) -> Score | None:
        """Return a score, by default of the main measure; None if it was not measured."""
        return self.score_index.get((study, subject, measure or self.measure, label, part))

    def value(
        self, study: str, subject: str, measure: str = "", label: str = "", part: str = ""
    ) -> float | None:
        """Return the value of a score; None if it was not measured."""
        score = self.score(study, subject, measure, label, part)
        return score.value if score else None

    def having(self, study: str, measure: str = "") -> list[str]:
        """Return the subjects with a score over all labels and parts of a study, in their order."""
        wanted = (study, measure or self.measure, "", "")
        return [s.subject for s in self.scores if (s.study, s.measure, s.label, s.part) == wanted]


FORMAT = {"format": "structce-report", "version": 4}
"""First keys of a file, by which a reader knows it."""


def frame(records: Sequence[Record], kind: type[Record]) -> pd.DataFrame:
    """Return records as a frame with one column per field, also without records."""
    pandas = load_extra("pandas", "a report", "experiments")
    names = kind.__struct_fields__
    rows = [[getattr(record, name) for name in names] for record in records]
    return pandas.DataFrame(rows, columns=list(names))


def to_json(report: Report) -> bytes:
    """Serialise a report as JSON text in UTF-8; equal reports give equal bytes."""
    table = {**FORMAT, **msgspec.to_builtins(report)}
    return msgspec.json.format(msgspec.json.encode(table), indent=1) + b"\n"


def read_report(path: Path) -> Report:
    """Read ``report.json``, strictly; the path is that of the file or of its folder.

    Raises
    ------
    ExperimentError
        If it cannot be read, is not a report, is of another version, or is damaged.
    """
    file = path / REPORT_FILE if path.is_dir() else path
    try:
        table = msgspec.json.decode(file.read_bytes())
    except OSError as error:
        message = "expected a report.json, or the folder that 'structce compare' wrote it to"
        raise ExperimentError(f"{file}: {error.strerror}; {message}") from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise ExperimentError(f"{file}: not JSON, so not a report: {error}") from error
    if not isinstance(table, dict) or not str(table.get("format")).endswith("-report"):
        raise ExperimentError(f'{file}: not a report; expected "format": "{FORMAT["format"]}"')
    stated = {name: table.pop(name, None) for name in FORMAT}
    if stated != FORMAT:
        raise ExperimentError(
            f"{file}: the report is of version {stated['version']}; this structce reads version "
            f"{FORMAT['version']}. Run the experiment again, or read it with the structce that "
            "wrote it"
        )
    try:
        return msgspec.convert(table, Report)
    except msgspec.ValidationError as error:
        raise ExperimentError(f"{file}: the report is damaged: {error}") from error


def write_report(report: Report, folder: Path, files: Mapping[str, bytes]) -> None:
    """Write ``report.json`` and other files, by their paths below the folder; all or none."""
    every = {folder / name: data for name, data in files.items()}
    write_all_atomic({**every, folder / REPORT_FILE: to_json(report)})


def report_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of ``report.json``; each record is a definition."""
    schema = msgspec.json.decode(msgspec.json.encode(msgspec.json.schema(Report)))
    for definition in schema["$defs"].values():
        definition["description"] = inspect.cleandoc(definition["description"])
    top = schema["$defs"]["Report"]
    constants = {name: {"const": value} for name, value in FORMAT.items()}
    top["properties"] = constants | top["properties"]
    top["required"] = [*FORMAT, *top["required"]]
    about = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return {**about, "title": "Report of an experiment by structce", **schema}
