"""Templates of news articles in other arrangements: split screen, tables, telephones, print."""

from __future__ import annotations

from structce.synthetic import ads_and_teasers as promo
from structce.synthetic import article_body as body
from structce.synthetic import article_head as head
from structce.synthetic import boilerplate
from structce.synthetic import page_frames as frames
from structce.synthetic.dom import Content, E, MarkupNode, row, table
from structce.synthetic.draft import Draft, drop_cap, family, inline_markup


@family("news", frame=frames.hub)
def local_paper(draft: Draft) -> Content:
    """A town's paper: notices on the left, the story in the middle, advertisements on the right."""
    notices = [E.li(draft.link("teaser-link", text)) for text in draft.phrases("services", 6)]
    left = E.div(E.h4(draft.slot("place")), E.ul(notices))
    title = E.header(head.title(draft, "h1"), head.meta(draft))
    story = E.article(title, body.body(draft), boilerplate.tags(draft))
    right = [promo.box(draft), promo.ranking(draft), promo.more_from(draft), promo.box(draft)]
    three = draft.node("three", "div", left, E.div(story), E.div(right))
    return [three, promo.related_stories(draft, 4, "latest")]


@family("news", frame=frames.slim)
def wire(draft: Draft) -> Content:
    """A wire service: numbers and keywords first, no pictures, signed with initials at the end."""
    number = f"{draft.slot('place')}-{draft.rng.randrange(10**4):04d}"
    keys = ", ".join(draft.story.tags)
    facts = body.fact_list(draft, [(draft.word("reference"), number), (draft.word("tags"), keys)])
    rows = [row(*pair) for pair in promo.dated_headlines(draft, 9)]
    story = [
        facts,
        head.title(draft, "h2"),
        body.labelled_date(draft),
        E.section(body.paragraphs(draft)),
        body.signature(draft),
    ]
    return [E.article(story), table(rows)]


@family("news")
def split_screen(draft: Draft) -> Content:
    """A magazine: picture and title stay on the left, the text runs on the right."""
    fixed = E.div(body.captioned_image(draft, 480, 640, 0), head.title(draft, "h1"))
    words = [head.standfirst(draft), head.byline(draft), head.dates(draft)]
    flow = body.distribute(draft, body.paragraphs(draft), [body.quote(draft), head.inset(draft, 1)])
    right = E.div(E.header(words), E.div(flow), boilerplate.author_box(draft))
    more = E.footer(promo.stack(draft, 2))
    return [draft.node("split", "article", fixed, right), draft.node("page", "div", more)]


@family("news", frame=frames.app)
def e_paper(draft: Draft) -> Content:
    """A printed page on screen: text in columns, page numbers, other articles above and below."""
    turn = body.pager(draft, draft.rng.randint(2, 7), 8)
    title = E.hgroup(head.kicker(draft), head.title(draft, "h1"))
    lines = [draft.node("standfirst", "b", draft.story.standfirst, gold="Subtitle")]
    text = draft.node(
        "newsprint", "div", body.plain_paragraphs(draft, tag="div"), body.signature(draft, "div")
    )
    day = E.div(head.dates(draft))
    neighbours = [E.div(E.h3(o.headline), E.p(o.standfirst)) for o in draft.teasers(2)]
    sheet = E.section(day, title, lines, text)
    return [turn, sheet, E.section(neighbours), turn]


@family("news", lacks=("authors",), frame=frames.slim)
def digest(draft: Draft) -> Content:
    """News in brief: short items under headlines of their own, without authors."""
    items = [
        E.section(title, E.div(texts), head.inset(draft, i) if i == 1 else None)
        for i, (title, texts) in enumerate(body.sections(draft, "h3"))
    ]
    top = E.div(draft.node("kicker", "span", draft.word("brief")), head.title(draft, "h1"))
    first = E.section(body.lead_paragraphs(draft))
    day = E.div(head.dates(draft))
    return [top, day, first, body.distribute(draft, items, [promo.box(draft)])]


@family("news", frame=frames.minimal)
def margin_notes(draft: Draft) -> Content:
    """A weekly: author, date and related items beside the text, in a narrow floating margin."""
    side = [head.byline(draft), E.div(head.dates(draft)), boilerplate.share_bar(draft)]
    also = E.ul(draft.headlines(3, "li"))
    margin = draft.node("margin", "aside", side, draft.label("h5", "see_also"), also)
    top = E.header(head.kicker(draft), head.title(draft, "h1"), head.standfirst(draft))
    flow = body.add_headings(draft, body.paragraphs(draft))
    extra = body.insertions(draft, n_pictures=2, n_ads=1)
    text = draft.node("body", "section", margin, body.distribute(draft, flow, extra))
    return [E.article(top, head.lead_figure(draft), text), promo.more_from(draft)]


@family("news")
def old_portal(draft: Draft) -> Content:
    """A portal of 1998: nested tables, font elements, empty pictures as spacers."""

    def cell(*inner: Content, width: str = "100%") -> MarkupNode:
        return E.td(inner, width=width, valign="top")

    gap = draft.image("spacer", 1, 12)
    lines = [[text, E.br(), E.br()] for text in draft.story.paragraphs]
    story = E.font(lines, gold="Paragraph", size="3")
    title = E.font(head.title(draft, "b"), size="5")
    line = E.small(head.names(draft), " ", head.plain_date(draft, "i"))
    links = [[draft.link("nav-link", o.headline), E.br()] for o in draft.teasers(8)]
    inner = table([E.tr(cell(*content)) for content in ([title], [line], [gap, story])])
    outer = E.tr(cell(links, width="20%"), cell(inner, width="60%"), cell(promo.box(draft)))
    return [
        table(E.tr(cell(E.h2(boilerplate.logo(draft)), promo.banner(draft)))),
        table(outer, cellpadding=6),
        draft.label("center", "rights"),
    ]


@family("news", frame=frames.app)
def pocket(draft: Draft) -> Content:
    """A page for telephones: sections that fold, advertisements between them."""
    groups = [
        E.details(E.summary(title), E.div(texts), open="open")
        for title, texts in body.sections(draft, "span")
    ]
    top = [head.lead_figure(draft), head.title(draft, "h2"), head.meta(draft)]
    sections = [
        [group, promo.frame(draft, 320, 50) if i == 1 else None] for i, group in enumerate(groups)
    ]
    more = [E.div(E.b(draft.link("teaser-link", o.headline))) for o in draft.teasers(5)]
    return [top, E.section(body.lead_paragraphs(draft), sections), more]


@family("news")
def print_view(draft: Draft) -> Content:
    """Version for printing: text only, with the addresses of links at the end."""
    address = f"https://{draft.site.host}/print/{draft.rng.randrange(10**6)}"
    day = body.labelled_date(draft)
    top = [E.p(draft.site.name), head.title(draft, "h1"), head.standfirst(draft)]
    links = [E.li(E.code(f"https://{draft.site.host}/{i}.html")) for i in range(3)]
    return draft.node(
        "sheet",
        "div",
        draft.form_button("print"),
        top,
        body.signature(draft),
        day,
        body.paragraphs(draft),
        E.hr(),
        E.ol(links),
        E.tt(address),
    )


@family("news", frame=frames.hub)
def sports_report(draft: Draft) -> Content:
    """A match: the score above the title, line-ups and the table below the text."""
    teams = [draft.slot(key) for key in ("place", "town")]
    goals = [draft.rng.randint(0, 4) for _ in teams]
    score = [E.li(E.em(team), E.strong(str(n))) for team, n in zip(teams, goals, strict=True)]
    result = draft.node("score", "div", draft.label("small", "results"), E.ul(score))
    heads = [draft.word(key) for key in ("team", "played", "points")]
    clubs = draft.site.language.names["places"][:6]
    rows = [(club, str(17 + i % 2), str(40 - 5 * i)) for i, club in enumerate(clubs)]
    sides = [E.dd(", ".join(draft.person() for _ in range(5))) for _ in teams]
    players = [[E.dt(team), side] for team, side in zip(teams, sides, strict=True)]
    end = [
        draft.node("facts", "dl", draft.label("dt", "lineups"), players, gold="Paragraph"),
        body.data_table(draft, heads, rows, draft.word("table")),
    ]
    top: Content = [result, head.title_block(draft, None), head.lead_figure(draft)]
    story = E.article(top, body.body(draft), end)
    side = [promo.headed_box(draft, "latest", promo.stack(draft, 4)), promo.more_from(draft)]
    return boilerplate.columns(draft, story, side)


@family("news")
def long_read(draft: Draft) -> Content:
    """A long report: a title page, a table of contents, chapters that open with a large letter."""
    sections = enumerate(body.sections(draft))
    chapters = [_chapter(draft, i, title, texts) for i, (title, texts) in sections]
    cover = draft.node(
        "hero",
        "header",
        E.div(head.kicker(draft), head.title(draft, "h1"), head.standfirst(draft)),
        head.byline_and_dates(draft),
    )
    start = [
        body.table_of_contents(draft, draft.story.headings),
        E.div(body.lead_paragraphs(draft)),
    ]
    last = E.footer(
        boilerplate.author_box(draft), promo.more_from(draft), draft.label("p", "correction")
    )
    inner = draft.node("narrow", "div", start, chapters, last)
    return [boilerplate.logo(draft), E.article(cover, inner), promo.related_stories(draft, 3)]


def _chapter(draft: Draft, place: int, title: MarkupNode, texts: list[MarkupNode]) -> MarkupNode:
    number = draft.node("counter", "span", f"{draft.word('chapter')} {place + 1}", gold="None")
    first = draft.story.paragraphs[place]
    letter = None
    if draft.site.language.forms.gap and first[0].isupper():
        rest = [drop_cap(draft, first[0]), inline_markup(draft, first[1:])]
        letter = draft.node("paragraph", "p", rest, gold="Paragraph")
    figure = body.captioned_image(draft, 900, 420, place + 1) if place % 2 == 0 else None
    return E.section(E.header(number, title), figure, letter, texts)


@family("news", frame=frames.slim)
def time_line(draft: Draft) -> Content:
    """A chronology: years as headings of the entries of one long list."""
    first = draft.rng.randint(1950, 1990)
    events = [
        E.li(
            body.subtitle(draft, str(first + 4 * i + draft.rng.randint(0, 3)), "h3"),
            E.div(
                body.plain_paragraph(draft, text), head.inset(draft, i // 3) if i % 3 == 1 else None
            ),
        )
        for i, text in enumerate(draft.story.paragraphs)
    ]
    top = [head.title(draft, "h1"), head.standfirst(draft), E.div(head.byline(draft))]
    list_ = draft.node("time-rail", "ol", events)
    return E.section(top, list_, E.div(head.dates(draft)))


@family("gallery", frame=frames.rail)
def photo_story(draft: Draft) -> Content:
    """A picture story: large pictures, each with a few lines under it."""
    captions = [head.caption(draft, "p", text) for text in draft.story.captions[:7]]
    sizes = ((960, 540), (960, 640), (470, 620))
    shown = [
        E.li(
            draft.image("image", *sizes[i % 3], gold="Multimedia", alt=""),
            E.div(caption, body.plain_paragraph(draft, text) if i % 2 else None),
        )
        for i, (caption, text) in enumerate(zip(captions, draft.story.paragraphs * 2, strict=False))
    ]
    top = E.div(head.title(draft, "h1"), head.meta(draft))
    start = E.div(draft.node("first-paragraph", "p", draft.story.standfirst, gold="Paragraph"))
    return [top, start, E.ol(shown), boilerplate.share_bar(draft)]


@family("news", frame=frames.hub)
def data_story(draft: Draft) -> Content:
    """Numbers first: a chart and tables, and a note on the method."""
    texts = body.plain_paragraphs(draft)
    half = len(texts) // 2
    note = E.details(draft.label("summary", "source"), E.p(draft.phrase("references")), open="open")
    story = E.main(
        E.div(draft.node("kicker", "p", draft.word("source")), head.title(draft, "h1")),
        head.byline_and_dates(draft),
        E.section(head.chart(draft), texts[:half]),
        E.section(body.number_table(draft, draft.story.captions[1]), texts[half:]),
        E.figure(body.number_table(draft, draft.story.captions[2])),
        draft.node("inline-box", "div", note),
    )
    return [draft.node("wide", "div", story), promo.related_at(draft, "below")]


@family("news", frame=frames.slim)
def explainer(draft: Draft) -> Content:
    """Questions and answers about the news, in folding sections."""
    questions = draft.phrases("questions", len(draft.story.paragraphs) - 1)
    folds = [
        E.details(
            body.subtitle(draft, question, "summary"),
            body.plain_paragraph(draft, text),
            open="open",
        )
        for question, text in zip(questions, draft.story.paragraphs[1:], strict=False)
    ]
    top = E.header(head.title(draft, "h1"), head.meta(draft))
    box = promo.headed_box(draft, "faq", body.bullet_list(draft, draft.story.points[:3]))
    start: Content = [head.lead_figure(draft), box, body.plain_paragraphs(draft, 0, 1)]
    feedback = E.div(draft.label("span", "helpful"), E.a(draft.word("yes"), href="/y"))
    return [E.article(top, start, folds), feedback, promo.box(draft)]


@family("newsletter", frame=frames.letter)
def letter_to_readers(draft: Draft) -> Content:
    """An issue of a newsletter in the archive: nested tables, a greeting, a signature."""
    greeting = draft.node("paragraph", "p", draft.word("greeting"), gold="Paragraph")
    number = f"{draft.word('issue')} {draft.rng.randint(2, 300)}"
    blocks = [row(table(row(title), row(texts))) for title, texts in body.sections(draft, "h2")]
    advertisement = row(promo.sponsored_box(draft))
    rows = [
        row([E.small(number), body.labelled_date(draft)]),
        row(head.title(draft, "h1")),
        row([greeting, body.lead_paragraphs(draft)]),
        *blocks[:2],
        advertisement,
        *blocks[2:],
        row(body.signature(draft)),
    ]
    return table(rows)


@family("gallery", frame=frames.app)
def contact_sheet(draft: Draft) -> Content:
    """A gallery of small pictures: a grid, captions in the grid, hardly any text."""
    cells = [
        E.a(draft.photo(230, 160), head.caption(draft, "span", text))
        for text in draft.story.captions[:12]
    ]
    top = [head.title(draft), body.signature(draft), body.labelled_date(draft)]
    text = body.plain_paragraphs(draft, 0, 2, "div")
    return [top, text, draft.node("sheet-grid", "div", cells), promo.stack(draft, 2)]


@family("obituary", topic="obituary", frame=frames.minimal)
def obituary(draft: Draft) -> Content:
    """A life: a portrait, the years of birth and death (None), condolences (None)."""
    born = draft.rng.randint(1926, 1950)
    years = draft.node("counter", "p", f"{born} – {draft.story.published.year}")
    words = [
        E.blockquote(E.p(draft.phrase("comments")), E.footer(draft.phrase("nicknames")))
        for _ in range(3)
    ]
    book = draft.node("comments", "section", draft.label("h3", "condolences"), words)
    top = E.center(draft.photo(220, 280), head.title(draft, "h1"), years)
    flow = body.section_flow(draft, "h4")
    story = E.article(
        top, body.lead_paragraphs(draft), flow, body.signature(draft), body.labelled_date(draft)
    )
    return [story, draft.button("candle"), book]


@family("opinion")
def essay(draft: Draft) -> Content:
    """An essay: title, name, text; opinions between the paragraphs, nothing beside them."""
    flow: list[Content] = [*body.paragraphs(draft)]
    for i, text in enumerate(draft.story.opinions):
        paragraph = draft.node("paragraph", draft.tag("paragraph"), text, gold="Paragraph")
        flow.insert(2 * i + 1, paragraph)
    stars = E.p("* * *")
    top = [body.signature(draft, "h3"), head.title(draft, "h1")]
    end = E.footer(E.i(head.dates(draft)), boilerplate.portrait(draft))
    parts: list[Content] = [boilerplate.logo(draft), top, flow[:6], stars, flow[6:], end]
    return draft.node("narrow", "div", parts)
