r"""Layout shared by several data sets: gold in ``gold.jsonl``, pages in a folder ``pages``.

Each line of ``gold.jsonl`` is an object that describes one page; a missing key states nothing::

    {"id": "ferry-1", "url": "https://post.example/1", "title": "Ferry to stop",
     "authors": ["Ann Lee"], "date": "2026-03-14", "body": "It stops.\nNobody knows why."}

Only ``id`` is required. ``file`` is the page, by default ``pages/ID.html``, and ``encoding`` the
encoding of its bytes if the page does not declare it. ``site`` and ``family`` keep pages together
when a corpus is split. ``title``, ``authors``, ``date`` (ISO 8601), ``body`` (one piece per line),
``captions``, ``with`` and ``without`` (segments that belong to the text, and that do not),
``steps`` and ``ingredients`` of a recipe and ``posts`` of a forum are gold; an empty list of
authors states that the page names none. Other texts, such as ``page_type`` and ``language``, are
facts about the page.
"""

from __future__ import annotations

import html
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import msgspec

from structce.datasets.base import GoldPage, PageEntry, open_data_set, page_bytes, reader
from structce.datasets.text_formats import (
    annotated_lines,
    annotated_segments,
    collapse_spaces,
    drop_empty,
    json_objects,
    parse_day,
    safe_id,
    stated_labels,
)
from structce.errors import CorpusError
from structce.gold import TEXT, TEXT_LABELS, Gold, GoldPost
from structce.io import Folder
from structce.page import site_of

_LIST, _PAGES = "gold.jsonl", "pages"
_HEADLINE = "h1"  # value of title_in: the title is the page's headline, not a name on a card
_Id = Annotated[str, msgspec.Meta(min_length=1)]


class GoldRow(msgspec.Struct, rename={"must": "with", "must_not": "without"}):
    """One line of the list: the gold of a page under the keys of the layout."""

    id: _Id
    file: str = ""
    url: str = ""
    site: str = ""
    family: str = ""
    encoding: str = ""
    title: str = ""
    title_in: str = _HEADLINE
    authors: tuple[str, ...] | None = None
    date: str = ""
    body: str = ""
    captions: tuple[str, ...] = ()
    must: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()
    ingredients: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    posts: tuple[dict[str, str], ...] = ()


_KEYS = frozenset(GoldRow.__struct_encode_fields__) - {"title_in"}


@reader("gold-pages")
def read_gold_pages(path: Path) -> Iterator[PageEntry]:
    """Yield the pages of a folder or zip archive in the order of the list.

    Values are complete: Title, Author and Date are covered if there is a value, Paragraph and
    Subtitle if there is a body.
    """
    yield from list_pages(path)


_IN_THIS_LAYOUT: Mapping[str, tuple[Collection[str], tuple[str, ...]]] = {
    "wcxb-more": ({"authors"}, TEXT_LABELS),
    "misinformation-crawler": ({"authors"}, TEXT_LABELS),
    "waddle": ((), TEXT_LABELS),
    "forums": ((), ("Paragraph", "Subtitle")),
    "recipes": ((), TEXT_LABELS),
}
"""Other data sets in this layout, with ``asked`` and ``text_labels`` of :func:`list_pages`.

- wcxb-more: made like the data set ``wcxb``; if a page has no author, the annotators looked for
  one.
- misinformation-crawler: the output of rules written for each site, reviewed and kept as the
  expectation of tests. The time zone of moments is lost: if the page shows the day before or after
  that of the gold, Date is not covered, and ``date_shown`` states the other day.
- waddle: the text was cleaned by hand; on some pages it still contains bylines and datelines. On a
  page without a title the first line of the text may be one.
- forums: each piece of the text is a post. There is no title, author or date for the page itself.
- recipes: ingredients and steps are segments of the text, which may contain more. If the title is
  not the page's headline but the name on a card (``title_in``), it is a further value.
"""


def list_pages(
    path: Path, *, asked: Collection[str] = (), text_labels: tuple[str, ...] = TEXT_LABELS
) -> Iterator[PageEntry]:
    """Yield the pages of a folder or zip archive in this layout, in the order of the list.

    ``asked`` are keys for which the annotators looked at every page: if one is missing, the page
    has no such value. ``text_labels`` are the labels that a piece of the text may have, see
    :attr:`structce.gold.Gold.text_labels`. Raises CorpusError if the list or the folder of pages is
    missing, a line of the list is not an object with an id, or two lines have the same id.
    """
    folder = open_data_set(path, _LIST, _PAGES)
    seen: set[str] = set()
    rows = json_objects((folder / _LIST).read_bytes().splitlines(), f"{path}: {_LIST}")
    for number, (_, row) in enumerate(rows, start=1):
        page_id = safe_id(str(row.get("id") or ""))
        if not page_id or page_id in seen:
            problem = f"the id {row.get('id')!r} occurs twice" if page_id else "no id"
            raise CorpusError(f"{path}: {_LIST}: page {number}: {problem}; expected a unique id")
        seen.add(page_id)
        yield PageEntry(page_id, _read_page, folder, page_id, row, frozenset(asked), text_labels)


for _name, (_asked, _text_labels) in _IN_THIS_LAYOUT.items():
    reader(_name)(partial(list_pages, asked=_asked, text_labels=_text_labels))


def _read_page(
    folder: Folder,
    page_id: str,
    row: Mapping[str, Any],
    asked: frozenset[str],
    text_labels: tuple[str, ...],
) -> GoldPage:
    entry = _checked(row)
    data = page_bytes(folder / (entry.file or f"{_PAGES}/{entry.id}.html"))
    content_type = f"text/html; charset={entry.encoding}" if entry.encoding else ""
    host = site_of(entry.url)
    site = entry.site or host or page_id
    family = entry.family or host or site
    gold = replace(_gold(entry, _facts(row, entry, asked)), text_labels=text_labels)
    return GoldPage(page_id, site, family, entry.url, data, gold, content_type)


def _checked(row: Mapping[str, Any]) -> GoldRow:
    """Return a line of the list as a row; raises ValueError with the key of a wrong value."""
    try:
        return msgspec.convert({k: v for k, v in row.items() if v is not None}, GoldRow)
    except msgspec.ValidationError as error:
        reason, _, place = str(error).partition(" - at `$.")
        raise ValueError(f"{_LIST}: {place.rstrip('`')}: {reason}") from error


def _facts(row: Mapping[str, Any], entry: GoldRow, asked: frozenset[str]) -> dict[str, str]:
    """Return the texts under other keys, and the fields that the gold leaves open."""
    facts = {
        name: collapse_spaces(", ".join(map(str, value)) if isinstance(value, list) else value)
        for name, value in row.items()
        if name not in _KEYS and isinstance(value, str | list)
    }
    if entry.authors is None and "authors" not in asked:
        facts["silent_on"] = "authors"
    return drop_empty(facts | {"date": "" if parse_day(entry.date) else entry.date})


def _gold(entry: GoldRow, facts: Mapping[str, str]) -> Gold:
    title, day = _one_line(entry.title), parse_day(entry.date)
    is_headline = entry.title_in == _HEADLINE
    body = tuple((TEXT, line) for line in annotated_lines(entry.body))
    authors = tuple(name for author in entry.authors or () if (name := _one_line(author)))
    covers = stated_labels(
        title=title if is_headline else "",
        authors=authors,
        date=day if "date_shown" not in facts else None,
        body=body,
    )
    return Gold(
        title=title or None if is_headline else None,
        authors=authors,
        date=day,
        body=body,
        captions=tuple(_one_line(text) for text in entry.captions),
        must=annotated_segments([*entry.must, *entry.ingredients, *entry.steps]),
        must_not=annotated_segments([*entry.must_not]),
        others={} if is_headline or not title else {"name": (title,)},
        posts=tuple(map(_post, entry.posts)),
        about=facts,
        covers=covers,
    )


def _one_line(text: str) -> str:
    return collapse_spaces(html.unescape(text))


def _post(values: Mapping[str, str]) -> GoldPost:
    day = parse_day(values.get("date"))
    moment = day.isoformat() if isinstance(day, date) else ""
    return GoldPost(_one_line(values.get("text", "")), _one_line(values.get("author", "")), moment)
