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

import re
from collections.abc import Iterable, Iterator, Mapping
from email.message import Message
from itertools import groupby
from pathlib import Path

from structce.corpus import Corpus, LabelledPage, read_manifest
from structce.datasets.base import GoldPage, Lost, PageEntry, open_data_set, page_bytes, reader
from structce.datasets.text_formats import files_of, safe_id, text_body, text_lines
from structce.errors import CorpusError, SourceError
from structce.gold import Gold
from structce.io import Folder, write_atomic
from structce.labels import UNKNOWN
from structce.page import site_of

DESCRIPTION = "description.package"
_PAGE, _TEXT, _META = ".html", ".txt", ".meta"
"""Extensions of the files of a document."""

_BODY = ("Paragraph", "Subtitle")
_MAIN = ("Title", *_BODY)
_SPACE_BEFORE = re.compile(r"\s+([,.;:!?…»”)\]])")


@reader(
    "gottron",
    title="a test package: pages with their main text, by yourself or 'structce corpus convert'",
    licence="as its description file says",
    citation="T. Gottron (2007). Evaluating content extraction on HTML documents. Internet "
    "Technologies and Applications.",
    gold=("body",),
    labels=_BODY,
    home="no public copy; 'structce corpus convert CORPUS OUT --to gottron' writes packages",
    may_train=False,
)
def read_gottron(path: Path) -> Iterator[PageEntry]:
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
        for ending in (_PAGE, _TEXT)
        if file.name.endswith(ending)
    }
    seen: set[str] = set()
    for name in sorted(names):
        own = safe_id(name) or "page"
        while own in seen:  # "a b" and "a-b" are two documents
            own += "-"
        seen.add(own)
        yield PageEntry(own, _read_page, folder, name, own)


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
    body = text_body((folder / f"{name}{_TEXT}").read_bytes().decode("utf-8-sig"))
    if not body:
        raise ValueError(f"{name}{_TEXT} holds no text")
    meta = folder / f"{name}{_META}"
    stated = read_meta(meta.read_bytes().decode("utf-8-sig")) if meta.exists() else {}
    url, encoding = stated.get("url", ""), stated.get("encoding", "")
    site = stated.get("site") or site_of(url) or own
    return GoldPage(
        id=own,
        site=site,
        family=stated.get("family") or site,
        url=url,
        data=page_bytes(folder / f"{name}{_PAGE}"),
        gold=Gold(body=body, covers=frozenset(_BODY)),
        content_type=f"text/html; charset={encoding}" if encoding else "",
    )


def write_package(
    corpus: Corpus, originals: Iterable[GoldPage | Lost], out: Path
) -> dict[str, str]:
    """Write a test package of the pages of a corpus; return why others are not in it, by id.

    The language is the page's own. Whether there are several articles no corpus tells, so that
    flag is left out.

    Parameters
    ----------
    originals
        The pages before they were rendered, as a reader yields them: a corpus keeps regions, not
        the HTML. Those that the corpus does not have are passed over.
    out
        A folder that is empty or not there yet.

    Raises
    ------
    CorpusError
        If the folder holds files, or there is no page to write.
    """
    if out.exists() and any(out.iterdir()):
        raise CorpusError(f"{out}: holds files; expected a folder that is empty or not there yet")
    pages = {page.id: page for page in corpus}
    left_out = dict.fromkeys(pages, "its HTML is not in the source")
    for original in originals:
        if original.id in left_out:
            if why := _write_page(pages[original.id], original, corpus.label_set.background, out):
                left_out[original.id] = why
            else:
                del left_out[original.id]
    if len(left_out) == len(pages):
        why = next(iter(left_out.values()), "it holds none")
        raise CorpusError(f"{corpus.name}: no page can be written: {why}")
    # The description comes last: without it a folder is no package.
    write_atomic(out / DESCRIPTION, _lines({"name": corpus.name, "licence": corpus.licence}))
    return left_out


def main_text(page: LabelledPage) -> str:
    """Return the main text of a page, a line a paragraph or heading; empty if none is known.

    That of the gold where it has a body: the title, then the body. Else that of the regions with
    the labels Title, Paragraph and Subtitle in the page's order, those of a block on one line. A
    space stands between regions, since a page does not keep whether there was one.
    """
    gold = page.gold
    if gold.body:
        return "\n".join(text_lines(f"{gold.title or ''}\n{gold.text}"))
    rows = zip(page.page.blocks.tolist(), page.page.text, page.labels, strict=True)
    main = ((block, text) for block, text, label in rows if label in _MAIN and text)
    blocks = groupby(main, key=lambda row: row[0])
    lines = (" ".join(text for _, text in block) for _, block in blocks)
    return "\n".join(text_lines("\n".join(_SPACE_BEFORE.sub(r"\1", line) for line in lines)))


def is_fragmented(page: LabelledPage, background: str) -> bool | None:
    """Return whether other content stands within a page's body.

    That is a text of the background or an advertisement between the first and the last region
    with the labels Paragraph and Subtitle. None where there is no such region, or where only an
    unknown label could tell.
    """
    body = [i for i, label in enumerate(page.labels) if label in _BODY]
    within = range(body[0], body[-1]) if body else range(0)
    labels = {page.labels[i] for i in within if page.page.text[i]}
    if labels & {background, "Advertisement"}:
        return True
    return None if not body or UNKNOWN in labels else False


def raw_pages(path: Path) -> Iterator[GoldPage]:
    """Yield the pages of a raw corpus as they stand there, without gold.

    Raises
    ------
    CorpusError
        If there is no corpus, its pages are rendered, or one cannot be read.
    """
    folder, manifest = read_manifest(path)
    if manifest["renderer"]:
        raise CorpusError(f"{path}: its pages are rendered, and their HTML is not kept")
    for row in manifest["pages"]:
        try:
            data = (folder / "pages" / f"{row['id']}.html").read_bytes()
        except OSError as error:
            raise CorpusError(f"{path}: page {row['id']}: {error}") from error
        yield GoldPage(row["id"], row["site"], row["family"], row["url"], data, Gold())


def _write_page(page: LabelledPage, original: GoldPage | Lost, background: str, out: Path) -> str:
    """Write the files of a page; return why not."""
    if isinstance(original, Lost):
        return original.why
    try:
        digest = original.document().digest
    except SourceError as error:
        return str(error)
    if page.page.provenance.digest not in ("", digest):
        return "its HTML in the source is not that of the corpus"
    if not (text := main_text(page)):
        return "no main text is known of it"
    meta = _meta(page, original, is_fragmented(page, background))
    write_atomic(out / f"{page.id}{_PAGE}", original.data)
    write_atomic(out / f"{page.id}{_TEXT}", f"{text}\n".encode())
    write_atomic(out / f"{page.id}{_META}", _lines(meta))
    return ""


def _meta(page: LabelledPage, original: GoldPage, fragmented: bool | None) -> dict[str, str]:
    header = Message()
    header["content-type"] = original.content_type
    site = "" if site_of(page.page.url) == page.site else page.site
    return {
        "url": page.page.url,
        "language": page.page.lang,
        "fragmented": "" if fragmented is None else ("no", "yes")[fragmented],
        "encoding": header.get_content_charset() or "",
        "site": site,
        "family": "" if page.family == page.site else page.family,
    }


def _lines(values: Mapping[str, str]) -> bytes:
    """Return the values that are known as lines ``name: value``."""
    known = {name: " ".join(value.split()) for name, value in values.items()}
    return "".join(f"{name}: {value}\n" for name, value in known.items() if value).encode()
