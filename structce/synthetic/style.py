"""Style of a site: the names of its classes, and its style sheet, drawn from ``roles.toml``."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from structce.synthetic.language import expand, read_toml


@dataclass(frozen=True)
class SiteStyle:
    """Attributes of the elements of each role, and the style sheet of the pages."""

    attributes: Mapping[str, Mapping[str, str]]
    sheet: str


Names = dict[str, str]
"""Class by role."""

_HASH = "abcdefghkmnpqrstuvwxyz23456789"

_roles = cache(lambda: read_toml("roles.toml"))


def draw_style(naming: str, layout: str, *, side_first: bool, rng: random.Random) -> SiteStyle:
    """Draw a site's style, given how it names classes, and one of the layouts of columns.

    ``bare`` sites use style attributes, ``utility`` sites a class for each declaration, ``sparse``
    ones name only containers; all others have a class for every role. The side column comes before
    the main one if ``side_first``.
    """
    data = _roles()
    theme = _draw_theme(data, rng, side_first=side_first)
    looks = {key: role["style"] for key, role in data["roles"].items()} | data["layouts"][layout]
    styles = {key: expand(look, rng, theme) for key, look in looks.items()}
    rules = {selector: expand(style, rng, theme) for selector, style in data["base"].items()}
    if naming == "bare":
        attributes = {key: {"style": style} for key, style in styles.items() if style}
    elif naming == "utility":
        atoms = {key: dict(_atoms(style)) for key, style in styles.items()}
        attributes = {key: {"class": " ".join(names)} for key, names in atoms.items() if names}
        rules |= {f".{name}": text for names in atoms.values() for name, text in names.items()}
    else:
        kept = data["containers"].split() if naming == "sparse" else list(styles)
        roles = {key: data["roles"][key] for key in kept}
        classes = _class_names(naming, roles, rng)
        attributes = {key: {"class": name} for key, name in classes.items()}
        rules |= {f".{name.split()[-1]}": styles[key] for key, name in classes.items()}
    sheet = "\n".join(f"{selector} {{ {style} }}" for selector, style in rules.items() if style)
    return SiteStyle(attributes, sheet)


def _draw_theme(data: dict[str, Any], rng: random.Random, *, side_first: bool) -> dict[str, str]:
    theme = {name: rng.choice(values) for name, values in data["theme"].items()}
    head, text = (rng.choice(data["fonts"][rng.choice(("serif", "sans"))]) for _ in range(2))
    size = rng.choice((15, 16, 17, 18, 19))
    return theme | {
        "head": head,
        "text": text,
        "size": str(size),
        "lead": str(size + rng.choice((0, 1, 2, 4))),
        "grid": f"{theme['side']}px 1fr" if side_first else f"1fr {theme['side']}px",
    }


def _atoms(style: str) -> Iterable[tuple[str, str]]:
    """Yield a class name for each declaration: ``fs-14px`` for ``font-size: 14px``."""
    for declaration in filter(None, map(str.strip, style.split(";"))):
        prop, value = declaration.split(":", 1)
        initials = "".join(word[0] for word in prop.split("-"))
        yield f"{initials}-{re.sub(r'[^a-z0-9]+', '-', value.lower()).strip('-')}", declaration


Roles = Mapping[str, Mapping[str, str]]


def _class_names(naming: str, roles: Roles, rng: random.Random) -> Names:
    """Return the class of every role by a scheme.

    They are ``hashed`` (``css-1f0a9c``), ``numbered`` (``txt14``), natural names (``semantic``),
    the usual names of other roles (``misleading``), or made of natural names: with a class that
    several roles share (``shared``), as elements of a block (``bem``: ``nw-page__headline``), in
    camel case (``camel``: ``siteHeadline``), or with a hash (``module``: ``Headline_root__x7k2``).
    """
    if naming == "hashed":
        prefix = rng.choice(("css-", "sc-", "e", "_"))
        codes = rng.sample(range(0x100000, 0xFFFFFF), len(roles))
        return {key: f"{prefix}{code:x}" for key, code in zip(roles, codes, strict=True)}
    if naming == "numbered":
        prefix = rng.choice(("txt", "s", "cms-", "el"))
        codes = rng.sample(range(1, 400), len(roles))
        return {key: f"{prefix}{code}" for key, code in zip(roles, codes, strict=True)}
    if naming == "bem":
        letters = "".join(rng.choices("bcdghklmnprstvw", k=2))
        prefix = f"{letters}-{rng.choice(('page', 'c', 'story', 'ui'))}__"
    elif naming == "camel":
        prefix = rng.choice(("site", "js", "rt", "view"))
    source = "decoy" if naming == "misleading" else "names"
    names = _distinct({key: role.get(source, role["names"]) for key, role in roles.items()}, rng)
    if naming == "shared":
        return {key: f"{roles[key].get('shared', '')} x-{names[key]}".strip() for key in roles}
    if naming == "bem":
        return {key: f"{prefix}{name}" for key, name in names.items()}
    if naming == "camel":
        return {key: _camel_case(f"{prefix}-{name}") for key, name in names.items()}
    if naming == "module":
        components = {key: _camel_case(name) for key, name in names.items()}
        return {
            key: f"{name[0].upper()}{name[1:]}_root__{''.join(rng.choices(_HASH, k=5))}"
            for key, name in components.items()
        }
    return names


def _distinct(options: Mapping[str, str], rng: random.Random) -> Names:
    """Draw a different option for each role; a role without a free option gets a number."""
    drawn: Names = {}
    taken: set[str] = set()
    for key, names in options.items():
        free = [name for name in names.split() if name not in taken]
        drawn[key] = rng.choice(free) if free else f"{names.split()[0]}-{len(drawn)}"
        taken.add(drawn[key])
    return drawn


def _camel_case(name: str) -> str:
    first, *rest = re.split(r"[-_]", name)
    return first + "".join(word.capitalize() for word in rest)
