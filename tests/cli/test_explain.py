"""``structce explain`` as a user runs it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]
STATIC = ("--renderer", "static")


@pytest.fixture
def article_file(tmp_path: Path, article_html: Callable[..., str]) -> Path:
    path = tmp_path / "a.html"
    path.write_text(article_html(0))
    return path


def test_the_title_is_explained_by_default(run: Run, article_file: Path) -> None:
    code, out, err = run("explain", article_file, *STATIC)
    assert code == 0
    assert err == ""
    lines = out.splitlines()
    assert lines[0].startswith(f"{article_file}, region 3: Title (confidence ")
    assert lines[1] == "Ferry to stop in June, part 0"
    assert lines[3].split()[:5] == ["column", "or", "context", "value", "Title"]
    assert any("other columns" in line for line in lines)
    assert lines[-2].startswith("Without ")


def test_the_printed_differences_add_up_to_the_printed_sum(run: Run, article_file: Path) -> None:
    _, out, _ = run("explain", article_file, *STATIC, "--columns", 4)
    rows = [
        line.split() for line in out.splitlines()[5:] if line and not line.startswith("Without")
    ]
    *parts, total = [float(row[-1]) for row in rows]
    assert rows[-1][0] == "sum"
    assert len(parts) == 4 + 1
    digits = {len(row[-1].partition(".")[2]) for row in rows}
    assert len(digits) == 1
    assert sum(parts) == pytest.approx(total, abs=0.5 * 10.0 ** -digits.pop() * (len(parts) + 1))


def test_regions_are_chosen_by_number_or_by_label(run: Run, article_file: Path) -> None:
    code, out, _ = run("explain", article_file, *STATIC, "--region", 0, "--region", 9, "--json")
    assert code == 0
    (record,) = json.loads(out)
    assert set(record) == {"source", "url", "renderer", "model", "explanations"}
    assert [explanation["region"] for explanation in record["explanations"]] == [0, 9]
    code, out, _ = run("explain", article_file, *STATIC, "--label", "Paragraph", "--format", "json",
                       "--columns", 2)  # fmt: skip
    explanations = json.loads(out)[0]["explanations"]
    assert len(explanations) > 2
    assert {explanation["answer"] for explanation in explanations} == {"Paragraph"}
    assert {len(explanation["columns"]) for explanation in explanations} == {2}
    shares = [*explanations[0]["columns"], explanations[0]["others"], *explanations[0]["context"]]
    total = sum(share["difference"] for share in shares)
    assert total == pytest.approx(explanations[0]["margin"], abs=1e-9)


def test_a_label_that_no_region_has_is_said_and_is_no_error(run: Run, article_file: Path) -> None:
    code, out, err = run("explain", article_file, *STATIC, "--label", "Advertisement", "--json")
    assert code == 0
    assert json.loads(out)[0]["explanations"] == []
    assert "no region is labelled Advertisement" in err


def test_a_region_that_is_not_there_exits_with_1_and_says_how_many_there_are(
    run: Run, article_file: Path
) -> None:
    code, out, err = run("explain", article_file, *STATIC, "--region", 4000, "--json")
    assert code == 1
    assert "no region 4000; the page has " in err
    assert str(article_file) in err
    assert "no region 4000" in json.loads(out)[0]["error"]


def test_in_a_folder_one_bad_page_costs_one_page(run: Run, article_file: Path) -> None:
    (article_file.parent / "b.html").write_bytes(b"\x89PNG\r\n\x1a\n")
    (article_file.parent / "c.html").write_text(article_file.read_text())
    code, out, err = run("explain", article_file.parent, *STATIC, "--json")
    assert code == 1
    assert ["error" in record for record in json.loads(out)] == [False, True, False]
    assert "b.html" in err


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--label", "Headline"),
        ("--region", "first"),
        ("--region", "1", "--label", "Title"),
        ("--columns", "-1"),
    ],
)
def test_wrong_usage_exits_with_2(run: Run, article_file: Path, arguments: tuple[str, ...]) -> None:
    sources = [article_file] if arguments else []
    assert run("explain", *sources, *STATIC, *arguments)[0] == 2


def test_what_a_page_says_cannot_steer_the_terminal(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "steer.html"
    path.write_text("<h1>Ferry\x9b31m \u202eto stop</h1><p>The ferry will stop.</p>")
    code, out, _ = run("explain", path, *STATIC, "--region", 0, "--columns", 200)
    assert code == 0
    assert not set(out) & {"\x1b", "\x9b", "\u202e"}
