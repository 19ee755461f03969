"""Documentation: text and lines of code are Paragraph, names of functions are Subtitle."""

from __future__ import annotations

from structce.corpora.synthetic import heading, parts, shelves
from structce.corpora.synthetic.draft import Draft
from structce.corpora.synthetic.nodes import Content, Node, node
from structce.corpora.synthetic.registry import family
from structce.corpora.synthetic.templates.blogs import CODE

_LACKS = ("authors",)
_NAMES = ("read(path)", "keep(rows, test)", "write(rows, path)", "mean(values)", "split(text)")


def _code(draft: Draft) -> Node:
    """Return lines of code with a button to copy them (None)."""
    copy = node("button", draft.word("copy"), type="button", gold="None")
    lines = draft.node("code", "pre", node("code", draft.rng.choice(CODE)), gold="Paragraph")
    return node("div", copy, lines)


def _changed(draft: Draft) -> Content:
    return parts.dated(draft, word="updated")


@family("documentation", topic="docs", lacks=_LACKS)
def guide(draft: Draft) -> Content:
    """A guide: chapters on the left, the page's headlines on the right, notes in boxes."""
    sections = [
        node("section", title, texts, _code(draft) if i % 2 == 0 else None)
        for i, (title, texts) in enumerate(parts.sections(draft))
    ]
    note = draft.node(
        "callout",
        "div",
        node("b", draft.word("notes")),
        parts.text(draft, draft.story.paragraphs[-1]),
        gold="None",
    )
    here = parts.contents(draft, draft.story.headings, "ul")
    top = [heading.titled(draft, "h1"), node("p", draft.story.standfirst, gold="Subtitle")]
    asked = node("div", draft.word("helpful"), " ", draft.link("tool", draft.word("yes")))
    text = node(
        "article", top, parts.opening(draft), sections[:2], note, sections[2:], _changed(draft)
    )
    return shelves.manual(draft, here, text, asked)


@family("documentation", topic="docs", lacks=_LACKS)
def reference(draft: Draft) -> Content:
    """A reference of functions: signature, text, arguments in a table, an example."""
    texts = draft.story.paragraphs
    entries = [
        node(
            "dl",
            node("dt", draft.node("section-heading", "code", name, gold="Subtitle")),
            node("dd", parts.text(draft, text), _arguments(draft, i), _code(draft)),
        )
        for i, (name, text) in enumerate(zip(_NAMES, texts, strict=False))
    ]
    index = node("ul", [node("li", node("tt", name)) for name in _NAMES])
    return shelves.manual(
        draft, index, node("div", heading.titled(draft, "h1"), entries), _changed(draft)
    )


def _arguments(draft: Draft, place: int) -> Content:
    if place % 2:
        return None
    rows = [(name, str(draft.rng.randint(1, 64))) for name in ("path", "limit")]
    return parts.table(
        draft, (draft.word("parameters"), draft.word("returns")), rows, draft.word("parameters")
    )


@family("documentation", topic="docs", lacks=_LACKS)
def man_page(draft: Draft) -> Content:
    """A page of a terminal's manual: everything in fixed width, headlines in capitals."""
    top = node("p", "GULL(1) ", heading.titled(draft, "b"), " GULL(1)")
    flow = [
        [
            node("h5", title),
            node(
                "blockquote",
                [node("p", node("samp", text.children), gold="Paragraph") for text in texts],
            ),
        ]
        for title, texts in parts.sections(draft, "span")
    ]
    start = node("blockquote", parts.opening(draft))
    day = node("div", heading.dates(draft))
    return draft.node(
        "terminal",
        "div",
        top,
        start,
        flow,
        node("pre", node("code", CODE[1]), gold="Paragraph"),
        day,
    )


@family("documentation", topic="docs", lacks=_LACKS)
def changes(draft: Draft) -> Content:
    """Notes on a release: what is new as lists under headlines, files to take."""
    groups = [
        node(
            "li", title, node("ul", [node("li", text.children, gold="Paragraph") for text in texts])
        )
        for title, texts in parts.sections(draft, "strong")
    ]
    files = [
        node("li", node("a", f"gull-{i}.zip", href="/f"), " ", node("small", f"{i + 3} MB"))
        for i in range(3)
    ]
    top = node("header", heading.titled(draft, "h2"), _changed(draft))
    return shelves.encyclopedia(
        draft,
        node("section", top, parts.opening(draft), node("ul", groups)),
        node("section", node("h4", draft.word("download")), node("ul", files)),
    )
