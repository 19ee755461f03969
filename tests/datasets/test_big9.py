from collections import Counter
from pathlib import Path

import pytest

from structce.datasets.base import GoldPage, Lost
from structce.datasets.big9 import read_big9

ARCHIVE = "https://web-beta.archive.org/web/20130525190509/"
URL = "http://www.cnn.com/2013/quay/index.html"
PAGE = f"""<html><head><link href="{ARCHIVE}{URL}" rel="canonical"></head>
<a href="{ARCHIVE}http://edition.cnn.com/">CNN</a> <a href="http://www.bbc.co.uk/">BBC</a>
<h1>The quay</h1><p>It rains.</p></html>"""


@pytest.fixture
def data_set_folder(tmp_path):
    """The four folders, with one page of 2013."""
    for year in ("05", "09", "13", "17"):
        for kind in ("html", "gold"):
            (tmp_path / "Extraction" / f"big5-{year}" / kind).mkdir(parents=True)
    write(tmp_path, "13", "quay (1).htm")
    return tmp_path


GOLD = "The quay \n\n\nIt rains – twice."


def write(folder: Path, year: str, name: str, gold: str = GOLD) -> None:
    above = folder / "Extraction" / f"big5-{year}"
    (above / "html" / name).write_text(PAGE)
    (above / "gold" / f"{name.rpartition('.')[0]}.txt").write_text(gold, encoding="cp1252")


def test_the_first_line_is_the_title_and_the_others_are_the_body(data_set_folder):
    (page,) = read_big9(data_set_folder)
    assert page.id == "2013-quay-1"
    assert page.gold.title == "The quay"
    assert page.gold.body == (("Text", "It rains – twice."),)
    assert page.gold.covers == {"Paragraph", "Subtitle", "Title"}


def test_site_and_address_are_not_those_of_the_archive(data_set_folder):
    (page,) = read_big9(data_set_folder)
    assert (page.site, page.url) == ("cnn.com", URL)


def test_pages_of_two_articles_are_known_to_be_lost(data_set_folder):
    write(data_set_folder, "17", "trump (4).html")
    assert list(read_big9(data_set_folder))[1] == Lost(
        "2017-trump-4", "text and page belong to different articles", is_known=True
    )


def test_half_of_a_pair_and_a_text_of_one_line_are_lost_with_the_reason(data_set_folder):
    write(data_set_folder, "05", "a.htm", gold="The quay")
    write(data_set_folder, "05", "b.htm")
    write(data_set_folder, "05", "c.htm")
    (data_set_folder / "Extraction/big5-05/gold/b.txt").unlink()
    (data_set_folder / "Extraction/big5-05/html/c.htm").unlink()
    lost = {item.id: item for item in read_big9(data_set_folder) if isinstance(item, Lost)}
    assert not any(item.is_known for item in lost.values())
    assert "1 lines" in lost["2005-a"].why
    assert "b.txt" in lost["2005-b"].why
    assert lost["2005-c"].why == "no page with the name c"


def test_every_page_of_the_real_data_is_read_but_the_two_wrong_pairs(shared_data):
    items = list(read_big9(shared_data("ir-research-data.zip")))
    lost = [item for item in items if isinstance(item, Lost)]
    assert [(item.id, item.is_known) for item in lost] == [
        ("2005-amd-2", True),
        ("2017-trump-4", True),
    ]
    pages = [item for item in items if isinstance(item, GoldPage)]
    assert len({page.id for page in pages}) == 358
    sites = Counter(page.site for page in pages)
    assert len(sites) == 9
    assert set(sites.values()) == {39, 40}
    assert not any("archive.org" in page.url for page in pages)
