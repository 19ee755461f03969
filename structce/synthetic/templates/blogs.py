"""Templates of blogs and posts, from a programmer's notes to a traveller's diary."""

from __future__ import annotations

from structce.synthetic import ads_and_teasers as promo
from structce.synthetic import article_body as body
from structce.synthetic import article_head as head
from structce.synthetic import boilerplate
from structce.synthetic import page_frames as frames
from structce.synthetic.dom import Content, join, listing, node
from structce.synthetic.draft import Draft, family

CODE = (
    "rows = read('quay.csv')\nfor row in rows:\n    print(row.name, row.depth)",
    "$ gull --depth 4 harbour/\n12 files, 0 errors",
    "def mean(values):\n    return sum(values) / len(values)",
    "<ul>\n  <li>tide</li>\n</ul>",
    "SELECT name FROM boats\nWHERE length > 12;",
)
"Lines of programs, the same in all languages."


@family("blog")
def static_blog(draft: Draft) -> Content:
    """A blog from a static generator: few classes, no pictures, older and newer posts below."""
    older, newer = draft.teasers(2)
    turn = node(
        "p",
        draft.link("pager-link", "← ", older.headline),
        " ",
        draft.link("pager-link", newer.headline, " →"),
    )
    top = node("header", head.title(draft, "h1"), node("div", head.dates(draft)))
    text: Content = [body.lead_paragraphs(draft), body.section_flow(draft, "h2")]
    return frames.minimal(draft, node("article", top, text, body.signature(draft)), turn)


@family("blog", topic="docs")
def code_notes(draft: Draft) -> Content:
    """A programmer's post: lines of code between the paragraphs (Paragraph, they are the text)."""
    texts = body.plain_paragraphs(draft)
    for place in (1, 3):
        lines = node("code", draft.rng.choice(CODE))
        texts.insert(place, draft.node("code", "pre", lines, gold="Paragraph"))
    card = node(
        "div", draft.image("avatar", 64, 64), head.names(draft), node("small", draft.phrase("jobs"))
    )
    tags = join(" ", [node("a", f"#{tag}", href="/t") for tag in draft.story.tags])
    top = node(
        "section", head.title(draft, "h1"), card if draft.story.authors else None, node("div", tags)
    )
    notes = listing("ol", draft.phrases("references", 2))
    end = [node("footer", head.dates(draft)), node("div", draft.label("h6", "notes"), notes)]
    return frames.slim(draft, draft.node("narrow", "div", top, node("section", texts), end))


@family("blog")
def travel_diary(draft: Draft) -> Content:
    """A diary: a calendar beside the text, a picture after every paragraph."""
    n = draft.rng.randint(28, 31)
    days = [node("td", str(day) if day <= n else None) for day in range(1, 36)]
    weeks = [node("tr", days[i : i + 7]) for i in range(0, 35, 7)]
    calendar = draft.node("facts", "table", node("tbody", weeks))
    flow: list[Content] = []
    for i, text in enumerate(body.plain_paragraphs(draft, tag="div")[:7]):
        flow += [text, body.captioned_image(draft, 560, 380, i, "small")]
    title = node(
        "h3",
        draft.node("headline", "a", draft.story.headline, gold="Title", attributes={"href": "#"}),
    )
    day = node("h5", head.plain_date(draft))
    post = node("div", day, title, flow, node("div", boilerplate.tags(draft), _author_line(draft)))
    links = node("div", draft.label("h5", "archive"), body.link_list(draft, "latest", 9))
    return [
        node("center", boilerplate.logo(draft)),
        draft.node("split", "div", post, node("div", calendar, links)),
        boilerplate.comments(draft),
    ]


def _author_line(draft: Draft) -> Content:
    if not draft.shows("authors"):
        return None
    return node("span", f"{draft.word('posted_by')} ", head.names(draft))


@family("blog")
def link_post(draft: Draft) -> Content:
    """A post about another page: its title is the link, with a quotation and a few own lines."""
    title = draft.link(
        "text-link", draft.node("headline", "strong", draft.story.headline, gold="Title"), " ↗"
    )
    quoted = draft.node("quote", "blockquote", body.plain_paragraphs(draft, 0, 2))
    own = [body.plain_paragraph(draft, text) for text in draft.story.opinions]
    sign = node("p", "∞ ", head.plain_date(draft), " ", _author_line(draft))
    more = [
        node(
            "article",
            node("p", draft.link("text-link", node("strong", o.headline))),
            node("p", o.standfirst),
        )
        for o in draft.teasers(4)
    ]
    return frames.rail(draft, node("article", node("h2", title), quoted, own, sign), more)


@family("blog", lacks=("title",))
def thread_of_posts(draft: Draft) -> Content:
    """Consecutive short posts on a platform: no title, a name and age for each, buttons."""
    posts = [_post(draft, i, text) for i, text in enumerate(draft.story.paragraphs[:6])]
    replies = [
        draft.node(
            "comment",
            "li",
            node("b", draft.phrase("nicknames")),
            node("div", draft.phrase("replies")),
        )
        for _ in range(4)
    ]
    trends = [node("li", node("span", o.section), node("b", o.headline)) for o in draft.teasers(3)]
    side = node("aside", draft.label("h2", "most_read"), node("ul", trends))
    return frames.app(draft, node("ol", posts), node("ul", replies), side)


def _post(draft: Draft, index: int, text: str) -> Content:
    nick = node("span", f"@{draft.site.host.partition('.')[0]}")
    day = head.dates(draft) if index == 0 else node("span", draft.phrase("ages"))
    words = draft.node("paragraph", "div", node("span", text), gold="Paragraph")
    picture = draft.photo(480, 300) if index == 1 else None
    counts = [
        node("span", boilerplate.icon(draft), str(draft.rng.randint(0, 900))) for _ in range(3)
    ]
    face = draft.image("avatar", 44, 44)
    return draft.node(
        "post",
        "li",
        node("div", face),
        node(
            "div",
            node("div", head.names(draft), " ", nick),
            words,
            picture,
            node("div", counts),
            node("div", day),
        ),
    )


@family("blog")
def community_post(draft: Draft) -> Content:
    """A post on a shared platform: applause, a pledge box, the writer above and below."""
    clap = node("div", node("button", "👏 ", str(draft.rng.randint(3, 900)), type="button"))
    writer = node(
        "div",
        draft.image("avatar", 48, 48),
        node("div", head.names(draft), node("div", head.dates(draft))),
    )
    flow = body.add_headings(draft, body.paragraphs(draft))
    hero = draft.node("wide", "div", draft.photo(1000, 420))
    top = node("div", head.title(draft, "h1"), node("h2", draft.story.standfirst, gold="Subtitle"))
    end = node("section", clap, boilerplate.portrait(draft), promo.more_from(draft))
    inner = draft.node("narrow", "section", top, writer, clap, hero, flow, end)
    return frames.slim(draft, inner, node("section", promo.stack(draft, 3)))
