"""Invented bylines in every language of the word lists, since some languages have few pages.

Names are invented; the words around them are those of the vocabulary. Dates, comment counts and
picture credits are also invented, without a name that signs.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources

from structce.language import agencies, word_list
from structce.recipes.byline_examples import BylineExample

_DATES = ("3 May 2026", "14.03.2026", "2026-03-14 09:30", "2026年3月14日", "12:30", "2026.03.14")
_PER_LANGUAGE = 40
_PER_LANGUAGE_JOINED = 150  # where names are not separated from other words

_BREAK = "¶"  # between two lines of a byline
_KINDS = "before role published updated picture comment more advertisement rights".split()


def invented_bylines(seed: int = 7) -> Iterator[BylineExample]:
    """Yield invented bylines, the same in every run."""
    file = resources.files(__package__).joinpath("words", "bylines.toml")
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    draw = random.Random(seed)
    names = {
        language: {
            part: [
                name for line in table[part].splitlines() for name in line.rstrip(",").split(", ")
            ]
            for part in ("given", "family")
            if part in table
        }
        for table in tables["names"].values()
        for language in table["languages"] or ("",)
    }
    for code in word_list("before"):
        templates = tables["templates"].get(code, tables["templates"]["any"]).splitlines()
        is_joined = code in tables["templates"]
        for number in range(_PER_LANGUAGE_JOINED if is_joined else _PER_LANGUAGE):
            yield _byline(draw, code, templates[number % len(templates)], number, names)


_Names = Mapping[str, Mapping[str, Sequence[str]]]


def _byline(
    draw: random.Random, code: str, template: str, number: int, listed: _Names
) -> BylineExample:
    """Return a byline from a template; a name marked with ``!`` does not sign."""
    names: list[str] = []
    text = template.replace(_BREAK, "\n")
    for mark in ("{A}", "{B}"):
        if mark in text:
            names.append(_name(draw, code, listed))
            text = text.replace(mark, names[-1])
    for mark in ("{A!}", "{B!}"):
        text = text.replace(mark, _name(draw, code, listed))
    for kind in _KINDS:
        if f"{{{kind}}}" in text:
            word = _word(draw, kind, code)
            capital = word[:1].upper() + word[1:]
            cased = draw.choice((word, capital, capital, word.upper()))
            text = text.replace(f"{{{kind}}}", cased)
    agency = draw.choice(sorted(agencies()))
    agency = agency.upper() if len(agency) < 5 and agency != "dpa" else agency.title()
    is_agency = "{agency}" in text and not names
    names += [agency] if is_agency else []
    text = text.replace("{with}", draw.choice(("with", "mit", "avec", "con", "met")))
    text = text.replace("{agency}", agency).replace("{and}", _word(draw, "between", code))
    return BylineExample(
        text.replace("{date}", draw.choice(_DATES)),
        code,
        tuple(names),
        (is_agency,) * len(names),
        f"invented-{code}-{number % 8}",
        "invented",
        is_byline=bool(names),
    )


def _word(draw: random.Random, kind: str, code: str) -> str:
    listed = word_list(kind).get(code) or word_list(kind)["en"]
    return draw.choice(listed.split(", "))


def _name(draw: random.Random, code: str, listed: _Names) -> str:
    """Return an invented name in the form of a language."""
    lists = listed.get(code, listed[""])
    if "family" not in lists:  # those of the word lists, which precede the given name
        space = " " if code == "ja" and draw.random() < 0.3 else ""
        return (
            draw.choice(word_list("family")[code].split(", ")) + space + draw.choice(lists["given"])
        )
    name = f"{draw.choice(lists['given'])} {draw.choice(lists['family'])}"
    return name.upper() if draw.random() < 0.1 else name
