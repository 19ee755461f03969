"""Templates of reviews, recipes, fact checks, shops, paged articles and paywalls."""

from __future__ import annotations

from structce.synthetic import ads_and_teasers as promo
from structce.synthetic import article_body as body
from structce.synthetic import article_head as head
from structce.synthetic import boilerplate
from structce.synthetic import page_frames as frames
from structce.synthetic.dom import Content, MarkupNode, listing, node, row, table
from structce.synthetic.draft import Draft, family

_N_STARS = 5
_LACKS = ("authors", "date")


def stars(draft: Draft) -> MarkupNode:
    """Return a rating as stars and as a number; None."""
    n = draft.rng.randint(1, _N_STARS)
    shown = node("span", "★" * n + "☆" * (_N_STARS - n))
    return draft.node("rating", "div", shown, " ", node("b", f"{n}/{_N_STARS}"), gold="None")


@family("review", topic="review")
def product_test(draft: Draft) -> Content:
    """A test: verdict, pros and cons in a box (Paragraph), data and price (None)."""
    texts = draft.phrases("reviews", 4)
    columns = [
        node("div", body.subtitle(draft, draft.word(word), "h3"), body.bullet_list(draft, items))
        for word, items in (("pros", texts[:2]), ("cons", texts[2:4]))
    ]
    verdict = [
        body.subtitle(draft, draft.word("verdict")),
        body.plain_paragraph(draft, draft.story.standfirst),
        stars(draft),
        draft.node("two", "div", columns),
    ]
    data = body.fact_table(draft, body.specs(draft, 5))
    price = draft.node("price", "span", draft.phrase("prices"))
    buy = draft.node("box", "div", price, draft.button("cart"))
    top = [head.title(draft, "h1"), head.byline(draft), node("div", head.dates(draft))]
    flow = body.section_flow(draft)
    story = node("article", top, head.lead_figure(draft), body.lead_paragraphs(draft), buy, flow)
    return frames.slim(
        draft, story, draft.node("callout", "section", verdict), data, promo.box(draft)
    )


@family("review", topic="review")
def critic(draft: Draft) -> Content:
    """A critic's page: the work reviewed in a floating box, stars beside the title."""
    pairs = body.specs(draft, 3)
    cover = draft.node(
        "image",
        "img",
        gold="Multimedia",
        attributes={"src": "/c.jpg", "alt": "", "width": "180", "height": "260"},
    )
    box = draft.node("margin", "div", cover, body.fact_lines(draft, pairs), stars(draft))
    line = node(
        "div",
        head.names(draft),
        " ",
        node("time", draft.date("small", draft.story.published), gold="Date")
        if draft.shows("date")
        else None,
    )
    top = node(
        "div", draft.node("kicker", "em", draft.story.section), head.title(draft, "h2"), line
    )
    flow = body.distribute(draft, body.paragraphs(draft), [body.quote(draft)])
    return frames.minimal(
        draft, top, node("div", box, flow), promo.more_from(draft), boilerplate.comments(draft)
    )


@family("recipe", topic="recipe")
def recipe_card(draft: Draft) -> Content:
    """A recipe: time and portions (None), ingredients and numbered steps (Paragraph)."""
    keys = [draft.label("li", word) for word in ("servings", "minutes")]
    facts = draft.node("facts", "ul", keys)
    steps = [node("li", node("p", text)) for text in draft.story.paragraphs]
    need = [
        body.subtitle(draft, draft.word("ingredients")),
        body.bullet_list(draft, draft.phrases("ingredients", 6)),
    ]
    make = [
        body.subtitle(draft, draft.word("method")),
        draft.node("list", "ol", steps, gold="Paragraph"),
    ]
    top = node("div", head.title(draft, "h1"), stars(draft), body.signature(draft), facts)
    dish = draft.photo(520, 520, alt=draft.story.headline)
    first = draft.node("split", "div", top, dish)
    second = draft.node("split", "div", node("div", need), node("div", make))
    day = body.labelled_date(draft)
    return frames.store(draft, node("section", first, second, day), boilerplate.comments(draft))


@family("recipe", topic="recipe")
def kitchen_diary(draft: Draft) -> Content:
    """A cook's diary: a long story and many pictures before the recipe itself."""
    story = body.distribute(
        draft,
        body.plain_paragraphs(draft, 0, 4),
        [head.inset(draft, 0), head.inset(draft, 1), promo.box(draft)],
    )
    rows = [row(item) for item in draft.phrases("ingredients", 5)]
    needs = draft.node("data", "table", node("tbody", rows), gold="Paragraph")
    steps = [
        body.plain_paragraph(draft, f"{i + 1}. {text}", "div")
        for i, text in enumerate(draft.story.paragraphs[4:])
    ]
    card = draft.node(
        "card",
        "div",
        body.subtitle(draft, draft.word("ingredients"), "b"),
        needs,
        body.subtitle(draft, draft.word("method"), "b"),
        steps,
    )
    jump = node("div", draft.button("method"), draft.button("print"))
    top = node("header", body.labelled_date(draft), head.title(draft), head.byline(draft), jump)
    return frames.rail(
        draft,
        top,
        node("div", story),
        card,
        boilerplate.author_box(draft),
        boilerplate.comments(draft),
    )


@family("fact check")
def fact_check(draft: Draft) -> Content:
    """A checked claim: the claim and the finding in a box (Paragraph), sources (None)."""
    finding = draft.node("verdict", "strong", draft.phrase("verdicts"), gold="Paragraph")
    box = draft.node(
        "callout",
        "div",
        node(
            "dl",
            body.subtitle(draft, draft.word("claim"), "dt"),
            node("dd", body.plain_paragraph(draft, draft.phrase("claims"))),
            body.subtitle(draft, draft.word("finding"), "dt"),
            node("dd", finding, body.plain_paragraph(draft, draft.story.standfirst)),
        ),
    )
    sources = [node("li", draft.link("text-link", text)) for text in draft.phrases("references", 3)]
    end = draft.node("notes", "section", draft.label("h4", "sources"), node("ul", sources))
    top = [head.title(draft, "h1"), head.byline_and_dates(draft)]
    story = node("section", top, box, body.body(draft), end)
    side = node("aside", promo.headed_box(draft, "latest", promo.stack(draft, 3)), promo.box(draft))
    return frames.slim(draft, draft.node("split", "div", story, side))


def _price(draft: Draft) -> MarkupNode:
    old = node("s", draft.phrase("prices")) if draft.rng.random() < 0.4 else None
    return draft.node("price", "div", old, " ", node("strong", draft.phrase("prices")))


def _photo(draft: Draft, size: int) -> MarkupNode:
    return draft.photo(size, size, alt=draft.story.headline)


def _reviews(draft: Draft) -> MarkupNode:
    """Return reviews by customers; None."""
    items = [
        node("li", stars(draft), node("b", draft.phrase("nicknames")), node("p", text))
        for text in draft.phrases("reviews", 4)
    ]
    return draft.node("comments", "div", draft.label("h3", "reviews"), node("ul", items))


@family("shop", topic="shop", lacks=_LACKS)
def product(draft: Draft) -> Content:
    """A shop: pictures on the left, price and basket on the right, the description below."""
    small = [draft.image("spacer", 80, 80, gold="Multimedia") for _ in range(4)]
    strip = draft.node("tabs", "ul", [node("li", image) for image in small])
    choose = node(
        "label", draft.word("quantity"), node("select", [node("option", str(i)) for i in (1, 2, 3)])
    )
    buy = [_price(draft), draft.label("p", "stock"), choose, draft.button("cart")]
    right = node("div", head.title(draft, "h1"), stars(draft), buy)
    top = draft.node("split", "div", node("div", _photo(draft, 460), strip), right)
    text = node(
        "section", body.subtitle(draft, draft.word("description")), body.plain_paragraphs(draft)
    )
    data = node("section", draft.label("h2", "specs"), body.fact_table(draft, body.specs(draft, 6)))
    others = [
        node(
            "a",
            draft.image("teaser-image", 140, 140),
            node("span", draft.phrase("brands")),
            node("b", draft.phrase("prices")),
            href="/p",
        )
        for _ in range(4)
    ]
    also = node(
        "section", draft.label("h2", "also_bought"), draft.node("sheet-grid", "div", others)
    )
    return frames.store(draft, top, text, data, _reviews(draft), also)


@family("shop", topic="shop", lacks=_LACKS)
def catalogue_entry(draft: Draft) -> Content:
    """A small maker's shop: one long column, text and pictures in turn, one button at the end."""
    texts = body.plain_paragraphs(draft)
    turns = [
        draft.node("split", "div", node("div", text), body.captioned_image(draft, 440, 300, i))
        if i % 2
        else node("div", text)
        for i, text in enumerate(texts)
    ]
    order = node("form", _price(draft), draft.button("cart"))
    top = node(
        "center",
        _photo(draft, 620),
        head.title(draft, "h2"),
        node("p", draft.story.standfirst, gold="Subtitle"),
    )
    return frames.minimal(draft, top, turns, body.fact_lines(draft, body.specs(draft, 4)), order)


@family("shop", topic="shop", lacks=("authors",))
def auction(draft: Draft) -> Content:
    """A marketplace: a table of facts about the offer and its seller, the text in a box."""
    facts = [
        (draft.word("seller"), draft.phrase("nicknames")),
        (draft.word("place"), draft.slot("place")),
        *body.specs(draft, 4),
    ]
    bid = node(
        "form",
        _price(draft),
        draft.node("field", "input", attributes={"type": "text"}),
        draft.button("bid"),
    )
    offer = node(
        "tr",
        node("td", _photo(draft, 380)),
        node("td", head.title(draft), bid, body.fact_table(draft, facts)),
    )
    box = draft.node(
        "card",
        "div",
        body.subtitle(draft, draft.word("description"), "b"),
        node("font", [[text, node("br")] for text in draft.story.paragraphs], gold="Paragraph"),
    )
    day = body.labelled_date(draft)
    other = listing(
        "ul",
        [
            [draft.link("teaser-link", o.headline), " ", draft.phrase("prices")]
            for o in draft.teasers(4)
        ],
    )
    return frames.hub(draft, table(offer), day, box, other)


@family("shop", topic="shop", lacks=_LACKS)
def landing_page(draft: Draft) -> Content:
    """A page for one product: a large claim, three advantages, testimonials, repeated buttons."""
    button = draft.button("cart")
    hero = draft.node(
        "hero",
        "section",
        head.title(draft, "h1"),
        node("h2", draft.story.standfirst, gold="Subtitle"),
        button,
        _photo(draft, 420),
    )
    three = [node("article", title, texts[:2]) for title, texts in body.sections(draft, "h3")[:3]]
    voices = [
        node("blockquote", node("p", text), node("cite", draft.phrase("nicknames")))
        for text in draft.phrases("reviews", 3)
    ]
    first = node("section", body.lead_paragraphs(draft), head.video(draft))
    rows = draft.node("sheet-grid", "section", three)
    end = node("section", _price(draft), button)
    bar = node("header", boilerplate.logo(draft), button)
    return [
        bar,
        node("main", hero, first, rows, node("section", voices), end),
        node("footer", draft.label("p", "rights")),
    ]


@family("classified", topic="shop", lacks=("authors",))
def small_ad(draft: Draft) -> Content:
    """A private offer: a few lines, pictures in a row, the seller's contact."""
    strip = node("p", [draft.photo(200, 150) for _ in range(3)])
    text = node("div", body.plain_paragraphs(draft, 0, 3, "div"))
    call = draft.node(
        "box",
        "aside",
        draft.label("h4", "contact"),
        node("p", draft.phrase("nicknames")),
        draft.button("contact"),
    )
    facts = body.fact_lines(
        draft,
        [
            (draft.word("place"), draft.slot("town")),
            (draft.word("admission"), draft.phrase("prices")),
        ],
    )
    return frames.rail(
        draft,
        node(
            "section",
            head.title(draft),
            node("div", head.dates(draft)),
            _price(draft),
            strip,
            text,
            facts,
        ),
        call,
        node("section", promo.stack(draft, 4)),
    )


@family("multi-page")
def second_page(draft: Draft) -> Content:
    """A later page of an article: the title again, no summary, links to the others twice."""
    here, n = draft.rng.randint(2, 4), 5
    options = [node("option", f"{i + 1}. {text}") for i, text in enumerate(draft.story.headings)]
    choice = node("form", draft.label("label", "page"), node("select", options))
    note = draft.node("counter", "span", f"{draft.word('page')} {here}/{n}")
    top = node("div", head.title(draft, "h1"), note, head.byline(draft), head.dates(draft))
    text = node(
        "div",
        body.subtitle(draft, draft.story.headings[here - 1], "h3"),
        body.paragraphs(draft, draft.story.paragraphs[:5]),
    )
    whole = node("p", draft.link("text-link", draft.word("whole")))
    turn = body.pager(draft, here, n)
    flow = [choice, turn, head.lead_figure(draft), text, turn, whole]
    return frames.hub(
        draft,
        node("article", top, flow),
        promo.banner(draft),
        promo.more_from(draft),
        promo.related_stories(draft, 3),
    )


@family("multi-page")
def slide_by_slide(draft: Draft) -> Content:
    """One picture per page: a click-through list, with advertisements on both sides."""
    n = draft.rng.randint(8, 25)
    here = draft.rng.randint(2, n - 1)
    next_ = draft.link("button", draft.word("next"), " →")
    frame = node(
        "figure",
        draft.photo(720, 480),
        node("figcaption", head.caption(draft, "span", draft.story.captions[0])),
    )
    name = body.subtitle(draft, draft.story.headings[0], "h2")
    line = node("div", node("b", f"{here} / {n}"), draft.link("button", "←"), next_)
    text = node("div", body.plain_paragraphs(draft, 0, 2))
    top = node("header", head.title(draft, "h4"), head.meta(draft))
    sides = [node("aside", promo.frame(draft, 160, 600)) for _ in range(2)]
    three = draft.node(
        "three", "div", sides[0], node("section", line, name, frame, text, line), sides[1]
    )
    return frames.app(draft, top, three, promo.stack(draft, 4))


def _offer(draft: Draft, tag: str) -> MarkupNode:
    """Return the publisher's offer for the rest; None, like its newsletter."""
    return draft.node(
        "offer",
        tag,
        draft.node("box-heading", "h2", draft.word("offer")),
        draft.label("p", "offer_text"),
        draft.button("subscribe"),
        node("p", f"{draft.word('have_account')} ", draft.link("text-link", draft.word("login"))),
    )


@family("paywall")
def fading_text(draft: Draft) -> Content:
    """Two paragraphs that fade out, and the offer over the rest."""
    faded = draft.node("fade", "div", body.plain_paragraphs(draft, 0, 2))
    top = [head.kicker(draft), head.title(draft), head.standfirst(draft), head.meta(draft)]
    story = node("article", top, head.lead_figure(draft), faded)
    return frames.slim(
        draft,
        story,
        _offer(draft, "section"),
        boilerplate.newsletter(draft),
        promo.related_stories(draft, 3),
    )


@family("paywall")
def locked(draft: Draft) -> Content:
    """A title, one paragraph, three prices side by side, and what others read instead."""
    prices = [
        node(
            "li",
            node("strong", draft.phrase("prices")),
            draft.label("span", "minutes"),
            draft.button("subscribe"),
        )
        for _ in range(3)
    ]
    start = [head.title(draft, "h1"), node("div", head.dates(draft)), head.byline(draft)]
    first = draft.node("first-paragraph", "div", draft.story.standfirst, gold="Paragraph")
    text = body.plain_paragraphs(draft, 0, 1)
    wall = draft.node("offer", "section", draft.label("h3", "offer"), node("ul", prices))
    return frames.hub(
        draft,
        node("div", start, first, text),
        wall,
        promo.ranking(draft),
        promo.latest_headlines(draft),
    )
