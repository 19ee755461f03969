"""Test pages of other programs: what their authors keep to measure or to test a program.

A list in JSON, or a file per page, has the values; the pages are in a folder beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, time
from pathlib import Path
from typing import Any, TypedDict
from urllib.parse import urlsplit

import lxml.html
from lxml import etree

from structce.corpus import read_json
from structce.datasets.base import (
    UTF8_HTML,
    GoldPage,
    PageEntry,
    Row,
    Skipped,
    listed,
    open_data_set,
    page_bytes,
    read_rows,
    reader,
)
from structce.datasets.text_formats import (
    BLOCKS,
    HEADINGS,
    annotated_lines,
    annotated_segments,
    collapse_spaces,
    drop_empty,
    parse_names,
    parse_texts,
    stated_gold,
    stated_url,
    stems,
    text_body,
    unique_id,
)
from structce.gold import TEXT, Gold
from structce.io import Folder
from structce.language import normalise
from structce.page import site_of


def _by_file(entry: tuple[str, Row]) -> tuple[str, str]:
    """Return the key by which listed pages are in the order of their files' names."""
    key, row = entry
    return str(row["file"]), key


# Article extraction benchmark


@listed("article-extraction-benchmark", "ground-truth.json", "html")
def read_article_benchmark(folder: Folder, page_id: str, name: str, row: Row) -> GoldPage:
    """Return a page of the benchmark."""
    data = page_bytes(folder / "html" / f"{name}.html.gz")
    gold = stated_gold(body=text_body(row["articleBody"]))
    return GoldPage.of_address(page_id, row.get("url") or "", data, gold, UTF8_HTML)


# htmldate

_DATE_PARTS = (  # list, folders of pages, encoding: news pages were saved again, all in one
    ("tests/eval_mediacloud_2020.json", ("tests/test_set",), UTF8_HTML),
    ("tests/eval_default.json", ("tests/cache", "tests/eval"), ""),
)
_FORWARDERS = frozenset({"feedproxy.google.com", "news.google.com", "www.google.com"})
"""Hosts whose addresses redirected to a page of another site."""


@reader("htmldate")
def read_htmldate(path: Path) -> Iterator[PageEntry]:
    """Yield the pages of both evaluations, each in the order of its file names.

    The second evaluation may be missing.
    """
    folder = open_data_set(path, _DATE_PARTS[0][0])
    taken: set[str] = set()
    for name, folders, content_type in _DATE_PARTS:
        if (folder / name).exists():
            for url, row in sorted(read_rows(folder / name).items(), key=_by_file):
                page_id = unique_id(str(row["file"]), taken)
                files = [folder / place / str(row["file"]) for place in folders]
                yield PageEntry(page_id, _dated_page, files, page_id, url, row, content_type)


def _dated_page(
    files: Sequence[Folder], page_id: str, url: str, row: Row, content_type: str
) -> GoldPage | Skipped:
    if not isinstance(row["date"], str):  # null, or not a number
        return Skipped(page_id, "the data set gives no date", is_known=True)
    data, gold = page_bytes(*files), stated_gold(date=row["date"])
    site = page_id if urlsplit(url).hostname in _FORWARDERS else site_of(url) or page_id
    return GoldPage(page_id, site, site, url, data, gold, content_type)


# Trafilatura

_TRAFILATURA_FOLDERS = ("tests/cache", "tests/eval")
_TRAFILATURA_VALUES = ("description", "tags", "categories", "sitename")
_SNAPSHOT = re.compile(r"https?://web\.archive\.org/web/\d+[a-z_]*/")
_SAVED = "hard::"  # prefix of the key of a page that is no longer on the web
_HOST_ENDS = re.compile(r"[.-]|$")


@listed(
    "trafilatura",
    "tests/evaldata.json",
    order=_by_file,
    page_id=lambda key, row: str(row["file"]),
)
def read_trafilatura(folder: Folder, page_id: str, key: str, row: Row) -> GoldPage:
    """Return a page of the evaluation."""
    data = page_bytes(*(folder / place / str(row["file"]) for place in _TRAFILATURA_FOLDERS))
    url = "" if key.startswith(_SAVED) else _SNAPSHOT.sub("", key)
    url = url if not url or "://" in url else f"http://{url}"
    others = {name: parse_texts(row.get(name)) for name in _TRAFILATURA_VALUES}
    gold = stated_gold(
        title=collapse_spaces(row.get("title")),
        byline=row.get("author"),
        lang="de",
        date=row.get("date"),
        about={"license": str(row.get("license") or "")},
        must=parse_texts(row["with"]),
        must_not=parse_texts(row["without"]),
        others=drop_empty({**others, "comment": parse_texts(row.get("comments"))}),
    )
    return GoldPage.of_address(page_id, url, data, gold, site=_site_in(key.removeprefix(_SAVED)))


def _site_in(name: str) -> str:
    """Return the longest registrable domain that a name begins with, or an empty string."""
    heads = [name[: match.start()] for match in _HOST_ENDS.finditer(name)]
    # The site of a subdomain is the name itself only if the name is a registrable domain.
    return next((head for head in reversed(heads) if site_of(f"http://a.{head}") == head), "")


# WCXB


class _WcxbList(TypedDict):
    files: dict[str, dict[str, Any]]


@reader("wcxb")
def read_wcxb(path: Path) -> Iterator[PageEntry | Skipped]:
    """Yield the pages of both parts, in the order of their numbers.

    A page that is in both is yielded in the part where the list of the data set counts it.
    """
    folder = open_data_set(path, "metadata.json", "dev/ground-truth")
    rows = read_json(folder / "metadata.json", _WcxbList)["files"]
    copies = {(number, str(row["split"])) for number, row in rows.items()}
    for part in ("dev", "test"):
        values = folder / part / "ground-truth"
        copies |= {(name, part) for name in stems(values, ".json")} if values.is_dir() else set()
    for number, part in sorted(copies):
        row = rows.get(number, {})
        page_id = f"{row.get('page_type', 'page')}-{number}"
        if str(row.get("split", part)) != part:
            reason = f"a second copy of the page in {row['split']}"
            yield Skipped(f"{page_id}-{part}", reason, is_known=True)
        else:
            yield PageEntry(page_id, _wcxb_page, folder / part, page_id, number, row)


def _wcxb_page(part: Folder, page_id: str, number: str, row: Row) -> GoldPage:
    data = page_bytes(part / "html" / f"{number}.html.gz")
    page = read_json(part / "ground-truth" / f"{number}.json", dict[str, Any])
    values = page["ground_truth"]
    gold = stated_gold(
        title=collapse_spaces(values.get("title")),
        byline=str(values.get("author") or "").strip(),
        date=values.get("publish_date"),
        body=tuple((TEXT, line) for line in annotated_lines(values.get("main_content"))),
        about={"page_type": row.get("page_type", ""), "split": part.name},
        must=annotated_segments(values.get("with")),
        must_not=annotated_segments(values.get("without")),
    )
    site = site_of(f"http://{row.get('domain', '')}")
    return GoldPage.of_address(page_id, page.get("url") or "", data, gold, UTF8_HTML, site=site)


# newspaper4k

_NEWSPAPER_ROOT = "tests/data"
_HOST = re.compile(r"[\w-]+(\.[\w-]+)+")


@reader("newspaper4k")
def read_newspaper4k(path: Path) -> Iterator[PageEntry]:
    """Yield the pages that have a file of values, in the order of their names."""
    names = (f"{_NEWSPAPER_ROOT}/metadata", f"{_NEWSPAPER_ROOT}/html")
    folder = open_data_set(path, *names) / _NEWSPAPER_ROOT
    taken: set[str] = set()
    for name in sorted(stems(folder / "metadata", ".json")):
        page_id = unique_id(name, taken)
        yield PageEntry(page_id, _newspaper_page, folder, page_id, name)


def _newspaper_page(folder: Folder, page_id: str, name: str) -> GoldPage:
    values = read_json(folder / "metadata" / f"{name}.json", dict[str, Any])
    data = page_bytes(folder / "html" / f"{name}.html")
    file = folder / "txt" / f"{name}.txt"
    text = file.read_bytes().decode("utf-8") if file.exists() else values.get("text") or ""
    url, host = values.get("url") or "", values.get("meta_site_name") or ""
    names, image = list(_stripped(values.get("authors"))), str(values.get("top_image") or "")
    # Entries of the program's old format have no address, and fragments of a byline as authors.
    authors = parse_names(names, "en") if url else ()
    others = {
        "description": tuple(_stripped([values.get("meta_description")])),
        "sitename": tuple(_stripped([host])),
    }
    gold = stated_gold(
        title=collapse_spaces(values.get("title")),
        authors=authors,
        date=values.get("publish_date"),
        body=text_body(text),
        about={
            "author": "" if authors else "; ".join(names),
            "images": " ".join(x for x in _stripped(values.get("images")) if x != image),
        },
        images=((image,),) if image else (),
        others=drop_empty(others),
        covers=frozenset(),
    )
    if isinstance(gold.date, datetime) and gold.date.timetz() == time():  # without a time of day
        gold = replace(gold, date=gold.date.date())
    site = site_of(f"http://{host}") if _HOST.fullmatch(host) else ""
    return GoldPage.of_address(page_id, url, data, gold, site=site)


def _stripped(stated: object) -> Iterator[str]:
    """Yield the texts of a list that are not empty."""
    for value in stated if isinstance(stated, list) else ():
        if isinstance(value, str) and value.strip():
            yield value.strip()


# Readability

_READABILITY_ROOT = "test/test-pages"
_READABILITY_VALUES = {"byline": "byline", "excerpt": "excerpt", "siteName": "sitename"}
_CAPTIONS = frozenset({"caption", "figcaption"})
_NUMBER = re.compile(r"-\d+$")
_INVENTED = re.compile(rb"lorem ipsum", re.IGNORECASE)


@reader("readability")
def read_readability(path: Path) -> Iterator[PageEntry]:
    """Yield the test pages, in the order of their names."""
    folder = open_data_set(path, _READABILITY_ROOT) / _READABILITY_ROOT
    for name in sorted(case.name for case in folder.iterdir() if case.is_dir()):
        yield PageEntry(name, _readability_page, folder / name, name)


def _readability_page(folder: Folder, name: str) -> GoldPage:
    data = page_bytes(folder / "source.html")
    values = read_json(folder / "expected-metadata.json", dict[str, Any])
    html = (folder / "expected.html").read_bytes()
    root = lxml.html.document_fromstring(html, parser=lxml.html.HTMLParser(encoding="utf-8"))
    pieces = list(_pieces(root))
    names = (*_READABILITY_VALUES, "lang", "publishedTime")
    fields = {key: str(values.get(key) or "").strip() for key in names}
    lines = (line.strip() for line in fields["byline"].splitlines())
    first = next((line for line in lines if line.casefold() not in ("", "by")), "")
    authors = (name for name in parse_names(first, fields["lang"]) if not re.search(r"\d", name))
    gold = stated_gold(
        title=collapse_spaces(values.get("title")),
        authors=tuple(authors),
        date=fields["publishedTime"],
        body=tuple(piece for piece in pieces if piece[0] != "Caption"),
        about={"lang": fields["lang"]},
        captions=tuple(text for kind, text in pieces if kind == "Caption"),
        others={ours: (fields[key],) for key, ours in _READABILITY_VALUES.items() if fields[key]},
        covers=frozenset(),
    )
    url = stated_url(data, in_page_order=True)
    site = site_of(url) or _NUMBER.sub("", name)
    family = "lorem-ipsum" if not url and _INVENTED.search(data) else site
    return GoldPage(name, site, family, url, data, gold, UTF8_HTML)


def _pieces(root: lxml.html.HtmlElement) -> Iterator[tuple[str, str]]:
    """Yield the kind and text of each stretch between two block boundaries."""
    inside: list[str] = []
    words: list[str] = []
    for event, node in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        tag = node.tag if event in ("start", "end") else ""
        if tag in BLOCKS:
            text = " ".join("".join(words).split())
            words.clear()
            if normalise(text):
                is_heading = not HEADINGS.isdisjoint(inside)
                other = "Paragraph" if _CAPTIONS.isdisjoint(inside) else "Caption"
                yield "Subtitle" if is_heading else other, text
        if event == "start":
            inside.append(tag)
            words.append(" " if tag == "br" else node.text or "")
        else:
            if event == "end":
                inside.pop()
            words.append(node.tail or "")


# Fundus

_FUNDUS_ROOT = "tests/resources/parser/test_data"
_FUNDUS_LABELS = "Author Caption Date Multimedia Paragraph Subtitle Title".split()
_FAMILIES = (  # publishers that share a page template, as the data set's description lists them
    "CanadaCom FinancialPost NationalPost OttawaCitizen TheProvince",
    "BSZ BerlinerMorgenpost HamburgerAbendblatt WAZ",
    "EuronewsDE EuronewsEN EuronewsFR",
    "DurbanLocal Isolezwe IsolezweLesiXhosa",
    "MDR NDR",
    "SportSchau Tagesschau",
    "VogueDE Wired",
    "ChunichiShimbun TokyoShimbun",
    "MexicoNewsDaily TheNamibian",
    "DailyNewsTZ HabariLeo",
    "DailyStar TheMirror",
    "FrankfurterRundschau Merkur",
)
# Sites that the current data set uses for publishers that moved, publish under several names, or
# whose old pages have no address: a split must not separate old and new pages.
_OLD_SITES = {"BBC": "bbc.com", "Pravda": "pravda.com.ua", "Taz": "taz.de"}


def _fundus_id(name: str, row: Row) -> str:
    return name.removesuffix(".html.gz")


@listed("fundus", "gold_map.json", _FUNDUS_ROOT, page_id=_fundus_id)
def read_fundus(folder: Folder, page_id: str, name: str, row: Row) -> GoldPage:
    """Return a page of the fixtures; every label is covered."""
    country, file = name.split("/")
    publisher = file.removesuffix(".html.gz")[: -len("_YYYY_MM_DD")]
    place = folder / _FUNDUS_ROOT / country
    data = page_bytes(place / file)
    values = read_json(place / f"{publisher}.json", dict[str, dict[str, Any]])
    gold = _fundus_gold(values[row["gold_key"]])
    site = site_of(row["url"]) or publisher.lower()
    return GoldPage(page_id, site, _fundus_family(publisher, site), row["url"], data, gold)


@listed("fundus-history", "gold.json", "pages", page_id=_fundus_id)
def read_fundus_history(folder: Folder, page_id: str, name: str, row: Row) -> GoldPage:
    """Return an old page, whose gold covers a label only if it has a value for it.

    The parsers only gradually learnt to read standfirsts, images and captions.
    """
    data, gold = page_bytes(folder / "pages" / name), _fundus_gold(row["gold"])
    url, publisher = row.get("url") or "", row["publisher"]
    site = _OLD_SITES.get(publisher) or site_of(url) or publisher.lower()
    values = {
        "Author": gold.authors,
        "Caption": gold.captions,
        "Date": gold.date,
        "Multimedia": gold.images,
        "Title": gold.title,
    }
    covers = frozenset({*drop_empty(values), *(kind for kind, _ in gold.body)})
    gold = replace(gold, covers=covers)
    return GoldPage(page_id, site, _fundus_family(publisher, site), url, data, gold)


def _fundus_family(publisher: str, site: str) -> str:
    """Return a publisher's family by its name in Fundus: its site unless it shares a template."""
    groups = map(str.split, _FAMILIES)
    return next((group[0] for group in groups if publisher in group), site)


def _fundus_gold(values: dict[str, Any]) -> Gold:
    """Return the gold of a page from the values of its parser; every label is covered."""
    body = values.get("body") or {}
    pieces = [("Subtitle", text) for text in body.get("summary") or ()]
    for section in body.get("sections") or ():
        pieces += [("Subtitle", text) for text in section.get("headline") or ()]
        pieces += [("Paragraph", text) for text in section.get("paragraphs") or ()]
    images = values.get("images") or ()
    addresses = [[version["url"] for version in image.get("versions") or ()] for image in images]
    moment = values.get("publishing_date")
    return Gold(
        title=values.get("title") or None,
        authors=tuple(values.get("authors") or ()),
        date=datetime.fromisoformat(moment) if moment else None,
        body=tuple(piece for piece in pieces if piece[1].strip()),
        captions=tuple(dict.fromkeys(c for image in images if (c := image.get("caption")))),
        images=tuple(tuple(dict.fromkeys(urls)) for urls in addresses if urls),
        covers=frozenset(_FUNDUS_LABELS),
    )
