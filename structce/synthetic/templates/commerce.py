"""Templates of reviews, recipes, fact checks, shops, paged articles and paywalls."""

from __future__ import annotations

from structce.synthetic import ads_and_teasers as promo
from structce.synthetic import article_body as body
from structce.synthetic import article_head as head
from structce.synthetic import boilerplate
from structce.synthetic import page_frames as frames
from structce.synthetic.dom import Content, E, MarkupNode, listing, row, table
from structce.synthetic.draft import Draft, family

_N_STARS = 5
_LACKS = ("authors", "date")


def stars(draft: Draft) -> MarkupNode:
    """Return a rating as stars and as a number; None."""
    n = draft.rng.randint(1, _N_STARS)
    shown = E.span("★" * n + "☆" * (_N_STARS - n))
    return draft.node("rating", "div", shown, " ", E.b(f"{n}/{_N_STARS}"), gold="None")


@family("review", topic="review", frame=frames.slim)
def product_test(draft: Draft) -> Content:
    """A test: verdict, pros and cons in a box (Paragraph), data and price (None)."""
    texts = draft.phrases("reviews", 4)
    columns = [
        E.div(body.subtitle(draft, draft.word(word), "h3"), body.bullet_list(draft, items))
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
    top = [head.title(draft, "h1"), head.byline(draft), E.div(head.dates(draft))]
    flow = body.section_flow(draft)
    story = E.article(top, head.lead_figure(draft), body.lead_paragraphs(draft), buy, flow)
    return [story, draft.node("callout", "section", verdict), data, promo.box(draft)]


@family("review", topic="review", frame=frames.minimal)
def critic(draft: Draft) -> Content:
    """A critic's page: the work reviewed in a floating box, stars beside the title."""
    pairs = body.specs(draft, 3)
    cover = draft.node(
        "image", "img", gold="Multimedia", src="/c.jpg", alt="", width=180, height=260
    )
    box = draft.node("margin", "div", cover, body.fact_lines(draft, pairs), stars(draft))
    line = E.div(
        head.names(draft),
        " ",
        E.time(draft.date("small", draft.story.published), gold="Date")
        if draft.shows("date")
        else None,
    )
    top = E.div(draft.node("kicker", "em", draft.story.section), head.title(draft, "h2"), line)
    flow = body.distribute(draft, body.paragraphs(draft), [body.quote(draft)])
    return [top, E.div(box, flow), promo.more_from(draft), boilerplate.comments(draft)]


@family("recipe", topic="recipe", frame=frames.store)
def recipe_card(draft: Draft) -> Content:
    """A recipe: time and portions (None), ingredients and numbered steps (Paragraph)."""
    keys = [draft.label("li", word) for word in ("servings", "minutes")]
    facts = draft.node("facts", "ul", keys)
    steps = [E.li(E.p(text)) for text in draft.story.paragraphs]
    need = [
        body.subtitle(draft, draft.word("ingredients")),
        body.bullet_list(draft, draft.phrases("ingredients", 6)),
    ]
    make = [
        body.subtitle(draft, draft.word("method")),
        draft.node("list", "ol", steps, gold="Paragraph"),
    ]
    top = E.div(head.title(draft, "h1"), stars(draft), body.signature(draft), facts)
    dish = draft.photo(520, 520, alt=draft.story.headline)
    first = draft.node("split", "div", top, dish)
    second = draft.node("split", "div", E.div(need), E.div(make))
    day = body.labelled_date(draft)
    return [E.section(first, second, day), boilerplate.comments(draft)]


@family("recipe", topic="recipe", frame=frames.rail)
def kitchen_diary(draft: Draft) -> Content:
    """A cook's diary: a long story and many pictures before the recipe itself."""
    story = body.distribute(
        draft,
        body.plain_paragraphs(draft, 0, 4),
        [head.inset(draft, 0), head.inset(draft, 1), promo.box(draft)],
    )
    rows = [row(item) for item in draft.phrases("ingredients", 5)]
    needs = draft.node("data", "table", E.tbody(rows), gold="Paragraph")
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
    jump = E.div(draft.button("method"), draft.button("print"))
    top = E.header(body.labelled_date(draft), head.title(draft), head.byline(draft), jump)
    return [top, E.div(story), card, boilerplate.author_box(draft), boilerplate.comments(draft)]


@family("fact check", frame=frames.slim)
def fact_check(draft: Draft) -> Content:
    """A checked claim: the claim and the finding in a box (Paragraph), sources (None)."""
    finding = draft.node("verdict", "strong", draft.phrase("verdicts"), gold="Paragraph")
    box = draft.node(
        "callout",
        "div",
        E.dl(
            body.subtitle(draft, draft.word("claim"), "dt"),
            E.dd(body.plain_paragraph(draft, draft.phrase("claims"))),
            body.subtitle(draft, draft.word("finding"), "dt"),
            E.dd(finding, body.plain_paragraph(draft, draft.story.standfirst)),
        ),
    )
    sources = [E.li(draft.link("text-link", text)) for text in draft.phrases("references", 3)]
    end = draft.node("notes", "section", draft.label("h4", "sources"), E.ul(sources))
    top = [head.title(draft, "h1"), head.byline_and_dates(draft)]
    story = E.section(top, box, body.body(draft), end)
    side = E.aside(promo.headed_box(draft, "latest", promo.stack(draft, 3)), promo.box(draft))
    return draft.node("split", "div", story, side)


def _price(draft: Draft) -> MarkupNode:
    old = E.s(draft.phrase("prices")) if draft.rng.random() < 0.4 else None
    return draft.node("price", "div", old, " ", E.strong(draft.phrase("prices")))


def _photo(draft: Draft, size: int) -> MarkupNode:
    return draft.photo(size, size, alt=draft.story.headline)


def _reviews(draft: Draft) -> MarkupNode:
    """Return reviews by customers; None."""
    items = [
        E.li(stars(draft), E.b(draft.phrase("nicknames")), E.p(text))
        for text in draft.phrases("reviews", 4)
    ]
    return draft.node("comments", "div", draft.label("h3", "reviews"), E.ul(items))


@family("shop", topic="shop", lacks=_LACKS, frame=frames.store)
def product(draft: Draft) -> Content:
    """A shop: pictures on the left, price and basket on the right, the description below."""
    small = [draft.image("spacer", 80, 80, gold="Multimedia") for _ in range(4)]
    strip = draft.node("tabs", "ul", [E.li(image) for image in small])
    choose = E.label(draft.word("quantity"), E.select([E.option(str(i)) for i in (1, 2, 3)]))
    buy = [_price(draft), draft.label("p", "stock"), choose, draft.button("cart")]
    right = E.div(head.title(draft, "h1"), stars(draft), buy)
    top = draft.node("split", "div", E.div(_photo(draft, 460), strip), right)
    text = E.section(body.subtitle(draft, draft.word("description")), body.plain_paragraphs(draft))
    data = E.section(draft.label("h2", "specs"), body.fact_table(draft, body.specs(draft, 6)))
    others = [
        E.a(
            draft.image("teaser-image", 140, 140),
            E.span(draft.phrase("brands")),
            E.b(draft.phrase("prices")),
            href="/p",
        )
        for _ in range(4)
    ]
    also = E.section(draft.label("h2", "also_bought"), draft.node("sheet-grid", "div", others))
    return [top, text, data, _reviews(draft), also]


@family("shop", topic="shop", lacks=_LACKS, frame=frames.minimal)
def catalogue_entry(draft: Draft) -> Content:
    """A small maker's shop: one long column, text and pictures in turn, one button at the end."""
    texts = body.plain_paragraphs(draft)
    turns = [
        draft.node("split", "div", E.div(text), body.captioned_image(draft, 440, 300, i))
        if i % 2
        else E.div(text)
        for i, text in enumerate(texts)
    ]
    order = E.form(_price(draft), draft.button("cart"))
    top = E.center(
        _photo(draft, 620), head.title(draft, "h2"), E.p(draft.story.standfirst, gold="Subtitle")
    )
    return [top, turns, body.fact_lines(draft, body.specs(draft, 4)), order]


@family("shop", topic="shop", lacks=("authors",), frame=frames.hub)
def auction(draft: Draft) -> Content:
    """A marketplace: a table of facts about the offer and its seller, the text in a box."""
    facts = [
        (draft.word("seller"), draft.phrase("nicknames")),
        (draft.word("place"), draft.slot("place")),
        *body.specs(draft, 4),
    ]
    bid = E.form(_price(draft), draft.node("field", "input", type="text"), draft.button("bid"))
    photo = E.td(_photo(draft, 380))
    offer = E.tr(photo, E.td(head.title(draft), bid, body.fact_table(draft, facts)))
    box = draft.node(
        "card",
        "div",
        body.subtitle(draft, draft.word("description"), "b"),
        E.font([[text, E.br()] for text in draft.story.paragraphs], gold="Paragraph"),
    )
    day = body.labelled_date(draft)
    other = listing(
        "ul",
        [
            [draft.link("teaser-link", o.headline), " ", draft.phrase("prices")]
            for o in draft.teasers(4)
        ],
    )
    return [table(offer), day, box, other]


@family("shop", topic="shop", lacks=_LACKS)
def landing_page(draft: Draft) -> Content:
    """A page for one product: a large claim, three advantages, testimonials, repeated buttons."""
    button = draft.button("cart")
    hero = draft.node(
        "hero",
        "section",
        head.title(draft, "h1"),
        E.h2(draft.story.standfirst, gold="Subtitle"),
        button,
        _photo(draft, 420),
    )
    three = [E.article(title, texts[:2]) for title, texts in body.sections(draft, "h3")[:3]]
    voices = [
        E.blockquote(E.p(text), E.cite(draft.phrase("nicknames")))
        for text in draft.phrases("reviews", 3)
    ]
    first = E.section(body.lead_paragraphs(draft), head.video(draft))
    rows = draft.node("sheet-grid", "section", three)
    end = E.section(_price(draft), button)
    bar = E.header(boilerplate.logo(draft), button)
    return [
        bar,
        E.main(hero, first, rows, E.section(voices), end),
        E.footer(draft.label("p", "rights")),
    ]


@family("classified", topic="shop", lacks=("authors",), frame=frames.rail)
def small_ad(draft: Draft) -> Content:
    """A private offer: a few lines, pictures in a row, the seller's contact."""
    strip = E.p([draft.photo(200, 150) for _ in range(3)])
    text = E.div(body.plain_paragraphs(draft, 0, 3, "div"))
    call = draft.node(
        "box",
        "aside",
        draft.label("h4", "contact"),
        E.p(draft.phrase("nicknames")),
        draft.button("contact"),
    )
    facts = body.fact_lines(
        draft,
        [
            (draft.word("place"), draft.slot("town")),
            (draft.word("admission"), draft.phrase("prices")),
        ],
    )
    return [
        E.section(head.title(draft), E.div(head.dates(draft)), _price(draft), strip, text, facts),
        call,
        E.section(promo.stack(draft, 4)),
    ]


@family("multi-page", frame=frames.hub)
def second_page(draft: Draft) -> Content:
    """A later page of an article: the title again, no summary, links to the others twice."""
    here, n = draft.rng.randint(2, 4), 5
    options = [E.option(f"{i + 1}. {text}") for i, text in enumerate(draft.story.headings)]
    choice = E.form(draft.label("label", "page"), E.select(options))
    note = draft.node("counter", "span", f"{draft.word('page')} {here}/{n}")
    top = E.div(head.title(draft, "h1"), note, head.byline(draft), head.dates(draft))
    text = E.div(
        body.subtitle(draft, draft.story.headings[here - 1], "h3"),
        body.paragraphs(draft, draft.story.paragraphs[:5]),
    )
    whole = E.p(draft.link("text-link", draft.word("whole")))
    turn = body.pager(draft, here, n)
    flow = [choice, turn, head.lead_figure(draft), text, turn, whole]
    return [
        E.article(top, flow),
        promo.banner(draft),
        promo.more_from(draft),
        promo.related_stories(draft, 3),
    ]


@family("multi-page", frame=frames.app)
def slide_by_slide(draft: Draft) -> Content:
    """One picture per page: a click-through list, with advertisements on both sides."""
    n = draft.rng.randint(8, 25)
    here = draft.rng.randint(2, n - 1)
    next_ = draft.link("button", draft.word("next"), " →")
    frame = E.figure(
        draft.photo(720, 480), E.figcaption(head.caption(draft, "span", draft.story.captions[0]))
    )
    name = body.subtitle(draft, draft.story.headings[0], "h2")
    line = E.div(E.b(f"{here} / {n}"), draft.link("button", "←"), next_)
    text = E.div(body.plain_paragraphs(draft, 0, 2))
    top = E.header(head.title(draft, "h4"), head.meta(draft))
    sides = [E.aside(promo.frame(draft, 160, 600)) for _ in range(2)]
    three = draft.node("three", "div", sides[0], E.section(line, name, frame, text, line), sides[1])
    return [top, three, promo.stack(draft, 4)]


def _offer(draft: Draft, tag: str) -> MarkupNode:
    """Return the publisher's offer for the rest; None, like its newsletter."""
    return draft.node(
        "offer",
        tag,
        draft.node("box-heading", "h2", draft.word("offer")),
        draft.label("p", "offer_text"),
        draft.button("subscribe"),
        E.p(f"{draft.word('have_account')} ", draft.link("text-link", draft.word("login"))),
    )


@family("paywall", frame=frames.slim)
def fading_text(draft: Draft) -> Content:
    """Two paragraphs that fade out, and the offer over the rest."""
    faded = draft.node("fade", "div", body.plain_paragraphs(draft, 0, 2))
    top = [head.kicker(draft), head.title(draft), head.standfirst(draft), head.meta(draft)]
    story = E.article(top, head.lead_figure(draft), faded)
    return [
        story,
        _offer(draft, "section"),
        boilerplate.newsletter(draft),
        promo.related_stories(draft, 3),
    ]


@family("paywall", frame=frames.hub)
def locked(draft: Draft) -> Content:
    """A title, one paragraph, three prices side by side, and what others read instead."""
    prices = [
        E.li(
            E.strong(draft.phrase("prices")),
            draft.label("span", "minutes"),
            draft.button("subscribe"),
        )
        for _ in range(3)
    ]
    start = [head.title(draft, "h1"), E.div(head.dates(draft)), head.byline(draft)]
    first = draft.node("first-paragraph", "div", draft.story.standfirst, gold="Paragraph")
    text = body.plain_paragraphs(draft, 0, 1)
    wall = draft.node("offer", "section", draft.label("h3", "offer"), E.ul(prices))
    return [E.div(start, first, text), wall, promo.ranking(draft), promo.latest_headlines(draft)]
