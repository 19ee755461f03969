"""Statements of a page's metadata about its article: titles, names of authors, dates, by source.

A publisher says the same thing in several places, and not all of them are right: a title ends with
the site's name, an author is a department, a date is that of the last change. The functions
``stated_...`` return every statement of one field, cleaned, with its source, in order of
precedence; to choose among them is not their task.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from itertools import islice, product

from structce.language import PARENTHESES, normalise, parse_timestamp, split_byline
from structce.metadata import Metadata

SOURCES = (
    *("json-ld", "microdata", "citation", "dc", "parsely", "sailthru", "og", "twitter", "meta"),
    *("rel", "window", "time", "address"),
)
"""Where a page states something of itself, the most specific first."""

_PREFIXES = {
    **{"citation_": "citation", "dc.": "dc", "dc:": "dc", "dcterms.": "dc", "dcterms:": "dc"},
    **{"parsely": "parsely", "sailthru": "sailthru", "twitter:": "twitter"},
    **{"og:": "og", "article:": "og", "bt:": "og"},
}
"""Source by the first letters of the name of a ``meta`` element; others are ``meta``."""

_SEPARATORS = r"\s+[-–—|·•«»:/~]+\s+|\s*(?:\||•|·|«|»|::|：|｜|—|–|_)\s*|:\s+"
_SEPARATOR = re.compile(_SEPARATORS)
_MAX_CUTS = 8  # separators of a title that are tried; real titles have one to three
_DAY_IN_ADDRESS = (
    re.compile(r"(?<!\d)(?P<y>(?:19|20)\d\d)[/_.-](?P<m>[01]?\d)[/_.-](?P<d>[0-3]?\d)(?!\d)"),
    re.compile(r"(?<!\d)(?P<d>[0-3]\d)[/_.-](?P<m>[01]\d)[/_.-](?P<y>(?:19|20)\d\d)(?!\d)"),
    re.compile(r"(?<!\d)(?P<y>(?:19|20)\d\d)(?P<m>[01]\d)(?P<d>[0-3]\d)(?!\d)"),
)


@dataclass(frozen=True)
class Statement:
    """Value of a field that a page states of itself outside its visible text.

    Parameters
    ----------
    value
        A title or a person's name without runs of white space; a day or moment in ISO 8601.
    source
        One of ``SOURCES``.
    is_modified
        Whether a date is that of the last change.
    is_organisation
        Whether an author is no person: the site, a department, an agency, a handle.
    """

    value: str
    source: str
    is_modified: bool = False
    is_organisation: bool = False


def stated_titles(metadata: Metadata) -> tuple[Statement, ...]:
    """Return the titles that a page states, in order of precedence.

    Each is there as it stands, and once more without the site's name where it has one.
    """
    found = [Statement(text, source) for source, text in _texts(metadata, "headlines")]
    if metadata.title:
        found.append(Statement(metadata.title, "window"))
    return _distinct(each for one in found for each in _shortened(one, metadata.publishers))


def _shortened(title: Statement, publishers: Collection[str]) -> Iterator[Statement]:
    short = without_site(title.value, (), publishers)
    if short != title.value:
        yield Statement(short, title.source)
    yield title
    if short == title.value and title.source == "window":
        yield from (Statement(part, "window") for part in _beginnings(title.value))


def _beginnings(title: str) -> Iterator[str]:
    """Yield a title up to its last separator, where one is there."""
    *_, last = [None, *_SEPARATOR.finditer(title)]
    if last is not None and title[: last.start()].strip():
        yield title[: last.start()].strip()


def without_site(title: str, headings: Collection[str], publishers: Collection[str]) -> str:
    """Return a title without the name of its site.

    Parameters
    ----------
    headings
        Visible headings of the page: what stands between separators is the title if it is one.
    publishers
        Names of the site: what stands beyond a separator is cut if it is one of them.
    """
    shown = {normalise(text) for text in headings} - {""}
    names = {normalise(text) for text in publishers} - {""}
    cuts = list(islice(_SEPARATOR.finditer(title), _MAX_CUTS))
    starts = [0, *(cut.end() for cut in cuts)]
    ends = [*(cut.start() for cut in cuts), len(title)]
    spans = [title[i:j] for i, j in product(starts, ends) if i < j and j - i < len(title)]
    for part in sorted(spans, key=len, reverse=True):
        if shown and normalise(part) in shown:
            return part.strip()
    for i, j in zip(starts[:0:-1], ends[-2::-1], strict=True):
        if normalise(title[i:]) in names:
            return title[:j].strip() or title
    if cuts and normalise(title[: ends[0]]) in names:
        return title[starts[1] :].strip() or title
    return title


def stated_names(metadata: Metadata) -> tuple[Statement, ...]:
    """Return the names of authors that a page states, one by one, in order of precedence."""
    publishers = {normalise(name) for name in metadata.publishers}
    return _distinct(
        Statement(name, source, is_organisation=normalise(name) in publishers)
        for source, text in _texts(metadata, "authors")
        if "@" not in text and "://" not in text
        for name in split_byline(PARENTHESES.sub("", text).split(" / ")[0])
    )


def stated_dates(metadata: Metadata, url: str = "") -> tuple[Statement, ...]:
    """Return the days and moments that a page states, in order of precedence.

    Those of publication come first, then those of the last change, ``time`` elements, and the day
    in the page's address.
    """
    found = [Statement(text, source) for source, text in _texts(metadata, "published_dates")]
    changes = _texts(metadata, "modified_dates")
    found += [Statement(text, source, is_modified=True) for source, text in changes]
    found += [Statement(text, "time") for text in metadata.times]
    read = (
        Statement(moment, one.source, one.is_modified)
        for one in found
        if (moment := _moment(one.value))
    )
    return _distinct([*read, *(Statement(day, "address") for day in _days_in_address(url))])


def _moment(text: str) -> str:
    moment = parse_timestamp(text)
    if moment is None:
        return ""
    is_day = moment.time() == moment.min.time() and ":" not in text
    return moment.date().isoformat() if is_day else moment.isoformat()


def _days_in_address(url: str) -> Iterator[str]:
    for pattern in _DAY_IN_ADDRESS:
        for found in pattern.finditer(url):
            try:
                yield date(int(found["y"]), int(found["m"]), int(found["d"])).isoformat()
            except ValueError:
                continue


def _texts(metadata: Metadata, fact: str) -> Iterator[tuple[str, str]]:
    """Yield the sources and texts of a fact, without runs of white space."""
    for source, text in metadata.statements(fact):
        if line := " ".join(text.split()):
            yield source if source in SOURCES else source_of(source), line


def source_of(name: str) -> str:
    """Return the source that the name of a ``meta`` element belongs to."""
    return next((source for start, source in _PREFIXES.items() if name.startswith(start)), "meta")


def _distinct(statements: Iterable[Statement]) -> tuple[Statement, ...]:
    return tuple(dict.fromkeys(statements))
