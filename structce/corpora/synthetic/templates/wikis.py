"""Encyclopedias: the text is Paragraph, its headlines Subtitle; the last edit is Date."""

from __future__ import annotations

from structce.corpora.synthetic import frames, heading, media, parts, shelves
from structce.corpora.synthetic.draft import Draft
from structce.corpora.synthetic.inline import marked_up
from structce.corpora.synthetic.nodes import Content, Node, between, node
from structce.corpora.synthetic.registry import family

_LACKS = ("authors",)


def _edited(draft: Draft, tag: str) -> Content:
    """Return when the page was last changed, in one text."""
    if not draft.shows("date"):
        return None
    day = draft.date("article", draft.story.published)
    return draft.node("date", tag, f"{draft.word('last_edited')} {day}", gold="Date")


def _infobox(draft: Draft) -> Node:
    """Return facts beside the text (None) under a picture (Multimedia)."""
    numbers = [
        (name, str(draft.rng.randint(3, 90000)))
        for name in draft.site.language.lists["table_heads"]
    ]
    rows = [node("tr", node("th", name), node("td", value)) for name, value in numbers]
    image = node(
        "tr",
        node(
            "td",
            draft.image("image", 240, 170, gold="Multimedia"),
            media.caption(draft, "div", draft.story.captions[0]),
            colspan="2",
        ),
    )
    name = node("tr", node("th", draft.story.headline, colspan="2"))
    return draft.node("infobox", "table", node("tbody", name, image, rows))


def _noted(draft: Draft, text: str, number: int) -> Node:
    """Return a paragraph with links and the mark of a note."""
    mark = node("sup", draft.link("footnote", f"[{number}]"))
    return draft.node("paragraph", "p", marked_up(draft, text), mark, gold="Paragraph")


@family("wiki", topic="wiki", lacks=_LACKS)
def wiki_classic(draft: Draft) -> Content:
    """The usual encyclopedia: facts on the right, contents, headlines with a link to edit."""
    texts = [_noted(draft, text, i + 1) for i, text in enumerate(draft.story.paragraphs)]
    flow = [
        [
            node(
                "h2",
                node("span", title, gold="Subtitle"),
                node("span", "[", draft.link("edit", draft.word("edit")), "]"),
            ),
            text,
        ]
        for title, text in zip(draft.story.headings, texts[1:], strict=False)
    ]
    sources = [node("li", "↑ ", node("span", text)) for text in draft.several("references", 3)]
    notes = draft.node("notes", "div", node("h2", draft.word("sources")), node("ol", sources))
    kinds = node(
        "div",
        f"{draft.word('categories')}: ",
        between(" | ", [draft.link("text-link", tag) for tag in draft.story.tags]),
    )
    top = [heading.titled(draft, "h1"), node("div", draft.story.standfirst)]
    text = node(
        "div",
        _infobox(draft),
        texts[0],
        parts.contents(draft, draft.story.headings, "ul"),
        flow,
        texts[5:],
        notes,
    )
    return shelves.encyclopedia(draft, top, text, kinds, _edited(draft, "p"))


@family("wiki", topic="wiki", lacks=_LACKS)
def lexicon(draft: Draft) -> Content:
    """A dictionary of the region: short entry, see also, neighbours in the alphabet."""
    letters = node("p", between(" ", [draft.link("tool", letter) for letter in "ABCDEFGHIKLM"]))
    entry = node(
        "dl",
        node("dt", heading.titled(draft, "dfn")),
        [node("dd", marked_up(draft, text), gold="Paragraph") for text in draft.story.paragraphs],
    )
    near = [
        node("li", draft.link("teaser-link", name))
        for name in draft.site.language.names["places"][:7]
    ]
    return frames.plain(draft, letters, entry, _edited(draft, "small"), node("ul", near))


@family("wiki", topic="wiki", lacks=_LACKS)
def open_wiki(draft: Draft) -> Content:
    """A fan's encyclopedia: a list of facts, a gallery, talk below the article."""
    facts = parts.fact_list(draft, parts.specs(draft, 4))
    cells = [
        node(
            "li",
            draft.image("image", 180, 120, gold="Multimedia"),
            media.caption(draft, "div", text),
        )
        for text in draft.story.captions[:4]
    ]
    flow = [
        node("section", node("h3", title), texts) for title, texts in parts.sections(draft, "span")
    ]
    card = draft.node("infobox", "aside", node("h2", draft.story.headline), facts)
    top = node(
        "header",
        heading.titled(draft, "h1"),
        node(
            "div", draft.link("edit", draft.word("edit")), draft.link("edit", draft.word("history"))
        ),
    )
    talk = node(
        "section",
        node("h4", draft.word("talk")),
        [
            node("p", node("i", draft.say("nicknames")), ": ", draft.say("replies"))
            for _ in range(3)
        ],
    )
    return frames.slim(
        draft,
        top,
        node("article", card, parts.opening(draft), flow, node("ul", cells)),
        _edited(draft, "div"),
        talk,
    )


@family("wiki", topic="wiki", lacks=("authors", "date"))
def biography(draft: Draft) -> Content:
    """A page on one person: a portrait, a table of dates, works as a list."""
    years = [(str(1920 + 9 * i), title) for i, title in enumerate(draft.story.headings)]
    rows = [node("tr", node("td", year), node("td", title)) for year, title in years]
    life = draft.node("data", "table", node("tbody", rows), gold="Paragraph")
    works = draft.node(
        "list",
        "ul",
        [node("li", node("cite", text)) for text in draft.several("references", 3)],
        gold="Paragraph",
    )
    face = node("div", parts.picture(draft, 260, 320, 2, "div"))
    text = node("div", parts.texts(draft))
    return frames.official(draft, node("div", heading.titled(draft, "h2"), face, text, life, works))
