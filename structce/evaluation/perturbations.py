"""Perturbations of a page that keep its gold: furniture added or rewritten around an article.

An answer that is right before and wrong after depends on what it should not. Each perturbation is a
function of a `Draft`, the page as a tree in which the gold is placed; it edits the tree, or
returns False where it has no place; the blocks that it adds are those of ``furniture.toml``.
``PERTURBATIONS`` lists them with the fields that must stay.

A page is compared with itself as the parser writes it out (:func:`unperturbed`), since that alone
may change an answer.
"""

from __future__ import annotations

import hashlib
import html as entities
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, cached_property, partial
from importlib import resources
from random import Random
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from structce.evaluation.overlap import words
from structce.gold import Gold
from structce.language import UNSPACED, normalise
from structce.page import site_of
from structce.rendering import Document, parse

FIELDS = ("title", "authors", "date", "text")
"""Fields whose answers are compared."""

_BLOCKS = "p div ul ol dl table pre blockquote section article h1 h2 h3 h4 h5 h6 figure form aside"
_WITH_BLOCKS = ", ".join(_BLOCKS.split())
_NOT_BODY = frozenset(
    "aside footer nav header li td th dd blockquote figure figcaption pre form details a".split()
)
_SHORTEST = 25  # letters of a paragraph, so that no line of the furniture is taken for one
_LONGEST_BYLINE = 80  # characters
_RAW = re.compile(
    r"(<(script|style|textarea|pre|noscript|noframes|iframe|template|svg|math)\b.*?</\2>"
    r"|<!--.*?-->|<!DOCTYPE[^>]*>)",
    re.DOTALL | re.IGNORECASE,
)
_TAG = re.compile(r"<(/?)([a-z][a-z0-9]*)((?:\s+[^\s=>]+(?:=\"[^\"]*\")?)*)\s*>")
_ATTRIBUTE = re.compile(r"\s+([^\s=>]+(?:=\"[^\"]*\")?)")
_BLOCK_NAMES = "|".join([*_BLOCKS.split(), *"li tr td body head meta".split()])
_BETWEEN = re.compile(rf"(</?(?:{_BLOCK_NAMES})(?:\s(?:[^\">]|\"[^\"]*\")*)?>)\s*")
_IS_UNSPACED = re.compile(f"[{UNSPACED}]")


@cache
def _furniture() -> dict[str, dict[str, Any]]:
    text = resources.files(__package__).joinpath("furniture.toml").read_text("utf-8")
    return tomllib.loads(text)


@dataclass(frozen=True)
class Perturbed:
    """A page that was perturbed.

    Parameters
    ----------
    added
        Lines that its main text must gain.
    authors
        Authors that it must gain.
    headings
        Those of the lines that are headings.
    """

    html: str
    added: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()


class Draft:
    """A page to be perturbed: its tree, with the gold's paragraphs, headline and site placed.

    Parameters
    ----------
    variant
        Number from which the form of what is added is drawn: its elements, names, words and days;
        0 for the first form of each.
    """

    def __init__(self, html: str, gold: Gold, url: str = "", variant: int = 0) -> None:
        self.root = parse(Document(html, name="page", url=url))
        self.gold, self.url = gold, url
        self.random = Random(variant) if variant else None
        self.added: tuple[str, ...] = ()
        self.authors: tuple[str, ...] = ()
        self.headings: tuple[str, ...] = ()

    def pick(self, *options: str) -> str:
        """Return one of several forms."""
        return self.random.choice(options) if self.random else options[0]

    @cached_property
    def body(self) -> LexborNode:
        """The element ``body``; the root of a page with frames."""
        return self.root.css_first("body") or self.root

    @cached_property
    def paragraphs(self) -> list[LexborNode]:
        """Blocks without blocks inside that the gold's text has, in elements of running text."""
        whole = normalise(self.gold.text)
        found = []
        for node in self.root.css("p, div"):
            text = normalise(node.text())
            is_leaf = len(text) >= _SHORTEST and not _has_blocks(node)
            if is_leaf and text in whole and not any(a.tag in _NOT_BODY for a in _above(node)):
                found.append(node)
        return found

    @cached_property
    def last(self) -> LexborNode | None:
        """The last paragraph of the main text, if the gold ends with it."""
        last = self.paragraphs[-1] if len(self.paragraphs) > 1 else None
        lines = [line for line in map(normalise, self.gold.text.split("\n")) if line]
        return last if last and lines and lines[-1] in normalise(last.text()) else None

    @cached_property
    def pair(self) -> LexborNode | None:
        """The paragraph in the middle of those that another one follows."""
        ends = {node.mem_id for node in self.paragraphs}
        first = [node for node in self.paragraphs if _next(node) in ends]
        return first[len(first) // 2] if first else None

    @cached_property
    def container(self) -> LexborNode | None:
        """The innermost element around all paragraphs, below ``body``."""
        if len(self.paragraphs) < 2:
            return None
        ways = [[a.mem_id for a in _above(node)] for node in self.paragraphs]
        common = set(ways[0]).intersection(*ways[1:])
        around = next(a for a in _above(self.paragraphs[0]) if a.mem_id in common)
        return around if around.tag not in ("body", "html") else None

    @cached_property
    def site(self) -> str:
        """Name of the site: as the page states it, else the first label of its domain."""
        stated = self.root.css_first("meta[property='og:site_name']")
        name = (stated.attributes.get("content") or "") if stated else ""
        return " ".join(name.split()) or site_of(self.url).partition(".")[0].title()

    def line(self, n: int, place: int = 0) -> str:
        """Return a line of about ``n`` words that are the text's own, in an order of their own."""
        own = words(self.gold.text)
        taken = own[place * n :: 3][:n] or own[::3][:n] or ["more"]
        is_unspaced = bool(_IS_UNSPACED.match(taken[0]))
        return ("" if is_unspaced else " ").join(taken).capitalize()

    def day(self, n_days: int) -> str:
        """Return a day as the page's language writes it, or in figures.

        It is one of November 2026; in other variants one up to two years after the article.
        """
        lang = (self.root.attributes.get("lang") or "en")[:2]
        day = date(2026, 11, n_days)
        if self.random:
            gold = self.gold.date
            start = date(gold.year, gold.month, gold.day) if gold else date(2008, 1, 1)
            day = start + timedelta(self.random.randrange(700 if gold else 6500))
        if lang in ("zh", "ja"):
            return f"{day.year}年{day.month}月{day.day}日"
        forms = (f"{day.day}.{day.month}.{day.year}", f"{day:%d/%m/%Y}", day.isoformat())
        figures = self.pick(*forms)
        if lang != "en":
            return figures
        in_words = f"{day:%B} {day.day}, {day.year}"
        others = f"{day:%A}, {in_words}", f"{day.day} {day:%b} {day.year}"
        return self.pick(in_words, *others, figures)

    def put_first(self, html: str) -> bool:
        """Put nodes at the top of the body; False for an empty page."""
        if (first := self.body.child) is None:
            return False
        for node in _nodes(html):
            first.insert_before(node)
        return True


def unperturbed(html: str) -> str:
    """Return a page as the parser writes it out; RenderError if it cannot read it."""
    return _written(parse(Document(html, name="page")))


def perturb(
    name: str, html: str, gold: Gold, url: str = "", *, variant: int = 0
) -> Perturbed | None:
    """Return a page after the perturbation of a name; None where that has no place.

    Other variants than 0 add the same things in other forms.

    Raises
    ------
    RenderError
        If the parser cannot read the page.
    """
    draft, perturbation = Draft(html, gold, url, variant), PERTURBATIONS[name]
    if perturbation.rewrite:
        # Scripts, code and the like stay as they are: text, whole raw element, its name, text, ...
        pieces = [p for n, p in enumerate(_RAW.split(_written(draft.root))) if n % 3 != 2]
        change = perturbation.rewrite
        return Perturbed("".join(p if n % 2 else change(p) for n, p in enumerate(pieces)))
    if not perturbation.edit(draft):
        return None
    return Perturbed(_written(draft.root), draft.added, draft.authors, draft.headings)


def _written(root: LexborNode) -> str:
    return "<!DOCTYPE html>\n" + (root.html or "")


def _above(node: LexborNode) -> Iterator[LexborNode]:
    while (node := node.parent) is not None and node.tag not in ("-document", None):  # type: ignore[assignment]
        yield node


def _has_blocks(node: LexborNode) -> bool:
    return any(inner.mem_id != node.mem_id for inner in node.css(_WITH_BLOCKS))


def _next(node: LexborNode) -> int | None:
    """Return the identity of the next element beside a node."""
    beside = node.next
    while beside is not None and beside.tag in ("-text", "-comment"):
        beside = beside.next
    return None if beside is None else beside.mem_id


def _nodes(html: str, part: str = "body") -> list[LexborNode]:
    parent = getattr(LexborHTMLParser(f"<{part}>{html}</{part}>"), part)
    return [*parent.iter()] if parent else []


def _after(place: LexborNode | None, html: str) -> bool:
    if place is None:
        return False
    for node in reversed(_nodes(html)):
        place.insert_after(node)
    return True


def today(draft: Draft) -> bool:
    """Put today's date at the top of the page."""
    names, tag = draft.pick("top", "bar", "date", "c-3"), draft.pick("span", "p", "time", "b")
    return draft.put_first(f'<div class="{names}"><{tag}>{draft.day(26)}</{tag}></div>')


def ticker(draft: Draft) -> bool:
    """Put a line of running news with times and a day at the top of the page."""
    news = " ".join(f"<span>{10 + n}:15 {draft.line(5, n)}</span>" for n in range(3))
    names = draft.pick("ticker", "breaking", "c-4")
    return draft.put_first(f'<div class="{names}">{draft.day(25)} {news}</div>')


def teasers(draft: Draft, is_before: bool) -> bool:
    """Put a list of other articles with their days before the page's content, or after it."""
    if not is_before and draft.container is None:
        return False
    heads = ("Latest", "Most read", "Live") if is_before else ("More news", "Read next", "News")
    head = draft.pick(*heads)
    items = "".join(
        f'<li><a href="/other-{n}">{draft.line(7, n)}</a> <time>{draft.day(10 + n)}</time></li>'
        for n in range(1, 5)
    )
    tag, names = draft.pick("section", "div", "aside"), draft.pick("latest", "list", "c-7", "news")
    html = f'<{tag} class="{names}"><h3>{head}</h3><ul>{items}</ul></{tag}>'
    return draft.put_first(html) if is_before else _after(draft.container, html)


def appended(draft: Draft, kind: str) -> bool:
    """Append a block to the main text: ``code``, ``list``, ``table``, ``quote``, ..."""
    a, b, c = (entities.escape(draft.line(6 + 2 * n, n)) for n in range(3))
    rows = "".join(
        f"<tr><td>{entities.escape(draft.line(4, n))}<td>{n * 37},{n}05</tr>"
        for n in range(draft.random.randrange(4) if draft.random else 0)
    )
    block = draft.pick(*_furniture()["appended"][kind]).format(a=a, b=b, c=c, rows=rows)
    draft.added, draft.headings = tuple(_lines(block)), tuple(_lines(block, "h2, h3"))
    return _after(draft.last, block)


def _lines(
    html: str, blocks: str = "tr, li, dt, dd, p, pre, h2, h3, blockquote, div"
) -> Iterator[str]:
    """Yield the lines that a block of ours adds to a text: its rows, items and paragraphs."""
    for node in LexborHTMLParser(html).css(blocks):
        if not _has_blocks(node) or node.tag == "tr":
            yield from node.text(separator=" " if node.tag == "tr" else "").split("\n")


def between(draft: Draft, kind: str) -> bool:
    """Put something that is not text between two paragraphs."""
    title, other = (entities.escape(draft.line(8 - n, 1 + n)) for n in range(2))
    drawn = {
        "more": draft.pick("Read more", "See also", "Related", "Also read", "Mehr zum Thema"),
        "names": draft.pick(kind, "box", "c-5", f"{kind}-inline", f"article__{kind}"),
        "tag": draft.pick("div", "aside", "section"),
        "head": draft.pick("h4", "h3", "strong", "p"),
        "slot": draft.pick("ad-slot", "banner", "dfp", "c-8"),
    }
    block = _furniture()["between"][kind].format(title=title, other=other, **drawn)
    return _after(draft.pair, block)


def wrapped(draft: Draft, n_times: int) -> bool:
    """Wrap every second paragraph in an element ``div``, or several."""
    for node in draft.paragraphs[::2]:
        (wrap,) = _nodes("<div>" * n_times + (node.html or "") + "</div>" * n_times)
        node.replace_with(wrap)
    return bool(draft.paragraphs)


def site_name(draft: Draft, form: str) -> bool:
    """Put the site's name at the top of the page: as text, as a link, or under a logo."""
    name = _furniture()["site"][form].format(entities.escape(draft.site))
    header = f'<header class="site-header">{name}</header>'
    return bool(draft.site) and draft.put_first(header)


def without_byline(draft: Draft) -> bool:
    """Remove the shortest elements that name an author, outside the text, from a stating page."""
    names = [key for name in draft.gold.authors if (key := normalise(name))]
    inside = {a.mem_id for node in draft.paragraphs for a in (node, *_above(node))}
    nodes = [
        node
        for node in draft.body.css("a, span, p, div, li, address, strong, em")
        if node.mem_id not in inside
        and len(node.text()) <= _LONGEST_BYLINE
        and normalise(node.text()) in (*names, *(f"by{name}" for name in names))
    ]
    for node in nodes:
        node.remove()
    return bool(nodes)


def stated_authors(draft: Draft, place: str) -> bool:
    """State the authors, and another one, in JSON-LD or ``citation_author``, if nothing does."""
    states = "script[type*='ld+json' i], meta[name*='author' i], [itemprop=author]"
    head = draft.root.css_first("head")
    if not draft.gold.authors or head is None or draft.root.css_first(states):
        return False
    names = (*draft.gold.authors, draft.pick(*_furniture()["authors"]["more"]))
    persons = [{"@type": "Person", "name": name} for name in names]
    article = {"@context": "https://schema.org", "@type": "NewsArticle", "author": persons}
    html = f'<script type="application/ld+json">{json.dumps(article)}</script>'
    if place == "citation":
        html = "".join(
            f'<meta name="citation_author" content="{entities.escape(name)}">' for name in names
        )
    for node in _nodes(html, "head"):
        head.insert_child(node)
    draft.authors = names[-1:]
    return True


def stated_title(draft: Draft, form: str) -> bool:
    """Put the site's name behind or before the titles that the page states."""
    cards = draft.root.css("meta[property='og:title'], meta[name='twitter:title']")
    title = draft.root.css_first("head > title")
    if not draft.site or not (title or cards):
        return False
    if title:
        text = entities.escape(form.format(title.text(), draft.site))
        title.replace_with(_nodes(f"<title>{text}</title>", "head")[0])
    for node in cards:
        node.attrs["content"] = form.format(node.attributes.get("content") or "", draft.site)
    return True


def hidden(draft: Draft, style: str) -> bool:
    """Hide the container of the text by its style, as if a script were to reveal it."""
    if draft.container is not None:
        draft.container.attrs["style"] = style
    return draft.container is not None


def comments(draft: Draft) -> bool:
    """Put comments of readers, with names and days, after the text."""
    posts = "".join(
        f'<div class="comment"><span class="comment-author">{name}</span> '
        f'<time datetime="2026-11-{day}">{draft.day(day)}</time>'
        f"<p>{draft.line(9, day)}.</p></div>"
        for name, day in (("Tom Arden", 21), ("Lisa Pell", 22))
    )
    return _after(draft.container, f'<div id="comments"><h3>Comments</h3>{posts}</div>')


def hashed_classes(draft: Draft) -> bool:
    """Replace class names by hashes, as builders of style sheets do."""
    nodes = draft.root.css("[class]")
    for node in nodes:
        names = (node.attributes.get("class") or "").split()
        node.attrs["class"] = " ".join(
            "c" + hashlib.sha256(name.encode()).hexdigest()[:6] for name in names
        )
    return bool(nodes)


def upper_case(html: str) -> str:
    """Write the names of elements in capitals."""
    return _TAG.sub(lambda tag: f"<{tag[1]}{tag[2].upper()}{tag[3]}>", html)


def reordered(html: str) -> str:
    """Write attributes in reverse order."""
    return _TAG.sub(
        lambda tag: f"<{tag[1]}{' '.join([tag[2], *_ATTRIBUTE.findall(tag[3])[::-1]])}>", html
    )


@dataclass(frozen=True)
class Perturbation:
    """A change of a page that keeps its gold.

    Parameters
    ----------
    edit
        Edits the draft of a page; returns False where it has no place on the page.
    keeps
        Fields whose right answers must stay: the text with what the draft adds, and nothing else.
    rewrite
        Change of the source, after which every answer must be exactly the same.
    """

    edit: Callable[[Draft], bool] = lambda _: True
    keeps: tuple[str, ...] = FIELDS
    rewrite: Callable[[str], str] | None = None


PERTURBATIONS: Mapping[str, Perturbation] = {
    "today before": Perturbation(today),
    "ticker before": Perturbation(ticker),
    "teasers before": Perturbation(partial(teasers, is_before=True)),
    "teasers after": Perturbation(partial(teasers, is_before=False)),
    **{
        f"{kind} appended": Perturbation(partial(appended, kind=kind))
        for kind in "code list table quote references line".split()
    },
    **{
        f"{kind} between": Perturbation(partial(between, kind=kind))
        for kind in "promo newsletter related ad".split()
    },
    "wrapped once": Perturbation(partial(wrapped, n_times=1)),
    "wrapped twice": Perturbation(partial(wrapped, n_times=2)),
    **{
        f"site as {form}": Perturbation(partial(site_name, form=form))
        for form in ("text", "link", "logo")
    },
    "byline removed": Perturbation(without_byline, ("title", "date", "text")),
    "authors in JSON-LD": Perturbation(partial(stated_authors, place="json-ld")),
    "authors in citation": Perturbation(partial(stated_authors, place="citation")),
    "title with suffix": Perturbation(partial(stated_title, form="{} | {}")),
    "title with prefix": Perturbation(partial(stated_title, form="{1}: {0}")),
    "body invisible": Perturbation(partial(hidden, style="visibility: hidden")),
    "body transparent": Perturbation(partial(hidden, style="opacity: 0")),
    "comments after": Perturbation(comments),
    "classes hashed": Perturbation(hashed_classes),
    "attributes reordered": Perturbation(rewrite=reordered),
    "tags in capitals": Perturbation(rewrite=upper_case),
    "space added": Perturbation(rewrite=partial(_BETWEEN.sub, "\\n  \\1\\n\\n  ")),
    "space removed": Perturbation(rewrite=partial(_BETWEEN.sub, r"\1")),
    "characters as entities": Perturbation(
        rewrite=lambda html: html.encode("ascii", "xmlcharrefreplace").decode()
    ),
}
"""Perturbations by name, in the order of tables."""
