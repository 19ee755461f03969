"""Texts that a page's JSON-LD states: articles, recipes, posts, descriptions of people.

Search engines ask publishers for the whole text of an article, the ingredients and steps of a
recipe, and each post of a thread. Where these also occur on the page, they show which blocks are
its content. Descriptions of people, publishers and sites are usually found beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from structce.language import unescape
from structce.page.metadata import Metadata, type_of

TEXT_KINDS = ("content", "post", "party", "caption")
"""Kinds of stated texts: main content, posts and answers, about people and sites, of pictures."""

_CONTENT_KEYS = frozenset({"articleBody", "recipeIngredient", "ingredients", "recipeInstructions"})
_STEP_KEYS = ("text", "itemListElement", "name")  # of an instruction; the first that it has
_POSTS = ("posting", "question", "answer", "comment")  # endings of types
_OFFERS = ("product", "productgroup", "jobposting", "course")  # described at length
_PARTIES = ("person", "organization", "website", "corporation")  # endings of types
_APART = frozenset({"review", "reviews", "@graph"})  # of others; and what was opened before
_MARKUP = re.compile(r"</?[a-zA-Z!][^<>]*+>")  # each character is read once, whatever is not closed
_MAX_OBJECTS = 2_000  # JSON-LD objects of one page that are read, at any depth
_MAX_CHARACTERS = 100_000  # of the texts of one page; each region is searched for in them
_MAX_TEXTS = 500  # of each kind


def stated_texts(metadata: Metadata) -> Mapping[str, tuple[str, ...]]:
    """Return the distinct texts that a page's JSON-LD states, by the kinds of ``TEXT_KINDS``.

    HTML in them is removed. Reviews are left out: they are content on few pages. Of a page that
    states an enormous amount of text, only the first part is read.
    """
    texts: dict[str, dict[str, None]] = {kind: {} for kind in TEXT_KINDS}
    n_left = _MAX_CHARACTERS
    for kind, text in _statements(metadata):
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


def _statements(metadata: Metadata) -> Iterator[tuple[str, str]]:
    """Yield the texts of all objects, with their kinds, from the outermost objects inwards."""
    waiting: list[object] = list(metadata.json_ld)
    for value in waiting:  # grows as it is read
        if isinstance(value, Mapping):
            kind = type_of(value)
            for key, inner in value.items():
                if text_kind := _kind_of(key, kind):
                    yield from ((text_kind, text) for text in _strings(inner))
                elif key not in _APART and isinstance(inner, Mapping | list):
                    waiting.append(inner)
        elif isinstance(value, list):
            waiting += [entry for entry in value if isinstance(entry, Mapping | list)]
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
        return "party" if object_type.endswith(_PARTIES) else ""
    return "caption" if key == "caption" and object_type == "imageobject" else ""


def _strings(value: object) -> Iterator[str]:
    """Yield the texts in a value: a text, an instruction, a section of instructions, or a list."""
    waiting = [value]
    while waiting:
        first = waiting.pop(0)
        if isinstance(first, str):
            yield first
        elif isinstance(first, list):
            waiting[:0] = first[:_MAX_TEXTS]
        elif isinstance(first, Mapping):
            waiting[:0] = [first[key] for key in _STEP_KEYS if key in first][:1]
