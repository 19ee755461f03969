"""Sites: name, language, template family, style and the habits of their editors."""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from structce.synthetic.language import (
    SITE_LANGUAGES,
    Language,
    Topic,
    read_kind_words,
    read_language,
)
from structce.synthetic.site_style import LAYOUTS, NAMING_SCHEMES, SiteStyle, draw_style

SCHEME_CHOICES = (*sorted(NAMING_SCHEMES), "semantic", "semantic", "shared", "misleading")
"""Naming schemes; those with words occur repeatedly, as words are as usual as hashes."""

TAGS: Mapping[str, tuple[str, ...]] = {
    "title": ("h1", "h1", "h1", "h2", "div"),
    "standfirst": ("p", "div", "h2", "p"),
    "section-heading": ("h2", "h3", "h2", "p", "div"),
    "teaser": ("div", "div", "article"),
    "teaser-title": ("h3", "h3", "h4", "h2", "div"),
    "box-heading": ("h2", "h3", "h4", "div"),
    "paragraph": ("p", "p", "p", "p", "div"),
    "byline": ("div", "p", "span", "address"),
    "date": ("time", "span", "div", "time", "p"),
    "small-date": ("time", "span", "span", "div"),
    "main": ("main", "div", "div", "section"),
    "article": ("article", "article", "div"),
    "side": ("aside", "div"),
    "comment-text": ("p", "div", "p"),
    "teaser-text": ("p", "div", "p"),
}
"""Tags that sites use for the same purpose; a tag listed twice is twice as likely."""

HABITS: Mapping[str, tuple[str, ...]] = {
    "byline": ("one-text", "by-link", "name-only", "with-role", "stacked", "posted", "credited"),
    "date": ("plain", "labelled", "in-one", "updated", "updated", "relative", "split"),
    "order": ("classic", "date-first", "lead-first", "meta-last", "lead-under"),
    "figure": ("figure", "figure", "div", "linked", "picture"),
    "caption": ("below", "below", "with-credit", "credit-first"),
    "image": ("file", "file", "data"),
    "related": ("below", "below-and-side", "side", "above-and-below"),
    "teaser": ("image-first", "title-first", "text-only", "full"),
    "title": ("dash", "bar", "section", "site-first", "headline"),
    "metadata": ("full", "graph", "linked-data", "plain", "wrong", "none"),
    "video": ("iframe", "video", "video-figure"),
    "quote": ("blockquote", "aside", "div"),
    "entities": ("plain", "plain", "plain", "numeric", "named"),
}
"""Alternatives; a site has one of each list."""

FLAGS: Mapping[str, float] = {
    "comments": 0.5,
    "breadcrumb": 0.5,
    "cookie": 0.3,
    "newsletter": 0.45,
    "today": 0.4,
    "share": 0.6,
    "sticky": 0.2,
    "tags": 0.5,
    "kicker": 0.55,
    "standfirst": 0.8,
    "author-box": 0.3,
    "reading-time": 0.3,
    "section-headings": 0.8,
    "audio": 0.25,
    "minified": 0.3,
    "inline-related": 0.5,
    "native-ads": 0.35,
    "latest": 0.5,
    "dateline": 0.3,
    "weather": 0.4,
    "anonymous": 0.06,
    "undated": 0.05,
    "drop-cap": 0.2,
    "soft-hyphens": 0.15,
    "more-from": 0.35,
    "ads": 0.75,
}
"""Chance that a site has a feature."""

DATE_STYLES = ("long", "medium", "numeric", "iso", "stamp", "weekday")


WordReader = Callable[[str], tuple[Language, Mapping[str, Topic]]]
"""Function that returns a language by its code, and the topics of kinds of pages."""


@dataclass(frozen=True)
class Site:
    """Publisher, whose pages share everything here.

    ``tags``, ``habits`` and ``flags`` are drawn from the tables of this module, ``dates`` contains
    the date style of the article and of the small print, ``words`` the site's own labels,
    ``kinds`` the topics of pages other than plain news.
    """

    index: int
    name: str
    host: str
    family: str
    language: Language
    locale: str
    style: SiteStyle
    layout: str
    side_first: bool
    tags: Mapping[str, str]
    habits: Mapping[str, str]
    flags: frozenset[str]
    dates: Mapping[str, str]
    words: Mapping[str, str]
    kinds: Mapping[str, Topic]

    def has(self, flag: str) -> bool:
        """Return whether the site has a feature of :data:`FLAGS`, such as ``comments``."""
        return flag in self.flags

    def pick(self, key: str, n: int) -> int:
        """Return a number below ``n`` that is fixed for the site and a key."""
        return random.Random(f"{self.index}/{self.host}/{key}").randrange(n)


def draw_site(
    index: int, families: Sequence[str], *, seed: int, read: WordReader | None = None
) -> Site:
    """Return a site; it depends on its index and the seed, not on the number of sites.

    A round of consecutive sites as long as a list of options has every option once. ``read`` is
    :func:`read_words` or a cached version of it, since it reads files.
    """
    rng = random.Random(f"{seed}/site/{index}")
    language, kinds = (read or read_words)(SITE_LANGUAGES[index % len(SITE_LANGUAGES)])
    scheme = _option_in_turn(SCHEME_CHOICES, index, f"{seed}/namings")
    layout = _option_in_turn(LAYOUTS, index, f"{seed}/layouts")
    side_first = rng.random() < 0.4
    name = _site_name(language, index, seed)
    lists = HABITS.items()
    habits = {key: _option_in_turn(options, index, f"{seed}/{key}") for key, options in lists}
    return Site(
        index=index,
        name=name,
        host=f"{_slug(language.romanise(name))}.example",
        family=_option_in_turn(families, index, f"{seed}/families"),
        language=language,
        locale=rng.choice(language.locales),
        style=draw_style(scheme, layout, side_first=side_first, rng=rng),
        layout=layout,
        side_first=side_first,
        tags=_draw_tags(scheme, rng),
        habits=habits,
        flags=frozenset(flag for flag, chance in FLAGS.items() if rng.random() < chance),
        dates={
            "article": _option_in_turn(DATE_STYLES, index, f"{seed}/dates"),
            "small": rng.choice(DATE_STYLES[:4]),
        },
        words={key: rng.choice(options) for key, options in language.words.items()},
        kinds=kinds,
    )


def read_words(code: str) -> tuple[Language, Mapping[str, Topic]]:
    """Return a language that knows the words of all kinds of pages, and the kinds' topics."""
    language, kinds = read_language(code), read_kind_words(code)
    words = {**language.words, **kinds.words}
    return replace(language, words=words, lists={**language.lists, **kinds.lists}), kinds.topics


def _option_in_turn(options: Sequence[str], index: int, seed: str) -> str:
    """Return the option for an index, in rounds of all options, each in a random order."""
    n_round, place = divmod(index, len(options))
    return random.Random(f"{seed}/{n_round}").sample(list(options), len(options))[place]


def _draw_tags(scheme: str, rng: random.Random) -> dict[str, str]:
    tags = {purpose: rng.choice(options) for purpose, options in TAGS.items()}
    if scheme == "sparse":
        return tags | {"title": "h1", "section-heading": "h2", "teaser-title": "h4"}
    return tags


def _site_name(language: Language, index: int, seed: int) -> str:
    names = language.names
    pairs = [
        language.site_name(first, last)
        for first in names["name_first"]
        for last in names["name_last"]
    ]
    random.Random(f"{seed}/names/{language.code}").shuffle(pairs)
    n_round, place = divmod(index, len(pairs))
    return f"{pairs[place]} {n_round + 1}" if n_round else pairs[place]


def _slug(name: str) -> str:
    spelt = name.lower().translate({ord("ä"): "ae", ord("ö"): "oe", ord("ü"): "ue"})
    plain = unicodedata.normalize("NFKD", spelt).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
