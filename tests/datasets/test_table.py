"""Gold of one's own: tables beside pages, and labels of one's own."""

from datetime import date

import pytest

from structce.corpus import Corpus
from structce.datasets import READERS, GoldPage, Lost, import_corpus
from structce.errors import CorpusError
from structce.labels import NEWS
from structce.rendering import StaticRenderer

HTML = (
    "<html lang=en><h1>Ferry to stop</h1><p class=byline>By Ann Lee and Bo Ek, 14 March 2026</p>"
    "<p>The ferry will stop in June, the council said.</p><p>It ran for forty years.</p>"
    "<footer>Imprint of the paper</footer>"
)
CSV = (
    "file,url,title,authors,date,text,section\n"
    "a.html,https://news.example/a,Ferry to stop,Ann Lee; Bo Ek,2026-03-14,"
    '"The ferry will stop in June, the council said.\nIt ran for forty years.",Local\n'
)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.html").write_text(HTML, encoding="utf-8")
    return tmp_path


def read(path):
    return list(READERS["table"].read(path))


def labels_of(path, out):
    corpus = import_corpus("table", path, StaticRenderer(), out)
    return {page.id: dict(zip(page.page.text, page.labels, strict=True)) for page in corpus}


def test_a_table_says_what_is_on_its_pages(folder):
    (folder / "gold.csv").write_text(CSV, encoding="utf-8")
    (page,) = read(folder)
    assert isinstance(page, GoldPage)
    assert (page.id, page.site, page.url) == ("a", "news.example", "https://news.example/a")
    assert page.gold.title == "Ferry to stop"
    assert page.gold.authors == ("Ann Lee", "Bo Ek")
    assert page.gold.date == date(2026, 3, 14)
    assert page.gold.text.splitlines()[1] == "It ran for forty years."
    assert page.gold.about == {"section": "Local"}
    assert read(folder / "gold.csv")[0].gold == page.gold


def test_values_become_labels_of_regions(folder, tmp_path):
    (folder / "gold.csv").write_text(CSV, encoding="utf-8")
    labels = labels_of(folder, tmp_path / "corpus")["a"]
    assert labels["Ferry to stop"] == "Title"
    assert labels["It ran for forty years."] == "Paragraph"
    assert labels["Imprint of the paper"] == "None"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_tables_of_spreadsheet_programs_are_read(folder, encoding):
    (folder / "gold.csv").write_text(CSV.replace("Ann Lee", "Änne Lee"), encoding=encoding)
    assert read(folder)[0].gold.authors[0] == "Änne Lee"


def test_labels_of_ones_own_go_from_the_table_to_the_corpus(folder, tmp_path):
    (folder / "labels.toml").write_text('names = ["Name", "Other"]\nbackground = "Other"\n')
    (folder / "gold.csv").write_text("file,xpath,label\na.html,/html[1]/body[1]/h1[1],Name\n")
    labels = labels_of(folder, tmp_path / "corpus")["a"]
    assert labels["Ferry to stop"] == "Name"
    assert set(labels.values()) == {"Name", "Other"}
    assert Corpus.load(tmp_path / "corpus").label_set.names == ("Name", "Other")


def test_a_page_that_cannot_be_read_costs_its_row_alone(folder):
    rows = ["b.html,No such file,", "a.html,Ferry to stop,14.3.2026", "a.html,Ferry to stop,"]
    (folder / "gold.csv").write_text("file,title,date\n" + "\n".join(rows[:2]) + "\n")
    absent, wrong = read(folder)
    assert isinstance(absent, Lost)
    assert "expected ISO 8601" in wrong.why


def test_an_unknown_label_names_the_known_ones(folder):
    (folder / "gold.csv").write_text("file,xpath,label\na.html,/html[1]/body[1]/h1[1],Headline\n")
    (lost,) = read(folder)
    assert "Headline" in lost.why
    assert NEWS.names[0] in lost.why


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("gold.csv", "page,title\na.html,x\n", "expected a column 'file', found page, title"),
        ("gold.jsonl", "{\n", "line 1"),
        ("gold.jsonl", "[1]\n", "expected an object"),
        ("gold.jsonl", '{"title": "x"}\n', "row 1: no file"),
    ],
)
def test_a_table_of_another_form_says_what_is_expected(folder, name, text, message):
    (folder / name).write_text(text)
    with pytest.raises(CorpusError, match=message):
        read(folder)


def test_one_table_is_expected(folder):
    with pytest.raises(CorpusError, match=r"gold\.csv is not here"):
        read(folder)
    (folder / "a.csv").write_text(CSV)
    (folder / "b.csv").write_text(CSV)
    with pytest.raises(CorpusError, match=r"a\.csv, b\.csv"):
        read(folder)


@pytest.mark.parametrize("text", ["names = 3", 'names = ["A"]\nbackground = "B"', "x", ""])
def test_labels_of_another_form_are_an_error(folder, text):
    (folder / "gold.csv").write_text(CSV)
    (folder / "labels.toml").write_text(text)
    with pytest.raises(CorpusError, match=r"labels\.toml"):
        read(folder)
