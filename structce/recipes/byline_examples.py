"""Training examples of bylines: lines of pages with gold, and invented lines.

Gold names authors. A line with an author's name is a byline, in which the tokens of the name are
known; its other tokens are not names, and lists of words label some of them further. Lines near
headline, day and byline without an author are negative examples, unless they may name somebody
else. Since some languages have few pages, bylines are also invented in every language of the word
lists: invented names in the words of the vocabulary, with dates, counts and credits around them.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources

import numpy as np

from structce.arrays import UNKNOWN_INDEX, Labels, any_of
from structce.bylines import (
    BYLINE_LABELS,
    JOINED_SCRIPTS,
    NOTHING_STATED,
    Hints,
    PageNames,
    bare,
    byline_of,
    list_bits,
    lists_of,
    shape_of,
    stated_by,
    tokens_of,
)
from structce.corpus import LabelledPage
from structce.gold import MENTIONED, Gold
from structce.language import (
    is_organisation,
    language_code,
    normalise,
    split_words,
    word_list,
)

LONGEST_LINE = 300
"""Greatest number of characters of a line that is taken for a byline."""

_SHORT_LINE = 90  # characters of a line without an author
_MOST_OTHERS = 14  # lines of a page without an author
_NEAR = 14  # regions around headline, day and byline
_LONGEST_BYLINE = 40  # words of a line with an author
_MOST_WORDS = 6  # of a name
_NO_NAME = re.compile(r"[\d@/|:;,()<>]|\.(?:com|org|net|de)\b", re.IGNORECASE)
_AND = frozenset("and und et & + with mit".split())  # in gold with two names in one
_LONGEST_JOINED = 5  # characters of a name in scripts without spaces between words
_ANCHORS = frozenset({"Title", "Date", "Author"})
_NAMES = frozenset({"Xx", "XX", "XxX", "X.", "X"})
_FRAME = list_bits("before before+ published updated clock work comment more".split())
_PICTURE = list_bits(["picture", "picture+"])
_ROLES = list_bits("role role+ position position+".split())
_AGENCY = list_bits("agency agency+ group".split())
_SIGNING = list_bits("before before+ role role+".split())
_FAMILY = list_bits(["family", "family+"])
_NOISE_ROLES = ("noise", "role", "organisation", "place")
_INDEX = {name: i for i, name in enumerate(BYLINE_LABELS)}

_DATES = ("3 May 2026", "14.03.2026", "2026-03-14 09:30", "2026年3月14日", "12:30", "2026.03.14")
_PER_LANGUAGE = 40
_PER_LANGUAGE_JOINED = 150  # where names are not separated from other words
_BREAK = "¶"  # between two lines of a byline
_KINDS = "before role published updated picture comment more advertisement rights".split()
_Names = Mapping[str, Mapping[str, Sequence[str]]]


@dataclass(frozen=True)
class BylineExample:
    """Line of a page, or several lines separated by line breaks, with the gold names in it.

    ``names`` are empty for a line without an author; ``is_group`` says of each whether it is an
    agency, a newsroom or an account. ``stated`` are the names that the page states. In a line that
    is no byline the names are only mentioned: in a credit, a link or a sentence. ``hints`` are
    those of the mark-up for each line; none for a byline from metadata.
    """

    text: str
    lang: str
    names: tuple[str, ...]
    is_group: tuple[bool, ...]
    site: str
    stated: PageNames = NOTHING_STATED
    is_byline: bool = False
    hints: tuple[Hints, ...] = ()


def page_examples(labelled: LabelledPage) -> Iterator[BylineExample]:
    """Yield the bylines of a page with gold, some other lines, and bylines from metadata."""
    gold, page = labelled.gold, labelled.page
    if gold is None:
        return
    names, about = gold_names(gold), gold.about
    is_silent = about.get("author") or about.get("silent_on") == "authors"
    names_nobody = not gold.authors and about.get("page_type") and not is_silent
    if not names and not names_nobody:
        return
    publishers = {normalise(text) for text in page.metadata.publishers}
    groups = [is_organisation(name, page.lang) or normalise(name) in publishers for name in names]

    stated = PageNames.of(*stated_by(page))

    def example(text: str, hints: tuple[Hints, ...], is_byline: bool) -> BylineExample:
        held = [i for i, name in enumerate(names) if places_of(tokens_of(text), name)]
        return BylineExample(
            text, page.lang, tuple(names[i] for i in held), tuple(groups[i] for i in held),
            labelled.family, stated, is_byline and bool(held), hints,
        )  # fmt: skip

    for text, regions in _lines(labelled, names):
        is_byline = "Author" in {labelled.labels[i] for i in regions}
        yield example(text, byline_of(page, regions)[1], is_byline)
    named = [example(text, (), True) for text in dict.fromkeys(page.metadata.authors)]
    yield from (one for one in named if one.names and len(one.text) <= LONGEST_LINE)


def gold_names(gold: Gold) -> list[str]:
    """Return the gold authors; none if one of them is not a plain name."""
    names = [name for name in gold.authors if name.strip()]
    is_plain = all(
        not _NO_NAME.search(name)
        and len(name.split()) <= _MOST_WORDS
        and _AND.isdisjoint(name.casefold().split())
        for name in names
    )
    return names if is_plain else []


def _lines(labelled: LabelledPage, names: Sequence[str]) -> Iterator[tuple[str, list[int]]]:
    """Yield the short lines near headline, day and byline, and all others with a gold name."""
    page = labelled.page
    anchors = [i for i, label in enumerate(labelled.labels) if label in _ANCHORS]
    for match in labelled.matches:
        if match.field == "Author" and match.method != MENTIONED:
            anchors += match.regions
    near = np.zeros(len(page), dtype=bool)
    for i in anchors:
        near[max(0, i - _NEAR) : i + _NEAR] = True
    keys = [key for name in names if (key := normalise(name))]
    blocks: dict[int, list[int]] = {}
    for i, block in enumerate(page.blocks.tolist()):
        if page.text[i]:
            blocks.setdefault(block, []).append(i)
    n_others = 0
    seen = {""}
    for regions in blocks.values():
        text = byline_of(page, regions)[0]
        if len(text) > LONGEST_LINE or text in seen:
            continue
        whole, is_near = normalise(text), bool(near[regions].any())
        is_short = len(text) <= _SHORT_LINE
        if any(key in whole for key in keys):
            is_taken = (is_near or is_short) and len(text.split()) <= _LONGEST_BYLINE
        else:
            is_taken = is_near and is_short and n_others < _MOST_OTHERS
            n_others += is_taken
        if is_taken:
            seen.add(text)
            yield text, regions


def places_of(tokens: Sequence[str], name: str) -> list[tuple[int, int]]:
    """Return begin and end of the tokens of each occurrence of a name."""
    wanted = split_words(name)
    if not wanted:
        return []
    words = [
        (word, i)
        for i, token in enumerate(tokens)
        if shape_of(token) != "address"
        for word in split_words(token)
    ]
    places: list[tuple[int, int]] = []
    joined = "".join(wanted)
    for k in range(len(words)):
        text, j = "", k
        while j < len(words) and len(text) < len(joined):
            text += words[j][0]
            j += 1
        if text == joined and (not places or words[k][1] >= places[-1][1]):
            begin, end = words[k][1], words[j - 1][1] + 1
            starts = k == 0 or words[k - 1][1] < begin
            if starts and (j == len(words) or words[j][1] >= end):
                places.append((begin, end))
    return places


def frequent_lines(examples: Iterable[BylineExample]) -> frozenset[str]:
    """Return the case-folded lines without a gold name that occur on several sites."""
    sites: dict[str, set[str]] = {}
    for example in examples:
        if not example.names:
            for line in example.text.split("\n"):
                sites.setdefault(line.strip().casefold(), set()).add(example.site)
    return frozenset(line for line, sites_of_line in sites.items() if len(sites_of_line) > 1)


def given_names(examples: Iterable[BylineExample]) -> dict[str, set[str]]:
    """Return the case-folded first words of persons' names, with the sites that have them."""
    sites: dict[str, set[str]] = {}
    for example in examples:
        for name, is_group in zip(example.names, example.is_group, strict=True):
            words = [bare(word) for word in name.split()]
            if not is_group and len(words) > 1 and len(words[0]) > 2:
                sites.setdefault(words[0], set()).add(example.site)
    return sites


def labels_of(
    example: BylineExample, tokens: Sequence[str], known: Collection[str],
    frequent: Collection[str],
) -> Labels:  # fmt: skip
    """Return the label, set of labels, or unknown label of each token, shape (n_tokens,).

    ``known`` are given names that are known, ``frequent`` the lines of :func:`frequent_lines`.
    """
    lists = lists_of(tokens, language_code(example.lang))
    labels = np.array([_background(token, bits) for token, bits in zip(tokens, lists, strict=True)])
    for name, is_group in zip(example.names, example.is_group, strict=True):
        for begin, end in places_of(tokens, name):
            labels[begin:end] = _INDEX["group" if is_group else "more"]
            labels[begin] = _INDEX["group" if is_group else "name"]
            if any(bits & _PICTURE for bits in lists[max(0, begin - 2) : begin]):
                labels[begin:end] = _INDEX["noise"]  # a credit, even if of the author
            if is_group and not example.is_byline:  # a site's name may have another role here
                labels[begin:end] = UNKNOWN_INDEX
    if not example.names:
        for begin, end in _possible_names(example, tokens, lists, known, frequent):
            labels[begin:end] = UNKNOWN_INDEX
    return labels.astype(np.int64)


def _background(token: str, lists: int) -> int:
    """Return the label, or set of labels, of a token that is not part of an author's name."""
    if not token[0].isalpha() or lists & _FRAME:
        return _INDEX["noise"]
    if lists & _ROLES:
        return _INDEX["role"]
    if lists & _AGENCY:
        return any_of({_INDEX["organisation"], _INDEX["role"]}, len(BYLINE_LABELS))
    return any_of({_INDEX[name] for name in _NOISE_ROLES}, len(BYLINE_LABELS))


def _possible_names(
    example: BylineExample, tokens: Sequence[str], lists: Sequence[int],
    known: Collection[str], frequent: Collection[str],
) -> Iterator[tuple[int, int]]:  # fmt: skip
    """Yield the token ranges of a line without gold names that may name somebody else."""
    sites, begin = example.stated.sites, 0
    for end in range(len(tokens) + 1):
        is_name = end < len(tokens) and shape_of(tokens[end]) in _NAMES | JOINED_SCRIPTS
        if is_name and not lists[end] & (_FRAME | _ROLES):
            continue
        part, first, begin = tokens[begin:end], begin, end + 1
        if not part:
            continue
        line = example.text.split("\n")[tokens[:first].count("\n")]
        words = [*map(bare, part)]
        if line.strip().casefold() in frequent or all(word in sites for word in words):
            continue
        is_signed = bool(lists[max(0, first - 1)] & _SIGNING)
        if shape_of(part[0]) in JOINED_SCRIPTS:
            is_family = bool(lists[first] & _FAMILY)
            may_name = len(part) <= _LONGEST_JOINED and (is_signed or is_family)
        else:
            may_name = is_signed or words[0] in known
        if may_name:
            yield first, end


def invented_bylines(seed: int = 7) -> Iterator[BylineExample]:
    """Yield invented bylines, the same in every run."""
    file = resources.files(__package__).joinpath("words", "bylines.toml")
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    draw = random.Random(seed)
    names = {
        language: {
            part: table[part].replace(",\n", ", ").removesuffix("\n").removesuffix(",").split(", ")
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
    agency = draw.choice(sorted({*word_list("agency")["en"].split(", ")}))
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
        families = word_list("family")[code].split(", ")
        return draw.choice(families) + space + draw.choice(lists["given"])
    name = f"{draw.choice(lists['given'])} {draw.choice(lists['family'])}"
    return name.upper() if draw.random() < 0.1 else name
