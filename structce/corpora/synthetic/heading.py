"""The head of an article: kicker, title, standfirst, byline and date.

A text node is Author if it contains the name of an author, and Date if it contains the date of
publication or update; labels beside them ("By", "Published", a post) are None.
"""

from __future__ import annotations

from datetime import datetime

from structce.corpora.synthetic.draft import Draft
from structce.corpora.synthetic.inline import hyphenated
from structce.corpora.synthetic.nodes import Content, Node, between, node


def kicker(draft: Draft) -> Content:
    """Return the section's name above the title."""
    if not draft.has("kicker"):
        return None
    return draft.node("kicker", "div", draft.link("crumb", draft.story.section))


def headline(draft: Draft) -> Node:
    """Return the title."""
    return titled(draft, draft.tag("title"))


def titled(draft: Draft, tag: str) -> Node:
    """Return the title in a given element; at times a part of it is stressed or set apart."""
    text = hyphenated(draft, draft.story.headline)
    pieces = draft.site.language.pieces(text)
    shown: Content = text
    if draft.site.pick("split-title", 8) == 0 and len(pieces) > 4:
        shown = [node("span", "".join(pieces[:3])), "".join(pieces[3:])]
    return draft.node("headline", tag, shown, gold="Title")


def standfirst(draft: Draft) -> Content:
    """Return the summary under the title."""
    if not draft.has("standfirst"):
        return None
    text = hyphenated(draft, draft.story.standfirst)
    return draft.node("standfirst", draft.tag("standfirst"), text, gold="Subtitle")


def byline(draft: Draft) -> Content:
    """Return the authors, in the site's way; nothing on a page that names none."""
    if not draft.shows("authors"):
        return None
    habit = draft.site.habits["byline"]
    tag = draft.tag("byline")
    if habit == "one-text":
        authors = f" {draft.word('and')} ".join(draft.story.authors)
        text = draft.say("signed", by=draft.word("by"), names=authors)
        return draft.node("byline", tag, text, gold="Author")
    if habit == "stacked":
        return draft.node("byline", "div", [_stacked(draft, name) for name in draft.story.authors])
    if habit == "credited":
        return draft.node("byline", tag, _credited(draft))
    intro = {"by-link": "by", "posted": "posted_by"}.get(habit)
    return draft.node(
        "byline", tag, f"{draft.word(intro)} " if intro else None, names(draft), _post(draft)
    )


def _credited(draft: Draft) -> list[Content]:
    """Return every author with what he or she did, in text nodes of their own."""
    credits = ("text_by", "photos_by", "research_by")
    return between(
        ", ",
        [
            [_name(draft, name), " ", draft.node("author-role", "small", f"({draft.word(credit)})")]
            for name, credit in zip(draft.story.authors, credits, strict=False)
        ],
    )


def names(draft: Draft) -> Content:
    """Return the authors' names, each an element of its own."""
    return between(f" {draft.word('and')} ", [_name(draft, name) for name in draft.story.authors])


def _name(draft: Draft, name: str) -> Node:
    if draft.site.habits["byline"] in ("by-link", "posted"):
        return draft.link("author", name, gold="Author")
    return draft.node("author", "span", name, gold="Author")


def _post(draft: Draft) -> Content:
    """Return what the author is, for the sites that tell."""
    if draft.site.habits["byline"] != "with-role":
        return None
    return [", ", draft.node("author-role", "em", draft.say("jobs"))]


def _stacked(draft: Draft, name: str) -> list[Content]:
    return [
        draft.image("avatar", 36, 36, alt=name),
        draft.node("author", "strong", name, gold="Author"),
        " ",
        draft.node("author-role", "span", draft.say("jobs")),
    ]


def dates(draft: Draft) -> Content:
    """Return the date of publication, and that of the update or its age where the site does."""
    if not draft.shows("date"):
        return None
    habit = draft.site.habits["date"]
    published = draft.story.published
    if habit == "labelled":
        label = draft.node("date-label", "span", draft.word("published"))
        return [label, " ", moment(draft, "date", published)]
    if habit == "in-one":
        return moment(draft, "date", published, f"{draft.word('published')} ")
    if habit == "updated":
        updated = moment(draft, "date", draft.story.updated, f"{draft.word('updated')} ")
        return [moment(draft, "date", published), " ", updated]
    if habit == "relative":
        age = draft.node("date", "span", draft.say("ages"), gold="Date")
        return [age, " · ", moment(draft, "date", published)]
    return moment(draft, "date", published)


def moment(draft: Draft, role: str, when: datetime, intro: str = "") -> Node:
    """Return the article's date, after an introduction in the same text."""
    tag = draft.tag("date")
    attributes = {"datetime": when.isoformat()} if tag == "time" else None
    text = draft.date("article", when)
    shown: Content = intro + text
    if draft.site.habits["date"] == "split":
        shown = between(" ", [node("span", part) for part in (intro + text).split(" ") if part])
    return draft.node(role, tag, shown, gold="Date", attributes=attributes)


def small_date(draft: Draft, role: str, when: datetime) -> Node:
    """Return the date of something else: a teaser, a comment."""
    tag = draft.tag("small-date")
    attributes = {"datetime": when.date().isoformat()} if tag == "time" else None
    recent = draft.rng.random() < 0.3
    text = draft.say("ages") if recent else draft.date("small", when)
    return draft.node(role, tag, text, attributes=attributes)


def meta(draft: Draft) -> Node:
    """Return the line of byline, date and reading time."""
    parts: list[Content] = [byline(draft), " ", dates(draft)]
    if draft.site.pick("meta", 3) == 0:
        parts = [dates(draft), " ", byline(draft)]
    if draft.has("reading-time"):
        parts += [" ", draft.node("reading-time", "span", draft.word("reading_time"))]
    return draft.node("meta", "div", parts)


def head(draft: Draft, lead: Content) -> list[Content]:
    """Return the article's head with its lead picture, in the site's order."""
    title, summary, line = headline(draft), standfirst(draft), meta(draft)
    orders: dict[str, list[Content]] = {
        "classic": [kicker(draft), title, summary, line, lead],
        "date-first": [line, kicker(draft), title, summary, lead],
        "lead-first": [lead, kicker(draft), title, line, summary],
        "meta-last": [kicker(draft), title, summary, lead, line],
        "lead-under": [kicker(draft), title, lead, summary, line],
    }
    return orders[draft.site.habits["order"]]
