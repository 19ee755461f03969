"""Renderer of the templates: HTML files with a site's style, a story's words and gold labels.

A file of ``templates`` is the template of one kind of page, as ``docs/corpora.md`` describes it. It
extends a frame or ``base.html`` and may use the macros of ``templates/parts`` and what
:class:`InventedPage` has.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from html.entities import codepoint2name
from importlib import resources
from typing import TypeVar

from jinja2 import Environment, PackageLoader, StrictUndefined
from lxml import etree
from lxml import html as lxml_html
from markupsafe import Markup

from structce.synthetic.language import Slot, expand
from structce.synthetic.sites import Site
from structce.synthetic.stories import Story, Teaser, person_name

GOLD = "data-label"
"""Attribute of a template, and of a marked page, with the gold label of an element's regions."""

Item = TypeVar("Item")

_PARTS = "media head promotion boilerplate body wiki".split()  # later ones use those before
_HEADER = re.compile(r"(\w+)=([\w,-]+)")
_PIXEL = "data:image/gif;base64,R0lGODlhAQABAIAAAMzMzAAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw=="
_STRESS = ("a", "a", "a", "em", "strong", "abbr", "span", "i", "mark")
_LONG = re.compile(r"[^\W\d_]{11,}")
_OPENING = re.compile(r"[“„«\"]?\s?\w")
_SOFT_HYPHEN = "\u00ad"
_INDENTATION = re.compile("\n|  ")
_VERBATIM = {"pre", "style", "script"}
_FOREIGN = re.compile(r"[^\x00-\x7f]")

_BLOCKS = set(
    "html head body title meta link style script header nav main article section aside footer "
    "div p h1 h2 h3 h4 h5 ul ol li dl dt dd figure figcaption blockquote table tbody tr td "
    "form center hr".split()
)
"""Elements after which a line may end: white space there is never rendered."""


@dataclass(frozen=True)
class TemplateFamily:
    """Template of pages: the kind and topic of its pages, and what they do not show.

    An empty topic is that of news; ``lacks`` contains some of ``title``, ``authors`` and ``date``.
    """

    name: str
    kind: str
    topic: str
    lacks: frozenset[str]


@cache
def template_families() -> Mapping[str, TemplateFamily]:
    """Return the family of every template by name, in alphabetical order."""
    folder = resources.files(__package__) / "templates"
    families = {}
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        first_line = file.read_text(encoding="utf-8").partition("\n")[0] if file.is_file() else ""
        header = dict(_HEADER.findall(first_line))
        if "kind" in header:  # ``base.html`` has none
            name = file.name.removesuffix(".html")
            lacks = frozenset(filter(None, header.get("lacks", "").split(",")))
            families[name] = TemplateFamily(name, header["kind"], header.get("topic", ""), lacks)
    return families


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("structce.synthetic"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["timedelta"] = timedelta
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False}
    return environment


class InventedPage:
    """Draft of a page: everything public is a name that templates can use.

    ``others`` are the stories that the page may link to; ``hidden`` are those of ``title``,
    ``authors`` and ``date`` that it does not show; ``rng`` is the source of everything random.
    """

    def __init__(
        self,
        site: Site,
        kind: str,
        url: str,
        story: Story,
        others: Sequence[Teaser],
        hidden: frozenset[str],
        rng: random.Random,
    ) -> None:
        self.site, self.kind, self.url = site, kind, url
        self.story, self.others = story, others
        self.tags, self.habits, self.lists = site.tags, site.habits, site.language.lists
        self.pick, self.format = site.pick, site.format_moment
        self.randint = rng.randint
        self._hidden, self._rng = hidden, rng

    def has(self, flag: str) -> bool:
        """Return whether the site has a feature, such as ``comments``."""
        return flag in self.site.flags

    def shows(self, part: str) -> bool:
        """Return whether the page shows its ``title``, ``authors`` or ``date``."""
        return part not in self._hidden

    def chance(self, probability: float) -> bool:
        """Return True with a probability."""
        return self._rng.random() < probability

    def choice(self, options: Sequence[Item]) -> Item:
        """Return one of the options."""
        return self._rng.choice(options)

    def word(self, key: str) -> str:
        """Return one of the site's labels."""
        return expand(self.site.words[key], self._rng, self.story.slots)

    def phrase(self, key: str, **slots: Slot) -> str:
        """Return one of the language's phrases about this story."""
        return self.phrases(key, 1, **slots)[0]

    def phrases(self, key: str, n: int, **slots: Slot) -> list[str]:
        """Return at most ``n`` different phrases of the language about this story."""
        drawn = self._rng.sample(self.lists[key], min(n, len(self.lists[key])))
        return [expand(text, self._rng, {**self.story.slots, **slots}) for text in drawn]

    def slot(self, key: str) -> str:
        """Return a person, place or thing in the story."""
        return expand(f"{{{key}}}", self._rng, self.story.slots)

    def person(self) -> str:
        """Return the name of somebody who is not an author of the page."""
        return person_name(self.site.language, self._rng)

    def teasers(self, n: int) -> list[Teaser]:
        """Return teasers of other stories."""
        return self._rng.sample(self.others, n)

    def date(self, kind: str, when: datetime) -> str:
        """Return a date in the site's style for ``article`` or ``small`` print."""
        return self.format(self.site.dates[kind], when)

    def soft(self, text: str) -> str:
        """Return a text with soft hyphens in its long words if the site uses them."""
        if not self.has("soft-hyphens"):
            return text
        return _LONG.sub(lambda word: f"{word[0][:5]}{_SOFT_HYPHEN}{word[0][5:]}", text)

    def inline(self, text: str) -> Markup:
        """Return a text in which, half of the time, a few words are linked or emphasised."""
        pieces = self.site.language.pieces(self.soft(text))
        if self.chance(0.5) or len(pieces) < 8:
            return Markup.escape("".join(pieces))
        start = self._rng.randrange(2, len(pieces) - 4)
        end = start + self.randint(1, 4)
        parts = [Markup.escape("".join(pieces[:start])), self._stressed(pieces[start:end])]
        if len(pieces) - end > 10 and self.chance(0.4):
            return Markup().join(
                [*parts, Markup.escape("".join(pieces[end:-4])), self._stressed(pieces[-4:])]
            )
        return Markup().join([*parts, Markup.escape("".join(pieces[end:]))])

    def _stressed(self, pieces: Sequence[str]) -> Markup:
        inner = "".join(pieces)
        shown = inner.rstrip()
        tag = self.choice(_STRESS)
        role = ' data-role="text-link"' if tag == "a" else ""
        return Markup(f"<{tag}{role}>{{}}</{tag}>{{}}").format(shown, inner[len(shown) :])

    def drop_cap(self, text: str) -> Markup:
        """Return a text whose first letter, if it is a capital, is as high as several lines."""
        opening = _OPENING.match(text)
        if opening is None or not opening[0][-1].isupper():
            return self.inline(text)
        letter = Markup('<span data-role="drop-cap">{}</span>').format(opening[0])
        return letter + self.inline(text[opening.end() :])


def render_marked(draft: InventedPage, family: str) -> etree._Element:
    """Return the page of a draft as a tree whose elements have gold labels (:data:`GOLD`)."""
    environment = _environment()
    names = {name: getattr(draft, name) for name in dir(draft) if not name.startswith("_")}
    for part in _PARTS:
        module = environment.get_template(f"parts/{part}.html").make_module(names)
        names |= {name: value for name, value in vars(module).items() if name[0] != "_"}
    names.pop("name", None)  # of the module
    root = etree.fromstring(environment.get_template(f"{family}.html").render(names))
    _drop_indentation(root)
    _scatter(root, draft._rng)
    for element in root.iter():
        _complete(element, draft)
    if not draft.has("minified"):
        _break_lines(root)
    return root


def _drop_indentation(root: etree._Element) -> None:
    """Remove line breaks and indentation, except in verbatim text."""
    for element in root.iter():
        is_verbatim = element.tag in _VERBATIM or any(
            above.tag in _VERBATIM for above in element.iterancestors()
        )
        if element.text and not is_verbatim:
            element.text = _INDENTATION.sub("", element.text)
        if element.tail and (not is_verbatim or element.tag in _VERBATIM):
            element.tail = _INDENTATION.sub("", element.tail)


def _scatter(root: etree._Element, rng: random.Random) -> None:
    """Put loose elements between the others, at most one per gap, and not after a headline."""
    for flow in root.iter("scatter"):
        loose = [child for child in flow if child.tag == "loose"]
        for child in loose:
            flow.remove(child)
        gaps = [i for i in range(1, len(flow)) if flow[i - 1].get(GOLD) != "Subtitle"]
        loose = [child for child in loose if len(child)]
        rng.shuffle(loose)
        places = [flow[i] for i in sorted(rng.sample(gaps, min(len(gaps), len(loose))))]
        for place, child in zip(places, loose, strict=False):
            place.addprevious(child)
    etree.strip_tags(root, "scatter", "loose")


def _complete(element: etree._Element, draft: InventedPage) -> None:
    """Give an element the attributes of its role, and the address that it lacks."""
    given = {str(name): str(value) for name, value in element.attrib.items()}
    defaults = dict(draft.site.style.attributes.get(given.pop("data-role", ""), {}))
    if element.tag == "a":
        defaults["href"] = f"/{draft.randint(0, 999999):06d}.html"
    elif element.tag == "img":
        path = f"/img/{draft.randint(0, 16**6 - 1):06x}.jpg"
        defaults |= {"src": _PIXEL if draft.habits["image"] == "data" else path, "alt": ""}
    elif element.tag != "time":
        given.pop("datetime", None)
    element.attrib.clear()
    for name, value in (defaults | given).items():
        element.set(name, value)


def _break_lines(root: etree._Element) -> None:
    """Begin a line with each child of an element that has only blocks as children."""
    for element in root.iter():
        are_blocks = all(child.tag in _BLOCKS and not child.tail for child in element)
        if len(element) and not element.text and are_blocks:
            element.text = "\n"
            for child in element:
                child.tail = "\n"


def serialise(root: etree._Element, entities: str) -> str:
    """Return a page as HTML, whose body has references for all characters but ASCII.

    The habit ``plain`` has none; ``numeric`` writes numbers, every other one hexadecimal; ``named``
    uses names if HTML 4 has them.
    """
    document = str(lxml_html.tostring(root, encoding="unicode", doctype="<!DOCTYPE html>")) + "\n"
    head, start, body = document.partition("<body")

    def reference(character: re.Match[str]) -> str:
        code = ord(character[0])
        if entities == "named" and code in codepoint2name:
            return f"&{codepoint2name[code]};"
        return f"&#x{code:x};" if code % 2 else f"&#{code};"

    return document if entities == "plain" else head + start + _FOREIGN.sub(reference, body)
