"""Templates of documentation and wikis: lines of code are Paragraph, like the text."""

from __future__ import annotations

from structce.synthetic import article_body as body
from structce.synthetic import article_head as head
from structce.synthetic import page_frames as frames
from structce.synthetic.dom import Content, E, MarkupNode, join, listing, row
from structce.synthetic.draft import Draft, family, inline_markup
from structce.synthetic.templates.blogs import CODE

_LACKS = ("authors",)
_NAMES = ("read(path)", "keep(rows, test)", "write(rows, path)", "mean(values)", "split(text)")


def _code(draft: Draft) -> MarkupNode:
    """Return lines of code with a button to copy them (None)."""
    copy = E.button(draft.word("copy"), type="button", gold="None")
    lines = draft.node("code", "pre", E.code(draft.rng.choice(CODE)), gold="Paragraph")
    return E.div(copy, lines)


def _last_change(draft: Draft) -> Content:
    return body.labelled_date(draft, word="updated")


@family("documentation", topic="docs", lacks=_LACKS)
def guide(draft: Draft) -> Content:
    """A guide: chapters on the left, the page's headlines on the right, notes in boxes."""
    sections = [
        E.section(title, texts, _code(draft) if i % 2 == 0 else None)
        for i, (title, texts) in enumerate(body.sections(draft))
    ]
    note = draft.node(
        "callout",
        "div",
        draft.label("b", "notes"),
        body.plain_paragraph(draft, draft.story.paragraphs[-1]),
        gold="None",
    )
    here = body.table_of_contents(draft, draft.story.headings, "ul")
    top = [head.title(draft, "h1"), E.p(draft.story.standfirst, gold="Subtitle")]
    feedback = E.div(draft.word("helpful"), " ", draft.link("tool", draft.word("yes")))
    text = E.article(
        top, body.lead_paragraphs(draft), sections[:2], note, sections[2:], _last_change(draft)
    )
    return frames.manual(draft, here, text, feedback)


@family("documentation", topic="docs", lacks=_LACKS)
def reference(draft: Draft) -> Content:
    """A reference of functions: signature, text, arguments in a table, an example."""
    texts = draft.story.paragraphs
    entries = [
        E.dl(
            E.dt(body.subtitle(draft, name, "code")),
            E.dd(body.plain_paragraph(draft, text), _arguments(draft, i), _code(draft)),
        )
        for i, (name, text) in enumerate(zip(_NAMES, texts, strict=False))
    ]
    index = listing("ul", [E.tt(name) for name in _NAMES])
    return frames.manual(draft, index, E.div(head.title(draft, "h1"), entries), _last_change(draft))


def _arguments(draft: Draft, place: int) -> Content:
    if place % 2:
        return None
    rows = [(name, str(draft.rng.randint(1, 64))) for name in ("path", "limit")]
    return body.data_table(
        draft, (draft.word("parameters"), draft.word("returns")), rows, draft.word("parameters")
    )


@family("documentation", topic="docs", lacks=_LACKS)
def man_page(draft: Draft) -> Content:
    """A Unix manual page: everything in a fixed-width font, headlines in capitals."""
    top = E.p("GULL(1) ", head.title(draft, "b"), " GULL(1)")
    flow = [
        [
            E.h5(title),
            E.blockquote([E.p(E.samp(text.children), gold="Paragraph") for text in texts]),
        ]
        for title, texts in body.sections(draft, "span")
    ]
    start = E.blockquote(body.lead_paragraphs(draft))
    day = E.div(head.dates(draft))
    return draft.node(
        "terminal", "div", top, start, flow, E.pre(E.code(CODE[1]), gold="Paragraph"), day
    )


@family("documentation", topic="docs", lacks=_LACKS, frame=frames.encyclopedia)
def changes(draft: Draft) -> Content:
    """Release notes: changes as lists under headlines, files to download."""
    groups = [
        E.li(title, E.ul([E.li(text.children, gold="Paragraph") for text in texts]))
        for title, texts in body.sections(draft, "strong")
    ]
    files = [E.li(E.a(f"gull-{i}.zip", href="/f"), " ", E.small(f"{i + 3} MB")) for i in range(3)]
    top = E.header(head.title(draft, "h2"), _last_change(draft))
    return [
        E.section(top, body.lead_paragraphs(draft), E.ul(groups)),
        E.section(draft.label("h4", "download"), E.ul(files)),
    ]


def _last_edit(draft: Draft, tag: str) -> Content:
    """Return the date of the last change, in one text."""
    if not draft.shows("date"):
        return None
    day = draft.date("article", draft.story.published)
    return draft.node("date", tag, f"{draft.word('last_edited')} {day}", gold="Date")


def _infobox(draft: Draft) -> MarkupNode:
    """Return facts beside the text (None) under a picture (Multimedia)."""
    numbers = [
        (name, str(draft.rng.randint(3, 90000)))
        for name in draft.site.language.lists["table_heads"]
    ]
    rows = [E.tr(E.th(name), E.td(value)) for name, value in numbers]
    photo = draft.photo(240, 170)
    caption = head.caption(draft, "div", draft.story.captions[0])
    image = E.tr(E.td(photo, caption, colspan="2"))
    name = E.tr(E.th(draft.story.headline, colspan="2"))
    return draft.node("infobox", "table", E.tbody(name, image, rows))


def _noted_paragraph(draft: Draft, text: str, number: int) -> MarkupNode:
    """Return a paragraph with links and a note mark."""
    mark = E.sup(draft.link("footnote", f"[{number}]"))
    return draft.node("paragraph", "p", inline_markup(draft, text), mark, gold="Paragraph")


@family("wiki", topic="wiki", lacks=_LACKS, frame=frames.encyclopedia)
def wiki_classic(draft: Draft) -> Content:
    """The usual encyclopedia: facts on the right, contents, headlines with edit links."""
    texts = [_noted_paragraph(draft, text, i + 1) for i, text in enumerate(draft.story.paragraphs)]
    flow = [
        [
            E.h2(
                E.span(title, gold="Subtitle"),
                E.span("[", draft.link("edit", draft.word("edit")), "]"),
            ),
            text,
        ]
        for title, text in zip(draft.story.headings, texts[1:], strict=False)
    ]
    sources = [E.li("↑ ", E.span(text)) for text in draft.phrases("references", 3)]
    notes = draft.node("notes", "div", draft.label("h2", "sources"), E.ol(sources))
    kinds = E.div(
        f"{draft.word('categories')}: ",
        join(" | ", [draft.link("text-link", tag) for tag in draft.story.tags]),
    )
    top = [head.title(draft, "h1"), E.div(draft.story.standfirst)]
    text = E.div(
        _infobox(draft),
        texts[0],
        body.table_of_contents(draft, draft.story.headings, "ul"),
        flow,
        texts[5:],
        notes,
    )
    return [top, text, kinds, _last_edit(draft, "p")]


@family("wiki", topic="wiki", lacks=_LACKS, frame=frames.minimal)
def lexicon(draft: Draft) -> Content:
    """A dictionary of the region: short entry, see also, neighbours in the alphabet."""
    letters = E.p(join(" ", [draft.link("tool", letter) for letter in "ABCDEFGHIKLM"]))
    entry = E.dl(
        E.dt(head.title(draft, "dfn")),
        [E.dd(inline_markup(draft, text), gold="Paragraph") for text in draft.story.paragraphs],
    )
    places = draft.site.language.names["places"][:7]
    near = [E.li(draft.link("teaser-link", name)) for name in places]
    return [letters, entry, _last_edit(draft, "small"), E.ul(near)]


@family("wiki", topic="wiki", lacks=_LACKS, frame=frames.slim)
def open_wiki(draft: Draft) -> Content:
    """A fan encyclopedia: a list of facts, a gallery, discussion below the article."""
    facts = body.fact_list(draft, body.specs(draft, 4))
    cells = [
        E.li(draft.photo(180, 120), head.caption(draft, "div", text))
        for text in draft.story.captions[:4]
    ]
    flow = [E.section(E.h3(title), texts) for title, texts in body.sections(draft, "span")]
    card = draft.node("infobox", "aside", E.h2(draft.story.headline), facts)
    top = E.header(
        head.title(draft, "h1"),
        E.div(draft.link("edit", draft.word("edit")), draft.link("edit", draft.word("history"))),
    )
    talk = E.section(
        draft.label("h4", "talk"),
        [E.p(E.i(draft.phrase("nicknames")), ": ", draft.phrase("replies")) for _ in range(3)],
    )
    return [
        top,
        E.article(card, body.lead_paragraphs(draft), flow, E.ul(cells)),
        _last_edit(draft, "div"),
        talk,
    ]


@family("wiki", topic="wiki", lacks=("authors", "date"), frame=frames.official)
def biography(draft: Draft) -> Content:
    """A page on one person: a portrait, a table of dates, works as a list."""
    years = [(str(1920 + 9 * i), title) for i, title in enumerate(draft.story.headings)]
    rows = [row(year, title) for year, title in years]
    life = draft.node("data", "table", E.tbody(rows), gold="Paragraph")
    works = draft.node(
        "list",
        "ul",
        [E.li(E.cite(text)) for text in draft.phrases("references", 3)],
        gold="Paragraph",
    )
    face = E.div(body.captioned_image(draft, 260, 320, 2, "div"))
    text = E.div(body.plain_paragraphs(draft))
    return E.div(head.title(draft, "h2"), face, text, life, works)
