"""Verdicts on pages: kinds, reasons, risks."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

import structce
from structce.article import (
    Article,
    Verdict,
    article_record,
    article_row,
    formats,
    read_article,
    risk_table,
)
from structce.article.quality import risk_of
from structce.article.tuned import patterns
from structce.labelling import ArticleTrees, RegionLabeller

PAGE = "<html lang=en><head><title>{}</title></head><body>{}</body></html>"
STORY = "".join(
    f"<p>{text}</p>"
    for text in (
        "The ferry between the two towns will stop in June, the company said on Monday. Nobody "
        "could say how long the works would take, or who would pay for them in the end.",
        "The mayor promised a letter, and the harbour master promised to read it. A second boat is "
        "to be hired from a neighbouring county, if one can be found before the holidays.",
        "Fishermen who sell their catch across the water fear for the summer, when half of the "
        "year's trade is done, and have asked the county council to lend them its old launch.",
        "The last time the boat was out of service, in the winter of the great ice, people walked "
        "to the other side, and a baker drove his van over with bread for the whole island.",
    )
)
ABOUT_ERRORS = "Page not found: why the net forgets"
PAGES = {
    "an article": ("Ferry to stop", f"<article><h1>Ferry to stop</h1>{STORY}</article>", "read"),
    "an article about an error": (
        ABOUT_ERRORS, f"<article><h1>{ABOUT_ERRORS}</h1>{STORY}</article>", "read"),
    "Apache": (
        "404 Not Found", "<h1>Not Found</h1><p>The requested URL was not found on this server.</p>",
        "error page"),
    "a broken address in French": (
        "Harbour Post", "<h1>Oups !</h1><p>La page que vous cherchez n’existe plus.</p>",
        "error page"),
    "robots": (
        "Just a moment...", "<h1>Checking your browser before access to a.example.</h1>", "wall"),
    "consent": (
        "Harbour Post",
        "<h1>Before you continue</h1><p>We use cookies to deliver our services.</p>", "wall"),
    "log-in": ("Log in | Harbour Post", "<h1>Log in</h1><label>Email</label>", "wall"),
    "a subscription": (
        "Ferry to stop",
        "<h1>Ferry to stop</h1><p>The ferry will stop.</p><p>Subscribe to continue reading</p>",
        "wall"),
    "a teaser": (
        "Ferry to stop", f"<article><h1>Ferry to stop</h1>{STORY}"
        "<div class=paywall>Subscribe to continue reading</div></article>", "partial"),
    "an application": ("", "<div id=root></div><script>draw()</script>", "shell"),
    "a demand for scripts": (
        "", "<p>You need to enable JavaScript to run this app.</p><script>draw()</script>",
        "shell"),
    "a log-in for comments": (
        "Harbour", "<h1>Harbour</h1><p>Fog until noon.</p><p>Please sign in to comment.</p>"
        "<p>Please enable JavaScript to view the <a href=/d>comments powered by Disqus.</a></p>",
        "partial"),
    "a feed": (
        "", "<rss><channel><item><description>Ferry</description></item></channel></rss>",
        "not a document"),
    "files": (
        "Index of /files", "<h1>Index of /files</h1><a href=a.zip>a.zip</a>", "not a document"),
    "JSON": ("", '<pre>{"id": 1, "name": "ferry", "stops": [1, 2]}</pre>', "not a document"),
    "a picture": ("quay.jpg", "<img src=quay.jpg width=900 height=600>", "not a document"),
    "words of a menu": ("Harbour", "<p>Home</p><p>Sport and weather</p>", "partial"),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::structce.EmptyPageWarning")
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_judged_by_what_stands_on_it(name):
    title, body, kind = PAGES[name]
    verdict = structce.label(PAGE.format(title, body)).verdict
    assert verdict is not None
    assert verdict.kind == kind, verdict
    assert verdict.reason
    assert (verdict.risk is not None) <= (kind == "read")


def test_a_shell_is_warned_of_with_the_evidence():
    with pytest.warns(structce.EmptyPageWarning, match=r"enable javascript.*--scripts"):
        structce.label(PAGE.format("", "<p>Please enable JavaScript.</p><script>draw()</script>"))


def test_a_model_without_trees_gives_a_verdict_without_a_risk(labeller, make_page):
    page = make_page(PAGE.format("Ferry to stop", f"<h1>Ferry to stop</h1>{STORY}"))
    verdict = read_article(replace(labeller, trees=ArticleTrees()).label(page)).verdict
    assert verdict.kind in ("read", "partial")
    assert verdict.risk is None


def test_record_row_and_front_matter_have_the_verdict():
    article = Article("", text="Ferry", verdict=Verdict("partial", "parts may be missing"))
    values = {"kind": "partial", "reason": "parts may be missing", "risk": None}
    assert article_record(article)["verdict"] == values
    assert article_row(article)["verdict"] == "partial"
    front_matter = 'verdict: "partial"\nverdict_reason: "parts may be missing"\n'
    assert front_matter in formats.to_markdown(article)
    assert "verdict" not in formats.to_markdown(Article("", verdict=Verdict("read", "well", 0.05)))
    assert article_record(Article(""))["verdict"] is None


def test_the_least_risk_at_which_a_page_is_kept_depends_on_its_kind():
    table = {"article": {"0.05": 0.8, "0.1": 0.5}, "other": {"0.1": 0.9}}
    assert [risk_of(quality, "article", table) for quality in (0.8, 0.6, 0.4, None)] == [
        0.05, 0.1, None, None,
    ]  # fmt: skip
    assert [risk_of(quality, "forum", table) for quality in (0.95, 0.8)] == [0.1, None]


def test_a_model_has_the_table_of_its_card_or_of_the_package():
    table = {"article": {"0.1": 0.5}}
    assert risk_table({"risk": table}) == table
    assert risk_table({"corpus_digest": "of another corpus"}) == {}
    for name in ("news-static", "news-chromium"):
        shipped = risk_table(RegionLabeller.load(name).card)
        bounds = [*shipped["article"].values()]
        assert bounds == sorted(bounds, reverse=True)
        assert "0.05" in shipped["article"]


def written(items: Iterable[tuple[object, Any]]) -> Iterator[str]:
    """Yield all texts that a parsed pattern matches, with a line feed for what varies."""
    choices = []
    for operation, argument in items:
        name = str(operation)
        if name == "LITERAL":
            choices.append([chr(argument)])
        elif name == "BRANCH":
            choices.append([text for branch in argument[1] for text in written(branch)])
        elif name == "SUBPATTERN":
            choices.append([*written(argument[3])])
        elif name in ("AT", "ASSERT", "ASSERT_NOT"):
            choices.append([""])
        elif name == "IN" and {str(kind) for kind, _ in argument} == {"LITERAL"}:
            choices.append([chr(point) for _, point in argument])
        elif name == "IN" and [str(kind) for kind, _ in argument] == ["RANGE"]:
            ((_, (first, last)),) = argument
            choices.append([chr(point) for point in range(first, last + 1)])
        else:
            choices.append(["\n"])
    return map("".join, product(*choices))


@pytest.mark.parametrize("name", patterns("title-hint"))
def test_every_message_in_a_title_has_a_hint(name):
    hints = patterns("title-hint")[name].split()
    for pattern in patterns(name).values():
        texts = {*written(re._parser.parse(pattern))}
        assert not [text for text in texts if not any(hint in text for hint in hints)]
