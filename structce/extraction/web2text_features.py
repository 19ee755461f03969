"""Features of Web2Text on the collapsed DOM: 128 for each leaf, 25 for each leaf and the next.

The collapsed DOM is the tree of a page's texts: a node with exactly one child is merged with it,
so that a leaf is a text with the elements that contain only this text, and every inner node has at
least two children. Flags are 1 and -1. Numbers are clipped to a range and standardised; ranges,
means and deviations are those of the authors' program, which uses integer division where a quotient
is meant (of the page's length, of leaves with one class path, mean lengths of words and sentences).

Source: T. Vogels, O.-E. Ganea and C. Eickhoff (2018). Web2Text: deep structured boilerplate
removal. ECIR 2018, sections 3.1 and 3.2 and the appendix.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from structce.arrays import Flags, Floats, Integers
from structce.extraction.block_labels import text_labels
from structce.extraction.parsed_document import JOINED, ParsedDocument
from structce.kernels import number_values, path_numbers

LEAF_TAGS = "a p td b li span i tr div strong em h3 h2 table h4 small sup h1 blockquote".split()
"""Tags with a feature for the leaf."""

PARENT_TAGS = "td div p tr table body ul span li blockquote b small a ol ul i form dl strong pre"
"""Tags with a feature for the node above a leaf; ``ul`` occurs twice, as in the original."""

STOP_WORDS = frozenset(
    # articles, pronouns, determiners
    "a an the i me my myself we us our ours ourselves you your yours yourself yourselves he him "
    "his himself she her hers herself it its itself they them their theirs themselves this that "
    "these those who whom whose which what all any both each few more most other some such no own "
    "same "
    # prepositions, conjunctions
    "about above after against among at before behind below between by down during for from in "
    "into of off on onto out over through to under until up upon with without and as because but "
    "if nor or so than while although "
    # auxiliary verbs
    "am is are was were be been being have has had having do does did doing can cannot could may "
    "might must shall should will would ought "
    # adverbs
    "again further here there when where why how once then only not too very just also".split()
)
"""English stop words, in lower case; our list."""

N_UNARY, N_PAIRWISE = 128, 25
"""Numbers of features of a leaf, and of a leaf with the next."""

SKIPPED = frozenset("iframe noscript select textarea title video".split())
"""Elements whose text is not a leaf; what a browser never shows has no words anyway."""

_PUNCTUATION = re.compile(r"[.,?;:!]")
_WORD = re.compile(r"\w+")
_SENTENCE_BORDER = re.compile(r"[.!?][\"'”’)\]]*\s|[。！？]")
_EMAIL = re.compile(r"\w@[\w.]")
_URL = re.compile(r"\b(?:https?|ftp)://[^\s/$.?#]\S")
_YEAR = re.compile(r"(?<!\w)\d{4}(?!\w)")
_DIGIT = re.compile(r"\d")
_ENDS = ("ends_with_punctuation", "ends_with_question")  # a node has those of its last leaf
_MARKS = ("copyright", "email", "url", "year")
_COUNTS = (
    *"characters words word_characters sentences punctuation digits stop_words capitalised".split(),
    *_MARKS,
    *_ENDS,
)


def unary_features(dom: CollapsedDom) -> Floats:
    """Return the features of each leaf, shape (n_leaves, 128)."""
    return np.column_stack([*unary_columns(dom).values()]).reshape(dom.n_leaves, N_UNARY)


def pairwise_features(dom: CollapsedDom) -> Floats:
    """Return the features of each leaf and the next, shape (n_leaves - 1, 25)."""
    columns = [*pairwise_columns(dom).values()]
    return np.column_stack(columns).reshape(max(dom.n_leaves - 1, 0), N_PAIRWISE)


def unary_columns(dom: CollapsedDom) -> dict[str, Floats]:
    """Return the features of each leaf by name, in the order of the matrix."""
    counts, parent_tags = _Counts(dom), PARENT_TAGS.split()
    parent = dom.parent[: dom.n_leaves]
    grandparent = np.append(dom.parent, -1)[parent]
    tags, tags_above = dom.has_tag(LEAF_TAGS)[: dom.n_leaves], dom.has_tag(parent_tags)
    columns = {**_duplicates(dom), **_leaf_columns(counts)}
    columns["parent.exists"] = _sign(parent >= 0)
    columns |= _node_columns(counts, parent, "parent")
    for j, name in enumerate(parent_tags):
        first = parent_tags.index(name)
        again = "" if first == j else "_again"
        flags = np.append(_sign(tags_above[:, first]), 0.0)
        columns[f"parent.tag_{name}{again}"] = flags[parent]
    columns["grandparent.exists"] = _sign(grandparent >= 0)
    columns |= _node_columns(counts, grandparent, "grandparent")
    columns |= _node_columns(counts, np.full(dom.n_leaves, dom.root), "root")
    return columns | {f"tag_{name}": _sign(tags[:, j]) for j, name in enumerate(LEAF_TAGS)}


def pairwise_columns(dom: CollapsedDom) -> dict[str, Floats]:
    """Return the features of each leaf and the next by name, in the order of the matrix."""
    columns = {f"distance_{n}": _sign(dom.distance == n) for n in (2, 3, 4)}
    columns["distance_more"] = _sign(dom.distance > 4)
    columns["block_break"] = _sign(dom.is_break)
    return columns | _node_columns(_Counts(dom), dom.common_ancestor, "common")


class _Counts:
    """Counts of the texts of leaves, by name, and their sums for any node."""

    def __init__(self, dom: CollapsedDom) -> None:
        self.dom, document = dom, dom.document
        rows = [tuple(_counts_of(text)) for text in dom.texts]
        counts = np.array(rows, dtype=np.float64).reshape(-1, len(_COUNTS)).T
        self.own: dict[str, Floats] = dict(zip(_COUNTS, counts, strict=True))
        in_link = document.words_within({"a"})[dom.first_word]
        self.own["linked"] = self.own["characters"] * in_link
        self.start = document.words.start[dom.first_word]
        self.end = document.words.end[dom.end_word - 1]
        # Source characters from the first leaf to the end of the last.
        self.length = max(int(self.end[-1] - self.start[0]), 1) if dom.n_leaves else 1
        is_form = document.elements.named({"input"})
        self._n_forms = np.append(document.elements.count_below(is_form), is_form.sum())

    def of_nodes(self, nodes: Integers) -> dict[str, Floats]:
        """Return the counts of nodes by name; ending marks are those of the node's last leaf."""
        first, end = self.dom.first_leaf[nodes], self.dom.end_leaf[nodes]
        sums = {}
        for name, counts in self.own.items():
            total = np.append(0.0, counts.cumsum())
            sums[name] = counts[end - 1] if name in _ENDS else total[end] - total[first]
        sums["share"] = (self.end[end - 1] - self.start[first]) / self.length
        sums["forms"] = self._n_forms[self.dom.element[nodes]].astype(np.float64)
        return sums


def _counts_of(text: str) -> Iterator[float]:
    """Yield the counts of a text, in the order of `_COUNTS`."""
    words = _WORD.findall(text)
    yield max(len(text), 1)
    yield len(words)
    yield sum(map(len, words))
    yield 1 + len(_SENTENCE_BORDER.findall(text[:-1]))
    yield len(_PUNCTUATION.findall(text))
    yield len(_DIGIT.findall(text))
    yield sum(word.lower() in STOP_WORDS for word in words)
    yield sum(word[0].isupper() for word in words)
    yield "©" in text
    yield from (mark.search(text) is not None for mark in (_EMAIL, _URL, _YEAR))
    yield _PUNCTUATION.match(text[-1:]) is not None
    yield text.endswith("?")


def _duplicates(dom: CollapsedDom) -> dict[str, Floats]:
    """Return features of how often a leaf's text and its class path occur on the page."""
    texts, paths = Counter(dom.texts), Counter(dom.class_path.tolist())
    times = np.array([texts[text] for text in dom.texts], dtype=np.float64)
    same = np.array([paths[path] for path in dom.class_path.tolist()], dtype=np.float64)
    return {
        "duplicate": _sign(times > 1),
        "duplicate_10": _sign(times > 10),
        "same_class_path": same / max(dom.n_leaves, 1),
    }


def _leaf_columns(counts: _Counts) -> dict[str, Floats]:
    """Return the 24 features of a leaf's own text and position."""
    of = counts.own
    middle = ((counts.start + counts.end) / 2 - counts.start[:1].sum()) / counts.length
    log_words = _scaled(np.log(np.maximum(of["words"], 1)), 1.5086, 1.205, 0, 3.5)
    columns = {
        "has_word": (_sign(of["words"] > 0) - 0.8255) / 0.5643817,
        "log_words": np.where(of["words"] > 0, log_words, 0.0),
        "log_characters": _scaled(np.log(of["characters"]), 3.392, 1.06445, 2.5, 5.5),
        "has_punctuation": _sign(of["punctuation"] > 0),
        "punctuation": _scaled(of["punctuation"], 0.06938, 0.4083676, 0, 10),
        "several_sentences": _sign(of["sentences"] > 1),
        "position": _scaled(middle, 0.5198038, 0.2996195),
        "position_2": _scaled(middle**2, 0.3599672, 0.3157282),
    }
    return columns | _text_columns(of)


def _node_columns(counts: _Counts, nodes: Integers, prefix: str) -> dict[str, Floats]:
    """Return the 20 features of nodes; zeros for -1 (no node)."""
    of = counts.of_nodes(np.maximum(nodes, 0))
    of_node = {
        "share": of["share"],
        "link_density": _scaled(of["linked"] / of["characters"], 0.5, 0.5),
        "log_characters": _scaled(np.log(of["characters"]), 6, 2.14, 2.5, 10),
        "has_form": _sign(of["forms"] > 0),
    }
    columns = of_node | _text_columns(of)
    return {
        f"{prefix}.{name}": np.where(nodes >= 0, of_node, 0.0) for name, of_node in columns.items()
    }


def _text_columns(of: Mapping[str, Floats]) -> dict[str, Floats]:
    """Return the 16 features that leaves and nodes share."""
    n_words, n_characters = of["words"], of["characters"]
    has_word, divisor = n_words > 0, np.maximum(n_words, 1)
    capitals, stops = of["capitalised"] / divisor, of["stop_words"] / divisor
    marks = np.log(np.maximum(of["punctuation"], 1) / n_characters)
    log_marks = _scaled(marks, -3.338525, 0.6058926, -4, -2.5)
    length = _scaled(of["word_characters"] / divisor, 4.910001, 1.905709, 3, 15)
    sentence = np.log(n_characters / of["sentences"])
    return {
        "mean_word_length": np.where(has_word, length, -1.0),
        "has_stop_word": _sign(of["stop_words"] > 0),
        "stop_word_ratio": np.where(has_word, _scaled(stops, 0.374, 0.1529), 0.0),
        "log_punctuation_ratio": np.where(of["punctuation"] > 0, log_marks, 0.0),
        "has_digit": (_sign(of["digits"] > 0) + 0.5900983) / 0.8073342,
        "digit_ratio": _scaled(of["digits"] / n_characters, 0.2655969, 0.3052819),
        "log_sentence_length": _scaled(sentence, 3.109, 1.011, 2, 5),
        **{name: _sign(of[name] > 0) for name in _ENDS},
        **{f"has_{name}": _sign(of[name] > 0) for name in _MARKS},
        "capitalised": np.where(has_word, _scaled(capitals, 0.4475758, 0.4129316), 0.0),
        "capitalised_2": np.where(has_word, _scaled(capitals**2, 0.3708354, 0.4334037), 0.0),
        "capitalised_3": np.where(has_word, _scaled(capitals**3, 0.340843, 0.4404389), 0.0),
    }


def _sign(flags: Flags) -> Floats:
    return np.where(flags, 1.0, -1.0)


def _scaled(
    values: Floats, mean: float, deviation: float, low: float = -np.inf, high: float = np.inf
) -> Floats:
    return (np.clip(values, low, high) - mean) / deviation


@dataclass(frozen=True, eq=False)
class CollapsedDom:
    """Collapsed DOM of a page, as columns.

    Leaves are the nodes 0 to `n_leaves` - 1, in the order of the source; the inner nodes follow in
    the order of their start tags, so that the root is the first of them.
    """

    document: ParsedDocument
    first_word: Integers  # first word of each leaf
    end_word: Integers  # the word after its last
    parent: Integers  # node above each; -1 for the root
    first_leaf: Integers  # first leaf below each node; a leaf is below itself
    end_leaf: Integers  # the leaf after the last
    element: Integers  # innermost element that is part of a node; -1 for the page itself
    node_of_element: Integers  # node of each element; -1 for an element without leaves

    @classmethod
    def of(cls, document: ParsedDocument) -> Self:
        """Return the collapsed DOM of a document, without leaves if no text is shown.

        A leaf is the text between two tags. The root is the common ancestor of all leaves, whether
        or not the page has an explicit ``body``.
        """
        first_word, end_word = _texts(document)
        elements, leaves = document.elements, np.arange(len(first_word))
        # In the arrays of elements the page itself is the first, around all others.
        first = np.append(0, np.searchsorted(first_word, elements.first_word))
        end = np.append(len(leaves), np.searchsorted(first_word, elements.end_word))
        above = np.append(-1, np.array(elements.parent, dtype=np.int64) + 1)
        holder = document.words.element[first_word] + 1
        # Texts, and elements with texts, that are directly below each element.
        has_leaf = (first < end)[1:]
        n_children = np.bincount(above[1:][has_leaf], minlength=len(above))
        is_inner = n_children + np.bincount(holder, minlength=len(above)) >= 2
        inner = np.flatnonzero(is_inner)
        node, nearest = _nodes(above.tolist(), is_inner, holder)
        return cls(
            document,
            first_word,
            end_word,
            np.append(nearest[holder], np.where(inner > 0, nearest[above[inner]], -1)),
            np.append(leaves, first[inner]),
            np.append(leaves + 1, end[inner]),
            np.append(holder, inner) - 1,
            node[1:],
        )

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return len(self.first_word)

    def __len__(self) -> int:
        return len(self.parent)

    @property
    def root(self) -> int:
        """Node above all leaves; the leaf itself if there is only one."""
        return self.n_leaves if len(self) > self.n_leaves else 0

    @cached_property
    def texts(self) -> Sequence[str]:
        """Text of each leaf, with white space folded."""
        words = self.document.words
        is_joined = words.breaks == JOINED
        is_joined[self.first_word] = True
        spaced = [
            text if joined else f" {text}"
            for text, joined in zip(words.text, is_joined, strict=True)
        ]
        ranges = zip(self.first_word.tolist(), self.end_word.tolist(), strict=True)
        return ["".join(spaced[first:end]) for first, end in ranges]

    @cached_property
    def depth(self) -> Integers:
        """Number of nodes above each node."""
        depth, parents = [0] * len(self), self.parent.tolist()
        for i in (*range(self.n_leaves, len(self)), *range(self.n_leaves)):
            if parents[i] >= 0:
                depth[i] = depth[parents[i]] + 1
        return np.array(depth, dtype=np.int64)

    @cached_property
    def common_ancestor(self) -> Integers:
        """Lowest node above each leaf and the next, shape (n_leaves - 1,).

        The first leaf below a node directly follows the last one below the node's previous sibling,
        and the node's parent is their common ancestor.
        """
        below = np.flatnonzero(self.parent >= 0)
        behind = below[self.first_leaf[below] > self.first_leaf[self.parent[below]]]
        common = np.full(max(self.n_leaves - 1, 0), self.root)
        common[self.first_leaf[behind] - 1] = self.parent[behind]
        return common

    @cached_property
    def distance(self) -> Integers:
        """Steps in the tree from each leaf to the next, at least 2; shape (n_leaves - 1,)."""
        depth = self.depth[: self.n_leaves]
        return depth[:-1] + depth[1:] - 2 * self.depth[self.common_ancestor]

    @cached_property
    def is_break(self) -> Flags:
        """Whether a line ends between each leaf and the next, shape (n_leaves - 1,)."""
        block = self.document.words.block
        return np.asarray(block[self.first_word[1:]] != block[self.end_word[:-1] - 1])

    def has_tag(self, names: Sequence[str]) -> Flags:
        """Return which nodes include elements of each name, shape (n_nodes, n_names)."""
        column = {name: j for j, name in enumerate(names)}
        columns = np.array([column.get(name, -1) for name in self.document.elements.name], int)
        chosen = (columns >= 0) & (self.node_of_element >= 0)
        flags = np.zeros((len(self), len(names)), dtype=bool)
        flags[self.node_of_element[chosen], columns[chosen]] = True
        return flags

    @cached_property
    def class_path(self) -> Integers:
        """Number of the path above each leaf, by names and classes of elements; (n_leaves,)."""
        elements = self.document.elements
        keys = [
            (name, frozenset(elements.attributes(i).get("class", "").split()))
            for i, name in enumerate(elements.name)
        ]
        paths = path_numbers(elements.above, number_values(keys))
        return np.append(paths, -1)[self.element[: self.n_leaves]]

    def of_words(self, is_chosen: Flags) -> Flags:
        """Return which words are in chosen leaves, shape (n_words,)."""
        ends = np.zeros(len(self.document.words) + 1, dtype=np.int64)
        ends[self.first_word[is_chosen]] += 1
        np.subtract.at(ends, self.end_word[is_chosen], 1)
        return np.cumsum(ends)[:-1] > 0

    def content_leaves(self, text: str) -> Flags:
        """Return which leaves are main content by :func:`structce.extraction.text_labels`."""
        return text_labels(self.texts, text)


def _texts(document: ParsedDocument) -> tuple[Integers, Integers]:
    """Return the first word of each text that is a leaf, and the one after its last."""
    words, is_skipped = document.words, document.words_within(SKIPPED)
    is_first = np.append(True, (np.diff(words.token) > 1) | words.is_cut[1:])[: len(words)]
    first = np.flatnonzero(is_first)
    end = np.append(first[1:], len(words))[: len(first)]
    return first[~is_skipped[first]], end[~is_skipped[first]]


def _nodes(above: list[int], is_inner: Flags, holder: Integers) -> tuple[Integers, Integers]:
    """Return the node that each element is part of, and the inner node that it is or is inside.

    Both are -1 for none.
    """
    node = np.full(len(above), -1)
    node[holder] = np.arange(len(holder))  # correct if an element contains only one text
    node[is_inner] = len(holder) + np.arange(int(is_inner.sum()))
    nodes, inner = node.tolist(), is_inner.tolist()
    nearest: list[int] = []
    for parent, is_own, number in zip(above, inner, nodes, strict=True):
        nearest.append(number if is_own else nearest[parent] if parent >= 0 else -1)
    for i in range(len(nodes) - 1, 0, -1):  # descendants before ancestors
        if nodes[i] >= 0 and not inner[above[i]]:
            nodes[above[i]] = nodes[i]
    return np.array(nodes, dtype=np.int64), np.array(nearest, dtype=np.int64)
