"""Test packages as described by Gottron: a page, its main text and metadata.

T. Gottron (2007). Evaluating content extraction on HTML documents. Proceedings of the second
International Conference on Internet Technologies and Applications, section 4.1.

The paper does not specify the format of the files; ``docs/extraction.md`` has our interpretation.
In ``NAME.meta`` the entries ``url``, ``language``, ``fragmented`` and ``several articles`` are the
paper's; ``encoding``, ``site`` and ``family`` are ours. Each line of the text is a piece of the
body of the kind ``Text``; it may contain the headline, but the data do not say where.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from email.message import Message
from itertools import groupby
from pathlib import Path

from structce.corpus import Corpus, LabelledPage, read_manifest, read_raw
from structce.datasets.base import GoldPage, PageEntry, Skipped, open_data_set, page_bytes, reader
from structce.datasets.text_formats import files_of, stated_gold, text_body, text_lines, unique_id
from structce.errors import CorpusError, SourceError
from structce.gold import Gold
from structce.io import Folder, write_atomic
from structce.labels import UNKNOWN
from structce.page import site_of

_DESCRIPTION = "description.package"
_PAGE, _TEXT, _META = ".html", ".txt", ".meta"
_FLAGS = ("fragmented", "several articles")  # metadata with the value ``yes`` or ``no``
_BODY = ("Paragraph", "Subtitle")
_MAIN = ("Title", *_BODY)
_SPACE_BEFORE = re.compile(r"\s+([,.;:!?…»”)\]])")


@reader("gottron")
def read_gottron(path: Path) -> Iterator[PageEntry]:
    """Yield the documents of a package in the order of their names."""
    folder = open_data_set(path, _DESCRIPTION)
    files = (file.name for file in files_of(folder) if file.name.endswith((_PAGE, _TEXT)))
    taken: set[str] = set()
    for name in sorted({file.rpartition(".")[0] for file in files}):
        page_id = unique_id(name, taken)
        yield PageEntry(page_id, _read_page, folder, name, page_id)


def _read_page(folder: Folder, name: str, page_id: str) -> GoldPage:
    body = text_body((folder / f"{name}{_TEXT}").read_bytes().decode("utf-8-sig"))
    if not body:
        raise ValueError(f"{name}{_TEXT} contains no text")
    meta = folder / f"{name}{_META}"
    meta_values = _read_meta(meta.read_bytes().decode("utf-8-sig")) if meta.exists() else {}
    about = {name: meta_values[name] for name in ("language", *_FLAGS) if meta_values.get(name)}
    for flag in _FLAGS:
        if flag in about and about[flag].lower() not in ("yes", "no"):
            raise ValueError(f"{flag}: {about[flag]!r}; expected yes or no")
        about |= {flag: about[flag].lower()} if flag in about else {}
    url, encoding = meta_values.get("url", ""), meta_values.get("encoding", "")
    site = meta_values.get("site") or site_of(url) or page_id
    family = meta_values.get("family") or site
    data, gold = page_bytes(folder / f"{name}{_PAGE}"), stated_gold(body=body, about=about)
    content_type = f"text/html; charset={encoding}" if encoding else ""
    return GoldPage(page_id, site, family, url, data, gold, content_type)


def _read_meta(text: str) -> dict[str, str]:
    """Return the values of lines ``name: value`` by lower-case name."""
    values: dict[str, str] = {}
    for line in filter(str.strip, text.splitlines()):
        name, colon, value = line.partition(":")
        if not colon:
            raise ValueError(f"line {line!r}; expected 'name: value'")
        values[name.strip().lower()] = value.strip()
    return values


def _write_document(folder: Path, page: GoldPage, text: str) -> None:
    """Write the files of a document into the folder of its package."""
    header, about = Message(), page.gold.about
    header["content-type"] = page.content_type
    meta = {
        "url": page.url,
        "language": about.get("language") or about.get("lang", ""),
        **{name: about.get(name, "") for name in _FLAGS},
        "encoding": header.get_content_charset() or "",
        "site": "" if site_of(page.url) == page.site else page.site,
        "family": "" if page.family == page.site else page.family,
    }
    write_atomic(folder / f"{page.id}{_PAGE}", page.data)
    write_atomic(folder / f"{page.id}{_TEXT}", f"{text}\n".encode(errors="replace"))
    write_atomic(folder / f"{page.id}{_META}", _lines(meta))


def _lines(values: Mapping[str, str]) -> bytes:
    """Return the values that are not empty as lines ``name: value``."""
    lines = {name: " ".join(value.split()) for name, value in values.items()}
    return "".join(f"{name}: {value}\n" for name, value in lines.items() if value).encode()


def write_gold_packages(
    pages: Iterable[GoldPage | Skipped],
    folder_of: Callable[[GoldPage], Path | None],
    licence: str,
    name: str = "",
) -> tuple[dict[Path, int], dict[str, str]]:
    """Write the pages of a data set as test packages, without rendering them.

    ``folder_of`` returns the folder of a page's package; None for a page that belongs to none. A
    package is named like its folder unless it has a ``name``. Returns the number of documents by
    folder, and why pages could not be written, by id. Raises CorpusError if a folder is not empty.
    """
    counts: Counter[Path] = Counter()
    left_out: dict[str, str] = {}
    for page in pages:
        if isinstance(page, Skipped):
            left_out |= {} if page.is_known else {page.id: page.reason}
            continue
        if (folder := folder_of(page)) is None:
            continue
        if not (text := gold_text(page.gold)):
            left_out[page.id] = "its gold has no main text"
            continue
        if not counts[folder] and folder.exists() and any(folder.iterdir()):
            raise CorpusError(f"{folder}: not empty; expected an empty or a new folder")
        _write_document(folder, page, text)
        counts[folder] += 1
    written = {folder: n for folder, n in counts.items() if n}
    for folder in written:  # a folder without a description is not a package
        about = {"name": name or folder.name, "licence": licence}
        write_atomic(folder / _DESCRIPTION, _lines(about))
    return written, left_out


def write_package(
    corpus: Corpus, originals: Iterable[GoldPage | Skipped], out: Path
) -> dict[str, str]:
    """Write the pages of a corpus as a test package; return why pages are left out, by id.

    Language and flags are those stated in the gold; otherwise the language is that of the page, and
    the labels determine whether it is fragmented. ``originals`` are the pages before rendering, as
    a reader yields them. Raises CorpusError if the folder ``out`` exists and is not empty, or there
    is no page to write.
    """
    pages = {page.id: page for page in corpus}
    left_out = dict.fromkeys(pages, "its HTML is not in the source")
    background = corpus.label_set.background
    documents = (
        _document(pages[original.id], original, background)
        for original in originals
        if left_out.pop(original.id, "")
    )
    written, lost = write_gold_packages(
        documents, lambda page: out, corpus.licence, name=corpus.name
    )
    left_out |= lost
    if not written:
        reason = next(iter(left_out.values()), "it has none")
        raise CorpusError(f"{corpus.name}: no page can be written: {reason}")
    return left_out


def _document(
    page: LabelledPage, original: GoldPage | Skipped, background: str
) -> GoldPage | Skipped:
    """Return the original of a page with the main text and the facts of its package, or why not."""
    if isinstance(original, Skipped):
        return Skipped(page.id, original.reason)
    try:
        digest = original.document().digest
    except SourceError as error:
        return Skipped(page.id, str(error))
    if page.page.provenance.digest not in ("", digest):
        return Skipped(page.id, "its HTML in the source differs from that in the corpus")
    if not (text := main_text(page)):
        return Skipped(page.id, "its main text is unknown")
    is_known = is_fragmented(page, background)
    about = {
        "language": page.page.lang,
        "fragmented": "" if is_known is None else ("no", "yes")[is_known],
        **page.gold.about,
    }
    gold = Gold(body=text_body(text), about=about)
    url = page.page.url
    return replace(original, site=page.site, family=page.family, url=url, gold=gold)


def gold_text(gold: Gold) -> str:
    """Return the main text of a gold, one line per piece; empty if it has none.

    It consists of title and body; without a body, of the blocks labelled Title, Paragraph and
    Subtitle, and of those that the data set calls content without saying of which label.
    """
    if gold.body:
        return "\n".join(text_lines(f"{gold.title or ''}\n{gold.text}"))
    blocks = (b.text for b in gold.blocks if b.label in _MAIN or b.kind == "content")
    return "\n".join(text_lines("\n".join(blocks)))


def main_text(page: LabelledPage) -> str:
    """Return the main text of a page, one line per paragraph or heading; empty if none is known.

    If the gold has a body: the title, then the body. Otherwise the regions labelled Title,
    Paragraph and Subtitle in page order, one line per block. Regions are separated by a space.
    """
    if page.gold.body:
        return gold_text(page.gold)
    rows = zip(page.page.blocks.tolist(), page.page.text, page.labels, strict=True)
    main = ((block, text) for block, text, label in rows if label in _MAIN and text)
    blocks = groupby(main, key=lambda row: row[0])
    lines = (" ".join(text for _, text in block) for _, block in blocks)
    return "\n".join(text_lines("\n".join(_SPACE_BEFORE.sub(r"\1", line) for line in lines)))


def is_fragmented(page: LabelledPage, background: str) -> bool | None:
    """Return whether a background text or an advertisement interrupts a page's body.

    None if there is no region labelled Paragraph or Subtitle, or it depends on an unknown label.
    """
    body = [i for i, label in enumerate(page.labels) if label in _BODY]
    within = range(body[0], body[-1]) if body else range(0)
    labels = {page.labels[i] for i in within if page.page.text[i]}
    if labels & {background, "Advertisement"}:
        return True
    return None if not body or UNKNOWN in labels else False


def raw_pages(path: Path) -> Iterator[GoldPage]:
    """Yield the pages of a raw corpus unchanged, without gold.

    Raises CorpusError if there is no corpus, its pages are rendered, or a page cannot be read.
    """
    folder, manifest = read_manifest(path)
    if manifest["renderer"]:
        raise CorpusError(f"{path}: its pages are rendered, and their HTML is not kept")
    for row in manifest["pages"]:
        data, _ = read_raw(folder, row["id"])
        yield GoldPage(row["id"], row["site"], row["family"], row["url"], data, Gold())
