"""Pages on which ours loses most against another system, with what makes the difference."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence

from benchmarks.articles.answers import Answer
from benchmarks.articles.board import Section
from benchmarks.articles.corpora import ArticlePage
from benchmarks.articles.report import share
from benchmarks.articles.scores import Measure, PageScore, value_of
from benchmarks.articles.text_difference import ForeignLine, PageText, foreign_lines
from structce.evaluation import bag_overlap, words
from structce.evaluation.article_measures import SegmentTally

HALVES = ("even", "odd")
_LONGEST = 100  # characters of a value that are shown
_N_LINES = 12  # lines of a text that are shown


def half_of(site: str) -> str:
    """Return which half of all sites a site is in, by its name alone.

    Rules are made on the one half and measured on the other.
    """
    return HALVES[int(hashlib.sha256(site.encode()).hexdigest(), 16) % 2]


def worst_pages(
    section: Section,
    ours: str,
    measure: Measure,
    n: int,
    *,
    against: str | None = None,
    half: str | None = None,
) -> list[dict[str, str]]:
    """Return the pages on which ours loses most, worst first, as rows of a report.

    Parameters
    ----------
    against
        The other system; None for the best of the other people's.
    half
        Half of the sites whose pages are looked at; None for all.
    """
    own = section.of(ours)
    other = section.of(against) if against else section.best_rival(ours, measure)
    if own is None or other is None:
        return []
    losses = dict(_losses(own.having(measure.name), other.having(measure.name), measure))
    pages = {
        page.id: page for page in section.pages if half in (None, half_of(page.gold_page.site))
    }
    chosen = sorted((loss, id) for id, loss in losses.items() if loss < 0 and id in pages)[:n]
    return [
        _told(section, pages[id], (ours, other.system), measure) | {"loss": share(-loss)}
        for loss, id in chosen
    ]


def _losses(
    mine: Iterable[PageScore], theirs: Iterable[PageScore], measure: Measure
) -> Iterator[tuple[str, float]]:
    sign = -1 if measure.is_better_low else 1
    others = {page.id: value_of([page], measure) for page in theirs}
    for page in mine:
        if page.id in others:
            yield page.id, sign * (value_of([page], measure) - others[page.id])


def worst_table(pages: Sequence[Mapping[str, str]]) -> str:
    """Return a list of pages as Markdown, one block per page."""
    return "\n\n".join("\n".join(f"- {key}: {value}" for key, value in p.items()) for p in pages)


def _told(
    section: Section, page: ArticlePage, systems: tuple[str, str], measure: Measure
) -> dict[str, str]:
    row = {"corpus": section.corpus.name, "view": section.view, "page": page.id}
    row["address"] = page.gold_page.url
    for name in systems:
        system = section.of(name)
        score = (
            next(page_score for page_score in system.pages if page_score.id == page.id)
            if system
            else None
        )
        row[f"{name} scores"] = share(value_of([score], measure)) if score else "-"
    answers = [section.answers[name].get(page.id, Answer(page.id)) for name in systems]
    if measure.field == "text":
        return row | _text_rows(page, systems, answers, measure)
    wanted = page.reference
    golds = {"title": wanted.title, "authors": wanted.authors, "date": wanted.date}
    for name, answer in zip(systems, answers, strict=True):
        row[f"{name} says"] = _shortened(getattr(answer, measure.field))
    return row | {"gold": _shortened(golds[measure.field])}


def _text_rows(
    page: ArticlePage, systems: tuple[str, str], answers: Sequence[Answer], measure: Measure
) -> dict[str, str]:
    if measure.name.startswith("segment"):
        return _segment_rows(page, systems, answers)
    mine, theirs = answers
    golds = page.reference.texts
    gold = max(golds, key=lambda text: bag_overlap(mine.text, text).f1)
    place = PageText.of(page.html, page.gold_page.url)
    extra, lost = foreign_lines(mine.text, max(golds, key=len)), foreign_lines(gold, mine.text)
    return {
        f"gold, {systems[0]}, {systems[1]}": " / ".join(
            f"{len(words(text)):,} words" for text in (gold, mine.text, theirs.text)
        ),
        f"too much in {systems[0]}": _lines(extra, theirs.text, systems[1], place),
        f"missing in {systems[0]}": _lines(lost, theirs.text, systems[1], place),
    }


def _lines(lines: Sequence[ForeignLine], other: str, name: str, place: PageText | None) -> str:
    """Return lines with their words, their places, and whether the other text has them, too."""
    lacking = {line.text for line in foreign_lines("\n".join(line.text for line in lines), other)}
    told = [
        f"  - {line.n_words} words{'' if line.text in lacking else f', in {name}, too'}: "
        f"{_shortened(line.text)} @ {place.place(line.text) if place else '?'}"
        for line in lines[:_N_LINES]
    ]
    rest = lines[_N_LINES:]
    if rest:
        told.append(f"  - {len(rest)} more lines, {sum(line.n_words for line in rest)} words")
    return "\n".join([f"{sum(line.n_words for line in lines)} words", *told])


def _segment_rows(
    page: ArticlePage, systems: tuple[str, str], answers: Sequence[Answer]
) -> dict[str, str]:
    wanted, rows = page.reference, {}
    for name, answer in zip(systems, answers, strict=True):
        lost = [
            segment
            for segment in wanted.must
            if SegmentTally.of(answer.text, (segment,), ()).n_lost
        ]
        wrong = [
            segment
            for segment in wanted.must_not
            if SegmentTally.of(answer.text, (), (segment,)).n_wrong
        ]
        rows[f"{name} lacks"] = _shortened(tuple(lost))
        rows[f"{name} has, but must not"] = _shortened(tuple(wrong))
    return rows


def _shortened(value: object) -> str:
    text = "; ".join(map(str, value)) if isinstance(value, tuple) else str(value or "")
    text = " ".join(text.split()).replace("|", "/")
    return f"{text[:_LONGEST]} ... ({len(text):,})" if len(text) > _LONGEST else text
