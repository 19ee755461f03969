"""Blocks of a document, with the content and position of each.

Two segmentations serve the methods that classify blocks: at every border of a block-level element
(`text_blocks`; Kohlschütter, Fankhauser and Nejdl 2010, Yao and Zuo 2013), and by an ordered set of
tags (`block_set`; Debnath, Mitra and Giles 2005). Each token of the source is in at most one block.

The features of text blocks are words, links, position and class names: J. Yao and X. Zuo (2013). A
machine learning approach to webpage content extraction. CS229, Stanford University, section III-B.
C. Kohlschütter, P. Fankhauser and W. Nejdl (2010). Boilerplate detection using shallow text
features. WSDM 2010, section 3.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from types import MappingProxyType

import numpy as np

from structce.arrays import Flags, Floats, Integers
from structce.extraction.parsed_document import (
    BLOCK_LEVEL,
    JOINED,
    SEPARATORS,
    ElementSpans,
    ParsedDocument,
)
from structce.extraction.registry import WordFilter
from structce.language import SENTENCE_ENDS

BLOCK_TAGS = ("table", "tr", "p", "hr", "ul", "div", "span")
"""Tags at which `block_set` splits, ordered as in the journal version of Debnath et al. (2005)."""

FEATURE_CLASSES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "text-tag": frozenset(
            "h1 h2 h3 h4 h5 h6 p pre blockquote q em strong b i u s small big tt code dfn samp kbd "
            "var cite abbr acronym address sub sup ins del font".split()
        ),
        "list": frozenset("ul ol dl dir menu li dt dd".split()),
        "table": frozenset("table caption thead tbody tfoot tr th td col colgroup".split()),
        "link": frozenset(("a",)),
        "object": frozenset("object applet embed param".split()),
        "frame": frozenset("frame frameset iframe noframes".split()),
        "form": frozenset(
            "form input button select option optgroup textarea label fieldset legend".split()
        ),
        "script": frozenset(("script", "noscript")),
        "style": frozenset(("style",)),
        "image": frozenset("img picture svg map area".split()),
    }
)
"""Elements of each feature of a block, by the chapters of the HTML 4.01 specification; words are
the feature "text". The names assigned to a chapter are our choice. "style" also includes linked
style sheets and elements with an attribute "style" (HTML 4.01, chapter 14)."""

FEATURES = ("text", *FEATURE_CLASSES)
"""Features of a block in the order of columns: ``text``, its words, and its elements by class."""

_FILLS = frozenset().union(*(FEATURE_CLASSES[key] for key in ("object", "frame", "form", "image")))
# A block without words must contain one of these, which are visible to a reader.
_LINE_BREAK = "br"
_MAX_ANCESTORS = 50  # ancestors whose tokens a block has; pages may be nested arbitrarily deep
_ATTRIBUTE_TOKEN = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+")


def _are_styled(document: ParsedDocument) -> Flags:
    """Return which elements link a style sheet or have an attribute ``style``."""
    elements = document.elements
    is_styled = np.zeros(len(elements.name), dtype=bool)
    if "style" not in document.html.lower():
        return is_styled
    for i, name in enumerate(elements.name):
        attributes = elements.attributes(i)
        is_sheet = name == "link" and "stylesheet" in attributes.get("rel", "").lower().split()
        is_styled[i] = is_sheet or "style" in attributes
    return is_styled


@dataclass(frozen=True, eq=False)
class Blocks:
    """Blocks of a document in the order of the source, as columns.

    ``first_token`` and ``end_token``, shape (n_blocks,), are the first token of each block and the
    one after its last; blocks are disjoint and sorted.
    """

    document: ParsedDocument
    first_token: Integers
    end_token: Integers

    def __len__(self) -> int:
        return len(self.first_token)

    @cached_property
    def first_word(self) -> Integers:
        """First word of each block, or the next one after it if it has none."""
        return np.searchsorted(self.document.words.token, self.first_token)

    @cached_property
    def end_word(self) -> Integers:
        """Word after the last of each block."""
        return np.searchsorted(self.document.words.token, self.end_token)

    @cached_property
    def of_word(self) -> Integers:
        """Index of the block that each word is in; -1 for none."""
        return _owners(self.first_token, self.end_token, self.document.words.token)

    @property
    def n_words(self) -> Integers:
        """Number of words in each block."""
        return self.end_word - self.first_word

    @cached_property
    def n_link_words(self) -> Integers:
        """Number of words in each block that are in a link."""
        return self.sum_of_words(self.document.words_within({"a"}))

    def sum_of_words(self, values: Integers | Flags) -> Integers:
        """Return the sum of a column of words over the words of each block."""
        sums = np.concatenate(([0], np.cumsum(values, dtype=np.int64)))
        return sums[self.end_word] - sums[self.first_word]

    def text(self, i: int) -> str:
        """Return the text of a block, as in an extraction of this block alone."""
        words, first, end = self.document.words, int(self.first_word[i]), int(self.end_word[i])
        pieces = list(words.text[first : min(first + 1, end)])
        levels = words.breaks[first + 1 : end].tolist()
        for level, text in zip(levels, words.text[first + 1 : end], strict=True):
            pieces += (SEPARATORS[level], text)
        return "".join(pieces)

    @cached_property
    def element(self) -> Integers:
        """Index of the element that contains the first token of each block; -1 for none."""
        first = self.first_token
        element = self.document.tokens.element[first]
        above = np.append(np.array(self.document.elements.parent, dtype=np.int64), -1)
        return np.where(start_tokens(self.document)[first], above[element], element)

    def count(self, is_counted: Flags) -> Integers:
        """Return how many of the marked elements begin in each block."""
        tokens = np.flatnonzero(start_tokens(self.document))
        counted = tokens[is_counted]  # elements are in the order of their tags
        owners = _owners(self.first_token, self.end_token, counted)
        return np.bincount(owners[owners >= 0], minlength=len(self))

    def features(self) -> dict[str, Integers]:
        """Return the counts of all feature classes, ``text`` (words) first; shape (n_blocks,)."""
        named = self.document.elements.named
        counts = {name: self.count(named(names)) for name, names in FEATURE_CLASSES.items()}
        counts["style"] = counts["style"] + self.count(_are_styled(self.document))
        return {"text": self.n_words, **counts}

    def attribute_tokens(self) -> list[tuple[str, ...]]:
        """Return the tokens of ``id`` and ``class`` of the elements around each block.

        Those of its own container first, then of the elements above, up to but excluding ``body``,
        at most 50 elements (our choice). Runs of letters in lower case, with camelCase split.
        """
        elements = self.document.elements
        tokens_of = cache(partial(_attribute_tokens, elements))
        tokens_of_blocks = []
        for i in self.element.tolist():
            tokens: list[str] = []
            for _ in range(_MAX_ANCESTORS):
                if i < 0 or elements.name[i] in ("body", "html"):
                    break
                tokens += tokens_of(i)
                i = elements.parent[i]
            tokens_of_blocks.append(tuple(tokens))
        return tokens_of_blocks

    def keep(self, chosen: Flags) -> Flags:
        """Return which words are in chosen blocks, shape (n_words,)."""
        return np.append(chosen, False)[self.of_word]


class BlockFilter(WordFilter):
    """Extractor that keeps some of the blocks of a document, whole."""

    def keep(self, document: ParsedDocument) -> Flags:
        """Return which words are in a kept block."""
        blocks = self.blocks(document)
        return blocks.keep(self.choose(blocks))

    def blocks(self, document: ParsedDocument) -> Blocks:
        """Return the blocks to classify; by default the blocks of text."""
        return text_blocks(document)

    def choose(self, blocks: Blocks) -> Flags:
        """Return which blocks are main content, shape (n_blocks,)."""
        raise NotImplementedError


def text_blocks(document: ParsedDocument) -> Blocks:
    """Return the spans of text between borders of block-level elements and forced breaks.

    Only spans with words; together they contain all words, and no tags of block-level elements.
    """
    return blocks_between(document, tag_tokens(document, BLOCK_LEVEL | {_LINE_BREAK}))


def blocks_between(document: ParsedDocument, is_border: Flags) -> Blocks:
    """Return the spans with words between border tokens, which are in none of them."""
    is_first = is_border | np.concatenate(([False], is_border[:-1]))[: len(is_border)]
    return _split_at(document, is_first, needs_words=True)


def block_set(
    document: ParsedDocument, tags: Sequence[str] = BLOCK_TAGS, *, whole_tables: bool = False
) -> Blocks:
    """Return the pieces of a document enclosed by elements of these tags, and what is around them.

    GetBlockSet of Debnath et al. (2005): for each tag in turn, a block that contains it is replaced
    by the pieces that it encloses. A piece that contains the tag again is split again, so that the
    pieces are those between all borders, whatever the order of the tags; what is around enclosed
    pieces is also a block (our choice, otherwise text would be lost). A block has words, or
    something visible: an image, a form, a frame, an object. With ``whole_tables``, a table without
    a nested table is never split.
    """
    elements, tokens = document.elements, document.tokens
    is_cut = elements.named(frozenset(tags))
    if whole_tables:
        is_cut &= ~_in_leaf_tables(document)
    owner = np.append(elements.nearest(is_cut), -1)[tokens.element]
    begins = start_tokens(document) & (owner == tokens.element)  # a start tag of the set
    is_first = begins | (owner != np.concatenate(([-2], owner[:-1])))
    return _split_at(document, is_first, needs_words=False)


def _in_leaf_tables(document: ParsedDocument) -> Flags:
    """Return which elements are inside a table without a nested table."""
    elements = document.elements
    is_table = elements.named({"table"})
    is_leaf = np.asarray(is_table & (elements.count_below(is_table) == 1))
    return np.append(elements.below(is_leaf), False)[np.array(elements.parent, dtype=np.int64)]


def tag_tokens(document: ParsedDocument, names: Collection[str]) -> Flags:
    """Return which tokens are start tags or end tags of elements of these names."""
    html, tokens = document.html, document.tokens
    is_start = start_tokens(document)
    is_tag = np.zeros(len(tokens.is_word), dtype=bool)
    is_tag[is_start] = document.elements.named(names)
    ends = np.flatnonzero(~tokens.is_word & ~is_start)
    for i, start, end in zip(
        ends.tolist(), tokens.start[ends].tolist(), tokens.end[ends].tolist(), strict=True
    ):
        is_tag[i] = html[start + 2 : end - 1].strip().lower() in names
    return is_tag


def start_tokens(document: ParsedDocument) -> Flags:
    """Return which tokens are start tags: each opens an element with a new highest index."""
    tokens = document.tokens
    element = np.where(tokens.is_word, -1, tokens.element)
    highest = np.maximum.accumulate(np.concatenate(([-1], element)))[:-1]
    return element > highest


def _split_at(document: ParsedDocument, is_first: Flags, *, needs_words: bool) -> Blocks:
    """Return the blocks between first tokens, except those in which nothing is visible."""
    first = np.flatnonzero(is_first)
    if len(is_first) and not is_first[0]:
        first = np.concatenate(([0], first))
    every = Blocks(document, first, np.append(first[1:], len(is_first))[: len(first)])
    is_kept = every.n_words > 0
    if not needs_words:
        is_kept |= every.count(document.elements.named(_FILLS)) > 0
    return Blocks(document, first[is_kept], every.end_token[is_kept])


def _owners(first: Integers, end: Integers, tokens: Integers) -> Integers:
    """Return the index of the block that each token is in; -1 for none."""
    if not len(first):
        return np.full(len(tokens), -1)
    block = np.searchsorted(first, tokens, side="right") - 1
    return np.where((block >= 0) & (tokens < end[block]), block, -1)


def _attribute_tokens(elements: ElementSpans, i: int) -> list[str]:
    """Return the tokens of ``id`` and ``class`` of an element."""
    values = elements.attributes(i)
    text = f"{values.get('id', '')} {values.get('class', '')}"
    return [token.lower() for token in _ATTRIBUTE_TOKEN.findall(text)]


# Features of text blocks

_LINE_WIDTH = 80  # characters per line (Kohlschütter et al. 2010; Yao and Zuo 2013)
_SENTENCE_END = re.compile(rf"[{SENTENCE_ENDS}][\"'”’»)\]]*$")

AttributeTokens = Sequence[tuple[str, ...]]
"""Tokens of ``id`` and ``class`` around each block, as returned by `Blocks.attribute_tokens`."""


def n_sentences(blocks: Blocks) -> Integers:
    """Return the number of sentences of each block, counting words after the last sentence end.

    A word ends a sentence if it ends with a full stop, question mark, exclamation mark or ellipsis,
    possibly followed by a quotation mark or bracket; so do abbreviations (our choice).
    """
    words = blocks.document.words.text
    is_end = np.array([_SENTENCE_END.search(word) is not None for word in words], dtype=bool)
    last = np.maximum(blocks.end_word - 1, 0)
    is_open = (blocks.n_words > 0) & ~np.append(is_end, True)[last]
    return np.asarray(blocks.sum_of_words(is_end) + is_open)


def n_lines(blocks: Blocks) -> Integers:
    """Return the number of lines of each block: characters with single spaces / 80, rounded up."""
    words = blocks.document.words
    is_spaced = (words.breaks != JOINED).astype(np.int64)
    first = np.append(is_spaced, 0)[blocks.first_word] * (blocks.n_words > 0)
    n_characters = blocks.sum_of_words(words.length + is_spaced) - first
    return np.asarray(-(-n_characters // _LINE_WIDTH))


def text_features(blocks: Blocks) -> dict[str, Floats]:
    """Return the seven text features of Yao and Zuo (2013) by name, each of shape (n_blocks,).

    A previous value below 1 counts as 1 in a quotient, and so does that of the first block, whose
    quotient is its own value (our choice).
    """
    n_words = blocks.n_words.astype(np.float64)
    measured = {
        "words": n_words,
        "sentence length": n_words / np.maximum(n_sentences(blocks), 1),
        "text density": n_words / np.maximum(n_lines(blocks), 1),
    }
    features = {}
    for name, values in measured.items():
        previous = np.concatenate((np.ones(1), values[:-1]))[: len(values)]
        features[name] = values
        features[f"{name} quotient"] = values / np.maximum(previous, 1.0)
    features["link density"] = link_density(blocks)
    return features


def link_density(blocks: Blocks) -> Floats:
    """Return the share of each block's words that are in links; 0 without words."""
    return blocks.n_link_words / np.maximum(blocks.n_words, 1)


def relative_position(n_blocks: int, n_positions: int) -> Floats:
    """Return ``floor(n / N * M)`` of each of N blocks, n counted from 1; in [0, M]."""
    ends = np.arange(1, n_blocks + 1) * n_positions // max(n_blocks, 1)
    return ends.astype(np.float64)


def token_flags(tokens: AttributeTokens, chosen: Sequence[str]) -> Floats:
    """Return 1 if a block has a token, else 0; shape (n_blocks, n_tokens)."""
    flags = np.zeros((len(tokens), len(chosen)))
    column = {token: i for i, token in enumerate(chosen)}
    for row, block in enumerate(tokens):
        flags[row, [column[token] for token in set(block) if token in column]] = 1.0
    return flags


def token_scores(tokens: AttributeTokens, is_content: Flags) -> dict[str, float]:
    """Return how strongly each token indicates that a block is not content, weighted by its blocks.

    The log of the quotient of its probabilities in other blocks and in content, by the multinomial
    event model with Laplace smoothing, times the number of blocks with the token: the three
    equations of section III-B of Yao and Zuo (2013).
    """
    counts: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    with_token: Counter[str] = Counter()
    for block, label in zip(tokens, is_content.tolist(), strict=True):
        counts[label].update(block)
        with_token.update(set(block))
    totals = [count.total() + len(with_token) for count in counts]
    return {
        token: n_blocks
        * float(
            np.log((counts[0][token] + 1) / totals[0]) - np.log((counts[1][token] + 1) / totals[1])
        )
        for token, n_blocks in with_token.items()
    }


def best_tokens(scores: dict[str, float], n: int, excluded: Collection[str] = ()) -> list[str]:
    """Return the tokens with the highest scores above 0; ties are in alphabetical order."""
    ranked = sorted((-score, token) for token, score in scores.items() if score > 0)
    return [token for _, token in ranked if token not in excluded][:n]
