"""Frames of reference works and boards: an encyclopedia's, a manual's, a forum's. All None."""

from __future__ import annotations

from collections.abc import Sequence

from structce.corpora.synthetic.draft import Draft
from structce.corpora.synthetic.frames import logo
from structce.corpora.synthetic.nodes import Content, Node, between, node


def encyclopedia(draft: Draft, *content: Content) -> list[Content]:
    """Return an encyclopedia's page: tools on the left, tabs above the article."""
    nav = draft.site.language.lists["nav"]
    panel = [_portlet(draft, nav[0], nav[1:6]), _portlet(draft, nav[6], nav[7:11])]
    words = ("read", "edit", "history", "talk")
    tabs = draft.node("tabs", "ul", [node("li", _tab(draft, draft.word(word))) for word in words])
    foot = draft.node("footer", "footer", node("ul", node("li", draft.word("rights"))))
    left = draft.node("rail", "div", node("p", logo(draft)), panel)
    return [draft.node("rail-grid", "div", left, node("div", tabs, content)), foot]


def _portlet(draft: Draft, title: str, names: Sequence[str]) -> Node:
    links = [node("li", draft.link("footer-link", name)) for name in names]
    return node("div", draft.node("footer-heading", "h3", title), node("div", node("ul", links)))


def manual(draft: Draft, contents: Content, *content: Content) -> list[Content]:
    """Return a manual's page: a tree of chapters, the text, the headings of the page."""
    names = draft.several("manual", 9)
    here = node("ul", [node("li", draft.link("tree-link", text)) for text in draft.story.headings])
    tree = [
        node("li", draft.link("tree-link", name), here if place == 2 else None)
        for place, name in enumerate(names)
    ]
    version = f"{draft.word('version')} {draft.rng.randint(1, 9)}.{draft.rng.randint(0, 20)}"
    search = draft.node("field", "input", attributes={"type": "search"})
    ends = node(
        "div",
        draft.link("pager-link", "← ", names[0]),
        " ",
        draft.link("pager-link", names[3], " →"),
    )
    return [
        draft.node("bar", "header", logo(draft), node("span", version), search),
        draft.node(
            "three",
            "div",
            draft.node("rail", "nav", node("ul", tree)),
            node("main", content, ends),
            draft.node("rail", "aside", contents),
        ),
    ]


def board(draft: Draft, *content: Content) -> list[Content]:
    """Return a board's page: what members can do above, who is here below."""
    words = ("search", "login", "new_topic")
    tools = between(" | ", [draft.link("tool", draft.word(word)) for word in words])
    way = between(" » ", [draft.link("crumb", name) for name in draft.several("boards", 2)])
    here = node("p", between(", ", [draft.link("tool", n) for n in draft.several("nicknames", 4)]))
    return [
        draft.node(
            "page",
            "div",
            draft.node("masthead", "div", node("div", logo(draft)), node("p", tools)),
            draft.node("crumbs", "p", way),
            content,
            draft.node("box", "div", node("h4", draft.word("forum")), here),
            draft.node("legal", "p", draft.word("rights")),
        )
    ]


def _tab(draft: Draft, name: str) -> Node:
    return draft.link("tab", name)
