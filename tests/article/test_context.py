"""Context of articles on invented pages: access, next page, comments, items."""

import json
from pathlib import Path

import numpy as np
import pytest
from jsonschema import Draft202012Validator

import structce
from structce.article import evidence_of, follow_pages, join_pages
from structce.article.context import next_page, page_step, read_access, read_comments, read_items
from structce.errors import SourceError
from structce.labelling import Labelling
from structce.labels import NEWS

ROOT = Path(__file__).resolve().parents[2]
URL = "https://post.example/town/ferry-to-stop"
TEXT = (
    "<p>The river rose in the night, and by the morning it stood in the fields.</p>"
    "<p>The ferry will stop in June, the town said on Monday, after forty years.</p>"
)


def evidence(make_page, html, url=URL, body=()):
    """Evidence in which the given texts, or all paragraphs, are the body."""
    page = make_page(html, url=url)
    labels = ["Paragraph" if tag == "p" and not body else "None" for tag in page.tag]
    labels = [
        "Paragraph" if text in body else label
        for text, label in zip(page.text, labels, strict=True)
    ]
    return evidence_of(Labelling(page, tuple(labels), np.ones(len(page)), NEWS))


@pytest.mark.parametrize(
    ("own", "other", "number"),
    [
        ("/ferry", "/ferry?page=2", 2),
        ("/ferry", "/ferry?page=1", 2),  # counted from 0
        ("/ferry?page=3", "/ferry?page=4", 4),
        ("/ferry?page=4", "/ferry?page=3", None),
        ("/ferry?page=3", "/ferry?page=9", None),
        ("/ferry?id=3", "/ferry?id=4", None),
        ("/topic?t=7", "/topic?t=7&start=20", 2),
        ("/topic?t=7&start=20", "/topic?t=7&start=40", 2),
        ("/topic?t=7", "/topic?t=8&start=20", None),
        ("/ferry", "/ferry/2/", 2),
        ("/ferry", "/ferry/page/2", 2),
        ("/ferry", "/ferry/seite-2", 2),
        ("/ferry/2/", "/ferry/3/", 3),
        ("/ferry.html", "/ferry-2.html", 2),
        ("/ferry,4.html", "/ferry,5.html", 5),
        ("/thread-84-87.html", "/thread-84-87-2.html", 2),
        ("/index.php?/topic/7-ferry/", "/index.php?/topic/7-ferry/page/2/", 2),
        ("/ferry?utm_source=a", "/ferry?page=2", 2),
        ("/2024/05/", "/2024/06/", None),
        ("/2024", "/2024/2", None),
        ("/story/1207", "/story/1208", None),
        ("/ferry", "/bridge/2", None),
        ("/ferry1", "/ferry12", None),
    ],
)
def test_the_address_of_the_next_page_counts_on(own, other, number):
    site = "https://post.example"
    assert page_step(site + own, site + other) == number


@pytest.mark.parametrize(
    ("link", "reason"),
    [
        ('<a rel="next" href="{}/2">on</a>', "rel"),
        ('<a href="{}/2">Next page »</a>', "words"),
        ('<a href="{}/2">Nächste Seite</a>', "words"),
        ('<a href="{}/2" class="pager-next"><i>on</i></a>', "words"),
        ('<a href="{}/2">›</a>', "words"),
        ('<a href="{}/2">2</a>', "number"),
    ],
)
def test_links_to_the_next_page_say_why(make_page, link, reason):
    link_forward = next_page(evidence(make_page, f"{TEXT}<div>{link.format(URL)}</div>"))
    assert link_forward is not None
    assert (link_forward.address, link_forward.reason) == (f"{URL}/2", reason)
    assert link_forward.xpath.startswith("/html")


@pytest.mark.parametrize(
    "link",
    [
        '<a rel="next" href="/town/bridge-opens">Next: a bridge opens</a>',
        '<a href="/town/ferry-to-stop-2">Next</a>',  # another story with the same title
        '<a href="{}/2">Letters to the editor, from A to Z</a>',
        '<a href="https://ads.example/town/ferry-to-stop/2">Next</a>',
    ],
)
def test_other_links_are_no_next_page(make_page, link):
    assert next_page(evidence(make_page, f"{TEXT}<div>{link.format(URL)}</div>")) is None


@pytest.mark.parametrize(
    ("head", "is_free", "source"),
    [
        ('<script type="application/ld+json">{"@type": "NewsArticle", '
         '"isAccessibleForFree": false}</script>', False, "json-ld"),
        ('<script type="application/ld+json">{"@type": "NewsArticle", '
         '"isAccessibleForFree": "True"}</script>', True, "json-ld"),
        ('<meta property="article:content_tier" content="locked">', False, "meta"),
        ('<meta property="article:content_tier" content="free">', True, "meta"),
    ],
)  # fmt: skip
def test_access_is_what_a_page_states(make_page, head, is_free, source):
    barrier = "<p class=paywall>Subscribe to continue reading</p>"
    access = read_access(evidence(make_page, f"<head>{head}</head>{TEXT}{barrier}"))
    assert access is not None
    assert (access.is_free, access.source) == (is_free, source)


def test_subscription_notice_means_not_free(make_page):
    html = f"<html lang=de>{TEXT}<div>Exklusiv für Abonnenten</div>"
    access = read_access(evidence(make_page, html))
    assert access is not None
    assert not access.is_free
    assert access.reason == "Exklusiv für Abonnenten"
    assert access.source == "region"


COMMENT = "<li class=comment><b class=author>{}</b> <span>{} May 2024</span><p>{}</p></li>"
SAID = ("I used it each day for ten years and will miss it.", "No bus goes there at night.")


@pytest.mark.parametrize("n", [1, 2])
def test_comments_have_name_day_and_text(make_page, n):
    rows = "".join(COMMENT.format(("tom", "eva")[i], i + 4, SAID[i]) for i in range(n))
    html = f"<article>{TEXT}</article><ol id=comments>{rows}</ol>"
    own = evidence(make_page, html, body=("none",))
    comments = read_comments(own, np.zeros(len(own.page), dtype=bool))
    assert [comment.text for comment in comments] == list(SAID[:n])
    assert [comment.author.value for comment in comments] == ["tom", "eva"][:n]
    assert [comment.date.value for comment in comments] == ["2024-05-04", "2024-05-05"][:n]


CARD = (
    '<div class=card><h2><a href="/town/{n}">A story about the river, number {n}</a></h2>'
    "<span>{n} May 2024</span><p>{text}</p></div>"
)


def test_items_of_a_listing_have_title_address_day_and_teaser(make_page):
    text = "The water stood in the fields for nine days, and nobody knew why it stayed."
    menu = "".join(f"<li><a href=/m{n}>A part of this site {n}</a></li>" for n in range(9))
    cards = "".join(CARD.format(n=n, text=text) for n in range(1, 5))
    html = f"<nav><ul>{menu}</ul></nav><main>{cards}</main>"
    items = read_items(evidence(make_page, html, body=("none",)))
    assert [item.title for item in items] == [
        f"A story about the river, number {n}" for n in range(1, 5)
    ]
    assert items[0].address == "https://post.example/town/1"
    assert items[2].date == "2024-05-03"
    assert items[3].teaser == text


def story(n, text, following=""):
    link = f'<a rel=next href="{following}">{n + 1}</a>' if following else ""
    head = "<p>The standfirst that every page of this story repeats at its top.</p>"
    html = f"<html lang=en><h1>Ferry to stop</h1>{head}<p>{text}</p><div>{link}</div>"
    return structce.label(html, url=f"{URL}/{n}" if n > 1 else URL, context=True)


PAGES = {
    URL: (1, "The river rose in the night, and in the morning it stood in the fields.", f"{URL}/2"),
    f"{URL}/2": (2, "The ferry will stop in June, the town said on Monday evening.", f"{URL}/3"),
    f"{URL}/3": (3, "The bridge will not be ready before the autumn of next year.", ""),
}


def test_a_story_is_followed_over_its_pages():
    whole = follow_pages(story(*PAGES[URL]), lambda address: story(*PAGES[address]))
    assert whole.further_pages == (f"{URL}/2", f"{URL}/3")
    for _, text, _ in PAGES.values():
        assert whole.text.count(text) == 1
    assert whole.text.count("standfirst") == 1
    assert whole.title.value == "Ferry to stop"


def test_a_story_ends_at_its_bound_and_never_goes_round():
    first = story(*PAGES[URL])
    assert follow_pages(first, lambda a: story(*PAGES[a]), most=2).further_pages == (f"{URL}/2",)
    assert follow_pages(first, lambda _: first).further_pages == (URL,)


def test_a_page_that_cannot_be_read_keeps_what_was_read(caplog):
    def fail(address):
        raise SourceError(f"{address}: 404")

    assert follow_pages(story(*PAGES[URL]), fail).further_pages == ()
    assert "404" in caplog.text


def test_blocks_of_later_pages_have_no_place():
    first, second = (story(*PAGES[address]) for address in (URL, f"{URL}/2"))
    whole = join_pages([first, second])
    assert whole.blocks[0].regions
    assert not any(block.regions or block.xpath for block in whole.blocks[len(first.blocks) :])
    with pytest.raises(ValueError, match="at least one"):
        join_pages([])


def test_record_has_context_only_on_request():
    html = f'{TEXT}<a rel="next" href="/town/ferry-to-stop/2">2</a>'
    schema = json.loads((ROOT / "docs" / "article.schema.json").read_text("utf-8"))
    without = json.loads(structce.label(html, url=URL).to_json())
    asked = json.loads(structce.label(html, url=URL, context=True).to_json())
    assert "context" not in without
    assert asked["context"]["next_page"]["address"] == f"{URL}/2"
    Draft202012Validator(schema).validate(asked)
    Draft202012Validator(schema).validate(without)
