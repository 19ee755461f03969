"""What was labelled, looked through and corrected is gold again."""

import json

import pytest

from structce.datasets import READERS, import_corpus
from structce.rendering import StaticRenderer

HTML = (
    "<html lang=en><h1>Ferry to stop</h1><p class=byline>By Ann Lee and Bo Ek, 14 March 2026</p>"
    "<p>The ferry will stop in June, the council said.</p><p>It ran for forty years.</p>"
    "<footer>Imprint of the paper</footer>"
)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.html").write_text(HTML, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_what_label_wrote_is_gold_after_it_was_looked_through(run, folder, tmp_path, suffix):
    table = tmp_path / f"out.{suffix}"
    code, _, _ = run("label", folder / "a.html", "--renderer", "static", "-o", table)
    assert code == 0
    (page,) = READERS["table"].read(table)
    assert page.gold.title == "Ferry to stop"
    assert set(page.gold.authors) <= {"Ann Lee", "Bo Ek"}
    assert bool(page.gold.marks) == (suffix == "jsonl")


def test_a_label_that_was_corrected_counts(run, folder, tmp_path):
    table = tmp_path / "out.jsonl"
    run("label", folder / "a.html", "--renderer", "static", "-o", table, "--all-regions")
    record = json.loads(table.read_text("utf-8"))
    for region in record["regions"]:
        if region["text"].startswith("Imprint"):
            region["label"] = "Advertisement"
    table.write_text(json.dumps(record) + "\n", encoding="utf-8")
    (page,) = import_corpus("table", table, StaticRenderer(), tmp_path / "corpus")
    labels = dict(zip(page.page.text, page.labels, strict=True))
    assert labels["Imprint of the paper"] == "Advertisement"
