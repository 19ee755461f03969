"""Pages that show a part only: one of several pages, the lines before a paywall."""

from __future__ import annotations

from structce.corpora.synthetic import ads, body, frames, heading, media, parts, reactions, teasers
from structce.corpora.synthetic.draft import Draft
from structce.corpora.synthetic.nodes import Content, Node, node
from structce.corpora.synthetic.registry import family


@family("multi-page")
def second_page(draft: Draft) -> Content:
    """A later page of an article: the title again, no summary, links to the others twice."""
    here, n = draft.rng.randint(2, 4), 5
    options = [node("option", f"{i + 1}. {text}") for i, text in enumerate(draft.story.headings)]
    choice = node("form", node("label", draft.word("page")), node("select", options))
    note = draft.node("counter", "span", f"{draft.word('page')} {here}/{n}")
    top = node(
        "div", heading.titled(draft, "h1"), note, heading.byline(draft), heading.dates(draft)
    )
    text = node(
        "div",
        parts.subtitle(draft, draft.story.headings[here - 1], "h3"),
        body.paragraphs(draft, draft.story.paragraphs[:5]),
    )
    whole = node("p", draft.link("text-link", draft.word("whole")))
    turn = parts.pager(draft, here, n)
    flow = [choice, turn, media.lead_figure(draft), text, turn, whole]
    return frames.hub(
        draft,
        node("article", top, flow),
        ads.banner(draft),
        teasers.more_from(draft),
        teasers.related(draft, 3),
    )


@family("multi-page")
def slide_by_slide(draft: Draft) -> Content:
    """One picture a page: a click-through list, with advertisements on both sides."""
    n = draft.rng.randint(8, 25)
    here = draft.rng.randint(2, n - 1)
    next_ = draft.link("button", draft.word("next"), " →")
    frame = node(
        "figure",
        draft.image("image", 720, 480, gold="Multimedia"),
        node("figcaption", media.caption(draft, "span", draft.story.captions[0])),
    )
    name = draft.node("section-heading", "h2", draft.story.headings[0], gold="Subtitle")
    line = node("div", node("b", f"{here} / {n}"), draft.link("button", "←"), next_)
    text = node("div", parts.texts(draft, 0, 2))
    top = node("header", heading.titled(draft, "h4"), heading.meta(draft))
    sides = [node("aside", ads.frame(draft, 160, 600)) for _ in range(2)]
    three = draft.node(
        "three", "div", sides[0], node("section", line, name, frame, text, line), sides[1]
    )
    return frames.app(draft, top, three, teasers.stack(draft, 4))


def _offer(draft: Draft, tag: str) -> Node:
    """Return what the publisher wants for the rest; None, like its newsletter."""
    return draft.node(
        "offer",
        tag,
        draft.node("box-heading", "h2", draft.word("offer")),
        node("p", draft.word("offer_text")),
        draft.link("button", draft.word("subscribe")),
        node("p", f"{draft.word('have_account')} ", draft.link("text-link", draft.word("login"))),
    )


@family("paywall")
def fading_text(draft: Draft) -> Content:
    """Two paragraphs that fade out, and the offer over the rest."""
    faded = draft.node("fade", "div", parts.texts(draft, 0, 2))
    top = [
        heading.kicker(draft),
        heading.headline(draft),
        heading.standfirst(draft),
        heading.meta(draft),
    ]
    story = node("article", top, media.lead_figure(draft), faded)
    return frames.slim(
        draft,
        story,
        _offer(draft, "section"),
        reactions.newsletter(draft),
        teasers.related(draft, 3),
    )


@family("paywall")
def locked(draft: Draft) -> Content:
    """A title, one paragraph, three prices side by side, and what others read instead."""
    prices = [
        node(
            "li",
            node("strong", draft.say("prices")),
            node("span", draft.word("minutes")),
            draft.link("button", draft.word("subscribe")),
        )
        for _ in range(3)
    ]
    start = [heading.titled(draft, "h1"), node("div", heading.dates(draft)), heading.byline(draft)]
    first = draft.node("first-paragraph", "div", draft.story.standfirst, gold="Paragraph")
    text = parts.texts(draft, 0, 1)
    wall = draft.node("offer", "section", node("h3", draft.word("offer")), node("ul", prices))
    return frames.hub(
        draft, node("div", start, first, text), wall, teasers.ranking(draft), teasers.latest(draft)
    )
