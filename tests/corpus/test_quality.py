"""Defects of a corpus on disk, its contents in numbers, and audits of its gold."""

import json
import shutil
from dataclasses import replace

import pytest

from structce.corpus import Corpus, LabelledPage, audit, summarise, uncertainty, validate
from structce.corpus.quality import language_of
from structce.errors import CorpusError
from structce.gold import EXACT, Gold, GoldBlock, Match
from structce.labels import UNKNOWN
from structce.synthetic.generate import write_sample

# Defects


@pytest.fixture
def sound(make_corpus, tmp_path):
    """Three pages with gold, nothing wrong."""
    pages = [
        replace(
            page,
            gold=Gold(title=page.page.text[0], covers=frozenset({"Title"})),
            matches=(Match("Title", "x", EXACT, 1.0, (0,)),),
        )
        for page in make_corpus(3)
    ]
    Corpus("small", tuple(pages), licence="MIT").save(tmp_path / "corpus")
    return tmp_path / "corpus"


def change(file, **values):
    """Set entries of a JSON file."""
    file.write_text(json.dumps({**json.loads(file.read_bytes()), **values}))


def defects_of(folder, level="error"):
    return [(defect.page, defect.what) for defect in validate(folder) if defect.level == level]


def test_a_sound_corpus_has_no_defect(sound):
    assert validate(sound) == []
    archive = shutil.make_archive(str(sound), "zip", sound)
    assert validate(type(sound)(archive)) == []


def test_the_defects_of_all_pages_are_reported(sound):
    (sound / "pages" / "page0.page").write_bytes(b"x")
    (sound / "labels" / "page1.json").write_text('{"/html[1]": 3}')
    (sound / "gold" / "page2.json").write_text("{}")
    found = defects_of(sound)
    assert [name for name, _ in found] == ["page0", "page1", "page2"]
    for (_, what), file in zip(found, ("page0.page", "page1.json", "page2.json"), strict=True):
        assert file in what


WRONG_MATCHES = [
    (Match("Title", "x", EXACT, 1.0, (999,)), "region 999 of"),
    (Match("Title", "x", "guessed", 1.0, (0,)), "method 'guessed', 1 regions"),
    (Match("Title", "x", EXACT, 1.0), "method 'exact', 0 regions"),
    (Match("Title", "x", EXACT, 1.5, (0,)), "score 1.5"),
]


@pytest.mark.parametrize(("match", "message"), WRONG_MATCHES)
def test_matches_of_missing_regions_are_errors(make_corpus, tmp_path, match, message):
    (page,) = make_corpus(1)
    Corpus("c", (replace(page, matches=(match,)),)).save(tmp_path)
    ((name, what),) = defects_of(tmp_path)
    assert name == "page0"
    assert message in what


def test_uncovered_or_unknown_labels_are_errors(make_corpus, tmp_path):
    (page,) = make_corpus(1)
    gold = Gold(blocks=(GoldBlock("kind", "text", "Headline"),))
    Corpus("c", (replace(page, gold=gold),)).save(tmp_path)
    change(tmp_path / "manifest.json", covered=["Title", "Rest"])
    messages = [what for _, what in defects_of(tmp_path)]
    assert "covered label 'Rest' is not one of" in messages[0]
    assert "which is not covered" in messages[1]
    assert "gold has label 'Headline'" in messages[2]


def test_pages_without_labels_and_stray_files_are_warnings(make_corpus, make_page, tmp_path):
    (page,) = make_corpus(1)
    unknown = replace(page, labels=(UNKNOWN,) * len(page.labels))
    empty = LabelledPage("page2", "s", "s", make_page(""), ())
    Corpus("c", (unknown, empty)).save(tmp_path)
    (tmp_path / "labels" / "page7.json").write_text("{}")
    assert defects_of(tmp_path) == []
    warnings = [what for _, what in defects_of(tmp_path, "warning")]
    assert warnings == [
        "1 files in labels/ that belong to no page, such as page7.json",
        "no region whose label is known",
        "no region",
    ]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"version": 7}, "version 7"),
        ({"labels": "Title"}, "Expected `array`"),
        ({"background": "Rest"}, "background 'Rest' is not one of"),
        ({"digest": "0"}, "changed since"),
    ],
)
def test_a_wrong_manifest_is_one_error(sound, values, message):
    change(sound / "manifest.json", **values)
    ((page, what),) = defects_of(sound)
    assert page == ""
    assert message in what


def test_raw_pages_are_validated(tmp_path):
    write_sample(tmp_path, 2, 1, seed=3)
    assert validate(tmp_path) == []
    first, second = sorted((tmp_path / "labels").iterdir())
    first.write_text('{"/html[1]/nowhere": "Title"}')
    second.write_text('{"/html[1]/body[1]": "Headline"}')
    assert [name for name, _ in defects_of(tmp_path)] == [first.stem, second.stem]


# Numbers


@pytest.fixture
def uneven(make_corpus):
    """Five pages of three sites; the first is all unknown, the last has two gold values."""
    pages = list(make_corpus(5, pages_per_site=2))
    pages[0] = replace(pages[0], labels=(UNKNOWN,) * len(pages[0].labels))
    pages[1] = replace(pages[1], page=replace(pages[1].page, lang="de_AT"))
    pages[2] = replace(pages[2], page=replace(pages[2].page, lang=""))
    matches = (Match("Title", "x", EXACT, 1.0, (1,)), Match("Title", "y"))
    pages[4] = replace(pages[4], family="site0.example", matches=matches)
    covered = ("Title", "Date", "Paragraph")
    return Corpus("$small$", tuple(pages), licence="MIT", covered=covered)


def test_a_summary_counts_pages_labels_and_gold(uneven):
    summary = summarise(uneven)
    n = len(uneven.pages[0].page)
    assert (summary["pages"], summary["sites"], summary["families"]) == (5, 3, 2)
    assert (summary["regions"], summary["unknown"]) == (5 * n, n)
    assert summary["languages"] == {"en": 3, "?": 1, "de": 1}
    assert summary["pages_by_site"] == dict.fromkeys(("site0.example", "site1.example"), 2) | {
        "site2.example": 1
    }
    for key, count in (("labels", 4), ("pages_by_label", 4), ("sites_by_label", 3)):
        assert summary[key]["Title"] == summary[key]["Author"] == count
    assert summary["covered"] == "Date None Paragraph Title".split()
    assert summary["sizes"]["regions"] == dict.fromkeys(summary["sizes"]["regions"], n)
    (row,) = summary["gold"]
    assert (row["field"], row["gold"], row["found"], row["missing"]) == ("Title", 2, 1, 1)
    assert json.loads(json.dumps(summary)) == summary


@pytest.mark.parametrize(
    ("stated", "language"), [("de-AT", "de"), ("EN_us", "en"), (" fr ", "fr"), ("", "?")]
)
def test_a_language_is_given_without_its_country(stated, language):
    assert language_of(stated) == language


# Audits

HTML = """<html lang=en><title>Ferry</title><nav><a>Home</a></nav><h1>Ferry stops in June, at last
</h1><p>By Ann Lee</p><time datetime="2026-03-14T09:00">today</time><img src="/quay.jpg">
<p>The ferry will not sail.</p><p>By Ann Lee, again</p></html>"""
MATCHES = (
    Match("Title", "Ferry stops in June", "similar", 0.9, (1,)),
    Match("Author", "Ann Lee", "exact", 1.0, (2,), (6,)),
    Match("Date", "2026-03-14", "read", 1.0, (3,)),
    Match("Multimedia", "https://x.example/quay.jpg", "exact", 1.0, (4,)),
    Match("Paragraph", "The ferry will not sail.", "exact", 1.0, (5,)),
    Match("Caption", "The ferry will not sail again.", "", 0.0),
)
LABELS = ("None", "Title", "Author", "Date", "Multimedia", "Paragraph", "None")


@pytest.fixture
def audited(tmp_path, make_page):
    """Three pages alike, and one without gold."""
    site, gold = "x.example", Gold(title="Ferry stops in June")
    pages = [
        LabelledPage(f"page{n}", site, site, make_page(HTML), LABELS, gold, MATCHES)
        for n in range(3)
    ]
    bare = LabelledPage("page3", site, site, make_page("<p>a"), ("None",))
    Corpus("harbour", (*pages, bare)).save(tmp_path / "corpus")
    return tmp_path / "corpus"


def fields_of(rows):
    return [row["field"] for row in rows]


def test_the_least_certain_matches_come_first(audited):
    rows = audit(audited)
    assert fields_of(rows)[:9] == ["Author"] * 3 + ["Title"] * 3 + ["Date"] * 3
    assert len(rows) == 15
    values = [uncertainty(match) for match in (MATCHES[1], MATCHES[0], MATCHES[2], MATCHES[3])]
    assert values == sorted(values, reverse=True)


def test_a_random_sample_depends_on_its_seed(audited):
    first, same, other = (audit(audited, order="random", n=5, seed=seed) for seed in (1, 1, 2))
    assert first == same != other
    assert len({(row["page"], row["field"]) for row in first}) == 5


def test_an_audit_needs_gold_values(audited, tmp_path):
    assert set(fields_of(audit(audited, fields=["author", "DATE"]))) == {"Author", "Date"}
    assert audit(audited, fields=["caption"]) == []  # not found on any page
    with pytest.raises(CorpusError, match=r"no value of a field 'isbn'; there are .*Author"):
        audit(audited, fields=["isbn"])
    Corpus.load(audited).subset(["page3"]).save(tmp_path / "bare")
    with pytest.raises(CorpusError, match="no gold values"):
        audit(tmp_path / "bare")
    (audited / "gold" / "page1.json").write_text("[")
    with pytest.raises(CorpusError, match="page1"):
        audit(audited)


def test_a_row_shows_value_text_and_surroundings(audited):
    rows = {row["field"]: row for row in audit(audited)}
    assert rows["Author"] == {
        "page": rows["Author"]["page"],
        "region": 2,
        "how": "exact 1.00",
        "field": "Author",
        "gold": "Ann Lee",
        "text": "By Ann Lee",
        "before": "Home | Ferry stops in June, at last",
        "after": "today | The ferry will not sail.",
        "rivals": 1,
    }
    assert rows["Paragraph"]["text"] == "="
    assert rows["Date"]["text"] == "today (datetime 2026-03-14T09:00)"
    assert rows["Multimedia"]["text"] == "/quay.jpg"
