from collections import Counter
from pathlib import Path

import pytest

from structce.datasets.base import GoldPage, Lost
from structce.datasets.dragnet import read_dragnet

PAGE = """<html><head>{head}</head><h1>The quay</h1><p>It rains.</p><p>So it does.</p></html>"""
OWN = '<link rel="canonical" href="http://blogs.post.co.uk/quay">'
GOLD = "\nThe quay\n\nIt rains.\n\n\n!@#$%^&*()  COMMENTS\n\nAnn\nSo it does.\n"


def write(folder: Path, name: str, *, gold: str = GOLD, head: str = OWN) -> None:
    for kind in ("HTML", "Corrected"):
        (folder / kind).mkdir(exist_ok=True)
    (folder / "HTML" / f"{name}.html").write_text(PAGE.format(head=head))
    (folder / "Corrected" / f"{name}.html.corrected.txt").write_text(gold)


def read_one(folder: Path) -> GoldPage:
    (page,) = read_dragnet(folder)
    assert isinstance(page, GoldPage)
    return page


def test_lines_are_the_body_and_comments_stand_apart(tmp_path):
    write(tmp_path, "R7")
    page = read_one(tmp_path)
    assert page.gold.body == (("Text", "The quay"), ("Text", "It rains."))
    assert page.gold.others == {"comment": ("Ann", "So it does.")}
    assert page.gold.title is None
    assert page.gold.covers == {"Paragraph", "Subtitle"}


@pytest.mark.parametrize(
    "line",
    ["!@#$%^&*() COMMENTS", "!!@#$%^&*()  COMMENTS", "!@#$%$%^&*()  COMMNENTS", "!@#$%^&*()"],
    ids=["usual", "twice", "mistyped", "bare"],
)
def test_the_line_before_the_comments_may_be_mistyped(tmp_path, line):
    write(tmp_path, "7", gold=f"It rains.\n{line}\nNo!\n")
    assert read_one(tmp_path).gold.others == {"comment": ("No!",)}


def test_a_page_without_comments_has_none(tmp_path):
    write(tmp_path, "7", gold="It rains.\n!@#$%^&*()  COMMENTS\n\n")
    assert read_one(tmp_path).gold.others == {}


@pytest.mark.parametrize(
    ("head", "site"),
    [
        (OWN, "post.co.uk"),
        ('<link rel="canonical" href="/quay">', "dragnet-7"),
        ('<a href="https://www.post.example/2">More</a>', "post.example"),
        ("", "dragnet-7"),
    ],
    ids=["stated", "relative", "linked", "unknown"],
)
def test_the_site_is_what_the_page_tells_of_itself(tmp_path, head, site):
    write(tmp_path, "7", head=head)
    assert read_one(tmp_path).site == site


def test_two_addresses_of_one_publisher_are_one_family(tmp_path):
    write(tmp_path, "7", head=OWN.replace("blogs.post.co.uk", "www.bbc.com"))
    write(tmp_path, "8", head=OWN.replace("blogs.post.co.uk", "www.bbc.co.uk"))
    pages = [page for page in read_dragnet(tmp_path) if isinstance(page, GoldPage)]
    assert [page.site for page in pages] == ["bbc.com", "bbc.co.uk"]
    assert len({page.family for page in pages}) == 1


def test_pages_come_in_the_order_of_their_numbers_and_none_is_lost_silently(tmp_path):
    for name in ("T1", "R237", "R10", "R9", "12"):
        write(tmp_path, name)
    write(tmp_path, "R11", gold="\n!@#$%^&*()  COMMENTS\nNo!\n")
    (tmp_path / "HTML" / "T1.html").unlink()
    items = list(read_dragnet(tmp_path))
    assert [item.id for item in items] == ["12", "R9", "R10", "R11", "R237", "T1"]
    lost = {item.id: item for item in items if isinstance(item, Lost)}
    assert {name: page.is_known for name, page in lost.items()} == {
        "R11": False,
        "R237": True,
        "T1": False,
    }
    assert "R11.html.corrected.txt contains no text" in lost["R11"].why


def test_every_page_of_the_real_data_is_read_or_known_to_be_empty(shared_data):
    items = list(read_dragnet(shared_data("dragnet_data.zip")))
    lost = [item for item in items if isinstance(item, Lost)]
    assert [(item.id, item.is_known) for item in lost] == [("R237", True), ("R427", True)]
    pages = [item for item in items if isinstance(item, GoldPage)]
    assert len(pages) == 1_321
    assert sum("comment" in page.gold.others for page in pages) > 400
    own = Counter(page.site.startswith("dragnet-") for page in pages)
    assert own[True] < 100
