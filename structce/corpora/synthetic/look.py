"""The look of a site: theme, class names and style sheet."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources

from structce.corpora.synthetic.naming import SCHEMES, Role
from structce.corpora.synthetic.phrases import expand


@dataclass(frozen=True)
class Look:
    """The attributes of each role's elements, and the sheet that styles them."""

    attributes: Mapping[str, Mapping[str, str]]
    sheet: str


def draw_look(scheme: str, layout: str, *, side_first: bool, rng: random.Random) -> Look:
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
    naming = SCHEMES[scheme](roles, rng)
    rules = {**_base_rules(theme), **naming.rules}
    sheet = "\n".join(f"{selector} {{ {style} }}" for selector, style in rules.items() if style)
    return Look(naming.attributes, sheet)


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
