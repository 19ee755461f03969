"""Forums: the first post is Paragraph with its Author and Date; replies are None."""

from __future__ import annotations

from datetime import timedelta

from structce.corpora.synthetic import ads, frames, heading, parts, reactions, shelves
from structce.corpora.synthetic.draft import Draft
from structce.corpora.synthetic.nodes import Content, Node, between, node
from structce.corpora.synthetic.registry import family


def _when(draft: Draft, index: int) -> str:
    return draft.date("small", draft.story.published + timedelta(hours=5 * index + 1))


@family("forum", topic="forum")
def board_table(draft: Draft) -> Content:
    """An old board: one table row a post, who writes on the left, what on the right."""
    first = _row(draft, heading.names(draft), _date(draft), parts.texts(draft, tag="div"))
    others = [
        _row(draft, draft.say("nicknames"), _when(draft, i), node("div", draft.say("replies")))
        for i in range(draft.rng.randint(4, 9))
    ]
    title = node(
        "h2",
        draft.node("headline", "a", draft.story.headline, gold="Title", attributes={"href": "#"}),
    )
    table = draft.node(
        "thread", "table", node("tbody", first, others), attributes={"width": "100%"}
    )
    turn = parts.pager(draft, 1, 3)
    return shelves.board(draft, title, turn, table, turn, ads.banner(draft))


def _row(draft: Draft, name: Content, day: Content, text: Content) -> Node:
    counts = f"{draft.word('posts')}: {draft.rng.randint(1, 4000)}"
    left: Content = [
        node("b", name),
        node("br"),
        node("small", draft.say("ranks")),
        node("br"),
        counts,
    ]
    tools = node("div", draft.link("comment-tool", draft.word("quote")))
    return node(
        "tr",
        draft.node("post-side", "td", left, attributes={"valign": "top"}),
        draft.node("post", "td", node("div", day), text, tools),
    )


def _date(draft: Draft) -> Content:
    if not draft.shows("date"):
        return None
    return heading.moment(draft, "date", draft.story.published)


@family("forum", topic="forum")
def discussion(draft: Draft) -> Content:
    """A modern forum: articles one below the other, faces, reactions, times on the right."""
    posts = [
        _article(
            draft,
            draft.say("nicknames"),
            node("span", _when(draft, i)),
            node("p", draft.say("replies")),
        )
        for i in range(draft.rng.randint(4, 8))
    ]
    text = [parts.texts(draft), _picture(draft)]
    first = _article(draft, heading.names(draft), _date(draft), text)
    tags = between(" ", [draft.link("tag", tag) for tag in draft.story.tags])
    top = node("div", heading.titled(draft, "h1"), node("div", tags))
    similar = parts.link_list(draft, "related", 5)
    count = node("h3", f"{draft.word('replies')} ({len(posts)})")
    return frames.slim(draft, top, first, count, node("section", posts), similar)


def _picture(draft: Draft) -> Content:
    return draft.image("image", 380, 260, gold="Multimedia") if draft.rng.random() < 0.6 else None


def _article(draft: Draft, name: Content, day: Content, text: Content) -> Node:
    face = draft.image("avatar", 40, 40)
    top = node("header", face, node("strong", name), node("div", day))
    tools = node(
        "footer",
        draft.link("comment-tool", draft.word("like")),
        draft.link("comment-tool", draft.word("reply")),
    )
    return draft.node("post", "article", top, draft.node("body", "div", text), tools)


@family("forum", topic="forum")
def comment_tree(draft: Draft) -> Content:
    """A board of links: replies in replies, points beside all of them."""
    points = node("span", f"{draft.rng.randint(2, 700)} {draft.word('votes')}")
    line = node("div", points, " ", heading.names(draft), " ", _date(draft))
    top = node("div", heading.titled(draft, "h4"), line, parts.texts(draft, 0, 4, "div"))
    tree = node("ul", [_branch(draft, depth) for depth in (2, 1, 3, 0)])
    return frames.rail(
        draft,
        top,
        node("form", node("textarea", ""), draft.link("button", draft.word("reply"))),
        tree,
    )


def _branch(draft: Draft, depth: int) -> Node:
    name = node("i", draft.say("nicknames"), " ", draft.say("ages"))
    inner = node("ul", _branch(draft, depth - 1)) if depth else None
    return draft.node(
        "comment", "li", reactions.icon(draft), name, node("div", draft.say("replies")), inner
    )


@family("forum", topic="forum")
def mailing_list(draft: Draft) -> Content:
    """An archived message: headers as a list, the text in lines, the thread as links."""
    lines = "\n\n".join(draft.story.paragraphs)
    subject = node("li", node("b", "Subject: "), heading.titled(draft, "span"))
    sender = node("li", node("b", "From: "), heading.names(draft)) if draft.story.authors else None
    day = node("li", node("b", "Date: "), _plain_date(draft)) if draft.shows("date") else None
    others = [
        node(
            "li",
            draft.link("teaser-link", f"Re: {draft.story.headline}"),
            " ",
            node("i", draft.person()),
        )
        for _ in range(4)
    ]
    text = draft.node("code", "pre", lines, gold="Paragraph")
    return [
        node("ul", subject, sender, day),
        node("hr"),
        text,
        node("hr"),
        node("ul", others),
        node("address", frames.logo(draft)),
    ]


def _plain_date(draft: Draft) -> Node:
    return draft.node("date", "span", draft.date("article", draft.story.published), gold="Date")
