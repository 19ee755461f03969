"""Pages beside plain text: CleanEval and its like, Dragnet, Big9, Chinese articles, and SWDE.

The main text is complete in all of them; SWDE has values instead.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path

import webencodings

from structce.datasets.base import (
    UTF8_HTML,
    GoldPage,
    PageEntry,
    Row,
    Skipped,
    listed,
    open_data_set,
    page_bytes,
    reader,
)
from structce.datasets.text_formats import (
    decode_text,
    drop_empty,
    files_of,
    linked_site,
    parse_day,
    parse_texts,
    safe_id,
    stated_gold,
    stated_url,
    stems,
    text_body,
    text_lines,
)
from structce.gold import TEXT, Gold
from structce.io import Folder
from structce.language import normalise
from structce.page import site_of

# CleanEval and CleanPortalEval

_KINDS = {"h": "Subtitle", "p": "Paragraph", "l": "Paragraph", "": TEXT}
_WRAPPER = re.compile(rb'\s*<text((?:\s+[\w-]+\s*=\s*"[^"]*")*)\s*>\s*')
_WRAPPER_END = re.compile(rb"</text>\s*\Z")
_ATTRIBUTE = re.compile(rb'([\w-]+)\s*=\s*"([^"]*)"')
_URL_LINE = re.compile(r"\s*URL:\s*((?:\w+://|www\.).*|)")
_COMMENT = re.compile(r"^\s*<!--.*-->\s*$", re.MULTILINE)
_NO_LINE = re.compile(r"\n[\W_]*(?=\n)")  # a blank line, or a rule across the page

# Bullets of lists as the text browser draws them. A number may be part of the page's text; before a
# list item it seldom is.
_BULLET = r"(?:[*+o#§·•»-]|--)"
_NUMBER = r"(?:\d{1,3}[.)]|\(?\w[.)])"
_LEADING_BULLET = re.compile(rf"\A{_BULLET}(?:\s+|$)")
_LEADING_NUMBER = re.compile(rf"\A{_NUMBER}(?:\s+|$)")

# Mistyped marks (``<h<``, ``<l.``, ``<pIn``) count; one inside a word is part of the page's text.
_MARK = re.compile(
    rf"(?:^[ \t]*(?:{_BULLET}|{_NUMBER})[ \t]+|(?<![^\s>*]))<([hplHPL])(?:>|[.<]|(?=[A-Z]))",
    re.MULTILINE,
)


@reader("cleaneval")
def read_cleaneval(path: Path) -> Iterator[PageEntry]:
    """Yield the pages of the development part, then those of the final part, by number.

    Some pages of the final part have no text, in the data set itself.
    """
    parts = ("cleaneval-dev", "cleaneval-final")
    kinds = [f"{part}/{kind}" for part in parts for kind in ("input", "GoldStandard")]
    folder = open_data_set(path, *kinds)
    yield from _entries(folder / parts[0], "dev", may_lack=False)
    yield from _entries(folder / parts[1], "final", may_lack=True)


@reader("cleanportaleval")
def read_cleanportaleval(path: Path) -> Iterator[PageEntry]:
    """Yield the pages in the order of their names."""
    return _entries(open_data_set(path, "input", "GoldStandard"), "", may_lack=False)


def _entries(folder: Folder, part: str, *, may_lack: bool) -> Iterator[PageEntry]:
    """Yield all pages and texts of a folder, numbers in numerical order.

    ``part`` is the fact ``split`` of its pages; empty for a data set without parts, in which the
    first heading is the headline. ``may_lack`` states that pages may lack a text.
    """
    files = [*(folder / "input").iterdir(), *(folder / "GoldStandard").iterdir()]
    names = {file.name.rpartition(".")[0] for file in files}
    for name in sorted(names, key=lambda name: (len(name) if name.isdigit() else 0, name)):
        page_id = f"{part}-{name}" if part else name
        yield PageEntry(page_id, _cleaneval_page, folder, part, page_id, name, may_lack=may_lack)


def _cleaneval_page(
    folder: Folder, part: str, page_id: str, name: str, *, may_lack: bool
) -> GoldPage | Skipped:
    text = folder / "GoldStandard" / f"{name}.txt"
    if not text.exists():
        return Skipped(page_id, f"GoldStandard has no {name}.txt", is_known=may_lack)
    url, pieces = read_gold(text.read_bytes())
    if not pieces:
        return Skipped(page_id, f"no text in GoldStandard/{name}.txt", is_known=True)
    wrapped = page_bytes(folder / "input" / f"{name}.html")
    data, stated_address, content_type = unwrap_page(wrapped)
    first = next((n for n, (mark, _) in enumerate(pieces) if mark == "h"), None)
    body = [(_KINDS[mark], text) for mark, text in pieces]
    title, covers = None, frozenset({"Paragraph", "Subtitle"})
    if first is not None and part:
        body[first] = (TEXT, pieces[first][1])
    elif first is not None:
        title, covers = body.pop(first)[1], covers | {"Title"}
    about = {"split": part} if part else {}
    gold = Gold(title=title, body=tuple(body), about=about, covers=covers)
    return GoldPage.of_address(page_id, stated_address or url, data, gold, content_type)


def unwrap_page(data: bytes) -> tuple[bytes, str, str]:
    """Return a page as its server sent it, and the address and content type stated by its wrapper.

    Both are empty without a wrapper, the content type also if the encoding is unknown.
    """
    wrapper = _WRAPPER.match(data)
    if wrapper is None:
        return data, "", ""
    pairs = _ATTRIBUTE.findall(wrapper.group(1))
    attributes = {name.decode(): unescape(decode_text(value)) for name, value in pairs}
    encoding = attributes.get("encoding", "")
    content_type = f"text/html; charset={encoding}" if webencodings.lookup(encoding) else ""
    page = _WRAPPER_END.sub(b"", data[wrapper.end() :])
    return page, attributes.get("id", "").strip(), content_type


def read_gold(data: bytes) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the address, or "", and the mark and text of each piece of a gold file.

    The mark is ``h``, ``p`` or ``l``; empty for a piece without one, at the start or after a blank
    line. Bullets drawn by the text browser and numbers of list items are removed.
    """
    text = decode_text(data).replace("\r\n", "\n").replace("\r", "\n")
    head = _URL_LINE.match(text)
    text = unescape(_COMMENT.sub("", text[head.end() :] if head else text))
    url = unescape(head.group(1)).strip() if head else ""
    return url, tuple(_pieces(text))


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    parts = _MARK.split(text)
    for mark, part in zip(["", *parts[1::2]], parts[::2], strict=True):
        kind = mark.lower()
        for block in _NO_LINE.split(part):
            line = _without_bullet(kind, " ".join(block.split()))
            if normalise(line):
                yield kind, line
                kind = ""


def _without_bullet(mark: str, line: str) -> str:
    line = _LEADING_BULLET.sub("", line)
    number = _LEADING_NUMBER.match(line)
    # Outside list items, a number is a list marker only if nothing follows it.
    if number is None or not (mark == "l" or (not mark and number.end() == len(line))):
        return line
    return line[number.end() :]


# Dragnet

_CORRECTED = ".html.corrected.txt"
_EMPTY = {"R237": "its page is a redirection", "R427": "its page is an error message"}
_FAMILIES = {"bbc.com": "bbc.co.uk"}  # both addresses serve the same pages

# "!@#$%^&*()  COMMENTS", occasionally with an extra character or without the word.
_COMMENTS = re.compile(r"^\s*!+@#\$%.*$", re.MULTILINE)


@reader("dragnet")
def read_dragnet(path: Path) -> Iterator[PageEntry | Skipped]:
    """Yield the pages: numbered ones, then R (blogs from feeds) and T (blogs from Technorati)."""
    folder = open_data_set(path, "HTML", "Corrected")
    names = stems(folder / "HTML", ".html") | stems(folder / "Corrected", _CORRECTED)
    for name in sorted(names, key=lambda name: (name.rstrip("0123456789"), len(name), name)):
        if name in _EMPTY:
            yield Skipped(name, _EMPTY[name], is_known=True)
        else:
            yield PageEntry(name, _dragnet_page, folder, name)


def _dragnet_page(folder: Folder, name: str) -> GoldPage:
    data = page_bytes(folder / "HTML" / f"{name}.html")
    text = decode_text((folder / "Corrected" / f"{name}{_CORRECTED}").read_bytes())
    article, *rest = _COMMENTS.split(text, maxsplit=1)
    body, comments = text_body(article), text_lines(rest[0]) if rest else ()
    if not body:
        raise ValueError(f"Corrected/{name}{_CORRECTED} contains no text")
    gold = stated_gold(body=body, others=drop_empty({"comment": comments}))
    url = stated_url(data)
    site = site_of(url) or linked_site(data) or f"dragnet-{name}"
    return GoldPage(name, site, _FAMILIES.get(site, site), url, data, gold)


# Big9

_YEARS = {"2005": "big5-05", "2009": "big5-09", "2013": "big5-13", "2017": "big5-17"}
_SITES = {
    name: f"{name}.com"
    for name in "arstechnica cnn forbes foxnews latimes nymag nypost yahoo".split()
} | {"bbc": "bbc.co.uk"}
_HOST = re.compile(
    rf"https?://(?:[\w-]+\.)*?({'|'.join(_SITES)})\.(?:com|co\.uk)".encode(), re.IGNORECASE
)
_ARCHIVE = re.compile(r"https?://[\w.-]*archive\.org/web/\w+/(?=https?://)")
_WRONG = {"2005-amd-2", "2017-trump-4"}  # text and page belong to different articles


@reader("big9")
def read_big9(path: Path) -> Iterator[PageEntry]:
    """Yield the pages by year, then by name."""
    kinds = [f"Extraction/{name}/{kind}" for name in _YEARS.values() for kind in ("html", "gold")]
    root = open_data_set(path, *kinds) / "Extraction"
    for year, name in _YEARS.items():
        folder = root / name
        pages = {file.name.rpartition(".")[0]: file for file in (folder / "html").iterdir()}
        for stem in sorted({*pages, *stems(folder / "gold", ".txt")}):
            page_id = f"{year}-{safe_id(stem)}"
            yield PageEntry(page_id, _big9_page, folder, page_id, stem, pages.get(stem))


def _big9_page(folder: Folder, page_id: str, stem: str, page: Folder | None) -> GoldPage | Skipped:
    if page_id in _WRONG:
        return Skipped(page_id, "text and page belong to different articles", is_known=True)
    if page is None:
        return Skipped(page_id, f"no page with the name {stem}")
    data = page_bytes(page)
    title, *lines = text_lines(decode_text((folder / "gold" / f"{stem}.txt").read_bytes())) or [""]
    if not lines:
        return Skipped(page_id, f"gold/{stem}.txt: expected a headline and lines of text")
    body = tuple((TEXT, line) for line in lines)
    gold = stated_gold(title=title, body=body, about={"year": page_id[:4]})
    counts = Counter(name.decode().lower() for name in _HOST.findall(data))
    site = _SITES[counts.most_common(1)[0][0]] if counts else page_id
    return GoldPage(page_id, site, site, _ARCHIVE.sub("", stated_url(data)), data, gold)


# Chinese articles

_ONE_DIGIT = re.compile(r"(?<!\d)\d(?!\d)")


@listed("chinese-articles", "gold.json", "html")
def read_chinese_articles(folder: Folder, page_id: str, name: str, row: Row) -> GoldPage:
    """Return a page."""
    data, url, content_type = unwrap_page(page_bytes(folder / "html" / f"{name}.html"))
    if content_type:  # some pages were cut in the middle of a character of two bytes in places
        text: str = webencodings.decode(data, content_type.rpartition("=")[2])[0]
        data, content_type = text.encode(), UTF8_HTML
    date = str(row.get("date") or "")
    padded = _ONE_DIGIT.sub(lambda digit: f"0{digit[0]}", date)
    gold = stated_gold(
        authors=_chinese_authors(row.get("authors")),
        date=padded if parse_day(padded) else date,
        body=text_body(str(row.get("body") or "")),
    )
    site = str(row.get("site") or "") or site_of(url) or name
    return GoldPage(page_id, site, site_of(url) or site, url, data, gold, content_type)


def _chinese_authors(stated: object) -> tuple[str, ...]:
    """Return the names; the data set's list is split at every space, even in parentheses."""
    names: list[str] = []
    n_open = 0
    for part in parse_texts(stated or []):
        if names and (n_open > 0 or part.startswith("(")):
            names[-1] += f" {part}"
        else:
            names.append(part)
        n_open += part.count("(") - part.count(")")
    return tuple(names)


# SWDE

_TRUTH = "groundtruth"
_SITE_FOLDER = re.compile(r"(\w+)-(\w+)\(\d+\)")
# The collectors put the right encoding and the address before the doctype of each page, where the
# element puts browsers in quirks mode.
_BASE = re.compile(rb'(\xef\xbb\xbf)?\s*<base href="([^"]*)"\s*/>\s*')

_Values = Mapping[str, tuple[str, ...]]
"""Values of one attribute by page."""


@reader("swde")
def read_swde(path: Path) -> Iterator[PageEntry]:
    """Yield the existing pages by subject, site and number.

    The layout is ``SUBJECT/SUBJECT-SITE(N)/NNNN.htm`` and
    ``groundtruth/SUBJECT/SUBJECT-SITE-ATTRIBUTE.txt``; rows of missing pages are ignored.
    """
    root = open_data_set(path, _TRUTH)
    for truth in files_of(root / _TRUTH):
        for site in files_of(root / truth.name) if (root / truth.name).exists() else ():
            if match := _SITE_FOLDER.fullmatch(site.name):
                yield from _swde_site(truth, site, f"{match[1]}-{match[2]}")


def _swde_site(truth: Folder, site: Folder, name: str) -> Iterator[PageEntry]:
    files = [file for file in files_of(truth) if file.name.startswith(f"{name}-")]
    attributes = {
        file.name.removeprefix(f"{name}-").removesuffix(".txt"): _swde_rows(file) for file in files
    }
    for file in files_of(site):
        number = file.name.removesuffix(".htm")
        page_id = f"{name}-{number}"
        yield PageEntry(page_id, _swde_page, file, page_id, number, attributes)


def _swde_rows(file: Folder) -> _Values:
    """Return the rows after the two header lines: number of the page, count, values."""
    rows: dict[str, tuple[str, ...]] = {}
    text = file.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    for line in text.rstrip("\n").split("\n")[2:]:
        number, _, *stated = line.split("\t")
        values = (unescape(value).strip() for value in stated if value != "<NULL>")
        rows[number] = tuple(dict.fromkeys(value for value in values if value))
    return rows


def _swde_page(
    file: Folder, page_id: str, number: str, attributes: Mapping[str, _Values]
) -> GoldPage:
    data, url = page_bytes(file), ""
    if base := _BASE.match(data):
        url = unescape(base.group(2).decode("utf-8", errors="replace"))
        data = (base.group(1) or b"") + data[base.end() :]
    values = {name: rows[number] for name, rows in attributes.items() if rows[number]}
    site = page_id.rpartition("-")[0]
    return GoldPage.of_address(page_id, url, data, Gold(others=values), site=site)
