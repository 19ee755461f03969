"""Features of stated authors: how a text names an author, and where the byline is.

Metadata and byline seldom write a name in exactly the same way, so names are compared by their
letters, in all the forms that they take in bylines, credits and addresses.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from structce.arrays import Floats
from structce.features.class_names import meanings
from structce.features.cues import compact_text, compact_texts, page_cues, share_of_text
from structce.features.dom import in_figure_element
from structce.features.dom_tree import NameSet, name_sets
from structce.features.landmarks import LIKENESS_BINS, Regions, article_distance, text_index
from structce.features.registry import AROUND, JOINED_STRENGTH, feature, once_a_page
from structce.language import (
    EMAIL,
    PICTURE_CREDIT,
    language_code,
    normalise,
    split_byline,
    split_words,
    strip_byline_prefix,
)
from structce.page import Page, stated_authors

_SEARCHED_LENGTHS = range(4, 61)  # letters of a name that is looked for inside a text
_MIN_EXACT = 2  # letters of a name that may be the whole text: AP
_MIN_PART = 3  # letters of a first or last name that may be the whole text
_NAME_WORDS = range(2, 6)  # words of a person's name from which an address is formed
_MAX_BYLINE = 250  # characters of a region; a longer one is not a byline
_MIN_NAME = 4  # letters; shorter names occur anywhere
_MAX_AUTHORS = 12  # authors per page that are located


@feature("task", bins=LIKENESS_BINS, window=AROUND)
@once_a_page
def author_match(page: Page) -> Floats:
    """Longest stated author's name found in the region, as a share of the region's text."""
    return share_of_text(
        page, {n for a in page.metadata.authors if len(n := compact_text(a)) in _SEARCHED_LENGTHS}
    )


@feature("task")
def author_form(page: Page) -> list[str | None]:
    """Form of a stated author's name: ``exact``, with ``by``, ``reversed``, ``initials``, ...

    Also ``part`` for a first or last name alone, ``inside`` for the name among other text, and
    ``email`` for an address formed from the name. Metadata and byline seldom agree exactly.
    """
    if not page.metadata.authors:
        return [None] * len(page)
    stated = _author_forms(page.metadata.authors)
    code = language_code(page.lang)
    rows = zip(page.text, compact_texts(page), page_cues(page), strict=True)
    return [_form_in_text(text, key, cues, stated, code) for text, key, cues in rows]


@dataclass(frozen=True)
class _AuthorForms:
    """Forms that stated authors may take in text."""

    forms: dict[str, str]  # form of the name, by the letters of a whole text
    names: list[str]  # names that are looked for inside a text
    addresses: set[str]  # what may precede the "@" in the address of a stated name
    accounts: set[str]  # what precedes the "@" in addresses that are stated instead of names


def _form_in_text(
    text: str, key: str, cues: NameSet, stated: _AuthorForms, code: str
) -> str | None:
    if key in stated.forms:
        return stated.forms[key]
    if "author-cue" in cues and compact_text(strip_byline_prefix(text, code)) in stated.forms:
        return "by"
    shown = {_account(address) for address in EMAIL.findall(text)} if "email-cue" in cues else set()
    if not stated.addresses.isdisjoint(shown):
        return "email"
    if any(name in key for name in stated.names):
        return "inside"
    if stated.accounts and not stated.accounts.isdisjoint(_account_names(text)):
        return "email"
    return None


def _author_forms(authors: Iterable[str]) -> _AuthorForms:
    stated = _AuthorForms({}, [], set(), {_account(author) for author in authors if "@" in author})
    for author in authors:
        for name in split_byline(author) if "@" not in author else ():
            _add_author(stated, split_words(name))
    return stated


def _add_author(stated: _AuthorForms, parts: tuple[str, ...]) -> None:
    """Add the forms of a name; a form shared by two authors stays with the first."""
    full = "".join(parts)
    if len(full) < _MIN_EXACT:
        return
    stated.forms[full] = "exact"
    stated.names.extend([full] if len(full) in _SEARCHED_LENGTHS else [])
    if len(parts) < 2:
        return
    first, last = parts[0], parts[-1]
    stated.forms.setdefault(last + "".join(parts[:-1]), "reversed")
    stated.forms.setdefault(first[0] + last, "initials")
    stated.forms.setdefault("".join(part[0] for part in parts[:-1]) + last, "initials")
    for piece in (first, last):
        if len(piece) >= _MIN_PART:
            stated.forms.setdefault(piece, "part")
    stated.addresses.update((first, last, last + first[0]), _account_names(" ".join(parts)))


def _account_names(name: str) -> set[str]:
    """Return what may precede the ``@`` in the address of a person of that name."""
    parts = split_words(name)
    if len(parts) not in _NAME_WORDS:
        return set()
    first, last = parts[0], parts[-1]
    return {first[0] + last, first + last, last + first, "".join(parts)}


def _account(address: str) -> str:
    return compact_text(address.split("@")[0])


@feature("task", strength=JOINED_STRENGTH)
def author_place(page: Page) -> list[NameSet]:
    """Whether a stated author's name occurs here at its best place, or at another one.

    ``whole`` where the region contains little else, ``part`` where first and last name are in
    separate regions. A stated name right next to the article is a byline; elsewhere it rarely is.
    """
    places: dict[int, set[str]] = {}
    for kind, names in zip(("person", "publisher"), stated_authors(page.metadata), strict=True):
        for name in names[:_MAX_AUTHORS]:
            if len(normalise(name)) >= _MIN_NAME:
                _mark_places(page, kind, name, places)
    return name_sets(page, places)


def _mark_places(page: Page, kind: str, name: str, places: dict[int, set[str]]) -> None:
    letters = len(normalise(name))
    for n, regions in enumerate(_author_places(page, name)):
        rank = "again" if n else "best"
        for i in regions:
            share = letters / max(len(normalise(page.text[i])), 1)
            form = "part" if len(regions) > 1 else "whole" if share >= 0.6 else "in"
            places.setdefault(i, set()).update((f"{kind}:{rank}", f"{kind}:{rank}:{form}"))


def _byline_cost(page: Page, i: int) -> float:
    named = {name.lstrip("^") for name in meanings(page)[i]}
    credit = PICTURE_CREDIT.search(page.text[i]) is not None
    return 20.0 * credit + 20.0 * bool(in_figure_element(page)[i]) - 15.0 * ("author" in named)


def _author_places(page: Page, text: str) -> list[Regions]:
    """Return the places where a short text occurs, the best place for a byline first."""
    index = text_index(page)
    costs: dict[Regions, float] = {}
    for span in index.find(text):
        overlaps = list(index.overlapping(span))
        if overlaps and all(len(page.text[i]) <= _MAX_BYLINE for i, _ in overlaps):
            first, *_ = regions = tuple(i for i, _ in overlaps)
            beside = sum(len(page.text[i]) * (1 - share) for i, share in overlaps) / 20
            costs[regions] = article_distance(page, first) + beside + _byline_cost(page, first)
    return sorted(costs, key=lambda regions: (costs[regions], regions))
