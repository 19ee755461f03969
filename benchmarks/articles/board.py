"""Leaderboard: the scores of every system on every corpus in every view, read from answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.articles.answers import Answer, AnswerFile
from benchmarks.articles.corpora import CORPORA, ArticleCorpus, ArticlePage, read_pages
from benchmarks.articles.published import published_answers
from benchmarks.articles.score_memory import ScoreMemory
from benchmarks.articles.scores import (
    MEASURES,
    Measure,
    PageScore,
    SystemScores,
    value_of,
    within,
)
from benchmarks.articles.systems import SYSTEMS

Tell = Callable[[str], None]
Answers = Mapping[str, Answer]
NO_ANSWER = "no answer in the file"


@dataclass(frozen=True)
class Section:
    """Scores of all systems on one corpus in one view.

    Parameters
    ----------
    left_out
        Why other systems have no row.
    """

    corpus: ArticleCorpus
    view: str
    pages: tuple[ArticlePage, ...]
    systems: tuple[SystemScores, ...]
    left_out: Mapping[str, str]
    answers: Mapping[str, Answers]

    @property
    def measures(self) -> list[Measure]:
        """Measures for which some system has a value."""
        return [
            measure
            for measure in MEASURES.values()
            if any(s.having(measure.name) for s in self.systems)
        ]

    def rivals(self, ours: str) -> list[SystemScores]:
        """Return the systems of others, without ``ours`` and its variants."""
        return [s for s in self.systems if s.system != ours and not is_ours(s.system)]

    def best_rival(self, ours: str, measure: Measure) -> SystemScores | None:
        """Return the best of the other systems; on a tie the first; None if ours is alone."""
        known = [system for system in self.rivals(ours) if system.having(measure.name)]
        sign = -1 if measure.is_better_low else 1
        return max(
            known,
            key=lambda system: sign * value_of(system.having(measure.name), measure),
            default=None,
        )

    def of(self, system: str) -> SystemScores | None:
        """Return the scores of a system."""
        return next((scores for scores in self.systems if scores.system == system), None)


def is_ours(name: str) -> bool:
    """Return whether a system is this project's."""
    return name in SYSTEMS and SYSTEMS[name].is_ours


def read_board(
    data: Path, outs: Sequence[Path], corpora: Sequence[str], views: Sequence[str], tell: Tell
) -> list[Section]:
    """Return the sections of a leaderboard, corpus by corpus, without those that have no system.

    Parameters
    ----------
    outs
        Folders of answers; of several files of one system the last counts.
    """
    sections: list[Section] = []
    chosen = [corpus for corpus in CORPORA if corpus.name in corpora]
    for data_set in dict.fromkeys(corpus.data_set for corpus in chosen):
        has_answers = any((out / data_set / view).is_dir() for out in outs for view in views)
        pages = read_pages(data, data_set) if has_answers else []
        tell(f"{data_set}: {len(pages)} pages")
        published = published_answers(data, data_set) if pages else {}
        for view in views if pages else ():
            folders = [out / data_set / view for out in outs]
            answers, left_out = _all_answers(folders, pages)
            if view == "stated":
                answers |= {name: _Given(own, folders[0]) for name, own in published.items()}
            scorer = _Scorer(pages, answers)
            same = [corpus for corpus in chosen if corpus.data_set == data_set]
            made = (scorer.section(corpus, view, left_out) for corpus in same)
            sections += [section for section in made if section.systems]
    return sections


@dataclass(frozen=True)
class _Given:
    """Answers of a system, and the folder where their scores are remembered."""

    answers: Answers
    folder: Path


def _all_answers(
    folders: Sequence[Path], pages: Sequence[ArticlePage]
) -> tuple[dict[str, _Given], dict[str, str]]:
    """Return the answers by system, and why the others are left out."""
    given: dict[str, _Given] = {}
    left_out: dict[str, str] = {}
    for name in SYSTEMS:
        file = _last_file(folders, name)
        answers = file.read() if file else {}
        n_missing = sum(page.id not in answers for page in pages)
        if file is None or not answers:
            left_out[name] = "no answers"
        elif n_missing and file.is_own:
            left_out[name] = f"{n_missing} of {len(pages)} pages are still to be asked"
        else:
            given[name] = _Given(answers, file.path.parent)
    return given, left_out


def _last_file(folders: Sequence[Path], system: str) -> AnswerFile | None:
    files = [AnswerFile(folder / f"{system}.jsonl") for folder in folders]
    return next((file for file in reversed(files) if file.path.exists()), None)


class _Scorer:
    """Scores of the answers to one data set; every page is scored once for all its corpora."""

    def __init__(self, pages: Sequence[ArticlePage], given: Mapping[str, _Given]) -> None:
        self.pages = pages
        self.answers = {name: entry.answers for name, entry in given.items()}
        self.scores = {name: self._scores(name, entry) for name, entry in given.items()}

    def _scores(self, name: str, given: _Given) -> list[PageScore]:
        answers, is_published = given.answers, name not in SYSTEMS
        fields = ("text",) if is_published else SYSTEMS[name].fields
        # Other people chose the pages of published answers: a page without one is not a failure.
        own = [page for page in self.pages if page.id in answers or not is_published]
        empty = {page.id: Answer(page.id, error=NO_ANSWER) for page in own}
        own_answers = [answers.get(page.id, empty[page.id]) for page in own]
        return ScoreMemory(given.folder).scores(name, own, own_answers, fields)

    def section(self, corpus: ArticleCorpus, view: str, left_out: Mapping[str, str]) -> Section:
        pages = tuple(page for page in self.pages if corpus.keep(page.gold_page))
        ids = {page.id for page in pages}
        systems = []
        for name, scores in self.scores.items():
            own = tuple(within(score, corpus) for score in scores if score.id in ids)
            if any(score.rows for score in own):
                systems.append(SystemScores(name, own, name not in SYSTEMS))
        return Section(corpus, view, pages, tuple(systems), left_out, self.answers)
