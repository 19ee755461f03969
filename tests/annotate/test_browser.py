"""The labelling page from end to end, in a real Chromium."""

import subprocess
import sys

import pytest
from labelling_tab import click_region, label_of, point_at, row_with, wait_version

from structce.annotate.proposals import Proposer
from structce.annotate.session import Session
from structce.corpus.corpus import Corpus
from structce.corpus.storage import CorpusEditor
from structce.labels import NEWS

pytestmark = pytest.mark.browser


def labels_on_disk(workspace, name="page0"):
    pages = {page.id: page for page in Corpus.load(workspace.folder)}
    return pages[name].labels


def test_a_click_and_a_key_label_a_region(tab, workspace):
    author = row_with(tab, "Ann Lee")
    assert label_of(tab, author) == "None"
    point_at(tab, author)
    tab.keyboard.press("3")
    wait_version(tab, 1)
    assert labels_on_disk(workspace)[author] == "Date"
    click_region(tab, author)
    assert tab.get_attribute(f"#row-{author}", "aria-selected") == "true"
    tab.keyboard.press("2")
    wait_version(tab, 2)
    assert label_of(tab, author) == "Author"
    saved = labels_on_disk(workspace)
    assert saved[author] == "Author"
    assert set(saved) == {"Author", "?"}  # what is only proposed is not gold


def test_a_selection_is_extended_labelled_and_undone(tab, workspace):
    last = row_with(tab, "will not sail")
    first = last - 2
    click_region(tab, first)
    click_region(tab, last, keys=["Shift"])
    tab.keyboard.press("6")
    wait_version(tab, 1)
    assert labels_on_disk(workspace)[first : last + 1] == ("Caption",) * 3
    click_region(tab, 1)
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


def test_enter_accepts_the_page_and_opens_the_next(tab, workspace):
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


def test_the_page_in_the_frame_is_not_changed(tab, workspace):
    click_region(tab, row_with(tab, "Ann Lee"))
    tab.keyboard.press("2")
    wait_version(tab, 1)
    html = "documentElement.outerHTML"
    shown = tab.evaluate(f"document.getElementById('frame').contentDocument.{html}")
    parse = f"html => new DOMParser().parseFromString(html, 'text/html').{html}"
    assert shown == tab.evaluate(parse, workspace.source("page0"))
    texts = tab.evaluate("window.structce.view.texts()")
    page = workspace.page("page0").page
    assert [" ".join(text.split()) for text in texts] == list(page.text)


def test_right_clicks_give_the_next_likely_labels(tab, workspace):
    date = row_with(tab, "2026")
    state = tab.evaluate("window.structce.app.state")
    names = tab.evaluate("window.structce.app.setup.names")
    likely = [names[k] for k in state["others"][3 * date : 3 * date + 3]]
    assert label_of(tab, date) == "Date"
    for n, label in enumerate(likely, start=1):
        click_region(tab, date, button="right")
        wait_version(tab, n)
        assert labels_on_disk(workspace)[date] == label
    for n in range(len(likely) + 1, len(names) + 1):  # through all others, and back to the first
        tab.keyboard.press("x")
        wait_version(tab, n)
    assert labels_on_disk(workspace)[date] == "Date"
    tab.keyboard.press("u")
    wait_version(tab, len(names) + 1)
    assert labels_on_disk(workspace)[date] != "Date"


def test_ctrl_and_right_click_labels_similar_regions(tab, workspace):
    home, sport, town = (row_with(tab, word) for word in ("Home", "Sport", "Town"))
    names = tab.evaluate("window.structce.app.setup.names")
    likely = names[tab.evaluate("window.structce.app.state.others[0]")]
    click_region(tab, sport)
    tab.keyboard.press("9")
    wait_version(tab, 1)
    click_region(tab, home, keys=["Control"], button="right")
    wait_version(tab, 2)
    saved = labels_on_disk(workspace)
    assert [saved[i] for i in (home, sport, town)] == [likely, "None", likely]
    assert {*saved} == {likely, "None", "?"}


def test_a_middle_click_labels_the_surrounding_part(tab, workspace):
    home, sport, town = (row_with(tab, word) for word in ("Home", "Sport", "Town"))
    likely = tab.evaluate("window.structce.app.setup.names[window.structce.app.state.others[0]]")
    for n, button in enumerate(("middle", "key"), start=1):
        if button == "middle":
            click_region(tab, home, button="middle")
        else:
            point_at(tab, home)
            tab.keyboard.press("c")
        wait_version(tab, n)
        saved = labels_on_disk(workspace)
        assert len({saved[i] for i in (home, sport, town)}) == 1
        assert {*saved[town + 1 :]} == {"?"}
        if n == 1:
            assert saved[home] == likely
    assert saved[home] != likely


def test_a_dragged_box_selects_the_regions_it_touches(tab, workspace):
    nav = [row_with(tab, word) for word in ("Home", "Town")]
    places = [tab.evaluate("i => window.structce.view.screenPlace(i)", i) for i in nav]
    tab.mouse.move(places[0][0] - 12, places[0][1] - 8)
    tab.mouse.down()
    tab.mouse.move(places[1][0] + 8, places[1][1] + 6, steps=5)
    tab.mouse.up()
    tab.keyboard.press("8")
    wait_version(tab, 1)
    saved = labels_on_disk(workspace)
    assert [i for i, label in enumerate(saved) if label == "Advertisement"] == [*range(3)]


def test_a_correction_changes_what_is_proposed_elsewhere(workspace, open_tab, served, tag_proposer):
    with served(Session(workspace, type(tag_proposer)(margin=4.0))) as address:
        tab = open_tab(address, place="#%zz")  # a malformed place is the first page
        nav = [row_with(tab, word) for word in ("Home", "Sport", "Town")]
        for n, i in enumerate(nav[:2], start=1):
            assert label_of(tab, nav[2]) == "None"
            click_region(tab, i)
            tab.keyboard.press("8")
            wait_version(tab, n)
        assert tab.inner_text(f"#row-{nav[2]} .sure") != ""  # the third is not sure any more
        tab.keyboard.press("n")
        assert tab.get_attribute(f"#row-{nav[2]}", "aria-selected") == "true"


def test_all_commands_work_by_keyboard_alone(tab, workspace):
    for key in ("ArrowDown", *["ArrowUp"] * 3, "a"):  # from the title up to the menu
        tab.keyboard.press(key)
    tab.keyboard.press("8")
    wait_version(tab, 1)
    assert labels_on_disk(workspace)[:3] == ("Advertisement",) * 3
    tab.keyboard.press("Escape")
    for _ in range(4):
        tab.keyboard.press("ArrowDown")
    tab.keyboard.press("5")
    wait_version(tab, 2)
    tab.keyboard.press("Shift+Digit1")
    wait_version(tab, 3)
    at = workspace.page("page0").labels.index("Subtitle|Title")
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("d")
    wait_version(tab, 4)
    tab.keyboard.press("Enter")
    tab.wait_for_selector("body[data-ready=page1]")
    saved = labels_on_disk(workspace)
    assert (saved[at], saved[at + 1]) == ("Subtitle|Title", "?")
    assert "?" not in saved[at + 2 :]


def test_search_shows_and_visits_matching_regions(tab):
    tab.keyboard.press("/")
    tab.keyboard.type("harbour master")
    tab.keyboard.press("Enter")
    assert tab.locator(".row:not([hidden])").count() == 1
    assert tab.locator(".row[aria-selected=true]").inner_text().count("harbour master") == 1
    tab.keyboard.press("Escape")
    assert tab.locator(".row[hidden]").count() == 0


def test_two_annotators_share_only_the_first_pages(workspace, open_tab, served, tag_proposer):
    with served(Session(workspace, tag_proposer, n_same=1)) as address:
        ann, ben = open_tab(address), open_tab(address, "secret-of-ben")
        for tab in (ann, ben):
            assert tab.get_attribute("body", "data-ready") == "page0"
        click_region(ann, row_with(ann, "Ann Lee"))
        ann.keyboard.press("2")
        wait_version(ann, 1)
        assert label_of(ben, row_with(ben, "Ann Lee")) == "None"
        ann.keyboard.press("Enter")
        ann.wait_for_selector("body[data-ready=page1]")
        ben.keyboard.press("Enter")
        ben.wait_for_selector("body[data-ready=page2]")
        held = []
        ann.route("**/api/agreement", lambda route: held.append(route))
        with ann.expect_request("**/api/agreement"):
            ann.goto(f"{address}/agreement")
        ann.keyboard.press("ArrowDown")  # nothing is there yet
        held[0].continue_()
        ann.wait_for_selector("body[data-ready='1']")
        assert ann.locator(".difference[aria-selected=true]").count() == 1
        assert "Cohen" in ann.inner_text("#measures")
        assert "ann: Author" in " ".join(ann.inner_text("#differences").split())
        ann.keyboard.press("2")
        ann.wait_for_selector("body[data-ready='0']")
    i = workspace.page("page0").page.text.index("Ann Lee")
    assert labels_on_disk(workspace)[i] == "Author"


def test_a_second_window_shows_the_page_anew(workspace, open_tab, served, tag_proposer):
    with served(Session(workspace, tag_proposer)) as address:
        first, other = open_tab(address), open_tab(address)
        for tab, key in ((first, "2"), (other, "3")):
            click_region(tab, row_with(tab, "Ann Lee"))
            tab.keyboard.press(key)
        other.wait_for_selector("#toast.seen")
        assert "another window" in other.inner_text("#toast")
        place = f"#row-{row_with(other, 'Ann Lee')} .chip"
        other.locator(place, has_text="Author").wait_for()


def test_actions_without_a_connection_are_saved_later(tab, workspace):
    tab.context.set_offline(True)
    for words, key in (("Ann Lee", "2"), ("2026", "3")):
        click_region(tab, row_with(tab, words))
        tab.keyboard.press(key)
    tab.wait_for_selector("#banner:has-text('2 actions wait')")
    tab.context.set_offline(False)
    wait_version(tab, 2)
    assert tab.is_hidden("#banner")
    assert labels_on_disk(workspace)[row_with(tab, "Ann Lee")] == "Author"


HOSTILE = """<!doctype html><html><head><title><b>x</b></title>
<script>document.title = "ran"; parent.document.title = "ran"</script>
<meta http-equiv="refresh" content="0;url=/api/start"><base href="https://evil.example/">
<link rel=stylesheet href="/x.css"><style>@import url("https://evil.example/a.css");
* {{ visibility: visible }}</style></head><body onload="parent.ran = 1">
<h1>&lt;img src=x onerror="parent.ran = 2"&gt;</h1>
<p>Text <a href="javascript:parent.ran=3" target="_top">link</a> of it</p>
<img src="https://evil.example/a.png" onerror="parent.ran = 4">
<form action="https://evil.example/" method=post><input name=a autofocus onfocus="parent.ran=5">
<button>Send</button></form><iframe srcdoc="<script>top.ran = 6</script>in a frame"></iframe>
<svg onload="parent.ran = 7"><text>drawn</text></svg><p id="__proto__">constructor</p>
</body></html>"""


def test_a_hostile_page_runs_loads_and_sends_nothing(tab_of):
    tab = tab_of(HOSTILE)
    address = tab.url.partition("/#")[0]
    loaded = []
    tab.on("requestfinished", lambda request: loaded.append(request.url))
    click_region(tab, row_with(tab, "link"))
    tab.keyboard.press("4")
    wait_version(tab, 1)
    tab.reload()
    tab.wait_for_selector("body[data-ready=page0]")
    assert tab.evaluate("window.ran") is None
    assert "ran" not in tab.title()
    assert all(url.startswith((address, "data:", "about:")) for url in loaded)
    assert tab.evaluate("frame.contentDocument.location.pathname") == "/frame/page0"
    assert tab.locator("#list img").count() == 0  # texts are texts


def test_a_killed_server_loses_no_answered_action(new_workspace, open_tab):
    folder = new_workspace()
    command = [sys.executable, "-m", "structce", "annotate", str(folder), "--model", "none"]
    for n, key in enumerate(("2", "3"), start=1):
        server = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        try:
            link = server.stdout.readline().strip()
            tab = open_tab(*link.split("/?token="))
            click_region(tab, row_with(tab, "Ann Lee"))
            tab.keyboard.press(key)
            wait_version(tab, n)
        finally:
            server.kill()
            server.communicate()
    labels = {page.id: page.labels for page in Corpus.load(folder)}
    page = CorpusEditor(folder).page("page0").page
    assert labels["page0"][page.text.index("Ann Lee")] == "Date"


def test_shown_labels_are_accepted_after_a_model_change(workspace, open_tab, served, tag_proposer):
    session = Session(workspace, tag_proposer)
    with served(session) as address:
        tab = open_tab(address)
        assert label_of(tab, row_with(tab, "2026")) == "Date"
        session.proposer = Proposer(None, "knows nothing", NEWS)  # such as one trained meanwhile
        tab.keyboard.press("Enter")
        tab.wait_for_selector("body[data-ready=page1]")
    page = workspace.page("page0")
    assert page.labels[page.page.tag.index("time")] == "Date"
    assert workspace.annotation("page0", "ann").by == "tags"


def test_actions_wait_for_a_new_session(workspace, open_tab, served, tag_proposer):
    with served(Session(workspace, tag_proposer)) as address:
        tab = open_tab(address)
        cookies = tab.context.cookies()
        tab.context.clear_cookies()
        author = row_with(tab, "Ann Lee")
        click_region(tab, author)
        tab.keyboard.press("2")
        tab.wait_for_selector("#banner:has-text('sign in first')")
        tab.context.add_cookies(cookies)
        wait_version(tab, 1)
        assert tab.is_hidden("#banner")
    assert labels_on_disk(workspace)[author] == "Author"
