"""Style of a site: the names of its classes, and its style sheet."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources

from structce.synthetic.language import expand

LAYOUTS = ("flex", "grid", "float", "table", "single")
"""Techniques for columns."""

_STRUCTURAL = (
    "page header nav columns main side card box inline-box teasers teaser ad ad-native ad-tag "
    "button comment share cookie newsletter footer footer-columns sticky figure inset kicker meta "
    "bio-box teaser-date comment-date masthead site-name nav-link teaser-text media-label "
    "bar rail-grid rail main-area narrow three split two sheet-grid sheet hero margin newsprint "
    "network menus site-map promises tabs facts infobox toc pager data callout score code "
    "terminal notes drop-cap time-rail thread post post-side voted vote offer fade"
).split()
"""Roles of containers that sparse sites name."""


@dataclass(frozen=True)
class SiteStyle:
    """Attributes of the elements of each role, and the style sheet of the pages."""

    attributes: Mapping[str, Mapping[str, str]]
    sheet: str


def draw_style(scheme: str, layout: str, *, side_first: bool, rng: random.Random) -> SiteStyle:
    """Draw a site's style, given its naming scheme of classes and one of the ``LAYOUTS``.

    The side column comes before the main one if ``side_first``.
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


@dataclass(frozen=True)
class Role:
    """Part of a page: its CSS declarations, natural names, shared class and misleading names."""

    style: str
    names: tuple[str, ...]
    shared: str = ""
    decoy: tuple[str, ...] = ()


@dataclass(frozen=True)
class Naming:
    """Attributes of the elements of each role, and the CSS rules that style them."""

    attributes: Mapping[str, Mapping[str, str]]
    rules: Mapping[str, str]


Roles = Mapping[str, Role]
NamingScheme = Callable[[Roles, random.Random], Naming]
ClassNames = Callable[[Roles, random.Random], dict[str, str]]

NAMING_SCHEMES: dict[str, NamingScheme] = {}
"""Naming scheme by name."""


def naming_scheme(function: NamingScheme) -> NamingScheme:
    """Register a naming scheme under its function's name."""
    NAMING_SCHEMES[function.__name__] = function
    return function


def class_scheme(class_names: ClassNames) -> ClassNames:
    """Register a naming scheme that gives each role a class; the last of several is styled."""

    def scheme(roles: Roles, rng: random.Random) -> Naming:
        names = class_names(roles, rng)
        rules = {f".{names[key].split()[-1]}": role.style for key, role in roles.items()}
        return Naming({key: {"class": name} for key, name in names.items()}, rules)

    NAMING_SCHEMES[class_names.__name__] = scheme
    return class_names


@class_scheme
def semantic(roles: Roles, rng: random.Random) -> dict[str, str]:
    """Name every role by one of its natural names."""
    return _distinct({key: role.names for key, role in roles.items()}, rng)


@class_scheme
def shared(roles: Roles, rng: random.Random) -> dict[str, str]:
    """Give roles a class shared by several roles, then one of their own."""
    own = semantic(roles, rng)
    return {key: f"{role.shared} x-{own[key]}".strip() for key, role in roles.items()}


@class_scheme
def misleading(roles: Roles, rng: random.Random) -> dict[str, str]:
    """Give roles the usual names of other roles."""
    return _distinct({key: role.decoy or role.names for key, role in roles.items()}, rng)


@class_scheme
def bem(roles: Roles, rng: random.Random) -> dict[str, str]:
    """Name roles as elements of a block, with the site's prefix: ``nw-page__headline``."""
    prefix = "".join(rng.choices("bcdghklmnprstvw", k=2))
    block = rng.choice(("page", "c", "story", "ui"))
    return {key: f"{prefix}-{block}__{name}" for key, name in semantic(roles, rng).items()}


@class_scheme
def camel(roles: Roles, rng: random.Random) -> dict[str, str]:
    """Name roles in camel case, most after a common prefix: ``siteHeadline``."""
    prefix = rng.choice(("site", "js", "rt", "view"))
    return {key: _camel(f"{prefix}-{name}") for key, name in semantic(roles, rng).items()}


@class_scheme
def hashed(roles: Roles, rng: random.Random) -> dict[str, str]:
    """Name roles by a hash: ``css-1f0a9c``."""
    prefix = rng.choice(("css-", "sc-", "e", "_"))
    hashes = rng.sample(range(0x100000, 0xFFFFFF), len(roles))
    return {key: f"{prefix}{value:x}" for key, value in zip(roles, hashes, strict=True)}


@class_scheme
def module(roles: Roles, rng: random.Random) -> dict[str, str]:
    """Name roles by component and hash: ``Headline_root__x7k2``."""
    names = {}
    for key, name in semantic(roles, rng).items():
        component = _camel(name)
        ending = "".join(rng.choices("abcdefghkmnpqrstuvwxyz23456789", k=5))
        names[key] = f"{component[0].upper()}{component[1:]}_root__{ending}"
    return names


@class_scheme
def numbered(roles: Roles, rng: random.Random) -> dict[str, str]:
    """Name roles by number, as old content systems did: ``txt14``."""
    prefix = rng.choice(("txt", "s", "cms-", "el"))
    numbers = rng.sample(range(1, 400), len(roles))
    return {key: f"{prefix}{value}" for key, value in zip(roles, numbers, strict=True)}


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
    naming = NAMING_SCHEMES["semantic"](kept, rng)
    return Naming({key: naming.attributes.get(key, {}) for key in roles}, naming.rules)


def _distinct(options: Mapping[str, tuple[str, ...]], rng: random.Random) -> dict[str, str]:
    """Draw a different option for each key; a key without a free option gets a number."""
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
    """Return rules by tag, which alone style the pages of sites with few classes."""
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
