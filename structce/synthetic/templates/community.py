"""Templates of forums and questions: the first post is Paragraph, replies are None."""

from __future__ import annotations

from datetime import timedelta

from structce.synthetic import ads_and_teasers as promo
from structce.synthetic import article_body as body
from structce.synthetic import article_head as head
from structce.synthetic import boilerplate
from structce.synthetic import page_frames as frames
from structce.synthetic.dom import Content, MarkupNode, join, listing, node
from structce.synthetic.draft import Draft, family


def _when(draft: Draft, index: int) -> str:
    return draft.date("small", draft.story.published + timedelta(hours=5 * index + 1))


@family("forum", topic="forum")
def board_table(draft: Draft) -> Content:
    """An old board: one table row per post, the user on the left, the text on the right."""
    first = _row(draft, head.names(draft), _date(draft), body.plain_paragraphs(draft, tag="div"))
    others = [
        _row(
            draft, draft.phrase("nicknames"), _when(draft, i), node("div", draft.phrase("replies"))
        )
        for i in range(draft.rng.randint(4, 9))
    ]
    title = node(
        "h2",
        draft.node("headline", "a", draft.story.headline, gold="Title", attributes={"href": "#"}),
    )
    thread = draft.node(
        "thread", "table", node("tbody", first, others), attributes={"width": "100%"}
    )
    turn = body.pager(draft, 1, 3)
    return frames.board(draft, title, turn, thread, turn, promo.banner(draft))


def _row(draft: Draft, name: Content, day: Content, text: Content) -> MarkupNode:
    counts = f"{draft.word('posts')}: {draft.rng.randint(1, 4000)}"
    left: Content = [
        node("b", name),
        node("br"),
        node("small", draft.phrase("ranks")),
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
    return head.moment(draft, "date", draft.story.published)


@family("forum", topic="forum")
def discussion(draft: Draft) -> Content:
    """A modern forum: posts one below the other, avatars, reactions, times on the right."""
    posts = [
        _article(
            draft,
            draft.phrase("nicknames"),
            node("span", _when(draft, i)),
            node("p", draft.phrase("replies")),
        )
        for i in range(draft.rng.randint(4, 8))
    ]
    text = [body.plain_paragraphs(draft), _picture(draft)]
    first = _article(draft, head.names(draft), _date(draft), text)
    tags = join(" ", [draft.link("tag", tag) for tag in draft.story.tags])
    top = node("div", head.title(draft, "h1"), node("div", tags))
    similar = body.link_list(draft, "related", 5)
    count = node("h3", f"{draft.word('replies')} ({len(posts)})")
    return frames.slim(draft, top, first, count, node("section", posts), similar)


def _picture(draft: Draft) -> Content:
    return draft.photo(380, 260) if draft.rng.random() < 0.6 else None


def _article(draft: Draft, name: Content, day: Content, text: Content) -> MarkupNode:
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
    """A board of links: nested replies, all with points."""
    points = node("span", f"{draft.rng.randint(2, 700)} {draft.word('votes')}")
    line = node("div", points, " ", head.names(draft), " ", _date(draft))
    top = node("div", head.title(draft, "h4"), line, body.plain_paragraphs(draft, 0, 4, "div"))
    tree = node("ul", [_branch(draft, depth) for depth in (2, 1, 3, 0)])
    return frames.rail(draft, top, node("form", node("textarea", ""), draft.button("reply")), tree)


def _branch(draft: Draft, depth: int) -> MarkupNode:
    name = node("i", draft.phrase("nicknames"), " ", draft.phrase("ages"))
    inner = node("ul", _branch(draft, depth - 1)) if depth else None
    return draft.node(
        "comment", "li", boilerplate.icon(draft), name, node("div", draft.phrase("replies")), inner
    )


@family("forum", topic="forum")
def mailing_list(draft: Draft) -> Content:
    """An archived message: headers as a list, the text in lines, the thread as links."""
    lines = "\n\n".join(draft.story.paragraphs)
    subject = node("li", node("b", "Subject: "), head.title(draft, "span"))
    sender = node("li", node("b", "From: "), head.names(draft)) if draft.story.authors else None
    day = node("li", node("b", "Date: "), head.plain_date(draft)) if draft.shows("date") else None
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


@family("question", topic="question")
def votes(draft: Draft) -> Content:
    """A site for experts: a column of votes beside the question and each answer."""
    signature = node(
        "div", draft.label("small", "asked"), " ", head.names(draft), head.dates(draft)
    )
    question = node("div", body.plain_paragraphs(draft, 0, 4), _labels(draft), signature)
    first = draft.node("voted", "div", _count(draft), question)
    answers = [_answer(draft, i == 0) for i in range(draft.rng.randint(2, 4))]
    count = node("h2", f"{len(answers)} {draft.word('replies')}")
    form = node(
        "form", draft.label("h2", "your_answer"), node("textarea", ""), draft.button("your_answer")
    )
    side = node("aside", body.link_list(draft, "related", 6))
    left = node("div", first, node("div", count, answers), form)
    return frames.slim(
        draft, node("div", head.title(draft, "h1")), draft.node("split", "div", left, side)
    )


def _count(draft: Draft) -> MarkupNode:
    return draft.node(
        "vote", "div", node("div", "▲"), node("b", str(draft.rng.randint(-2, 90))), node("div", "▼")
    )


def _labels(draft: Draft) -> MarkupNode:
    return listing("ul", [draft.link("tag", tag) for tag in draft.story.tags])


def _answer(draft: Draft, is_best: bool) -> MarkupNode:
    best = node("strong", "✓ ", draft.word("accepted")) if is_best else None
    words = [node("p", text) for text in draft.phrases("replies", draft.rng.randint(1, 3))]
    who = node("div", draft.phrase("nicknames"), " ", node("span", draft.phrase("ages")))
    return draft.node("voted", "div", _count(draft), node("div", best, words, who))


@family("question", topic="question")
def ask_everyone(draft: Draft) -> Content:
    """A portal of answers by anybody: short question, long list of answers, advertisements."""
    question = node(
        "section",
        head.title(draft),
        body.plain_paragraphs(draft, 0, 2, "span"),
        node("p", head.names(draft)),
        body.labelled_date(draft),
    )
    answers = [
        node(
            "dl",
            node("dt", draft.image("avatar", 28, 28), draft.phrase("nicknames")),
            node("dd", draft.phrase("replies")),
        )
        for _ in range(draft.rng.randint(4, 8))
    ]
    more = node("section", draft.label("h3", "related"), promo.stack(draft, 3))
    return frames.hub(draft, question, draft.label("h3", "replies"), answers, more)


@family("question", topic="question", lacks=("authors",))
def help_centre(draft: Draft) -> Content:
    """A firm's help page: the question is the title, the answer is the text (Paragraph)."""
    flow = body.section_flow(draft, "h3")
    steps = body.bullet_list(draft, draft.phrases("duties", 3), "ol")
    feedback = node(
        "fieldset",
        draft.label("legend", "helpful"),
        node("button", draft.word("yes"), type="button"),
        node("button", draft.word("no"), type="button"),
    )
    text = node(
        "article",
        head.title(draft, "h1"),
        body.lead_paragraphs(draft),
        steps,
        flow,
        body.labelled_date(draft, word="updated"),
    )
    return frames.encyclopedia(draft, text, feedback, body.link_list(draft, "related", 4))
