"""``structce bulk``: messages and exit codes."""

import json
import logging

import pytest

import structce

pytest.importorskip("pyarrow")


def test_failed_page_is_counted_and_not_repeated(run, mixed_folder, tmp_path):
    out = tmp_path / "out"
    code, printed, err = run("bulk", mixed_folder, "-o", out)
    assert (code, printed) == (1, "")
    assert err.startswith("3 pages in ")
    assert logging.getLogger("structce").level == logging.NOTSET, "later runs may warn again"
    assert err.endswith(" s, 1 failed\n")
    assert json.loads((out / "summary.json").read_text()) == {"pages": 3, "failed": 1}
    code, _, err = run("bulk", mixed_folder, "-o", out)
    assert code == 1
    assert "3 pages were done already" in err
    code, _, err = run("bulk", mixed_folder, "-o", out, "--regions")
    assert code == 1
    assert "regions was false, and is now true" in err


def test_sources_and_a_folder_are_asked_for(run, mixed_folder, tmp_path):
    assert "Missing argument 'SRC...'" in run("bulk", "-o", tmp_path / "out")[2]
    code, _, err = run("bulk", mixed_folder)
    assert code == 2
    assert "Missing option '-o'" in err
    code, _, err = run("bulk", "https://post.example/a.warc.gz", "-o", tmp_path / "out")
    assert code == 1
    assert "only with --network" in err


def test_rules_of_a_site_come_before_the_model(run, mixed_folder, tmp_path):
    rules = tmp_path / "rules.toml"
    rules.write_text('format = 1\n[title]\npaths = ["p"]\n')
    run("bulk", mixed_folder, "-o", tmp_path / "out", "--rules", rules)
    table = pytest.importorskip("pyarrow.parquet").read_table(tmp_path / "out" / "pages")
    titles = table.column("title").to_pylist()
    title = structce.label(mixed_folder / "a.html", rules=rules).title
    assert titles[0] == title.value
    assert "Ferry to stop" not in title.value
