"""Defects of a corpus on disk, and its contents in numbers."""

import json
import shutil
from dataclasses import replace

import pytest
from msgspec import structs

from structce.corpus import Corpus, LabelledPage, summarise, validate
from structce.gold import EXACT, READ, SIMILAR, Gold, GoldBlock, Match
from structce.labels import UNKNOWN
from structce.synthetic.generate import write_sample


@pytest.fixture
def sound(make_corpus, tmp_path):
    """Three pages with gold, nothing wrong."""
    match, covers = Match("Title", "x", EXACT, 1.0, (0,)), frozenset({"Title"})
    golds = ((page, Gold(title=page.page.text[0], covers=covers)) for page in make_corpus(3))
    pages = tuple(replace(page, gold=gold, matches=(match,)) for page, gold in golds)
    Corpus("small", pages, licence="MIT").save(tmp_path / "corpus")
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


def test_matches_of_missing_regions_are_errors(make_corpus, tmp_path):
    (page,) = make_corpus(1)
    wrong = Match("Title", "x", EXACT, 1.0, (999,))
    Corpus("c", (replace(page, matches=(wrong,)),)).save(tmp_path)
    ((name, what),) = defects_of(tmp_path)
    assert name == "page0"
    assert "match of Title: region 999 of" in what


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
    assert [what for _, what in defects_of(tmp_path, "warning")] == [
        "1 files in labels/ that belong to no page, such as page7.json",
        "no region whose label is known",
        "no region",
    ]


@pytest.mark.parametrize(
    ("values", "message"), [({"version": 7}, "version 7"), ({"digest": "0"}, "changed since")]
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


@pytest.fixture
def uneven(make_corpus):
    """Five pages of three sites; the first is all unknown, the last has two gold values."""
    pages = list(make_corpus(5, pages_per_site=2))
    pages[0] = replace(pages[0], labels=(UNKNOWN,) * len(pages[0].labels))
    pages[1] = replace(pages[1], page=structs.replace(pages[1].page, lang="de_AT"))
    pages[2] = replace(pages[2], page=structs.replace(pages[2].page, lang=""))
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
    sizes = {"site0.example": 2, "site1.example": 2, "site2.example": 1}
    assert summary["pages_by_site"] == sizes
    for key, count in (("labels", 4), ("pages_by_label", 4), ("sites_by_label", 3)):
        assert summary[key]["Title"] == summary[key]["Author"] == count
    assert summary["covered"] == "Date None Paragraph Title".split()
    assert summary["sizes"]["regions"] == dict.fromkeys(summary["sizes"]["regions"], n)
    (row,) = summary["gold"]
    assert (row["field"], row["gold"], row["found"], row["missing"]) == ("Title", 2, 1, 1)
    assert json.loads(json.dumps(summary)) == summary


def test_weak_evidence_makes_a_match_uncertain():
    matches = (
        Match("Title", "a", EXACT, 1.0, (1,)),
        Match("Title", "a", READ, 1.0, (1,)),
        Match("Title", "a", SIMILAR, 0.9, (1,)),
        Match("Title", "a", EXACT, 1.0, (1,), (2,)),
    )
    values = [match.uncertainty for match in matches]
    assert values == sorted(values)
    assert values[0] == 0
