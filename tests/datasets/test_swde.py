import pytest

from structce.datasets.texts import read_swde

BASE = '\ufeff<base href="http://www.quay-books.co.uk/1?a=1&amp;b=2"/>'
PAGE = '\n<!DOCTYPE html>\n<html><meta charset="iso-8859-1"><h1>Café Quay</h1></html>'
AUTHORS = "\ufeffbook\tquay\tauthor\n3\t2\t3\t3\n0000\t2\tAnn &amp; Co\tTom Rost\n0001\t0\t<NULL>\n"
TITLES = "book\tquay\ttitle\r\n3\t3\t3\t3\r\n0000\t1\tCafé Quay\r\n0001\t1\tTwo\r\n0002\t1\tX\r\n"


@pytest.fixture
def books(tmp_path):
    """Two pages of one site with the values of two attributes."""
    pages, truth = tmp_path / "book" / "book-quay(2000)", tmp_path / "groundtruth" / "book"
    pages.mkdir(parents=True)
    truth.mkdir(parents=True)
    for number in ("0001", "0000"):
        (pages / f"{number}.htm").write_text(BASE + PAGE, encoding="utf-8")
    (truth / "book-quay-author.txt").write_text(AUTHORS, encoding="utf-8")
    (truth / "book-quay-title.txt").write_text(TITLES, encoding="utf-8", newline="")
    return tmp_path


def test_attributes_are_values_by_name_and_null_is_none(books):
    first, second = read_swde(books)
    assert first.gold.others == {"author": ("Ann & Co", "Tom Rost"), "title": ("Café Quay",)}
    assert second.gold.others == {"title": ("Two",)}
    assert first.gold.title is None
    assert not first.gold.covers


def test_the_base_element_states_the_address(books):
    page = next(read_swde(books))
    assert (page.id, page.site) == ("book-quay-0000", "quay-books.co.uk")
    assert page.url == "http://www.quay-books.co.uk/1?a=1&b=2"
    assert page.document().html.startswith("<!DOCTYPE html>")
    assert "Café Quay" in page.document().html
