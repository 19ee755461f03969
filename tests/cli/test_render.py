"""``structce render``: snapshots of pages, and runs that continue."""

import json
from pathlib import Path

import pytest

from structce.cli import options
from structce.cli.render import snapshot_name
from structce.page import unpack_page
from structce.rendering import StaticRenderer


@pytest.fixture
def out(tmp_path):
    return tmp_path / "snapshots"


@pytest.fixture
def render(run, out):
    """Render without a browser; return the listing."""

    def call(*arguments):
        code, listing, err = run("render", *arguments, "--out", out, "--format", "json")
        rows = json.loads(listing)
        assert code == (1 if any(row["error"] for row in rows) else 0), err
        return rows

    return call


def statuses(rows):
    return [row["status"] for row in rows]


def test_snapshots_are_written_and_listed(run, render, mixed_folder, out):
    rows = render(mixed_folder)
    assert statuses(rows) == ["rendered", "failed", "rendered"]
    assert "PNG" in str(rows[1]["error"])
    assert sorted(out.iterdir()) == [Path(str(row["snapshot"])) for row in rows[::2]]
    for row in rows[::2]:
        page = unpack_page(Path(str(row["snapshot"])).read_bytes(), "page")
        assert len(page) == row["regions"]
        assert page.title.startswith(("Ferry", "Library"))
    code, listing, err = run("render", mixed_folder, "--out", out)
    assert (code, err) == (1, "")
    assert listing.splitlines()[0].split() == ["source", "status", "regions", "snapshot", "error"]


def test_only_changed_pages_and_settings_are_rendered_again(
    render, mixed_folder, out, article_html
):
    first = render(mixed_folder)
    before = {path: path.stat().st_mtime_ns for path in out.iterdir()}
    second = render(mixed_folder)
    assert statuses(second) == ["kept", "failed", "kept"]
    assert {path: path.stat().st_mtime_ns for path in out.iterdir()} == before
    assert [row["regions"] for row in second] == [row["regions"] for row in first]
    (mixed_folder / "c.html").write_text(article_html(2))
    assert statuses(render(mixed_folder)) == ["kept", "failed", "rendered"]
    for option in (("--limit", "regions=500"), ("--network",)):
        for status in ("rendered", "kept"):
            assert statuses(render(mixed_folder / "a.html", *option)) == [status]


@pytest.mark.parametrize("how", ["cut", "flipped", "empty", "of another renderer"])
def test_a_damaged_snapshot_is_rendered_again(render, mixed_folder, out, how):
    render(mixed_folder / "a.html")
    (path,) = out.iterdir()
    whole = path.read_bytes()
    damaged = {
        "cut": whole[:-10],
        "flipped": whole[:-20] + bytes([whole[-20] ^ 1]) + whole[-19:],
        "empty": b"",
        "of another renderer": whole.replace(b'"static"', b'"chromium"', 1),
    }
    path.write_bytes(damaged[how])
    assert statuses(render(mixed_folder / "a.html")) == ["rendered"]
    assert path.read_bytes() == whole


def test_names_of_snapshots_are_distinct_and_short():
    sources = ["news/a.html", "sport/a.html", "a.html.gz", "https://a.example/?id=1", "-", "東京"]
    names = [snapshot_name(source) for source in [*sources, "x" * 300 + ".html"]]
    assert len(set(names)) == len(names)
    assert max(len(name.encode()) for name in names) < 200
    assert snapshot_name("news/a.html") == snapshot_name("./news/a.html")


class Stopping(StaticRenderer):
    """A renderer that somebody interrupts at its sixth page."""

    n_pages = 0

    def submit(self, document):
        self.n_pages += 1
        if self.n_pages == 6:
            raise KeyboardInterrupt
        return super().submit(document)


def test_an_interrupted_run_leaves_whole_files_and_continues(
    run, render, mixed_folder, out, article_html, monkeypatch
):
    for n in range(9):
        (mixed_folder / f"d{n}.html").write_text(article_html(n))
    with monkeypatch.context() as patch:
        patch.setattr(options, "start_renderer", lambda *_, **__: Stopping())
        code, listing, _ = run("render", mixed_folder, "--out", out)
    assert (code, listing) == (130, "")
    files = {path.name: path.read_bytes() for path in out.iterdir()}
    assert all(len(unpack_page(data, name)) > 0 for name, data in files.items())
    assert 0 < len(files) < 9  # what was under way is lost
    rows = render(mixed_folder)
    assert statuses(rows).count("kept") == len(files)
    assert statuses(rows).count("rendered") == 11 - len(files)


def test_a_page_too_large_for_a_snapshot_is_a_row(render, mixed_folder, monkeypatch):
    monkeypatch.setattr("structce.page.snapshot.MAX_COLUMN_BYTES", 100)
    rows = render(mixed_folder / "a.html", mixed_folder / "c.html")
    assert statuses(rows) == ["failed", "failed"]
    assert all("too large" in str(row["error"]) for row in rows)
