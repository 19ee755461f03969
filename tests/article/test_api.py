"""One call takes every form of a page, and refuses what is none; it is never silently empty."""

import io
import os
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

import structce
from structce.article import api
from structce.errors import ModelError, SourceError
from structce.labelling import DEFAULT_MODELS, find_model

HTML = (
    "<!doctype html><html lang=en><title>Ferry to stop</title><h1>Ferry to stop</h1>"
    "<p>The ferry across the lake will stop in June, and a bridge takes its place.</p>"
)


@pytest.fixture
def working_folder(tmp_path, monkeypatch):
    (tmp_path / "page.html").write_text(HTML, encoding="utf-8")
    (tmp_path / "-").write_text(HTML, encoding="utf-8")
    (tmp_path / "notes.txt").write_text("Nothing but words.", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "take",
    [
        lambda folder: HTML,
        lambda folder: HTML.encode(),
        lambda folder: bytearray(HTML.encode()),
        lambda folder: HTML.encode("utf-16"),
        lambda folder: folder / "page.html",
        lambda folder: Path("page.html"),
        lambda folder: "page.html",
        lambda folder: "./page.html",
        lambda folder: str(folder / "page.html"),
        lambda folder: Path("-"),
        lambda folder: "-",
        lambda folder: io.StringIO(HTML),
        lambda folder: io.BytesIO(HTML.encode()),
    ],
)
def test_a_page_is_read_in_every_form(working_folder, take):
    article = structce.label(take(working_folder))
    assert article.title.value == "Ferry to stop"


@pytest.mark.parametrize(
    "source",
    [None, 7, ["page.html"], {"html": HTML}, object(), io.BytesIO, SimpleNamespace(read=lambda: 7)],
)
def test_what_is_no_page_is_a_type_error(source):
    with pytest.raises(TypeError, match="expected HTML"):
        structce.label(source)


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("no-such-page.html", "'no-such-page.html': neither HTML nor an existing file"),
        (Path("no-such-page.html"), "no-such-page.html: "),
        (Path(), "is a folder; expected one page"),
        (".", "is a folder; expected one page"),
        ("", "empty text; expected"),
        (" \n", "empty text; expected"),
        (b"", "empty"),
        ("The ferry will stop in June.", "neither HTML nor an existing file"),
        ("words " * 2_000, "neither HTML nor an existing file"),
        ("a\0b", "neither HTML nor an existing file"),
        (b"The ferry will stop in June.", "no markup"),
        ("notes.txt", "notes.txt: contains no markup"),
        (io.StringIO("words"), "no markup"),
    ],
)
def test_what_holds_no_page_is_an_error_that_says_so(working_folder, source, says):
    with pytest.raises(SourceError, match=says):
        structce.label(source)


@pytest.mark.parametrize("address", ["https://example.org/ferry", " http://example.org/ "])
def test_an_address_is_not_fetched_unless_asked(address, monkeypatch):
    def fetch(source):
        raise AssertionError(f"{source.name} was fetched")

    monkeypatch.setattr(api.Source, "read", fetch)
    with pytest.raises(SourceError, match="network=True"):
        structce.label(address)


def test_address_is_fetched_by_checked_network():
    with pytest.raises(SourceError, match=r"127\.0\.0\.1:1"):
        structce.label("http://127.0.0.1:1/page.html", network=True)


def test_the_address_of_the_page_is_kept(working_folder):
    saved = f"<!-- saved from url=(0023)https://example.org/a -->{HTML}"
    (working_folder / "page.html").write_text(saved, encoding="utf-8")
    assert structce.label("page.html").url == "https://example.org/a"
    assert structce.label("page.html", url="https://example.org/b").url == "https://example.org/b"


def test_a_model_that_was_replaced_is_read_again(tmp_path):
    model = tmp_path / "model"
    shutil.copytree(find_model(DEFAULT_MODELS["static"]), model)
    assert structce.label(HTML, model=model).title.value == "Ferry to stop"
    manifest = model / "manifest.json"
    manifest.write_text("{}", encoding="utf-8")
    os.utime(manifest, ns=(1, 1))
    with pytest.raises(ModelError):
        structce.label(HTML, model=model)


@pytest.mark.browser
def test_a_browser_renders_the_page_when_asked():
    article = structce.label(HTML, renderer="chromium")
    assert article.title.value == "Ferry to stop"
