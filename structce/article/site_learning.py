"""Learning of the rules of a site from a few labelled pages: a wrapper that people can read.

Each element whose text is a gold value offers paths, from its own names to its place below others.
A path is judged on all labelled pages: it must be right on two, and wrong on none (wrapper
induction; N. Kushmerick (2000). Wrapper induction: efficiency and expressiveness. Artificial
Intelligence 118, section 3). Of several, that which a redesign would spare longest is taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import msgspec
import numpy as np

from structce.alignment import align
from structce.arrays import Flags, Floats
from structce.article.blocks import walk
from structce.article.evidence import Evidence, evidence_of
from structce.article.reading import Reading
from structce.article.site_rules import (
    AUTHORS,
    DATE,
    RULE_FIELDS,
    TEXT,
    TITLE,
    FieldRule,
    SiteRules,
    one_line,
    regions_at,
    regions_inside,
    select,
    text_before,
    values_at,
    values_in,
)
from structce.errors import CorpusError
from structce.evaluation import name_key
from structce.features import dom_tree
from structce.gold import Gold
from structce.labels import allowed_names
from structce.language import normalise
from structce.page import SOURCES, Page
from structce.patterns import lazy_pattern

_LEAST_RIGHT = 2  # labelled pages on which a path must be right
_MOST_PATHS = 3  # of a field
_MOST_REGIONS, _MOST_CHARACTERS = 12, 400  # of an element that may be a value
_LEVELS = 4  # of elements above one whose names may precede its own
_LONGEST_LABEL = 40  # characters of a text that may announce a value
_LEAST_TEXT, _LEAST_OF_ANY = 0.75, 0.5  # F1 of a text's characters, mean and of any page
_NEAR_BEST = 0.1  # F1 below that of the best element, of others that offer paths
_MOST_ELEMENTS = 12  # of a page that offer paths of the text
_STATED_COST, _LABEL_COST, _NUMBER_COST = 1.5, 1.5, 4.0
_GENERIC = 2.0  # cost of a path by tag alone; names that say more cost less
_SPOKEN = ("itemprop", "rel", "property", "role", "data-testid", "data-qa")
_NAME, _QUOTES = lazy_pattern(r"[A-Za-z_][\w-]*"), lazy_pattern(r'["\\]')
_TEXT_LABELS = frozenset({"Paragraph", "Subtitle", "Caption"})


@dataclass(frozen=True, eq=False)
class LabelledReading:
    """A page of a site as the model reads it, with its gold."""

    reading: Reading
    gold: Gold

    @cached_property
    def evidence(self) -> Evidence:
        """Evidence of the page."""
        return evidence_of(self.reading.labelling)

    @cached_property
    def gold_characters(self) -> Floats:
        """Characters of each region that is in the gold's text, shape (n_regions,)."""
        page = self.evidence.page
        if not self.gold.body:
            return np.zeros(len(page))
        labels = map(allowed_names, align(page, self.gold).labels)
        is_text = [bool(names) and names <= _TEXT_LABELS for names in labels]
        return np.where(is_text, self.evidence.chars, 0.0)

    @cached_property
    def characters_below(self) -> tuple[Floats, Floats]:
        """Characters of the gold's text and of all text in each element, (n_elements,) each."""
        of_page = self.gold_characters, self.evidence.chars
        gold, every = (dom_tree.sums_below(self.evidence.page, chars) for chars in of_page)
        return gold, every

    def text_f1(self, is_body: Flags) -> float:
        """Return the F1 of some regions as the gold's text, in characters."""
        gold, chars = self.gold_characters, self.evidence.chars
        return float(2 * gold[is_body].sum() / max(gold.sum() + chars[is_body].sum(), 1))

    @property
    def model_f1(self) -> float:
        """F1 of the text that the model finds."""
        is_body = np.zeros(len(self.evidence.page), dtype=bool)
        blocks = walk(self.reading.article.body)
        is_body[[i for block in blocks for inline in block.line for i in inline.regions]] = True
        return self.text_f1(is_body)


def learn_rules(pages: Sequence[LabelledReading], sites: Iterable[str] = ()) -> SiteRules:
    """Return the rules of a site, for the fields of its gold for which there are good ones.

    Further values of the gold (``others``) are fields of their own names. The text has a rule only
    if it is at least as good as the model on the labelled pages.

    Raises
    ------
    CorpusError
        If there are fewer than two pages, on which no rule can be checked.
    """
    if len(pages) < _LEAST_RIGHT:
        raise CorpusError(
            f"{len(pages)} labelled pages; expected two or more, so that what is learnt from one "
            "is checked on another"
        )
    names = [TITLE, AUTHORS, DATE, *sorted({n for page in pages for n in page.gold.others})]
    rules = {name: rule for name in names if (rule := _field_rule(name, pages)) is not None}
    if (text := _text_rule([page for page in pages if page.gold_characters.any()])) is not None:
        rules[TEXT] = text
    return SiteRules(rules, tuple(sites))


def gold_values(name: str, gold: Gold) -> frozenset[str] | None:
    """Return the values of a field, comparable; empty if a page has none, None if unknown."""
    match name:
        case "title":
            return frozenset({normalise(gold.title)}) if gold.title else None
        case "authors":
            names = frozenset(map(name_key, gold.authors))
            return names or (frozenset() if "Author" in gold.covers else None)
        case "date":
            if gold.date is None:
                return frozenset() if "Date" in gold.covers else None
            return frozenset({gold.date.isoformat()[:10]})
    return frozenset(map(normalise, gold.others.get(name, ()))) or None


def _key(name: str, value: str) -> str:
    return name_key(value) if name == AUTHORS else value[:10] if name == DATE else normalise(value)


def _field_rule(name: str, pages: Sequence[LabelledReading]) -> FieldRule | None:
    """Return the paths at which a field is right on the labelled pages; None without any."""
    golds = ((page.evidence, gold_values(name, page.gold)) for page in pages)
    known = [(evidence, gold) for evidence, gold in golds if gold is not None]
    costs = _cheapest(offer for page in known for offer in _paths_to(name, *page))
    right = {path: _right_pages(name, path, known) for path in costs}
    paths: list[str] = []
    covered: frozenset[int] = frozenset()
    for _ in range(_MOST_PATHS):
        gains = {path: len(own - covered) for path, own in right.items() if own - covered}
        if not gains:
            break
        paths.append(max(gains, key=lambda path: (gains[path], -costs[path])))
        covered |= right[paths[-1]]
    return FieldRule(tuple(paths), right=len(covered)) if paths else None


def _cheapest(offers: Iterable[tuple[str, float]]) -> dict[str, float]:
    """Return the least cost of each path: how soon a redesign would break it."""
    costs: dict[str, float] = {}
    for path, cost in offers:
        costs[path] = min(cost, costs.get(path, cost))
    return costs


def _right_pages(
    name: str, path: str, pages: Sequence[tuple[Evidence, frozenset[str]]]
) -> frozenset[int]:
    """Return the pages on which a path is right; none if it is wrong on one, or right on one."""
    right = set()
    for n, (evidence, gold) in enumerate(pages):
        values = [_key(name, value.value) for value in values_at(evidence, name, path)]
        if {*values} == gold if name == AUTHORS else values and values[0] in gold:
            right.add(n)
        elif values:
            return frozenset()
    return frozenset(right if len(right) >= _LEAST_RIGHT else ())


def _paths_to(name: str, evidence: Evidence, gold: frozenset[str]) -> Iterator[tuple[str, float]]:
    """Yield the paths of metadata and elements with a gold value, and their costs."""
    page = evidence.page
    for source in SOURCES if name in RULE_FIELDS else ():
        if {_key(name, value.value) for value in values_at(evidence, name, f"@{source}")} & gold:
            yield f"@{source}", _STATED_COST
    _, counts = dom_tree.regions_below(page)
    characters = dom_tree.sums_below(page, evidence.chars)
    small = (counts > 0) & (counts <= _MOST_REGIONS) & (characters <= _MOST_CHARACTERS)
    for element in np.flatnonzero(small & (characters > 0)).tolist():
        regions = regions_at(page, element)
        text = evidence.text_of(regions)
        if _has_only(evidence, name, regions, text, gold):
            more = len(text) / _MOST_CHARACTERS  # what else it may say, of wider elements more
            yield from ((path, cost + more) for path, cost in _paths_of(page, element))
    for i in np.flatnonzero(evidence.chars <= _MOST_CHARACTERS).tolist():
        text = one_line(page.text[i])
        label, colon, value = text.partition(":")  # in the region itself, or in the one before
        for words, rest in ((label + colon, value.strip()), (text_before(page, i), text)):
            if rest and _is_label(words) and _has_only(evidence, name, [i], rest, gold):
                tag = page.elements.tag[int(page.element[i])]
                yield f'{tag}:after("{words}")', _LABEL_COST


def _has_only(
    evidence: Evidence, name: str, regions: Sequence[int], text: str, gold: frozenset[str]
) -> bool:
    found = {_key(name, value.value) for value in values_in(evidence, name, regions, text)}
    return bool(found) and found <= gold


def _is_label(text: str) -> bool:
    """Return whether a text may announce a value, and may be quoted in a path."""
    return 0 < len(text) <= _LONGEST_LABEL and not _QUOTES.search(text)


def _paths_of(page: Page, element: int) -> Iterator[tuple[str, float]]:
    """Yield paths that select an element, each with its cost."""
    own = [*_names_of(page, element)]
    yield from own
    label = text_before(page, regions_at(page, element)[0])
    if _is_label(label):
        yield f'{page.elements.tag[element]}:after("{label}")', _LABEL_COST
    for level, above in enumerate(islice(page.elements.ancestors(element), 1, _LEVELS + 1)):
        for name, cost in _names_of(page, above):
            if cost < _GENERIC or not level:
                joint = " " if level else " > "
                for inner, inner_cost in own:
                    yield f"{name}{joint}{inner}", cost + inner_cost + 0.5 + 0.1 * level


def _names_of(page: Page, n: int) -> Iterator[tuple[str, float]]:
    """Yield paths of one step that fit an element, with their costs."""
    tag, stated = page.elements.tag[n], page.elements.attributes[n]
    for attribute in _SPOKEN:
        value = stated.get(attribute, "")
        if value and not _QUOTES.search(value):
            yield f'{tag}[{attribute}="{value}"]', 0.5
    names = [f"#{stated.get('id', '')}"]
    names += [f".{name}" for name in dict.fromkeys(stated.get("class", "").split())]
    for name in names:
        if _NAME.fullmatch(name[1:]):
            yield f"{tag}{name}", 1.0 + 0.5 * any(map(str.isdigit, name))
    yield tag, _GENERIC if tag != "h1" else 1.0
    yield f"{tag}:nth-child({int(page.elements.position[n]) + 1})", _NUMBER_COST


def _text_rule(pages: Sequence[LabelledReading]) -> FieldRule | None:
    """Return the path of the elements that best contain the text; None without a good one."""
    costs = _cheapest(offer for page in pages for offer in _paths_to_text(page))
    good = {}
    for path in costs:
        f1 = [page.text_f1(regions_inside(page.evidence.page, [path])) for page in pages]
        if np.mean(f1) >= _LEAST_TEXT and min(f1) >= _LEAST_OF_ANY:
            good[path] = round(float(np.mean(f1)), 2)
    if len(pages) < _LEAST_RIGHT or not good:
        return None
    best = max(good, key=lambda path: (good[path], -costs[path]))
    rule = FieldRule((best,), tuple(_foreign_parts(best, pages)))
    found = [SiteRules({TEXT: rule}).body(page.evidence.page) for page in pages]
    f1 = [page.text_f1(own) for page, own in zip(pages, found, strict=True) if own is not None]
    if np.mean(f1) < np.mean([page.model_f1 for page in pages]):
        return None
    n_right = sum(share >= _LEAST_TEXT for share in f1)
    return msgspec.structs.replace(rule, right=n_right, wrong=len(pages) - n_right)


def _paths_to_text(labelled: LabelledReading) -> Iterator[tuple[str, float]]:
    """Yield the paths of the elements whose text is most like the gold's."""
    page, gold = labelled.evidence.page, labelled.gold_characters
    inside, every = labelled.characters_below
    f1 = 2 * inside / (gold.sum() + np.maximum(every, 1))
    near = np.flatnonzero(f1 >= f1.max() - _NEAR_BEST)
    for element in sorted(near.tolist(), key=lambda n: -f1[n])[:_MOST_ELEMENTS]:
        yield from _paths_of(page, element)
    # Several elements may share the text: paragraphs with a class of their own.
    holders = Counter(page.element[gold > 0].tolist())
    for element, _ in holders.most_common(_MOST_ELEMENTS):
        names = _names_of(page, element)
        yield from ((path, cost + 1) for path, cost in names if cost < _GENERIC)


def _foreign_parts(path: str, pages: Sequence[LabelledReading]) -> Iterator[str]:
    """Yield paths of elements inside the text of two pages or more that contain none of it."""
    costs: dict[str, float] = {}
    for labelled in pages:
        page = labelled.evidence.page
        own, every = labelled.characters_below
        is_foreign = (every > 0) & (own == 0)
        for top in select(page, path):
            for n in range(top + 1, int(dom_tree.ends(page)[top])):
                if is_foreign[n] and not is_foreign[page.elements.parents[n]]:
                    costs |= {name: cost for name, cost in _names_of(page, n) if cost < _GENERIC}
    left = [regions_inside(page.evidence.page, [path]) for page in pages]
    for name in sorted(costs, key=lambda name: (costs[name], name)):
        found = [regions_inside(page.evidence.page, [name]) for page in pages]
        if any(page.gold_characters[own].any() for page, own in zip(pages, found, strict=True)):
            continue
        if sum((own & rest).any() for own, rest in zip(found, left, strict=True)) >= _LEAST_RIGHT:
            yield name
            left = [rest & ~own for own, rest in zip(found, left, strict=True)]
