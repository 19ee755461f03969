"""Generated pages: reproducible, clean, exactly labelled, and not too easy."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from lxml import etree
from lxml import html as lxml_html

from structce.corpora.synthetic import SyntheticPage, synthesise
from structce.corpora.synthetic.families import FAMILIES
from structce.corpora.synthetic.nodes import between, node, serialise
from structce.labels import NEWS
from structce.page import MEDIA

UNSEEN = {"head", "script", "style"}


class Region(NamedTuple):
    """A visible leaf as lxml sees it: label, class names nearest to it and all above it."""

    gold: str
    classes: tuple[str, ...]
    above: tuple[str, ...]
    text: str
    tag: str


def walk(
    element: etree._Element, gold: str, classes: tuple[str, ...], above: tuple[str, ...]
) -> Iterator[Region]:
    if element.tag in UNSEEN:
        return
    gold = element.get("data-gold", gold)
    own = tuple((element.get("class") or "").split())
    classes, above = own or classes, (*above, *own)
    if element.tag in MEDIA:
        yield Region(gold, classes, above, "", str(element.tag))
        return
    if element.text and element.text.strip():
        yield Region(gold, classes, above, element.text.strip(), str(element.tag))
    for child in element:
        yield from walk(child, gold, classes, above)
        if child.tail and child.tail.strip():
            yield Region(gold, classes, above, child.tail.strip(), str(element.tag))


def regions(page: SyntheticPage) -> list[Region]:
    return list(walk(lxml_html.document_fromstring(page.marked_html), "None", (), ()))


@pytest.fixture(scope="module")
def pages() -> list[SyntheticPage]:
    return list(synthesise())


@pytest.fixture(scope="module")
def labelled(pages: list[SyntheticPage]) -> dict[str, list[Region]]:
    return {page.id: regions(page) for page in pages}


def test_one_seed_gives_the_same_pages() -> None:
    assert list(synthesise(4, 2, seed=5)) == list(synthesise(4, 2, seed=5))


def test_another_seed_gives_other_pages() -> None:
    first, second = list(synthesise(4, 1, seed=1)), list(synthesise(4, 1, seed=2))
    assert all(a.html != b.html for a, b in zip(first, second, strict=True))


def test_a_page_does_not_depend_on_how_many_are_asked_for(pages: list[SyntheticPage]) -> None:
    few = {page.id: page for page in synthesise(3, 2)}
    assert few == {page.id: page for page in pages if page.id in few}
    assert len(few) == 6


def test_nothing_asked_for_gives_nothing() -> None:
    assert list(synthesise(0)) == []
    assert list(synthesise(2, 0)) == []


def test_ids_and_addresses_are_unique(pages: list[SyntheticPage]) -> None:
    assert len({page.id for page in pages}) == len({page.url for page in pages}) == len(pages)
    assert all(page.url.startswith(f"https://{page.site}/") for page in pages)


def test_sites_stay_apart_when_there_are_many() -> None:
    sites = [page.site for page in synthesise(60, 1)]
    assert len(set(sites)) == len(sites)


def test_marks_are_the_only_difference(pages: list[SyntheticPage]) -> None:
    for page in pages:
        assert "data-gold" not in page.html
        assert re.sub(r' data-gold="\w+"', "", page.marked_html) == page.html


def test_marked_and_clean_pages_are_the_same_tree(pages: list[SyntheticPage]) -> None:
    for page in pages:
        marked = lxml_html.document_fromstring(page.marked_html)
        etree.strip_attributes(marked, "data-gold")
        assert etree.tostring(marked) == etree.tostring(lxml_html.document_fromstring(page.html))


def test_an_html_and_an_xml_parser_see_the_same_elements(pages: list[SyntheticPage]) -> None:
    """No tag is implied, left open or moved, so all parsers agree on every XPath."""

    def outline(root: etree._Element) -> list[tuple[str, str, str]]:
        return [
            (str(e.tag), (e.text or "").strip(), (e.tail or "").strip())
            for e in root.iter()
            if e.tag not in ("style", "script")
        ]

    for page in pages:
        document = page.html.removeprefix("<!DOCTYPE html>\n")
        assert outline(etree.fromstring(document)) == outline(
            lxml_html.document_fromstring(document)
        )


def test_tables_have_bodies_and_paragraphs_hold_no_blocks(pages: list[SyntheticPage]) -> None:
    for page in pages:
        root = lxml_html.document_fromstring(page.html)
        assert not root.xpath("//table/tr")
        assert not root.xpath("//p//*[self::div or self::p or self::ul or self::ol or self::h2]")
        assert not root.xpath("//a//a")


def test_pages_point_to_no_real_host(pages: list[SyntheticPage]) -> None:
    for page in pages:
        hosts = re.findall(r"(?:https?:)?//([\w.-]+)", page.html)
        assert all(host.endswith(".example") for host in hosts), page.id


def test_all_labels_occur_on_many_sites(
    pages: list[SyntheticPage], labelled: dict[str, list[Region]]
) -> None:
    sites = defaultdict(set)
    for page in pages:
        for region in labelled[page.id]:
            sites[region.gold].add(page.site)
    assert set(sites) == set(NEWS.names)
    assert min(len(found) for found in sites.values()) >= 15


def test_every_page_has_title_author_date_and_paragraphs(
    labelled: dict[str, list[Region]],
) -> None:
    for page_id, found in labelled.items():
        counts = Counter(region.gold for region in found)
        assert counts["Title"] == 1, page_id
        assert min(counts["Author"], counts["Date"]) >= 1, page_id
        assert counts["Paragraph"] >= 5, page_id
        assert 80 <= len(found) <= 320, (page_id, len(found))


def test_marked_regions_hold_the_values(
    pages: list[SyntheticPage], labelled: dict[str, list[Region]]
) -> None:
    for page in pages:
        texts = defaultdict(list)
        for region in labelled[page.id]:
            texts[region.gold].append(region.text)
        assert texts["Title"] == [page.values.title]
        assert all(any(name in text for name in page.values.authors) for text in texts["Author"])
        assert all(any(name in text for text in texts["Author"]) for name in page.values.authors)
        year, _, day = page.values.date.split("-")
        assert any(str(int(day)) in text and year in text for text in texts["Date"]), texts["Date"]


def test_media_are_multimedia_advertisement_or_none(labelled: dict[str, list[Region]]) -> None:
    labels = {r.gold for found in labelled.values() for r in found if r.tag in MEDIA}
    assert labels == {"Multimedia", "Advertisement", "None"}
    assert all(
        r.tag in MEDIA for found in labelled.values() for r in found if r.gold == "Multimedia"
    )


@pytest.mark.parametrize("kind", ["classes", "above"])
def test_no_class_name_gives_a_label_away(labelled: dict[str, list[Region]], kind: str) -> None:
    everything = [region for found in labelled.values() for region in found]
    support = Counter(region.gold for region in everything)
    both = Counter((name, r.gold) for r in everything for name in set(getattr(r, kind)))
    total = Counter(name for r in everything for name in set(getattr(r, kind)))
    for (name, gold), n in both.items():
        easy = n / total[name] > 0.5 and n / support[gold] > 0.5
        assert not easy or gold == "None", (name, gold)


def test_class_names_mislead_on_some_sites(labelled: dict[str, list[Region]]) -> None:
    everything = [region for found in labelled.values() for region in found]
    for name, gold in (("title", "Title"), ("author", "Author"), ("date", "Date")):
        assert any(name in r.above and r.gold == gold for r in everything)
        assert any(name in r.above and r.gold != gold for r in everything)


def test_sites_differ_in_family_language_and_style_sheet(pages: list[SyntheticPage]) -> None:
    sheets = defaultdict(set)
    for page in pages:
        sheets[page.site].add(re.search(r"<style>(.*?)</style>", page.html, re.DOTALL)[1])
    assert all(len(found) == 1 for found in sheets.values())
    assert len(set.union(*sheets.values())) == 20
    assert {page.family for page in pages} == set(FAMILIES)
    assert len(FAMILIES) >= 10
    assert {page.lang for page in pages} == {"en", "de", "fr", "es"}


def test_pages_of_a_site_tell_different_stories(pages: list[SyntheticPage]) -> None:
    assert len({page.values.title for page in pages}) >= 0.95 * len(pages)


def test_no_slot_or_choice_is_left_in_a_text(labelled: dict[str, list[Region]]) -> None:
    for found in labelled.values():
        assert not [region.text for region in found if re.search(r"[\[\]{}|]", region.text)]


def test_serialising_escapes_and_marks() -> None:
    tree = node("p", "a < b & c", node("a", "x", href='"'), gold="Paragraph", class_="k")
    plain = '<p class="k">a &lt; b &amp; c<a href="&quot;">x</a></p>'
    assert serialise(tree) == f"<!DOCTYPE html>\n{plain}\n"
    assert 'class="k" data-gold="Paragraph"' in serialise(tree, marked=True)


def test_white_space_is_written_between_blocks_only() -> None:
    tree = node("div", node("p", node("b", "x"), node("i", "y")), node("p", "z"))
    expected = "<div>\n<p><b>x</b><i>y</i></p>\n<p>z</p>\n</div>"
    assert serialise(tree).split("\n", 1)[1] == f"{expected}\n"
    assert "\n" not in serialise(tree, minified=True).split("\n", 1)[1].strip()


def test_a_separator_stands_between_parts_only() -> None:
    assert between("-", ["a", "b", "c"]) == ["a", "-", "b", "-", "c"]
    assert between("-", []) == []
