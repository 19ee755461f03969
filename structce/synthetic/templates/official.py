"""Templates of jobs, events, press releases, science and companies: facts are None."""

from __future__ import annotations

from datetime import timedelta

from structce.synthetic import ads_and_teasers as promo
from structce.synthetic import article_body as body
from structce.synthetic import article_head as head
from structce.synthetic import boilerplate
from structce.synthetic import page_frames as frames
from structce.synthetic.dom import Content, E, join, listing, row, table
from structce.synthetic.draft import Draft, family, format_moment

_LACKS = ("authors",)


@family("job", topic="job", lacks=_LACKS, frame=frames.slim)
def job_offer(draft: Draft) -> Content:
    """An employer's own page: tasks, requirements, benefits, one button."""
    flow = [
        E.section(
            title, texts, body.bullet_list(draft, draft.phrases("duties", 4)) if i < 2 else None
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
    call = E.div(draft.button("apply"), " ", draft.link("text-link", draft.word("contact")))
    return [top, E.div(body.lead_paragraphs(draft)), flow, call, E.footer(head.dates(draft))]


@family("job", topic="job", lacks=_LACKS, frame=frames.hub)
def job_board(draft: Draft) -> Content:
    """A job portal: facts in a table beside the text, other vacancies as cards."""
    pairs = [
        (draft.word("employer"), draft.slot("org")),
        (draft.word("place"), draft.slot("town")),
        (draft.word("salary"), draft.phrase("prices")),
        (draft.word("contract"), draft.phrase("contracts")),
    ]
    side = E.aside(body.fact_list(draft, pairs), draft.button("apply"), body.labelled_date(draft))
    text = E.div(
        head.title(draft),
        body.plain_paragraphs(draft),
        body.bullet_list(draft, draft.phrases("duties", 5)),
    )
    cards = [
        E.div(E.h5(o.headline), E.span(o.section), E.em(draft.phrase("contracts")))
        for o in draft.teasers(4)
    ]
    similar = E.section(draft.label("h4", "similar"), draft.node("sheet-grid", "div", cards))
    return [draft.node("split", "div", text, side), similar]


@family("event", topic="event", frame=frames.slim)
def event_page(draft: Draft) -> Content:
    """An event: when, where, how much (None: no dates of publication), a programme with hours."""
    day = format_moment(draft.site, "weekday", draft.story.published + timedelta(days=40))
    pairs = [
        (draft.word("when"), day),
        (draft.word("where"), draft.slot("place")),
        (draft.word("admission"), draft.phrase("prices")),
    ]
    hours = [
        E.tr(E.td(f"{16 + i}:30"), E.td(text, gold="Paragraph"))
        for i, text in enumerate(draft.phrases("programme", 5))
    ]
    plan = [body.subtitle(draft, draft.word("programme"), "h2"), table(hours)]
    poster = E.figure(draft.photo(420, 560))
    buy = E.p(draft.button("tickets"))
    right = E.div(head.title(draft, "h1"), body.fact_list(draft, pairs), buy)
    map_ = draft.node("player", "iframe", gold="None", src="/map", width=500, height=220)
    text = E.section(body.plain_paragraphs(draft), plan, map_)
    end = [body.signature(draft), body.labelled_date(draft)]
    return [draft.node("split", "section", poster, right), text, end, promo.stack(draft, 2)]


@family("event", topic="event", lacks=("authors", "date"), frame=frames.rail)
def playbill(draft: Draft) -> Content:
    """A theatre's page: dates to choose from (None), who plays (None), what critics said."""
    moments = (draft.story.published + timedelta(days=7 * i) for i in range(2, 7))
    days = [
        E.li(E.time(format_moment(draft.site, "medium", when)), " ", draft.button("tickets"))
        for when in moments
    ]
    cast = [E.dd(f"{draft.person()}") for _ in range(5)]
    people = draft.node("facts", "dl", draft.label("dt", "people"), cast)
    quotes = [E.q(draft.phrase("reviews")) for _ in range(2)]
    hero = E.div(draft.node("wide", "div", draft.photo(900, 380)), head.title(draft, "h2"))
    text = E.div(body.plain_paragraphs(draft, tag="div"), E.div(head.video(draft)))
    return [hero, E.ul(days), text, people, E.section(quotes)]


@family("release", lacks=("authors",), frame=frames.official)
def press_release(draft: Draft) -> Content:
    """A press release: reference and date first, notes and contacts at the end (None)."""
    number = f"{draft.rng.randint(10, 400)}/{draft.story.published.year}"
    facts = body.fact_table(
        draft, [(draft.word("reference"), number), (draft.word("place"), draft.slot("place"))]
    )
    call = [E.p(draft.person()), E.p(f"+00 {draft.rng.randrange(10**7):07d}")]
    contact = draft.node("box", "section", draft.label("h2", "press_contact"), call)
    notes = [
        body.subtitle(draft, draft.word("notes")),
        body.bullet_list(draft, draft.story.points, "ol"),
    ]
    files = E.p(draft.link("text-link", icon_text(draft, "download")))
    top = [draft.node("kicker", "p", draft.word("press")), head.title(draft, "h1")]
    text = draft.node("body", "div", body.plain_paragraphs(draft), notes)
    return [top, body.labelled_date(draft), facts, text, files, contact]


def icon_text(draft: Draft, word: str) -> Content:
    """Return a label after a drawn symbol."""
    return [boilerplate.icon(draft), " ", draft.word(word)]


@family("release", lacks=("authors",), frame=frames.official)
def warning(draft: Draft) -> Content:
    """An authority's warning: level and districts in a table, advice as a list."""
    places = draft.site.language.names["places"][:5]
    rows = [
        E.tr(E.th(place), [E.td(str(draft.rng.randint(1, 4))) for _ in range(3)])
        for place in places
    ]
    level = draft.node("facts", "table", E.tbody(rows))
    advice = [
        body.subtitle(draft, draft.story.headings[3], "h3"),
        body.bullet_list(draft, draft.story.points),
    ]
    box = draft.node("callout", "div", boilerplate.icon(draft), head.title(draft, "h2"))
    text = [E.div(text) for text in body.plain_paragraphs(draft, 0, 4)]
    day = E.footer(head.dates(draft))
    return E.article(box, text, level, advice, day)


@family("release", frame=frames.official)
def minutes(draft: Draft) -> Content:
    """Minutes of a meeting: speakers and their words (both Paragraph), by a clerk."""
    speakers = [draft.slot(role) for role in ("lead", "critic", "expert")]
    texts = enumerate(draft.story.paragraphs)
    turns = [[E.dt(E.u(speakers[i % 3])), E.dd(text)] for i, text in texts]
    points = [E.li(draft.link("toc-link", title)) for title in draft.story.headings]
    agenda = draft.node("toc", "div", draft.label("h2", "contents"), E.ol(points))
    first = draft.node("speech", "dl", turns[:4], gold="Paragraph")
    rest = draft.node("speech", "dl", turns[4:], gold="Paragraph")
    middle = body.subtitle(draft, draft.story.headings[1], "h3")
    top = E.div(head.title(draft, "h1"), body.labelled_date(draft))
    end = E.div(draft.word("reporting"), " ", head.names(draft))
    return [top, agenda, first, middle, rest, end if draft.story.authors else None]


@family("science", topic="science", frame=frames.slim)
def paper(draft: Draft) -> Content:
    """A scientific article: affiliations and keywords (None), an abstract, numbered sections."""
    homes = [E.sup(str(i + 1)) for i in range(len(draft.story.authors))]
    names = [
        [draft.node("author", "a", name, gold="Author", href="#a"), home]
        for name, home in zip(draft.story.authors, homes, strict=True)
    ]
    places = [E.li(text) for text in draft.phrases("affiliations", len(names))]
    abstract = draft.node(
        "callout",
        "section",
        body.subtitle(draft, draft.word("abstract")),
        draft.node("standfirst", "p", draft.story.standfirst, gold="Paragraph"),
    )
    keys = E.p(draft.label("b", "keywords"), " ", ", ".join(draft.story.tags))
    flow = [
        E.section(
            title, texts, body.number_table(draft, draft.story.captions[i]) if i == 2 else None
        )
        for i, (title, texts) in enumerate(body.sections(draft, "h3"))
    ]
    sources = [E.li(text) for text in draft.phrases("references", 3)]
    contents = body.table_of_contents(draft, draft.story.headings, "ul")
    side = E.aside(contents, icon_text(draft, "download"))
    top = E.header(head.title(draft, "h1"), E.div(join(", ", names)), E.ul(places))
    end = E.section(draft.label("h3", "sources"), E.ol(sources))
    text = E.article(top, body.labelled_date(draft), abstract, keys, flow, head.chart(draft), end)
    return draft.node("split", "div", text, side)


@family("science", topic="science", frame=frames.rail)
def campus_news(draft: Draft) -> Content:
    """A university's report on its own research: picture, text, contact, the paper itself."""
    ask = [E.p(draft.person(), E.br(), draft.phrase("affiliations"))]
    box = draft.node("box", "div", draft.label("h4", "contact"), ask)
    source = draft.node(
        "inline-box", "p", draft.word("source"), ": ", draft.phrase("references"), gold="None"
    )
    lead = E.div(body.captioned_image(draft, 700, 380, 0, "p"))
    text = E.div(body.add_headings(draft, body.paragraphs(draft)), source)
    title = [E.div(head.dates(draft)), head.title(draft), head.standfirst(draft)]
    return [lead, title, text, head.byline(draft), box, promo.stack(draft, 3)]


@family("science", topic="science", frame=frames.hub)
def science_magazine(draft: Draft) -> Content:
    """A popular science magazine: short notes in the margin, sources with notes in the text."""
    marks = [E.sup(draft.link("footnote", f"[{i + 1}]")) for i in range(3)]
    texts = [
        draft.node("paragraph", "p", text, marks[i] if i < 3 else None, gold="Paragraph")
        for i, text in enumerate(draft.story.paragraphs)
    ]
    notes = [E.p(E.b(f"{i + 1} "), text) for i, text in enumerate(draft.phrases("references", 3))]
    box = draft.node("callout", "aside", draft.label("h4", "summary"), gold="None")
    points = body.bullet_list(draft, draft.story.points[:3])
    top = E.div(head.lead_figure(draft), E.div(head.title(draft, "h1")))
    line = E.div(head.byline(draft), head.dates(draft), head.standfirst(draft))
    flow = body.distribute(draft, texts, [E.div(box, points), head.inset(draft, 2)])
    story = E.main(top, line, E.div(flow), draft.node("notes", "footer", notes))
    return [story, promo.related_stories(draft, 4)]


@family("company", topic="company", lacks=("authors", "date"), frame=frames.store)
def about_us(draft: Draft) -> Content:
    """A company about itself: broad bands of alternating text and pictures, numbers, people."""
    bands = [
        draft.node("split", "section", E.div(title, texts), draft.photo(420, 280))
        for title, texts in body.sections(draft)
    ]
    counts = [
        E.li(E.strong(str(draft.rng.randint(3, 900))), E.span(text))
        for text in draft.phrases("departments", 3)
    ]
    people = [
        E.figure(
            draft.image("avatar", 110, 110),
            E.figcaption(E.b(draft.person()), E.br(), draft.phrase("jobs")),
        )
        for _ in range(4)
    ]
    hero = draft.node("hero", "section", head.title(draft, "h1"), body.lead_paragraphs(draft))
    team = E.section(draft.label("h2", "people"), draft.node("sheet-grid", "div", people))
    return [hero, bands[:2], draft.node("promises", "ul", counts), bands[2:], team]


@family("company", topic="company", lacks=("authors",), frame=frames.app)
def company_news(draft: Draft) -> Content:
    """A company's news: sober text, boilerplate about the firm, contact."""
    about = E.section(
        body.subtitle(draft, draft.site.name, "h3"),
        body.plain_paragraph(draft, draft.story.paragraphs[0]),
    )
    call = table(E.tr(draft.label("td", "press_contact"), E.td(draft.person())))
    older = listing("ul", promo.dated_headlines(draft, 5))
    top = E.div(E.div(head.dates(draft)), head.title(draft, "h1"), head.standfirst(draft))
    text = E.article(
        top,
        body.plain_paragraphs(draft, 1),
        body.number_table(draft, draft.story.captions[1]),
        about,
        call,
    )
    return [text, E.section(draft.label("h3", "archive"), older)]


@family("company", topic="company", lacks=("authors", "date"))
def services(draft: Draft) -> Content:
    """A tradesman's page: services, opening hours in a table, a contact form."""
    hours = [row(f"{i}.", f"{8 + i % 2}–17") for i in range(1, 6)]
    form = E.form(
        [
            E.label(draft.word(word), E.input(type="text"))
            for word in ("place", "contact", "question")
        ],
        draft.button("contact"),
    )
    flow = [E.dl(E.dt(title), E.dd(texts)) for title, texts in body.sections(draft, "b")]
    picture = E.p(draft.photo(640, 240))
    top = E.center(head.title(draft, "h1"), picture)
    left = E.td(body.lead_paragraphs(draft), flow)
    right = E.td(table(hours), form)
    layout = table(E.tr(left, right))
    return [
        E.center(boilerplate.logo(draft)),
        top,
        layout,
        E.hr(),
        boilerplate.share_bar(draft),
        draft.label("p", "rights"),
    ]
