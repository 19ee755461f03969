"""Report of an experiment: frames of rows, and the file ``report.json``.

Learners and extractors share the tables. A study is a corpus under one way of splitting, or a
package of pages; a subject is a candidate, or a method; a unit is a page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from structce.errors import ExperimentError
from structce.extras import load_extra
from structce.io import write_all_atomic

if TYPE_CHECKING:
    import pandas as pd

REPORT_FILE = "report.json"
FORMAT = {"format": "structce-report", "version": 6}
"""First keys of a file, by which a reader knows it."""

_ABOUT = ("kind", "experiment", "command", "versions")
_PLACE = "study subject"
_ENDS = "low high"

TABLES = {
    "studies": "name source digest n_pages n_sites by corpus renderer background labels n_unknown "
    "n_several n_unknown_features site_rule is_invented reference n_lost trained_on",
    "splits": "study split seed train validation test sites n_columns",
    "scores": f"{_PLACE} measure value label part {_ENDS} deviation",
    "units": f"{_PLACE} unit site measure value part",
    "pairs": f"study first second subject difference {_ENDS} p p_holm effect n_units n_differ "
    "macro_difference macro_low macro_high",
    "rankings": "measure studies ranks source p_friedman",
    "fits": f"{_PLACE} split step parameters part value stop temperature warnings seconds",
    "bins": f"{_PLACE} is_calibrated {_ENDS} n_regions confidence accuracy",
    "confusions": f"{_PLACE} counts",
    "failures": "subject error study job n_units",
}
"""Columns of the tables of a report, by the names of the tables; docs/experiments.md explains them.
What a row leaves out is None, or one of ``DEFAULTS``."""

DEFAULTS: Mapping[str, Any] = {
    **dict.fromkeys("background by corpus job label part renderer site_rule source".split(), ""),
    **{"study": "", "subject": "", "labels": {}, "trained_on": (), "warnings": ()},
}
"""Values of columns of rows that leave them out."""


@dataclass(frozen=True, eq=False)
class Report:
    """An experiment and its results.

    Parameters
    ----------
    kind
        ``learners`` or ``extractors``.
    experiment
        The table of the experiment's file, with all defaults.
    command
        Command line that repeats the experiment; empty if it was run from Python.
    tables
        One frame for each of ``TABLES``.
    """

    kind: str
    experiment: Mapping[str, Any]
    command: str
    versions: Mapping[str, str]
    tables: Mapping[str, pd.DataFrame]

    @property
    def is_complete(self) -> bool:
        """Whether no job and no method failed."""
        return not len(self.tables["failures"])

    @property
    def subjects(self) -> tuple[str, ...]:
        """Names of the subjects that have scores, in the order of the experiment."""
        return tuple(dict.fromkeys(self.tables["scores"].subject))

    @property
    def measure(self) -> str:
        """Measure that subjects are ranked by, as in the scores."""
        return "macro_f1" if self.kind == "learners" else f"{self.experiment['measures'][0]}_f1"

    def rows(self, table: str, **wanted: object) -> list[Any]:
        """Return the rows of a table that have some values, as named tuples."""
        frame = self.tables[table]
        for column, value in wanted.items():
            frame = frame[frame[column] == value]
        return list(frame.itertuples(index=False))

    @cached_property
    def _scores(self) -> dict[tuple[str, str, str, str, str], Any]:
        rows = self.rows("scores")
        return {(s.study, s.subject, s.measure, s.label, s.part): s for s in rows}

    def score(
        self, study: str, subject: str, measure: str = "", label: str = "", part: str = ""
    ) -> Any | None:
        """Return a row of the scores, by default of the main measure; None if not measured."""
        return self._scores.get((study, subject, measure or self.measure, label, part))

    def value(self, *place: str, **more: str) -> float | None:
        """Return the value of a score, see :meth:`score`; None if it was not measured."""
        score = self.score(*place, **more)
        return float(score.value) if score else None

    def having(self, study: str, measure: str = "") -> list[str]:
        """Return the subjects with a score over all labels and parts of a study, in their order."""
        wanted = {"study": study, "measure": measure or self.measure, "label": "", "part": ""}
        return [score.subject for score in self.rows("scores", **wanted)]


def make_report(
    kind: str,
    experiment: Mapping[str, Any],
    command: str,
    versions: Mapping[str, str],
    rows: Mapping[str, Iterable[Mapping[str, Any]]],
) -> Report:
    """Return a report of rows by the names of their tables.

    Raises
    ------
    ExperimentError
        If a row has an unknown column.
    """
    pandas = load_extra("pandas", "a report", "experiments")
    frames = {}
    for name, text in TABLES.items():
        columns, whole = text.split(), []
        for row in rows.get(name, ()):
            if unknown := row.keys() - set(columns):
                raise ExperimentError(f"{name}: unknown column {min(unknown)!r}")
            whole.append([row.get(column, DEFAULTS.get(column)) for column in columns])
        frames[name] = pandas.DataFrame(whole, columns=columns, dtype=object)
    return Report(kind, experiment, command, versions, frames)


def to_json(report: Report) -> bytes:
    """Serialise a report as JSON text in UTF-8; equal reports give equal bytes."""
    tables = {
        name: [
            {key: x for key, x in row._asdict().items() if x != DEFAULTS.get(key)}
            for row in report.rows(name)
        ]
        for name in TABLES
    }
    about = {name: getattr(report, name) for name in _ABOUT}
    return msgspec.json.format(msgspec.json.encode({**FORMAT, **about, **tables}), indent=1) + b"\n"


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
    stated = {name: table.get(name) for name in FORMAT} if isinstance(table, dict) else {}
    if stated.get("format") != FORMAT["format"]:
        raise ExperimentError(f'{file}: not a report; expected "format": "{FORMAT["format"]}"')
    if stated != FORMAT:
        raise ExperimentError(
            f"{file}: the report is of version {stated['version']}; this structce reads version "
            f"{FORMAT['version']}. Run the experiment again, or read it with the structce that "
            "wrote it"
        )
    try:
        kind, asked, command, versions = (table[name] for name in _ABOUT)
        return make_report(kind, asked, command, versions, {name: table[name] for name in TABLES})
    except (KeyError, TypeError, AttributeError, ExperimentError) as error:
        raise ExperimentError(f"{file}: the report is damaged: {error}") from error


def write_report(report: Report, folder: Path, files: Mapping[str, bytes]) -> None:
    """Write ``report.json`` and other files, by their paths below the folder; all or none."""
    every = {folder / name: data for name, data in files.items()}
    write_all_atomic({**every, folder / REPORT_FILE: to_json(report)})
