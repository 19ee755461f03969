"""The labelling page from end to end, in a real Chromium."""

from __future__ import annotations

import pytest

from structce.annotate.session import Session
from structce.annotate.workspace import Workspace
from structce.corpus.corpus import Corpus

pytestmark = pytest.mark.browser


def wait_version(tab, n: int) -> None:
    """Wait until the server has answered the n-th action."""
    tab.wait_for_selector(f"body[data-version='{n}']")


def label_of(tab, i: int) -> str:
    return tab.inner_text(f"#row-{i} .chip")


def row_with(tab, text: str) -> int:
    return int(tab.locator(".row", has_text=text).first.get_attribute("data-i"))


def click_region(tab, i: int, **options) -> None:
    """Click a region where it stands on the page, not in the list."""
    tab.evaluate("i => window.structce.view.reveal(i)", i)
    x, y = tab.evaluate("i => window.structce.view.screenPlace(i)", i)
    tab.mouse.move(x, y)
    keys = options.get("keys", [])
    for key in keys:
        tab.keyboard.down(key)
    tab.mouse.click(x, y)
    for key in keys:
        tab.keyboard.up(key)


@pytest.fixture
def workspace(new_workspace):
    with Workspace(new_workspace()) as opened:
        yield opened


@pytest.fixture
def tab(workspace, open_tab, served, tag_proposer):
    with served(Session(workspace, tag_proposer)) as address:
        yield open_tab(address)


def labels_on_disk(workspace: Workspace, name: str = "page0") -> tuple[str, ...]:
    pages = {page.id: page for page in Corpus.load(workspace.folder)}
    return pages[name].labels


def test_a_click_and_a_key_label_a_region_at_once_in_the_corpus(tab, workspace):
    author = row_with(tab, "Ann Lee")
    assert label_of(tab, author) == "None"
    click_region(tab, author)
    assert tab.get_attribute(f"#row-{author}", "aria-selected") == "true"
    tab.keyboard.press("2")
    wait_version(tab, 1)
    assert label_of(tab, author) == "Author"
    saved = labels_on_disk(workspace)
    assert saved[author] == "Author"
    assert set(saved) == {"Author", "?"}  # what is only proposed is not gold


def test_a_run_is_extended_by_mouse_and_by_keyboard_and_undone(tab, workspace):
    last = row_with(tab, "will not sail")
    first = last - 2
    click_region(tab, first)
    click_region(tab, last, keys=["Shift"])
    tab.keyboard.press("6")
    wait_version(tab, 1)
    assert labels_on_disk(workspace)[first : last + 1] == ("Caption",) * 3
    tab.keyboard.press("Escape")
    for _ in range(2):
        tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Shift+ArrowDown")
    tab.keyboard.press("8")
    wait_version(tab, 2)
    assert labels_on_disk(workspace)[1:3] == ("Advertisement",) * 2
    tab.keyboard.press("Control+z")
    wait_version(tab, 3)
    tab.keyboard.press("u")
    wait_version(tab, 4)
    assert set(labels_on_disk(workspace)) == {"?"}
    tab.keyboard.press("y")
    wait_version(tab, 5)
    assert labels_on_disk(workspace)[first] == "Caption"


def test_enter_makes_what_is_shown_gold_and_goes_on(tab, workspace):
    tab.keyboard.press("Enter")
    tab.wait_for_selector("body[data-ready=page1]")
    page = workspace.page("page0")
    assert page.labels == labels_on_disk(workspace)
    by_tag = dict(zip(page.page.tag, page.labels, strict=True))
    assert (by_tag["h1"], by_tag["time"], by_tag["footer"]) == ("Title", "Date", "None")
    assert tab.inner_text("#progress-text") == "1 of 3"
    assert set(labels_on_disk(workspace, "page1")) == {"?"}


def test_labels_and_place_survive_a_reload(tab, workspace):
    tab.keyboard.press("]")
    tab.wait_for_selector("body[data-ready=page1]")
    click_region(tab, row_with(tab, "Tomas Rost"))
    tab.keyboard.press("2")
    wait_version(tab, 1)
    tab.reload()
    tab.wait_for_selector("body[data-ready=page1]")
    assert label_of(tab, row_with(tab, "Tomas Rost")) == "Author"
    assert tab.is_enabled("#undo")


def test_the_page_in_the_frame_is_not_changed_and_texts_are_those_of_the_regions(tab, workspace):
    click_region(tab, row_with(tab, "Ann Lee"))
    tab.keyboard.press("2")
    wait_version(tab, 1)
    shown = tab.evaluate(
        "document.getElementById('frame').contentDocument.documentElement.outerHTML"
    )
    plain = tab.evaluate(
        "html => new DOMParser().parseFromString(html, 'text/html').documentElement.outerHTML",
        workspace.source("page0"),
    )
    assert shown == plain
    texts = tab.evaluate("window.structce.view.texts()")
    page = workspace.page("page0").page
    assert [" ".join(text.split()) for text in texts] == list(page.text)
