"""Jobs and events: facts (None) beside a text (Paragraph)."""

from __future__ import annotations

from datetime import timedelta

from structce.synthetic import ads_and_teasers, article_body, article_head, boilerplate
from structce.synthetic.dom import Content, between, node
from structce.synthetic.draft import Draft, format_moment
from structce.synthetic.registry import family

_LACKS = ("authors",)


@family("job", topic="job", lacks=_LACKS)
def job_offer(draft: Draft) -> Content:
    """An employer's own page: what you do, what you bring, what you get, one button."""
    flow = [
        node(
            "section",
            title,
            texts,
            article_body.bullets(draft, draft.several("duties", 4)) if i < 2 else None,
        )
        for i, (title, texts) in enumerate(article_body.sections(draft))
    ]
    facts = article_body.fact_lines(
        draft,
        [
            (draft.word("place"), draft.slot("place")),
            (draft.word("contract"), draft.say("contracts")),
        ],
    )
    top = draft.node("hero", "div", article_head.titled(draft, "h1"), facts)
    call = node(
        "div",
        draft.link("button", draft.word("apply")),
        " ",
        draft.link("text-link", draft.word("contact")),
    )
    return boilerplate.slim(
        draft,
        top,
        node("div", article_body.opening(draft)),
        flow,
        call,
        node("footer", article_head.dates(draft)),
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
        article_body.fact_list(draft, pairs),
        draft.link("button", draft.word("apply")),
        article_body.dated(draft),
    )
    text = node(
        "div",
        article_head.headline(draft),
        article_body.texts(draft),
        article_body.bullets(draft, draft.several("duties", 5)),
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
    return boilerplate.hub(draft, draft.node("split", "div", text, side), similar)


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
        article_body.subtitle(draft, draft.word("programme"), "h2"),
        node("table", node("tbody", hours)),
    ]
    poster = node("figure", draft.image("image", 420, 560, gold="Multimedia"))
    buy = node("p", draft.link("button", draft.word("tickets")))
    right = node("div", article_head.titled(draft, "h1"), article_body.fact_list(draft, pairs), buy)
    map_ = draft.node(
        "player", "iframe", gold="None", attributes={"src": "/map", "width": "500", "height": "220"}
    )
    text = node("section", article_body.texts(draft), plan, map_)
    end = [article_body.signed(draft), article_body.dated(draft)]
    return boilerplate.slim(
        draft,
        draft.node("split", "section", poster, right),
        text,
        end,
        ads_and_teasers.stack(draft, 2),
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
        article_head.titled(draft, "h2"),
    )
    text = node("div", article_body.texts(draft, tag="div"), node("div", article_head.video(draft)))
    return boilerplate.rail(draft, hero, node("ul", days), text, people, node("section", said))


@family("release", lacks=("authors",))
def press_release(draft: Draft) -> Content:
    """A press release: reference and date first, notes and whom to call at the end (None)."""
    number = f"{draft.rng.randint(10, 400)}/{draft.story.published.year}"
    facts = article_body.fact_table(
        draft,
        [(draft.word("reference"), number), (draft.word("place"), draft.slot("place"))],
    )
    call = [node("p", draft.person()), node("p", f"+00 {draft.rng.randrange(10**7):07d}")]
    contact = draft.node("box", "section", node("h2", draft.word("press_contact")), call)
    notes = [
        article_body.subtitle(draft, draft.word("notes")),
        article_body.bullets(draft, draft.story.points, "ol"),
    ]
    files = node("p", draft.link("text-link", icon_text(draft, "download")))
    top = [draft.node("kicker", "p", draft.word("press")), article_head.titled(draft, "h1")]
    text = draft.node("body", "div", article_body.texts(draft), notes)
    return boilerplate.official(draft, top, article_body.dated(draft), facts, text, files, contact)


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
        article_body.subtitle(draft, draft.story.headings[3], "h3"),
        article_body.bullets(draft, draft.story.points),
    ]
    box = draft.node("callout", "div", boilerplate.icon(draft), article_head.titled(draft, "h2"))
    text = [node("div", text) for text in article_body.texts(draft, 0, 4)]
    day = node("footer", article_head.dates(draft))
    return boilerplate.official(draft, node("article", box, text, level, advice, day))


@family("release")
def minutes(draft: Draft) -> Content:
    """What was said in a meeting: speakers and their words (both Paragraph), by a clerk."""
    speakers = [draft.slot(role) for role in ("lead", "critic", "expert")]
    said = [
        [node("dt", node("u", speakers[i % 3])), node("dd", text)]
        for i, text in enumerate(draft.story.paragraphs)
    ]
    points = [node("li", draft.link("toc-link", title)) for title in draft.story.headings]
    agenda = draft.node("toc", "div", node("h2", draft.word("contents")), node("ol", points))
    first = draft.node("speech", "dl", said[:4], gold="Paragraph")
    rest = draft.node("speech", "dl", said[4:], gold="Paragraph")
    middle = article_body.subtitle(draft, draft.story.headings[1], "h3")
    top = node("div", article_head.titled(draft, "h1"), article_body.dated(draft))
    end = node("div", draft.word("reporting"), " ", article_head.names(draft))
    return boilerplate.official(
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
    places = [node("li", text) for text in draft.several("affiliations", len(names))]
    abstract = draft.node(
        "callout",
        "section",
        article_body.subtitle(draft, draft.word("abstract")),
        draft.node("standfirst", "p", draft.story.standfirst, gold="Paragraph"),
    )
    keys = node("p", node("b", draft.word("keywords")), " ", ", ".join(draft.story.tags))
    flow = [
        node(
            "section",
            title,
            texts,
            article_body.numbers(draft, draft.story.captions[i]) if i == 2 else None,
        )
        for i, (title, texts) in enumerate(article_body.sections(draft, "h3"))
    ]
    sources = [node("li", text) for text in draft.several("references", 3)]
    side = node(
        "aside",
        article_body.contents(draft, draft.story.headings, "ul"),
        icon_text(draft, "download"),
    )
    head = node(
        "header",
        article_head.titled(draft, "h1"),
        node("div", between(", ", names)),
        node("ul", places),
    )
    end = node("section", node("h3", draft.word("sources")), node("ol", sources))
    text = node(
        "article",
        head,
        article_body.dated(draft),
        abstract,
        keys,
        flow,
        article_head.chart(draft),
        end,
    )
    return boilerplate.slim(draft, draft.node("split", "div", text, side))


@family("science", topic="science")
def campus_news(draft: Draft) -> Content:
    """A university's report on its own research: picture, text, whom to ask, the paper itself."""
    ask = [node("p", draft.person(), node("br"), draft.say("affiliations"))]
    box = draft.node("box", "div", node("h4", draft.word("contact")), ask)
    source = draft.node(
        "inline-box", "p", draft.word("source"), ": ", draft.say("references"), gold="None"
    )
    lead = node("div", article_body.picture(draft, 700, 380, 0, "p"))
    text = node("div", article_body.with_headings(draft, article_body.paragraphs(draft)), source)
    title = [
        node("div", article_head.dates(draft)),
        article_head.headline(draft),
        article_head.standfirst(draft),
    ]
    return boilerplate.rail(
        draft, lead, title, text, article_head.byline(draft), box, ads_and_teasers.stack(draft, 3)
    )


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
        for i, text in enumerate(draft.several("references", 3))
    ]
    box = draft.node("callout", "aside", node("h4", draft.word("summary")), gold="None")
    points = article_body.bullets(draft, draft.story.points[:3])
    top = node(
        "div", article_head.lead_figure(draft), node("div", article_head.titled(draft, "h1"))
    )
    line = node(
        "div", article_head.byline(draft), article_head.dates(draft), article_head.standfirst(draft)
    )
    flow = article_body.spread(
        draft, texts, [node("div", box, points), article_head.inset(draft, 2)]
    )
    story = node("main", top, line, node("div", flow), draft.node("notes", "footer", notes))
    return boilerplate.hub(draft, story, ads_and_teasers.related(draft, 4))


@family("company", topic="company", lacks=("authors", "date"))
def about_us(draft: Draft) -> Content:
    """A company about itself: broad bands with text and picture in turn, numbers, people."""
    bands = [
        draft.node(
            "split",
            "section",
            node("div", title, texts),
            draft.image("image", 420, 280, gold="Multimedia"),
        )
        for title, texts in article_body.sections(draft)
    ]
    counts = [
        node("li", node("strong", str(draft.rng.randint(3, 900))), node("span", text))
        for text in draft.several("departments", 3)
    ]
    people = [
        node(
            "figure",
            draft.image("avatar", 110, 110),
            node("figcaption", node("b", draft.person()), node("br"), draft.say("jobs")),
        )
        for _ in range(4)
    ]
    hero = draft.node(
        "hero", "section", article_head.titled(draft, "h1"), article_body.opening(draft)
    )
    team = node(
        "section", node("h2", draft.word("people")), draft.node("sheet-grid", "div", people)
    )
    return boilerplate.store(
        draft, hero, bands[:2], draft.node("promises", "ul", counts), bands[2:], team
    )


@family("company", topic="company", lacks=("authors",))
def company_news(draft: Draft) -> Content:
    """A company's news: sober text, the boilerplate about the firm, whom to call."""
    about = node(
        "section",
        article_body.subtitle(draft, draft.site.name, "h3"),
        article_body.text(draft, draft.story.paragraphs[0]),
    )
    call = node(
        "table",
        node(
            "tbody", node("tr", node("td", draft.word("press_contact")), node("td", draft.person()))
        ),
    )
    older = node(
        "ul",
        [
            node(
                "li",
                article_head.small_date(draft, "teaser-date", o.published),
                draft.link("teaser-link", o.headline),
            )
            for o in draft.teasers(5)
        ],
    )
    top = node(
        "div",
        node("div", article_head.dates(draft)),
        article_head.titled(draft, "h1"),
        article_head.standfirst(draft),
    )
    text = node(
        "article",
        top,
        article_body.texts(draft, 1),
        article_body.numbers(draft, draft.story.captions[1]),
        about,
        call,
    )
    return boilerplate.app(draft, text, node("section", node("h3", draft.word("archive")), older))


@family("company", topic="company", lacks=("authors", "date"))
def services(draft: Draft) -> Content:
    """A craftsman's page: what is done, opening hours in a table, a form to write to."""
    hours = [node("tr", node("td", f"{i}."), node("td", f"{8 + i % 2}–17")) for i in range(1, 6)]
    form = node(
        "form",
        [
            node("label", draft.word(word), node("input", type="text"))
            for word in ("place", "contact", "question")
        ],
        draft.link("button", draft.word("contact")),
    )
    flow = [
        node("dl", node("dt", title), node("dd", texts))
        for title, texts in article_body.sections(draft, "b")
    ]
    picture = node("p", draft.image("image", 640, 240, gold="Multimedia"))
    top = node("center", article_head.titled(draft, "h1"), picture)
    left = node("td", article_body.opening(draft), flow)
    right = node("td", node("table", node("tbody", hours)), form)
    layout = node("table", node("tbody", node("tr", left, right)))
    return [
        node("center", boilerplate.logo(draft)),
        top,
        layout,
        node("hr"),
        boilerplate.share(draft),
        node("p", draft.word("rights")),
    ]
