"""Draft of a page, from which its parts are drawn, and the template families that draw them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from babel.dates import format_date, format_datetime

from structce.synthetic.dom import Content, MarkupNode, node
from structce.synthetic.language import Slot, expand
from structce.synthetic.sites import Site
from structce.synthetic.stories import Story, Teaser, person_name

_PIXEL = "data:image/gif;base64,R0lGODlhAQABAIAAAMzMzAAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw=="

TEMPLATE_FAMILIES: dict[str, TemplateFamily] = {}
"""Family by name."""

_TAGS = ("a", "a", "a", "em", "strong", "abbr", "span", "i", "mark")
_LONG = re.compile(r"[^\W\d_]{11,}")
_OPENING = re.compile(r"[“„«\"]?\s?\w")
SOFT_HYPHEN = "\u00ad"


@dataclass(frozen=True)
class Draft:
    """Draft of a page: its site, its story and the random numbers that choose between parts.

    ``kind`` is that of its family; ``hidden`` lists those of title, authors and date that the page
    does not show.
    """

    site: Site
    story: Story
    others: tuple[Teaser, ...]
    rng: random.Random
    kind: str = "news"
    hidden: frozenset[str] = frozenset()

    def node(
        self,
        role: str,
        tag: str,
        *children: Content,
        gold: str | None = None,
        **attributes: str | int,
    ) -> MarkupNode:
        """Return an element that has the site's class or style for its role."""
        return node(tag, children, gold=gold, **{**self.site.style.attributes[role], **attributes})

    def has(self, flag: str) -> bool:
        """Return whether the site has a feature, such as ``comments``."""
        return self.site.has(flag)

    def shows(self, part: str) -> bool:
        """Return whether the page shows its ``title``, ``authors`` or ``date``."""
        return part not in self.hidden

    def tag(self, purpose: str) -> str:
        """Return the site's tag for a purpose."""
        return self.site.tags[purpose]

    def word(self, key: str) -> str:
        """Return one of the site's labels."""
        return expand(self.site.words[key], self.rng, self.story.slots)

    def phrase(self, key: str, **slots: Slot) -> str:
        """Return one of the language's phrases about this story."""
        template = self.rng.choice(self.site.language.lists[key])
        return expand(template, self.rng, {**self.story.slots, **slots})

    def slot(self, key: str) -> str:
        """Return a person, place or thing in the story."""
        return expand(f"{{{key}}}", self.rng, self.story.slots)

    def phrases(self, key: str, n: int) -> list[str]:
        """Return at most ``n`` different phrases of the language about this story."""
        drawn = self.site.language.lists[key]
        chosen = self.rng.sample(drawn, min(n, len(drawn)))
        return [expand(template, self.rng, self.story.slots) for template in chosen]

    def person(self) -> str:
        """Return the name of somebody who is not an author of the page."""
        return person_name(self.site.language, self.rng)

    def link(self, role: str, *children: Content, gold: str | None = None) -> MarkupNode:
        """Return a link to somewhere on the site."""
        path = f"/{self.rng.randrange(10**6):06d}.html"
        return self.node(role, "a", *children, gold=gold, href=path)

    def image(
        self, role: str, width: int, height: int, *, gold: str | None = None, alt: str = ""
    ) -> MarkupNode:
        """Return an image; width and height are in CSS pixels."""
        path = f"/img/{self.rng.randrange(16**6):06x}.jpg"
        source = _PIXEL if self.site.habits["image"] == "data" else path
        return self.node(role, "img", gold=gold, src=source, width=width, height=height, alt=alt)

    def photo(self, width: int, height: int, *, alt: str = "") -> MarkupNode:
        """Return an image of the article, which is Multimedia."""
        return self.image("image", width, height, gold="Multimedia", alt=alt)

    def player(self, tag: str, **attributes: str | int) -> MarkupNode:
        """Return a player or drawing of the article, which is Multimedia."""
        return self.node("player", tag, gold="Multimedia", **attributes)

    def label(self, tag: str, word: str) -> MarkupNode:
        """Return one of the site's labels in an element without a role."""
        return node(tag, self.word(word))

    def button(self, word: str) -> MarkupNode:
        """Return a link that looks like a button."""
        return self.link("button", self.word(word))

    def form_button(self, word: str) -> MarkupNode:
        """Return a button of a form."""
        return self.node("button", "button", self.word(word), type="button")

    def box_heading(self, *children: Content) -> MarkupNode:
        """Return the heading of a box, in the site's tag for them."""
        return self.node("box-heading", self.tag("box-heading"), children)

    def headlines(self, n: int, tag: str | None = None) -> list[MarkupNode]:
        """Draw other stories and return links to them, each in an element if a tag is given."""
        links = [self.link("teaser-link", other.headline) for other in self.teasers(n)]
        return [node(tag, link) for link in links] if tag else links

    def teasers(self, n: int) -> list[Teaser]:
        """Draw teasers of other stories."""
        return self.rng.sample(self.others, n)

    def date(self, kind: str, when: datetime) -> str:
        """Return a date in the site's style for ``article`` or ``small`` print."""
        return format_moment(self.site, self.site.dates[kind], when)


DrawBody = Callable[[Draft], Content]
"""Function that draws the body of a page, or its content inside a frame."""

Frame = Callable[[Draft, Content], Content]
"""Function that returns the body of a page, given the content that it surrounds."""


@dataclass(frozen=True)
class TemplateFamily:
    """Template of pages."""

    name: str
    kind: str  # kind of its pages: ``news``, ``forum``, ``shop``
    topic: str  # topic of ``kinds/*.toml`` that its stories are drawn from; empty for news
    lacks: frozenset[str]  # those of ``title``, ``authors`` and ``date`` that pages do not show
    draw: DrawBody


def family(
    kind: str, *, topic: str = "", lacks: Sequence[str] = (), frame: Frame | None = None
) -> Callable[[DrawBody], DrawBody]:
    """Register a template family under its function's name, with a frame for its content."""

    def register(draw: DrawBody) -> DrawBody:
        def framed(draft: Draft) -> Content:
            return frame(draft, draw(draft)) if frame else draw(draft)

        name = draw.__name__
        TEMPLATE_FAMILIES[name] = TemplateFamily(name, kind, topic, frozenset(lacks), framed)
        return draw

    return register


def format_moment(site: Site, style: str, when: datetime) -> str:
    """Return a date in one of ``sites.DATE_STYLES``, in the site's language."""
    patterns = site.language.dates
    if style == "iso":
        return when.date().isoformat()
    if style == "stamp":
        return str(format_datetime(when, patterns["stamp"][site.locale], locale=site.locale))
    pattern = patterns[style][site.locale] if style in patterns else style
    return str(format_date(when.date(), pattern, locale=site.locale))


def inline_markup(draft: Draft, text: str) -> Content:
    """Return a text in which, half of the time, a few words are linked or emphasised."""
    pieces = draft.site.language.pieces(soft_hyphenate(draft, text))
    if draft.rng.random() < 0.5 or len(pieces) < 8:
        return "".join(pieces)
    start = draft.rng.randrange(2, len(pieces) - 4)
    end = start + draft.rng.randint(1, 4)
    rest = pieces[end:]
    is_long = len(rest) > 10 and draft.rng.random() < 0.4
    last = ["".join(rest[:-4]), _stressed(draft, rest[-4:])] if is_long else "".join(rest)
    return ["".join(pieces[:start]), _stressed(draft, pieces[start:end]), last]


def _stressed(draft: Draft, pieces: list[str]) -> Content:
    inner = "".join(pieces)
    shown = inner.rstrip()
    tag = draft.rng.choice(_TAGS)
    link = draft.link("text-link", shown) if tag == "a" else node(tag, shown)
    return [link, inner[len(shown) :]]


def soft_hyphenate(draft: Draft, text: str) -> str:
    """Return a text with soft hyphens in its long words if the site uses them."""
    if not draft.has("soft-hyphens"):
        return text
    return _LONG.sub(lambda word: f"{word[0][:5]}{SOFT_HYPHEN}{word[0][5:]}", text)


def opening_text(draft: Draft, text: str) -> Content:
    """Return the first text of an article, on some sites with a drop cap."""
    opening = _OPENING.match(text)
    is_cased = opening is not None and opening[0][-1].isupper()
    if not draft.has("drop-cap") or opening is None or not is_cased:
        return inline_markup(draft, text)
    return [drop_cap(draft, opening[0]), inline_markup(draft, text[opening.end() :])]


def drop_cap(draft: Draft, letter: str) -> MarkupNode:
    """Return a letter as high as several lines."""
    return draft.node("drop-cap", "span", letter)
