"""``structce features``: features listed, shown and tried."""

import json
import re

import pytest

from structce.features import FAMILIES

pytestmark = pytest.mark.usefixtures("forgets_imports")


@pytest.fixture
def kicker_file(tmp_path):
    path = tmp_path / "page.html"
    path.write_text("<h1>STOP PRESS</h1><p>The ferry will stop in June.</p><img src=a.jpg>")
    return path


def test_features_are_listed(run):
    code, out, _ = run("features", "list", "--format", "json")
    assert code == 0
    rows = json.loads(out)
    assert {row["family"] for row in rows} >= {*FAMILIES}
    assert set(rows[0]) == {"name", "family", "needs", "source", "says"}
    assert any(row["needs"] == "layout" for row in rows)


def test_a_feature_is_shown_region_by_region(run, shouts, kicker_file):
    show = ("features", "show", "text.zz-shouts", kicker_file, "--import", shouts)
    code, out, err = run(*show)
    assert (code, err) == (0, "")
    lines = [line.split()[:3] for line in out.splitlines()[2:]]
    assert lines == [["0", "True", "h1"], ["1", "False", "p"], ["2", "False", "img"]]
    _, out, _ = run(*show, "--format", "json")
    assert json.loads(out)[0] == {"index": 0, "value": True, "tag": "h1", "text": "STOP PRESS"}
    _, out, _ = run("features", "show", "dom.dom-name", kicker_file)  # its name in the paper
    assert [line.split()[1] for line in out.splitlines()[2:]] == ["h1", "p", "img"]
    _, out, err = run("features", "show", "style.width", kicker_file, "--format", "json")
    assert {row["value"] for row in json.loads(out)} == {None}
    assert "needs layout" in err


@pytest.mark.parametrize(
    ("name", "page", "message"),
    [("text.tokn", "page", "did you mean 'text.token'"), ("text.token", "b", "PNG image")],
)
def test_mistakes_in_showing_are_named(run, kicker_file, name, page, message):
    (kicker_file.parent / "b.html").write_bytes(b"\x89PNG\r\n")
    code, _, err = run("features", "show", name, kicker_file.parent / f"{page}.html")
    assert (code, message in err) == (1, True)


def test_a_file_is_tried(run, shouts, small):
    shouts.write_text(shouts.read_text().replace("text.isupper()", "'.' in text"))
    tried = ("features", "try", shouts, "--corpus", small, "--seed", "1")
    code, out, _ = run(*tried)
    assert code == 0
    assert out.startswith("text.zz-shouts\nsays something of ")
    assert re.search(r"^Paragraph +\d+ +\d+\.\d\d +\d", out, re.MULTILINE)
    assert re.search(r"^Macro F1 .* over \d sites: (the change|labels get)", out, re.MULTILINE)
    (record,) = json.loads(run(*tried, "--format", "json")[1])
    assert record["name"] == "text.zz-shouts"
    assert f"{100 * record['macro_f1']['after']:.2f} with" in out
    assert {"regions", "f1"} == set(record["labels"]["Title"])


def test_a_file_without_features_cannot_be_tried(run, tmp_path, small):
    none = tmp_path / "none.py"
    none.write_text("x = 1\n")
    for what, message in ((none, "no feature is registered"), ("text.tokn", "tokn")):
        code, _, err = run("features", "try", what, "--corpus", small)
        assert (code, message in err) == (1, True)
