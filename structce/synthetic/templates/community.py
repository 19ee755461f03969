"""Templates of forums and questions: the first post is Paragraph, replies are None."""

from __future__ import annotations

from datetime import timedelta

from structce.synthetic import ads_and_teasers as promo
from structce.synthetic import article_body as body
from structce.synthetic import article_head as head
from structce.synthetic import boilerplate
from structce.synthetic import page_frames as frames
from structce.synthetic.dom import Content, E, MarkupNode, join, listing
from structce.synthetic.draft import Draft, family


def _when(draft: Draft, index: int) -> str:
    return draft.date("small", draft.story.published + timedelta(hours=5 * index + 1))


@family("forum", topic="forum", frame=frames.board)
def board_table(draft: Draft) -> Content:
    """An old board: one table row per post, the user on the left, the text on the right."""
    first = _row(draft, head.names(draft), _date(draft), body.plain_paragraphs(draft, tag="div"))
    others = [
        _row(draft, draft.phrase("nicknames"), _when(draft, i), E.div(draft.phrase("replies")))
        for i in range(draft.rng.randint(4, 9))
    ]
    title = E.h2(draft.node("headline", "a", draft.story.headline, gold="Title", href="#"))
    thread = draft.node("thread", "table", E.tbody(first, others), width="100%")
    turn = body.pager(draft, 1, 3)
    return [title, turn, thread, turn, promo.banner(draft)]


def _row(draft: Draft, name: Content, day: Content, text: Content) -> MarkupNode:
    counts = f"{draft.word('posts')}: {draft.rng.randint(1, 4000)}"
    left: Content = [E.b(name), E.br(), E.small(draft.phrase("ranks")), E.br(), counts]
    tools = E.div(draft.link("comment-tool", draft.word("quote")))
    return E.tr(
        draft.node("post-side", "td", left, valign="top"),
        draft.node("post", "td", E.div(day), text, tools),
    )


def _date(draft: Draft) -> Content:
    if not draft.shows("date"):
        return None
    return head.moment(draft, "date", draft.story.published)


@family("forum", topic="forum", frame=frames.slim)
def discussion(draft: Draft) -> Content:
    """A modern forum: posts one below the other, avatars, reactions, times on the right."""
    posts = [
        _article(
            draft, draft.phrase("nicknames"), E.span(_when(draft, i)), E.p(draft.phrase("replies"))
        )
        for i in range(draft.rng.randint(4, 8))
    ]
    text = [body.plain_paragraphs(draft), _picture(draft)]
    first = _article(draft, head.names(draft), _date(draft), text)
    tags = join(" ", [draft.link("tag", tag) for tag in draft.story.tags])
    top = E.div(head.title(draft, "h1"), E.div(tags))
    similar = body.link_list(draft, "related", 5)
    count = E.h3(f"{draft.word('replies')} ({len(posts)})")
    return [top, first, count, E.section(posts), similar]


def _picture(draft: Draft) -> Content:
    return draft.photo(380, 260) if draft.rng.random() < 0.6 else None


def _article(draft: Draft, name: Content, day: Content, text: Content) -> MarkupNode:
    face = draft.image("avatar", 40, 40)
    top = E.header(face, E.strong(name), E.div(day))
    tools = E.footer(
        draft.link("comment-tool", draft.word("like")),
        draft.link("comment-tool", draft.word("reply")),
    )
    return draft.node("post", "article", top, draft.node("body", "div", text), tools)


@family("forum", topic="forum", frame=frames.rail)
def comment_tree(draft: Draft) -> Content:
    """A board of links: nested replies, all with points."""
    points = E.span(f"{draft.rng.randint(2, 700)} {draft.word('votes')}")
    line = E.div(points, " ", head.names(draft), " ", _date(draft))
    top = E.div(head.title(draft, "h4"), line, body.plain_paragraphs(draft, 0, 4, "div"))
    tree = E.ul([_branch(draft, depth) for depth in (2, 1, 3, 0)])
    return [top, E.form(E.textarea(""), draft.button("reply")), tree]


def _branch(draft: Draft, depth: int) -> MarkupNode:
    name = E.i(draft.phrase("nicknames"), " ", draft.phrase("ages"))
    inner = E.ul(_branch(draft, depth - 1)) if depth else None
    return draft.node(
        "comment", "li", boilerplate.icon(draft), name, E.div(draft.phrase("replies")), inner
    )


@family("forum", topic="forum")
def mailing_list(draft: Draft) -> Content:
    """An archived message: headers as a list, the text in lines, the thread as links."""
    lines = "\n\n".join(draft.story.paragraphs)
    subject = E.li(E.b("Subject: "), head.title(draft, "span"))
    sender = E.li(E.b("From: "), head.names(draft)) if draft.story.authors else None
    day = E.li(E.b("Date: "), head.plain_date(draft)) if draft.shows("date") else None
    others = [
        E.li(draft.link("teaser-link", f"Re: {draft.story.headline}"), " ", E.i(draft.person()))
        for _ in range(4)
    ]
    text = draft.node("code", "pre", lines, gold="Paragraph")
    return [
        E.ul(subject, sender, day),
        E.hr(),
        text,
        E.hr(),
        E.ul(others),
        E.address(boilerplate.logo(draft)),
    ]


@family("question", topic="question", frame=frames.slim)
def votes(draft: Draft) -> Content:
    """A site for experts: a column of votes beside the question and each answer."""
    signature = E.div(draft.label("small", "asked"), " ", head.names(draft), head.dates(draft))
    question = E.div(body.plain_paragraphs(draft, 0, 4), _labels(draft), signature)
    first = draft.node("voted", "div", _count(draft), question)
    answers = [_answer(draft, i == 0) for i in range(draft.rng.randint(2, 4))]
    count = E.h2(f"{len(answers)} {draft.word('replies')}")
    form = E.form(draft.label("h2", "your_answer"), E.textarea(""), draft.button("your_answer"))
    side = E.aside(body.link_list(draft, "related", 6))
    left = E.div(first, E.div(count, answers), form)
    return [E.div(head.title(draft, "h1")), draft.node("split", "div", left, side)]


def _count(draft: Draft) -> MarkupNode:
    return draft.node("vote", "div", E.div("▲"), E.b(str(draft.rng.randint(-2, 90))), E.div("▼"))


def _labels(draft: Draft) -> MarkupNode:
    return listing("ul", [draft.link("tag", tag) for tag in draft.story.tags])


def _answer(draft: Draft, is_best: bool) -> MarkupNode:
    best = E.strong("✓ ", draft.word("accepted")) if is_best else None
    words = [E.p(text) for text in draft.phrases("replies", draft.rng.randint(1, 3))]
    who = E.div(draft.phrase("nicknames"), " ", E.span(draft.phrase("ages")))
    return draft.node("voted", "div", _count(draft), E.div(best, words, who))


@family("question", topic="question", frame=frames.hub)
def ask_everyone(draft: Draft) -> Content:
    """A portal of answers by anybody: short question, long list of answers, advertisements."""
    question = E.section(
        head.title(draft),
        body.plain_paragraphs(draft, 0, 2, "span"),
        E.p(head.names(draft)),
        body.labelled_date(draft),
    )
    answers = [
        E.dl(
            E.dt(draft.image("avatar", 28, 28), draft.phrase("nicknames")),
            E.dd(draft.phrase("replies")),
        )
        for _ in range(draft.rng.randint(4, 8))
    ]
    more = E.section(draft.label("h3", "related"), promo.stack(draft, 3))
    return [question, draft.label("h3", "replies"), answers, more]


@family("question", topic="question", lacks=("authors",), frame=frames.encyclopedia)
def help_centre(draft: Draft) -> Content:
    """A firm's help page: the question is the title, the answer is the text (Paragraph)."""
    flow = body.section_flow(draft, "h3")
    steps = body.bullet_list(draft, draft.phrases("duties", 3), "ol")
    feedback = E.fieldset(
        draft.label("legend", "helpful"),
        E.button(draft.word("yes"), type="button"),
        E.button(draft.word("no"), type="button"),
    )
    text = E.article(
        head.title(draft, "h1"),
        body.lead_paragraphs(draft),
        steps,
        flow,
        body.labelled_date(draft, word="updated"),
    )
    return [text, feedback, body.link_list(draft, "related", 4)]
