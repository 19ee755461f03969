"""Bulk runs: killed runs continue and give the rows of undisturbed ones."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec

import psutil
import pytest

from structce.article import article_row, label_files
from structce.bulk import BulkFolder, BulkSettings, run_bulk
from structce.errors import BulkError
from structce.rendering import Limits, Settings

N_PAGES, PICTURE = 7, 3  # of the crawl, and the position of what is not a page

SETTINGS = BulkSettings(shard_pages=2, regions=True)

# Runs in a process of its own, which is killed in the middle of a shard.
KILLED = """
import os, signal, sys
from pathlib import Path
from structce.bulk import BulkSettings, run_bulk
from structce.article import ReadingPool

crawl, out, n_outcomes = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
whole = ReadingPool.outcomes

def outcomes(self, loaders):
    for number, outcome in enumerate(whole(self, loaders)):
        if number == n_outcomes:
            os.kill(os.getpid(), signal.SIGKILL)
        yield outcome

ReadingPool.outcomes = outcomes
run_bulk([crawl], out, BulkSettings(shard_pages=2, regions=True))
"""


@pytest.fixture(scope="module")
def undisturbed(crawl, tables, tmp_path_factory):
    """The tables of a run that nothing disturbed."""
    out = tmp_path_factory.mktemp("undisturbed")
    counts = run_bulk([str(crawl)], out, SETTINGS)
    assert (counts.n_pages, counts.n_failed, counts.n_before) == (N_PAGES, 1, 0)
    return tables(out)


def test_every_page_is_a_row_or_a_failure(crawl, undisturbed):
    pages, failures = undisturbed
    assert [row["position"] for row in pages] == [i for i in range(N_PAGES) if i != PICTURE]
    (failure,) = failures
    assert failure["position"] == PICTURE
    assert "PNG" in str(failure["error"])
    for row, outcome in zip(pages, _outcomes(crawl), strict=True):
        expected = {**article_row(outcome), "source": row["source"]}
        expected.pop("error")
        assert {name: row[name] for name in expected} == expected
        record = json.loads(str(row["record"]))
        assert record["title"]["value"] == row["title"]
        assert {region["label"] for region in row["regions"]} >= {"Title", "Paragraph"}


def test_chunks_of_all_pages_are_written(crawl, tmp_path):
    run_bulk([str(crawl)], tmp_path, replace(SETTINGS, chunks=12))
    parquet = pytest.importorskip("pyarrow.parquet")
    found = parquet.read_table(tmp_path / "chunks").to_pylist()
    assert {row["position"] for row in found} == set(range(N_PAGES)) - {PICTURE}
    assert all(row["headings"] and row["end"] > row["start"] for row in found)
    with pytest.raises(BulkError):  # other settings are another run
        run_bulk([str(crawl)], tmp_path, SETTINGS)


def _outcomes(crawl):
    return [outcome for outcome in label_files([crawl], spans=False) if not outcome.error]


def test_a_killed_run_continues_with_equal_rows(crawl, tables, undisturbed, tmp_path):
    for n_outcomes in (3, 0):
        command = [sys.executable, "-c", KILLED, str(crawl), str(tmp_path), str(n_outcomes)]
        done = subprocess.run(command, capture_output=True, check=False)
        assert done.returncode == -signal.SIGKILL, done.stderr
    counts = run_bulk([str(crawl)], tmp_path, SETTINGS)
    assert (counts.n_pages, counts.n_failed) == (N_PAGES, 1)
    assert tables(tmp_path) == undisturbed


def test_a_killed_worker_loses_nothing(crawl, tables, undisturbed, tmp_path):
    killed = []

    def kill(_):
        if not killed:
            killed.extend(multiprocessing.active_children())
            for worker in killed:
                worker.kill()

    run_bulk([str(crawl)], tmp_path, SETTINGS, workers=2, on_shard=kill)
    assert len(killed) == 2
    assert tables(tmp_path) == undisturbed


def test_a_shard_without_its_table_is_done_again(crawl, tables, undisturbed, tmp_path):
    run_bulk([str(crawl)], tmp_path, SETTINGS)
    first, *_ = sorted((tmp_path / "pages").iterdir())
    first.unlink()  # its failures are there without it
    (tmp_path / "pages" / f".{first.name}.x1").write_bytes(b"PAR1")
    counts = run_bulk([str(crawl)], tmp_path, SETTINGS)
    assert counts.n_before == N_PAGES - SETTINGS.shard_pages
    assert tables(tmp_path) == undisturbed
    assert not list((tmp_path / "pages").glob(".*"))


def test_finished_shards_are_not_written_again(crawl, tmp_path):
    settings = replace(SETTINGS, shard_pages=100)
    run_bulk([str(crawl)], tmp_path, settings)
    (path,) = (tmp_path / "pages").iterdir()
    before = path.stat().st_mtime_ns
    counts = run_bulk([str(crawl)], tmp_path, settings)
    assert (counts.n_pages, counts.n_before, counts.n_failed) == (N_PAGES, N_PAGES, 1)
    assert path.stat().st_mtime_ns == before


def test_other_settings_or_inputs_are_refused(crawl, article_folder, tmp_path):
    out = tmp_path / "out"
    run_bulk([str(article_folder)], out, SETTINGS)
    with pytest.raises(BulkError, match=r"favour was \"balance\", and is now \"recall\""):
        run_bulk([str(article_folder)], out, replace(SETTINGS, favour="recall"))
    limits = Settings(limits=Limits(page_seconds=5))
    with pytest.raises(BulkError, match="rendering was"):
        run_bulk([str(article_folder)], out, replace(SETTINGS, rendering=limits))
    with pytest.raises(BulkError, match="inputs was 1, and is now 2"):
        run_bulk([str(article_folder), str(crawl)], out, SETTINGS)
    (article_folder / "d.html").write_text("<p>A page more.</p>")
    with pytest.raises(BulkError, match="inputs_digest was"):
        run_bulk([str(article_folder)], out, SETTINGS)


def test_a_folder_with_other_files_is_refused(crawl, tmp_path):
    (tmp_path / "thesis.tex").write_text("")
    with pytest.raises(BulkError, match=r"contains 'thesis\.tex'"):
        run_bulk([str(crawl)], tmp_path, SETTINGS)


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps open files by itself")
def test_two_runs_do_not_share_a_folder(crawl, tmp_path):
    with BulkFolder(tmp_path, {}, []), pytest.raises(BulkError, match="another run is writing"):
        run_bulk([str(crawl)], tmp_path, SETTINGS)


@pytest.fixture(scope="module")
def cluster():
    """A Ray cluster of two processors on this machine."""
    if find_spec("ray") is None:
        pytest.skip("Ray is not installed")
    import ray

    ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield ray
    ray.shutdown()


@pytest.mark.filterwarnings("ignore")
def test_ray_gives_equal_rows_when_an_actor_is_killed(
    crawl, tables, undisturbed, tmp_path, cluster
):
    killed = []

    def kill(_):
        if not killed:
            actor, *_ = _actors()
            killed.append(actor.pid)
            actor.kill()

    run_bulk([str(crawl)], tmp_path, SETTINGS, engine="ray", workers=2, on_shard=kill)
    assert killed
    assert tables(tmp_path) == undisturbed


def _actors():
    children = psutil.Process().children(recursive=True)
    return [child for child in children if "_RayWorker" in " ".join(child.cmdline())]
