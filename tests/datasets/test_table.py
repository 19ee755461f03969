"""Gold of one's own: tables beside pages, and labels of one's own."""

from datetime import date

import pytest

from structce.corpus import Corpus
from structce.datasets import READERS, GoldPage, import_corpus
from structce.errors import CorpusError
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
def table_folder(tmp_path):
    (tmp_path / "a.html").write_text(HTML, encoding="utf-8")
    return tmp_path


def read(path):
    return list(READERS["table"].read(path))


def labels_of(path, out):
    corpus = import_corpus("table", path, StaticRenderer(), out)
    return {page.id: dict(zip(page.page.text, page.labels, strict=True)) for page in corpus}


def test_a_table_says_what_is_on_its_pages(table_folder):
    (table_folder / "gold.csv").write_text(CSV, encoding="utf-8")
    (page,) = read(table_folder)
    assert isinstance(page, GoldPage)
    assert (page.id, page.site, page.url) == ("a", "news.example", "https://news.example/a")
    assert page.gold.title == "Ferry to stop"
    assert page.gold.authors == ("Ann Lee", "Bo Ek")
    assert page.gold.date == date(2026, 3, 14)
    assert page.gold.text.splitlines()[1] == "It ran for forty years."
    assert page.gold.about == {"section": "Local"}
    assert read(table_folder / "gold.csv")[0].gold == page.gold


DATES = {
    "14.3.2026": date(2026, 3, 14),
    "14/03/2026": date(2026, 3, 14),
    "3/14/2026": date(2026, 3, 14),
    "March 14, 2026": date(2026, 3, 14),
    "14 March 2026": date(2026, 3, 14),
    "3/4/2026": "may be read as two different days",
    "3/4/2026 14/3/2026": date(2026, 4, 3),
    "3/4/2026 3/14/2026": date(2026, 3, 4),
    "3/4/2026 14/3/2026 3/14/2026": "may be read as two different days",
    "soon": "is not a day",
    "2026-13-40": "is not a day",
}


@pytest.mark.parametrize("cells", DATES)
def test_a_written_day_is_read_if_it_is_certain(table_folder, cells):
    written = [cells] if "March" in cells else cells.split()
    rows = [f'{n}.html,"{cell}"' for n, cell in enumerate(written)]
    (table_folder / "gold.csv").write_text("file,date\n" + "\n".join(rows) + "\n")
    for n in range(len(rows)):
        (table_folder / f"{n}.html").write_text(HTML)
    first = read(table_folder)[0]
    expected = DATES[cells]
    if isinstance(expected, str):
        assert expected in first.reason
    else:
        assert first.gold.date == expected


def test_a_page_may_be_said_to_have_no_author(table_folder, tmp_path):
    (table_folder / "gold.csv").write_text("file,title,authors\na.html,Ferry to stop,-\n")
    (page,) = read(table_folder)
    assert (page.gold.authors, page.gold.covers) == ((), {"Author"})
    labels = labels_of(table_folder, tmp_path / "corpus")["a"]
    byline = "By Ann Lee and Bo Ek, 14 March 2026"
    assert "Author" not in labels[byline]
    (table_folder / "gold.csv").write_text("file,title\na.html,Ferry to stop\n")
    unsaid = labels_of(table_folder, tmp_path / "unsaid")["a"]
    assert "Author" in unsaid[byline]


@pytest.mark.parametrize(
    ("column", "meant"),
    [("autor", "authors"), ("author", "authors"), ("titel", "title"), ("Titles", "title")],
)
def test_a_misspelt_column_is_an_error(table_folder, column, meant):
    (table_folder / "gold.csv").write_text(f"file,{column}\na.html,x\n")
    with pytest.raises(CorpusError, match=f"unknown column '{column}'; rename it to '{meant}'"):
        read(table_folder)


SITES = {
    "a column": ("file,site\na.html,s\nb.html,s\n", ["s", "s"], "column"),
    "addresses": ("file,url\na.html,http://www.news.example/1\nb.html,http://news.example/2\n",
                  ["news.example", "news.example"], "addresses"),
    "folders": ("file,title\none/a.html,x\none/b.html,x\ntwo/c.html,x\n",
                ["one", "one", "two"], "folders"),
    "one folder": ("file,title\none/a.html,x\none/b.html,x\n", ["one-a", "one-b"], ""),
    "nothing": ("file,title\na.html,x\nb.html,x\n", ["a", "b"], ""),
}  # fmt: skip


def write_pages(folder, names):
    for name in names:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(HTML)


@pytest.mark.parametrize("name", SITES)
def test_sites_are_told_by_columns_addresses_or_folders(table_folder, name):
    table, sites, told = SITES[name]
    (table_folder / "gold.csv").write_text(table)
    write_pages(table_folder, [line.partition(",")[0] for line in table.splitlines()[1:]])
    assert [page.site for page in read(table_folder)] == sites
    assert READERS["table"].sites(table_folder) == told


@pytest.mark.parametrize(
    ("rule", "sites"),
    [("one", ["all", "all"]), ("page", ["one-a", "one-b"]), ("folder", ["one", "one"])],
)
def test_a_rule_tells_sites_where_the_table_does_not(table_folder, tmp_path, rule, sites):
    (table_folder / "gold.csv").write_text(SITES["one folder"][0])
    write_pages(table_folder, ["one/a.html", "one/b.html"])
    out = tmp_path / "corpus"
    corpus = import_corpus("table", table_folder, StaticRenderer(), out, site_from=rule)
    assert [page.site for page in corpus] == sites
    assert (corpus.notes["sites"], corpus.notes["data_set"]) == (rule, "table")
    assert corpus.name == table_folder.name
    with pytest.raises(CorpusError, match="expected one of address"):
        import_corpus("table", table_folder, StaticRenderer(), out, site_from="luck")


def test_labels_of_ones_own_go_from_the_table_to_the_corpus(table_folder, tmp_path):
    (table_folder / "labels.toml").write_text('names = ["Name", "Other"]\nbackground = "Other"\n')
    (table_folder / "gold.csv").write_text("file,xpath,label\na.html,/html[1]/body[1]/h1[1],Name\n")
    labels = labels_of(table_folder, tmp_path / "corpus")["a"]
    assert labels["Ferry to stop"] == "Name"
    assert set(labels.values()) == {"Name", "Other"}
    assert Corpus.load(tmp_path / "corpus").label_set.names == ("Name", "Other")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("gold.txt", "", r"gold\.csv is missing"),
        ("gold.csv", "page,title\na.html,x\n", "expected a column 'file', found page, title"),
        ("gold.jsonl", "{\n", "line 1"),
        ("gold.jsonl", "[1]\n", "expected an object"),
        ("gold.jsonl", '{"title": "x"}\n', "row 1: no file"),
    ],
)
def test_a_table_of_another_form_says_what_is_expected(table_folder, name, text, message):
    (table_folder / name).write_text(text)
    with pytest.raises(CorpusError, match=message):
        read(table_folder)


@pytest.mark.parametrize(
    "text", [b"names = 3", b'names = ["A"]\nbackground = "B"', b"x", b"", b'names = ["\xff"]']
)
def test_labels_of_another_form_are_an_error(table_folder, text):
    (table_folder / "gold.csv").write_text("file,xpath,label\na.html,/html[1],A\n")
    (table_folder / "labels.toml").write_bytes(text)
    with pytest.raises(CorpusError, match=r"labels\.toml"):
        read(table_folder)
