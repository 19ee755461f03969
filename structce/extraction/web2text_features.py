"""Features of Web2Text on the collapsed DOM: 128 for each leaf, 25 for each leaf and the next.

The collapsed DOM is the tree of a page's texts: a node with exactly one child is merged with it,
so that a leaf is a text with the elements that contain only this text, and every inner node has at
least two children.

Flags are 1 and -1. Numbers are clipped to a range and standardised; ranges, means and deviations
are those of the authors' program. That program uses integer division where a quotient is meant (of
the page's length, of leaves with one class path, mean lengths of words and sentences); here they
are quotients.

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

LEAF_TAGS = tuple(
    "a p td b li span i tr div strong em h3 h2 table h4 small sup h1 blockquote".split()
)
"""Tags with a feature for the leaf."""

PARENT_TAGS = tuple(
    "td div p tr table body ul span li blockquote b small a ol ul i form dl strong pre".split()
)
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

Columns = Mapping[str, Floats]

_PUNCTUATION = re.compile(r"[.,?;:!]")
_WORD = re.compile(r"\w+")
_SENTENCE_BORDER = re.compile(r"[.!?][\"'”’)\]]*\s|[。！？]")
_EMAIL = re.compile(r"\w@[\w.]")
_URL = re.compile(r"\b(?:https?|ftp)://[^\s/$.?#]\S")
_YEAR = re.compile(r"(?<!\w)\d{4}(?!\w)")
_DIGIT = re.compile(r"\d")
_COUNTS = tuple(
    """
    characters words word_characters sentences punctuation digits stop_words capitalised copyright
    email url year ends_with_punctuation ends_with_question
    """.split()
)
_LAST = ("ends_with_punctuation", "ends_with_question")  # a node has those of its last leaf


def unary_features(dom: CollapsedDom) -> Floats:
    """Return the features of each leaf, shape (n_leaves, 128)."""
    return _matrix(unary_columns(dom), dom.n_leaves)


def pairwise_features(dom: CollapsedDom) -> Floats:
    """Return the features of each leaf and the next, shape (n_leaves - 1, 25)."""
    return _matrix(pairwise_columns(dom), max(dom.n_leaves - 1, 0))


def unary_columns(dom: CollapsedDom) -> dict[str, Floats]:
    """Return the features of each leaf by name, in the order of the matrix."""
    counts = _Counts(dom)
    leaves = np.arange(dom.n_leaves)
    parent = dom.parent[leaves]
    grandparent = np.where(parent >= 0, dom.parent[parent], -1)
    tags = dom.has_tag(LEAF_TAGS)[leaves]
    parent_tags = dom.has_tag(PARENT_TAGS)
    columns = {**_duplicates(dom), **_leaf_columns(counts)}
    columns["parent.exists"] = _sign(parent >= 0)
    columns |= _prefixed("parent", _node_columns(counts, parent))
    for j, name in enumerate(PARENT_TAGS):
        first = PARENT_TAGS.index(name)
        again = "" if first == j else "_again"
        columns[f"parent.tag_{name}{again}"] = _of(parent, _sign(parent_tags[:, first]))
    columns["grandparent.exists"] = _sign(grandparent >= 0)
    columns |= _prefixed("grandparent", _node_columns(counts, grandparent))
    columns |= _prefixed("root", _node_columns(counts, np.full(dom.n_leaves, dom.root)))
    columns |= {f"tag_{name}": _sign(tags[:, j]) for j, name in enumerate(LEAF_TAGS)}
    return columns


def pairwise_columns(dom: CollapsedDom) -> dict[str, Floats]:
    """Return the features of each leaf and the next by name, in the order of the matrix."""
    distance = dom.distance
    columns = {f"distance_{n}": _sign(distance == n) for n in (2, 3, 4)}
    columns["distance_more"] = _sign(distance > 4)
    columns["block_break"] = _sign(dom.is_break)
    return columns | _prefixed("common", _node_columns(_Counts(dom), dom.common_ancestor))


class _Counts:
    """Sums over the texts of leaves, for any node."""

    def __init__(self, dom: CollapsedDom) -> None:
        self.dom = dom
        rows = [tuple(_counts_of(text)) for text in dom.texts]
        own = np.array(rows, dtype=np.float64).reshape(-1, len(_COUNTS))
        inside = dom.document.words_within({"a"})[dom.first_word]
        self.own = np.column_stack((own, own[:, 0] * inside))
        self._sums = np.concatenate((np.zeros((1, self.own.shape[1])), self.own.cumsum(axis=0)))
        starts, ends = dom.document.words.start, dom.document.words.end
        self.start, self.end = starts[dom.first_word], ends[dom.end_word - 1]
        elements = dom.document.elements
        is_form = elements.named({"input"})
        self._n_forms = np.append(elements.count_below(is_form), is_form.sum())

    @property
    def length(self) -> int:
        """Source characters from the first leaf to the end of the last, at least 1."""
        return max(int(self.end[-1] - self.start[0]), 1) if len(self.end) else 1

    def of_leaves(self) -> dict[str, Floats]:
        """Return the counts of leaves by name."""
        return dict(zip((*_COUNTS, "linked"), self.own.T, strict=True))

    def of_nodes(self, nodes: Integers) -> dict[str, Floats]:
        """Return the counts of nodes by name; ending marks are those of the node's last leaf."""
        first, end = self.dom.first_leaf[nodes], self.dom.end_leaf[nodes]
        sums = dict(zip((*_COUNTS, "linked"), (self._sums[end] - self._sums[first]).T, strict=True))
        for name in _LAST:
            sums[name] = self.own[end - 1, _COUNTS.index(name)]
        sums["share"] = (self.end[end - 1] - self.start[first]) / self.length
        sums["forms"] = self._n_forms[self.dom.element[nodes]].astype(np.float64)
        return sums


def _counts_of(text: str) -> Iterator[float]:
    """Yield the counts of a text, in the order of `_COUNTS`."""
    own = _WORD.findall(text)
    yield max(len(text), 1)
    yield len(own)
    yield sum(map(len, own))
    yield 1 + len(_SENTENCE_BORDER.findall(text[:-1]))
    yield len(_PUNCTUATION.findall(text))
    yield len(_DIGIT.findall(text))
    yield sum(word.lower() in STOP_WORDS for word in own)
    yield sum(word[0].isupper() for word in own)
    yield "©" in text
    yield _EMAIL.search(text) is not None
    yield _URL.search(text) is not None
    yield _YEAR.search(text) is not None
    yield _PUNCTUATION.match(text[-1:]) is not None
    yield text.endswith("?")


def _duplicates(dom: CollapsedDom) -> dict[str, Floats]:
    """Return features of how often a leaf's text and its class path occur on the page."""
    texts = Counter(dom.texts)
    times = np.array([texts[text] for text in dom.texts], dtype=np.float64)
    same = np.bincount(dom.class_path + 1)[dom.class_path + 1] if dom.n_leaves else times
    return {
        "duplicate": _sign(times > 1),
        "duplicate_10": _sign(times > 10),
        "same_class_path": same / max(dom.n_leaves, 1),
    }


def _leaf_columns(counts: _Counts) -> dict[str, Floats]:
    """Return the 24 features of a leaf's own text and position."""
    of, common = counts.of_leaves(), _text_columns(counts.of_leaves())
    n_words = of["words"]
    place = ((counts.start + counts.end) / 2 - counts.start[:1].sum()) / counts.length
    log_words = _scaled(np.log(np.maximum(n_words, 1)), 1.5086, 1.205, (0, 3.5))
    own = {
        "has_word": (_sign(n_words > 0) - 0.8255) / 0.5643817,
        "log_words": np.where(n_words > 0, log_words, 0.0),
        "log_characters": _scaled(np.log(of["characters"]), 3.392, 1.06445, (2.5, 5.5)),
        "has_punctuation": _sign(of["punctuation"] > 0),
        "punctuation": _scaled(of["punctuation"], 0.06938, 0.4083676, (0, 10)),
        "several_sentences": _sign(of["sentences"] > 1),
        "position": _scaled(place, 0.5198038, 0.2996195),
        "position_2": _scaled(place**2, 0.3599672, 0.3157282),
    }
    return own | common


def _node_columns(counts: _Counts, nodes: Integers) -> dict[str, Floats]:
    """Return the 20 features of nodes; zeros for -1 (no node)."""
    of = counts.of_nodes(np.maximum(nodes, 0))
    own = {
        "share": of["share"],
        "link_density": _scaled(of["linked"] / of["characters"], 0.5, 0.5),
        "log_characters": _scaled(np.log(of["characters"]), 6, 2.14, (2.5, 10)),
        "has_form": _sign(of["forms"] > 0),
    }
    exists, columns = nodes >= 0, own | _text_columns(of)
    return {name: np.where(exists, values, 0.0) for name, values in columns.items()}


def _text_columns(of: Columns) -> dict[str, Floats]:
    """Return the 16 features that leaves and nodes share."""
    n_words, n_characters = of["words"], of["characters"]
    has_word, divisor = n_words > 0, np.maximum(n_words, 1)
    capitals = of["capitalised"] / divisor
    marks = np.maximum(of["punctuation"], 1) / n_characters
    log_marks = _scaled(np.log(marks), -3.338525, 0.6058926, (-4, -2.5))
    length = _scaled(of["word_characters"] / divisor, 4.910001, 1.905709, (3, 15))
    sentence = np.log(n_characters / of["sentences"])
    return {
        "mean_word_length": np.where(has_word, length, -1.0),
        "has_stop_word": _sign(of["stop_words"] > 0),
        "stop_word_ratio": _if(has_word, _scaled(of["stop_words"] / divisor, 0.374, 0.1529)),
        "log_punctuation_ratio": _if(of["punctuation"] > 0, log_marks),
        "has_digit": (_sign(of["digits"] > 0) + 0.5900983) / 0.8073342,
        "digit_ratio": _scaled(of["digits"] / n_characters, 0.2655969, 0.3052819),
        "log_sentence_length": _scaled(sentence, 3.109, 1.011, (2, 5)),
        **{name: _sign(of[name] > 0) for name in ("ends_with_punctuation", "ends_with_question")},
        **{f"has_{name}": _sign(of[name] > 0) for name in ("copyright", "email", "url", "year")},
        "capitalised": _if(has_word, _scaled(capitals, 0.4475758, 0.4129316)),
        "capitalised_2": _if(has_word, _scaled(capitals**2, 0.3708354, 0.4334037)),
        "capitalised_3": _if(has_word, _scaled(capitals**3, 0.340843, 0.4404389)),
    }


def _sign(flags: Flags) -> Floats:
    return np.where(flags, 1.0, -1.0)


def _if(flags: Flags, values: Floats) -> Floats:
    return np.where(flags, values, 0.0)


def _of(nodes: Integers, values: Floats) -> Floats:
    """Return the values of nodes; 0 for -1 (no node)."""
    if not len(nodes):
        return np.zeros(0)
    return np.where(nodes >= 0, values[nodes], 0.0)


def _scaled(
    values: Floats, mean: float, deviation: float, bounds: tuple[float, float] | None = None
) -> Floats:
    kept = values if bounds is None else np.clip(values, *bounds)
    return (kept - mean) / deviation


def _prefixed(prefix: str, columns: Columns) -> dict[str, Floats]:
    return {f"{prefix}.{name}": column for name, column in columns.items()}


def _matrix(columns: Columns, n_rows: int) -> Floats:
    return np.column_stack([*columns.values()]).reshape(n_rows, len(columns))


SKIPPED = frozenset("iframe noscript select textarea title video".split())
"""Elements whose text is not a leaf; what a browser never shows has no words anyway."""


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
        elements = document.elements
        first = np.searchsorted(first_word, elements.first_word)
        end = np.searchsorted(first_word, elements.end_word)
        # From here on the page itself is the first element, around all others.
        first, end = np.append(0, first), np.append(len(first_word), end)
        above = np.append(-1, np.array(elements.parent, dtype=np.int64) + 1)
        holder = document.words.element[first_word] + 1
        is_inner = _n_children(above, first < end, holder) >= 2
        node = _nodes(above, is_inner, holder)
        nearest = _nearest(above, is_inner, node)
        inner = np.flatnonzero(is_inner)
        leaves = np.arange(len(first_word))
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
        shown, breaks = self.document.words.text, self.document.words.breaks
        separators = ["" if level == JOINED else " " for level in breaks.tolist()]
        leaf_texts = []
        for first, end in zip(self.first_word.tolist(), self.end_word.tolist(), strict=True):
            pieces = [shown[first]]
            for i in range(first + 1, end):
                pieces += (separators[i], shown[i])
            leaf_texts.append("".join(pieces))
        return leaf_texts

    @cached_property
    def depth(self) -> Integers:
        """Number of nodes above each node."""
        depth = [0] * len(self)
        parents = self.parent.tolist()
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
        """Whether a line ends between each leaf and the next, shape (n_leaves - 1,).

        At the border of a block-level element, or at a forced break.
        """
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
        known: dict[tuple[int, str, frozenset[str]], int] = {}
        paths: list[int] = []
        for i, (name, above) in enumerate(zip(elements.name, elements.parent, strict=True)):
            classes = frozenset(elements.attributes(i).get("class", "").split())
            key = (paths[above] if above >= 0 else -1, name, classes)
            paths.append(known.setdefault(key, len(known)))
        return np.array([*paths, -1], dtype=np.int64)[self.element[: self.n_leaves]]

    def of_words(self, is_chosen: Flags) -> Flags:
        """Return which words are in chosen leaves, shape (n_words,)."""
        ends = np.zeros(len(self.document.words) + 1, dtype=np.int64)
        ends[self.first_word[is_chosen]] += 1
        np.subtract.at(ends, self.end_word[is_chosen], 1)
        return np.cumsum(ends)[:-1] > 0

    def content_leaves(self, text: str) -> Flags:
        """Return which leaves are main content, by alignment of the page with its gold text.

        As in :func:`structce.extraction.text_labels`.
        """
        return text_labels(self.texts, text)


def _texts(document: ParsedDocument) -> tuple[Integers, Integers]:
    """Return the first word of each text that is a leaf, and the one after its last."""
    shown = document.words
    is_skipped = document.words_within(SKIPPED)
    is_first = np.append(True, (np.diff(shown.token) > 1) | shown.is_cut[1:])[: len(shown)]
    first = np.flatnonzero(is_first)
    end = np.append(first[1:], len(shown))[: len(first)]
    return first[~is_skipped[first]], end[~is_skipped[first]]


def _n_children(above: Integers, has_leaf: Flags, holder: Integers) -> Integers:
    """Return how many texts, and elements with texts, are directly below each element."""
    n_elements = len(above)
    counts: Integers = np.bincount(above[1:][has_leaf[1:]], minlength=n_elements)
    return counts + np.bincount(holder, minlength=n_elements)


def _nodes(above: Integers, is_inner: Flags, holder: Integers) -> Integers:
    """Return the node that each element is part of; -1 for an element without leaves."""
    node = np.full(len(above), -1)
    node[holder] = np.arange(len(holder))  # correct if an element contains only one text
    node[is_inner] = len(holder) + np.arange(int(is_inner.sum()))
    nodes, inner, parents = node.tolist(), is_inner.tolist(), above.tolist()
    for i in range(len(nodes) - 1, 0, -1):  # descendants before ancestors
        if nodes[i] >= 0 and not inner[parents[i]]:
            nodes[parents[i]] = nodes[i]
    return np.array(nodes, dtype=np.int64)


def _nearest(above: Integers, is_inner: Flags, node: Integers) -> Integers:
    """Return the inner node that each element is or is inside; -1 for none."""
    nearest: list[int] = []
    for parent, inner, own in zip(above.tolist(), is_inner.tolist(), node.tolist(), strict=True):
        nearest.append(own if inner else nearest[parent] if parent >= 0 else -1)
    return np.array(nearest, dtype=np.int64)
