"""Features looked at, made, shown and tried, as a user does it."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from structce.cli.feature_show import MAX_TINT, MIN_TINT, TEXT_COLOURS, value_marks
from structce.cli.features import FEATURES_BEGIN
from structce.cli.messages import TABLE_END
from structce.features.registry import FAMILIES
from structce.rendering.chromium import ChromiumRenderer

ROOT = Path(__file__).parents[2]

Run = Callable[..., tuple[int, str, str]]

pytestmark = pytest.mark.usefixtures("forgets_imports")


@pytest.fixture
def kicker_file(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text("<h1>STOP PRESS</h1><p>The ferry will stop in June.</p><img src=a.jpg>")
    return path


def test_the_list_has_family_needs_source_and_sentence(run: Run) -> None:
    code, out, _ = run("features", "list", "--family", "style", "--format", "json")
    assert code == 0
    rows = json.loads(out)
    assert {row["family"] for row in rows} == {"style"}
    assert set(rows[0]) == {"name", "family", "needs", "source", "says"}
    assert any(row["needs"] == "layout" for row in rows)


def test_the_list_of_a_preset_is_the_table_of_the_paper(run: Run) -> None:
    code, out, _ = run("features", "list", "--preset", "spengler2010", "--format", "json")
    assert code == 0
    names = [row["name"] for row in json.loads(out)]
    assert names[0] == "text.all-tokens"
    assert len(names) == 49
    assert run("features", "list", "--preset", "spengler2010", "--markdown")[0] == 2


def test_the_page_on_features_is_what_the_command_prints(run: Run) -> None:
    code, out, _ = run("features", "list", "--markdown")
    assert code == 0
    page = (ROOT / "docs" / "features.md").read_text("utf-8")
    tables = page.partition(FEATURES_BEGIN)[2].partition(TABLE_END)[0]
    said = "run: structce features list --into docs/features.md"
    assert tables.strip() == out.strip(), said


def test_the_tables_are_put_between_the_marks_of_a_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "features.md"
    path.write_text(f"# Mine\n{FEATURES_BEGIN}\nfrom before\n{TABLE_END}\nmore\n")
    for _ in range(2):
        assert run("features", "list", "--family", "dom", "--into", path)[0] == 0
        text = path.read_text()
        assert text.startswith(f"# Mine\n{FEATURES_BEGIN}\n\n### Table 1")
        assert text.endswith(f" |\n\n{TABLE_END}\nmore\n")
        assert "from before" not in text
    for wrong in (
        "no marks",
        f"{TABLE_END}\n{FEATURES_BEGIN}",
        f"{FEATURES_BEGIN}\n{FEATURES_BEGIN}\n{TABLE_END}",
    ):
        path.write_text(wrong)
        code, _, err = run("features", "list", "--markdown", "--into", path)
        assert code == 1
        assert "features.md: expected one line" in err
        assert path.read_text() == wrong


def test_a_feature_is_shown_region_by_region(run: Run, shouts: Path, kicker_file: Path) -> None:
    show = (
        "features",
        "show",
        "text.zz-shouts",
        kicker_file,
        "--renderer",
        "static",
        "--import",
        shouts,
    )
    code, out, err = run(*show)
    assert (code, err) == (0, "")
    lines = [line.split() for line in out.splitlines()[2:]]
    assert [line[:3] for line in lines] == [
        ["0", "yes", "h1"],
        ["1", "no", "p"],
        ["2", "no", "img"],
    ]
    code, out, _ = run(*show, "--format", "json")
    assert json.loads(out)[0] == {"index": 0, "value": True, "tag": "h1", "text": "STOP PRESS"}


def test_what_is_shown_may_be_called_as_in_the_paper(run: Run, kicker_file: Path) -> None:
    code, out, _ = run("features", "show", "dom.dom-name", kicker_file, "--renderer", "static")
    assert code == 0
    assert [line.split()[1] for line in out.splitlines()[2:]] == ["h1", "p", "img"]


def test_an_unknown_feature_names_the_nearest_and_a_broken_page_is_an_error(
    run: Run, kicker_file: Path, tmp_path: Path
) -> None:
    code, _, err = run("features", "show", "text.tokn", kicker_file, "--renderer", "static")
    assert code == 1
    assert "did you mean 'text.token'" in err
    (tmp_path / "b.html").write_bytes(b"\x89PNG\r\n")
    code, _, err = run(
        "features", "show", "text.token", tmp_path / "b.html", "--renderer", "static"
    )
    assert code == 1
    assert "PNG image" in err


def test_a_feature_that_needs_what_the_page_lacks_says_so(run: Run, kicker_file: Path) -> None:
    code, out, err = run(
        "features", "show", "style.width", kicker_file, "--renderer", "static", "--format", "json"
    )
    assert code == 0
    assert {row["value"] for row in json.loads(out)} == {None}
    assert "needs layout" in err
    assert run("features", "show", "style.width", kicker_file, "--renderer", "static",
               "--picture", kicker_file.with_suffix(".png"))[0] == 2  # fmt: skip


@pytest.mark.browser
def test_values_are_drawn_over_the_picture(
    run: Run,
    kicker_file: Path,
    tmp_path: Path,
    chromium: ChromiumRenderer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("structce.cli.inputs.start_renderer", lambda *_, **__: chromium)
    monkeypatch.setattr(ChromiumRenderer, "__enter__", lambda self: self)  # it is open already
    monkeypatch.setattr(ChromiumRenderer, "__exit__", lambda *_: None)
    pictures = []
    for name in ("text.length", "dom.tag"):
        path = tmp_path / f"{name}.png"
        code, _, err = run("features", "show", name, kicker_file, "--picture", path)
        assert code == 0
        assert str(path) in err
        pictures.append(path.read_bytes())
    assert pictures[0][:4] == b"\x89PNG"
    assert pictures[0] != pictures[1]


def test_the_larger_a_number_the_stronger_its_tint() -> None:
    marks = value_marks([3, None, 1000, 0.5, 3])
    assert marks[1] is None
    tints = [mark.tint for mark in marks if mark]
    assert tints[0] == tints[3]
    assert MIN_TINT < tints[2] < tints[0] < tints[1] == pytest.approx(MAX_TINT)
    assert [mark.text for mark in marks if mark] == ["3", "1000", "0.5", "3"]


def test_what_is_true_is_drawn_and_texts_have_colours_of_their_own() -> None:
    assert [mark and mark.text for mark in value_marks([True, False, None])] == ["yes", None, None]
    marks = value_marks(["b", "a", "a", ["x", "y"], []])
    assert [mark and mark.colour for mark in marks] == [
        TEXT_COLOURS[1],
        TEXT_COLOURS[0],
        TEXT_COLOURS[0],
        TEXT_COLOURS[2],
        None,
    ]
    assert marks[3] is not None
    assert marks[3].text == "x y"


def test_new_features_work_and_their_tests_pass_at_once(
    run: Run, tmp_path: Path, kicker_file: Path
) -> None:
    for family in FAMILIES:
        name = f"zz-{family}-cue"
        code, out, _ = run("features", "new", name, "--family", family, "--folder", tmp_path)
        assert code == 0
        path = tmp_path / f"zz_{family}_cue.py"
        assert f"python -m pytest {path.with_name(f'test_{path.name}')}" in out
        assert f"structce features show {family}.{name} page.html --import {path}" in out
        show = ("features", "show", f"{family}.{name}", kicker_file, "--import", path)
        assert run(*show, "--renderer", "static")[0] == 0
    done = pytest_in(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{2 * len(FAMILIES)} passed" in done.stdout


BREAKS = {
    "zz_length": ('[text.count(",") for text in page.text]', "[1]", "returned 1 values for"),
    "zz_site": ('text.count(",")', "len(page.url)", "when the site is renamed"),
    "zz_value": ('text.count(",")', 'text.count(";")', "== [2, 0]"),
    "zz_docstring": (
        "Number of commas: running text and lists of names have some, headlines few.",
        "No",
        "No",
    ),
}


def test_the_test_of_a_new_feature_fails_when_the_feature_breaks(run: Run, tmp_path: Path) -> None:
    for name, (old, new, _) in BREAKS.items():
        assert run("features", "new", name, "--family", "text", "--folder", tmp_path)[0] == 0
        path = tmp_path / f"{name}.py"
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))
    done = pytest_in(tmp_path)
    assert done.returncode == 1
    for name, (_, _, said) in BREAKS.items():
        assert f"FAILED test_{name}.py" in done.stdout
        assert said in done.stdout


def pytest_in(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_nothing_is_overwritten_and_names_must_be_names(run: Run, tmp_path: Path) -> None:
    (tmp_path / "test_zz_cue.py").write_text("mine")
    new = ("features", "new", "--folder", tmp_path, "--family", "text")
    code, _, err = run(*new, "zz-cue")
    assert code == 1
    assert "test_zz_cue.py already exists" in err
    assert [path.name for path in tmp_path.iterdir()] == ["test_zz_cue.py"]
    for wrong in ("3cues", "_cue", "class", "a b", "../cue"):
        assert run(*new, wrong)[0] == 2
    code, _, err = run(*new, "word-count")
    assert code == 1
    assert "'text.word-count' is taken" in err


def test_a_file_is_tried_and_told_for_people_and_for_programs(
    run: Run, shouts: Path, small: Path
) -> None:
    shouts.write_text(shouts.read_text().replace("text.isupper()", "'.' in text"))
    tried = (
        "features",
        "try",
        shouts,
        "--corpus",
        small,
        "--folds",
        "2",
        "--learner",
        "multiclass-svm",
    )
    code, out, _ = run(*tried, "--seed", "1")
    assert code == 0
    assert out.startswith("text.zz-shouts\nsays something of ")
    assert re.search(r"^Paragraph +\d+ +\d\.\d{4} +\d", out, re.MULTILINE)
    assert re.search(r"^Macro F1 .* over \d sites: (the change is within noise|labels get)", out,
                     re.MULTILINE)  # fmt: skip
    code, again, _ = run(*tried, "--seed", "1", "--format", "json")
    (record,) = json.loads(again)
    assert record["name"] == "text.zz-shouts"
    assert f"{100 * record['macro_f1']['after']:.2f} with" in out
    assert {"before", "after", "low", "high", "difference", "verdict"} == set(record["macro_f1"])
    assert {"regions", "bits", "entropy", "f1"} == set(record["labels"]["Title"])


def test_what_holds_no_feature_cannot_be_tried(run: Run, tmp_path: Path, small: Path) -> None:
    (tmp_path / "none.py").write_text("x = 1\n")
    code, _, err = run("features", "try", tmp_path / "none.py", "--corpus", small)
    assert code == 1
    assert "no feature is registered here" in err
    code, _, err = run("features", "try", "text.tokn", "--corpus", small)
    assert code == 1
    assert "text.tokn" in err
