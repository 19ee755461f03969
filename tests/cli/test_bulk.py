"""``structce bulk``: messages, exit codes, and the estimate of a plan."""

import json
import logging
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]

pytest.importorskip("pyarrow")


def test_a_page_that_fails_is_counted_and_the_next_call_has_nothing_to_do(
    run: Run, pages: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    code, printed, err = run("bulk", pages, "-o", out)
    assert (code, printed) == (1, "")
    assert err.startswith("3 pages in ")
    assert logging.getLogger("structce").level == logging.NOTSET, "later runs may warn again"
    assert err.endswith(" s, 1 failed\n")
    assert json.loads((out / "summary.json").read_text()) == {"pages": 3, "failed": 1}
    code, _, err = run("bulk", pages, "-o", out)
    assert code == 1
    assert "3 pages were done already" in err
    code, _, err = run("bulk", pages, "-o", out, "--regions")
    assert code == 1
    assert "regions was false, and is now true" in err


def test_sources_and_a_folder_are_asked_for(run: Run, pages: Path, tmp_path: Path) -> None:
    assert "Missing argument 'SRC...'" in run("bulk", "-o", tmp_path / "out")[2]
    code, _, err = run("bulk", pages)
    assert code == 2
    assert "Missing option '-o'" in err
    code, _, err = run("bulk", "https://post.example/a.warc.gz", "-o", tmp_path / "out")
    assert code == 1
    assert "only with --network" in err


def test_a_plan_grows_with_the_pages_and_shrinks_with_the_cores(run: Run, pages: Path) -> None:
    options = ["--pages", "1e6", "--machines", "2", "--cores", "4", "--price", "3"]
    code, printed, _ = run("bulk", pages, "--plan", *options, "--format", "json")
    assert code == 0
    found = {row["what"]: row["value"] for row in json.loads(printed)}
    assert (found["sample"], found["failed in the sample"], found["cores"]) == (3, 1, 8)
    per_page = found["rendering and labelling"] + found["reading and writing"]
    assert found["core hours"] == pytest.approx(1e6 * per_page / 1000 / 3600)
    assert found["time"] == pytest.approx(found["core hours"] / 8)
    assert found["cost"] == pytest.approx(found["time"] * 2 * 3)
    assert found["time, at least"] <= found["time"] <= found["time, at most"]
    assert min(found["memory"], found["disk"], found["writing"]) > 0
