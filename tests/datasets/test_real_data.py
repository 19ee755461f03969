"""The public data sets themselves, where they are beside the checkout."""

import pytest

from structce.corpus import Corpus
from structce.corpus.duplicates import find_templates
from structce.datasets import READERS, Skipped
from structce.datasets.build import aligned_pages
from structce.gold import AlignmentTally
from structce.rendering.static import StaticRenderer

COUNTS = {
    "article-extraction-benchmark": (171, 0, 119),
    "big9": (358, 2, 9),
    "chinese-articles": (25, 0, 21),
    "cleaneval": (730, 65, 612),
    "cleanportaleval": (69, 2, 4),
    "crf-article-extractor": (40, 0, 12),
    "dragnet": (1321, 2, 467),
    "forums": (62, 0, 32),
    "fundus": (139, 0, 104),
    "fundus-history": (32, 0, 26),
    "htmldate": (186, 5, 167),
    "l3s-gn1": (431, 0, 242),
    "misinformation-crawler": (63, 0, 36),
    "newspaper4k": (18, 0, 13),
    "readability": (116, 0, 98),
    "recipes": (180, 0, 180),
    "semantic-blocks": (147, 3, 145),
    "swde": (280, 0, 21),
    "trafilatura": (735, 0, 697),
    "waddle": (379, 0, 247),
    "wcxb": (846, 0, 772),
    "wcxb-more": (388, 0, 308),
}
"""Pages, pages that a data set itself lacks, and sites."""

ARCHIVES = {"big9": "ir-research-data", "dragnet": "dragnet_data", "swde": "swde-sample"}
FUNDUS_SHARES = {
    "Title": 0.92, "Author": 0.89, "Date": 0.93, "Paragraph": 0.995, "Subtitle": 0.995,
    "Caption": 0.99, "Multimedia": 0.97,
}  # fmt: skip


@pytest.mark.parametrize("name", COUNTS)
def test_every_page_is_read_or_known_to_be_missing(shared_data, name):
    items = list(READERS[name].read(shared_data(f"{ARCHIVES.get(name, name)}.zip")))
    lost = [item for item in items if isinstance(item, Skipped)]
    pages = [item for item in items if not isinstance(item, Skipped)]
    assert all(item.is_known for item in lost)
    assert len({page.id for page in pages}) == len(pages)
    assert (len(pages), len(lost), len({page.site for page in pages})) == COUNTS[name]
    gold = [page.gold for page in pages]
    if "body" in READERS[name].gold and "values" not in READERS[name].gold:
        assert all(own.body or own.blocks for own in gold)


def test_fundus_is_aligned_and_its_groups_of_sites_are_found(shared_data):
    items = list(READERS["fundus"].read(shared_data("fundus.zip")))
    tally = AlignmentTally()
    with StaticRenderer(workers=2) as renderer:
        pages = list(aligned_pages(items, renderer, READERS["fundus"].labels))
    for page in pages:
        tally.add(page.matches)
    shares = {row["field"]: row["share"] for row in tally.rows()}
    assert {name for name, floor in FUNDUS_SHARES.items() if shares[name] < floor} == set()
    family = {page.site: page.family for page in pages}
    known = {(a, b) for a in family for b in family if a < b and family[a] == family[b]}
    pairs = {(pair.first, pair.second) for pair in find_templates(Corpus("fundus", tuple(pages)))}
    assert len(known) == 14
    assert known <= pairs
    assert pairs - known == {("zdf.de", "zdfheute.de")}  # one publisher, though nobody listed it
