"""How often a right answer turns wrong when the page around an article changes.

Every page is read as the parser writes it out, and after each perturbation that has a place on it.
A field counts where it was right before: authors, if all are. The main text is compared with the
text before, with what the perturbation added; for what was added, the share that is lost counts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from benchmarks.articles.answers import Answer, pages_digest
from benchmarks.articles.corpora import ArticlePage, Reference, read_pages
from benchmarks.articles.report import share_with, table
from benchmarks.articles.scores import Measure, PageScore, Row, as_date, interval_of, value_of
from benchmarks.articles.systems import SYSTEMS, Runner, System
from structce.errors import RenderError
from structce.evaluation import bag_overlap, is_title, lines_present
from structce.evaluation.article_measures import author_overlap, is_day
from structce.evaluation.perturbations import (
    FIELDS,
    PERTURBATIONS,
    Perturbed,
    perturb,
    unperturbed,
)

TURNED = {
    name: Measure(name, name if name in FIELDS else "text", is_better_low=True)
    for name in ("title", "authors", "date", "text moved", "addition lost")
}
"""Measures: right titles, authors and days that turn wrong; one minus the F1 of the words before
and after; lines that were added to the text and are not in it."""

ALL = "all"


@dataclass(frozen=True)
class Trial:
    """Change of a system's answer to one page by one perturbation.

    Parameters
    ----------
    rows
        Numbers by the names of ``TURNED``, without those that do not apply.
    """

    system: str
    perturbation: str
    page: str
    site: str
    rows: Mapping[str, Row]


def sample_pages(
    data: Path, data_sets: Sequence[str], n: int, seed: int
) -> tuple[list[ArticlePage], str]:
    """Return at most ``n`` pages with gold of each data set, and their digest."""
    chosen: list[ArticlePage] = []
    for name in data_sets:
        pages = [page for page in read_pages(data, name) if _has_gold(page.reference)]
        chosen += Random(seed).sample(pages, min(n, len(pages)))
    return chosen, pages_digest(page.gold_page for page in chosen)[:12]


def _has_gold(reference: Reference) -> bool:
    return bool(reference.title or reference.authors or reference.date or reference.texts)


def trials_of(page: ArticlePage, system: System, runner: Runner) -> Iterator[Trial]:
    """Yield the trials of a system on a page; none if the page cannot be parsed."""
    gold, url = page.gold_page.gold, page.gold_page.url

    def answer(html: str) -> Answer:
        return runner.ask(page.id, html, url, page.lang)

    try:
        before = answer(unperturbed(page.html))
    except RenderError:
        return
    for name, perturbation in PERTURBATIONS.items():
        changed = perturb(name, page.html, gold, url)
        if changed is not None:
            rows = trial_rows(page.reference, before, answer(changed.html), changed)
            kept = {*perturbation.keeps} & {*system.fields}
            own = {measure: row for measure, row in rows.items() if TURNED[measure].field in kept}
            yield Trial(system.name, name, page.id, page.gold_page.site, own)


def trial_rows(
    reference: Reference, before: Answer, after: Answer, changed: Perturbed
) -> dict[str, Row]:
    """Return what a trial adds to each measure: how much turned wrong, of how much."""
    rows: dict[str, Row] = {}
    authors = (*reference.authors, *changed.authors)
    right: dict[str, tuple[bool, Callable[[Answer], bool]]] = {
        "title": (bool(reference.title), lambda own: is_title(own.title, reference.title)),
        "authors": (bool(authors), lambda own: author_overlap(own.authors, authors).f1 == 1),
        "date": (
            reference.date is not None,
            lambda own: reference.date is not None and is_day(as_date(own.date), reference.date),
        ),
    }
    for name, (has_gold, is_right) in right.items():
        was_right = is_right(before) or (name == "authors" and bool(changed.authors))
        if has_gold and was_right:
            rows[name] = (float(not is_right(after)), 1)
    if before.text:
        expected = "\n".join((before.text, *changed.added))
        rows["text moved"] = (1 - bag_overlap(after.text, expected).f1, 1)
    if changed.added:
        present = lines_present("\n".join(changed.added), after.text)["lines"]
        rows["addition lost"] = (len(present) - sum(present), len(present))
    return rows


class TrialFile:
    """File of trials, one JSON object per line, which a run that was stopped goes on with."""

    def __init__(self, path: Path) -> None:
        self.path = path
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        self.trials = [Trial(**json.loads(line)) for line in lines]

    def has(self, system: str, page: str) -> bool:
        """Return whether the file has the trials of a system on a page."""
        return any(trial.system == system and trial.page == page for trial in self.trials)

    def add(self, trials: Sequence[Trial]) -> None:
        """Add the trials of one page."""
        self.trials += trials
        with self.path.open("a", encoding="utf-8") as stream:
            stream.writelines(json.dumps(vars(trial)) + "\n" for trial in trials)


def robustness_tables(trials: Sequence[Trial], seed: int) -> str:
    """Return one table per measure: a row per perturbation, a column per system."""
    groups: dict[tuple[str, str], list[PageScore]] = {}
    for trial in trials:
        own = {name: tuple(row) for name, row in trial.rows.items()}
        score = PageScore(trial.page, trial.site, "", "", float("nan"), "", own)
        for name in (ALL, trial.perturbation):
            groups.setdefault((trial.system, name), []).append(score)
    parts = []
    for measure in TURNED.values():
        rows = [*_rows(groups, measure, seed)]
        parts += [f"### {measure.name}", table(rows)] if rows else []
    return "\n\n".join(parts)


def _rows(
    groups: Mapping[tuple[str, str], Sequence[PageScore]], measure: Measure, seed: int
) -> Iterator[dict[str, str]]:
    for name in (ALL, *PERTURBATIONS):
        row = {"perturbation": name, "trials": ""}
        for system in SYSTEMS:
            had = [page for page in groups.get((system, name), ()) if measure.name in page.rows]
            if had:
                row["trials"] = row["trials"] or str(len(had))
                row[system] = share_with(value_of(had, measure), interval_of(had, measure, seed))
        if len(row) > 2:
            yield row
