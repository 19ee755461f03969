"""Body of an article: paragraphs with inline mark-up, section headlines, lists, tables, facts."""

from __future__ import annotations

from collections.abc import Sequence

from structce.synthetic import ads_and_teasers as promo
from structce.synthetic import article_head as head
from structce.synthetic.boilerplate import newsletter
from structce.synthetic.dom import Content, E, MarkupNode, join, node
from structce.synthetic.draft import Draft, inline_markup, opening_text

_N_BETWEEN_HEADINGS = 3
Facts = Sequence[tuple[str, Content]]


def paragraphs(draft: Draft, texts: Sequence[str] | None = None) -> list[Content]:
    """Return paragraphs of text, by default the story's own; links inside belong to them."""
    texts = draft.story.paragraphs if texts is None else texts
    tag = draft.tag("paragraph")
    roles = ["first-paragraph", *["paragraph"] * len(texts)]
    shown: list[Content] = []
    for role, text in zip(roles, texts, strict=False):
        is_first = role == "first-paragraph"
        dateline = _dateline(draft) if is_first else None
        markup = opening_text if is_first and dateline is None else inline_markup
        shown.append(draft.node(role, tag, dateline, markup(draft, text), gold="Paragraph"))
    return shown


def _dateline(draft: Draft) -> Content:
    """Return the place with which agencies begin a text."""
    if not draft.has("dateline"):
        return None
    return [E.b(str(draft.story.slots["place"])), " – "]


def heading(draft: Draft, text: str) -> MarkupNode:
    """Return the headline of a section."""
    return draft.node("section-heading", draft.tag("section-heading"), text, gold="Subtitle")


def add_headings(draft: Draft, shown: Sequence[Content]) -> list[Content]:
    """Return paragraphs, with a section headline before every third if the site has them."""
    if not draft.has("section-headings"):
        return list(shown)
    result: list[Content] = []
    for index, paragraph in enumerate(shown):
        n_before, place = divmod(index, _N_BETWEEN_HEADINGS)
        if place == 0 and 0 < n_before <= len(draft.story.headings) and (index + 1 < len(shown)):
            title = heading(draft, draft.story.headings[n_before - 1])
            result.append([title, paragraph])
        else:
            result.append(paragraph)
    return result


def quote(draft: Draft) -> MarkupNode:
    """Return a quotation set off from the text."""
    text = draft.site.language.first_sentence(draft.rng.choice(draft.story.paragraphs))
    source = E.cite(str(draft.story.slots["lead"])) if draft.site.pick("cite", 2) else None
    tag = draft.site.habits["quote"]
    return draft.node("quote", tag, E.p(text), source, gold="Paragraph")


def key_points(draft: Draft) -> MarkupNode:
    """Return a list that is part of the text."""
    points = draft.story.points[: draft.rng.randint(3, 5)]
    return bullet_list(draft, points, draft.rng.choice(("ul", "ul", "ol")))


def insertions(draft: Draft, *, n_pictures: int = 1, n_ads: int = 1) -> list[Content]:
    """Draw the insertions between the paragraphs of this page."""
    drawn: list[Content] = [head.inset(draft, i) for i in range(n_pictures)]
    drawn += [promo.body_ad(draft) for _ in range(n_ads)]
    if draft.has("inline-related"):
        drawn.append(promo.inline_teaser(draft))
    chances = ((0.35, quote), (0.3, key_points), (0.3, head.video), (0.1, head.chart))
    drawn += [make(draft) for chance, make in chances if draft.rng.random() < chance]
    drawn.append(newsletter(draft))
    return drawn


def distribute(draft: Draft, shown: Sequence[Content], extra: Sequence[Content]) -> list[Content]:
    """Return paragraphs with the extras between them, in random order, at most one per gap."""
    wanted = [item for item in extra if item is not None]
    draft.rng.shuffle(wanted)
    gaps = draft.rng.sample(range(1, len(shown)), min(len(wanted), len(shown) - 1))
    placed = dict(zip(sorted(gaps), wanted, strict=False))
    return [[placed.get(index), item] for index, item in enumerate(shown)]


def body(draft: Draft, *, n_pictures: int = 1, n_ads: int = 1) -> MarkupNode:
    """Return the usual body: paragraphs, headlines and interruptions."""
    extra = insertions(draft, n_pictures=n_pictures, n_ads=n_ads)
    shown = distribute(draft, add_headings(draft, paragraphs(draft)), extra)
    return draft.node("body", "div", shown)


def line_break_body(draft: Draft) -> MarkupNode:
    """Return a body whose paragraphs are texts between line breaks, as on old sites."""
    gap = [E.br(), E.br()]
    shown: list[Content] = []
    for index, text in enumerate(draft.story.paragraphs):
        if index and index % _N_BETWEEN_HEADINGS == 0 and draft.has("section-headings"):
            title = draft.story.headings[index // _N_BETWEEN_HEADINGS % 4]
            shown += [subtitle(draft, title, "b"), gap]
        shown += [inline_markup(draft, text), gap]
        if index == 1:
            shown.append(head.inset(draft, 0))
        if index == 3:
            shown.append(promo.body_ad(draft))
    return draft.node("body", "div", shown, gold="Paragraph")


def fact_list(draft: Draft, pairs: Facts) -> MarkupNode:
    """Return facts as a list of terms; None."""
    items = [(E.dt(name), E.dd(value)) for name, value in pairs]
    return draft.node("facts", "dl", items, gold="None")


def fact_table(draft: Draft, pairs: Facts) -> MarkupNode:
    """Return facts as a table of two columns; None."""
    rows = [E.tr(E.th(name), E.td(value)) for name, value in pairs]
    return draft.node("facts", "table", E.tbody(rows), gold="None")


def fact_lines(draft: Draft, pairs: Facts) -> MarkupNode:
    """Return facts as lines with the name in bold; None."""
    lines = [E.li(E.b(f"{name}:"), " ", value) for name, value in pairs]
    return draft.node("facts", "ul", lines, gold="None")


def specs(draft: Draft, n: int) -> list[tuple[str, Content]]:
    """Draw facts about a product."""
    parts = (text.partition(": ") for text in draft.phrases("specs", n))
    return [(name, value) for name, _, value in parts]


def table_of_contents(draft: Draft, names: Sequence[str], tag: str = "ol") -> MarkupNode:
    """Return the table of contents of a page; None."""
    links = [E.li(draft.link("toc-link", name)) for name in names]
    title = draft.node("box-heading", "p", draft.word("contents"))
    return draft.node("toc", "nav", title, node(tag, links), gold="None")


def pager(draft: Draft, here: int, n: int) -> MarkupNode:
    """Return links to the other pages of an article; None."""
    numbers = [
        E.b(str(i)) if i == here else draft.link("pager-link", str(i)) for i in range(1, n + 1)
    ]
    ends = [draft.link("pager-link", draft.word(word)) for word in ("previous", "next")]
    return draft.node("pager", "div", ends[0], " ", join(" ", numbers), " ", ends[1])


def data_table(
    draft: Draft, heads: Sequence[str], rows: Sequence[Sequence[str]], title: str
) -> MarkupNode:
    """Return a table of the article: Paragraph, with a Caption."""
    top = E.thead(E.tr([E.th(head) for head in heads]))
    body = [E.tr([E.td(cell) for cell in row]) for row in rows]
    name = draft.node("caption", "caption", title, gold="Caption")
    return draft.node("data", "table", name, top, E.tbody(body), gold="Paragraph")


def number_table(draft: Draft, title: str) -> MarkupNode:
    """Return a table of a few years' numbers."""
    heads = draft.site.language.lists["table_heads"]
    first = draft.rng.randint(1990, 2016)
    rows = [
        (str(first + i), str(draft.rng.randint(200, 9000)), f"{draft.rng.randint(-20, 40)} %")
        for i in range(draft.rng.randint(3, 6))
    ]
    return data_table(draft, heads, rows, title)


def captioned_image(
    draft: Draft, width: int, height: int, place: int, tag: str = "figcaption"
) -> MarkupNode:
    """Return a picture of the article above its caption, in mark-up that is not the site's."""
    text = draft.story.captions[place]
    image = draft.photo(width, height, alt=text)
    outer = "figure" if tag == "figcaption" else "div"
    return draft.node("figure", outer, image, head.caption(draft, tag, text))


def plain_paragraph(draft: Draft, words: str, tag: str = "p") -> MarkupNode:
    """Return one paragraph in a given element."""
    return draft.node("paragraph", tag, inline_markup(draft, words), gold="Paragraph")


def plain_paragraphs(
    draft: Draft, start: int = 0, end: int | None = None, tag: str = "p"
) -> list[MarkupNode]:
    """Return some of the story's paragraphs, each in a given element."""
    return [plain_paragraph(draft, words, tag) for words in draft.story.paragraphs[start:end]]


def subtitle(draft: Draft, words: str, tag: str = "h2") -> MarkupNode:
    """Return the headline of a section in a given element."""
    return draft.node("section-heading", tag, words, gold="Subtitle")


def sections(draft: Draft, tag: str = "h2") -> list[tuple[MarkupNode, list[MarkupNode]]]:
    """Return the story's paragraphs in groups, each under a headline; the first has none."""
    story = draft.story
    size = max(1, len(story.paragraphs) // (len(story.headings) + 1))
    first = len(story.paragraphs) - size * len(story.headings)
    return [
        (
            subtitle(draft, title, tag),
            plain_paragraphs(draft, first + i * size, first + (i + 1) * size),
        )
        for i, title in enumerate(story.headings)
    ]


def section_flow(draft: Draft, tag: str = "h2") -> list[Content]:
    """Return :func:`sections` without elements around them."""
    shown: list[Content] = []
    for title, inside in sections(draft, tag):
        shown += [title, inside]
    return shown


def lead_paragraphs(draft: Draft) -> list[MarkupNode]:
    """Return the paragraphs before the first of :func:`sections`."""
    n_paragraphs, n_sections = len(draft.story.paragraphs), len(draft.story.headings)
    size = max(1, n_paragraphs // (n_sections + 1))
    return plain_paragraphs(draft, 0, max(0, n_paragraphs - size * n_sections))


def bullet_list(draft: Draft, items: Sequence[str], tag: str = "ul") -> MarkupNode:
    """Return a list that is part of the text."""
    return draft.node("list", tag, [E.li(item) for item in items], gold="Paragraph")


def signature(draft: Draft, tag: str = "p") -> Content:
    """Return only the authors, each in an element of its own."""
    if not draft.shows("authors"):
        return None
    return draft.node("byline", tag, head.names(draft))


def labelled_date(draft: Draft, tag: str = "div", word: str = "published") -> Content:
    """Return the date of publication after a label, each in a text node of its own."""
    if not draft.shows("date"):
        return None
    label = draft.node("date-label", "span", draft.word(word))
    return draft.node("meta", tag, label, " ", head.moment(draft, "date", draft.story.published))


def link_list(draft: Draft, word: str, n: int, tag: str = "ul") -> MarkupNode:
    """Return a headed list of links to other pages; None."""
    items = draft.headlines(n, "li")
    title = draft.box_heading(draft.word(word))
    return draft.node("box", "div", title, node(tag, items), gold="None")
