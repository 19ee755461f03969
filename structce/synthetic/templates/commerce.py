"""Judgements: reviews with ratings, recipes, checked facts."""

from __future__ import annotations

from structce.synthetic import ads_and_teasers, article_body, article_head, boilerplate
from structce.synthetic.dom import Content, Node, node
from structce.synthetic.draft import Draft
from structce.synthetic.registry import family

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
        node(
            "div",
            article_body.subtitle(draft, draft.word(word), "h3"),
            article_body.bullets(draft, items),
        )
        for word, items in (("pros", texts[:2]), ("cons", texts[2:4]))
    ]
    verdict = [
        article_body.subtitle(draft, draft.word("verdict")),
        article_body.text(draft, draft.story.standfirst),
        stars(draft),
        draft.node("two", "div", columns),
    ]
    data = article_body.fact_table(draft, article_body.specs(draft, 5))
    price = draft.node("price", "span", draft.say("prices"))
    buy = draft.node("box", "div", price, draft.link("button", draft.word("cart")))
    top = [
        article_head.titled(draft, "h1"),
        article_head.byline(draft),
        node("div", article_head.dates(draft)),
    ]
    flow = article_body.flow(draft)
    story = node(
        "article", top, article_head.lead_figure(draft), article_body.opening(draft), buy, flow
    )
    return boilerplate.slim(
        draft, story, draft.node("callout", "section", verdict), data, ads_and_teasers.box(draft)
    )


@family("review", topic="review")
def critic(draft: Draft) -> Content:
    """A critic's page: what is judged in a box that floats, stars beside the title."""
    pairs = article_body.specs(draft, 3)
    cover = draft.node(
        "image",
        "img",
        gold="Multimedia",
        attributes={"src": "/c.jpg", "alt": "", "width": "180", "height": "260"},
    )
    box = draft.node("margin", "div", cover, article_body.fact_lines(draft, pairs), stars(draft))
    line = node(
        "div",
        article_head.names(draft),
        " ",
        node("time", draft.date("small", draft.story.published), gold="Date")
        if draft.shows("date")
        else None,
    )
    top = node(
        "div",
        draft.node("kicker", "em", draft.story.section),
        article_head.titled(draft, "h2"),
        line,
    )
    flow = article_body.spread(draft, article_body.paragraphs(draft), [article_body.quote(draft)])
    return boilerplate.plain(
        draft,
        top,
        node("div", box, flow),
        ads_and_teasers.more_from(draft),
        boilerplate.comments(draft),
    )


@family("recipe", topic="recipe")
def recipe_card(draft: Draft) -> Content:
    """A recipe: time and portions (None), ingredients and numbered steps (Paragraph)."""
    keys = [node("li", draft.word(word)) for word in ("servings", "minutes")]
    facts = draft.node("facts", "ul", keys)
    steps = [node("li", node("p", text)) for text in draft.story.paragraphs]
    need = [
        article_body.subtitle(draft, draft.word("ingredients")),
        article_body.bullets(draft, draft.several("ingredients", 6)),
    ]
    make = [
        article_body.subtitle(draft, draft.word("method")),
        draft.node("list", "ol", steps, gold="Paragraph"),
    ]
    head = node(
        "div", article_head.titled(draft, "h1"), stars(draft), article_body.signed(draft), facts
    )
    dish = draft.image("image", 520, 520, gold="Multimedia", alt=draft.story.headline)
    first = draft.node("split", "div", head, dish)
    second = draft.node("split", "div", node("div", need), node("div", make))
    day = article_body.dated(draft)
    return boilerplate.store(
        draft, node("section", first, second, day), boilerplate.comments(draft)
    )


@family("recipe", topic="recipe")
def kitchen_diary(draft: Draft) -> Content:
    """A cook's diary: a long story and many pictures before the recipe itself."""
    story = article_body.spread(
        draft,
        article_body.texts(draft, 0, 4),
        [article_head.inset(draft, 0), article_head.inset(draft, 1), ads_and_teasers.box(draft)],
    )
    rows = [node("tr", node("td", item)) for item in draft.several("ingredients", 5)]
    needs = draft.node("data", "table", node("tbody", rows), gold="Paragraph")
    steps = [
        article_body.text(draft, f"{i + 1}. {text}", "div")
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
    top = node(
        "header",
        article_body.dated(draft),
        article_head.headline(draft),
        article_head.byline(draft),
        jump,
    )
    return boilerplate.rail(
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
    finding = draft.node("verdict", "strong", draft.say("verdicts"), gold="Paragraph")
    box = draft.node(
        "callout",
        "div",
        node(
            "dl",
            draft.node("section-heading", "dt", draft.word("claim"), gold="Subtitle"),
            node("dd", article_body.text(draft, draft.say("claims"))),
            draft.node("section-heading", "dt", draft.word("finding"), gold="Subtitle"),
            node("dd", finding, article_body.text(draft, draft.story.standfirst)),
        ),
    )
    sources = [node("li", draft.link("text-link", text)) for text in draft.several("references", 3)]
    end = draft.node("notes", "section", node("h4", draft.word("sources")), node("ul", sources))
    top = [
        article_head.titled(draft, "h1"),
        node("div", article_head.byline(draft), article_head.dates(draft)),
    ]
    story = node("section", top, box, article_body.body(draft), end)
    side = node(
        "aside",
        ads_and_teasers.boxed(draft, "latest", ads_and_teasers.stack(draft, 3)),
        ads_and_teasers.box(draft),
    )
    return boilerplate.slim(draft, draft.node("split", "div", story, side))


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
    right = node("div", article_head.titled(draft, "h1"), stars(draft), buy)
    top = draft.node("split", "div", node("div", _photo(draft, 460), strip), right)
    text = node(
        "section",
        article_body.subtitle(draft, draft.word("description")),
        article_body.texts(draft),
    )
    data = node(
        "section",
        node("h2", draft.word("specs")),
        article_body.fact_table(draft, article_body.specs(draft, 6)),
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
    return boilerplate.store(draft, top, text, data, _judged(draft), also)


@family("shop", topic="shop", lacks=_LACKS)
def catalogue_entry(draft: Draft) -> Content:
    """A small maker's shop: one long column, text and pictures in turn, one button at the end."""
    texts = article_body.texts(draft)
    turns = [
        draft.node("split", "div", node("div", text), article_body.picture(draft, 440, 300, i))
        if i % 2
        else node("div", text)
        for i, text in enumerate(texts)
    ]
    order = node("form", _price(draft), draft.link("button", draft.word("cart")))
    top = node(
        "center",
        _photo(draft, 620),
        article_head.titled(draft, "h2"),
        node("p", draft.story.standfirst, gold="Subtitle"),
    )
    return boilerplate.plain(
        draft, top, turns, article_body.fact_lines(draft, article_body.specs(draft, 4)), order
    )


@family("shop", topic="shop", lacks=("authors",))
def auction(draft: Draft) -> Content:
    """A marketplace: a table of facts about the offer and its seller, the text in a box."""
    facts = [
        (draft.word("seller"), draft.say("nicknames")),
        (draft.word("place"), draft.slot("place")),
        *article_body.specs(draft, 4),
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
        node("td", article_head.headline(draft), bid, article_body.fact_table(draft, facts)),
    )
    box = draft.node(
        "card",
        "div",
        draft.node("section-heading", "b", draft.word("description"), gold="Subtitle"),
        node("font", [[text, node("br")] for text in draft.story.paragraphs], gold="Paragraph"),
    )
    day = article_body.dated(draft)
    other = node(
        "ul",
        [
            node("li", draft.link("teaser-link", o.headline), " ", draft.say("prices"))
            for o in draft.teasers(4)
        ],
    )
    return boilerplate.hub(draft, node("table", node("tbody", head)), day, box, other)


@family("shop", topic="shop", lacks=_LACKS)
def landing_page(draft: Draft) -> Content:
    """A page for one product: a large claim, three advantages, voices, a button again and again."""
    button = draft.link("button", draft.word("cart"))
    hero = draft.node(
        "hero",
        "section",
        article_head.titled(draft, "h1"),
        node("h2", draft.story.standfirst, gold="Subtitle"),
        button,
        _photo(draft, 420),
    )
    three = [
        node("article", title, texts[:2]) for title, texts in article_body.sections(draft, "h3")[:3]
    ]
    voices = [
        node("blockquote", node("p", text), node("cite", draft.say("nicknames")))
        for text in draft.several("reviews", 3)
    ]
    first = node("section", article_body.opening(draft), article_head.video(draft))
    rows = draft.node("sheet-grid", "section", three)
    end = node("section", _price(draft), button)
    bar = node("header", boilerplate.logo(draft), button)
    return [
        bar,
        node("main", hero, first, rows, node("section", voices), end),
        node("footer", node("p", draft.word("rights"))),
    ]


@family("classified", topic="shop", lacks=("authors",))
def small_ad(draft: Draft) -> Content:
    """A private offer: a few lines, pictures in a row, how to reach the seller."""
    row = node("p", [draft.image("image", 200, 150, gold="Multimedia") for _ in range(3)])
    text = node("div", article_body.texts(draft, 0, 3, "div"))
    call = draft.node(
        "box",
        "aside",
        node("h4", draft.word("contact")),
        node("p", draft.say("nicknames")),
        draft.link("button", draft.word("contact")),
    )
    facts = article_body.fact_lines(
        draft,
        [
            (draft.word("place"), draft.slot("town")),
            (draft.word("admission"), draft.say("prices")),
        ],
    )
    return boilerplate.rail(
        draft,
        node(
            "section",
            article_head.headline(draft),
            node("div", article_head.dates(draft)),
            _price(draft),
            row,
            text,
            facts,
        ),
        call,
        node("section", ads_and_teasers.stack(draft, 4)),
    )


@family("multi-page")
def second_page(draft: Draft) -> Content:
    """A later page of an article: the title again, no summary, links to the others twice."""
    here, n = draft.rng.randint(2, 4), 5
    options = [node("option", f"{i + 1}. {text}") for i, text in enumerate(draft.story.headings)]
    choice = node("form", node("label", draft.word("page")), node("select", options))
    note = draft.node("counter", "span", f"{draft.word('page')} {here}/{n}")
    top = node(
        "div",
        article_head.titled(draft, "h1"),
        note,
        article_head.byline(draft),
        article_head.dates(draft),
    )
    text = node(
        "div",
        article_body.subtitle(draft, draft.story.headings[here - 1], "h3"),
        article_body.paragraphs(draft, draft.story.paragraphs[:5]),
    )
    whole = node("p", draft.link("text-link", draft.word("whole")))
    turn = article_body.pager(draft, here, n)
    flow = [choice, turn, article_head.lead_figure(draft), text, turn, whole]
    return boilerplate.hub(
        draft,
        node("article", top, flow),
        ads_and_teasers.banner(draft),
        ads_and_teasers.more_from(draft),
        ads_and_teasers.related(draft, 3),
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
        node("figcaption", article_head.caption(draft, "span", draft.story.captions[0])),
    )
    name = draft.node("section-heading", "h2", draft.story.headings[0], gold="Subtitle")
    line = node("div", node("b", f"{here} / {n}"), draft.link("button", "←"), next_)
    text = node("div", article_body.texts(draft, 0, 2))
    top = node("header", article_head.titled(draft, "h4"), article_head.meta(draft))
    sides = [node("aside", ads_and_teasers.frame(draft, 160, 600)) for _ in range(2)]
    three = draft.node(
        "three", "div", sides[0], node("section", line, name, frame, text, line), sides[1]
    )
    return boilerplate.app(draft, top, three, ads_and_teasers.stack(draft, 4))


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
    faded = draft.node("fade", "div", article_body.texts(draft, 0, 2))
    top = [
        article_head.kicker(draft),
        article_head.headline(draft),
        article_head.standfirst(draft),
        article_head.meta(draft),
    ]
    story = node("article", top, article_head.lead_figure(draft), faded)
    return boilerplate.slim(
        draft,
        story,
        _offer(draft, "section"),
        boilerplate.newsletter(draft),
        ads_and_teasers.related(draft, 3),
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
    start = [
        article_head.titled(draft, "h1"),
        node("div", article_head.dates(draft)),
        article_head.byline(draft),
    ]
    first = draft.node("first-paragraph", "div", draft.story.standfirst, gold="Paragraph")
    text = article_body.texts(draft, 0, 1)
    wall = draft.node("offer", "section", node("h3", draft.word("offer")), node("ul", prices))
    return boilerplate.hub(
        draft,
        node("div", start, first, text),
        wall,
        ads_and_teasers.ranking(draft),
        ads_and_teasers.latest(draft),
    )
