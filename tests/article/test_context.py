"""Context of articles on invented pages: access, next page, comments."""

import json
from pathlib import Path

import numpy as np
import pytest
from jsonschema import Draft202012Validator

import structce
from structce.article import evidence_of
from structce.article.context import next_page, page_step, read_access, read_comments
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
    is_body = [
        text in body if body else tag == "p" for text, tag in zip(page.text, page.tag, strict=True)
    ]
    labels = ["Paragraph" if is_inside else "None" for is_inside in is_body]
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
    access = read_access(
        evidence(make_page, f"<html lang=de>{TEXT}<div>Exklusiv für Abonnenten</div>")
    )
    assert access is not None
    assert (access.is_free, access.source) == (False, "region")
    assert access.reason == "Exklusiv für Abonnenten"


COMMENT = "<li class=comment><b class=author>{}</b> <span>{} May 2024</span><p>{}</p></li>"
SAID = ("I used it each day for ten years and will miss it.", "No bus goes there at night.")


def test_comments_have_name_day_and_text(make_page):
    rows = "".join(COMMENT.format(("tom", "eva")[i], i + 4, SAID[i]) for i in range(2))
    html = f"<article>{TEXT}</article><ol id=comments>{rows}</ol>"
    own = evidence(make_page, html, body=("none",))
    comments = read_comments(own, np.zeros(len(own.page), dtype=bool))
    assert [comment.text for comment in comments] == list(SAID)
    assert [comment.author.value for comment in comments] == ["tom", "eva"]
    assert [comment.date.value for comment in comments] == ["2024-05-04", "2024-05-05"]


def test_record_has_context_only_on_request():
    html = f'{TEXT}<a rel="next" href="/town/ferry-to-stop/2">2</a>'
    schema = json.loads((ROOT / "docs" / "article.schema.json").read_text("utf-8"))
    without = json.loads(structce.label(html, url=URL).to_json())
    asked = json.loads(structce.label(html, url=URL, context=True).to_json())
    assert "context" not in without
    assert asked["context"]["next_page"]["address"] == f"{URL}/2"
    Draft202012Validator(schema).validate(asked)
    Draft202012Validator(schema).validate(without)
