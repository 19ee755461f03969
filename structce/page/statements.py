"""Statements of a page's metadata about its article: titles, names of authors, dates, by source.

A publisher states the same fact in several places, and not all of them are right: a title ends with
the site's name, an author is a department, a date is that of the last change. The functions
``stated_...`` return every statement of one field, cleaned, with its source, in order of
precedence; they do not choose among them.

Search engines also ask publishers for the whole text of an article, the ingredients and steps of a
recipe, and each post of a thread. Where these also occur on the page, they show which blocks are
its content. Descriptions of people, publishers and sites are usually found beside it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import date, datetime
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from structce.addresses import split_address
from structce.language import (
    PARENTHESES,
    find_dates,
    has_joined,
    normalise,
    parse_timestamp,
    unescape,
)
from structce.page.metadata import Metadata, is_address, type_of
from structce.patterns import lazy_pattern

SOURCES = tuple(
    """
    json-ld microdata citation dc parsely sailthru og twitter meta rel window time address
    """.split()
)
"""Sources in which a page states facts about itself, most specific first."""

_PREFIXES = {
    "citation": ("citation_",),
    "dc": ("dc.", "dc:", "dcterms.", "dcterms:"),
    "parsely": ("parsely",),
    "sailthru": ("sailthru",),
    "twitter": ("twitter:",),
    "og": ("og:", "article:", "bt:"),
}
"""Prefixes of the names of ``meta`` elements by source; all other names are ``meta``."""

_SEPARATOR = r"\s+[-–—|·•«»‹›<>:/~]+\s+|\s*(?:\||•|·|«|»|::|：|｜|—|–|_)\s*|:\s+"
_SEPARATOR_IN_ASIA = rf"(?<=[\u3040-\u9fff])-(?=\S)|{_SEPARATOR}"
_SHORTEST_NAME = 4  # letters that a site's name needs to match a part of a title's
_SAME_SITE = 0.5  # least share of letters that two names of one site have in common: our choice
_MAX_CUTS = 8  # separators of a title that are tried; real titles have one to three
_EARLIEST, _LATEST = 1900, 2099  # plausible years of a page
_LIBRARIES = ("citation", "dc")  # sources that may write the family name first
_INTRODUCED = lazy_pattern(
    r"^(?:Por|Par|Von|Door|Av|Af|Text|Texte|Texto|Autor):? (?=[^\W\d_]+ [^\W\d_]+$)"
)
"""A word before a stated name of two words, in whatever language the page is."""
_LISTING = frozenset("microdata citation dc parsely sailthru meta og".split())
"""Sources that list all authors."""
_MAX_LABELS = 4  # labelled values read of a Twitter card, which has two by specification
_BY = frozenset(
    """writtenby author by postedby verfasstvon geschriebenvon autor von écritpar auteur
    escritopor escritapor publicadopor por scrittoda autore geschrevendoor auteur door skrivenav
    skrevetav napisaneprzez autor автор написаноавтором yazan kirjoittaja pengarang ditulisoleh
    作者 執筆者 投稿者 글쓴이 بواسطة szerző napsal tácgiả""".split()
)  # labels, in letters only, that announce an author
_DAY_IN_ADDRESS = (
    lazy_pattern(r"(?<!\d)(?P<y>(?:19|20)\d\d)[/_.-](?P<m>[01]?\d)[/_.-](?P<d>[0-3]?\d)(?!\d)"),
    lazy_pattern(r"(?<!\d)(?P<d>[0-3]\d)[/_.-](?P<m>[01]\d)[/_.-](?P<y>(?:19|20)\d\d)(?!\d)"),
    lazy_pattern(r"(?<!\d)(?P<y>(?:19|20)\d\d)(?P<m>[01]\d)(?P<d>[0-3]\d)(?!\d)"),
)

TEXT_KINDS = ("content", "post", "party", "caption")
"""Kinds of stated texts: main content, posts and answers, about people and sites, of pictures."""

_CONTENT_KEYS = frozenset({"articleBody", "recipeIngredient", "ingredients", "recipeInstructions"})
_TEXT_KEYS = _CONTENT_KEYS | {"text", "description", "caption"}
_NESTED = (dict, list)  # types of the JSON values that contain others
_STEP_KEYS = ("text", "itemListElement", "name")  # of an instruction; the first that it has
_POSTS = ("posting", "question", "answer", "comment")  # endings of types
_OFFERS = ("product", "productgroup", "jobposting", "course")  # described at length
_OF_PARTIES = ("person", "organization", "website", "corporation")  # endings of types
_APART = frozenset({"review", "reviews", "@graph"})  # of others; and what was opened before
_MARKUP = lazy_pattern(
    r"</?[a-zA-Z!][^<>]*+>"
)  # each character is read once, whatever is not closed
_MAX_OBJECTS = 2_000  # JSON-LD objects of one page that are read, at any depth
_MAX_CHARACTERS = 100_000  # of the texts of one page; each region is searched for in them
_MAX_TEXTS = 500  # of each kind


class Statement(NamedTuple):
    """Value of a field that a page states outside its visible text."""

    value: str  # a title or a name without runs of white space; a day or moment in ISO 8601
    source: str  # one of SOURCES
    is_modified: bool = False  # whether a date is that of the last change
    is_organisation: bool = False  # an author that is the site, a department, an agency, a handle


def stated_titles(metadata: Metadata, url: str = "") -> tuple[Statement, ...]:
    """Return the titles that a page states, in order of precedence.

    Each is returned as written, and also without the site's name if it contains one: a stated
    publisher, or the host of the page's address.
    """
    titles = [Statement(text, source) for source, text in _texts(metadata, "headlines")]
    if metadata.title:
        titles.append(Statement(metadata.title, "window"))
    host = (split_address(url).hostname or "").removeprefix("www.") if "://" in url else ""
    hosts = (host, max(host.split(".")[:-1], key=len)) if "." in host else ()
    names = _normalised((*metadata.publishers, *hosts))
    short = {title.value: _cut(title.value, frozenset(), names) for title in titles}
    forms = (form for title in titles for form in _shortened(title, short[title.value]))
    return tuple(dict.fromkeys(forms))


@lru_cache(maxsize=64)  # all statements of a page are compared with the same few
def _normalised(texts: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(normalise, texts)) - {""}


def _shortened(title: Statement, short: str) -> Iterator[Statement]:
    """Yield a title without the site's name, as written, and up to its last separator."""
    if short != title.value:
        yield Statement(short, title.source)
    yield title
    if short == title.value and title.source == "window":
        separators = _separators(title.value)
        if separators and (beginning := title.value[: separators[-1].start()].strip()):
            yield Statement(beginning, "window")


def without_site(title: str, headings: Collection[str], publishers: Collection[str]) -> str:
    """Return a title without the name of its site.

    A part between separators that equals one of the visible headings is the title; otherwise a
    part at either end is cut off if it is one of the publishers.
    """
    return _cut(title, _normalised(tuple(headings)), _normalised(tuple(publishers)))


def _cut(title: str, headings: Collection[str], names: Collection[str]) -> str:
    """Return the part of a title that is a heading, else the title without one of the names."""
    if not headings and not names:
        return title
    cuts = _separators(title)[:_MAX_CUTS]
    starts = [0, *(cut.end() for cut in cuts)]
    ends = [*(cut.start() for cut in cuts), len(title)]
    if headings:
        spans = [title[i:j] for i, j in product(starts, ends) if i < j and j - i < len(title)]
        for part in sorted(spans, key=len, reverse=True):
            if normalise(part) in headings:
                return part.strip()
    for i, j in zip(starts[:0:-1], ends[-2::-1], strict=True):
        if _is_one_of(normalise(title[i:]), names):
            return title[:j].strip() or title
    if cuts and _is_one_of(normalise(title[: ends[0]]), names):
        return title[starts[1] :].strip() or title
    return title


@lru_cache(maxsize=64)  # each title is cut several times
def _separators(title: str) -> tuple[re.Match[str], ...]:
    return (*re.finditer(_SEPARATOR_IN_ASIA if has_joined(title) else _SEPARATOR, title),)


def _is_one_of(part: str, names: Collection[str]) -> bool:
    """Return whether a part of a title is a site's name; either may start or end with the other."""
    if part in names:
        return True
    for name in names:
        short, long = (part, name) if len(part) < len(name) else (name, part)
        if len(short) >= max(_SHORTEST_NAME, _SAME_SITE * len(long)) and (
            long.startswith(short) or long.endswith(short)
        ):
            return True
    return False


class StatedByline(NamedTuple):
    """Text that names authors of a page outside its visible text."""

    source: str  # one of SOURCES
    text: str  # as stated, with the given name first
    name: str  # the whole text if it is an account or an organisation of the site, else empty
    plain: str  # text in which names are to be read; empty if there are none


def stated_bylines(metadata: Metadata) -> tuple[StatedByline, ...]:
    """Return the texts in which a page states its authors, in order of precedence.

    No names are to be read in accounts, in names of the site and its organisations, in addresses.
    """
    texts = list(_texts(metadata, "authors"))
    for n in range(1, _MAX_LABELS):
        for label in metadata.meta.get(f"twitter:label{n}", ()):
            if normalise(label) in _BY:
                texts += [("twitter", text) for text in metadata.meta.get(f"twitter:data{n}", ())]
    texts += [("rel", text) for text in metadata.author_links]
    groups = _organisations(metadata)
    bylines = []
    for source, stated in texts:
        text = _given_first(stated, source)
        plain = _INTRODUCED.sub("", PARENTHESES.sub("", text).split(" / ")[0])
        if text.startswith("@") and " " not in text:
            name, plain = text, ""
        elif normalise(plain) in groups:
            name, plain = plain, ""
        else:  # without a second form of the name
            name, plain = "", "" if is_address(plain) or "@" in plain else plain
        bylines.append(StatedByline(source, text, name, plain))
    return tuple(bylines)


def _organisations(metadata: Metadata) -> frozenset[str]:
    return _normalised((*metadata.publishers, *metadata.organisations))


def _given_first(text: str, source: str) -> str:
    """Return a name with the given name first, as pages write it, not "Lee, Ann B."."""
    family, comma, given = text.partition(", ")
    is_turned = source in _LIBRARIES and comma and "," not in given and len(given.split()) < 4
    return f"{given} {family}" if is_turned and len(family.split()) < 3 else text


def stated_names(
    metadata: Metadata,
    bylines: Iterable[StatedByline],
    names_of: Mapping[str, Iterable[tuple[str, bool]]],
) -> tuple[Statement, ...]:
    """Return the names of authors in stated bylines, one by one, in order of precedence.

    ``names_of`` are the names in each plain text, and whether each belongs to an organisation.
    Accounts and the names of the site and its organisations are marked as organisations.
    """
    groups = _organisations(metadata)
    names = {
        plain: [(name, is_group or normalise(name) in groups) for name, is_group in own]
        for plain, own in names_of.items()
    }
    statements = []
    for byline in bylines:
        own = [(byline.name, True)] if byline.name else names.get(byline.plain, [])
        statements += [Statement(name, byline.source, False, is_group) for name, is_group in own]
    return tuple(dict.fromkeys(statements))


def listed_names(
    metadata: Metadata, bylines: Iterable[StatedByline]
) -> tuple[tuple[str, str], ...]:
    """Return the texts of each source that lists the authors of the page's article.

    Of JSON-LD that is the first object with authors, since others may be about other articles.
    """
    lists = [("json-ld", plain_text(text)) for text in metadata.linked("author", is_first=True)]
    lists += [(byline.source, byline.text) for byline in bylines if byline.source in _LISTING]
    return tuple(lists)


def stated_dates(metadata: Metadata, url: str = "") -> tuple[Statement, ...]:
    """Return the days and moments that a page states, in order of precedence.

    Those of publication come first, then those of the last change, ``time`` elements, and the day
    in the page's address.
    """
    rows = [(*pair, False) for pair in _texts(metadata, "published_dates")]
    rows += [(*pair, True) for pair in _texts(metadata, "modified_dates")]
    rows += [("time", text, False) for text in metadata.times]
    country = split_address(url).netloc.rpartition(".")[2] if "://" in url else ""
    dates = []
    moments: dict[str, datetime | None] = {}  # a page states one moment in several places
    for source, text, is_modified in rows:
        if text not in moments:
            found = parse_timestamp(text)
            moments[text] = found or next(iter(find_dates(text, country=country)), None)
        moment = moments[text]
        if moment and _EARLIEST <= moment.year <= _LATEST:
            is_day = ":" not in text and moment.time() == moment.min.time()
            value = moment.date().isoformat() if is_day else moment.isoformat()
            dates.append(Statement(value, source, is_modified))
    for match in (match for pattern in _DAY_IN_ADDRESS for match in pattern.finditer(url)):
        with suppress(ValueError):
            day = date(int(match["y"]), int(match["m"]), int(match["d"]))
            dates.append(Statement(day.isoformat(), "address"))
    return tuple(dict.fromkeys(dates))


def _texts(metadata: Metadata, fact: str) -> Iterator[tuple[str, str]]:
    """Yield the sources and texts of a fact, without mark-up and runs of white space."""
    for source, text in metadata.statements(fact):
        if line := plain_text(text):
            names = [name for name, starts in _PREFIXES.items() if source.startswith(starts)]
            yield source if source in SOURCES else [*names, "meta"][0], line


def stated_texts(metadata: Metadata) -> Mapping[str, tuple[str, ...]]:
    """Return the distinct texts that a page's JSON-LD states, by the kinds of ``TEXT_KINDS``.

    HTML in them is removed. Reviews are left out: they are content on few pages. Of a page that
    states an enormous amount of text, only the first part is read.
    """
    texts: dict[str, dict[str, None]] = {kind: {} for kind in TEXT_KINDS}
    n_left = _MAX_CHARACTERS
    for kind, text in _stated_texts(metadata):
        if n_left <= 0:
            break
        if len(texts[kind]) < _MAX_TEXTS:
            texts[kind][plain_text(text[:n_left])] = None
            n_left -= len(text)
    return {kind: tuple(filter(None, found)) for kind, found in texts.items()}


def plain_text(text: str) -> str:
    """Return a stated text without HTML, in one line."""
    decoded = unescape(text) if "&" in text else text
    return " ".join((_MARKUP.sub(" ", decoded) if "<" in decoded else decoded).split())


def _stated_texts(metadata: Metadata) -> Iterator[tuple[str, str]]:
    """Yield the texts of all objects, with their kinds, from the outermost objects inwards."""
    waiting: list[object] = list(metadata.json_ld)
    for value in waiting:  # grows as it is read
        if isinstance(value, dict):
            kind = type_of(value)
            for key, inner in value.items():
                if key in _TEXT_KEYS and (text_kind := _kind_of(key, kind)):
                    yield from product((text_kind,), _texts_in(inner))
                elif isinstance(inner, _NESTED) and key not in _APART:
                    waiting.append(inner)
        elif isinstance(value, list):
            waiting += [entry for entry in value if isinstance(entry, _NESTED)]
        if len(waiting) > _MAX_OBJECTS:
            del waiting[_MAX_OBJECTS:]


def _kind_of(key: str, object_type: str) -> str:
    """Return the kind of the text under a key of an object; empty if it is not collected."""
    if key in _CONTENT_KEYS:
        return "content"
    if key == "text":
        return "post" if object_type.endswith(_POSTS) else "content"
    if key == "description":
        if object_type in _OFFERS:
            return "content"
        return "party" if object_type.endswith(_OF_PARTIES) else ""
    return "caption" if key == "caption" and object_type == "imageobject" else ""


def _texts_in(value: object) -> Iterator[str]:
    """Yield the texts in a value: a text, an instruction, a section of instructions, or a list."""
    waiting = [value]
    while waiting:
        first = waiting.pop(0)
        if isinstance(first, str):
            yield first
        elif isinstance(first, list):
            waiting[:0] = first[:_MAX_TEXTS]
        elif isinstance(first, dict):
            waiting[:0] = [first[key] for key in _STEP_KEYS if key in first][:1]
