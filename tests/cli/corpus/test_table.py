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
def table_folder(tmp_path):
    (tmp_path / "a.html").write_text(HTML, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_what_label_wrote_is_gold_after_it_was_looked_through(run, table_folder, tmp_path, suffix):
    table = tmp_path / f"out.{suffix}"
    code, _, _ = run("label", table_folder / "a.html", "--renderer", "static", "-o", table)
    assert code == 0
    (page,) = READERS["table"].read(table)
    assert page.gold.title == "Ferry to stop"
    assert set(page.gold.authors) <= {"Ann Lee", "Bo Ek"}
    assert bool(page.gold.marks) == (suffix == "jsonl")


def test_a_label_that_was_corrected_counts(run, table_folder, tmp_path):
    table = tmp_path / "out.jsonl"
    run("label", table_folder / "a.html", "--renderer", "static", "-o", table, "--all-regions")
    record = json.loads(table.read_text("utf-8"))
    for region in record["regions"]:
        if region["text"].startswith("Imprint"):
            region["label"] = "Advertisement"
    table.write_text(json.dumps(record) + "\n", encoding="utf-8")
    (page,) = import_corpus("table", table, StaticRenderer(), tmp_path / "corpus")
    labels = dict(zip(page.page.text, page.labels, strict=True))
    assert labels["Imprint of the paper"] == "Advertisement"


@pytest.mark.usefixtures("plain_reports")
def test_labels_of_ones_own_go_from_the_table_to_the_report(run, tmp_path):
    folder = tmp_path / "shop"
    folder.mkdir()
    rows = ["file,site,xpath,label"]
    for n in range(6):
        items = "".join(f"<li>{kind} {n}{k}</li>" for k, kind in enumerate(("cup", "plate")))
        html = f"<html lang=en><h1>Shop {n}</h1><ul>{items}</ul><p>All prices with tax.</p>"
        (folder / f"{n}.html").write_text(html, encoding="utf-8")
        rows.append(f"{n}.html,s{n}.example,/html[1]/body[1]/h1[1],Shop")
        places = (f"/html[1]/body[1]/ul[1]/li[{k}]" for k in (1, 2))
        rows += [f"{n}.html,s{n}.example,{place},Product" for place in places]
    (folder / "gold.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    own = 'names = ["Shop", "Product", "Rest"]\nbackground = "Rest"\n'
    (folder / "labels.toml").write_text(own, encoding="utf-8")
    corpus, report = tmp_path / "corpus", tmp_path / "report"
    given = ("corpus", "import", "table", folder, corpus, "--renderer", "static")
    code, _, err = run(*given)
    assert code == 0, err
    fast = ("--learners", "multiclass-svm", "--set", "learner.multiclass-svm.max_epochs=2")
    code, out, err = run("compare", corpus, *fast, "--out", report)
    assert code == 0, err
    study = json.loads((report / "report.json").read_text("utf-8"))["studies"][0]
    assert list(study["labels"]) == ["Shop", "Product", "Rest"]
    assert study["background"] == "Rest"
    assert "Product" in out
    assert "Product" in (report / "report.html").read_text("utf-8")


def import_command(folder, out):
    return ("corpus", "import", "table", folder, out, "--renderer", "static")


def test_sites_are_asked_for_where_nothing_tells_them(run, table_folder, tmp_path):
    (table_folder / "gold.csv").write_text("file,title\na.html,Ferry to stop\n")
    command = import_command(table_folder, tmp_path / "corpus")
    code, _, err = run(*command)
    assert code == 2
    assert "--site-from page" in err
    code, _, err = run(*command, "--site-from", "page")
    assert code == 0
    assert "1 pages of 1 sites (sites by page) written" in err


def test_a_corpus_is_not_written_over_unless_forced(run, table_folder, tmp_path):
    (table_folder / "gold.csv").write_text("file,title,site\na.html,Ferry to stop,s\n")
    command = import_command(table_folder, tmp_path / "corpus")
    assert run(*command)[0] == 0
    code, _, err = run(*command)
    assert code == 2
    assert "already contains a corpus; --force overwrites it" in err
    assert run(*command, "--force")[0] == 0
    synthetic = ("corpus", "synthesise", tmp_path / "corpus", "--sites", "1", "--pages", "1")
    assert run(*synthetic)[0] == 2
    assert run(*synthetic, "--force")[0] == 0
