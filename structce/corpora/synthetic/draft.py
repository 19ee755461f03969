"""What every part of a page is made from: the site, the story and a source of chance."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from babel.dates import format_date, format_datetime

from structce.corpora.synthetic.nodes import Content, Node, flatten
from structce.corpora.synthetic.phrases import Slot, expand
from structce.corpora.synthetic.sites import Site
from structce.corpora.synthetic.stories import Story, Teaser, invent_person

_PIXEL = "data:image/gif;base64,R0lGODlhAQABAIAAAMzMzAAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw=="


@dataclass(frozen=True)
class Draft:
    """A page in the making.

    ``kind`` is its family's; ``hidden`` is what it does not say of title, authors and date.
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
        attributes: Mapping[str, str] | None = None,
    ) -> Node:
        """Return an element that has the site's class or style for its role."""
        named = {**self.site.look.attributes[role], **(attributes or {})}
        return Node(tag, named, flatten(children), gold)

    def has(self, flag: str) -> bool:
        """Tell whether the site has a thing."""
        return self.site.has(flag)

    def shows(self, part: str) -> bool:
        """Tell whether the page says its ``title``, ``authors`` or ``date``."""
        return part not in self.hidden

    def tag(self, purpose: str) -> str:
        """Return the site's tag for a purpose."""
        return self.site.tags[purpose]

    def word(self, key: str) -> str:
        """Return one of the site's labels."""
        return expand(self.site.words[key], self.rng, self.story.slots)

    def say(self, key: str, **slots: Slot) -> str:
        """Return one of the language's phrases about this story."""
        template = self.rng.choice(self.site.language.lists[key])
        return expand(template, self.rng, {**self.story.slots, **slots})

    def slot(self, key: str) -> str:
        """Return a person, place or thing that the story is about."""
        return expand(f"{{{key}}}", self.rng, self.story.slots)

    def several(self, key: str, n: int) -> list[str]:
        """Return at most ``n`` different phrases of the language about this story."""
        drawn = self.site.language.lists[key]
        chosen = self.rng.sample(drawn, min(n, len(drawn)))
        return [expand(template, self.rng, self.story.slots) for template in chosen]

    def person(self) -> str:
        """Return the name of somebody who is no author of the page."""
        return invent_person(self.site.language, self.rng)

    def link(self, role: str, *children: Content, gold: str | None = None) -> Node:
        """Return a link to somewhere on the site."""
        path = f"/{self.rng.randrange(10**6):06d}.html"
        return self.node(role, "a", *children, gold=gold, attributes={"href": path})

    def image(
        self, role: str, width: int, height: int, *, gold: str | None = None, alt: str = ""
    ) -> Node:
        """Return an image; width and height are in CSS pixels."""
        path = f"/img/{self.rng.randrange(16**6):06x}.jpg"
        source = _PIXEL if self.site.habits["image"] == "data" else path
        attributes = {"src": source, "width": str(width), "height": str(height), "alt": alt}
        return self.node(role, "img", gold=gold, attributes=attributes)

    def teasers(self, n: int) -> list[Teaser]:
        """Draw announcements of other stories."""
        return self.rng.sample(self.others, n)

    def date(self, kind: str, when: datetime) -> str:
        """Return a date in the site's style for ``article`` or ``small`` print."""
        return format_moment(self.site, self.site.dates[kind], when)


def format_moment(site: Site, style: str, when: datetime) -> str:
    """Return a date in one of ``sites.DATE_STYLES``, in the site's language."""
    patterns = site.language.dates
    if style == "iso":
        return when.date().isoformat()
    if style == "stamp":
        return str(format_datetime(when, patterns["stamp"][site.locale], locale=site.locale))
    pattern = patterns[style][site.locale] if style in patterns else style
    return str(format_date(when.date(), pattern, locale=site.locale))
