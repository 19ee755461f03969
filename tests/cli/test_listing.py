"""``structce corpus list`` as a user runs it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from structce.cli.corpus.datasets import BEGIN
from structce.cli.output import END
from structce.datasets.base import READERS

Run = Callable[..., tuple[int, str, str]]


def test_every_data_set_is_listed_in_a_narrow_table(run: Run) -> None:
    code, out, err = run("corpus", "list")
    assert (code, err) == (0, "")
    rows = out.splitlines()[2:]
    assert [row.split()[0] for row in rows] == sorted(READERS)
    assert max(map(len, rows)) <= 120
    (fundus,) = [row for row in rows if row.startswith("fundus")]
    assert fundus.split()[-3:] == ["MIT", "yes", "no"]


def test_all_is_told_of_one_data_set(run: Run) -> None:
    code, out, _ = run("corpus", "list", "trafilatura")
    assert code == 0
    joined = " ".join(out.split())
    reader = READERS["trafilatura"]
    for told in (reader.title, reader.licence, reader.citation, reader.home):
        assert " ".join(told.split()) in joined
    assert "https://codeload." in out


def test_json_holds_what_the_registry_knows(run: Run) -> None:
    rows = {row["name"]: row for row in json.loads(run("corpus", "list", "--format", "json")[1])}
    assert set(rows) == set(READERS)
    for name, reader in READERS.items():
        assert rows[name]["gold"] == list(reader.gold)
        assert rows[name]["labels"] == list(reader.labels)
        assert rows[name]["may_train"] == reader.may_train
        assert rows[name]["licence"] == reader.licence
    (one,) = json.loads(run("corpus", "list", "fundus", "--format", "json")[1])
    assert one == rows["fundus"]


def test_markdown_goes_between_its_marks(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "corpora.md"
    path.write_text(f"# Corpora\n\n{BEGIN}\nold\n{END}\n\nMore.\n")
    for _ in range(2):  # writing it again changes nothing
        assert run("corpus", "list", "--into", path)[:2] == (0, "")
    text = path.read_text()
    table = run("corpus", "list", "--markdown")[1].strip()
    assert text == f"# Corpora\n\n{BEGIN}\n\n{table}\n\n{END}\n\nMore.\n"
    rows = [line for line in table.splitlines() if line.startswith("| [")]
    homes = [reader for reader in READERS.values() if reader.home.startswith("http")]
    assert len(rows) == len(homes)
    assert all(row.count("|") == 8 for row in rows)
    assert f"- **fundus**: {READERS['fundus'].citation}" in table


@pytest.mark.parametrize(
    "text",
    ["nothing here", f"{END}\n{BEGIN}", f"{BEGIN}\n{BEGIN}\n{END}"],
    ids=["none", "wrong order", "two"],
)
def test_a_file_without_its_marks_is_left_as_it_is(run: Run, tmp_path: Path, text: str) -> None:
    path = tmp_path / "corpora.md"
    path.write_text(text)
    code, _, err = run("corpus", "list", "--into", path)
    assert code == 1
    assert BEGIN in err
    assert path.read_text() == text


def test_an_unknown_data_set_is_wrong_usage(run: Run) -> None:
    assert run("corpus", "list", "fundos")[0] == 2
