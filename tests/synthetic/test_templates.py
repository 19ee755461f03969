"""Every template on several sites: well-formed, labelled as agreed, unlike the others."""

import itertools
import random
import statistics
import unicodedata
from collections import Counter, defaultdict
from dataclasses import replace

import pytest
from lxml import html as lxml_html

from structce.rendering.document import Document
from structce.rendering.static import StaticRenderer
from structce.synthetic.generate import draw_draft, draw_page
from structce.synthetic.renderer import render_marked, serialise, template_families
from structce.synthetic.sites import draw_site

SITES = (0, 1, 6)  # of different languages, layouts and habits; the first two write from the left
SOFT_HYPHEN = "\u00ad"


@pytest.fixture(scope="module")
def pages_of_families():
    """Pages of every family on the same sites, so that only the template makes them differ."""
    names = list(template_families())
    sites = [draw_site(index, names, seed=0) for index in SITES]
    return {
        name: [draw_page(replace(site, family=name), 0, seed=0) for site in sites] for name in names
    }


@pytest.fixture(scope="module")
def pages_with_leaves(pages_of_families, leaves):
    return [(page, leaves(page)) for page in itertools.chain(*pages_of_families.values())]


def tag_paths(html, depth):
    """Tags from the body down to every element, or only the last few of them."""
    body = lxml_html.document_fromstring(html).body
    return frozenset(
        "/".join([*(a.tag for a in element.iterancestors()), element.tag][:depth])
        for element in body.iter()
    )


@pytest.mark.parametrize(("depth", "most", "mean"), [(99, 0.7, 0.1), (3, 0.85, 0.2)])
def test_templates_share_few_paths(pages_of_families, depth, most, mean):
    """An element around everything would make whole paths differ, not the last three tags."""
    shares = []
    paths = [[tag_paths(page.html, depth) for page in p] for p in pages_of_families.values()]
    for first, second in itertools.combinations(paths, 2):
        pairs = zip(first, second, strict=True)
        shares.append(max(len(a & b) / len(a | b) for a, b in pairs))
    assert max(shares) < most
    assert statistics.mean(shares) < mean


def test_a_parser_sees_the_tree_of_the_template():
    """No tag is implied, left open or moved, so all parsers agree on every XPath."""

    def outline(root):
        return [
            (str(e.tag), (e.text or "").strip(), (e.tail or "").strip())
            for e in root.iter()
            if e.tag not in ("style", "script")
        ]

    names = list(template_families())
    for index, name in enumerate(names):
        site = replace(draw_site(index, names, seed=1), family=name)
        root = render_marked(draw_draft(site, random.Random(0)), name)
        document = serialise(root, site.habits["entities"])
        assert outline(lxml_html.document_fromstring(document)) == outline(root), name


def test_tables_have_bodies_and_paragraphs_no_blocks(pages_of_families):
    blocks = " or ".join(f"self::{tag}" for tag in "div p ul ol dl h1 h2 h3 table section".split())
    for page in itertools.chain(*pages_of_families.values()):
        root = lxml_html.document_fromstring(page.html)
        assert not root.xpath(f"//table/tr | //p//*[{blocks}] | //a//a"), page.family
        assert not root.xpath("//scatter | //loose | //@data-role"), page.family


def read_out(text):
    """A text as it is compared: no white space, no soft hyphens, digits as in ASCII."""
    kept = (c for c in text if c != SOFT_HYPHEN and not c.isspace())
    return "".join(str(unicodedata.digit(c, c)) for c in kept)


def test_marked_regions_contain_the_values(pages_with_leaves):
    for page, shown in pages_with_leaves:
        texts = defaultdict(list)
        for leaf in shown:
            texts[leaf.gold].append(leaf.text)
        assert read_out("".join(texts["Title"])) == read_out(page.title or ""), page.family
        assert all(any(name in text for name in page.authors) for text in texts["Author"])
        assert all(any(name in text for text in texts["Author"]) for name in page.authors)
        if page.date is None:
            assert not texts["Date"], page.family
        else:
            year, _, day = page.date.split("-")
            date = read_out("".join(texts["Date"]))
            assert all(part in date for part in (year, str(int(day)))), (page.family, date)


def test_pages_lack_what_their_template_leaves_out(pages_with_leaves):
    for page, _ in pages_with_leaves:
        lacks = template_families()[page.family].lacks
        assert (page.title is None) == ("title" in lacks)
        assert page.authors == () or "authors" not in lacks
        assert page.date is None or "date" not in lacks
    assert any(page.title is None for page, _ in pages_with_leaves)


def test_the_renderer_sees_every_labelled_text(pages_of_families, leaves):
    renderer = StaticRenderer()
    for site_pages in pages_of_families.values():
        page = site_pages[0]
        rendered = renderer.render(Document(page.html, url=page.url, name=page.id))
        shown = Counter(read_out(region.text) for region in rendered)
        wanted = Counter(read_out(r.text) for r in leaves(page) if r.gold != "None")
        missing = {text: n for text, n in wanted.items() if shown[text] < n}
        assert not missing, (page.family, missing)
