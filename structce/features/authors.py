"""Where a text names an author whom the page states, however either of them writes the name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from structce.bylines import split_byline, without_by
from structce.features.cues import EMAIL
from structce.features.lines import Floats, page_cues, plain, plain_texts, share_of_text
from structce.features.registry import feature
from structce.features.text import words
from structce.page import Page
from structce.text import language

_LIKENESS = (0.3, 0.5, 0.7, 0.85, 0.95)
_INSIDE = range(4, 61)  # letters of a name that is looked for inside a text
_LEAST_EXACT = 2  # letters of a name that may be all of a text: AP
_PART = 3  # letters of a first or last name that may be all of a text
_NAME_WORDS = range(2, 6)  # words of a person's name that makes an address


@feature("task", bins=_LIKENESS)
def author_match(page: Page) -> Floats:
    """Longest stated author's name found in the region, as a share of the region's text."""
    return share_of_text(page, {n for a in page.metadata.authors if len(n := plain(a)) in _INSIDE})


@dataclass(frozen=True)
class _Stated:
    """What stated authors may look like in text.

    Parameters
    ----------
    forms
        How whole texts write a name, by their letters.
    names
        Names that are looked for inside a text.
    addresses
        What may stand before the ``@`` in the address of a stated name.
    accounts
        The same of addresses that are stated instead of names.
    """

    forms: dict[str, str]
    names: list[str]
    addresses: set[str]
    accounts: set[str]


@feature("task")
def author_form(page: Page) -> list[str | None]:
    """How a text names a stated author: ``exact``, with ``by``, ``reversed``, ``initials``, ...

    Also a first or last name alone, ``part``, the name and more, ``inside``, and an address made of
    the name, ``email``. Metadata and byline seldom write a name in quite the same way.
    """
    if not page.metadata.authors:
        return [None] * len(page)
    stated = _stated(page.metadata.authors)
    code = language(page.lang)
    rows = zip(page.text, plain_texts(page), page_cues(page), strict=True)
    return [_form(text, key, cues, stated, code) for text, key, cues in rows]


def _form(text: str, key: str, cues: frozenset[str], stated: _Stated, code: str) -> str | None:
    if key in stated.forms:
        return stated.forms[key]
    if "author-cue" in cues and plain(without_by(text, code)) in stated.forms:
        return "by"
    shown = {_account(address) for address in EMAIL.findall(text)} if "email-cue" in cues else set()
    if not stated.addresses.isdisjoint(shown):
        return "email"
    if any(name in key for name in stated.names):
        return "inside"
    return "email" if stated.accounts and not stated.accounts.isdisjoint(_made(text)) else None


def _stated(authors: Iterable[str]) -> _Stated:
    stated = _Stated({}, [], set(), {_account(author) for author in authors if "@" in author})
    for author in authors:
        for name in split_byline(author) if "@" not in author else ():
            _add(stated, words(name))
    return stated


def _add(stated: _Stated, parts: tuple[str, ...]) -> None:
    """Add the ways to write a name; of two authors the first keeps a way that both have."""
    full = "".join(parts)
    if len(full) < _LEAST_EXACT:
        return
    stated.forms[full] = "exact"
    stated.names.extend([full] if len(full) in _INSIDE else [])
    if len(parts) < 2:
        return
    first, last = parts[0], parts[-1]
    stated.forms.setdefault(last + "".join(parts[:-1]), "reversed")
    stated.forms.setdefault(first[0] + last, "initials")
    stated.forms.setdefault("".join(part[0] for part in parts[:-1]) + last, "initials")
    for piece in (first, last):
        if len(piece) >= _PART:
            stated.forms.setdefault(piece, "part")
    stated.addresses.update((first, last, last + first[0]), _made(" ".join(parts)))


def _made(name: str) -> set[str]:
    """Return what may stand before the ``@`` in the address of a person of that name."""
    parts = words(name)
    if len(parts) not in _NAME_WORDS:
        return set()
    first, last = parts[0], parts[-1]
    return {first[0] + last, first + last, last + first, "".join(parts)}


def _account(address: str) -> str:
    return plain(address.split("@")[0])
