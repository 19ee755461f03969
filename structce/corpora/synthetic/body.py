"""The text of an article: paragraphs with inline mark-up, headlines and what interrupts them."""

from __future__ import annotations

from collections.abc import Sequence

from structce.corpora.synthetic import ads, media, teasers
from structce.corpora.synthetic.draft import Draft
from structce.corpora.synthetic.inline import marked_up, opened
from structce.corpora.synthetic.nodes import Content, Node, node
from structce.corpora.synthetic.reactions import newsletter

_N_BETWEEN_HEADINGS = 3


def paragraphs(draft: Draft, texts: Sequence[str] | None = None) -> list[Content]:
    """Return paragraphs of text, by default the story's own; links inside belong to them."""
    texts = draft.story.paragraphs if texts is None else texts
    tag = draft.tag("paragraph")
    roles = ["first-paragraph", *["paragraph"] * len(texts)]
    shown: list[Content] = []
    for role, text in zip(roles, texts, strict=False):
        dateline = _dateline(draft) if role == "first-paragraph" else None
        shown.append(
            draft.node(role, tag, dateline, _text(draft, role, text, dateline), gold="Paragraph")
        )
    return shown


def _text(draft: Draft, role: str, text: str, dateline: Content) -> Content:
    is_first = role == "first-paragraph" and dateline is None
    return opened(draft, text) if is_first else marked_up(draft, text)


def _dateline(draft: Draft) -> Content:
    """Return the place that agencies open a text with."""
    if not draft.has("dateline"):
        return None
    return [node("b", str(draft.story.slots["place"])), " – "]


def heading(draft: Draft, text: str) -> Node:
    """Return the headline of a section."""
    return draft.node("section-heading", draft.tag("section-heading"), text, gold="Subtitle")


def with_headings(draft: Draft, shown: Sequence[Content]) -> list[Content]:
    """Return paragraphs with a section headline before every third, where the site has them."""
    if not draft.has("section-headings"):
        return list(shown)
    result: list[Content] = []
    for index, paragraph in enumerate(shown):
        n_before, place = divmod(index, _N_BETWEEN_HEADINGS)
        if place == 0 and 0 < n_before <= len(draft.story.headings) and index + 1 < len(shown):
            title = heading(draft, draft.story.headings[n_before - 1])
            result.append([title, paragraph])
        else:
            result.append(paragraph)
    return result


def quote(draft: Draft) -> Node:
    """Return a quotation set off from the text."""
    text = draft.site.language.first_sentence(draft.rng.choice(draft.story.paragraphs))
    source = node("cite", str(draft.story.slots["lead"])) if draft.site.pick("cite", 2) else None
    tag = draft.site.habits["quote"]
    return draft.node("quote", tag, node("p", text), source, gold="Paragraph")


def points(draft: Draft) -> Node:
    """Return a list that is part of the text."""
    items = [node("li", text) for text in draft.story.points[: draft.rng.randint(3, 5)]]
    return draft.node("list", draft.rng.choice(("ul", "ul", "ol")), items, gold="Paragraph")


def interruptions(draft: Draft, *, n_pictures: int = 1, n_ads: int = 1) -> list[Content]:
    """Draw what stands between the paragraphs of this page."""
    drawn: list[Content] = [media.inset(draft, i) for i in range(n_pictures)]
    drawn += [ads.in_body(draft) for _ in range(n_ads)]
    if draft.has("inline-related"):
        drawn.append(teasers.inline(draft))
    chances = ((0.35, quote), (0.3, points), (0.3, media.video), (0.1, media.chart))
    drawn += [make(draft) for chance, make in chances if draft.rng.random() < chance]
    drawn.append(newsletter(draft))
    return drawn


def spread(draft: Draft, shown: Sequence[Content], extra: Sequence[Content]) -> list[Content]:
    """Return paragraphs with the extras between them, in random order, at most one a gap."""
    wanted = [item for item in extra if item is not None]
    draft.rng.shuffle(wanted)
    gaps = draft.rng.sample(range(1, len(shown)), min(len(wanted), len(shown) - 1))
    placed = dict(zip(sorted(gaps), wanted, strict=False))
    return [[placed.get(index), item] for index, item in enumerate(shown)]


def body(draft: Draft, *, n_pictures: int = 1, n_ads: int = 1) -> Node:
    """Return the usual body: paragraphs, headlines and interruptions."""
    extra = interruptions(draft, n_pictures=n_pictures, n_ads=n_ads)
    shown = spread(draft, with_headings(draft, paragraphs(draft)), extra)
    return draft.node("body", "div", shown)


def broken_lines(draft: Draft) -> Node:
    """Return a body whose paragraphs are texts between line breaks, as old sites wrote them."""
    gap = [node("br"), node("br")]
    shown: list[Content] = []
    for index, text in enumerate(draft.story.paragraphs):
        if index and index % _N_BETWEEN_HEADINGS == 0 and draft.has("section-headings"):
            title = draft.story.headings[index // _N_BETWEEN_HEADINGS % 4]
            shown += [draft.node("section-heading", "b", title, gold="Subtitle"), gap]
        shown += [marked_up(draft, text), gap]
        if index == 1:
            shown.append(media.inset(draft, 0))
        if index == 3:
            shown.append(ads.in_body(draft))
    return draft.node("body", "div", shown, gold="Paragraph")
