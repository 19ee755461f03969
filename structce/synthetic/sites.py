"""Sites: name, language, template, style and the habits of their editors."""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from babel.dates import format_date, format_datetime

from structce.synthetic.language import Language, read_language, read_toml
from structce.synthetic.style import SiteStyle, draw_style


@dataclass(frozen=True)
class Site:
    """Publisher, whose pages share everything here.

    ``tags``, ``habits`` and ``flags`` are drawn from ``sites.toml``, ``dates`` contains the date
    style of the article and of the small print, ``words`` the site's own labels.
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

    def pick(self, key: str, n: int) -> int:
        """Return a number below ``n`` that is fixed for the site and a key."""
        return random.Random(f"{self.index}/{self.host}/{key}").randrange(n)

    def format_moment(self, style: str, when: datetime) -> str:
        """Return a date in one of the styles of ``sites.toml``, in the site's language."""
        patterns = self.language.dates
        if style == "iso":
            return when.date().isoformat()
        if style == "stamp":
            return str(format_datetime(when, patterns["stamp"][self.locale], locale=self.locale))
        pattern = patterns[style][self.locale] if style in patterns else style
        return str(format_date(when.date(), pattern, locale=self.locale))


def draw_site(index: int, families: Sequence[str], *, seed: int) -> Site:
    """Return a site; it depends on its index and the seed, not on the number of sites.

    A round of consecutive sites as long as a list of options has every option once.
    """
    options = site_options()
    rng = random.Random(f"{seed}/site/{index}")
    language = _language(options["languages"][index % len(options["languages"])])
    naming = _option_in_turn(options["namings"], index, f"{seed}/namings")
    layout = _option_in_turn(options["layouts"], index, f"{seed}/layouts")
    side_first = rng.random() < 0.4
    name = _site_name(language, index, seed)
    tags = {purpose: rng.choice(tags) for purpose, tags in options["tags"].items()}
    if naming == "sparse":  # texts are styled by tag
        tags |= {"title": "h1", "section_heading": "h2", "teaser_title": "h4"}
    return Site(
        index=index,
        name=name,
        host=f"{_slug(language.romanise(name))}.example",
        family=_option_in_turn(families, index, f"{seed}/families"),
        language=language,
        locale=rng.choice(language.locales),
        style=draw_style(naming, layout, side_first=side_first, rng=rng),
        layout=layout,
        side_first=side_first,
        tags=tags,
        habits={
            key: _option_in_turn(habits, index, f"{seed}/{key}")
            for key, habits in options["habits"].items()
        },
        flags=frozenset(flag for flag, chance in options["flags"].items() if rng.random() < chance),
        dates={
            "article": _option_in_turn(options["dates"], index, f"{seed}/dates"),
            "small": rng.choice(options["small_dates"]),
        },
        words={key: rng.choice(wordings) for key, wordings in language.words.items()},
    )


@cache
def site_options() -> dict[str, Any]:
    """Return what sites differ in, from ``sites.toml``."""
    return read_toml("sites.toml")


_language = cache(read_language)


def _option_in_turn(options: Sequence[str], index: int, seed: str) -> str:
    """Return the option for an index, in rounds of all options, each in a random order."""
    n_round, place = divmod(index, len(options))
    return random.Random(f"{seed}/{n_round}").sample(list(options), len(options))[place]


def _site_name(language: Language, index: int, seed: int) -> str:
    halves = [language.names[key] for key in ("name_first", "name_last")]
    names = [language.site.format(first=a, last=b) for a in halves[0] for b in halves[1]]
    random.Random(f"{seed}/names/{language.code}").shuffle(names)
    n_round, place = divmod(index, len(names))
    return f"{names[place]} {n_round + 1}" if n_round else names[place]


def _slug(name: str) -> str:
    spelt = name.lower().translate({ord("ä"): "ae", ord("ö"): "oe", ord("ü"): "ue"})
    plain = unicodedata.normalize("NFKD", spelt).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
