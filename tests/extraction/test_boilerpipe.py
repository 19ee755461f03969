"""Boilerpipe: text blocks, the trees of the paper, the chains of its program."""

import random
from itertools import product

import numpy as np
import pytest

from structce.extraction import ParsedDocument, extract
from structce.extraction.boilerpipe import (
    Boilerpipe,
    ShallowText,
    canola_rule,
    density_rules,
    fused_by_density,
    number_of_words_rules,
    text_blocks_of,
    title_candidates,
    title_of,
)
from structce.extraction.shown_words import link_of_words

WORDS = "The ferry to the island will stop in June as the harbour master said on Monday "
RULES = ("article", "numwords", "default", "largest", "canola")


def texts(html):
    return text_blocks_of(ParsedDocument(html))[2]


def shallow(html):
    return text_blocks_of(ParsedDocument(html))[1]


def test_every_tag_but_known_inline_ones_ends_a_block():
    html = "<p>One <b>two</b><br>three <a>four</a> <small>five</small><img src=a>six"
    assert texts(html) == ["one two", "three four", "five", "six"]


def test_inline_tags_cut_no_word_but_links_do():
    assert texts("<p>Sl<b>ow</b> bo<a>at</a>s") == ["slow bo at s"]
    assert shallow("<p>Sl<b>ow</b> bo<a>at</a>s").n_words.tolist() == [4]


def test_words_have_a_letter_or_a_digit_and_signs_alone_make_a_block_without_words():
    text = shallow("<p>One - two_ 3 & don't &mdash;four!<p>|<p>a&mdash;b")
    assert text.n_words.tolist() == [5, 0, 2]
    assert text.link_density.tolist() == [0, 0, 0]


def test_link_density_is_the_share_of_words_in_links():
    text = shallow("<p><a href=x>One two</a> three four<a></a><div><a>x<p>y</a>")
    assert text.link_density.tolist() == [0.5, 1, 1]


def test_a_link_ends_where_the_next_one_begins_in_it():
    html = "<a name=x><b>one</b> <a href=y>two <i>three</i></a> four <p>five <a>six</p> seven"
    document = ParsedDocument(html)
    assert (link_of_words(document) >= 0).tolist() == [True] * 3 + [False] * 2 + [True, False]
    assert shallow(html).link_density.tolist() == [0.75, 0.5, 0]


def test_an_anchor_written_as_empty_is_no_link():
    text = shallow("<a name=top />one<p><a href=http://a.example/>two</a>")
    assert text.link_density.tolist() == [0, 1]


def test_text_density_leaves_the_last_line_out():
    line = " ".join(["abcdefghi"] * 8)  # 79 characters, which a ninth word would make 89
    assert shallow(f"<p>{line}").text_density.tolist() == [8]
    text = shallow(f"<p>{line} {line} a b c")
    assert text.n_lines.tolist() == [2]
    assert text.n_wrapped.tolist() == [16]  # "a" begins a third line
    assert shallow("<p>" + "a" * 200).text_density.tolist() == [1]


def test_what_the_program_skips_is_neither_read_nor_kept():
    html = f"<noscript>{WORDS * 3}</noscript><p>{WORDS * 3}<object>{WORDS * 3}</object>"
    assert extract(html, "boilerpipe-numwords").text == (WORDS * 3).strip()


def tree(high_links, before_links, wide):
    """A tree of the paper, as it is drawn."""

    def decide(p, c, n):
        if c[1] > high_links:
            return False
        return wide(p[0], c[0], n[0], p[1] <= before_links)

    return decide


def words_tree(p, c, n, in_text):
    if in_text:
        if c <= 16:
            if n <= 15:
                return p > 4
            return True
        return True
    if c <= 40:
        return n > 17
    return True


def density_tree(p, c, n, in_text):
    if in_text:
        if c <= 9:
            if n <= 10:
                return p > 4
            return True
        return n != 0
    return n > 11


def every_neighbourhood(values):
    """Blocks whose neighbourhoods are all triples of values and link densities."""
    links = (0, 0.3333329, 0.3333331, 0.5555559, 0.5555561)
    triples = random.Random(1).choices(list(product(product(values, links), repeat=3)), k=4000)
    return [block for triple in triples for block in triple]


@pytest.mark.parametrize(
    ("rules", "wide", "values"),
    [
        (number_of_words_rules, words_tree, (0, 4, 5, 15, 16, 17, 18, 40, 41)),
        (density_rules, density_tree, (0, 4, 5, 9, 9.5, 10, 10.5, 11, 11.5)),
    ],
)
def test_the_rules_are_the_trees_of_the_paper(rules, wide, values):
    blocks = every_neighbourhood(values)
    scale = 10**7  # link densities as whole numbers
    measured = np.array([value for value, _ in blocks])
    n_linked = np.array([round(link * scale) for _, link in blocks])

    class Text:
        n_words, text_density, link_density = measured, measured, n_linked / scale

    decide = tree(0.333333, 0.555556, wide)
    around = [(0, 0), *blocks, (0, 0)]
    expected = [decide(*around[i : i + 3]) for i in range(len(blocks))]
    assert rules(Text).tolist() == expected
    assert len(set(expected)) == 2


def columns(*rows):
    return ShallowText(*np.array(rows, dtype=np.int64).T)


def test_the_canola_rule_reads_neighbours():
    text = columns((7, 0, 7, 1), (7, 0, 7, 1), (3, 1, 3, 1), (12, 0, 12, 1), (20, 9, 20, 1))
    assert canola_rule(text).tolist() == [True, False, True, False, True]


def test_neighbours_of_one_text_density_are_fused():
    text = columns((8, 0, 8, 1), (20, 1, 16, 2), (9, 9, 9, 1), (30, 0, 18, 2), (5, 0, 5, 1))
    fused, owner = fused_by_density(text)
    assert owner.tolist() == [0, 0, 1, 1, 2]
    assert fused.n_words.tolist() == [28, 39, 5]
    assert fused.text_density.tolist() == [8, 9, 5]


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Ferry to stop", ["Ferry to stop"]),
        ("Ferry to stop | The Post", ["Ferry to stop | The Post", *["Ferry to stop"] * 4]),
        ("A: The ferry (again)", ["A: The ferry (again)", "The ferry (again)", *["The ferry"] * 3]),
        ("ferries.com - Stop", ["ferries.com - Stop", "Stop", "Stop"]),
        ("", []),
    ],
)  # fmt: skip
def test_a_headline_may_be_the_longest_part_of_the_title(title, expected):
    assert list(title_candidates(title)) == expected


def test_the_title_is_read_from_the_source():
    html = "<head><title>Ferry &amp; boats\n stop</TITLE></head><p>x"
    assert title_of(html, ParsedDocument(html)) == "ferry & boats stop"
    assert title_of("<p>x", ParsedDocument("<p>x")) == ""
    assert title_of("<title>x", ParsedDocument("<title>x")) == ""


def paragraphs(*contents):
    return "".join(f"<p>{content}</p>" for content in contents)


def test_an_article_ends_where_comments_begin():
    html = paragraphs(WORDS * 3, WORDS * 3, "Post a comment", WORDS * 3)
    assert extract(html, "boilerpipe").text.count("ferry") == 6
    assert extract(html, "boilerpipe-numwords").text.count("ferry") == 9


def test_too_little_text_believes_no_end():
    html = paragraphs(WORDS * 3, "Post a comment", WORDS * 3)
    assert extract(html, "boilerpipe").text.count("ferry") == 6


LINKS = ("<a>Link</a>",) * 5


def test_the_largest_text_wins_with_the_block_before_it():
    html = paragraphs(WORDS * 2, *LINKS, "By Ann Lee", WORDS * 3, WORDS * 3, *LINKS, WORDS * 4)
    assert extract(html, "boilerpipe").text == "\n".join(
        ("Link", "By Ann Lee", *(((WORDS * 3).strip(),) * 2))
    )


def test_a_text_with_the_headline_is_kept_with_all_up_to_the_article():
    before = ("Ferry to stop", WORDS * 2, *LINKS, WORDS * 3, *LINKS)
    html = paragraphs(*LINKS, *before, WORDS * 9, *LINKS, WORDS * 2)
    named = extract(f"<title>Ferry to stop | Post</title>{html}", "boilerpipe").text
    assert named.startswith("Link\nFerry to stop\n")
    assert named.count("ferry") == 14
    assert extract(f"<title>Other</title>{html}", "boilerpipe").text.count("ferry") == 9


def test_two_texts_with_one_dropped_block_between_are_one():
    near = paragraphs(WORDS * 3, *LINKS[:2], WORDS * 3)
    far = paragraphs(WORDS * 3, *LINKS[:3], WORDS * 3)
    assert extract(near, "boilerpipe").text.count("Link") == 1
    assert extract(near, "boilerpipe").text.count("ferry") == 6
    assert extract(far, "boilerpipe").text.count("ferry") == 3


def test_a_page_without_content_gives_none():
    for rules in (*RULES, "density"):
        assert Boilerpipe(rules).extract(ParsedDocument("<ul><li><a>Home</a></ul>")).text == ""


def events(node):
    """What a parser of a balanced tree tells: start tags, texts, end tags."""
    if node.tag == "-text":
        yield "characters", (node.text(deep=False),)
    elif not node.tag.startswith(("-", "!")):
        yield "start_element", (node.tag, {})
        child = node.child
        while child is not None:
            yield from events(child)
            child = child.next
        yield "end_element", (node.tag,)


def library_text(html, rules):
    """Text of the Python port of the program, which is told a balanced tree as the program is."""
    extractors = pytest.importorskip("boilerpy3.extractors")
    from boilerpy3.parser import BoilerpipeBaseParser

    makes = {"article": "Article", "numwords": "NumWordsRules", "default": "Default"}
    makes |= {"largest": "LargestContent", "canola": "Canola"}
    reader = BoilerpipeBaseParser(raise_on_failure=False)
    for name, arguments in events(ParsedDocument(html).tree):
        getattr(reader, name)(*arguments)
    reader.end_document()
    document = reader.to_text_document()
    getattr(extractors, f"{makes[rules]}Extractor")().filter.process(document)
    return document.content


def random_page(rng):
    """A page of blocks of many lengths, some links, some marks of an end, and its headline."""
    words = WORDS.split()
    blocks = []
    for _ in range(rng.randint(1, 25)):
        text = " ".join(rng.choices(words, k=rng.choice((1, 3, 6, 12, 17, 25, 45, 70))))
        kind = rng.choice(("{}", "{}", "{}", "<a href=x>{}</a>", "<b>{}</b> <a href=x>more</a>"))
        blocks.append(kind.format(text))
    blocks += rng.choice(([], ["Post a comment", "12 comments", WORDS * 2]))
    rng.shuffle(blocks)
    title = "Ferry to stop | Post"
    blocks.insert(rng.randint(0, len(blocks)), "Ferry to stop")
    body = "".join(
        f"<{tag}>{block}</{tag}>" for block in blocks for tag in [rng.choice(("p", "div"))]
    )
    return f"<html><head><title>{title}</title></head><body>{body}</body></html>"


@pytest.mark.parametrize("rules", RULES)
def test_the_library_keeps_the_same_words(rules):
    rng = random.Random(rules)
    sizes = set()
    for _ in range(60):
        html = random_page(rng)
        ours = Boilerpipe(rules).extract(ParsedDocument(html)).text.split()
        assert ours == library_text(html, rules).split()
        sizes.add(len(ours))
    assert len(sizes) > 20
