"""Small sites: generated blogs, a programmer's notes, a traveller's diary, posts without titles."""

from __future__ import annotations

from structce.corpora.synthetic import body, frames, heading, parts, reactions, teasers
from structce.corpora.synthetic.draft import Draft
from structce.corpora.synthetic.nodes import Content, between, node
from structce.corpora.synthetic.registry import family

CODE = (
    "rows = read('quay.csv')\nfor row in rows:\n    print(row.name, row.depth)",
    "$ gull --depth 4 harbour/\n12 files, 0 errors",
    "def mean(values):\n    return sum(values) / len(values)",
    "<ul>\n  <li>tide</li>\n</ul>",
    "SELECT name FROM boats\nWHERE length > 12;",
)
"""Lines of programs, the same in all languages."""


@family("blog")
def static_blog(draft: Draft) -> Content:
    """A blog from a generator: hardly a class, no pictures, older and newer posts below."""
    older, newer = draft.teasers(2)
    turn = node(
        "p",
        draft.link("pager-link", "← ", older.headline),
        " ",
        draft.link("pager-link", newer.headline, " →"),
    )
    top = node("header", heading.titled(draft, "h1"), node("div", heading.dates(draft)))
    text: Content = [parts.opening(draft), parts.flow(draft, "h2")]
    return frames.plain(draft, node("article", top, text, parts.signed(draft)), turn)


@family("blog", topic="docs")
def code_notes(draft: Draft) -> Content:
    """A programmer's post: lines of code between the paragraphs (Paragraph, they are the text)."""
    texts = parts.texts(draft)
    for place in (1, 3):
        lines = node("code", draft.rng.choice(CODE))
        texts.insert(place, draft.node("code", "pre", lines, gold="Paragraph"))
    card = node(
        "div", draft.image("avatar", 64, 64), heading.names(draft), node("small", draft.say("jobs"))
    )
    tags = between(" ", [node("a", f"#{tag}", href="/t") for tag in draft.story.tags])
    top = node(
        "section",
        heading.titled(draft, "h1"),
        card if draft.story.authors else None,
        node("div", tags),
    )
    notes = node("ol", [node("li", text) for text in draft.several("references", 2)])
    end = [
        node("footer", heading.dates(draft)),
        node("div", node("h6", draft.word("notes")), notes),
    ]
    return frames.slim(draft, draft.node("narrow", "div", top, node("section", texts), end))


@family("blog")
def travel_diary(draft: Draft) -> Content:
    """A diary: a calendar beside the text, a picture after every paragraph."""
    n = draft.rng.randint(28, 31)
    days = [node("td", str(day) if day <= n else None) for day in range(1, 36)]
    weeks = [node("tr", days[i : i + 7]) for i in range(0, 35, 7)]
    calendar = draft.node("facts", "table", node("tbody", weeks))
    flow: list[Content] = []
    for i, text in enumerate(parts.texts(draft, tag="div")[:7]):
        flow += [text, parts.picture(draft, 560, 380, i, "small")]
    title = node(
        "h3",
        draft.node("headline", "a", draft.story.headline, gold="Title", attributes={"href": "#"}),
    )
    day = node("h5", _day(draft))
    post = node("div", day, title, flow, node("div", reactions.tags(draft), _posted(draft)))
    links = node("div", node("h5", draft.word("archive")), parts.link_list(draft, "latest", 9))
    return [
        node("center", frames.logo(draft)),
        draft.node("split", "div", post, node("div", calendar, links)),
        reactions.comments(draft),
    ]


def _day(draft: Draft) -> Content:
    if not draft.shows("date"):
        return None
    return draft.node("date", "span", draft.date("article", draft.story.published), gold="Date")


def _posted(draft: Draft) -> Content:
    if not draft.shows("authors"):
        return None
    return node("span", f"{draft.word('posted_by')} ", heading.names(draft))


@family("blog")
def link_post(draft: Draft) -> Content:
    """A post about another page: its title is the link, a quotation, a few lines of one's own."""
    title = draft.link(
        "text-link", draft.node("headline", "strong", draft.story.headline, gold="Title"), " ↗"
    )
    quoted = draft.node("quote", "blockquote", parts.texts(draft, 0, 2))
    own = [parts.text(draft, text) for text in draft.story.opinions]
    sign = node("p", "∞ ", _day(draft), " ", _posted(draft))
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
    """Short posts in a row on a platform: no title, a name and an age with each, buttons."""
    posts = [_post(draft, i, text) for i, text in enumerate(draft.story.paragraphs[:6])]
    replies = [
        draft.node(
            "comment", "li", node("b", draft.say("nicknames")), node("div", draft.say("replies"))
        )
        for _ in range(4)
    ]
    trends = [node("li", node("span", o.section), node("b", o.headline)) for o in draft.teasers(3)]
    side = node("aside", node("h2", draft.word("most_read")), node("ul", trends))
    return frames.app(draft, node("ol", posts), node("ul", replies), side)


def _post(draft: Draft, index: int, text: str) -> Content:
    nick = node("span", f"@{draft.site.host.partition('.')[0]}")
    day = heading.dates(draft) if index == 0 else node("span", draft.say("ages"))
    words = draft.node("paragraph", "div", node("span", text), gold="Paragraph")
    picture = draft.image("image", 480, 300, gold="Multimedia") if index == 1 else None
    counts = [node("span", reactions.icon(draft), str(draft.rng.randint(0, 900))) for _ in range(3)]
    face = draft.image("avatar", 44, 44)
    return draft.node(
        "post",
        "li",
        node("div", face),
        node(
            "div",
            node("div", heading.names(draft), " ", nick),
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
        node("div", heading.names(draft), node("div", heading.dates(draft))),
    )
    flow = body.with_headings(draft, body.paragraphs(draft))
    hero = draft.node("wide", "div", draft.image("image", 1000, 420, gold="Multimedia"))
    top = node(
        "div", heading.titled(draft, "h1"), node("h2", draft.story.standfirst, gold="Subtitle")
    )
    end = node("section", clap, reactions.portrait(draft), teasers.more_from(draft))
    inner = draft.node("narrow", "section", top, writer, clap, hero, flow, end)
    return frames.slim(draft, inner, node("section", teasers.stack(draft, 3)))
