"""Boilerpipe: blocks of text classified by their words, their links and their neighbours.

Sources: C. Kohlschütter, P. Fankhauser and W. Nejdl (2010). Boilerplate detection using shallow
text features. WSDM 2010. Details that the paper leaves to its program (the tags that split blocks,
the chains of filters, the words that end an article) follow boilerpipe 1.2 by C. Kohlschütter
(2011).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np

from structce.arrays import Flags, Floats, Integers
from structce.extraction.blocks import Blocks, blocks_between, start_tokens, tag_tokens
from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.registry import WordFilter, extractor
from structce.extraction.shown_words import JoinedWords, link_of_words
from structce.language import unescape

LINE_LENGTH = 80
"""Characters per line for measuring text density."""

_SKIPPED = frozenset("style script option object embed applet link noscript".split())
_INLINE = frozenset("a abbr acronym b code em font i span strike strong sub sup tt u var".split())
_SPACED = frozenset("a abbr acronym".split())  # inline, but they end a word
_TOKEN = re.compile(r"""[\w"'.,!@\-:;$?()/]+""")
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")

_MANY_LINKS = 0.333333  # learnt by C4.8, like all numbers of the rules
_LINKS_BEFORE = 0.555556
_FULL_TEXT_DENSITY = 9  # words per line from which a block counts as running text
_MIN_FULL_TEXT = 60  # words of running text that must precede the end of the article
_MAX_GAP = 1  # dropped blocks between two parts of one text

_END_LENGTHS = (15, 8)  # fewer than 15 words, at least 8 characters
_END_STARTS = ("comments", "© reuters", "please rate this", "post a comment")
_END_PHRASES = (
    "what you think...",
    "add your comment",
    "add comment",
    "reader views",
    "have your say",
    "reader comments",
    "rätta artikeln",
)
_END_COUNT = re.compile(r"\d+(?: comments| users responded in)")
_END_WHOLE = "thanks for your comments - this feedback is now closed"

_TITLE_CUTS = tuple(re.compile(f" *[{signs}] *") for signs in ("|:", "|:()", r"|:()\-", r"|,:()\-"))
_TITLE_END = re.compile(r"</title", re.IGNORECASE)


_Column = TypeVar("_Column", Flags, Floats, Integers)


@dataclass(frozen=True)
class ShallowText:
    """Shallow features of text blocks, as columns of shape (n_blocks,)."""

    n_words: Integers  # words with a letter or digit
    n_linked: Integers  # those of them in links
    n_wrapped: Integers  # words in full lines of 80 characters; all words if no line is full
    n_lines: Integers  # full lines, but at least one

    @property
    def link_density(self) -> Floats:
        """Share of words in links, in [0, 1]; 0 for a block without words."""
        return self.n_linked / np.maximum(self.n_words, 1)

    @property
    def text_density(self) -> Floats:
        """Words per line of 80 characters."""
        return self.n_wrapped / self.n_lines


Rules = Literal["article", "numwords", "density", "default", "largest", "canola"]


@extractor("boilerpipe")
@extractor("boilerpipe-numwords", rules="numwords")
@extractor("boilerpipe-density", rules="density")
@extractor("boilerpipe-default", rules="default")
@extractor("boilerpipe-largest", rules="largest")
@extractor("boilerpipe-canola", rules="canola")
@dataclass(frozen=True)
class Boilerpipe(WordFilter):
    """Boilerpipe (Kohlschütter et al. 2010): blocks by words, link density and their neighbours.

    The rules ``numwords`` and ``density`` are the two decision trees of the paper. The others are
    extractors of its program: ``article``, the tree of words and what belongs to the largest text;
    ``default``, the tree of densities on merged blocks of equal density; ``largest``, the largest
    text that the tree of words finds; ``canola``, a rule learnt from another corpus.
    """

    rules: Rules = "article"

    def keep(self, document: ParsedDocument) -> Flags:
        """Return which words are in blocks of content."""
        is_read = ~document.words_within(_SKIPPED)
        kept = np.zeros(len(is_read), dtype=bool)
        read = document if is_read.all() else document.restrict(is_read)
        blocks, text, texts = text_blocks_of(read)
        kept[is_read] = blocks.keep(self._choose(document, text, texts))
        return kept

    def _choose(self, document: ParsedDocument, text: ShallowText, texts: Sequence[str]) -> Flags:
        """Return which blocks are content, shape (n_blocks,)."""
        match self.rules:
            case "article":
                return article(text, texts, title_of(document.html, document))
            case "numwords":
                return number_of_words_rules(text)
            case "density":
                return density_rules(text)
            case "default":
                fused, owner = fused_by_density(text)
                return density_rules(fused)[owner]
            case "largest":
                return largest_text(text)
            case "canola":
                return canola_rule(text)


def number_of_words_rules(text: ShallowText) -> Flags:
    """Return the blocks that the tree of words and link density classifies as content."""
    words, links = text.n_words, text.link_density
    in_text = (words > 16) | (_next(words) > 15) | (_previous(words) > 4)
    behind_links = (words > 40) | (_next(words) > 17)
    return _few_links(links, in_text, behind_links)


def density_rules(text: ShallowText) -> Flags:
    """Return the blocks that the tree of text density and link density classifies as content."""
    density = text.text_density
    following, previous = _next(density), _previous(density)
    in_text = np.where(density > 9, following != 0, (following > 10) | (previous > 4))
    return _few_links(text.link_density, in_text, following > 11)


def _few_links(links: Floats, in_text: Flags, behind_links: Flags) -> Flags:
    """Apply the first splits of both trees: few links in a block, many or few in the previous."""
    is_content = np.where(_previous(links) <= _LINKS_BEFORE, in_text, behind_links)
    return (links <= _MANY_LINKS) & is_content


def canola_rule(text: ShallowText) -> Flags:
    """Return the blocks that the rule learnt from the Canola corpus classifies as content."""
    words, links = text.n_words, text.link_density
    previous, following = _previous(words), _next(words)
    is_among_words = (words > 6) | (previous > 7) | (following > 19)
    no_links_around = (_next(links) == 0) & (_previous(links) == 0)
    flags: Flags = (
        ((links > 0) & (following > 11))
        | (words > 19)
        | ((following > 6) & no_links_around & is_among_words)
    )
    return flags


def article(text: ShallowText, texts: Sequence[str], title: str) -> Flags:
    """Return the blocks of an article: the largest text, and the texts from the title up to it.

    The texts of the blocks and the title of the document, which may be empty, are in lower case.
    """
    is_content = number_of_words_rules(text)
    is_content &= ~_is_behind_end(text, texts, is_content)
    part = _with_block_before(is_content)
    kept = np.flatnonzero(part)
    number = np.cumsum(np.diff(kept, prepend=kept[:1]) > _MAX_GAP + 1, dtype=np.int64)
    titles = set(title_candidates(title))
    pairs = zip(number.tolist(), kept.tolist(), strict=True)
    with_title = {n for n, i in pairs if texts[i] in titles}
    last = _largest(number, text.n_words[kept])
    first = max((n for n in with_title if n <= last), default=last)
    part[kept[(number < first) | (number > last)]] = False
    return part


def largest_text(text: ShallowText) -> Flags:
    """Return the run of content with the most words, including the block before it."""
    is_content = number_of_words_rules(text)
    part = _with_block_before(is_content)
    kept = np.flatnonzero(part)
    number = np.cumsum(~is_content[kept], dtype=np.int64)
    part[kept[number != _largest(number, text.n_words[kept])]] = False
    return part


def _with_block_before(is_content: Flags) -> Flags:
    """Return content blocks and the block before each run, which fusion includes."""
    return is_content | _next(is_content)


def _largest(number: Integers, n_words: Integers) -> int:
    """Return the number of the part with the most words; the first wins a tie; 0 for none."""
    return int(np.bincount(number, n_words).argmax()) if len(number) else 0


def _is_behind_end(text: ShallowText, texts: Sequence[str], is_content: Flags) -> Flags:
    """Return the blocks from the first end mark of an article after enough running text."""
    is_full = is_content & (text.text_density >= _FULL_TEXT_DENSITY)
    n_full = np.cumsum(np.where(is_full, text.n_words, 0))
    is_mark = [
        n < _END_LENGTHS[0] and _marks_end(block)
        for n, block in zip(text.n_words.tolist(), texts, strict=True)
    ]
    ends = np.array(is_mark, dtype=bool) & (n_full >= _MIN_FULL_TEXT)
    return np.logical_or.accumulate(ends)


def _marks_end(text: str) -> bool:
    """Return whether a short text marks the end of an article, such as the heading of comments."""
    return len(text) >= _END_LENGTHS[1] and (
        text.startswith(_END_STARTS)
        or any(phrase in text for phrase in _END_PHRASES)
        or _END_COUNT.match(text) is not None
        or text == _END_WHOLE
    )


def title_candidates(title: str) -> Iterator[str]:
    """Yield possible headlines: a document's title, and its longest parts between separators."""
    if title:
        yield title
        for cut in _TITLE_CUTS:
            if part := _longest_part(cut.split(title)):
                yield part


def _longest_part(parts: Sequence[str]) -> str:
    """Return the last part with more words or characters than the best so far, except hosts."""
    longest, most = "", 0
    for part in parts if len(parts) > 1 else ():
        n_words = len(re.findall(r"\w+", part))
        if ".com" not in part and (n_words > most or len(part) > len(longest)):
            longest, most = part, n_words
    return longest.strip()


def title_of(html: str, document: ParsedDocument) -> str:
    """Return the first title of a document, in lower case; empty for a document without a title."""
    elements, tokens = document.elements, document.tokens
    titles = np.flatnonzero(elements.named({"title"}))
    if not len(titles):
        return ""
    start = int(tokens.end[start_tokens(document)][titles[0]])
    end = _TITLE_END.search(html, start)
    text = html[start : end.start()] if end else ""
    return " ".join(unescape(text).split()).lower()


def text_blocks_of(document: ParsedDocument) -> tuple[Blocks, ShallowText, list[str]]:
    """Return the text blocks of a document, their features, and their texts in lower case.

    A block ends at every tag except those of inline elements that the program knows.
    """
    is_tag = ~document.tokens.is_word
    is_border = is_tag & ~tag_tokens(document, _INLINE)
    blocks = blocks_between(document, is_border)
    words = JoinedWords.of(document, is_border | tag_tokens(document, _SPACED))
    borders = np.searchsorted(words.first, np.append(blocks.first_word, len(document.words)))
    texts = [
        " ".join(words.text[first:end]).lower()
        for first, end in zip(borders[:-1].tolist(), borders[1:].tolist(), strict=True)
    ]
    is_linked = link_of_words(document)[words.first] >= 0
    return blocks, _shallow_text(words, blocks.of_word[words.first], is_linked, len(blocks)), texts


def _shallow_text(
    words: JoinedWords, block: Integers, is_linked: Flags, n_blocks: int
) -> ShallowText:
    """Return the features of blocks, given the words of all blocks."""
    lengths_and_words = [
        (len(token), i)
        for i, word in enumerate(words.text)
        for token in _TOKEN.findall(word)
        if _LETTER_OR_DIGIT.search(token)
    ]
    length, owner = np.array(lengths_and_words, dtype=np.int64).reshape(-1, 2).T
    n_words = np.bincount(block[owner], minlength=n_blocks)
    n_linked = np.bincount(block[owner], is_linked[owner], minlength=n_blocks).astype(np.int64)
    n_last, n_lines = _wrapped(length, block[owner], n_blocks)
    has_no_line = n_words == n_last
    n_wrapped = np.where(has_no_line, n_words, n_words - n_last)
    return ShallowText(n_words, n_linked, n_wrapped, np.where(has_no_line, 1, n_lines))


def _wrapped(length: Integers, block: Integers, n_blocks: int) -> tuple[Integers, Integers]:
    """Return the number of words in the last line of each block, and of lines before it."""
    n_last, n_lines = [0] * n_blocks, [0] * n_blocks
    before, column = -1, 0
    for n, i in zip(length.tolist(), block.tolist(), strict=True):
        if i != before:
            before, column = i, -1
        column += n + 1
        n_last[i] += 1
        if column > LINE_LENGTH:
            n_lines[i] += 1
            column, n_last[i] = n, 1
    return np.array(n_last, dtype=np.int64), np.array(n_lines, dtype=np.int64)


def fused_by_density(text: ShallowText) -> tuple[ShallowText, Integers]:
    """Merge neighbouring blocks of equal text density; return them and the owner of each block."""
    fused: list[list[int]] = []
    owner = []
    columns = (text.n_words, text.n_linked, text.n_wrapped, text.n_lines)
    for row in zip(*(column.tolist() for column in columns), strict=True):
        if fused and row[2] / row[3] == fused[-1][2] / fused[-1][3]:
            fused[-1] = [a + b for a, b in zip(fused[-1], row, strict=True)]
        else:
            fused.append(list(row))
        owner.append(len(fused) - 1)
    table = np.array(fused, dtype=np.int64).reshape(-1, len(columns))
    return ShallowText(*table.T), np.array(owner, dtype=np.int64)


def _previous(values: _Column) -> _Column:
    """Return the value of the block before each; 0 before the first."""
    return np.concatenate((np.zeros(1, values.dtype), values))[: len(values)]


def _next(values: _Column) -> _Column:
    """Return the value of the block after each; 0 after the last."""
    return np.concatenate((values, np.zeros(1, values.dtype)))[1:]
