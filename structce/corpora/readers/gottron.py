"""Test packages as Gottron describes them: a page, its main text and what is known of it.

T. Gottron (2007). Evaluating content extraction on HTML documents. Proceedings of the second
International Conference on Internet Technologies and Applications, section 4.1.

The paper says: a package is a description file and, for each document, the HTML, the main content
as plain text, and meta information (address, language, whether the main content is fragmented,
whether there are several articles), tied by one name with different extensions. How the files look
it does not say. Our reading::

    description.package    the description file, for people: lines ``name: value``
    NAME.html              the page, byte by byte as its server sent it
    NAME.txt               the main text in UTF-8, a line a paragraph or heading
    NAME.meta              lines ``name: value`` in UTF-8; none must be there

Names in ``NAME.meta`` are the paper's ``url``, ``language`` (``de-AT``), ``fragmented`` and
``several articles`` (``yes`` or ``no``), and ours: ``encoding`` where the page does not declare its
own, ``site`` and ``family`` where the address does not tell them. Others are passed over, and so
are files of other extensions. A file that is added to the folder is part of the package; nothing
else must be changed.

What the gold becomes. Each line of the text is a piece of the body of the kind ``Text``. The main
content is what a reader would mark in one go: the headline may be in it, nobody says where, so no
title is given. Language and flags have no place in a corpus: there the language is the page's own.

What is covered. The main content is whole, so every paragraph and subtitle of the page is in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from structce.corpora.readers.base import GoldPage, Lost, open_data_set, page_bytes, reader
from structce.corpora.readers.plain_text import files_of, lines_of, page_id
from structce.files import Folder
from structce.gold import TEXT, Gold
from structce.site import site_of

DESCRIPTION = "description.package"
PAGE, TEXT_FILE, META = ".html", ".txt", ".meta"
"""Extensions of the files of a document."""

_LABELS = ("Paragraph", "Subtitle")


@reader(
    "gottron",
    title="a test package: pages with their main text, by yourself or 'structce corpus convert'",
    licence="as its description file says",
    citation="T. Gottron (2007). Evaluating content extraction on HTML documents. Internet "
    "Technologies and Applications.",
    gold=("body",),
    labels=_LABELS,
    home="no public copy; 'structce corpus convert CORPUS OUT --to gottron' writes packages",
    may_train=False,
)
def read_gottron(path: Path) -> Iterator[GoldPage | Lost]:
    """Yield the documents of a package in the order of their names.

    Raises
    ------
    CorpusError
        If there is no description file.
    """
    folder = open_data_set(path, DESCRIPTION)
    names = {
        file.name.removesuffix(ending)
        for file in files_of(folder)
        for ending in (PAGE, TEXT_FILE)
        if file.name.endswith(ending)
    }
    seen: set[str] = set()
    for name in sorted(names):
        own = page_id(name) or "page"
        while own in seen:  # "a b" and "a-b" are two documents
            own += "-"
        seen.add(own)
        try:
            yield _read_page(folder, name, own)
        except (OSError, KeyError, ValueError) as error:
            yield Lost(own, f"{type(error).__name__}: {error}")


def read_meta(text: str) -> dict[str, str]:
    """Return the values of lines ``name: value`` by name in small letters.

    Raises
    ------
    ValueError
        If a line that is not empty has no colon.
    """
    found: dict[str, str] = {}
    for line in filter(str.strip, text.splitlines()):
        name, colon, value = line.partition(":")
        if not colon:
            raise ValueError(f"line {line!r}; expected 'name: value'")
        found[name.strip().lower()] = value.strip()
    return found


def _read_page(folder: Folder, name: str, own: str) -> GoldPage:
    lines = lines_of((folder / f"{name}{TEXT_FILE}").read_bytes().decode("utf-8-sig"))
    if not lines:
        raise ValueError(f"{name}{TEXT_FILE} holds no text")
    meta = folder / f"{name}{META}"
    told = read_meta(meta.read_bytes().decode("utf-8-sig")) if meta.exists() else {}
    url, encoding = told.get("url", ""), told.get("encoding", "")
    site = told.get("site") or site_of(url) or own
    return GoldPage(
        id=own,
        site=site,
        family=told.get("family") or site,
        url=url,
        data=page_bytes(folder / f"{name}{PAGE}"),
        gold=Gold(body=tuple((TEXT, line) for line in lines), covers=frozenset(_LABELS)),
        content_type=f"text/html; charset={encoding}" if encoding else "",
    )
