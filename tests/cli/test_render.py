"""``structce render``: snapshots of pages, and runs that go on where they stopped."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

import pytest

from structce.cli import inputs
from structce.cli.render import snapshot_name
from structce.page import Page, pack_page, read_header, unpack_page
from structce.rendering.document import Document
from structce.rendering.source_spans import with_spans
from structce.rendering.static import StaticRenderer

Run = Callable[..., tuple[int, str, str]]
Rows = list[dict[str, object]]
Render = Callable[..., Rows]


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "snapshots"


@pytest.fixture
def render(run: Run, out: Path) -> Render:
    """Render without a browser; return the listing."""

    def call(*arguments: object) -> Rows:
        code, listing, err = run("render", *arguments, "--out", out, "--renderer", "static",
                                 "--format", "json")  # fmt: skip
        rows: Rows = json.loads(listing)
        assert code == (1 if any(row["error"] for row in rows) else 0), err
        return rows

    return call


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def statuses(rows: Rows) -> list[object]:
    return [row["status"] for row in rows]


def use(monkeypatch: pytest.MonkeyPatch, renderer: StaticRenderer) -> None:
    monkeypatch.setattr(inputs, "start_renderer", lambda *_, **__: renderer)


class Stopping(StaticRenderer):
    """A renderer that somebody interrupts at its sixth page."""

    n_pages = 0

    def submit(self, document: Document) -> Future[Page]:
        self.n_pages += 1
        if self.n_pages == 6:
            raise KeyboardInterrupt
        return super().submit(document)


def test_snapshots_are_written_and_listed(render: Render, mixed_folder: Path, out: Path) -> None:
    rows = render(mixed_folder)
    assert statuses(rows) == ["rendered", "failed", "rendered"]
    assert "PNG" in str(rows[1]["error"])
    assert sorted(files(out)) == [Path(str(row["snapshot"])).name for row in rows[::2]]
    for row in rows[::2]:
        assert list(row) == ["source", "status", "regions", "snapshot", "error"]
        page = unpack_page(Path(str(row["snapshot"])).read_bytes(), "page")
        assert len(page) == row["regions"]
        assert page.title.startswith(("Ferry", "Library"))


def test_a_table_shows_the_same(run: Run, mixed_folder: Path, out: Path) -> None:
    code, listing, err = run("render", mixed_folder, "--out", out, "--renderer", "static")
    assert code == 1
    assert listing.splitlines()[0].split() == ["source", "status", "regions", "snapshot", "error"]
    assert listing.count("rendered") == 2
    assert err == ""  # no bar where nobody watches


def test_a_second_run_keeps_what_is_there(render: Render, mixed_folder: Path, out: Path) -> None:
    first = render(mixed_folder)
    before = {path: path.stat().st_mtime_ns for path in out.iterdir()}
    second = render(mixed_folder)
    assert statuses(second) == ["kept", "failed", "kept"]
    assert {path: path.stat().st_mtime_ns for path in out.iterdir()} == before
    assert [row["regions"] for row in second] == [row["regions"] for row in first]
    assert [row["snapshot"] for row in second] == [row["snapshot"] for row in first]


def test_all_are_rendered_again_on_request(render: Render, mixed_folder: Path) -> None:
    render(mixed_folder)
    assert statuses(render(mixed_folder, "--again")) == ["rendered", "failed", "rendered"]


def test_only_the_page_that_changed_is_rendered_again(
    render: Render, mixed_folder: Path, article_html: Callable[..., str]
) -> None:
    render(mixed_folder)
    (mixed_folder / "c.html").write_text(article_html(2))
    rows = render(mixed_folder)
    assert statuses(rows) == ["kept", "failed", "rendered"]
    page = unpack_page(Path(str(rows[2]["snapshot"])).read_bytes(), "page")
    assert page.title.startswith("Storm")


def test_other_settings_render_again(render: Render, mixed_folder: Path) -> None:
    render(mixed_folder / "a.html")
    assert statuses(render(mixed_folder / "a.html", "--limit", "regions=500")) == ["rendered"]
    assert statuses(render(mixed_folder / "a.html", "--limit", "regions=500")) == ["kept"]


def test_pages_that_may_ask_the_network_are_others(render: Render, mixed_folder: Path) -> None:
    render(mixed_folder / "a.html")
    assert statuses(render(mixed_folder / "a.html", "--network")) == ["rendered"]
    assert statuses(render(mixed_folder / "a.html", "--network")) == ["kept"]
    assert statuses(render(mixed_folder / "a.html")) == ["rendered"]


@pytest.mark.parametrize("how", ["cut", "flipped", "empty", "of another renderer"])
def test_a_snapshot_that_is_not_whole_is_made_again(
    render: Render, mixed_folder: Path, out: Path, how: str
) -> None:
    render(mixed_folder / "a.html")
    (path,) = out.iterdir()
    whole = path.read_bytes()
    flipped = bytearray(whole)
    flipped[-20] ^= 1
    path.write_bytes(
        {
            "cut": whole[:-10],
            "flipped": bytes(flipped),
            "empty": b"",
            "of another renderer": whole.replace(b'"static"', b'"chromium"', 1),
        }[how]
    )
    assert statuses(render(mixed_folder / "a.html")) == ["rendered"]
    assert path.read_bytes() == whole


def test_names_do_not_change_with_the_other_sources(
    render: Render, mixed_folder: Path, out: Path
) -> None:
    render(mixed_folder / "c.html")
    rows = render(mixed_folder / "c.html", mixed_folder / "a.html")
    assert statuses(rows) == ["kept", "rendered"]
    assert statuses(render(mixed_folder)) == ["kept", "failed", "kept"]
    assert len(files(out)) == 2


def test_names_tell_their_source_and_sources_of_one_stem_apart() -> None:
    assert snapshot_name("news/story.html") == snapshot_name("./news/story.html")
    assert snapshot_name("news/story.html").startswith("story-")
    names = [
        "news/story.html",
        "sport/story.html",
        "story.html.gz",
        "https://post.example/story",
        "https://post.example/",
        "https://post.example/?id=1",
        "-",
        "crawl.warc.gz#12",
        "x" * 300 + ".html",
        "\udcff.html",
        "東京.html",
    ]
    file_names = [snapshot_name(name) for name in names]
    assert len(set(file_names)) == len(file_names)
    for name in file_names:
        assert name.endswith(".page")
        assert len(name.encode()) < 200
        assert not set(name) & set('/\\:?*"<>|# ')


def test_rows_come_in_the_order_of_the_sources(render: Render, mixed_folder: Path) -> None:
    render(mixed_folder / "c.html")
    rows = render(
        mixed_folder / "b.html",
        mixed_folder / "a.html",
        mixed_folder / "c.html",
        mixed_folder / "none.html",
    )
    assert statuses(rows) == ["failed", "rendered", "kept", "failed"]
    assert [Path(str(row["source"])).name[0] for row in rows] == ["b", "a", "c", "n"]


def test_a_run_that_was_stopped_leaves_whole_files_and_goes_on(
    run: Run,
    render: Render,
    mixed_folder: Path,
    out: Path,
    article_html: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for n in range(9):
        (mixed_folder / f"d{n}.html").write_text(article_html(n))
    render(mixed_folder / "a.html")
    with monkeypatch.context() as patch:
        use(patch, Stopping())
        code, listing, _ = run("render", mixed_folder, "--out", out)
    assert (code, listing) == (130, "")
    for name, data in files(out).items():
        assert name.endswith(".page")
        assert read_header(data, name) is not None
        assert len(unpack_page(data, name)) > 0
    n_done = len(files(out))
    assert 1 < n_done < 9  # what was under way is lost
    rows = render(mixed_folder)
    assert statuses(rows).count("kept") == n_done
    assert statuses(rows).count("rendered") == 11 - n_done


def test_a_page_too_large_for_a_snapshot_is_a_row(
    render: Render, mixed_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("structce.page.snapshot.MAX_COLUMN_BYTES", 100)
    rows = render(mixed_folder / "a.html", mixed_folder / "c.html")
    assert statuses(rows) == ["failed", "failed"]
    assert all("too large" in str(row["error"]) for row in rows)


def test_the_same_page_gives_the_same_bytes(
    render: Render, mixed_folder: Path, out: Path, article_html: Callable[..., str]
) -> None:
    render(mixed_folder / "a.html")
    (data,) = files(out).values()
    page = StaticRenderer().render(Document(article_html(0)))
    assert data == pack_page(with_spans(page, article_html(0)), str(mixed_folder / "a.html"))


def test_a_snapshot_of_a_release_that_kept_no_source_is_kept(
    render: Render, mixed_folder: Path, out: Path, article_html: Callable[..., str]
) -> None:
    render(mixed_folder / "a.html")
    (path,) = out.iterdir()
    page = StaticRenderer().render(Document(article_html(0)))
    path.write_bytes(pack_page(page))
    assert statuses(render(mixed_folder / "a.html")) == ["kept"]


def test_out_must_not_be_a_file(run: Run, mixed_folder: Path) -> None:
    code, _, err = run("render", mixed_folder / "a.html", "--out", mixed_folder / "a.html")
    assert code == 2
    assert "is a file" in err


@pytest.mark.browser
@pytest.mark.usefixtures("chromium")
def test_snapshots_of_a_browser_are_kept_too(run: Run, mixed_folder: Path, out: Path) -> None:
    for status in ("rendered", "kept"):
        code, listing, err = run("render", mixed_folder / "a.html", "--out", out, "--renderer",
                                 "chromium", "--format", "json")  # fmt: skip
        assert code == 0, err
        assert statuses(json.loads(listing)) == [status]
    (data,) = files(out).values()
    assert read_header(data, "page").provenance.browser


def test_snapshots_are_labelled_as_their_pages_are(
    run: Run, mixed_folder: Path, tmp_path: Path
) -> None:
    (mixed_folder / "b.html").unlink()
    code, _, err = run("render", mixed_folder, "--out", tmp_path / "kept", "--renderer", "static")
    assert code == 0, err
    code, first, _ = run("label", mixed_folder, "--renderer", "static")
    assert code == 0
    code, second, _ = run("label", tmp_path / "kept", "--renderer", "static")
    assert code == 0
    records = [
        {row["source"]: row for row in map(json.loads, out.splitlines())} for out in (first, second)
    ]
    assert list(records[0]) == [str(mixed_folder / "a.html"), str(mixed_folder / "c.html")]
    assert records[0] == records[1]


def test_a_damaged_snapshot_is_an_error_of_its_own(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.page").write_bytes(b"{}")
    code, out, err = run("label", tmp_path / "bad.page", "--renderer", "static")
    assert code == 1
    assert "bad.page" in json.loads(out)["error"]
    assert "bad.page" in err
