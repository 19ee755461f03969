"""Public authorities and science: press releases, warnings, minutes, papers, campus news."""

from __future__ import annotations

from structce.corpora.synthetic import body, frames, heading, media, parts, reactions, teasers
from structce.corpora.synthetic.draft import Draft
from structce.corpora.synthetic.nodes import Content, between, node
from structce.corpora.synthetic.registry import family


@family("release", lacks=("authors",))
def press_release(draft: Draft) -> Content:
    """A press release: reference and date first, notes and whom to call at the end (None)."""
    number = f"{draft.rng.randint(10, 400)}/{draft.story.published.year}"
    facts = parts.fact_table(
        draft,
        [(draft.word("reference"), number), (draft.word("place"), draft.slot("place"))],
    )
    call = [node("p", draft.person()), node("p", f"+00 {draft.rng.randrange(10**7):07d}")]
    contact = draft.node("box", "section", node("h2", draft.word("press_contact")), call)
    notes = [
        parts.subtitle(draft, draft.word("notes")),
        parts.bullets(draft, draft.story.points, "ol"),
    ]
    files = node("p", draft.link("text-link", icon_text(draft, "download")))
    top = [draft.node("kicker", "p", draft.word("press")), heading.titled(draft, "h1")]
    text = draft.node("body", "div", parts.texts(draft), notes)
    return frames.official(draft, top, parts.dated(draft), facts, text, files, contact)


def icon_text(draft: Draft, word: str) -> Content:
    """Return a label after a drawn symbol."""
    return [reactions.icon(draft), " ", draft.word(word)]


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
        parts.subtitle(draft, draft.story.headings[3], "h3"),
        parts.bullets(draft, draft.story.points),
    ]
    box = draft.node("callout", "div", reactions.icon(draft), heading.titled(draft, "h2"))
    text = [node("div", text) for text in parts.texts(draft, 0, 4)]
    day = node("footer", heading.dates(draft))
    return frames.official(draft, node("article", box, text, level, advice, day))


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
    middle = parts.subtitle(draft, draft.story.headings[1], "h3")
    top = node("div", heading.titled(draft, "h1"), parts.dated(draft))
    end = node("div", draft.word("reporting"), " ", heading.names(draft))
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
    places = [node("li", text) for text in draft.several("affiliations", len(names))]
    abstract = draft.node(
        "callout",
        "section",
        parts.subtitle(draft, draft.word("abstract")),
        draft.node("standfirst", "p", draft.story.standfirst, gold="Paragraph"),
    )
    keys = node("p", node("b", draft.word("keywords")), " ", ", ".join(draft.story.tags))
    flow = [
        node(
            "section",
            title,
            texts,
            parts.numbers(draft, draft.story.captions[i]) if i == 2 else None,
        )
        for i, (title, texts) in enumerate(parts.sections(draft, "h3"))
    ]
    sources = [node("li", text) for text in draft.several("references", 3)]
    side = node(
        "aside", parts.contents(draft, draft.story.headings, "ul"), icon_text(draft, "download")
    )
    head = node(
        "header", heading.titled(draft, "h1"), node("div", between(", ", names)), node("ul", places)
    )
    end = node("section", node("h3", draft.word("sources")), node("ol", sources))
    text = node("article", head, parts.dated(draft), abstract, keys, flow, media.chart(draft), end)
    return frames.slim(draft, draft.node("split", "div", text, side))


@family("science", topic="science")
def campus_news(draft: Draft) -> Content:
    """A university's report on its own research: picture, text, whom to ask, the paper itself."""
    ask = [node("p", draft.person(), node("br"), draft.say("affiliations"))]
    box = draft.node("box", "div", node("h4", draft.word("contact")), ask)
    source = draft.node(
        "inline-box", "p", draft.word("source"), ": ", draft.say("references"), gold="None"
    )
    lead = node("div", parts.picture(draft, 700, 380, 0, "p"))
    text = node("div", body.with_headings(draft, body.paragraphs(draft)), source)
    title = [node("div", heading.dates(draft)), heading.headline(draft), heading.standfirst(draft)]
    return frames.rail(
        draft, lead, title, text, heading.byline(draft), box, teasers.stack(draft, 3)
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
    points = parts.bullets(draft, draft.story.points[:3])
    top = node("div", media.lead_figure(draft), node("div", heading.titled(draft, "h1")))
    line = node("div", heading.byline(draft), heading.dates(draft), heading.standfirst(draft))
    flow = body.spread(draft, texts, [node("div", box, points), media.inset(draft, 2)])
    story = node("main", top, line, node("div", flow), draft.node("notes", "footer", notes))
    return frames.hub(draft, story, teasers.related(draft, 4))
