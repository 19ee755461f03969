import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from structce.corpus.corpus import Corpus
from structce.corpus.validate import Defect, validate
from structce.gold import EXACT, Gold, Match
from structce.labels import UNKNOWN
from structce.synthetic.generate import write_sample

Make = Callable[..., Corpus]


@pytest.fixture
def corpus_folder(make_corpus: Make, tmp_path: Path) -> Path:
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


def change(file: Path, **values: object) -> None:
    """Set entries of a JSON file."""
    file.write_text(json.dumps({**json.loads(file.read_bytes()), **values}))


def told(folder: Path, level: str = "error") -> list[tuple[str, str]]:
    return [(problem.page, problem.what) for problem in validate(folder) if problem.level == level]


def test_a_sound_corpus_gives_no_finding(corpus_folder: Path) -> None:
    assert validate(corpus_folder) == []
    assert validate(Path(shutil.make_archive(str(corpus_folder), "zip", corpus_folder))) == []


def test_everything_wrong_is_told_and_not_the_first_alone(corpus_folder: Path) -> None:
    page = corpus_folder / "pages" / "page0.page"
    page.write_bytes(page.read_bytes()[:-9])
    (corpus_folder / "labels" / "page1.json").write_text(
        '{"/nowhere": "Title", "/gone": "Headline"}'
    )
    (corpus_folder / "gold" / "page2.json").write_text("{")
    problems = told(corpus_folder)
    assert {name for name, _ in problems} == {"page0", "page1", "page2"}
    assert ("page1", "1 regions have label 'Headline', which is not in the set") in problems
    assert ("page1", "2 labels on no region, such as /gone") in problems
    assert any(what.startswith("gold/page2.json: ") for _, what in problems)
    assert len(problems) == 4


@pytest.mark.parametrize("kind", ["pages", "labels"])
def test_a_missing_file_is_an_error_of_its_page(corpus_folder: Path, kind: str) -> None:
    next((corpus_folder / kind).glob("page1.*")).unlink()
    ((name, what),) = told(corpus_folder)
    assert name == "page1"
    assert f"{kind}/page1" in what


@pytest.mark.parametrize(
    "name",
    ["../page0", "a/b", "..", ".hidden", "a\\b", "", "/etc/passwd", "new\nline"],
    ids=["up", "below", "dots", "hidden", "backslash", "empty", "absolute", "line"],
)
def test_an_id_that_leaves_the_folder_is_an_error_and_never_read(
    corpus_folder: Path, name: str
) -> None:
    rows = json.loads((corpus_folder / "manifest.json").read_bytes())["pages"]
    change(corpus_folder / "manifest.json", pages=[*rows, {**rows[0], "id": name}])
    assert told(corpus_folder) == [(name, "id is not a safe file name; the page was not read")]


def test_ids_that_collide_are_told(corpus_folder: Path) -> None:
    rows = json.loads((corpus_folder / "manifest.json").read_bytes())["pages"]
    change(corpus_folder / "manifest.json", pages=[*rows, rows[0], {**rows[0], "id": "PAGE1"}])
    assert ("page0", "2 pages of this id") in told(corpus_folder)
    assert ("page1", "2 ids that differ in capitals alone: one file on some systems") in told(
        corpus_folder, "warning"
    )


def test_a_site_in_two_families_is_a_warning(corpus_folder: Path) -> None:
    rows = json.loads((corpus_folder / "manifest.json").read_bytes())["pages"]
    rows[0] |= {"site": "s", "family": "one"}
    rows[1] |= {"site": "s", "family": "two"}
    rows[2] |= {"site": ""}
    change(corpus_folder / "manifest.json", pages=rows)
    ((page, what),) = told(corpus_folder, "warning")
    assert (page, what[:30]) == ("", "site 's' is in 2 families, one")
    assert told(corpus_folder) == [
        ("page2", "site '', family 'site2.example'; neither may be empty")
    ]


@pytest.mark.parametrize(
    ("match", "message"),
    [
        (Match("Title", "x", EXACT, 1.0, (999,)), "region 999 of"),
        (Match("Title", "x", EXACT, 1.0, (0,), (-1,)), "region -1 of"),
        (Match("Title", "x", "guess", 1.0, (0,)), "method 'guess'"),
        (Match("Title", "x", EXACT, 0.0), "method 'exact', 0 regions"),
        (Match("Title", "x", EXACT, 1.5, (0,)), "score 1.5"),
    ],
    ids=["region", "rival", "method", "nowhere", "score"],
)
def test_a_match_that_cannot_be_is_told(
    make_corpus: Make, tmp_path: Path, match: Match, message: str
) -> None:
    page = replace(make_corpus(1).pages[0], matches=(match,))
    Corpus("small", (page,)).save(tmp_path / "c")
    ((name, what),) = told(tmp_path / "c")
    assert name == "page0"
    assert message in what


@pytest.mark.parametrize(
    ("gold", "message"),
    [
        ({"gold": {"titel": "x"}, "matches": []}, "unknown field 'titel'"),
        ({"gold": {"date": "soon"}, "matches": []}, "soon"),
        ({"gold": {}, "matches": [{"field": 3}]}, "matches"),
        ({"gold": {}}, "matches"),
        ([], "list indices"),
        ({"gold": {"covers": ["Headline"]}, "matches": []}, "'Headline', which is not one of"),
    ],
    ids=["field", "date", "match", "lacking", "list", "label"],
)
def test_gold_that_cannot_be_read_is_told(corpus_folder: Path, gold: object, message: str) -> None:
    (corpus_folder / "gold" / "page1.json").write_text(json.dumps(gold))
    ((name, what),) = told(corpus_folder)
    assert name == "page1"
    assert message in what


def test_two_labels_on_one_region_are_told(corpus_folder: Path) -> None:
    labels = json.loads((corpus_folder / "labels" / "page0.json").read_bytes())
    xpath = next(iter(labels))
    text = json.dumps(labels)[:-1] + f', {json.dumps(xpath)}: "Date"}}'
    (corpus_folder / "labels" / "page0.json").write_text(text)
    assert told(corpus_folder) == [("page0", f"2 labels on {xpath}")]


def test_a_label_that_is_not_covered_is_told(corpus_folder: Path) -> None:
    change(corpus_folder / "manifest.json", covered=["Title", "Headline"])
    problems = told(corpus_folder)
    assert any(what.startswith("covered label 'Headline' is not one of") for _, what in problems)
    assert ("page0", "1 regions have label 'Date', which is not covered") in problems


def test_changed_labels_and_another_renderer_are_told(corpus_folder: Path) -> None:
    change(corpus_folder / "manifest.json", digest="0" * 64)
    assert told(corpus_folder) == [("", "pages or labels changed since the manifest was written")]
    change(corpus_folder / "manifest.json", renderer="chromium")
    assert ("page0", "rendered by static; the manifest says chromium") in told(corpus_folder)


@pytest.mark.parametrize(
    ("label", "message"),
    [
        (UNKNOWN, "no region whose label is known"),
        ("None", "no region with a label except the background"),
    ],
    ids=["unknown", "background"],
)
def test_a_page_that_teaches_nothing_is_a_warning(
    make_corpus: Make, tmp_path: Path, label: str, message: str
) -> None:
    page = make_corpus(1).pages[0]
    Corpus("c", (replace(page, labels=(label,) * len(page.labels)),)).save(tmp_path / "c")
    assert validate(tmp_path / "c") == [Defect("warning", "page0", message)]


def test_files_of_no_page_and_another_address_are_warnings(corpus_folder: Path) -> None:
    (corpus_folder / "labels" / "page7.json").write_text("{}")
    rows = json.loads((corpus_folder / "manifest.json").read_bytes())["pages"]
    rows[0]["url"] = "https://other.example/"
    change(corpus_folder / "manifest.json", pages=rows)
    assert told(corpus_folder) == []
    first, second = told(corpus_folder, "warning")
    assert "the manifest says 'https://other.example/'" in first[1]
    assert second == ("", "1 files in labels/ that belong to no page, such as page7.json")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"version": 7}, "version 7"),
        ({"labels": "Title"}, "Expected `array`"),
        ({"background": "Rest"}, "background 'Rest' is not one of"),
    ],
    ids=["version", "kind", "background"],
)
def test_a_manifest_that_cannot_be_read_is_one_error(
    corpus_folder: Path, values: dict[str, object], message: str
) -> None:
    change(corpus_folder / "manifest.json", **values)
    ((page, what),) = told(corpus_folder)
    assert page == ""
    assert message in what


def test_raw_pages_are_read_too(tmp_path: Path) -> None:
    raw = tmp_path / "raw"
    write_sample(raw, 2, 1, seed=3)
    assert validate(raw) == []
    first, second = sorted((raw / "labels").iterdir())
    first.write_text('{"/html[1]/nowhere": "Title"}')
    second.write_text('{"/html[1]/body[1]": "Headline"}')
    assert [name for name, _ in told(raw)] == [first.stem, second.stem, second.stem]
    write_sample(raw, 2, 1, seed=3)
    change(raw / "manifest.json", digest="0")
    ((page, what),) = told(raw)
    assert page == ""
    assert "changed since" in what
