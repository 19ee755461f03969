"""Long and visual forms: chapters, time lines, picture stories, data, explanations, letters."""

from __future__ import annotations

from structce.corpora.synthetic import ads, body, frames, heading, media, parts, reactions, teasers
from structce.corpora.synthetic.draft import Draft
from structce.corpora.synthetic.inline import initial, marked_up
from structce.corpora.synthetic.nodes import Content, Node, node
from structce.corpora.synthetic.registry import family


@family("news")
def long_read(draft: Draft) -> Content:
    """A long report: a title page, a table of contents, chapters that open with a large letter."""
    chapters = [
        _chapter(draft, i, title, texts) for i, (title, texts) in enumerate(parts.sections(draft))
    ]
    cover = draft.node(
        "hero",
        "header",
        node("div", heading.kicker(draft), heading.titled(draft, "h1"), heading.standfirst(draft)),
        node("div", heading.byline(draft), heading.dates(draft)),
    )
    start = [parts.contents(draft, draft.story.headings), node("div", parts.opening(draft))]
    last = node(
        "footer",
        reactions.author_box(draft),
        teasers.more_from(draft),
        node("p", draft.word("correction")),
    )
    inner = draft.node("narrow", "div", start, chapters, last)
    return [frames.logo(draft), node("article", cover, inner), teasers.related(draft, 3)]


def _chapter(draft: Draft, place: int, title: Node, texts: list[Node]) -> Node:
    number = draft.node("counter", "span", f"{draft.word('chapter')} {place + 1}", gold="None")
    first = draft.story.paragraphs[place]
    letter = None
    if draft.site.language.forms.gap and first[0].isupper():
        rest = [initial(draft, first[0]), marked_up(draft, first[1:])]
        letter = draft.node("paragraph", "p", rest, gold="Paragraph")
    figure = parts.picture(draft, 900, 420, place + 1) if place % 2 == 0 else None
    return node("section", node("header", number, title), figure, letter, texts)


@family("news")
def time_line(draft: Draft) -> Content:
    """What happened when: years head the entries of one long list."""
    first = draft.rng.randint(1950, 1990)
    events = [
        node(
            "li",
            parts.subtitle(draft, str(first + 4 * i + draft.rng.randint(0, 3)), "h3"),
            node(
                "div", parts.text(draft, text), media.inset(draft, i // 3) if i % 3 == 1 else None
            ),
        )
        for i, text in enumerate(draft.story.paragraphs)
    ]
    top = [
        heading.titled(draft, "h1"),
        heading.standfirst(draft),
        node("div", heading.byline(draft)),
    ]
    list_ = draft.node("time-rail", "ol", events)
    return frames.slim(draft, node("section", top, list_, node("div", heading.dates(draft))))


@family("gallery")
def photo_story(draft: Draft) -> Content:
    """A picture story: large pictures, each with a few lines under it."""
    captions = [media.caption(draft, "p", text) for text in draft.story.captions[:7]]
    sizes = ((960, 540), (960, 640), (470, 620))
    shown = [
        node(
            "li",
            draft.image("image", *sizes[i % 3], gold="Multimedia", alt=""),
            node("div", caption, parts.text(draft, text) if i % 2 else None),
        )
        for i, (caption, text) in enumerate(zip(captions, draft.story.paragraphs * 2, strict=False))
    ]
    top = node("div", heading.titled(draft, "h1"), heading.meta(draft))
    start = node(
        "div", draft.node("first-paragraph", "p", draft.story.standfirst, gold="Paragraph")
    )
    return frames.rail(draft, top, start, node("ol", shown), reactions.share(draft))


@family("news")
def data_story(draft: Draft) -> Content:
    """Numbers first: a chart and tables, and how they were made."""
    texts = parts.texts(draft)
    half = len(texts) // 2
    note = node(
        "details",
        node("summary", draft.word("source")),
        node("p", draft.say("references")),
        open="open",
    )
    story = node(
        "main",
        node("div", draft.node("kicker", "p", draft.word("source")), heading.titled(draft, "h1")),
        node("div", heading.byline(draft), heading.dates(draft)),
        node("section", media.chart(draft), texts[:half]),
        node("section", parts.numbers(draft, draft.story.captions[1]), texts[half:]),
        node("figure", parts.numbers(draft, draft.story.captions[2])),
        draft.node("inline-box", "div", note),
    )
    return frames.hub(draft, draft.node("wide", "div", story), teasers.related_at(draft, "below"))


@family("news")
def explainer(draft: Draft) -> Content:
    """Questions and answers about the news, which fold."""
    questions = draft.several("questions", len(draft.story.paragraphs) - 1)
    folds = [
        node(
            "details",
            draft.node("section-heading", "summary", question, gold="Subtitle"),
            parts.text(draft, text),
            open="open",
        )
        for question, text in zip(questions, draft.story.paragraphs[1:], strict=False)
    ]
    top = node("header", heading.titled(draft, "h1"), heading.meta(draft))
    box = teasers.boxed(draft, "faq", parts.bullets(draft, draft.story.points[:3]))
    start: Content = [media.lead_figure(draft), box, parts.texts(draft, 0, 1)]
    asked = node(
        "div", node("span", draft.word("helpful")), node("a", draft.word("yes"), href="/y")
    )
    return frames.slim(draft, node("article", top, start, folds), asked, ads.box(draft))


@family("newsletter")
def letter_to_readers(draft: Draft) -> Content:
    """An issue of a newsletter in the archive: nested tables, a greeting, a signature."""

    def row(*inner: Content) -> Node:
        return node("tr", node("td", inner))

    greeting = draft.node("paragraph", "p", draft.word("greeting"), gold="Paragraph")
    number = f"{draft.word('issue')} {draft.rng.randint(2, 300)}"
    blocks = [
        row(node("table", node("tbody", row(title), row(texts))))
        for title, texts in parts.sections(draft, "h2")
    ]
    advertisement = row(ads.sponsored(draft))
    rows = [
        row(node("small", number), parts.dated(draft)),
        row(heading.titled(draft, "h1")),
        row(greeting, parts.opening(draft)),
        *blocks[:2],
        advertisement,
        *blocks[2:],
        row(parts.signed(draft)),
    ]
    return frames.letter(draft, node("table", node("tbody", rows)))


@family("gallery")
def contact_sheet(draft: Draft) -> Content:
    """A gallery of small pictures: a grid, captions in the grid, hardly any text."""
    cells = [
        node(
            "a",
            draft.image("image", 230, 160, gold="Multimedia", alt=""),
            media.caption(draft, "span", text),
        )
        for text in draft.story.captions[:12]
    ]
    top = [heading.headline(draft), parts.signed(draft), parts.dated(draft)]
    text = parts.texts(draft, 0, 2, "div")
    return frames.app(
        draft, top, text, draft.node("sheet-grid", "div", cells), teasers.stack(draft, 2)
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
        heading.titled(draft, "h1"),
        years,
    )
    flow = parts.flow(draft, "h4")
    story = node(
        "article", top, parts.opening(draft), flow, parts.signed(draft), parts.dated(draft)
    )
    return frames.plain(draft, story, draft.link("button", draft.word("candle")), book)


@family("opinion")
def essay(draft: Draft) -> Content:
    """An essay: title, name, text; thoughts between the paragraphs, nothing beside them."""
    flow: list[Content] = [*body.paragraphs(draft)]
    for i, text in enumerate(draft.story.opinions):
        flow.insert(
            2 * i + 1, draft.node("paragraph", draft.tag("paragraph"), text, gold="Paragraph")
        )
    stars = node("p", "* * *")
    top = [parts.signed(draft, "h3"), heading.titled(draft, "h1")]
    end = node("footer", node("i", heading.dates(draft)), reactions.portrait(draft))
    return [draft.node("narrow", "div", frames.logo(draft), top, flow[:6], stars, flow[6:], end)]
