"""Judgements: reviews with ratings, recipes, checked facts."""

from __future__ import annotations

from structce.corpora.synthetic import ads, body, frames, heading, media, parts, reactions, teasers
from structce.corpora.synthetic.draft import Draft
from structce.corpora.synthetic.nodes import Content, Node, node
from structce.corpora.synthetic.registry import family

_N_STARS = 5


def stars(draft: Draft) -> Node:
    """Return a rating as stars and as a number; None."""
    n = draft.rng.randint(1, _N_STARS)
    shown = node("span", "★" * n + "☆" * (_N_STARS - n))
    return draft.node("rating", "div", shown, " ", node("b", f"{n}/{_N_STARS}"), gold="None")


@family("review", topic="review")
def product_test(draft: Draft) -> Content:
    """A test: verdict, pros and cons in a box (Paragraph), data and price (None)."""
    texts = draft.several("reviews", 4)
    columns = [
        node("div", parts.subtitle(draft, draft.word(word), "h3"), parts.bullets(draft, items))
        for word, items in (("pros", texts[:2]), ("cons", texts[2:4]))
    ]
    verdict = [
        parts.subtitle(draft, draft.word("verdict")),
        parts.text(draft, draft.story.standfirst),
        stars(draft),
        draft.node("two", "div", columns),
    ]
    data = parts.fact_table(draft, parts.specs(draft, 5))
    price = draft.node("price", "span", draft.say("prices"))
    buy = draft.node("box", "div", price, draft.link("button", draft.word("cart")))
    top = [heading.titled(draft, "h1"), heading.byline(draft), node("div", heading.dates(draft))]
    flow = parts.flow(draft)
    story = node("article", top, media.lead_figure(draft), parts.opening(draft), buy, flow)
    return frames.slim(
        draft, story, draft.node("callout", "section", verdict), data, ads.box(draft)
    )


@family("review", topic="review")
def critic(draft: Draft) -> Content:
    """A critic's page: what is judged in a box that floats, stars beside the title."""
    pairs = parts.specs(draft, 3)
    cover = draft.node(
        "image",
        "img",
        gold="Multimedia",
        attributes={"src": "/c.jpg", "alt": "", "width": "180", "height": "260"},
    )
    box = draft.node("margin", "div", cover, parts.fact_lines(draft, pairs), stars(draft))
    line = node(
        "div",
        heading.names(draft),
        " ",
        node("time", draft.date("small", draft.story.published), gold="Date")
        if draft.shows("date")
        else None,
    )
    top = node(
        "div", draft.node("kicker", "em", draft.story.section), heading.titled(draft, "h2"), line
    )
    flow = body.spread(draft, body.paragraphs(draft), [body.quote(draft)])
    return frames.plain(
        draft, top, node("div", box, flow), teasers.more_from(draft), reactions.comments(draft)
    )


@family("recipe", topic="recipe")
def recipe_card(draft: Draft) -> Content:
    """A recipe: time and portions (None), ingredients and numbered steps (Paragraph)."""
    keys = [node("li", draft.word(word)) for word in ("servings", "minutes")]
    facts = draft.node("facts", "ul", keys)
    steps = [node("li", node("p", text)) for text in draft.story.paragraphs]
    need = [
        parts.subtitle(draft, draft.word("ingredients")),
        parts.bullets(draft, draft.several("ingredients", 6)),
    ]
    make = [
        parts.subtitle(draft, draft.word("method")),
        draft.node("list", "ol", steps, gold="Paragraph"),
    ]
    head = node("div", heading.titled(draft, "h1"), stars(draft), parts.signed(draft), facts)
    dish = draft.image("image", 520, 520, gold="Multimedia", alt=draft.story.headline)
    first = draft.node("split", "div", head, dish)
    second = draft.node("split", "div", node("div", need), node("div", make))
    day = parts.dated(draft)
    return frames.store(draft, node("section", first, second, day), reactions.comments(draft))


@family("recipe", topic="recipe")
def kitchen_diary(draft: Draft) -> Content:
    """A cook's diary: a long story and many pictures before the recipe itself."""
    story = body.spread(
        draft,
        parts.texts(draft, 0, 4),
        [media.inset(draft, 0), media.inset(draft, 1), ads.box(draft)],
    )
    rows = [node("tr", node("td", item)) for item in draft.several("ingredients", 5)]
    needs = draft.node("data", "table", node("tbody", rows), gold="Paragraph")
    steps = [
        parts.text(draft, f"{i + 1}. {text}", "div")
        for i, text in enumerate(draft.story.paragraphs[4:])
    ]
    card = draft.node(
        "card",
        "div",
        draft.node("section-heading", "b", draft.word("ingredients"), gold="Subtitle"),
        needs,
        draft.node("section-heading", "b", draft.word("method"), gold="Subtitle"),
        steps,
    )
    jump = node(
        "div", draft.link("button", draft.word("method")), draft.link("button", draft.word("print"))
    )
    top = node("header", parts.dated(draft), heading.headline(draft), heading.byline(draft), jump)
    return frames.rail(
        draft, top, node("div", story), card, reactions.author_box(draft), reactions.comments(draft)
    )


@family("fact check")
def fact_check(draft: Draft) -> Content:
    """A checked claim: the claim and the finding in a box (Paragraph), sources (None)."""
    finding = draft.node("verdict", "strong", draft.say("verdicts"), gold="Paragraph")
    box = draft.node(
        "callout",
        "div",
        node(
            "dl",
            draft.node("section-heading", "dt", draft.word("claim"), gold="Subtitle"),
            node("dd", parts.text(draft, draft.say("claims"))),
            draft.node("section-heading", "dt", draft.word("finding"), gold="Subtitle"),
            node("dd", finding, parts.text(draft, draft.story.standfirst)),
        ),
    )
    sources = [node("li", draft.link("text-link", text)) for text in draft.several("references", 3)]
    end = draft.node("notes", "section", node("h4", draft.word("sources")), node("ul", sources))
    top = [heading.titled(draft, "h1"), node("div", heading.byline(draft), heading.dates(draft))]
    story = node("section", top, box, body.body(draft), end)
    side = node("aside", teasers.boxed(draft, "latest", teasers.stack(draft, 3)), ads.box(draft))
    return frames.slim(draft, draft.node("split", "div", story, side))
