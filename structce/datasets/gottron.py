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
title is given. Language and flags are facts about the page, under the same names.

What is covered. The main content is whole, so every paragraph and subtitle of the page is in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
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

FLAGS = ("fragmented", "several articles")
"""What the metadata say with ``yes`` or ``no``."""

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
        gold=Gold(body=body, about=_about(stated), covers=frozenset(_BODY)),
        content_type=f"text/html; charset={encoding}" if encoding else "",
    )


def _about(stated: Mapping[str, str]) -> dict[str, str]:
    """Return language and flags, where they are stated.

    Raises
    ------
    ValueError
        If a flag says something else than yes or no.
    """
    about = {name: stated[name] for name in ("language", *FLAGS) if stated.get(name)}
    for name in FLAGS:
        if name in about and about[name].lower() not in ("yes", "no"):
            raise ValueError(f"{name}: {about[name]!r}; expected yes or no")
    return {name: value.lower() if name in FLAGS else value for name, value in about.items()}


class PackageWriter:
    """Writer of one test package, a document after the other.

    Parameters
    ----------
    name, licence
        For the description file.
    folder
        One that is empty or not there yet.

    Raises
    ------
    CorpusError
        If the folder holds files.
    """

    def __init__(self, name: str, licence: str, folder: Path) -> None:
        if folder.exists() and any(folder.iterdir()):
            raise CorpusError(
                f"{folder}: holds files; expected a folder that is empty or not there yet"
            )
        self.name = name
        self._licence = licence
        self._folder = folder
        self.n_written = 0

    def add(self, page: GoldPage, text: str, about: Mapping[str, str]) -> None:
        """Write the three files of a document.

        Parameters
        ----------
        about
            Its language and ``FLAGS``, as far as they are known.
        """
        write_atomic(self._folder / f"{page.id}{_PAGE}", page.data)
        write_atomic(self._folder / f"{page.id}{_TEXT}", f"{text}\n".encode(errors="replace"))
        write_atomic(self._folder / f"{page.id}{_META}", _lines(_meta(page, about)))
        self.n_written += 1

    def finish(self) -> None:
        """Write the description, without which a folder is no package."""
        described = _lines({"name": self.name, "licence": self._licence})
        write_atomic(self._folder / DESCRIPTION, described)


def write_package(
    corpus: Corpus, originals: Iterable[GoldPage | Lost], out: Path
) -> dict[str, str]:
    """Write a test package of the pages of a corpus; return why others are not in it, by id.

    Language and flags are those that the gold states; else the language is the page's own, and
    whether it is fragmented the labels tell.

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
    writer = PackageWriter(corpus.name, corpus.licence, out)
    pages = {page.id: page for page in corpus}
    left_out = dict.fromkeys(pages, "its HTML is not in the source")
    for original in originals:
        if original.id in left_out:
            if why := _write_page(
                pages[original.id], original, corpus.label_set.background, writer
            ):
                left_out[original.id] = why
            else:
                del left_out[original.id]
    if not writer.n_written:
        why = next(iter(left_out.values()), "it holds none")
        raise CorpusError(f"{corpus.name}: no page can be written: {why}")
    writer.finish()
    return left_out


def write_gold_packages(
    pages: Iterable[GoldPage | Lost],
    folder_of: Callable[[GoldPage], Path | None],
    licence: str,
    limit: int | None = None,
) -> tuple[dict[Path, int], dict[str, str]]:
    """Write test packages of the pages of a data set, without rendering them.

    Parameters
    ----------
    folder_of
        Folder of the package that a page belongs to, whose name is that of the package; None for a
        page that is in none.
    limit
        Documents of each package; the first ones are taken.

    Returns
    -------
    The number of documents by folder, and why pages are in no package, by id. Pages that the data
    set itself says are lost, that belong to no package, or to one that is full, are not named.

    Raises
    ------
    CorpusError
        If a folder holds files.
    """
    writers: dict[Path, PackageWriter] = {}
    left_out: dict[str, str] = {}
    for page in pages:
        if isinstance(page, Lost):
            left_out |= {} if page.is_known else {page.id: page.why}
            continue
        folder = folder_of(page)
        if folder is None or (folder in writers and writers[folder].n_written == limit):
            continue
        if not (text := gold_text(page.gold)):
            left_out[page.id] = "its gold has no main text"
            continue
        if folder not in writers:
            writers[folder] = PackageWriter(folder.name, licence, folder)
        writers[folder].add(page, text, page.gold.about)
    for writer in writers.values():
        writer.finish()
    return {folder: writer.n_written for folder, writer in writers.items()}, left_out


def gold_text(gold: Gold) -> str:
    """Return the main text of a gold, a line a piece; empty where it has none.

    The title and the body; without a body the blocks that stand for Title, Paragraph and Subtitle.
    """
    if gold.body:
        return "\n".join(text_lines(f"{gold.title or ''}\n{gold.text}"))
    return "\n".join(text_lines("\n".join(b.text for b in gold.blocks if b.label in _MAIN)))


def main_text(page: LabelledPage) -> str:
    """Return the main text of a page, a line a paragraph or heading; empty if none is known.

    That of the gold where it has a body: the title, then the body. Else that of the regions with
    the labels Title, Paragraph and Subtitle in the page's order, those of a block on one line. A
    space stands between regions, since a page does not keep whether there was one.
    """
    if page.gold.body:
        return gold_text(page.gold)
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


def _write_page(
    page: LabelledPage, original: GoldPage | Lost, background: str, writer: PackageWriter
) -> str:
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
    is_known = is_fragmented(page, background)
    about = {
        "language": page.page.lang,
        "fragmented": "" if is_known is None else ("no", "yes")[is_known],
    }
    named = replace(original, site=page.site, family=page.family, url=page.page.url)
    writer.add(named, text, about | dict(page.gold.about))
    return ""


def _meta(page: GoldPage, about: Mapping[str, str]) -> dict[str, str]:
    header = Message()
    header["content-type"] = page.content_type
    return {
        "url": page.url,
        "language": about.get("language") or about.get("lang", ""),
        **{name: about.get(name, "") for name in FLAGS},
        "encoding": header.get_content_charset() or "",
        "site": "" if site_of(page.url) == page.site else page.site,
        "family": "" if page.family == page.site else page.family,
    }


def _lines(values: Mapping[str, str]) -> bytes:
    """Return the values that are known as lines ``name: value``."""
    known = {name: " ".join(value.split()) for name, value in values.items()}
    return "".join(f"{name}: {value}\n" for name, value in known.items() if value).encode()
