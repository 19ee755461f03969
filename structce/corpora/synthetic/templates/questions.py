"""Questions and answers: the question is the text of the page, answers are None like replies."""

from __future__ import annotations

from structce.corpora.synthetic import frames, heading, parts, shelves, teasers
from structce.corpora.synthetic.draft import Draft
from structce.corpora.synthetic.nodes import Content, Node, node
from structce.corpora.synthetic.registry import family


@family("question", topic="question")
def votes(draft: Draft) -> Content:
    """A site for experts: a column of votes beside the question and each answer."""
    asked = node(
        "div", node("small", draft.word("asked")), " ", heading.names(draft), heading.dates(draft)
    )
    question = node("div", parts.texts(draft, 0, 4), _labels(draft), asked)
    first = draft.node("voted", "div", _count(draft), question)
    answers = [_answer(draft, i == 0) for i in range(draft.rng.randint(2, 4))]
    count = node("h2", f"{len(answers)} {draft.word('replies')}")
    form = node(
        "form",
        node("h2", draft.word("your_answer")),
        node("textarea", ""),
        draft.link("button", draft.word("your_answer")),
    )
    side = node("aside", parts.link_list(draft, "related", 6))
    left = node("div", first, node("div", count, answers), form)
    return frames.slim(
        draft, node("div", heading.titled(draft, "h1")), draft.node("split", "div", left, side)
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
        heading.headline(draft),
        parts.texts(draft, 0, 2, "span"),
        node("p", heading.names(draft)),
        parts.dated(draft),
    )
    answers = [
        node(
            "dl",
            node("dt", draft.image("avatar", 28, 28), draft.say("nicknames")),
            node("dd", draft.say("replies")),
        )
        for _ in range(draft.rng.randint(4, 8))
    ]
    more = node("section", node("h3", draft.word("related")), teasers.stack(draft, 3))
    return frames.hub(draft, question, node("h3", draft.word("replies")), answers, more)


@family("question", topic="question", lacks=("authors",))
def help_centre(draft: Draft) -> Content:
    """A firm's help page: the question is the title, the answer is the text (Paragraph)."""
    flow = parts.flow(draft, "h3")
    steps = parts.bullets(draft, draft.several("duties", 3), "ol")
    asked = node(
        "fieldset",
        node("legend", draft.word("helpful")),
        node("button", draft.word("yes"), type="button"),
        node("button", draft.word("no"), type="button"),
    )
    text = node(
        "article",
        heading.titled(draft, "h1"),
        parts.opening(draft),
        steps,
        flow,
        parts.dated(draft, word="updated"),
    )
    return shelves.encyclopedia(draft, text, asked, parts.link_list(draft, "related", 4))
