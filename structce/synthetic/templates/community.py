"""Forums: the first post is Paragraph with its Author and Date; replies are None."""

from __future__ import annotations

from datetime import timedelta

from structce.synthetic import ads_and_teasers, article_body, article_head, boilerplate
from structce.synthetic.dom import Content, Node, between, node
from structce.synthetic.draft import Draft
from structce.synthetic.registry import family
from structce.synthetic.templates import news


def _when(draft: Draft, index: int) -> str:
    return draft.date("small", draft.story.published + timedelta(hours=5 * index + 1))


@family("forum", topic="forum")
def board_table(draft: Draft) -> Content:
    """An old board: one table row a post, who writes on the left, what on the right."""
    first = _row(
        draft, article_head.names(draft), _date(draft), article_body.texts(draft, tag="div")
    )
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
    turn = article_body.pager(draft, 1, 3)
    return news.board(draft, title, turn, table, turn, ads_and_teasers.banner(draft))


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
    return article_head.moment(draft, "date", draft.story.published)


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
    text = [article_body.texts(draft), _picture(draft)]
    first = _article(draft, article_head.names(draft), _date(draft), text)
    tags = between(" ", [draft.link("tag", tag) for tag in draft.story.tags])
    top = node("div", article_head.titled(draft, "h1"), node("div", tags))
    similar = article_body.link_list(draft, "related", 5)
    count = node("h3", f"{draft.word('replies')} ({len(posts)})")
    return boilerplate.slim(draft, top, first, count, node("section", posts), similar)


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
    line = node("div", points, " ", article_head.names(draft), " ", _date(draft))
    top = node(
        "div", article_head.titled(draft, "h4"), line, article_body.texts(draft, 0, 4, "div")
    )
    tree = node("ul", [_branch(draft, depth) for depth in (2, 1, 3, 0)])
    return boilerplate.rail(
        draft,
        top,
        node("form", node("textarea", ""), draft.link("button", draft.word("reply"))),
        tree,
    )


def _branch(draft: Draft, depth: int) -> Node:
    name = node("i", draft.say("nicknames"), " ", draft.say("ages"))
    inner = node("ul", _branch(draft, depth - 1)) if depth else None
    return draft.node(
        "comment", "li", boilerplate.icon(draft), name, node("div", draft.say("replies")), inner
    )


@family("forum", topic="forum")
def mailing_list(draft: Draft) -> Content:
    """An archived message: headers as a list, the text in lines, the thread as links."""
    lines = "\n\n".join(draft.story.paragraphs)
    subject = node("li", node("b", "Subject: "), article_head.titled(draft, "span"))
    sender = (
        node("li", node("b", "From: "), article_head.names(draft)) if draft.story.authors else None
    )
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
        node("address", boilerplate.logo(draft)),
    ]


def _plain_date(draft: Draft) -> Node:
    return draft.node("date", "span", draft.date("article", draft.story.published), gold="Date")


@family("question", topic="question")
def votes(draft: Draft) -> Content:
    """A site for experts: a column of votes beside the question and each answer."""
    asked = node(
        "div",
        node("small", draft.word("asked")),
        " ",
        article_head.names(draft),
        article_head.dates(draft),
    )
    question = node("div", article_body.texts(draft, 0, 4), _labels(draft), asked)
    first = draft.node("voted", "div", _count(draft), question)
    answers = [_answer(draft, i == 0) for i in range(draft.rng.randint(2, 4))]
    count = node("h2", f"{len(answers)} {draft.word('replies')}")
    form = node(
        "form",
        node("h2", draft.word("your_answer")),
        node("textarea", ""),
        draft.link("button", draft.word("your_answer")),
    )
    side = node("aside", article_body.link_list(draft, "related", 6))
    left = node("div", first, node("div", count, answers), form)
    return boilerplate.slim(
        draft, node("div", article_head.titled(draft, "h1")), draft.node("split", "div", left, side)
    )


def _count(draft: Draft) -> Node:
    return draft.node(
        "vote", "div", node("div", "▲"), node("b", str(draft.rng.randint(-2, 90))), node("div", "▼")
    )


def _labels(draft: Draft) -> Node:
    return node("ul", [node("li", draft.link("tag", tag)) for tag in draft.story.tags])


def _answer(draft: Draft, is_best: bool) -> Node:
    best = node("strong", "✓ ", draft.word("accepted")) if is_best else None
    words = [node("p", text) for text in draft.several("replies", draft.rng.randint(1, 3))]
    who = node("div", draft.say("nicknames"), " ", node("span", draft.say("ages")))
    return draft.node("voted", "div", _count(draft), node("div", best, words, who))


@family("question", topic="question")
def ask_everyone(draft: Draft) -> Content:
    """A portal of answers by anybody: short question, long list of answers, advertisements."""
    question = node(
        "section",
        article_head.headline(draft),
        article_body.texts(draft, 0, 2, "span"),
        node("p", article_head.names(draft)),
        article_body.dated(draft),
    )
    answers = [
        node(
            "dl",
            node("dt", draft.image("avatar", 28, 28), draft.say("nicknames")),
            node("dd", draft.say("replies")),
        )
        for _ in range(draft.rng.randint(4, 8))
    ]
    more = node("section", node("h3", draft.word("related")), ads_and_teasers.stack(draft, 3))
    return boilerplate.hub(draft, question, node("h3", draft.word("replies")), answers, more)


@family("question", topic="question", lacks=("authors",))
def help_centre(draft: Draft) -> Content:
    """A firm's help page: the question is the title, the answer is the text (Paragraph)."""
    flow = article_body.flow(draft, "h3")
    steps = article_body.bullets(draft, draft.several("duties", 3), "ol")
    asked = node(
        "fieldset",
        node("legend", draft.word("helpful")),
        node("button", draft.word("yes"), type="button"),
        node("button", draft.word("no"), type="button"),
    )
    text = node(
        "article",
        article_head.titled(draft, "h1"),
        article_body.opening(draft),
        steps,
        flow,
        article_body.dated(draft, word="updated"),
    )
    return news.encyclopedia(draft, text, asked, article_body.link_list(draft, "related", 4))
