"""Texts as editors mark them up: links, stress, drop caps and soft hyphens.

None of it changes what a reader reads, and all of it cuts or alters the texts that a program sees.
"""

from __future__ import annotations

import re

from structce.corpora.synthetic.draft import Draft
from structce.corpora.synthetic.nodes import Content, Node, node

_TAGS = ("a", "a", "a", "em", "strong", "abbr", "span", "i", "mark")
_LONG = re.compile(r"[^\W\d_]{11,}")
_OPENING = re.compile(r"[“„«\"]?\s?\w")
SOFT_HYPHEN = "\u00ad"


def marked_up(draft: Draft, text: str) -> Content:
    """Return a text in which, half of the time, a few words are a link or stressed."""
    pieces = draft.site.language.pieces(hyphenated(draft, text))
    if draft.rng.random() < 0.5 or len(pieces) < 8:
        return "".join(pieces)
    start = draft.rng.randrange(2, len(pieces) - 4)
    end = start + draft.rng.randint(1, 4)
    rest = pieces[end:]
    is_long = len(rest) > 10 and draft.rng.random() < 0.4
    last = ["".join(rest[:-4]), _stressed(draft, rest[-4:])] if is_long else "".join(rest)
    return ["".join(pieces[:start]), _stressed(draft, pieces[start:end]), last]


def _stressed(draft: Draft, pieces: list[str]) -> Content:
    inner = "".join(pieces)
    shown = inner.rstrip()
    tag = draft.rng.choice(_TAGS)
    link = draft.link("text-link", shown) if tag == "a" else node(tag, shown)
    return [link, inner[len(shown) :]]


def hyphenated(draft: Draft, text: str) -> str:
    """Return a text with soft hyphens in its long words, on the sites that write them."""
    if not draft.has("soft-hyphens"):
        return text
    return _LONG.sub(lambda found: f"{found[0][:5]}{SOFT_HYPHEN}{found[0][5:]}", text)


def opened(draft: Draft, text: str) -> Content:
    """Return the first text of an article, on some sites with its first letter set apart."""
    found = _OPENING.match(text)
    is_cased = found is not None and found[0][-1].isupper()
    if not draft.has("drop-cap") or found is None or not is_cased:
        return marked_up(draft, text)
    return [initial(draft, found[0]), marked_up(draft, text[found.end() :])]


def initial(draft: Draft, letter: str) -> Node:
    """Return a letter as high as several lines."""
    return draft.node("drop-cap", "span", letter)
