"""Jobs and events: facts (None) beside a text (Paragraph)."""

from __future__ import annotations

from datetime import timedelta

from structce.corpora.synthetic import frames, heading, media, parts, teasers
from structce.corpora.synthetic.draft import Draft, format_moment
from structce.corpora.synthetic.nodes import Content, node
from structce.corpora.synthetic.registry import family

_LACKS = ("authors",)


@family("job", topic="job", lacks=_LACKS)
def job_offer(draft: Draft) -> Content:
    """An employer's own page: what you do, what you bring, what you get, one button."""
    flow = [
        node(
            "section",
            title,
            texts,
            parts.bullets(draft, draft.several("duties", 4)) if i < 2 else None,
        )
        for i, (title, texts) in enumerate(parts.sections(draft))
    ]
    facts = parts.fact_lines(
        draft,
        [
            (draft.word("place"), draft.slot("place")),
            (draft.word("contract"), draft.say("contracts")),
        ],
    )
    top = draft.node("hero", "div", heading.titled(draft, "h1"), facts)
    call = node(
        "div",
        draft.link("button", draft.word("apply")),
        " ",
        draft.link("text-link", draft.word("contact")),
    )
    return frames.slim(
        draft,
        top,
        node("div", parts.opening(draft)),
        flow,
        call,
        node("footer", heading.dates(draft)),
    )


@family("job", topic="job", lacks=_LACKS)
def job_board(draft: Draft) -> Content:
    """A job portal: facts in a table beside the text, other vacancies as cards."""
    pairs = [
        (draft.word("employer"), draft.slot("org")),
        (draft.word("place"), draft.slot("town")),
        (draft.word("salary"), draft.say("prices")),
        (draft.word("contract"), draft.say("contracts")),
    ]
    side = node(
        "aside",
        parts.fact_list(draft, pairs),
        draft.link("button", draft.word("apply")),
        parts.dated(draft),
    )
    text = node(
        "div",
        heading.headline(draft),
        parts.texts(draft),
        parts.bullets(draft, draft.several("duties", 5)),
    )
    cards = [
        node(
            "div",
            node("h5", o.headline),
            node("span", o.section),
            node("em", draft.say("contracts")),
        )
        for o in draft.teasers(4)
    ]
    similar = node(
        "section", node("h4", draft.word("similar")), draft.node("sheet-grid", "div", cards)
    )
    return frames.hub(draft, draft.node("split", "div", text, side), similar)


@family("event", topic="event")
def event_page(draft: Draft) -> Content:
    """An event: when, where, how much (None: no dates of publication), a programme with hours."""
    day = format_moment(draft.site, "weekday", draft.story.published + timedelta(days=40))
    pairs = [
        (draft.word("when"), day),
        (draft.word("where"), draft.slot("place")),
        (draft.word("admission"), draft.say("prices")),
    ]
    hours = [
        node("tr", node("td", f"{16 + i}:30"), node("td", text, gold="Paragraph"))
        for i, text in enumerate(draft.several("programme", 5))
    ]
    plan = [
        parts.subtitle(draft, draft.word("programme"), "h2"),
        node("table", node("tbody", hours)),
    ]
    poster = node("figure", draft.image("image", 420, 560, gold="Multimedia"))
    buy = node("p", draft.link("button", draft.word("tickets")))
    right = node("div", heading.titled(draft, "h1"), parts.fact_list(draft, pairs), buy)
    map_ = draft.node(
        "player", "iframe", gold="None", attributes={"src": "/map", "width": "500", "height": "220"}
    )
    text = node("section", parts.texts(draft), plan, map_)
    end = [parts.signed(draft), parts.dated(draft)]
    return frames.slim(
        draft, draft.node("split", "section", poster, right), text, end, teasers.stack(draft, 2)
    )


@family("event", topic="event", lacks=("authors", "date"))
def playbill(draft: Draft) -> Content:
    """A theatre's page: dates to choose from (None), who plays (None), what critics said."""
    days = [
        node(
            "li",
            node(
                "time",
                format_moment(draft.site, "medium", draft.story.published + timedelta(days=7 * i)),
            ),
            " ",
            draft.link("button", draft.word("tickets")),
        )
        for i in range(2, 7)
    ]
    cast = [node("dd", f"{draft.person()}") for _ in range(5)]
    people = draft.node("facts", "dl", node("dt", draft.word("people")), cast)
    said = [node("q", draft.say("reviews")) for _ in range(2)]
    hero = node(
        "div",
        draft.node("wide", "div", draft.image("image", 900, 380, gold="Multimedia")),
        heading.titled(draft, "h2"),
    )
    text = node("div", parts.texts(draft, tag="div"), node("div", media.video(draft)))
    return frames.rail(draft, hero, node("ul", days), text, people, node("section", said))
