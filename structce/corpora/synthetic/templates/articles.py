"""News articles in other arrangements: three columns, split screen, tables, telephones, print."""

from __future__ import annotations

from structce.corpora.synthetic import (
    ads,
    body,
    frame,
    frames,
    heading,
    media,
    parts,
    reactions,
    teasers,
)
from structce.corpora.synthetic.draft import Draft
from structce.corpora.synthetic.nodes import Content, Node, node
from structce.corpora.synthetic.registry import family


@family("news")
def local_paper(draft: Draft) -> Content:
    """A town's paper: notices on the left, the story in the middle, advertisements on the right."""
    notices = [node("li", draft.link("teaser-link", text)) for text in draft.several("services", 6)]
    left = node("div", node("h4", draft.slot("place")), node("ul", notices))
    title = node("header", heading.titled(draft, "h1"), heading.meta(draft))
    story = node("article", title, body.body(draft), reactions.tags(draft))
    right = [ads.box(draft), teasers.ranking(draft), teasers.more_from(draft), ads.box(draft)]
    three = draft.node("three", "div", left, node("div", story), node("div", right))
    return frames.hub(draft, three, teasers.related(draft, 4, "latest"))


@family("news")
def wire(draft: Draft) -> Content:
    """A wire service: numbers and keywords first, no pictures, signed with initials at the end."""
    number = f"{draft.slot('place')}-{draft.rng.randrange(10**4):04d}"
    keys = ", ".join(draft.story.tags)
    facts = parts.fact_list(draft, [(draft.word("reference"), number), (draft.word("tags"), keys)])
    rows = [
        node(
            "tr",
            node("td", heading.small_date(draft, "teaser-date", other.published)),
            node("td", draft.link("teaser-link", other.headline)),
        )
        for other in draft.teasers(9)
    ]
    story = [
        facts,
        heading.titled(draft, "h2"),
        parts.dated(draft),
        node("section", body.paragraphs(draft)),
        parts.signed(draft),
    ]
    return frames.slim(draft, node("article", story), node("table", node("tbody", rows)))


@family("news")
def split_screen(draft: Draft) -> Content:
    """A magazine: picture and title stay on the left, the text runs on the right."""
    fixed = node("div", parts.picture(draft, 480, 640, 0), heading.titled(draft, "h1"))
    words = [heading.standfirst(draft), heading.byline(draft), heading.dates(draft)]
    flow = body.spread(draft, body.paragraphs(draft), [body.quote(draft), media.inset(draft, 1)])
    right = node("div", node("header", words), node("div", flow), reactions.author_box(draft))
    more = node("footer", teasers.stack(draft, 2))
    return [draft.node("split", "article", fixed, right), draft.node("page", "div", more)]


@family("news")
def e_paper(draft: Draft) -> Content:
    """A printed page on the screen: text in columns, page numbers, neighbours above and below."""
    turn = parts.pager(draft, draft.rng.randint(2, 7), 8)
    title = node("hgroup", heading.kicker(draft), heading.titled(draft, "h1"))
    lines = [draft.node("standfirst", "b", draft.story.standfirst, gold="Subtitle")]
    text = draft.node("newsprint", "div", parts.texts(draft, tag="div"), parts.signed(draft, "div"))
    day = node("div", heading.dates(draft))
    neighbours = [
        node("div", node("h3", o.headline), node("p", o.standfirst)) for o in draft.teasers(2)
    ]
    sheet = node("section", day, title, lines, text)
    return frames.app(draft, turn, sheet, node("section", neighbours), turn)


@family("news", lacks=("authors",))
def digest(draft: Draft) -> Content:
    """News in brief: short items under headlines of their own, signed by nobody."""
    items = [
        node("section", title, node("div", texts), media.inset(draft, i) if i == 1 else None)
        for i, (title, texts) in enumerate(parts.sections(draft, "h3"))
    ]
    top = node(
        "div", draft.node("kicker", "span", draft.word("brief")), heading.titled(draft, "h1")
    )
    first = node("section", parts.opening(draft))
    day = node("div", heading.dates(draft))
    return frames.slim(draft, top, day, first, body.spread(draft, items, [ads.box(draft)]))


@family("news")
def margin_notes(draft: Draft) -> Content:
    """A weekly: who, when and what else beside the text, in a narrow margin that floats."""
    side = [heading.byline(draft), node("div", heading.dates(draft)), reactions.share(draft)]
    also = node("ul", [node("li", draft.link("teaser-link", o.headline)) for o in draft.teasers(3)])
    margin = draft.node("margin", "aside", side, node("h5", draft.word("see_also")), also)
    top = node(
        "header", heading.kicker(draft), heading.titled(draft, "h1"), heading.standfirst(draft)
    )
    flow = body.with_headings(draft, body.paragraphs(draft))
    extra = body.interruptions(draft, n_pictures=2, n_ads=1)
    text = draft.node("body", "section", margin, body.spread(draft, flow, extra))
    return frames.plain(
        draft, node("article", top, media.lead_figure(draft), text), teasers.more_from(draft)
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
    title = node("font", heading.titled(draft, "b"), size="5")
    line = node("small", heading.names(draft), " ", _day(draft))
    links = [[draft.link("nav-link", o.headline), node("br")] for o in draft.teasers(8)]
    inner = node("table", node("tbody", row(cell(title)), row(cell(line)), row(cell(gap, story))))
    outer = row(cell(links, width="20%"), cell(inner, width="60%"), cell(ads.box(draft)))
    return [
        node("table", node("tbody", row(cell(node("h2", frames.logo(draft)), ads.banner(draft))))),
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
        for title, texts in parts.sections(draft, "span")
    ]
    top = [media.lead_figure(draft), heading.titled(draft, "h2"), heading.meta(draft)]
    parted = [
        [group, ads.frame(draft, 320, 50) if i == 1 else None] for i, group in enumerate(groups)
    ]
    more = [node("div", node("b", draft.link("teaser-link", o.headline))) for o in draft.teasers(5)]
    return frames.app(draft, top, node("section", parts.opening(draft), parted), more)


@family("news")
def print_view(draft: Draft) -> Content:
    """The version for printing: nothing but text, and the addresses of links at the end."""
    address = f"https://{draft.site.host}/print/{draft.rng.randrange(10**6)}"
    day = parts.dated(draft)
    top = [node("p", draft.site.name), heading.titled(draft, "h1"), heading.standfirst(draft)]
    links = [node("li", node("code", f"https://{draft.site.host}/{i}.html")) for i in range(3)]
    return draft.node(
        "sheet",
        "div",
        draft.node("button", "button", draft.word("print"), attributes={"type": "button"}),
        top,
        parts.signed(draft),
        day,
        body.paragraphs(draft),
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
        parts.table(draft, heads, rows, draft.word("table")),
    ]
    top: Content = [result, heading.head(draft, None), media.lead_figure(draft)]
    story = node("article", top, body.body(draft), end)
    side = [teasers.boxed(draft, "latest", teasers.stack(draft, 4)), teasers.more_from(draft)]
    return frames.hub(draft, frame.columns(draft, story, side))
