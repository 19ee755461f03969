"""Every template family on several sites: well-formed, labelled as agreed, unlike the others."""

import html
import itertools
import re
import statistics
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace

import pytest
from lxml import etree
from lxml import html as lxml_html

from structce.page import MEDIA
from structce.rendering.document import Document
from structce.rendering.static import StaticRenderer
from structce.synthetic.draft import TEMPLATE_FAMILIES
from structce.synthetic.generate import SyntheticPage, draw_page
from structce.synthetic.sites import draw_site

SITES = (0, 1, 6)  # of different languages, layouts and habits; the first two write from the left
SOFT_HYPHEN = "\u00ad"
KINDS = {
    "news",
    "live",
    "opinion",
    "gallery",
    "video",
    "podcast",
    "interview",
    "letters",
    "review",
    "recipe",
    "obituary",
    "science",
    "release",
    "fact check",
    "newsletter",
    "blog",
    "multi-page",
    "paywall",
    "forum",
    "question",
    "shop",
    "classified",
    "wiki",
    "documentation",
    "job",
    "event",
    "company",
}

Paths = dict[str, list[frozenset[str]]]


@pytest.fixture(scope="module")
def pages_of_families():
    """Pages of every family on the same sites, so that only the template makes them differ."""
    names = sorted(TEMPLATE_FAMILIES)
    sites = [draw_site(index, names, seed=0) for index in SITES]
    return {
        name: [draw_page(replace(site, family=name), 0, seed=0) for site in sites] for name in names
    }


@pytest.fixture(scope="module")
def pages_with_leaves(pages_of_families, leaves):
    return [
        (page, leaves(page)) for site_pages in pages_of_families.values() for page in site_pages
    ]


def tag_paths(page: SyntheticPage) -> frozenset[str]:
    """Tags from the body down to every element, without classes and places."""

    def walk(element: etree._Element, above: str) -> Iterator[str]:
        path = f"{above}/{element.tag}"
        yield path
        for child in element:
            yield from walk(child, path)

    return frozenset(walk(lxml_html.document_fromstring(page.html).body, ""))


@pytest.fixture(scope="module")
def paths(pages_of_families):
    return {
        name: [tag_paths(page) for page in site_pages]
        for name, site_pages in pages_of_families.items()
    }


def jaccard(first: frozenset[str], second: frozenset[str]) -> float:
    return len(first & second) / len(first | second)


def alike(paths: Paths) -> list[float]:
    """How alike two families are where they are most alike, for every pair."""
    return [
        max(jaccard(a, b) for a, b in zip(first, second, strict=True))
        for first, second in itertools.combinations(paths.values(), 2)
    ]


def test_there_are_sixty_families_of_all_kinds():
    assert len(TEMPLATE_FAMILIES) >= 60
    assert {family.kind for family in TEMPLATE_FAMILIES.values()} == KINDS


def test_no_two_families_have_the_same_paths(paths):
    for place in range(len(SITES)):
        assert len({path_of[place] for path_of in paths.values()}) == len(paths)


def test_families_share_few_paths(paths):
    shares = alike(paths)
    assert max(shares) < 0.7
    assert statistics.mean(shares) < 0.1


def test_families_share_few_ends_of_paths(paths):
    """An element around everything would make whole paths differ, not the last three tags."""
    ends = {
        name: [frozenset("/".join(path.split("/")[-3:]) for path in page) for page in site_paths]
        for name, site_paths in paths.items()
    }
    shares = alike(ends)
    assert max(shares) < 0.8
    assert statistics.mean(shares) < 0.2


def test_families_put_labels_in_different_orders(pages_with_leaves):
    """Runs of labels: what follows what; two templates in a hundred may agree by chance."""
    orders = defaultdict(list)
    for page, shown in pages_with_leaves:
        orders[page.site].append(
            tuple(gold for gold, _ in itertools.groupby(r.gold for r in shown))
        )
    for shown in orders.values():
        assert len(set(shown)) >= 0.95 * len(shown)


def test_an_html_and_an_xml_parser_see_the_same_elements(pages_of_families):
    """No tag is implied, left open or moved, so all parsers agree on every XPath."""

    def outline(root):
        return [
            (str(e.tag), (e.text or "").strip(), (e.tail or "").strip())
            for e in root.iter()
            if e.tag not in ("style", "script")
        ]

    for page in itertools.chain(*pages_of_families.values()):
        document = page.html.removeprefix("<!DOCTYPE html>\n")
        unnamed = re.sub(
            r"&(?!amp;|lt;|gt;|quot;)[a-zA-Z]\w*;", lambda match: html.unescape(match[0]), document
        )
        assert outline(etree.fromstring(unnamed)) == outline(
            lxml_html.document_fromstring(document)
        ), (page.family, page.id)


def test_tables_have_bodies_and_paragraphs_hold_no_blocks(pages_of_families):
    blocks = " or ".join(f"self::{tag}" for tag in "div p ul ol dl h1 h2 h3 table section".split())
    for page in itertools.chain(*pages_of_families.values()):
        root = lxml_html.document_fromstring(page.html)
        assert not root.xpath("//table/tr"), page.family
        assert not root.xpath(f"//p//*[{blocks}]"), page.family
        assert not root.xpath("//a//a"), page.family


def read_out(text: str) -> str:
    """A text as it is compared: no white space, no soft hyphens, digits as in ASCII."""
    digits = (str(unicodedata.digit(c, c)) for c in text if c != SOFT_HYPHEN and not c.isspace())
    return "".join(digits)


def test_marked_regions_hold_the_values(pages_with_leaves):
    for page, shown in pages_with_leaves:
        texts = defaultdict(list)
        for leaf in shown:
            texts[leaf.gold].append(leaf.text)
        assert read_out("".join(texts["Title"])) == read_out(page.values.title or ""), page.family
        assert all(any(name in text for name in page.values.authors) for text in texts["Author"])
        assert all(any(name in text for text in texts["Author"]) for name in page.values.authors)
        if page.values.date is None:
            assert not texts["Date"], page.family
        else:
            year, _, day = page.values.date.split("-")
            said = read_out("".join(texts["Date"]))
            assert all(part in said for part in (year, str(int(day)))), (page.family, said)


def test_pages_lack_exactly_what_their_family_or_site_leaves_out(pages_with_leaves):
    for page, _ in pages_with_leaves:
        lacks = TEMPLATE_FAMILIES[page.family].lacks
        assert (page.values.title is None) == ("title" in lacks)
        assert page.values.authors == () or "authors" not in lacks
        assert page.values.date is None or "date" not in lacks
    assert any(page.values.title is None for page, _ in pages_with_leaves)


def test_every_page_has_text_and_much_that_is_none(pages_with_leaves):
    for page, shown in pages_with_leaves:
        counts = Counter(leaf.gold for leaf in shown)
        assert min(counts["Paragraph"], counts["None"]) >= 1, page.family
        assert 12 <= len(shown) <= 400, (page.family, len(shown))


def test_media_are_multimedia_advertisement_or_none(pages_with_leaves):
    everything = [leaf for _, shown in pages_with_leaves for leaf in shown]
    labels = {leaf.gold for leaf in everything if leaf.tag in MEDIA}
    assert labels == {"Multimedia", "Advertisement", "None"}
    assert all(leaf.tag in MEDIA for leaf in everything if leaf.gold == "Multimedia")


def test_no_slot_or_choice_is_left_in_a_text(pages_with_leaves):
    for page, shown in pages_with_leaves:
        left = [r.text for r in shown if re.search(r"\{\w+\}|\[[^\]]*\|", r.text)]
        assert not left, (page.family, left)


def test_the_renderer_sees_the_labels_too(pages_of_families, leaves):
    """Nothing labelled is hidden from the renderer that the sample is read with."""
    renderer = StaticRenderer()
    for site_pages in pages_of_families.values():
        page = site_pages[0]
        rendered = renderer.render(Document(page.html, url=page.url, name=page.id))
        shown = Counter(read_out(region.text) for region in rendered)
        wanted = Counter(read_out(r.text) for r in leaves(page) if r.gold != "None")
        missing = {text: n for text, n in wanted.items() if shown[text] < n}
        assert not missing, (page.family, missing)
