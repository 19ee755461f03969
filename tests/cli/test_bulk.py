"""``structce bulk``: messages, exit codes, and the estimate of a plan."""

import json
import logging

import pytest

pytest.importorskip("pyarrow")


def test_a_page_that_fails_is_counted_and_the_next_call_has_nothing_to_do(
    run, mixed_folder, tmp_path
):
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


def test_a_plan_grows_with_the_pages_and_shrinks_with_the_cores(run, mixed_folder):
    options = ["--pages", "1e6", "--machines", "2", "--cores", "4", "--price", "3"]
    code, printed, _ = run("bulk", mixed_folder, "--plan", *options, "--format", "json")
    assert code == 0
    plan = {row["what"]: row["value"] for row in json.loads(printed)}
    assert (plan["sample"], plan["failed in the sample"], plan["cores"]) == (3, 1, 8)
    per_page = plan["rendering and labelling"] + plan["reading and writing"]
    assert plan["core hours"] == pytest.approx(1e6 * per_page / 1000 / 3600)
    assert plan["time"] == pytest.approx(plan["core hours"] / 8)
    assert plan["cost"] == pytest.approx(plan["time"] * 2 * 3)
    assert plan["time, at least"] <= plan["time"] <= plan["time, at most"]
    assert min(plan["memory"], plan["disk"], plan["writing"]) > 0
