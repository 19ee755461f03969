"""Rules of a site: paths at which its pages show their values, asked before the model.

A path is a CSS selector of names, ``#id``, ``.class``, ``[attribute="value"]``, ``:nth-child(2)``,
spaces and ``>``. ``:after("ISBN:")`` at its end selects what follows these words, inside an element
or as the whole of it. ``@json-ld``, or another source of metadata, is what the page states there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Self

import msgspec
import numpy as np

from structce.addresses import split_address
from structce.arrays import Flags
from structce.article.candidates import ValueCandidate
from structce.article.choice import Choice
from structce.article.dates import element_moment, written_moments
from structce.article.evidence import Evidence
from structce.article.regions import regions_below
from structce.bylines import current_reader
from structce.errors import ModelError
from structce.features import dom_tree
from structce.io import write_atomic
from structce.language import language_code, normalise, strip_byline_prefix
from structce.page import Page, Statement, stated_bylines, stated_dates, stated_names, stated_titles
from structce.patterns import lazy_pattern

TITLE, AUTHORS, DATE, TEXT = RULE_FIELDS = ("title", "authors", "date", "text")
"""Fields of an article; a rule of any other name gives a further value."""

_FORMAT = 1
_HEAD = f"""\
# Where the pages of a site show their values. Paths are CSS selectors; the first that finds
# something counts. Where none does, the model decides.
format = {_FORMAT}
"""
_TOKEN = lazy_pattern(
    r"""\s*(?P<child>>)\s* | (?P<below>\s+) | (?P<tag>[\w-]+|\*) | \#(?P<id>[\w-]+)
    | \.(?P<class>[\w-]+) | (?P<attribute>\[[\w:-]+(?:="[^"]*")?\])
    | :nth-child\((?P<position>\d+)\)""",
    re.VERBOSE,
)
_AFTER = lazy_pattern(r'(?P<selector>.+):after\("(?P<label>[^"]+)"\)')
_MOST_WORDS = 6  # of a line that is one name although no name is found in it; our choice
_UNCHECKED = 0.9  # confidence of a rule that a person wrote; our choice


Step = tuple[bool, list[tuple[str, str]]]
"""One element of a path: whether it is a child of the one before it, not just inside that, and what
must hold of it, as kind and value of each claim."""


class FieldRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Paths of a field: the first at which a page has a value counts.

    ``without`` are parts inside the text that do not belong to it. ``right`` and ``wrong`` are the
    numbers of pages with gold on which the rule gave the right and a wrong value.
    """

    paths: tuple[str, ...]
    without: tuple[str, ...] = ()
    right: int = 0
    wrong: int = 0

    @property
    def confidence(self) -> float:
        """Probability that a value is right, by Laplace's rule of succession, in [0, 1]."""
        n_checked = self.right + self.wrong
        return (self.right + 1) / (n_checked + 2) if n_checked else _UNCHECKED


@dataclass(frozen=True)
class SiteRules:
    """Rules of fields, for the pages of some hosts; for all pages if none is named.

    A page without an address may be of any host.
    """

    fields: Mapping[str, FieldRule] = field(default_factory=dict)
    sites: tuple[str, ...] = ()

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Return the rules of a TOML file; ModelError, with file and field, if it is malformed."""
        path, rules = Path(path), {}
        try:
            values = msgspec.toml.decode(path.read_bytes())
            version, sites = values.pop("format", None), values.pop("sites", [])
            if version != _FORMAT:
                raise ValueError(f"format {version!r}; expected {_FORMAT}")
            names = msgspec.convert(sites, tuple[str, ...])
        except (OSError, ValueError) as error:
            raise ModelError(f"{path}: {error}") from error
        for name, value in values.items():
            try:
                rules[name] = msgspec.convert(value, FieldRule)
                for selector in (*rules[name].paths, *rules[name].without):
                    if not parse_path(selector)[0] and name == TEXT:
                        raise ValueError(f"{selector}: metadata states no text; expected a path")
            except ValueError as error:
                raise ModelError(f"{path}: [{name}]: {error}") from error
        return cls(rules, names)

    def save(self, path: Path) -> None:
        """Write the rules as a TOML file that people may edit."""
        text = f"{_HEAD}sites = {_array(self.sites)}\n"
        for name, rule in self.fields.items():
            key = name if re.fullmatch(r"[\w-]+", name, re.ASCII) else _quoted(name)
            text += f"\n[{key}]\npaths = {_array(rule.paths)}\n"
            text += f"without = {_array(rule.without)}\n" if rule.without else ""
            text += f"right = {rule.right}\nwrong = {rule.wrong}\n"
        write_atomic(path, text.encode())

    def apply_to(self, url: str) -> bool:
        """Return whether the rules are for pages at an address."""
        host = split_address(url).hostname or ""
        return not host or not self.sites or any(f".{host}".endswith(f".{s}") for s in self.sites)

    def choices(self, evidence: Evidence, name: str) -> list[Choice]:
        """Return the values of a field at the first path that has one; several only of authors."""
        rule = self.fields.get(name, FieldRule(()))
        for path in () if name == TEXT else rule.paths:
            if found := values_at(evidence, name, path):
                chosen = found if name == AUTHORS else found[:1]
                return [Choice(candidate, rule.confidence) for candidate in chosen]
        return []

    def others(self, evidence: Evidence) -> dict[str, Choice]:
        """Return the further values of a page, by name."""
        names = (name for name in self.fields if name not in RULE_FIELDS)
        return {name: found[0] for name in names if (found := self.choices(evidence, name))}

    def body(self, page: Page) -> Flags | None:
        """Return the regions of the text, shape (n_regions,); None if no path finds any."""
        rule = self.fields.get(TEXT, FieldRule(()))
        for path in rule.paths:
            inside = regions_inside(page, [path])
            rest: Flags = inside & ~regions_inside(page, rule.without)
            if inside.any():
                return rest if rest.any() else inside
        return None


def _quoted(text: str) -> str:
    """Return a text as a string of TOML, without escapes if it can be read so."""
    is_literal = '"' in text and "'" not in text and text.isprintable()
    return f"'{text}'" if is_literal else json.dumps(text, ensure_ascii=False)


def _array(texts: Sequence[str]) -> str:
    return f"[{', '.join(map(_quoted, texts))}]"


@lru_cache(maxsize=4_096)
def parse_path(path: str) -> tuple[tuple[Step, ...], str]:
    """Return the steps of a path, and the label that it follows, or an empty text.

    Raises ValueError, with the place, if it is malformed.
    """
    if path.startswith("@"):
        return (), ""
    match = _AFTER.fullmatch(path.strip())
    selector, label = (match["selector"], match["label"]) if match else (path.strip(), "")
    steps: list[Step] = [(False, [])]
    position = 0
    while position < len(selector):
        token = _TOKEN.match(selector, position)
        kind = token.lastgroup if token else None
        joins = kind in ("child", "below")
        if token is None or kind is None or (joins and not steps[-1][1]):
            break
        if joins:
            steps.append((kind == "child", []))
        else:
            steps[-1][1].append((kind, token[kind].lower() if kind == "tag" else token[kind]))
        position = token.end()
    if position < len(selector) or not steps[-1][1]:
        raise ValueError(
            f"path {path!r}: {selector[position:]!r} is not understood; expected a name, #id, "
            '.class, [attribute="value"], :nth-child(2), or :after("text") at the end'
        )
    return tuple(steps), label


def select(page: Page, path: str) -> list[int]:
    """Return the elements of a page that a path's selector fits, in document order."""
    steps, _ = parse_path(path)
    kind, name = steps[-1][1][0]
    elements: Iterable[int] = range(len(page.elements))
    if kind == "tag" and name != "*":
        elements = dom_tree.elements_called(page).get(name, ())
    return [n for n in elements if _fits_to(page, n, steps)]


def _fits_to(page: Page, n: int, steps: Sequence[Step]) -> bool:
    """Return whether an element fits the last step, and those above it the steps before."""
    *before, (is_child, claims) = steps
    if not all(_is_so(page, n, kind, value) for kind, value in claims):
        return False
    above = islice(page.elements.ancestors(n), 1, 2 if is_child else None)
    return not before or any(_fits_to(page, around, before) for around in above)


def _is_so(page: Page, n: int, kind: str, value: str) -> bool:
    stated = page.elements.attributes[n]
    match kind:
        case "tag":
            return value in ("*", page.elements.tag[n])
        case "id":
            return stated.get("id") == value
        case "class":
            return value in stated.get("class", "").split()
        case "position":
            return int(page.elements.position[n]) + 1 == int(value)
    name, has_value, quoted = value[1:-1].partition("=")
    return name in stated and (not has_value or stated[name] == quoted[1:-1])


def regions_at(page: Page, element: int) -> list[int]:
    """Return the regions with text below an element."""
    return [i for i in regions_below(page, element) if page.text[i]]


def regions_inside(page: Page, paths: Iterable[str]) -> Flags:
    """Return which regions with text are inside an element of any path, shape (n_regions,)."""
    inside = dom_tree.inside_any(page, [n for path in paths for n in select(page, path)])
    inside &= np.array([text != "" for text in page.text], dtype=bool)
    return inside


def text_before(page: Page, region: int) -> str:
    """Return the text of the last region with text before a region, its spaces collapsed."""
    return next((one_line(page.text[i]) for i in range(region - 1, -1, -1) if page.text[i]), "")


def one_line(text: str) -> str:
    """Return a text with its white space collapsed."""
    return " ".join(text.split())


def values_at(evidence: Evidence, name: str, path: str) -> list[ValueCandidate]:
    """Return the values of a field at a path, without equal ones."""
    page = evidence.page
    if path.startswith("@"):
        values = _stated_values(page, name, path[1:])
    else:
        label = parse_path(path)[1]
        places = (place for n in select(page, path) for place in _places(evidence, n, label))
        values = (value for place in places for value in values_in(evidence, name, *place))
    found: dict[str, ValueCandidate] = {}
    for value in values:
        found.setdefault(normalise(value.value), value)
    return list(found.values())


def _stated_values(page: Page, name: str, source: str) -> Iterator[ValueCandidate]:
    stated: Sequence[Statement] = ()
    match name:
        case "title":
            stated = stated_titles(page.metadata, page.url)
        case "authors":
            bylines, lang = stated_bylines(page.metadata), page.lang
            texts = {byline.plain for byline in bylines} - {""}
            names_of = {text: [(name, False) for name in _names_in(text, lang)] for text in texts}
            stated = stated_names(page.metadata, bylines, names_of)
        case "date":
            stated = stated_dates(page.metadata, page.url)
    for statement in stated:
        if statement.source == source and not statement.is_modified:
            yield ValueCandidate(statement.value, sources=(source,))


def _places(evidence: Evidence, element: int, label: str) -> Iterator[tuple[list[int], str]]:
    """Yield regions and text of an element, or of what follows a label in it or before it."""
    page = evidence.page
    regions = regions_at(page, element)
    if regions and (not label or text_before(page, regions[0]) == label):
        yield regions, evidence.text_of(regions)
        return
    for before, i in zip([-1, *regions], regions, strict=False):
        text = one_line(page.text[i])
        if text.startswith(label) and text != label:
            yield [i], text[len(label) :].strip()
        elif before >= 0 and one_line(page.text[before]) == label:
            yield [i], text


def values_in(
    evidence: Evidence, name: str, regions: Sequence[int], text: str
) -> Iterator[ValueCandidate]:
    """Yield the values of a field in the text of some regions."""
    page, places = evidence.page, tuple(regions)
    if name == DATE:
        moments = [moment for i in regions if (moment := element_moment(evidence, i))]
        moments += written_moments(text, page.lang)
        yield from (ValueCandidate(moment, places, raw=text) for moment in moments[:1])
    elif name != AUTHORS:
        yield ValueCandidate(text, places, raw=text)
    else:
        for value in _names_in(text, page.lang):
            own = tuple(i for i in regions if value in page.text[i])
            yield ValueCandidate(value, own or places, raw=text)


def _names_in(text: str, lang: str) -> list[str]:
    """Return the names in a byline; a short one in which none is found is a name as a whole."""
    names = [name.text for name in current_reader().read(text, lang)]
    whole = strip_byline_prefix(text, language_code(lang)).strip(" ,;:|·-")
    return names or ([whole] if 0 < len(whole.split()) <= _MOST_WORDS else [])
