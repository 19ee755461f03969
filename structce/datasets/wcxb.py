"""WCXB: pages of seven types with their main text, drafted by a language model, then reviewed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from structce.datasets.base import (
    UTF8_HTML,
    GoldPage,
    Lost,
    PageEntry,
    open_data_set,
    page_bytes,
    read_list,
    reader,
    stems,
)
from structce.datasets.text_formats import (
    annotated_lines,
    annotated_segments,
    collapse_spaces,
    drop_empty,
    parse_day,
    parse_names,
    stated_labels,
)
from structce.gold import TEXT, Gold
from structce.io import Folder
from structce.page import site_of

_PARTS = ("dev", "test")


@reader(
    "wcxb",
    title="articles, forums, listings, documentation and more, in English, with their main text",
    licence="gold: CC-BY-4.0, (c) 2026 Murrough Foley; pages: copyright of their publishers, for "
    "research and tests",
    citation="M. Foley (2026). WCXB: web content extraction benchmark.",
    gold=("title", "authors", "date", "body", "segments", "values"),
    labels=("Author", "Date", "Paragraph", "Subtitle", "Title"),
    home="https://github.com/Murrough-Foley/web-content-extraction-benchmark",
)
def read_wcxb(path: Path) -> Iterator[PageEntry | Lost]:
    """Yield the pages of both parts, in the order of their numbers.

    The page's id begins with its type (``article-0197``), which is also in ``page_type``; the part
    (``dev``, ``test``) is in ``split``. Each line of ``main_content`` is a piece of the text; the
    page's mark-up shows which are headings of sections. The annotators' bullets and outer bars of
    table rows are removed, as are lines with neither letter nor digit; the numbers of lists are
    kept: on seven pages of eight they are part of the page's text. The text is complete, so
    Paragraph and Subtitle are covered if there is one, and Title, Author and Date if a value is
    given; a missing author or date is not known to be absent. On pages other than articles the text
    also contains names of users and dates.

    A page that is in both parts is yielded once, in the part where the list of the data set counts
    it; the second copy is reported as a known loss.
    """
    folder = open_data_set(path, "metadata.json", "dev/ground-truth")
    rows = dict(read_list(path, folder, "metadata.json", _rows))
    places = {(number, row["split"]) for number, row in rows.items()}
    for number, part in sorted({*places, *_files(folder)}):
        row = rows.get(number, {})
        page_id = f"{row.get('page_type', 'page')}-{number}"
        if row.get("split", part) != part:
            reason = f"a second copy of the page in {row['split']}"
            yield Lost(f"{page_id}-{part}", reason, is_known=True)
        else:
            yield PageEntry(page_id, _read_page, folder / part, number, row, page_id)


def _rows(values: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, row in values["files"].items():
        yield number, {**row, "split": str(row["split"])}


def _files(folder: Folder) -> Iterator[tuple[str, str]]:
    """Yield the number and part of every page that has a file of values."""
    for part in _PARTS:
        if (folder / part / "ground-truth").is_dir():
            yield from ((name, part) for name in stems(folder / part / "ground-truth", ".json"))


def _read_page(part: Folder, number: str, row: Mapping[str, str], page_id: str) -> GoldPage:
    data = page_bytes(part / "html" / f"{number}.html.gz")
    values = json.loads((part / "ground-truth" / f"{number}.json").read_bytes())
    about = {"page_type": row.get("page_type", ""), "split": part.name}
    gold = _gold(values["ground_truth"], about)
    url, site = values.get("url") or "", site_of(f"http://{row.get('domain', '')}")
    return GoldPage.of_address(page_id, url, data, gold, UTF8_HTML, site=site)


def _gold(values: Mapping[str, object], about: Mapping[str, str]) -> Gold:
    title = collapse_spaces(values.get("title"))
    stated = {name: str(values.get(name) or "").strip() for name in ("author", "publish_date")}
    authors, day = parse_names(stated["author"], "en"), parse_day(stated["publish_date"])
    body = tuple((TEXT, line) for line in annotated_lines(values.get("main_content")))
    further = {
        **about,
        "author": "" if authors else stated["author"],
        "date": "" if day else stated["publish_date"],
    }
    return Gold(
        title=title or None,
        authors=authors,
        date=day,
        body=body,
        must=annotated_segments(values.get("with")),
        must_not=annotated_segments(values.get("without")),
        about=drop_empty(further),
        covers=stated_labels(title=title, authors=authors, date=day, body=body),
    )
