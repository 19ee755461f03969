"""Drawing of a site: its name, family, language, look and the habits of its editors."""

from __future__ import annotations

import random
import re
import tomllib
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources

from structce.synthetic.language import (
    SITE_LANGUAGES,
    Language,
    Topic,
    expand,
    read_kind_words,
    read_language,
)


@dataclass(frozen=True)
class Role:
    """A part of a page: its declarations, natural names, shared class and misleading names."""

    style: str
    names: tuple[str, ...]
    shared: str = ""
    decoy: tuple[str, ...] = ()


@dataclass(frozen=True)
class Naming:
    """The attributes that elements of each role get, and the rules that style them."""

    attributes: Mapping[str, Mapping[str, str]]
    rules: Mapping[str, str]


Roles = Mapping[str, Role]
Scheme = Callable[[Roles, random.Random], Naming]
NAMING_SCHEMES: dict[str, Scheme] = {}
"""Scheme by name."""

_STRUCTURAL = (
    "page header nav columns main side card box inline-box teasers teaser ad ad-native ad-tag "
    "button comment share cookie newsletter footer footer-columns sticky figure inset kicker meta "
    "bio-box teaser-date comment-date masthead site-name nav-link teaser-text media-label "
    "bar rail-grid rail main-area narrow three split two sheet-grid sheet hero margin newsprint "
    "network menus site-map promises tabs facts infobox toc pager data callout score code "
    "terminal notes drop-cap time-rail thread post post-side voted vote offer fade"
).split()


def naming_scheme(function: Scheme) -> Scheme:
    """Register a naming scheme under its function's name."""
    NAMING_SCHEMES[function.__name__] = function
    return function


@naming_scheme
def semantic(roles: Roles, rng: random.Random) -> Naming:
    """Name every role by one of its natural names."""
    return _by_class(roles, _distinct({key: role.names for key, role in roles.items()}, rng))


@naming_scheme
def shared(roles: Roles, rng: random.Random) -> Naming:
    """Give roles a class of their own after one that several roles share."""
    own = _distinct({key: role.names for key, role in roles.items()}, rng)
    names = {key: f"{roles[key].shared} x-{own[key]}".strip() for key in roles}
    return _by_class(roles, names)


@naming_scheme
def misleading(roles: Roles, rng: random.Random) -> Naming:
    """Name roles by what other roles are usually called."""
    options = {key: role.decoy or role.names for key, role in roles.items()}
    return _by_class(roles, _distinct(options, rng))


@naming_scheme
def bem(roles: Roles, rng: random.Random) -> Naming:
    """Name roles as elements of a block, with the site's prefix: ``nw-page__headline``."""
    prefix = "".join(rng.choices("bcdghklmnprstvw", k=2))
    block = rng.choice(("page", "c", "story", "ui"))
    own = _distinct({key: role.names for key, role in roles.items()}, rng)
    return _by_class(roles, {key: f"{prefix}-{block}__{own[key]}" for key in roles})


@naming_scheme
def camel(roles: Roles, rng: random.Random) -> Naming:
    """Name roles in camel case, most after a common prefix: ``siteHeadline``."""
    prefix = rng.choice(("site", "js", "rt", "view"))
    own = _distinct({key: role.names for key, role in roles.items()}, rng)
    return _by_class(roles, {key: _camel(f"{prefix}-{own[key]}") for key in roles})


@naming_scheme
def hashed(roles: Roles, rng: random.Random) -> Naming:
    """Name roles by a hash: ``css-1f0a9c``."""
    prefix = rng.choice(("css-", "sc-", "e", "_"))
    hashes = rng.sample(range(0x100000, 0xFFFFFF), len(roles))
    return _by_class(
        roles, {key: f"{prefix}{value:x}" for key, value in zip(roles, hashes, strict=True)}
    )


@naming_scheme
def module(roles: Roles, rng: random.Random) -> Naming:
    """Name roles by component and hash: ``Headline_root__x7k2``."""
    own = _distinct({key: role.names for key, role in roles.items()}, rng)

    def named(key: str) -> str:
        component = _camel(own[key])
        ending = "".join(rng.choices("abcdefghkmnpqrstuvwxyz23456789", k=5))
        return f"{component[0].upper()}{component[1:]}_root__{ending}"

    return _by_class(roles, {key: named(key) for key in roles})


@naming_scheme
def numbered(roles: Roles, rng: random.Random) -> Naming:
    """Name roles by number, as old content systems did: ``txt14``."""
    prefix = rng.choice(("txt", "s", "cms-", "el"))
    numbers = rng.sample(range(1, 400), len(roles))
    return _by_class(
        roles, {key: f"{prefix}{value}" for key, value in zip(roles, numbers, strict=True)}
    )


@naming_scheme
def utility(roles: Roles, rng: random.Random) -> Naming:
    """Name declarations, not roles: ``fs-14px mb-8px``."""
    rules: dict[str, str] = {}
    attributes: dict[str, dict[str, str]] = {}
    for key, role in roles.items():
        names = [_atom(declaration) for declaration in _declarations(role.style)]
        rules |= {f".{name}": text for name, text in names}
        attributes[key] = {"class": " ".join(dict(names))} if names else {}
    return Naming(attributes, rules)


@naming_scheme
def bare(roles: Roles, rng: random.Random) -> Naming:
    """Use no classes: every element has a style attribute."""
    styles = {key: role.style for key, role in roles.items()}
    return Naming({key: {"style": style} if style else {} for key, style in styles.items()}, {})


@naming_scheme
def sparse(roles: Roles, rng: random.Random) -> Naming:
    """Name only containers; texts are styled by tag."""
    kept = {key: roles[key] for key in _STRUCTURAL}
    naming = semantic(kept, rng)
    return Naming({key: naming.attributes.get(key, {}) for key in roles}, naming.rules)


def _by_class(roles: Roles, names: Mapping[str, str]) -> Naming:
    """Style each role by the last of its class names."""
    rules = {f".{names[key].split()[-1]}": role.style for key, role in roles.items()}
    return Naming({key: {"class": name} for key, name in names.items()}, rules)


def _distinct(options: Mapping[str, tuple[str, ...]], rng: random.Random) -> dict[str, str]:
    """Draw one option for each key, none twice; a key without a free one gets a number."""
    drawn: dict[str, str] = {}
    for key, names in options.items():
        free = [name for name in names if name not in drawn.values()]
        drawn[key] = rng.choice(free) if free else f"{rng.choice(names)}-{len(drawn)}"
    return drawn


def _camel(name: str) -> str:
    first, *rest = re.split(r"[-_]", name)
    return first + "".join(word.capitalize() for word in rest)


def _declarations(style: str) -> list[str]:
    return [text.strip() for text in style.split(";") if text.strip()]


def _atom(declaration: str) -> tuple[str, str]:
    """Return the name and the text of one declaration."""
    prop, value = declaration.split(":", 1)
    initials = "".join(word[0] for word in prop.split("-"))
    return f"{initials}-{re.sub(r'[^a-z0-9]+', '-', value.lower()).strip('-')}", declaration


@dataclass(frozen=True)
class SiteStyle:
    """The attributes of each role's elements, and the sheet that styles them."""

    attributes: Mapping[str, Mapping[str, str]]
    sheet: str


def draw_style(scheme: str, layout: str, *, side_first: bool, rng: random.Random) -> SiteStyle:
    """Draw a site's look.

    Parameters
    ----------
    scheme
        How classes are named, one of ``naming.SCHEMES``.
    layout
        How columns are made: ``flex``, ``grid``, ``float``, ``table`` or ``single``.
    side_first
        The side column comes before the main one.
    """
    file = resources.files(__package__) / "roles.toml"
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    theme = _draw_theme(data["themes"], rng, side_first=side_first)
    roles = {
        key: _role(entry | {"style": data["layouts"][layout].get(key, entry["style"])}, rng, theme)
        for key, entry in data["roles"].items()
    }
    naming = NAMING_SCHEMES[scheme](roles, rng)
    rules = {**_base_rules(theme), **naming.rules}
    sheet = "\n".join(f"{selector} {{ {style} }}" for selector, style in rules.items() if style)
    return SiteStyle(naming.attributes, sheet)


def _draw_theme(
    palette: Mapping[str, list[str]], rng: random.Random, *, side_first: bool
) -> dict[str, str]:
    fonts = rng.choice(("serif", "sans")), rng.choice(("serif", "sans"))
    side = rng.choice((240, 280, 300, 320))
    size = rng.choice((15, 16, 17, 18, 19))
    numbers = {
        "width": rng.choice((960, 1040, 1120, 1200, 1240)),
        "measure": rng.choice((620, 680, 740)),
        "gap": rng.choice((18, 24, 32)),
        "side": side,
        "size": size,
        "lead": size + rng.choice((0, 1, 2, 4)),
        "title": rng.choice((24, 28, 32, 36, 42, 48)),
        "radius": rng.choice((0, 0, 4, 10)),
        "across": rng.choice((2, 3, 4)),
    }
    colours = {
        name: rng.choice(palette[f"{name}s"])
        for name in ("accent", "paper", "panel", "line", "ink", "muted")
    }
    return {name: str(value) for name, value in numbers.items()} | {
        **colours,
        "head": rng.choice(palette[fonts[0]]),
        "text": rng.choice(palette[fonts[1]]),
        "grid": f"{side}px 1fr" if side_first else f"1fr {side}px",
    }


def _role(entry: Mapping[str, str], rng: random.Random, theme: Mapping[str, str]) -> Role:
    return Role(
        style=expand(entry["style"], rng, theme),
        names=tuple(entry["names"].split()),
        shared=entry.get("shared", ""),
        decoy=tuple(entry.get("decoy", "").split()),
    )


def _base_rules(theme: Mapping[str, str]) -> dict[str, str]:
    """Return rules by tag; alone they carry the pages of sites that name few classes."""
    rules = {
        "body": "margin: 0; font-family: {text}; font-size: {size}px; color: {ink}; "
        "line-height: 1.5; background: {panel}",
        "h1, h2, h3, h4": "font-family: {head}; line-height: 1.25; margin: 0 0 10px",
        "h1": "font-size: {title}px",
        "h2": "font-size: 22px",
        "h3": "font-size: 18px",
        "h4": "font-size: 15px",
        "p": "margin: 0 0 14px",
        "a": "color: {accent}",
        "img": "display: inline-block; background: #cfd6dc; max-width: 100%",
        "iframe, video, canvas, embed, object": "max-width: 100%",
        "figure": "margin: 0 0 16px",
        "figcaption": "font-size: 13px; color: {muted}",
        "form": "margin: 0",
    }
    return {selector: expand(style, random.Random(0), theme) for selector, style in rules.items()}


LAYOUTS = ("flex", "grid", "float", "table", "single")

SCHEME_CHOICES = (*sorted(NAMING_SCHEMES), "semantic", "semantic", "shared", "misleading")
"""Naming schemes; words are as usual on the web as hashes, so they stand more often."""

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
"""Tags that sites use for the same purpose; a tag that stands twice is twice as likely."""

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
"""Ways of doing one thing, of which a site has one."""

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
"""Chance that a site has a thing."""

DATE_STYLES = ("long", "medium", "numeric", "iso", "stamp", "weekday")


WordReader = Callable[[str], tuple[Language, Mapping[str, Topic]]]
"""Function that returns a language by its code, and the topics of kinds of pages."""


@dataclass(frozen=True)
class Site:
    """A publisher; all its pages share everything here.

    ``tags``, ``habits`` and ``flags`` are drawn from the tables of this module, ``dates`` holds
    the date style of the article and of the small print, ``words`` the site's own labels,
    ``kinds`` the topics of pages that are no plain news.
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
        """Tell whether the site has a thing, such as ``comments``."""
        return flag in self.flags

    def pick(self, key: str, n: int) -> int:
        """Return a number below ``n`` that is the site's own, always the same for a key."""
        return random.Random(f"{self.index}/{self.host}/{key}").randrange(n)


def draw_site(
    index: int, families: Sequence[str], *, seed: int, read: WordReader | None = None
) -> Site:
    """Return a site; it depends on its index and the seed, not on how many sites there are.

    Any run of consecutive sites as long as a list of options has every option once. ``read`` is
    :func:`read_words` or a version of it that remembers, for it reads files.
    """
    rng = random.Random(f"{seed}/site/{index}")
    language, kinds = (read or read_words)(SITE_LANGUAGES[index % len(SITE_LANGUAGES)])
    scheme = _turn(SCHEME_CHOICES, index, f"{seed}/namings")
    layout = _turn(LAYOUTS, index, f"{seed}/layouts")
    side_first = rng.random() < 0.4
    name = _site_name(language, index, seed)
    habits = {key: _turn(options, index, f"{seed}/{key}") for key, options in HABITS.items()}
    return Site(
        index=index,
        name=name,
        host=f"{_slug(language.romanised(name))}.example",
        family=_turn(families, index, f"{seed}/families"),
        language=language,
        locale=rng.choice(language.locales),
        style=draw_style(scheme, layout, side_first=side_first, rng=rng),
        layout=layout,
        side_first=side_first,
        tags=_draw_tags(scheme, rng),
        habits=habits,
        flags=frozenset(flag for flag, chance in FLAGS.items() if rng.random() < chance),
        dates={
            "article": _turn(DATE_STYLES, index, f"{seed}/dates"),
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


def _turn(options: Sequence[str], index: int, seed: str) -> str:
    """Return the option whose turn it is: rounds of all options, each in its own random order."""
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
