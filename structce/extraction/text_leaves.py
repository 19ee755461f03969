"""Text leaves: the text nodes of a page in document order, with the elements around each.

Leaves and their words are specified exactly, so that a program in a browser finds the same ones
(Leonhardt, Anand and Khosla 2020, section 3.1, whose code determines what is skipped).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from selectolax.lexbor import LexborNode

from structce.arrays import Flags, Integers
from structce.extraction.block_labels import text_labels
from structce.extraction.parsed_document import ParsedDocument, words_of_shown
from structce.language import UNSPACED
from structce.rendering import TEXT, UNSEEN

SKIPPED = UNSEEN | frozenset("audio button canvas iframe noscript object video".split())
"""Elements whose text nodes are not leaves, at any depth: those of the paper's code, and others
that show no text of their own (our choice)."""

SPACES = "\\t\\n\\v\\f\\r \\u00a0\\u1680\\u2000-\\u200b\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff"
"""White space, as the content of a character class, for both Python and JavaScript."""

_MIN_RUN = 3  # words of a run that is not coincidental; shorter runs count if they fill a leaf
_MARK = re.compile(f"[^{SPACES}]")
_WORD = re.compile(f"[{UNSPACED}]|[^\\W{UNSPACED}]+|[^\\w{SPACES}]")


@dataclass(frozen=True, eq=False)
class TextLeaves:
    """Text leaves of a document in document order, and the elements around them."""

    text: Sequence[str]  # of each leaf as parsed, including white space
    element: Integers  # index of the element that contains each leaf
    tag: Sequence[str]  # names of elements in lower case, in document order
    parent: Integers  # index of the element around each, which is lower; -1 for the root

    def __len__(self) -> int:
        return len(self.text)


def text_leaves(document: ParsedDocument) -> TextLeaves:
    """Return the text leaves of a document.

    A leaf is a text node of the tree of the HTML standard with a character outside `SPACES`, unless
    an element around it is one of `SKIPPED`. Comments separate texts; adjacent text nodes are not
    joined. The content of shadow trees, ``template`` and frames is not visited. Text nodes hidden
    by styles are leaves. Raises RenderError if the tree would be too deep or too large.
    """
    leaves: list[tuple[str, int]] = []
    elements: list[tuple[str, int]] = []
    waiting: list[tuple[LexborNode, int]] = [(document.tree, -1)]
    while waiting:
        node, above = waiting.pop()
        following = node.next
        if following is not None and above >= 0:
            waiting.append((following, above))
        tag = str(node.tag)
        if tag == TEXT:
            text = node.text_content or ""
            if _MARK.search(text):
                leaves.append((text, above))
        elif tag[:1] not in ("-", "!", "") and (name := tag.lower()) not in SKIPPED:
            elements.append((name, above))
            if (first := node.child) is not None:
                waiting.append((first, len(elements) - 1))
    owner, parent = (
        np.array([above for _, above in column], dtype=np.int64) for column in (leaves, elements)
    )
    return TextLeaves([text for text, _ in leaves], owner, [name for name, _ in elements], parent)


def leaf_words(text: str) -> list[str]:
    """Return the words of a leaf, in lower case.

    A word is a run of letters, digits and underscores (Unicode's letters and numbers); one letter
    of `UNSPACED`; or any other single character except white space, such as a full stop. The text
    is converted to lower case first. The paper splits English words with NLTK.

    >>> leaf_words("Prices ROSE by 5%, don't they?")
    ['prices', 'rose', 'by', '5', '%', ',', 'don', "'", 't', 'they', '?']
    """
    return _WORD.findall(text.lower())


def leaf_labels(leaves: TextLeaves, text: str) -> Flags:
    """Return which leaves are main content, by alignment of the page with its gold text."""
    return text_labels(leaves.text, text, min_run=_MIN_RUN)


def leaf_of_words(document: ParsedDocument, leaves: TextLeaves) -> Integers:
    """Return the index of the leaf that each word of a document is in; -1 for none.

    The tree does not record where its text nodes are in the source; word order reveals it. A word
    without a leaf gets that of both neighbours, if it is the same: a stray tag in the source
    (``</b>``) splits a word that is whole in the tree.
    """
    from structce.alignment import common_runs  # late: takes 0.1 s, and few extractors need it

    visible = np.flatnonzero(~document.words_within(SKIPPED))
    leaf_words = [words_of_shown(text) for text in leaves.text]
    owner = np.repeat(np.arange(len(leaf_words)), [len(words) for words in leaf_words])
    ours = [word for words in leaf_words for word in words]
    theirs = [document.words.text[i] for i in visible.tolist()]
    mine = np.full(len(visible), -1)
    for run in common_runs(ours, theirs):
        mine[run.second : run.second + run.length] = owner[run.first : run.first + run.length]
    if len(has := np.flatnonzero(mine >= 0)):
        positions = np.arange(len(mine))
        before = mine[has[np.maximum(np.searchsorted(has, positions, side="right") - 1, 0)]]
        behind = mine[has[np.minimum(np.searchsorted(has, positions), len(has) - 1)]]
        mine = np.where((mine < 0) & (before == behind), before, mine)
    result = np.full(len(document.words), -1)
    result[visible] = mine
    return result
