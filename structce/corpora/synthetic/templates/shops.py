"""Shops: the product's name is Title, its description Paragraph; prices and reviews are None."""

from __future__ import annotations

from structce.corpora.synthetic import frames, heading, media, parts, teasers
from structce.corpora.synthetic.draft import Draft
from structce.corpora.synthetic.nodes import Content, Node, node
from structce.corpora.synthetic.registry import family
from structce.corpora.synthetic.templates.reviews import stars

_LACKS = ("authors", "date")


def _price(draft: Draft) -> Node:
    old = node("s", draft.say("prices")) if draft.rng.random() < 0.4 else None
    return draft.node("price", "div", old, " ", node("strong", draft.say("prices")))


def _photo(draft: Draft, size: int) -> Node:
    return draft.image("image", size, size, gold="Multimedia", alt=draft.story.headline)


def _judged(draft: Draft) -> Node:
    """Return what customers say; None."""
    items = [
        node("li", stars(draft), node("b", draft.say("nicknames")), node("p", text))
        for text in draft.several("reviews", 4)
    ]
    return draft.node("comments", "div", node("h3", draft.word("reviews")), node("ul", items))


@family("shop", topic="shop", lacks=_LACKS)
def product(draft: Draft) -> Content:
    """A shop: pictures on the left, price and basket on the right, the description below."""
    small = [draft.image("spacer", 80, 80, gold="Multimedia") for _ in range(4)]
    strip = draft.node("tabs", "ul", [node("li", image) for image in small])
    choose = node(
        "label", draft.word("quantity"), node("select", [node("option", str(i)) for i in (1, 2, 3)])
    )
    buy = [
        _price(draft),
        node("p", draft.word("stock")),
        choose,
        draft.link("button", draft.word("cart")),
    ]
    right = node("div", heading.titled(draft, "h1"), stars(draft), buy)
    top = draft.node("split", "div", node("div", _photo(draft, 460), strip), right)
    text = node("section", parts.subtitle(draft, draft.word("description")), parts.texts(draft))
    data = node(
        "section", node("h2", draft.word("specs")), parts.fact_table(draft, parts.specs(draft, 6))
    )
    others = [
        node(
            "a",
            draft.image("teaser-image", 140, 140),
            node("span", draft.say("brands")),
            node("b", draft.say("prices")),
            href="/p",
        )
        for _ in range(4)
    ]
    also = node(
        "section", node("h2", draft.word("also_bought")), draft.node("sheet-grid", "div", others)
    )
    return frames.store(draft, top, text, data, _judged(draft), also)


@family("shop", topic="shop", lacks=_LACKS)
def catalogue_entry(draft: Draft) -> Content:
    """A small maker's shop: one long column, text and pictures in turn, one button at the end."""
    texts = parts.texts(draft)
    turns = [
        draft.node("split", "div", node("div", text), parts.picture(draft, 440, 300, i))
        if i % 2
        else node("div", text)
        for i, text in enumerate(texts)
    ]
    order = node("form", _price(draft), draft.link("button", draft.word("cart")))
    top = node(
        "center",
        _photo(draft, 620),
        heading.titled(draft, "h2"),
        node("p", draft.story.standfirst, gold="Subtitle"),
    )
    return frames.plain(draft, top, turns, parts.fact_lines(draft, parts.specs(draft, 4)), order)


@family("shop", topic="shop", lacks=("authors",))
def auction(draft: Draft) -> Content:
    """A marketplace: a table of facts about the offer and its seller, the text in a box."""
    facts = [
        (draft.word("seller"), draft.say("nicknames")),
        (draft.word("place"), draft.slot("place")),
        *parts.specs(draft, 4),
    ]
    bid = node(
        "form",
        _price(draft),
        draft.node("field", "input", attributes={"type": "text"}),
        draft.link("button", draft.word("bid")),
    )
    head = node(
        "tr",
        node("td", _photo(draft, 380)),
        node("td", heading.headline(draft), bid, parts.fact_table(draft, facts)),
    )
    box = draft.node(
        "card",
        "div",
        draft.node("section-heading", "b", draft.word("description"), gold="Subtitle"),
        node("font", [[text, node("br")] for text in draft.story.paragraphs], gold="Paragraph"),
    )
    day = parts.dated(draft)
    other = node(
        "ul",
        [
            node("li", draft.link("teaser-link", o.headline), " ", draft.say("prices"))
            for o in draft.teasers(4)
        ],
    )
    return frames.hub(draft, node("table", node("tbody", head)), day, box, other)


@family("shop", topic="shop", lacks=_LACKS)
def landing_page(draft: Draft) -> Content:
    """A page for one product: a large claim, three advantages, voices, a button again and again."""
    button = draft.link("button", draft.word("cart"))
    hero = draft.node(
        "hero",
        "section",
        heading.titled(draft, "h1"),
        node("h2", draft.story.standfirst, gold="Subtitle"),
        button,
        _photo(draft, 420),
    )
    three = [node("article", title, texts[:2]) for title, texts in parts.sections(draft, "h3")[:3]]
    voices = [
        node("blockquote", node("p", text), node("cite", draft.say("nicknames")))
        for text in draft.several("reviews", 3)
    ]
    first = node("section", parts.opening(draft), media.video(draft))
    rows = draft.node("sheet-grid", "section", three)
    end = node("section", _price(draft), button)
    bar = node("header", frames.logo(draft), button)
    return [
        bar,
        node("main", hero, first, rows, node("section", voices), end),
        node("footer", node("p", draft.word("rights"))),
    ]


@family("classified", topic="shop", lacks=("authors",))
def small_ad(draft: Draft) -> Content:
    """A private offer: a few lines, pictures in a row, how to reach the seller."""
    row = node("p", [draft.image("image", 200, 150, gold="Multimedia") for _ in range(3)])
    text = node("div", parts.texts(draft, 0, 3, "div"))
    call = draft.node(
        "box",
        "aside",
        node("h4", draft.word("contact")),
        node("p", draft.say("nicknames")),
        draft.link("button", draft.word("contact")),
    )
    facts = parts.fact_lines(
        draft,
        [
            (draft.word("place"), draft.slot("town")),
            (draft.word("admission"), draft.say("prices")),
        ],
    )
    return frames.rail(
        draft,
        node(
            "section",
            heading.headline(draft),
            node("div", heading.dates(draft)),
            _price(draft),
            row,
            text,
            facts,
        ),
        call,
        node("section", teasers.stack(draft, 4)),
    )
