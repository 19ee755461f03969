"""Features of Web2Text: 128 for each leaf of a collapsed DOM, 25 for each leaf and the next.

Flags are 1 and -1. Numbers are clipped to a range and standardised; ranges, means and deviations
are those of the authors' program. That program uses integer division where a quotient is meant (of
the page's length, of leaves with one class path, mean lengths of words and sentences); here they
are quotients.

Source: T. Vogels, O.-E. Ganea and C. Eickhoff (2018). Web2Text: deep structured boilerplate
removal. ECIR 2018, section 3.2 and the appendix.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np

from structce.arrays import Flags, Floats, Integers
from structce.extraction.collapsed_dom import CollapsedDom

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
    scaled: Floats = (kept - mean) / deviation
    return scaled


def _prefixed(prefix: str, columns: Columns) -> dict[str, Floats]:
    return {f"{prefix}.{name}": column for name, column in columns.items()}


def _matrix(columns: Columns, n_rows: int) -> Floats:
    return np.column_stack([*columns.values()]).reshape(n_rows, len(columns))
