"""Templates of jobs, events, press releases, science and companies: facts are None."""

from __future__ import annotations

from datetime import timedelta

from structce.synthetic import ads_and_teasers as promo
from structce.synthetic import article_body as body
from structce.synthetic import article_head as head
from structce.synthetic import boilerplate
from structce.synthetic import page_frames as frames
from structce.synthetic.dom import Content, join, listing, node, row, table
from structce.synthetic.draft import Draft, family, format_moment

_LACKS = ("authors",)


@family("job", topic="job", lacks=_LACKS)
def job_offer(draft: Draft) -> Content:
    """An employer's own page: tasks, requirements, benefits, one button."""
    flow = [
        node(
            "section",
            title,
            texts,
            body.bullet_list(draft, draft.phrases("duties", 4)) if i < 2 else None,
        )
        for i, (title, texts) in enumerate(body.sections(draft))
    ]
    facts = body.fact_lines(
        draft,
        [
            (draft.word("place"), draft.slot("place")),
            (draft.word("contract"), draft.phrase("contracts")),
        ],
    )
    top = draft.node("hero", "div", head.title(draft, "h1"), facts)
    call = node("div", draft.button("apply"), " ", draft.link("text-link", draft.word("contact")))
    return frames.slim(
        draft,
        top,
        node("div", body.lead_paragraphs(draft)),
        flow,
        call,
        node("footer", head.dates(draft)),
    )


@family("job", topic="job", lacks=_LACKS)
def job_board(draft: Draft) -> Content:
    """A job portal: facts in a table beside the text, other vacancies as cards."""
    pairs = [
        (draft.word("employer"), draft.slot("org")),
        (draft.word("place"), draft.slot("town")),
        (draft.word("salary"), draft.phrase("prices")),
        (draft.word("contract"), draft.phrase("contracts")),
    ]
    side = node(
        "aside", body.fact_list(draft, pairs), draft.button("apply"), body.labelled_date(draft)
    )
    text = node(
        "div",
        head.title(draft),
        body.plain_paragraphs(draft),
        body.bullet_list(draft, draft.phrases("duties", 5)),
    )
    cards = [
        node(
            "div",
            node("h5", o.headline),
            node("span", o.section),
            node("em", draft.phrase("contracts")),
        )
        for o in draft.teasers(4)
    ]
    similar = node("section", draft.label("h4", "similar"), draft.node("sheet-grid", "div", cards))
    return frames.hub(draft, draft.node("split", "div", text, side), similar)


@family("event", topic="event")
def event_page(draft: Draft) -> Content:
    """An event: when, where, how much (None: no dates of publication), a programme with hours."""
    day = format_moment(draft.site, "weekday", draft.story.published + timedelta(days=40))
    pairs = [
        (draft.word("when"), day),
        (draft.word("where"), draft.slot("place")),
        (draft.word("admission"), draft.phrase("prices")),
    ]
    hours = [
        node("tr", node("td", f"{16 + i}:30"), node("td", text, gold="Paragraph"))
        for i, text in enumerate(draft.phrases("programme", 5))
    ]
    plan = [body.subtitle(draft, draft.word("programme"), "h2"), table(hours)]
    poster = node("figure", draft.photo(420, 560))
    buy = node("p", draft.button("tickets"))
    right = node("div", head.title(draft, "h1"), body.fact_list(draft, pairs), buy)
    map_ = draft.node(
        "player", "iframe", gold="None", attributes={"src": "/map", "width": "500", "height": "220"}
    )
    text = node("section", body.plain_paragraphs(draft), plan, map_)
    end = [body.signature(draft), body.labelled_date(draft)]
    return frames.slim(
        draft, draft.node("split", "section", poster, right), text, end, promo.stack(draft, 2)
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
            draft.button("tickets"),
        )
        for i in range(2, 7)
    ]
    cast = [node("dd", f"{draft.person()}") for _ in range(5)]
    people = draft.node("facts", "dl", draft.label("dt", "people"), cast)
    quotes = [node("q", draft.phrase("reviews")) for _ in range(2)]
    hero = node("div", draft.node("wide", "div", draft.photo(900, 380)), head.title(draft, "h2"))
    text = node("div", body.plain_paragraphs(draft, tag="div"), node("div", head.video(draft)))
    return frames.rail(draft, hero, node("ul", days), text, people, node("section", quotes))


@family("release", lacks=("authors",))
def press_release(draft: Draft) -> Content:
    """A press release: reference and date first, notes and contacts at the end (None)."""
    number = f"{draft.rng.randint(10, 400)}/{draft.story.published.year}"
    facts = body.fact_table(
        draft, [(draft.word("reference"), number), (draft.word("place"), draft.slot("place"))]
    )
    call = [node("p", draft.person()), node("p", f"+00 {draft.rng.randrange(10**7):07d}")]
    contact = draft.node("box", "section", draft.label("h2", "press_contact"), call)
    notes = [
        body.subtitle(draft, draft.word("notes")),
        body.bullet_list(draft, draft.story.points, "ol"),
    ]
    files = node("p", draft.link("text-link", icon_text(draft, "download")))
    top = [draft.node("kicker", "p", draft.word("press")), head.title(draft, "h1")]
    text = draft.node("body", "div", body.plain_paragraphs(draft), notes)
    return frames.official(draft, top, body.labelled_date(draft), facts, text, files, contact)


def icon_text(draft: Draft, word: str) -> Content:
    """Return a label after a drawn symbol."""
    return [boilerplate.icon(draft), " ", draft.word(word)]


@family("release", lacks=("authors",))
def warning(draft: Draft) -> Content:
    """An authority's warning: level and districts in a table, advice as a list."""
    places = draft.site.language.names["places"][:5]
    rows = [
        node("tr", node("th", place), [node("td", str(draft.rng.randint(1, 4))) for _ in range(3)])
        for place in places
    ]
    level = draft.node("facts", "table", node("tbody", rows))
    advice = [
        body.subtitle(draft, draft.story.headings[3], "h3"),
        body.bullet_list(draft, draft.story.points),
    ]
    box = draft.node("callout", "div", boilerplate.icon(draft), head.title(draft, "h2"))
    text = [node("div", text) for text in body.plain_paragraphs(draft, 0, 4)]
    day = node("footer", head.dates(draft))
    return frames.official(draft, node("article", box, text, level, advice, day))


@family("release")
def minutes(draft: Draft) -> Content:
    """Minutes of a meeting: speakers and their words (both Paragraph), by a clerk."""
    speakers = [draft.slot(role) for role in ("lead", "critic", "expert")]
    turns = [
        [node("dt", node("u", speakers[i % 3])), node("dd", text)]
        for i, text in enumerate(draft.story.paragraphs)
    ]
    points = [node("li", draft.link("toc-link", title)) for title in draft.story.headings]
    agenda = draft.node("toc", "div", draft.label("h2", "contents"), node("ol", points))
    first = draft.node("speech", "dl", turns[:4], gold="Paragraph")
    rest = draft.node("speech", "dl", turns[4:], gold="Paragraph")
    middle = body.subtitle(draft, draft.story.headings[1], "h3")
    top = node("div", head.title(draft, "h1"), body.labelled_date(draft))
    end = node("div", draft.word("reporting"), " ", head.names(draft))
    return frames.official(
        draft, top, agenda, first, middle, rest, end if draft.story.authors else None
    )


@family("science", topic="science")
def paper(draft: Draft) -> Content:
    """A scientific article: affiliations and keywords (None), an abstract, numbered sections."""
    homes = [node("sup", str(i + 1)) for i in range(len(draft.story.authors))]
    names = [
        [draft.node("author", "a", name, gold="Author", attributes={"href": "#a"}), home]
        for name, home in zip(draft.story.authors, homes, strict=True)
    ]
    places = [node("li", text) for text in draft.phrases("affiliations", len(names))]
    abstract = draft.node(
        "callout",
        "section",
        body.subtitle(draft, draft.word("abstract")),
        draft.node("standfirst", "p", draft.story.standfirst, gold="Paragraph"),
    )
    keys = node("p", draft.label("b", "keywords"), " ", ", ".join(draft.story.tags))
    flow = [
        node(
            "section",
            title,
            texts,
            body.number_table(draft, draft.story.captions[i]) if i == 2 else None,
        )
        for i, (title, texts) in enumerate(body.sections(draft, "h3"))
    ]
    sources = [node("li", text) for text in draft.phrases("references", 3)]
    side = node(
        "aside",
        body.table_of_contents(draft, draft.story.headings, "ul"),
        icon_text(draft, "download"),
    )
    top = node(
        "header", head.title(draft, "h1"), node("div", join(", ", names)), node("ul", places)
    )
    end = node("section", draft.label("h3", "sources"), node("ol", sources))
    text = node(
        "article", top, body.labelled_date(draft), abstract, keys, flow, head.chart(draft), end
    )
    return frames.slim(draft, draft.node("split", "div", text, side))


@family("science", topic="science")
def campus_news(draft: Draft) -> Content:
    """A university's report on its own research: picture, text, contact, the paper itself."""
    ask = [node("p", draft.person(), node("br"), draft.phrase("affiliations"))]
    box = draft.node("box", "div", draft.label("h4", "contact"), ask)
    source = draft.node(
        "inline-box", "p", draft.word("source"), ": ", draft.phrase("references"), gold="None"
    )
    lead = node("div", body.captioned_image(draft, 700, 380, 0, "p"))
    text = node("div", body.add_headings(draft, body.paragraphs(draft)), source)
    title = [node("div", head.dates(draft)), head.title(draft), head.standfirst(draft)]
    return frames.rail(draft, lead, title, text, head.byline(draft), box, promo.stack(draft, 3))


@family("science", topic="science")
def science_magazine(draft: Draft) -> Content:
    """A popular science magazine: short notes in the margin, sources with notes in the text."""
    marks = [node("sup", draft.link("footnote", f"[{i + 1}]")) for i in range(3)]
    texts = [
        draft.node("paragraph", "p", text, marks[i] if i < 3 else None, gold="Paragraph")
        for i, text in enumerate(draft.story.paragraphs)
    ]
    notes = [
        node("p", node("b", f"{i + 1} "), text)
        for i, text in enumerate(draft.phrases("references", 3))
    ]
    box = draft.node("callout", "aside", draft.label("h4", "summary"), gold="None")
    points = body.bullet_list(draft, draft.story.points[:3])
    top = node("div", head.lead_figure(draft), node("div", head.title(draft, "h1")))
    line = node("div", head.byline(draft), head.dates(draft), head.standfirst(draft))
    flow = body.distribute(draft, texts, [node("div", box, points), head.inset(draft, 2)])
    story = node("main", top, line, node("div", flow), draft.node("notes", "footer", notes))
    return frames.hub(draft, story, promo.related_stories(draft, 4))


@family("company", topic="company", lacks=("authors", "date"))
def about_us(draft: Draft) -> Content:
    """A company about itself: broad bands of alternating text and pictures, numbers, people."""
    bands = [
        draft.node("split", "section", node("div", title, texts), draft.photo(420, 280))
        for title, texts in body.sections(draft)
    ]
    counts = [
        node("li", node("strong", str(draft.rng.randint(3, 900))), node("span", text))
        for text in draft.phrases("departments", 3)
    ]
    people = [
        node(
            "figure",
            draft.image("avatar", 110, 110),
            node("figcaption", node("b", draft.person()), node("br"), draft.phrase("jobs")),
        )
        for _ in range(4)
    ]
    hero = draft.node("hero", "section", head.title(draft, "h1"), body.lead_paragraphs(draft))
    team = node("section", draft.label("h2", "people"), draft.node("sheet-grid", "div", people))
    return frames.store(
        draft, hero, bands[:2], draft.node("promises", "ul", counts), bands[2:], team
    )


@family("company", topic="company", lacks=("authors",))
def company_news(draft: Draft) -> Content:
    """A company's news: sober text, boilerplate about the firm, contact."""
    about = node(
        "section",
        body.subtitle(draft, draft.site.name, "h3"),
        body.plain_paragraph(draft, draft.story.paragraphs[0]),
    )
    call = table(node("tr", draft.label("td", "press_contact"), node("td", draft.person())))
    older = listing(
        "ul",
        [
            [
                head.small_date(draft, "teaser-date", o.published),
                draft.link("teaser-link", o.headline),
            ]
            for o in draft.teasers(5)
        ],
    )
    top = node(
        "div", node("div", head.dates(draft)), head.title(draft, "h1"), head.standfirst(draft)
    )
    text = node(
        "article",
        top,
        body.plain_paragraphs(draft, 1),
        body.number_table(draft, draft.story.captions[1]),
        about,
        call,
    )
    return frames.app(draft, text, node("section", draft.label("h3", "archive"), older))


@family("company", topic="company", lacks=("authors", "date"))
def services(draft: Draft) -> Content:
    """A tradesman's page: services, opening hours in a table, a contact form."""
    hours = [row(f"{i}.", f"{8 + i % 2}–17") for i in range(1, 6)]
    form = node(
        "form",
        [
            node("label", draft.word(word), node("input", type="text"))
            for word in ("place", "contact", "question")
        ],
        draft.button("contact"),
    )
    flow = [
        node("dl", node("dt", title), node("dd", texts))
        for title, texts in body.sections(draft, "b")
    ]
    picture = node("p", draft.photo(640, 240))
    top = node("center", head.title(draft, "h1"), picture)
    left = node("td", body.lead_paragraphs(draft), flow)
    right = node("td", table(hours), form)
    layout = table(node("tr", left, right))
    return [
        node("center", boilerplate.logo(draft)),
        top,
        layout,
        node("hr"),
        boilerplate.share_bar(draft),
        draft.label("p", "rights"),
    ]
