"""Compiled kernels agree with their NumPy versions, and refuse what would lead outside an array."""

import os
import random
import subprocess
import sys
import unicodedata
from itertools import pairwise, product

import numpy as np
import pytest

from structce import kernels
from structce.article.quality import text_counts
from structce.kernels import reference
from structce.language import (
    cues_of_texts,
    display_width,
    normalise,
    read_texts,
    split_texts,
    split_words,
)
from structce.language.cues import find_phrases, language_lexicon
from structce.learners.inference.forward_backward import forward_backward
from structce.learners.inference.viterbi import viterbi
from structce.rendering import html_scanner, with_spans
from structce.rendering.html_scanner import BLANKS, scan_markup
from structce.rendering.static import parser

needs_compiler = pytest.mark.skipif(not kernels.compiled, reason="no compiled kernels")
SIZES = (0, 1, 2, 7, 60, 400)


def random_tree(n):
    """Return the parents of elements in document order, the ancestors of each, and a source."""
    draw = np.random.default_rng(n)
    parent, lines, line = [], [], []
    for i in range(n):  # an element opens inside the last one or inside one of those around it
        line = line[: int(draw.integers(1, len(line) + 1))] if line else []
        parent.append(line[-1] if line else -1)
        line = [*line, i]
        lines.append(line[::-1])
    return np.array(parent, dtype=np.int32), lines, draw


@pytest.mark.parametrize("version", [kernels, reference], ids=["chosen", "reference"])
@pytest.mark.parametrize("n", SIZES)
def test_tree_kernels_agree_with_walks_to_the_root(version, n):
    parent, lines, draw = random_tree(n)
    marks, codes = draw.random(n) < 0.3, draw.integers(0, 3, n)
    marked = [[i for i in line if marks[i]] for line in lines]
    assert version.nearest(parent, marks).tolist() == [own[0] if own else -1 for own in marked]
    assert version.counts_above(parent, marks).tolist() == [len(own) for own in marked]
    numbers = version.path_numbers(parent, codes).tolist()
    paths = [tuple(codes[line].tolist()) for line in lines]
    firsts = list(dict.fromkeys(paths))
    assert numbers == [firsts.index(path) for path in paths]
    unions = [int(np.bitwise_or.reduce(1 << codes[line])) for line in lines]
    assert version.bits_down(parent, 1 << codes).tolist() == unions
    below = [sum({1 << int(codes[k]) for k in range(n) if i in lines[k]}) for i in range(n)]
    assert version.bits_up(parent, 1 << codes).tolist() == below
    own = [frozenset("abc"[: draw.integers(0, 3)]) for _ in range(n)]
    unions = [frozenset().union(*(own[i] for i in line)) for line in lines]
    assert version.unions_down(parent, own) == unions
    element = draw.integers(0, n, 2 * n).astype(np.int32) if n else parent
    near = [frozenset().union(*(own[i] for i in lines[place][1:4])) for place in element.tolist()]
    assert version.near_unions(parent, element, own) == near


@pytest.mark.parametrize("version", [kernels, reference], ids=["chosen", "reference"])
@pytest.mark.parametrize("n", SIZES)
def test_subtrees_in_document_order_have_their_sums(version, n):
    parent, lines, draw = random_tree(n)
    element = np.sort(draw.integers(0, n, 3 * n)).astype(np.int32) if n else parent
    values = draw.integers(0, 9, len(element))
    inside = [[j for j in range(n) if i in lines[j]] for i in range(n)]
    sums = [values[np.isin(element, own)].sum() for own in inside]
    assert version.sums_below(parent, element, values).tolist() == sums
    both = version.sums_below(parent, element, np.array([values, 2 * values]))
    assert both.tolist() == [sums, [2 * total for total in sums]]


@pytest.mark.parametrize("version", [kernels, reference], ids=["chosen", "reference"])
def test_values_are_numbered_by_what_is_known(version):
    assert version.number_values(("b", "a", "b", None)).tolist() == [0, 1, 0, 2]
    rows = version.map_rows(lambda *row: [*row], ["a", "a", "b", "a"], (1, 1, 1, 2))
    assert rows == [["a", 1], ["a", 1], ["b", 1], ["a", 2]]
    codes = np.array([3, 3, 0, 3]), np.array([True, True, False, False])
    assert version.map_codes(lambda *row: [*row], *codes) == [[3, 1], [3, 1], [0, 0], [3, 0]]
    assert version.places_of(iter("abba")) == {"a": [0, 3], "b": [1, 2]}
    assert version.places_of_keys([{"a": 1, "b": 2}, {}, {"b": 3}]) == {"a": [0], "b": [0, 2]}
    numbers = {"x=a": 0, "y=a": 1, "y=b": 2}
    assert version.find_columns(["=a", "=b", "=c"], ["x", "y"], numbers) == [(0, 1), (3, 2), ()]


@pytest.mark.parametrize("version", [kernels, reference], ids=["chosen", "reference"])
def test_numbers_on_a_border_belong_above_it(version):
    values = np.array([-1.0, 1.0, 1.5, 2.0, 9.0, np.nan, np.inf])
    assert version.bin_numbers(values, (1, 2)).tolist() == [0, 1, 1, 2, 2, -1, -1]
    assert version.bin_numbers(np.arange(4), (1, 2)).tolist() == [0, 1, 2, 2]


def first_rows(version, values, known):
    """Return the rows of three regions, and the features left; new values get rows from 20 on."""

    def learn(f, new):
        known[f].update({value: 20 + n for n, value in enumerate(new)})

    firsts = np.zeros((len(values), 3), dtype=np.int32)
    borders = [np.array([1.0, 2.0]) if f % 2 == 0 else np.zeros(0) for f in range(len(values))]
    bins = [np.arange(5, 7 + len(own), dtype=np.int32) for own in borders]
    rows = borders, bins, [9] * len(values), learn
    return firsts, version.first_rows(values, known, *rows, firsts)


@pytest.mark.parametrize("version", [kernels, reference], ids=["chosen", "reference"])
def test_values_of_every_type_have_their_rows(version):
    numbers = [np.array([0, 1, 7], dtype=kind) for kind in ("i8", "i4", "u2", "f4", ">f8", "f8")]
    flags = np.array([True, False, True])
    values = [own for column in numbers for own in (column, flags)]
    values += [np.array([np.nan, np.inf, 2]), np.arange(3), None, ("b", "a", "b"), [{"a"}] * 3]
    values += [["a", frozenset("b"), None], np.arange(6)[::2], np.array(["a", "b", "c"])]
    firsts, left = first_rows(version, values, [{"a": 3} for _ in values])
    plain = [[5, 6, 7], [9, 0, 9]] * len(numbers)
    rest = [[8, 8, 7], [0] * 3, [0] * 3, [20, 3, 20], [0] * 3, [3, 20, 21], [5, 7, 7], [0] * 3]
    assert (firsts.tolist(), left) == ([*plain, *rest], [13, 16, 19])


@pytest.mark.parametrize("version", [kernels, reference], ids=["chosen", "reference"])
def test_rows_of_neighbours_are_added(version):
    draw = np.random.default_rng(5)
    rows = np.concatenate([np.zeros((2, 3)), draw.normal(size=(20, 3))])
    firsts = np.where(draw.random((4, 9)) < 0.5, 0, draw.integers(2, 21, (4, 9))).astype(np.int32)
    expected = draw.normal(size=(9, 3))
    result = expected.copy()
    steps = ((0, 0), (2, 1), (3, 1))
    chosen = [(*step, place) for place in (-3, -1, 0, 2, 50) for step in steps]
    for feature, step, offset in chosen:
        for r in range(9):
            if 0 <= r + offset < 9 and firsts[feature, r + offset]:
                expected[r] += rows[firsts[feature, r + offset] + step]
    version.add_rows(result, rows, firsts, *np.array(chosen).T)
    assert result == pytest.approx(expected)


@pytest.mark.parametrize("version", [kernels, reference], ids=["chosen", "reference"])
@pytest.mark.parametrize(("depth", "n"), [(0, 3), (1, 0), (4, 11), (5, 300), (8, 130)])
def test_trees_are_walked_from_root_to_leaf(version, depth, n):
    draw, n_trees, inner = np.random.default_rng(depth), 5, 2**depth - 1
    rows = draw.integers(-1, 5, (n, 3)).astype(np.float32)
    rows[draw.random(rows.shape) < 0.2] = np.nan
    rows[rows == 4] = np.inf
    tests = np.array([*product((0, 2), (-0.5, 0, 2, 3.5), (False, True))])
    nodes = draw.integers(0, len(tests), n_trees * inner, dtype=np.int32)
    leaves = draw.normal(size=n_trees * (inner + 1)).astype(np.float32)
    expected = np.zeros((n, 2))
    for row in range(n):
        for tree in range(n_trees):
            place = 0
            for _ in range(depth):
                column, limit, goes_left = tests[nodes[tree * inner + place]].tolist()
                value = rows[row, int(column)]
                is_left = bool(goes_left) if np.isnan(value) else value <= limit
                place = 2 * place + 1 + (not is_left)
            expected[row, int(tree >= 2)] += leaves[tree * (inner + 1) + place - inner]
    columns, thresholds, sides = tests.T
    tests = columns.astype(np.int32), sides.astype(bool), thresholds.astype(np.float32)
    assert version.sum_leaves(rows, *tests, nodes, leaves, np.array([0, 2])) == pytest.approx(
        expected
    )


TEXTS = (
    "",
    "Ann Lee, 3 May",
    " Ann\tDe Lee ",
    "Ann Lee\u00b2",
    "ÜBER x1",
    "東京で「地震」",
    "١٤ مارس",
    "\U0001f600 \U00020000\ud800",
    " \x85…",
)


@pytest.mark.parametrize("version", [kernels, reference], ids=["chosen", "reference"])
def test_characters_are_counted_by_kind(version):
    counts = version.count_characters(TEXTS).tolist()
    lengths, widths, words, capitals, digits, marks, firsts, lasts, in_capitals, names = counts
    assert lengths == [*map(len, TEXTS)]
    assert widths == [*map(display_width, TEXTS)]
    assert (words[:2], capitals[:2]) == ([0, 3], [0, 3])
    assert (words[4:6], capitals[4:6]) == ([2, 2], [1, 0])
    assert digits == [sum(map(str.isdecimal, text)) for text in TEXTS]
    assert (marks[1], marks[4:6]) == (1, [0, 2])
    assert firsts == [ord(next(filter(str.isalpha, text), "\0")) for text in TEXTS]
    assert lasts == [ord(text[-1:] or "\0") for text in TEXTS]
    assert in_capitals == [*map(str.isupper, TEXTS)]
    assert names == [text == " Ann\tDe Lee " for text in TEXTS]
    every = [chr(code) for code in range(0x3000) if unicodedata.category(chr(code)) != "Cn"]
    assert (kernels.count_characters(every) == reference.count_characters(every)).all()


@needs_compiler
def test_compiled_words_are_those_of_the_textbook(monkeypatch):
    draw, texts = random.Random(2), list(TEXTS)
    marks, joined = [*map(chr, range(0x600)), *"–—‘’“”„…中ﬁ"], [*map(chr, range(0x600, 0x10000))]
    for alphabet in (marks, joined, joined[:0x600], joined[0x2800:0x3800]):
        alphabet += 30 * "abcXYZ019ßß _-.,'"
        texts += ["".join(draw.choices(alphabet, k=draw.randrange(12))) for _ in range(4000)]
    for name, textbook in (("split_words", split_words), ("normalise", normalise)):
        found = getattr(kernels, name)(texts, lambda _: None)
        assert sum(own is not None for own in found) > 5000
        monkeypatch.setattr(kernels, name, None)
        for own, text in zip(found, texts, strict=True):
            assert own is None or own == textbook(text), text


@needs_compiler
def test_compiled_counts_are_those_of_the_textbook(monkeypatch):
    draw, wanted = random.Random(4), frozenset(["a", "ßx", "2", "by", "é", "中", "may"])
    parts = [*"abyé中３٣²@©(:./-", "May", "by", "2:30 pm", "1980", "2040", "12 Uhr", "8", " ", "\n"]
    texts = ["".join(draw.choices(parts, k=draw.randrange(9))) for _ in range(5000)]
    texts += [*TEXTS, "2.5.2026 by a" + 200 * " ", 200 * "中 by 9:30"]
    letters, counts = read_texts(texts, wanted, "en")
    monkeypatch.setattr(kernels, "read_texts", None)
    expected = read_texts(texts, wanted, "en")
    assert letters == expected[0]
    for text, own, other in zip(texts, counts.T.tolist(), expected[1].T.tolist(), strict=True):
        assert own == other, text
    assert (counts.sum(axis=1) > 1000).all()


@needs_compiler
def test_compiled_counts_of_a_text_are_those_of_the_textbook(monkeypatch):
    draw = random.Random(4)
    marks, latin = "\t\n_-  \x85\xa0’…\u3000\u2028\ud800", [*map(chr, range(256))]
    texts = [*TEXTS, " ".join(latin), " ".join(f"w{n:x}" for n in range(5000))]
    texts += [
        "".join(draw.choices([*latin, *9 * marks], k=draw.randrange(400))) for _ in range(999)
    ]
    counts = [kernels.count_latin(text) for text in texts]
    assert counts.count(None) == sum(any(c > "\xff" and c.isalnum() for c in t) for t in texts) > 0
    monkeypatch.setattr(kernels, "count_latin", None)
    for own, text in zip(counts, texts, strict=True):
        assert own is None or own == text_counts(text), text


@needs_compiler
def test_compiled_phrases_are_those_of_the_textbook(monkeypatch):
    draw, starts = random.Random(3), language_lexicon("en").starts
    vocabulary = [*starts, *(word for own in starts.values() for entry in own for word in entry[0])]
    vocabulary += ["xyz", "12", "123456", "٣", "(c)", "©", "中文", "é", "a@b"]
    texts = [" ".join(draw.choices(vocabulary, k=draw.randrange(9))) for _ in range(3000)]
    words = split_texts(texts)
    found = [find_phrases(own, "en") for own in words]
    names = [cues_of_texts(texts, tag) for tag in ("en", "")]
    monkeypatch.setattr(kernels, "find_phrases", None)
    monkeypatch.setattr(kernels, "read_texts", None)
    assert found == [find_phrases(own, "en") for own in words]
    assert names == [cues_of_texts(texts, tag) for tag in ("en", "")]


@pytest.mark.parametrize("version", [kernels, reference], ids=["chosen", "reference"])
@pytest.mark.parametrize("unit_norm", [False, True])
def test_weights_of_names_are_added_in_the_order_of_columns(version, unit_norm):
    weights = np.random.default_rng(4).normal(size=(6, 3))
    weights[5] = 0
    numbers = {name: i for i, name in enumerate(("x", "x=b", "y", "y=a", "y=b"))}
    members = {"b": (1, 4)}
    values = [None, "c", "b", frozenset("ab"), True, frozenset({"", "b"}), frozenset("cb")]
    names = {None: (), "c": ("c",), "b": ("b",), True: ("",), values[5]: ["b"]}

    def names_of(value):
        return names.get(value, value)

    known, rows = {}, np.ones((20, 3))
    end = version.sum_names(
        values, names_of, members, ["x", "y"], numbers, weights, unit_norm, known, rows, 4
    )
    assert end == 14
    assert known == dict(zip(values, [0, 0, 4, 6, 8, 10, 12], strict=True))
    assert members == {"a": (5, 3), "b": (1, 4), "c": (), "": (0, 2)}
    norms = 1 / np.sqrt([1, 2, 1, 1, 2]) if unit_norm else [1] * 5
    b = weights[[1, 4]]
    added = [b, weights[[5, 3]] + b, weights[[0, 2]], b, b]
    expected = [norm * own for norm, own in zip(norms, added, strict=True)]
    assert rows[4:end] == pytest.approx(np.concatenate(expected))
    assert (rows[:4] == 1).all()
    assert (rows[end:] == 1).all()


@needs_compiler
@pytest.mark.parametrize("lengths", [[], [0], [1], [5, 0, 1, 30]])
def test_compiled_chains_agree_with_the_textbook(lengths):
    draw = np.random.default_rng(len(lengths))
    emissions, steps = draw.normal(size=(sum(lengths), 4)), 3 * draw.normal(size=(4, 4))
    sizes = np.array(lengths, dtype=np.int64)
    pages = np.split(emissions, np.cumsum(sizes)[:-1]) if lengths else []
    labels = kernels.best_labels(emissions, sizes, steps)
    assert labels.tolist() == [label for page in pages for label in viterbi(page, steps).tolist()]
    marginals = kernels.chain_marginals(emissions, sizes, steps)
    expected = [forward_backward(page, steps)[1] for page in pages]
    assert marginals == pytest.approx(np.concatenate([np.zeros((0, 4)), *expected]))


PIECES = """
< <a <script> </script </script> <svg> </svg> <title/> <!-- --> --!> <!--> = ' " > x &nbsp; />
<p <b> </b> <B <iframe/> <option> </optGroup <html <body/> <li> </li> <td> <tr>
<td> / ! ? <sVg <TEXTAREA> </textarea <b=c=' é< 中
""".split()
PIECES += [" ", "\x85", "\u200b", "\u3000", "\0", "\U0001f600"]
PIECES += [40 * "x", 40 * "\u3c3e", 40 * "\U0001003c"]  # far to the next mark; bytes of marks


def sources():
    draw = random.Random(3)
    yield from ("".join(draw.choices(PIECES, k=draw.randrange(40))) for _ in range(3000))
    yield from (piece * 300 for piece in PIECES)
    yield "<p>x</p>" + "<a b=" * 1500 + "'>'>y"


@needs_compiler
def test_a_compiled_scan_gives_the_markup_of_the_textbook():
    for html in sources():
        markup = scan_markup(html)
        markup.may_swallow = True  # which the textbook says of every source
        assert markup == html_scanner._scan_pieces_of(html), html


@needs_compiler
def test_compiled_guards_see_what_the_textbook_sees(monkeypatch):
    monkeypatch.setattr(parser, "MAX_OPTIONS", 0)
    for html in sources():
        data = html.encode(errors="replace")
        *counts, n_repeated, may_swallow = parser.count_tags(data)
        assert may_swallow or not html_scanner._EMPTY_RAW.search(html), html
        with monkeypatch.context() as without:
            without.setattr(kernels, "count_tags", None)
            assert counts == list(parser.count_tags(data))[:-2], html
            without.setattr(parser, "MAX_REPEATED", n_repeated)
            assert parser._find_excess(data) == 0, html


@needs_compiler
def test_compiled_attributes_are_those_of_the_textbook(monkeypatch):
    markups = [scan_markup(html) for html in sources()]
    tags = [markup.tag(n) for markup in markups for n in range(len(markup.names))]
    compiled = [html_scanner.read_attributes(tag, 2) for tag in tags]
    monkeypatch.setattr(kernels, "read_attributes", None)
    assert compiled == [html_scanner.read_attributes(tag, 2) for tag in tags]


@needs_compiler
def test_a_compiled_scan_trims_the_same_blanks():
    for mark in map(chr, range(1, 0x10000)):
        is_blank = not scan_markup(f"{mark}<p>").texts
        assert is_blank == (mark.isspace() or mark in BLANKS), hex(ord(mark))


def test_compiled_spans_are_those_of_the_textbook(make_page, monkeypatch):
    pages = [(make_page(html), html) for html in sources()]
    found = [with_spans(*own).spans.tolist() for own in pages]
    monkeypatch.setattr(kernels, "find_texts", None)
    assert found == [with_spans(*own).spans.tolist() for own in pages]
    assert sum(map(len, found)) > 1000


LONG = np.full(3, 7, dtype=np.int32)
NEAR, BITS = np.zeros((64, 5), "i4"), np.zeros((4, 64), "i4")
HOSTILE = {
    "nearest": [(LONG, np.ones(3, dtype=bool)), (LONG[:2] - 8, np.ones(3, dtype=bool))],
    "sums_below": [(LONG - 8, LONG, np.ones(3)), (LONG - 8, LONG, np.ones(2))],
    "counts_above": [(LONG, np.ones(3, dtype=bool)), (LONG - 8, np.ones(2, dtype=bool))],
    "bits_down": [(LONG, LONG), (LONG - 8, LONG[:1])],
    "bits_up": [(LONG, LONG), (LONG - 8, LONG[:1])],
    "find_parts": [
        ("a", ["a"], []),
        ("a", ["a"], [1]),
        ("a", ["a"], [0, 0]),
        ("a", [""], [0]),
        ("a", "a" * 64, [0]),
    ],
    "path_numbers": [(LONG, LONG), (LONG - 8, LONG[:1])],
    "map_codes": [
        (print, [-1]),
        (print, [0, 1], [0]),
        (print, *9 * ([0],)),
        (print, *5 * ([9**9],)),
    ],
    "unions_down": [(LONG, [frozenset()] * 3), (LONG - 8, [frozenset()])],
    "near_unions": [
        (LONG, LONG - 7, [frozenset()] * 3),
        (LONG - 8, LONG, [frozenset()] * 3),
        (LONG - 8, LONG - 7, [frozenset()]),
    ],
    "first_rows": [
        (*rows, [np.zeros(0)], [bins], [0], print, np.zeros((1, 3), dtype=np.int32))
        for rows, bins in (
            (([LONG], [{}]), LONG),
            (([LONG[:2]], [{}]), LONG[:2]),
            (([LONG > 8], []), LONG[:2]),
            (([["a"]], [{}]), LONG[:2]),
        )
    ],
    "add_rows": [
        (np.zeros((3, 2)), np.zeros((2, 2)), LONG[None], [0], [0], [0]),
        (np.zeros((3, 2)), np.zeros((9, 2)), LONG[None], [1], [0], [0]),
        (np.zeros((3, 2)), np.zeros((9, 1)), LONG[None], [0], [0], [0]),
        (np.zeros((4, 2)), np.zeros((9, 2)), LONG[None], [0], [0], [0]),
        (np.zeros((3, 2)), np.zeros((9, 2)), LONG[None], [0], [0], []),
    ],
    "sum_leaves": [
        (np.zeros(shape, "f4"), columns, sides, limits, nodes, np.zeros(n_leaves, "f4"), starts)
        for shape, columns, sides, limits, nodes, n_leaves, starts in (
            ((1, 7), LONG, LONG > 8, LONG.astype("f4"), LONG - 7, 4, [0]),
            ((1, 9), LONG, LONG > 8, LONG.astype("f4"), LONG, 4, [0]),
            ((1, 9), LONG, LONG > 8, LONG.astype("f4"), LONG - 8, 4, [0]),
            ((1, 9), LONG, LONG[1:] > 8, LONG.astype("f4"), LONG - 7, 4, [0]),
            ((1, 9), LONG, LONG > 8, LONG[1:].astype("f4"), LONG - 7, 4, [0]),
            ((1, 9), LONG, LONG > 8, LONG.astype("f4"), LONG - 7, 2, [0]),
            ((1, 9), LONG, LONG > 8, LONG.astype("f4"), LONG - 7, 5, [0]),
            ((1, 9), LONG, LONG > 8, LONG.astype("f4"), LONG - 7, 4, []),
            ((9,), LONG, LONG > 8, LONG.astype("f4"), LONG - 7, 4, [0]),
            ((1, 9), LONG, LONG > 8, LONG.astype("f4"), np.zeros(511, "i4"), 512, [0]),
        )
    ],
    "score_tokens": [
        (bytearray(record), [0], [0], lengths, hints, (0, 0), near, bits, forms, {}, weights)
        for record, lengths, hints, near, bits, forms, weights in (
            (np.zeros(7, "i8"), [1], [[0, 0]], NEAR, BITS, {}, np.zeros((3, 2))),
            (np.full(8, 64), [1], [[0, 0]], NEAR, BITS, {}, np.zeros((3, 2))),
            (np.full(8, -1), [1], [[0, 0]], NEAR, BITS, {}, np.zeros((3, 2))),
            (np.zeros(8, "i8"), [2], [[0, 0]], NEAR, BITS, {}, np.zeros((3, 2))),
            (np.zeros(8, "i8"), [-1], [[0, 0]], NEAR, BITS, {}, np.zeros((3, 2))),
            (np.zeros(8, "i8"), [1], [], NEAR, BITS, {}, np.zeros((3, 2))),
            (np.zeros(8, "i8"), [1], [[0]], NEAR, BITS, {}, np.zeros((3, 2))),
            (np.zeros(8, "i8"), [1], [[0, 0]], NEAR[:9], BITS, {}, np.zeros((3, 2))),
            (np.zeros(8, "i8"), [1], [[0, 0]], NEAR, BITS[:3], {}, np.zeros((3, 2))),
            (np.zeros(8, "i8"), [1], [[0, 0]], NEAR + 3, BITS, {}, np.zeros((3, 2))),
            (np.zeros(8, "i8"), [1], [[1, 1]], NEAR, BITS - 1, {}, np.zeros((3, 2))),
            (np.zeros(8, "i8"), [1], [[0, 0]], NEAR, BITS, {0: 4}, np.zeros((3, 2))),
            (np.zeros(8, "i8"), [1], [[0, 0]], NEAR, BITS, {}, np.zeros(3)),
        )
    ],
    "sum_names": [
        (["a"], set, {"a": columns}, starts, {}, weights, True, {}, np.zeros((4, n_labels)), first)
        for columns, starts, weights, n_labels, first in (
            ((1, 3), ["x", "y"], np.zeros((3, 2)), 2, 2),
            ((1, -1), ["x", "y"], np.zeros((3, 2)), 2, 2),
            ((1,), ["x", "y"], np.zeros((3, 2)), 2, 2),
            ((1, 2), ["x", "y"], np.zeros(4), 2, 2),
            ((1, 2), [], np.zeros((3, 2)), 2, 2),
            ((1, 2), ["x", "y"], np.zeros((3, 2)), 1, 2),
            ((1, 2), ["x", "y"], np.zeros((3, 2)), 2, 3),
            ((1, 2), ["x", "y"], np.zeros((3, 2)), 2, -1),
        )
    ],
    "read_names": [
        ([{"a": "a"}], {"a": 7}, np.asarray(rows, dtype=np.int32), entries, 0, max, max)
        for rows, entries in (
            (np.full(30, 7), np.ones((1, 4), dtype=int)),
            (np.full(99, 7), np.ones((6, 4), dtype=int)),
            (np.full(99, 7), np.ones((8, 4), dtype=int) * 7),
            (np.zeros(29), np.ones((1, 4), dtype=int)),
            (np.zeros(30), np.ones((1, 3), dtype=int)),
        )
    ],
    "read_texts": [(["a"], frozenset(), {}, LONG, 9, str)],
    "find_texts": [
        ("ab", texts, [], own, own_codes, codes, above, (1, (), 9), str)
        for texts, own, own_codes, codes, above in (
            ([0, 3, -1], (), LONG[:0], LONG, LONG - 8),
            ([0, 1, 3], (), LONG[:0], LONG, LONG - 8),
            ([], ("a",), LONG, LONG, LONG - 8),
            ([], (), LONG[:0], LONG, LONG[:1]),
            ([0, 1, 2], ("a",), LONG[:1], LONG - 7, LONG),
        )
    ],
    "read_attributes": [("<p a=b>", -9)],
    "best_labels": [
        (np.zeros((2, 2)), [3], np.zeros((2, 2))),
        (np.zeros((2, 2)), [-1, 3], np.zeros((2, 2))),
        (np.zeros((2, 2)), [2], np.zeros((3, 2))),
    ],
}


@needs_compiler
@pytest.mark.parametrize(("name", "arguments"), [(n, a) for n in HOSTILE for a in HOSTILE[n]])
def test_a_compiled_kernel_refuses_what_leads_outside_an_array(name, arguments):
    with pytest.raises(ValueError, match=r"\w"):
        getattr(kernels, name)(*arguments)
    with pytest.raises((TypeError, ValueError)):
        getattr(kernels, name)(*(["x"] for _ in arguments))


@pytest.mark.parametrize("version", [kernels, reference], ids=["chosen", "reference"])
@pytest.mark.parametrize("text", ["", "a", "aabab\naa\nbbbb\na\u0142\U0001f600aab", "ab" * 99])
def test_parts_of_a_text_are_found_in_each_section(version, text):
    starts = np.array([0, 1, 3, 6, 7, 20])
    bounds = [*starts.tolist(), max(len(text), 20)]
    parts = ["a", "ab", "aab", "\n", "\u0142", "bb\na", "zz", *["b"] * 56]
    expected = [
        sum(
            1 << n
            for n, part in enumerate(parts)
            if any(text.startswith(part, at) for at in range(first, end))
        )
        for first, end in pairwise(bounds)
    ]
    assert version.find_parts(text, parts, starts).tolist() == expected


def test_the_environment_chooses_the_reference():
    code = "from structce import kernels; print(kernels.compiled, kernels.nearest.__module__)"
    environ = {**os.environ, "STRUCTCE_KERNELS": "reference"}
    run = [sys.executable, "-c", code]
    done = subprocess.run(run, env=environ, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "structce.kernels.reference"]
