"""Schemes by which sites name their classes, from plain words to hashes and no names at all."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass


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
SCHEMES: dict[str, Scheme] = {}
"""Scheme by name."""

_STRUCTURAL = (
    "page header nav columns main side card box inline-box teasers teaser ad ad-native ad-tag "
    "button comment share cookie newsletter footer footer-columns sticky figure inset kicker meta "
    "bio-box teaser-date comment-date masthead site-name nav-link teaser-text media-label "
    "bar rail-grid rail main-area narrow three split two sheet-grid sheet hero margin newsprint "
    "network menus site-map promises tabs facts infobox toc pager data callout score code "
    "terminal notes drop-cap time-rail thread post post-side voted vote offer fade"
).split()


def scheme(function: Scheme) -> Scheme:
    """Register a naming scheme under its function's name."""
    SCHEMES[function.__name__] = function
    return function


@scheme
def semantic(roles: Roles, rng: random.Random) -> Naming:
    """Name every role by one of its natural names."""
    return _by_class(roles, _distinct({key: role.names for key, role in roles.items()}, rng))


@scheme
def shared(roles: Roles, rng: random.Random) -> Naming:
    """Give roles a class of their own after one that several roles share."""
    own = _distinct({key: role.names for key, role in roles.items()}, rng)
    names = {key: f"{roles[key].shared} x-{own[key]}".strip() for key in roles}
    return _by_class(roles, names)


@scheme
def misleading(roles: Roles, rng: random.Random) -> Naming:
    """Name roles by what other roles are usually called."""
    options = {key: role.decoy or role.names for key, role in roles.items()}
    return _by_class(roles, _distinct(options, rng))


@scheme
def bem(roles: Roles, rng: random.Random) -> Naming:
    """Name roles as elements of a block, with the site's prefix: ``nw-page__headline``."""
    prefix = "".join(rng.choices("bcdghklmnprstvw", k=2))
    block = rng.choice(("page", "c", "story", "ui"))
    own = _distinct({key: role.names for key, role in roles.items()}, rng)
    return _by_class(roles, {key: f"{prefix}-{block}__{own[key]}" for key in roles})


@scheme
def camel(roles: Roles, rng: random.Random) -> Naming:
    """Name roles in camel case, most after a common prefix: ``siteHeadline``."""
    prefix = rng.choice(("site", "js", "rt", "view"))
    own = _distinct({key: role.names for key, role in roles.items()}, rng)
    return _by_class(roles, {key: _camel(f"{prefix}-{own[key]}") for key in roles})


@scheme
def hashed(roles: Roles, rng: random.Random) -> Naming:
    """Name roles by a hash: ``css-1f0a9c``."""
    prefix = rng.choice(("css-", "sc-", "e", "_"))
    hashes = rng.sample(range(0x100000, 0xFFFFFF), len(roles))
    return _by_class(
        roles, {key: f"{prefix}{value:x}" for key, value in zip(roles, hashes, strict=True)}
    )


@scheme
def module(roles: Roles, rng: random.Random) -> Naming:
    """Name roles by component and hash: ``Headline_root__x7k2``."""
    own = _distinct({key: role.names for key, role in roles.items()}, rng)

    def named(key: str) -> str:
        component = _camel(own[key])
        ending = "".join(rng.choices("abcdefghkmnpqrstuvwxyz23456789", k=5))
        return f"{component[0].upper()}{component[1:]}_root__{ending}"

    return _by_class(roles, {key: named(key) for key in roles})


@scheme
def numbered(roles: Roles, rng: random.Random) -> Naming:
    """Name roles by number, as old content systems did: ``txt14``."""
    prefix = rng.choice(("txt", "s", "cms-", "el"))
    numbers = rng.sample(range(1, 400), len(roles))
    return _by_class(
        roles, {key: f"{prefix}{value}" for key, value in zip(roles, numbers, strict=True)}
    )


@scheme
def utility(roles: Roles, rng: random.Random) -> Naming:
    """Name declarations, not roles: ``fs-14px mb-8px``."""
    rules: dict[str, str] = {}
    attributes: dict[str, dict[str, str]] = {}
    for key, role in roles.items():
        names = [_atom(declaration) for declaration in _declarations(role.style)]
        rules |= {f".{name}": text for name, text in names}
        attributes[key] = {"class": " ".join(dict(names))} if names else {}
    return Naming(attributes, rules)


@scheme
def bare(roles: Roles, rng: random.Random) -> Naming:
    """Use no classes: every element has a style attribute."""
    styles = {key: role.style for key, role in roles.items()}
    return Naming({key: {"style": style} if style else {} for key, style in styles.items()}, {})


@scheme
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
