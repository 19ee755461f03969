"""The overlay page: boxes, reasons, filters and what it keeps out."""

import base64
import dataclasses
import hashlib
import struct
import zlib

import lxml.html
import numpy as np
import pytest

from structce.article import Article, Reading, read_labelling
from structce.errors import RenderError
from structce.labelling import Labelling, RegionLabeller
from structce.labels import NEWS
from structce.rendering.chromium.discovery import find_browser
from structce.visualisation import overlay
from structce.visualisation.overlay import OverlayLink, overlay_index, overlay_page

HOSTILE = "</script><img src=x onerror=alert(1)>\" onfocus='alert(2)' {{ 7 * 6 }}"


def png(width=400, height=800):
    """Return a grey picture."""

    def chunk(name, data):
        return (
            struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress(bytes([0, *[200] * width]) * height)
    parts = (chunk(b"IHDR", head), chunk(b"IDAT", rows), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def with_boxes(page):
    """Return a page whose regions stand below one another, 100 pixels wide and 10 high."""
    boxes = [(20, 20 * i, 100, 10) for i in range(len(page))]
    return dataclasses.replace(page, boxes=np.array(boxes, dtype=np.float32))


@pytest.fixture(name="labelling", scope="module")
def a_labelling(make_page, article_html):
    page = make_page(article_html())
    return RegionLabeller.load("news-static").label(with_boxes(page))


def unexplained(page, labels):
    """Return labels that no labeller gave."""
    return Labelling(page, labels, np.ones(len(page)), NEWS)


def alone(labelling):
    """Return a reading without an article."""
    return Reading(Article(""), labelling, labelling)


def written(reading, source="page.html"):
    """Return the parsed page of a reading, or of labels alone."""
    reading = alone(reading) if isinstance(reading, Labelling) else reading
    return lxml.html.fromstring(overlay_page(reading, png(), source=source))


def find(root, *steps):
    """Return the descendants with a tag (``h1``) or class (``.box``), those in others in turn."""
    elements = [root]
    for step in steps:
        is_in = f"[contains(concat(' ', @class, ' '), ' {step[1:]} ')]"
        path = f".//*{is_in}" if step.startswith(".") else f".//{step}"
        elements = [element for parent in elements for element in parent.xpath(path)]
    return elements


def test_each_labelled_region_has_an_explanation(labelling):
    root = written(labelling)
    (title,) = (i for i, name in enumerate(labelling.labels) if name == "Title")
    explanation = labelling.explain(title, n_columns=overlay.N_COLUMNS)
    (told,) = (
        reason for reason in find(root, ".reason") if reason.get("data-region") == str(title)
    )
    text = told.text_content()
    assert "Ferry to stop in June, part 0" in text
    assert f"over {explanation.runner_up}" in text
    assert explanation.sentence in text
    assert labelling.page.xpath[title] in text
    first = find(told, "th[@scope='row']")[0].get("title")
    assert first == max(explanation.columns, key=lambda share: share.difference).name


def test_regions_are_listed_in_the_order_of_the_page(labelling):
    root = written(labelling)
    numbers = [int(item.get("data-region")) for item in find(root, ".item")]
    assert numbers == list(range(len(labelling.page)))
    hidden = [item.get("data-label") for item in find(root, ".item") if "hidden" in item.attrib]
    assert set(hidden) == {"None"}
    assert len(hidden) == labelling.labels.count("None")


def test_boxes_are_in_per_cent_of_the_picture(labelling):
    box = find(written(labelling), ".box")[2]
    style = box.get("style")
    assert "left: 5.0%; top: 5.0%; width: 25.0%; height: 1.25%" in style


def test_regions_outside_the_picture_are_only_listed(make_page):
    page = make_page("<p>in</p><p>no area</p><p>below</p><p>left out</p><p>half</p>")
    boxes = [(0, 0, 9, 9), (0, 0, 0, 9), (0, 900, 9, 9), [float("nan")] * 4, (395, 5, 10, 10)]
    page = dataclasses.replace(page, boxes=np.array(boxes, dtype=np.float32))
    root = written(unexplained(page, ("Title",) * 5))
    assert [box.get("data-region") for box in find(root, ".box")] == ["0", "4"]
    assert "width: 1.25%" in find(root, ".box")[1].get("style"), "it ends at the edge"
    assert len(find(root, ".item")) == 5
    assert "not in the picture" in find(root, ".item")[1].text_content()


def test_a_large_page_notes_what_is_left_out(labelling, monkeypatch):
    monkeypatch.setattr(overlay, "MAX_EXPLAINED", 2 * len(labelling.page))
    monkeypatch.setattr(overlay, "MAX_BACKGROUND", 1)
    root = written(labelling)
    assert len(find(root, ".reason", "table")) == 2
    listed = [item.get("data-label") for item in find(root, ".item")]
    assert listed.count("None") == 1
    assert len(listed) == 1 + sum(name != "None" for name in labelling.labels)
    notes = " ".join(note.text_content() for note in find(root, ".note"))
    assert "first 2 regions are explained" in notes
    assert "first 1 regions of the background" in notes


def test_nothing_from_the_page_becomes_markup(make_page):
    escaped = HOSTILE.replace("<", "&lt;").replace('"', "&quot;")
    page = make_page(
        f'<title>{escaped}</title><h1 class="x">{escaped}</h1><img src="a.png" alt="{escaped}">'
    )
    labelling = unexplained(with_boxes(page), ("Title", "Multimedia"))
    root = written(labelling, HOSTILE)
    assert len(find(root, "script")) == 1
    assert [image.get("src")[:22] for image in find(root, "img")] == ["data:image/png;base64,"]
    attributes = {name for element in root.iter(lxml.etree.Element) for name in element.attrib}
    assert not [name for name in attributes if name.startswith("on")]
    assert find(root, "h1")[0].text == HOSTILE.replace("\n", " ")
    assert HOSTILE in find(root, ".reason", "blockquote")[0].text_content()


def test_the_policy_allows_only_this_script_and_data_images(labelling):
    root = written(labelling)
    policy = find(root, "meta[@http-equiv='Content-Security-Policy']")[0].get("content")
    script = find(root, "script")[0].text
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert policy.startswith("default-src 'none'; img-src data:;")
    assert f"script-src 'sha256-{digest}'" in policy
    assert not [name for name in ("link", "iframe", "a", "form", "object") if find(root, name)]


def test_values_are_shown_with_confidence_and_source(labelling):
    reading = read_labelling(labelling)
    article, tree = reading.article, written(reading)
    values = [button.text_content().strip() for button in tree.xpath("//*[@id='fields']//button")]
    values_read = (article.title, *article.authors, article.date)
    assert len(values) == len(
        [value for value in values_read if value and value.region is not None]
    )
    assert values[0] == article.title.value
    assert "% sure, seen on the page" in tree.get_element_by_id("fields").text_content()
    assert not written(labelling).xpath("//*[@id='fields']")


def test_a_changed_label_is_explained_by_the_labeller(labelling):
    at = labelling.labels.index("Paragraph")
    labels = (*labelling.labels[:at], "Advertisement", *labelling.labels[at + 1 :])
    answer = dataclasses.replace(labelling, labels=labels)
    tree = written(Reading(Article(""), answer, labelling))
    (reason,) = tree.xpath(f"//article[@data-region='{at}']")
    assert reason.xpath("string(h2/b)") == "Advertisement"
    assert "labeller: Paragraph" in reason.text_content()
    assert "The answer has Advertisement here" in reason.text_content()
    others = tree.xpath(f"//article[@class='reason'][@data-region!='{at}']")
    assert not any("The answer has" in other.text_content() for other in others)


def test_the_index_links_the_pages_of_a_folder():
    links = [
        OverlayLink("a.html", HOSTILE, "00000-a.html", (("Title", 1), ("Date", 2))),
        OverlayLink("b.html", "", "", error="no picture: too large"),
    ]
    tree = lxml.html.fromstring(overlay_index(links))
    assert tree.xpath("//a/@href") == ["00000-a.html"]
    assert [element.text for element in tree.xpath("//*[@class='label']")] == ["Title 1", "Date 2"]
    assert "too large" in tree.text_content()
    assert not tree.xpath("//img | //script")


def test_a_picture_other_than_png_is_an_error(labelling):
    with pytest.raises(RenderError, match=r"page\.html: expected a PNG picture"):
        overlay_page(alone(labelling), b"GIF89a", source="page.html")


@pytest.fixture(name="tab", scope="module")
def an_open_page(labelling, tmp_path_factory):
    """A tab that shows the page from a file; what the browser says of errors is in `said`."""
    browser = find_browser(None)
    if browser is None:
        pytest.skip("no Chromium, Chrome or Edge is installed")
    playwright = pytest.importorskip("playwright.sync_api")
    path = tmp_path_factory.mktemp("overlay") / "page.html"
    html = overlay_page(read_labelling(labelling), png(), source=HOSTILE)
    path.write_text(html, "utf-8")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=str(browser.path), chromium_sandbox=False)
        tab = opened.new_page(viewport={"width": 1440, "height": 900})
        said = []
        tab.on("console", lambda message: said.append(message.text))
        tab.on("pageerror", lambda error: said.append(str(error)))
        tab.on("dialog", lambda dialog: said.append(dialog.message))
        tab.goto(path.as_uri())
        yield tab
        assert not said
        opened.close()


def shown(tab):
    """Return the regions whose reasons are to be seen."""
    reasons = tab.locator(".reason:visible")
    return [reasons.nth(i).get_attribute("data-region") for i in range(reasons.count())]


@pytest.mark.browser
def test_a_region_is_explained_on_hover_and_can_be_pinned(tab):
    tab.reload()
    title, date = (tab.locator(f".box[data-label={name}]").first for name in ("Title", "Date"))
    assert shown(tab) == []
    title.hover()
    assert shown(tab) == [title.get_attribute("data-region")]
    title.focus()
    tab.keyboard.press("Enter")
    date.hover()
    assert shown(tab) == [title.get_attribute("data-region")]
    tab.keyboard.press("Escape")
    tab.mouse.move(0, 0)
    date.hover()
    assert shown(tab) == [date.get_attribute("data-region")]


@pytest.mark.browser
def test_keys_lead_through_the_labelled_regions(tab, labelling):
    tab.reload()
    labelled = [str(i) for i, name in enumerate(labelling.labels) if name != "None"]
    tab.locator(".box:visible").first.focus()
    assert shown(tab) == labelled[:1]
    tab.keyboard.press("Tab")
    assert shown(tab) == labelled[1:2]
    tab.keyboard.press("ArrowDown")
    assert shown(tab) == labelled[2:3]


@pytest.mark.browser
def test_labels_are_filtered_and_the_background_is_switched_on(tab):
    tab.reload()
    paragraphs = tab.locator(".box[data-label=Paragraph]:visible")
    assert paragraphs.count() > 0
    tab.locator("#labels label", has_text="Paragraph").click()
    assert paragraphs.count() == 0
    background = tab.locator(".box.of-background:visible")
    assert background.count() == 0
    tab.locator("#background").check()
    assert background.count() > 0
