"""Hostile and odd pages: each gives what the tables in ``odd`` say, and none reaches out."""

import base64
import re
import struct
import tomllib
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest
from playwright.sync_api import sync_playwright

from structce.errors import RenderError
from structce.rendering.base import Limits, Settings
from structce.rendering.chromium.discovery import search_browser
from structce.rendering.document import Document
from structce.rendering.html_rules import collapse, has_mark
from structce.rendering.static import StaticRenderer

FOLDER = Path(__file__).parent / "odd"
SECRET = "The secret of this machine"
STAYS = "This page stays."
GIVES = {"regions", "texts", "has", "error"}
OUTCOMES = GIVES | {"boxes", "tall", "limits", "may_fail", "because"}
KEYS = OUTCOMES | {"tries", "parts", "made_by", "static", "scripted"}
MODES = ("static", "chromium", "scripted")


@dataclass(frozen=True)
class Odd:
    """One row of a table: a page, what it tries, and what must come of it."""

    name: str
    row: Mapping[str, Any]

    def expected(self, mode):
        """Return what must come out: that of the browser, unless the table says otherwise."""
        outcomes = self.row.get(mode, self.row)
        return {key: outcomes[key] for key in outcomes if key in OUTCOMES}

    def holds(self, *signs):
        """Return whether one of the signs stands in the source."""
        pieces = [piece for piece, _ in self.row.get("parts", [])]
        source = "".join(pieces) if pieces else self.html()
        return any(sign in source for sign in signs)

    def settings(self, mode):
        limits = Limits(**self.expected(mode).get("limits", {}))
        return Settings(scripts=mode == "scripted", limits=limits)

    def html(self):
        if "made_by" in self.row:
            return MAKERS[self.row["made_by"]]()
        if "parts" in self.row:
            return "".join(piece * times for piece, times in self.row["parts"])
        return (FOLDER / f"{self.name}.html").read_text("utf-8")


@cache
def table(kind):
    rows = tomllib.loads((FOLDER / f"{kind}.toml").read_text("utf-8"))
    return {name: Odd(name, row) for name, row in rows.items()}


def half_characters():
    return f"<!doctype html><p>before</p><p>a{chr(0xD800)}b</p><p title='{chr(0xDFFF)}'>after</p>"


def long_attributes():
    many = " ".join(f"a{i}=x" for i in range(2_000))
    return f"<!doctype html><p title='{'x' * 2_000_000}'>{STAYS}</p><b {many}></b>"


def nested_frames():
    html = "<p>Framed."
    for _ in range(8):
        html = f"<iframe src='data:text/html,{quote(html)}'></iframe>"
    return f"<!doctype html><p>{STAYS}</p>{html}"


def vast_image():
    """Return a page with a PNG image whose head promises far more than it holds."""
    head = struct.pack(">IIBBBBB", 60_000, 60_000, 1, 0, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(bytes(10_000_000))), (b"IEND", b""))
    data = b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, body) for kind, body in chunks)
    address = f"data:image/png;base64,{base64.b64encode(data).decode()}"
    return f"<!doctype html><p>{STAYS}</p><img src='{address}' alt=''>"


def _chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


MAKERS = {
    made.__name__: made for made in (half_characters, long_attributes, nested_frames, vast_image)
}


@pytest.fixture(scope="module")
def secret(tmp_path_factory):
    """Address of a file that no page may read."""
    path = tmp_path_factory.mktemp("machine") / "secret.html"
    path.write_text(f"<p>{SECRET}</p>")
    return path.as_uri()


@dataclass(frozen=True)
class Nothing:
    """Resources of a page that stands at an address outside, and of which no file was kept."""

    base: str

    def get(self, url):
        """Return None: there is nothing to give."""


@pytest.fixture
def compare(outside, secret):
    """Render an odd page and compare; no connection may have been made by then."""

    def run(odd, renderer, mode, *, is_outside=False):
        html = odd.html().replace("{host}", outside.host).replace("{file}", secret)
        resources = Nothing(f"http://{outside.host}/far/page.html") if is_outside else None
        document = Document(html, name=odd.name, resources=resources)
        expected = odd.expected(mode)
        try:
            page = renderer.render(document)
        except RenderError as error:
            said = expected.get("error") or expected.get("may_fail")
            if said is None or not re.search(said, str(error), re.IGNORECASE):
                raise
            following = renderer.render(Document("<p>The next page", name="next"))
            assert following.text == ("The next page",)
        else:
            assert "error" not in expected, f"no error, but {page.text[:5]}"
            check(page, expected)
        finally:
            assert outside.visits() == 0, "the page reached out"

    return run


def check(page, expected):
    """Check what a page gives against its row."""
    regions = [[path, text] for path, text in zip(page.xpath, page.text, strict=True)]
    if "regions" in expected:
        assert regions == expected["regions"]
    texts = [text for text in page.text if text]
    if "texts" in expected:
        assert texts == expected["texts"]
    assert [text for text in expected.get("has", []) if text not in texts] == []
    assert_sound(page)
    if page.has_layout:
        check_boxes(page, expected)


def check_boxes(page, expected):
    for path, *box in expected.get("boxes", []):
        box_of_page = page.boxes[page.xpath.index(path)]
        known = ~np.isnan(box)
        np.testing.assert_allclose(box_of_page[known], np.array(box)[known], atol=1)
    for path in expected.get("tall", []):
        _, _, width, height = page.boxes[page.xpath.index(path)]
        assert height > width


def assert_sound(page):
    """Check what holds for every page: one address a region, clean text, boxes that are numbers."""
    assert len(set(page.xpath)) == len(page)
    for text, path, is_media in zip(page.text, page.xpath, page.is_media, strict=True):
        assert SECRET not in text
        assert "Elsewhere" not in text
        text.encode("utf-8")
        assert text == collapse(text)
        assert has_mark(text) or is_media, path
    assert not page.has_layout or np.isfinite(page.boxes).all()


@pytest.mark.parametrize("kind", ["hostile", "fidelity"])
def test_rows_are_complete(kind):
    for name, odd in table(kind).items():
        assert set(odd.row) <= KEYS, name
        assert all(set(odd.row.get(mode, {})) <= OUTCOMES for mode in MODES), name
        assert odd.row["tries"]
        for mode in MODES:
            assert GIVES & set(odd.expected(mode)), f"{name}: {mode}"
        has_file = (FOLDER / f"{name}.html").exists()
        assert has_file != ("parts" in odd.row or "made_by" in odd.row), name


SCRIPTED = [n for n, odd in table("hostile").items() if odd.holds("<script", "{host}", "{file}")]
OUTSIDE = [name for name in SCRIPTED if not table("hostile")[name].holds("<script>")]


@pytest.mark.browser
@pytest.mark.parametrize("name", ["media-elsewhere", "peer-connections"])
def test_a_page_reaches_out_of_a_browser_that_nothing_holds(outside, name):
    browser = search_browser().browser
    if browser is None:
        pytest.skip("no Chromium, Chrome or Edge is installed")
    html = table("hostile")[name].html().replace("{host}", outside.host)
    with sync_playwright() as playwright:
        open_browser = playwright.chromium.launch(executable_path=str(browser.path))
        open_browser.new_page().set_content(html, wait_until="commit")
        assert outside.wait(20)
        open_browser.close()
    assert outside.visits() > 0


class TestWithoutABrowser:
    @pytest.mark.parametrize("name", table("hostile"))
    def test_a_hostile_page_gives_its_text_and_reaches_nothing(self, compare, name):
        odd = table("hostile")[name]
        compare(odd, StaticRenderer(settings=odd.settings("static")), "static")

    @pytest.mark.parametrize("name", table("fidelity"))
    def test_an_odd_page_gives_what_it_shows(self, compare, name):
        compare(table("fidelity")[name], StaticRenderer(), "static")


@pytest.mark.browser
class TestInABrowser:
    @pytest.mark.parametrize("name", table("hostile"))
    def test_a_hostile_page_gives_its_text_and_reaches_nothing(self, compare, chromium_with, name):
        odd = table("hostile")[name]
        compare(odd, chromium_with(odd.settings("chromium")), "chromium")

    @pytest.mark.parametrize("name", OUTSIDE)
    def test_a_hostile_page_outside_reaches_nothing(self, compare, chromium_with, name):
        odd = table("hostile")[name]
        compare(odd, chromium_with(odd.settings("chromium")), "chromium", is_outside=True)

    @pytest.mark.parametrize("name", table("fidelity"))
    def test_an_odd_page_gives_what_it_shows(self, compare, chromium_with, name):
        compare(table("fidelity")[name], chromium_with(Settings()), "chromium")


@pytest.mark.browser
class TestWithScriptsOn:
    @pytest.mark.parametrize("name", SCRIPTED)
    def test_a_hostile_page_gives_its_text_and_reaches_nothing(self, compare, chromium_with, name):
        odd = table("hostile")[name]
        compare(odd, chromium_with(odd.settings("scripted")), "scripted", is_outside=True)
