"""News articles in other arrangements: three columns, split screen, tables, telephones, print."""

from __future__ import annotations

from structce.synthetic import ads_and_teasers, article_body, article_head, boilerplate
from structce.synthetic.dom import Content, Node, node
from structce.synthetic.draft import Draft, initial, marked_up
from structce.synthetic.registry import family


@family("news")
def local_paper(draft: Draft) -> Content:
    """A town's paper: notices on the left, the story in the middle, advertisements on the right."""
    notices = [node("li", draft.link("teaser-link", text)) for text in draft.several("services", 6)]
    left = node("div", node("h4", draft.slot("place")), node("ul", notices))
    title = node("header", article_head.titled(draft, "h1"), article_head.meta(draft))
    story = node("article", title, article_body.body(draft), boilerplate.tags(draft))
    right = [
        ads_and_teasers.box(draft),
        ads_and_teasers.ranking(draft),
        ads_and_teasers.more_from(draft),
        ads_and_teasers.box(draft),
    ]
    three = draft.node("three", "div", left, node("div", story), node("div", right))
    return boilerplate.hub(draft, three, ads_and_teasers.related(draft, 4, "latest"))


@family("news")
def wire(draft: Draft) -> Content:
    """A wire service: numbers and keywords first, no pictures, signed with initials at the end."""
    number = f"{draft.slot('place')}-{draft.rng.randrange(10**4):04d}"
    keys = ", ".join(draft.story.tags)
    facts = article_body.fact_list(
        draft, [(draft.word("reference"), number), (draft.word("tags"), keys)]
    )
    rows = [
        node(
            "tr",
            node("td", article_head.small_date(draft, "teaser-date", other.published)),
            node("td", draft.link("teaser-link", other.headline)),
        )
        for other in draft.teasers(9)
    ]
    story = [
        facts,
        article_head.titled(draft, "h2"),
        article_body.dated(draft),
        node("section", article_body.paragraphs(draft)),
        article_body.signed(draft),
    ]
    return boilerplate.slim(draft, node("article", story), node("table", node("tbody", rows)))


@family("news")
def split_screen(draft: Draft) -> Content:
    """A magazine: picture and title stay on the left, the text runs on the right."""
    fixed = node("div", article_body.picture(draft, 480, 640, 0), article_head.titled(draft, "h1"))
    words = [article_head.standfirst(draft), article_head.byline(draft), article_head.dates(draft)]
    flow = article_body.spread(
        draft,
        article_body.paragraphs(draft),
        [article_body.quote(draft), article_head.inset(draft, 1)],
    )
    right = node("div", node("header", words), node("div", flow), boilerplate.author_box(draft))
    more = node("footer", ads_and_teasers.stack(draft, 2))
    return [draft.node("split", "article", fixed, right), draft.node("page", "div", more)]


@family("news")
def e_paper(draft: Draft) -> Content:
    """A printed page on the screen: text in columns, page numbers, neighbours above and below."""
    turn = article_body.pager(draft, draft.rng.randint(2, 7), 8)
    title = node("hgroup", article_head.kicker(draft), article_head.titled(draft, "h1"))
    lines = [draft.node("standfirst", "b", draft.story.standfirst, gold="Subtitle")]
    text = draft.node(
        "newsprint", "div", article_body.texts(draft, tag="div"), article_body.signed(draft, "div")
    )
    day = node("div", article_head.dates(draft))
    neighbours = [
        node("div", node("h3", o.headline), node("p", o.standfirst)) for o in draft.teasers(2)
    ]
    sheet = node("section", day, title, lines, text)
    return boilerplate.app(draft, turn, sheet, node("section", neighbours), turn)


@family("news", lacks=("authors",))
def digest(draft: Draft) -> Content:
    """News in brief: short items under headlines of their own, signed by nobody."""
    items = [
        node("section", title, node("div", texts), article_head.inset(draft, i) if i == 1 else None)
        for i, (title, texts) in enumerate(article_body.sections(draft, "h3"))
    ]
    top = node(
        "div", draft.node("kicker", "span", draft.word("brief")), article_head.titled(draft, "h1")
    )
    first = node("section", article_body.opening(draft))
    day = node("div", article_head.dates(draft))
    return boilerplate.slim(
        draft, top, day, first, article_body.spread(draft, items, [ads_and_teasers.box(draft)])
    )


@family("news")
def margin_notes(draft: Draft) -> Content:
    """A weekly: who, when and what else beside the text, in a narrow margin that floats."""
    side = [
        article_head.byline(draft),
        node("div", article_head.dates(draft)),
        boilerplate.share(draft),
    ]
    also = node("ul", [node("li", draft.link("teaser-link", o.headline)) for o in draft.teasers(3)])
    margin = draft.node("margin", "aside", side, node("h5", draft.word("see_also")), also)
    top = node(
        "header",
        article_head.kicker(draft),
        article_head.titled(draft, "h1"),
        article_head.standfirst(draft),
    )
    flow = article_body.with_headings(draft, article_body.paragraphs(draft))
    extra = article_body.interruptions(draft, n_pictures=2, n_ads=1)
    text = draft.node("body", "section", margin, article_body.spread(draft, flow, extra))
    return boilerplate.plain(
        draft,
        node("article", top, article_head.lead_figure(draft), text),
        ads_and_teasers.more_from(draft),
    )


@family("news")
def old_portal(draft: Draft) -> Content:
    """A portal of 1998: nested tables, font elements, empty pictures that keep a distance."""

    def cell(*inner: Content, width: str = "100%") -> Node:
        return node("td", inner, width=width, valign="top")

    def row(*cells: Node) -> Node:
        return node("tr", cells)

    gap = draft.image("spacer", 1, 12)
    story = node(
        "font",
        [[text, node("br"), node("br")] for text in draft.story.paragraphs],
        gold="Paragraph",
        size="3",
    )
    title = node("font", article_head.titled(draft, "b"), size="5")
    line = node("small", article_head.names(draft), " ", _day(draft))
    links = [[draft.link("nav-link", o.headline), node("br")] for o in draft.teasers(8)]
    inner = node("table", node("tbody", row(cell(title)), row(cell(line)), row(cell(gap, story))))
    outer = row(
        cell(links, width="20%"), cell(inner, width="60%"), cell(ads_and_teasers.box(draft))
    )
    return [
        node(
            "table",
            node(
                "tbody",
                row(cell(node("h2", boilerplate.logo(draft)), ads_and_teasers.banner(draft))),
            ),
        ),
        node("table", node("tbody", outer), cellpadding="6"),
        node("center", draft.word("rights")),
    ]


def _day(draft: Draft) -> Content:
    if not draft.shows("date"):
        return None
    return draft.node("date", "i", draft.date("article", draft.story.published), gold="Date")


@family("news")
def pocket(draft: Draft) -> Content:
    """A page for telephones: sections that fold, advertisements between them."""
    groups = [
        node("details", node("summary", title), node("div", texts), open="open")
        for title, texts in article_body.sections(draft, "span")
    ]
    top = [
        article_head.lead_figure(draft),
        article_head.titled(draft, "h2"),
        article_head.meta(draft),
    ]
    parted = [
        [group, ads_and_teasers.frame(draft, 320, 50) if i == 1 else None]
        for i, group in enumerate(groups)
    ]
    more = [node("div", node("b", draft.link("teaser-link", o.headline))) for o in draft.teasers(5)]
    return boilerplate.app(draft, top, node("section", article_body.opening(draft), parted), more)


@family("news")
def print_view(draft: Draft) -> Content:
    """The version for printing: nothing but text, and the addresses of links at the end."""
    address = f"https://{draft.site.host}/print/{draft.rng.randrange(10**6)}"
    day = article_body.dated(draft)
    top = [
        node("p", draft.site.name),
        article_head.titled(draft, "h1"),
        article_head.standfirst(draft),
    ]
    links = [node("li", node("code", f"https://{draft.site.host}/{i}.html")) for i in range(3)]
    return draft.node(
        "sheet",
        "div",
        draft.node("button", "button", draft.word("print"), attributes={"type": "button"}),
        top,
        article_body.signed(draft),
        day,
        article_body.paragraphs(draft),
        node("hr"),
        node("ol", links),
        node("tt", address),
    )


@family("news")
def sports_report(draft: Draft) -> Content:
    """A match: the score above the title, line-ups and the table below the text."""
    teams = [draft.slot(key) for key in ("place", "town")]
    goals = [draft.rng.randint(0, 4) for _ in teams]
    score = [
        node("li", node("em", team), node("strong", str(n)))
        for team, n in zip(teams, goals, strict=True)
    ]
    result = draft.node("score", "div", node("small", draft.word("results")), node("ul", score))
    heads = [draft.word(key) for key in ("team", "played", "points")]
    clubs = draft.site.language.names["places"][:6]
    rows = [(club, str(17 + i % 2), str(40 - 5 * i)) for i, club in enumerate(clubs)]
    sides = [node("dd", ", ".join(draft.person() for _ in range(5))) for _ in teams]
    players = [[node("dt", team), side] for team, side in zip(teams, sides, strict=True)]
    end = [
        draft.node("facts", "dl", node("dt", draft.word("lineups")), players, gold="Paragraph"),
        article_body.table(draft, heads, rows, draft.word("table")),
    ]
    top: Content = [result, article_head.head(draft, None), article_head.lead_figure(draft)]
    story = node("article", top, article_body.body(draft), end)
    side = [
        ads_and_teasers.boxed(draft, "latest", ads_and_teasers.stack(draft, 4)),
        ads_and_teasers.more_from(draft),
    ]
    return boilerplate.hub(draft, boilerplate.columns(draft, story, side))


@family("news")
def long_read(draft: Draft) -> Content:
    """A long report: a title page, a table of contents, chapters that open with a large letter."""
    chapters = [
        _chapter(draft, i, title, texts)
        for i, (title, texts) in enumerate(article_body.sections(draft))
    ]
    cover = draft.node(
        "hero",
        "header",
        node(
            "div",
            article_head.kicker(draft),
            article_head.titled(draft, "h1"),
            article_head.standfirst(draft),
        ),
        node("div", article_head.byline(draft), article_head.dates(draft)),
    )
    start = [
        article_body.contents(draft, draft.story.headings),
        node("div", article_body.opening(draft)),
    ]
    last = node(
        "footer",
        boilerplate.author_box(draft),
        ads_and_teasers.more_from(draft),
        node("p", draft.word("correction")),
    )
    inner = draft.node("narrow", "div", start, chapters, last)
    return [
        boilerplate.logo(draft),
        node("article", cover, inner),
        ads_and_teasers.related(draft, 3),
    ]


def _chapter(draft: Draft, place: int, title: Node, texts: list[Node]) -> Node:
    number = draft.node("counter", "span", f"{draft.word('chapter')} {place + 1}", gold="None")
    first = draft.story.paragraphs[place]
    letter = None
    if draft.site.language.forms.gap and first[0].isupper():
        rest = [initial(draft, first[0]), marked_up(draft, first[1:])]
        letter = draft.node("paragraph", "p", rest, gold="Paragraph")
    figure = article_body.picture(draft, 900, 420, place + 1) if place % 2 == 0 else None
    return node("section", node("header", number, title), figure, letter, texts)


@family("news")
def time_line(draft: Draft) -> Content:
    """What happened when: years head the entries of one long list."""
    first = draft.rng.randint(1950, 1990)
    events = [
        node(
            "li",
            article_body.subtitle(draft, str(first + 4 * i + draft.rng.randint(0, 3)), "h3"),
            node(
                "div",
                article_body.text(draft, text),
                article_head.inset(draft, i // 3) if i % 3 == 1 else None,
            ),
        )
        for i, text in enumerate(draft.story.paragraphs)
    ]
    top = [
        article_head.titled(draft, "h1"),
        article_head.standfirst(draft),
        node("div", article_head.byline(draft)),
    ]
    list_ = draft.node("time-rail", "ol", events)
    return boilerplate.slim(
        draft, node("section", top, list_, node("div", article_head.dates(draft)))
    )


@family("gallery")
def photo_story(draft: Draft) -> Content:
    """A picture story: large pictures, each with a few lines under it."""
    captions = [article_head.caption(draft, "p", text) for text in draft.story.captions[:7]]
    sizes = ((960, 540), (960, 640), (470, 620))
    shown = [
        node(
            "li",
            draft.image("image", *sizes[i % 3], gold="Multimedia", alt=""),
            node("div", caption, article_body.text(draft, text) if i % 2 else None),
        )
        for i, (caption, text) in enumerate(zip(captions, draft.story.paragraphs * 2, strict=False))
    ]
    top = node("div", article_head.titled(draft, "h1"), article_head.meta(draft))
    start = node(
        "div", draft.node("first-paragraph", "p", draft.story.standfirst, gold="Paragraph")
    )
    return boilerplate.rail(draft, top, start, node("ol", shown), boilerplate.share(draft))


@family("news")
def data_story(draft: Draft) -> Content:
    """Numbers first: a chart and tables, and how they were made."""
    texts = article_body.texts(draft)
    half = len(texts) // 2
    note = node(
        "details",
        node("summary", draft.word("source")),
        node("p", draft.say("references")),
        open="open",
    )
    story = node(
        "main",
        node(
            "div", draft.node("kicker", "p", draft.word("source")), article_head.titled(draft, "h1")
        ),
        node("div", article_head.byline(draft), article_head.dates(draft)),
        node("section", article_head.chart(draft), texts[:half]),
        node("section", article_body.numbers(draft, draft.story.captions[1]), texts[half:]),
        node("figure", article_body.numbers(draft, draft.story.captions[2])),
        draft.node("inline-box", "div", note),
    )
    return boilerplate.hub(
        draft, draft.node("wide", "div", story), ads_and_teasers.related_at(draft, "below")
    )


@family("news")
def explainer(draft: Draft) -> Content:
    """Questions and answers about the news, which fold."""
    questions = draft.several("questions", len(draft.story.paragraphs) - 1)
    folds = [
        node(
            "details",
            draft.node("section-heading", "summary", question, gold="Subtitle"),
            article_body.text(draft, text),
            open="open",
        )
        for question, text in zip(questions, draft.story.paragraphs[1:], strict=False)
    ]
    top = node("header", article_head.titled(draft, "h1"), article_head.meta(draft))
    box = ads_and_teasers.boxed(draft, "faq", article_body.bullets(draft, draft.story.points[:3]))
    start: Content = [article_head.lead_figure(draft), box, article_body.texts(draft, 0, 1)]
    asked = node(
        "div", node("span", draft.word("helpful")), node("a", draft.word("yes"), href="/y")
    )
    return boilerplate.slim(
        draft, node("article", top, start, folds), asked, ads_and_teasers.box(draft)
    )


@family("newsletter")
def letter_to_readers(draft: Draft) -> Content:
    """An issue of a newsletter in the archive: nested tables, a greeting, a signature."""

    def row(*inner: Content) -> Node:
        return node("tr", node("td", inner))

    greeting = draft.node("paragraph", "p", draft.word("greeting"), gold="Paragraph")
    number = f"{draft.word('issue')} {draft.rng.randint(2, 300)}"
    blocks = [
        row(node("table", node("tbody", row(title), row(texts))))
        for title, texts in article_body.sections(draft, "h2")
    ]
    advertisement = row(ads_and_teasers.sponsored(draft))
    rows = [
        row(node("small", number), article_body.dated(draft)),
        row(article_head.titled(draft, "h1")),
        row(greeting, article_body.opening(draft)),
        *blocks[:2],
        advertisement,
        *blocks[2:],
        row(article_body.signed(draft)),
    ]
    return boilerplate.letter(draft, node("table", node("tbody", rows)))


@family("gallery")
def contact_sheet(draft: Draft) -> Content:
    """A gallery of small pictures: a grid, captions in the grid, hardly any text."""
    cells = [
        node(
            "a",
            draft.image("image", 230, 160, gold="Multimedia", alt=""),
            article_head.caption(draft, "span", text),
        )
        for text in draft.story.captions[:12]
    ]
    top = [article_head.headline(draft), article_body.signed(draft), article_body.dated(draft)]
    text = article_body.texts(draft, 0, 2, "div")
    return boilerplate.app(
        draft, top, text, draft.node("sheet-grid", "div", cells), ads_and_teasers.stack(draft, 2)
    )


@family("obituary", topic="obituary")
def obituary(draft: Draft) -> Content:
    """A life: a portrait, the years of birth and death (None), condolences (None)."""
    born = draft.rng.randint(1926, 1950)
    years = draft.node("counter", "p", f"{born} – {draft.story.published.year}")
    words = [
        node("blockquote", node("p", draft.say("comments")), node("footer", draft.say("nicknames")))
        for _ in range(3)
    ]
    book = draft.node("comments", "section", node("h3", draft.word("condolences")), words)
    top = node(
        "center",
        draft.image("image", 220, 280, gold="Multimedia"),
        article_head.titled(draft, "h1"),
        years,
    )
    flow = article_body.flow(draft, "h4")
    story = node(
        "article",
        top,
        article_body.opening(draft),
        flow,
        article_body.signed(draft),
        article_body.dated(draft),
    )
    return boilerplate.plain(draft, story, draft.link("button", draft.word("candle")), book)


@family("opinion")
def essay(draft: Draft) -> Content:
    """An essay: title, name, text; thoughts between the paragraphs, nothing beside them."""
    flow: list[Content] = [*article_body.paragraphs(draft)]
    for i, text in enumerate(draft.story.opinions):
        flow.insert(
            2 * i + 1, draft.node("paragraph", draft.tag("paragraph"), text, gold="Paragraph")
        )
    stars = node("p", "* * *")
    top = [article_body.signed(draft, "h3"), article_head.titled(draft, "h1")]
    end = node("footer", node("i", article_head.dates(draft)), boilerplate.portrait(draft))
    return [
        draft.node("narrow", "div", boilerplate.logo(draft), top, flow[:6], stars, flow[6:], end)
    ]
