"""Words of a page stay its words: regions are joined with the spaces that stand between them."""

import random

import pytest
from lxml import html
from msgspec.structs import replace

from structce.article.regions import join_regions
from structce.rendering.document import Document

TAGS = ("b", "i", "em", "span", "a", "code", "sub", "mark")
PIECES = "wort ord a « » „ “ ’s . , ( ) 中文 한국 ไทย – é".split()
SPACES = ("", "", " ", "\n  ", "&nbsp;", "\u3000", "<!-- x -->", "<wbr>", "<span hidden> x </span>")


def block_lines(page):
    """Text of each block of a page, its regions joined."""
    blocks = page.blocks.tolist()
    lines = [[i for i in range(len(page)) if blocks[i] == own] for own in dict.fromkeys(blocks)]
    return [join_regions(page, line) for line in lines]


def invented_markup(chance, depth=3):
    """Random inline markup of random words, with white space in every place or in none."""
    parts = []
    for _ in range(chance.randint(1, 4)):
        parts.append(chance.choice(SPACES))
        if depth and chance.random() < 0.5:
            tag = chance.choice(TAGS)
            parts.append(f"<{tag}>{invented_markup(chance, depth - 1)}</{tag}>")
        else:
            parts.append(chance.choice(PIECES))
    return "".join([*parts, chance.choice(SPACES)])


def words_of_an_independent_parser(markup):
    """Words that lxml finds in a paragraph, hidden elements taken out."""
    tree = html.fragment_fromstring(f"<p>{markup}</p>")
    for hidden in tree.xpath("//*[@hidden]"):
        hidden.drop_tree()
    return str(tree.text_content()).split()


def test_words_agree_with_an_independent_parser(make_page):
    chance = random.Random(7)
    for _ in range(400):
        markup = invented_markup(chance)
        page = make_page(f"<html><body><p>{markup}</p></body></html>")
        assert " ".join(block_lines(page)).split() == words_of_an_independent_parser(markup), markup


@pytest.mark.parametrize(
    ("markup", "line"),
    [
        ("<b>W</b>ord", "Word"),
        ("A <b>B</b>", "A B"),
        ("A<b> B</b>", "A B"),
        ("« <i>texte</i> » et", "« texte » et"),
        ("«&nbsp;<i>texte</i>&nbsp;» et <b>quoi</b>&nbsp;?", "« texte » et quoi ?"),
        ("„<i>Zitat</i>“ danach", "„Zitat“ danach"),
        ("„<i>Zitat“</i> danach", "„Zitat“ danach"),
        ("中<b>文</b>字", "中文字"),
        ("H<sub>2</sub>O", "H2O"),
        ("one<br>two", "one two"),
        ("one<img src=a.jpg width=90 height=90>two", "onetwo"),
        ("one <img src=a.jpg width=90 height=90>two", "one two"),
    ],
)
def test_spaces_are_the_page_s_own(make_page, markup, line):
    assert block_lines(make_page(f"<body><p>{markup}</p>")) == [line]


@pytest.mark.browser
def test_a_gap_on_the_screen_parts_words_and_none_does_not(chromium):
    lines = (
        "<p><span style='margin-right:1em'>one</span><span>two</span>",
        "<p><b>Mc</b><b>Donald</b>",
        "<p><b style='display:inline-block;width:100%'>one</b><b>two</b>",
        "<p dir=rtl><span style='margin-left:1em'>שלום</span><span>עולם</span>",
        "<p><span>中文</span><span>字</span>",
    )
    page = chromium.render(Document(f"<html><body>{''.join(lines)}", name="gaps"))
    assert block_lines(page) == ["one two", "McDonald", "one two", "שלום עולם", "中文字"]


def test_a_region_left_out_parts_its_neighbours(make_page):
    page = make_page("<body><p>one<b>two</b>three")
    assert join_regions(page, [0, 2]) == "one three"
    assert join_regions(page, []) == ""


def test_pages_that_record_no_spaces_have_one_between_regions(make_page):
    page = make_page("<body><p>Rain <b>fell</b>.")
    assert block_lines(replace(page, joins=None)) == ["Rain fell ."]


@pytest.mark.browser
def test_the_browser_tells_the_same_spaces(make_page, chromium):
    chance = random.Random(8)
    lines = [f"<p>x{invented_markup(chance)}</p>" for _ in range(60)]
    document = Document(f"<html><body>{''.join(lines)}</body></html>", name="spaces")
    shown, static = chromium.render(document), make_page(document.html)
    assert block_lines(shown) == block_lines(static)
    assert shown.joins is not None
    assert 0 < shown.joins.sum() < len(shown)
