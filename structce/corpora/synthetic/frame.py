"""The frame of a site's pages: header, navigation, columns, footer, notices. All None."""

from __future__ import annotations

from datetime import timedelta

from structce.corpora.synthetic.draft import Draft, format_moment
from structce.corpora.synthetic.nodes import Content, Node, between, node
from structce.corpora.synthetic.reactions import icon


def header(draft: Draft) -> Node:
    """Return the masthead with logo, tools, today's date and navigation."""
    site = draft.site
    name = draft.node("site-name", "a", site.name, attributes={"href": "/"})
    if draft.tag("title") != "h1":
        name = node("h1", name)
    logo = [None, icon(draft), draft.image("icon", 40, 40, alt=site.name)][site.pick("logo", 3)]
    masthead = draft.node("masthead", "div", logo, name, _today(draft), _tools(draft))
    if site.pick("nav-first", 4) == 0:
        return draft.node("header", "header", navigation(draft), masthead)
    return draft.node("header", "header", masthead, navigation(draft))


def _today(draft: Draft) -> list[Content]:
    parts: list[Content] = []
    if draft.has("today"):
        today = draft.story.published + timedelta(days=1)
        style = "weekday" if draft.site.pick("today", 2) else "long"
        parts.append(draft.node("today", "span", format_moment(draft.site, style, today)))
    if draft.has("weather"):
        parts.append(draft.node("today", "span", draft.word("weather")))
    return parts


def _tools(draft: Draft) -> Node:
    words = ("search", "login", "subscribe")[: 1 + draft.site.pick("tools", 3)]
    return node("div", between(" ", [draft.link("tool", draft.word(word)) for word in words]))


def navigation(draft: Draft) -> Node:
    """Return the links to the sections."""
    names = draft.site.language.lists["nav"][: 8 + draft.site.pick("nav", 7)]
    links = [draft.link("nav-link", name) for name in (draft.word("home"), *names)]
    if draft.site.pick("nav-list", 2):
        return draft.node("nav", "nav", links)
    return draft.node("nav", "ul", [node("li", link, style="list-style: none") for link in links])


def breadcrumb(draft: Draft) -> Content:
    """Return the way from the front page; on some sites it ends with the title."""
    if not draft.has("breadcrumb"):
        return None
    parts: list[Content] = [
        draft.link("crumb", draft.word("home")),
        draft.link("crumb", draft.story.section),
    ]
    if draft.site.pick("last-crumb", 2):
        parts.append(draft.node("crumb", "span", draft.story.headline))
    return draft.node("crumbs", "div", between(" › ", parts))


def sticky(draft: Draft) -> Content:
    """Return the bar that stays in sight and repeats the title."""
    if not draft.has("sticky"):
        return None
    title = draft.node("sticky-title", "span", draft.story.headline)
    return draft.node("sticky", "div", title, " ", draft.link("tool", draft.word("subscribe")))


def columns(draft: Draft, main: Content, side: Content) -> Node:
    """Return a main and a side column, made the way the site makes columns."""
    is_table = draft.site.layout == "table"
    centre = draft.node("main", "td" if is_table else draft.tag("main"), main)
    edge = draft.node("side", "td" if is_table else draft.tag("side"), side)
    both = [edge, centre] if draft.site.side_first else [centre, edge]
    if draft.site.layout == "single":
        both = [centre, edge]
    if is_table:
        return draft.node("columns", "table", node("tbody", node("tr", both)))
    return draft.node("columns", "div", both)


def footer(draft: Draft) -> Node:
    """Return the links and the small print at the bottom."""
    lists = draft.site.language.lists
    n_groups = 1 + draft.site.pick("footer-groups", 4)
    n_links = 4 + draft.site.pick("footer-links", 3)
    groups = [
        node(
            "div",
            draft.node("footer-heading", "div", heading),
            _links(draft, lists["footer"][i * n_links :][:n_links]),
        )
        for i, heading in enumerate(lists["footer_heads"][:n_groups])
    ]
    year = draft.story.published.year
    text = f"© {year} {draft.site.name}. {draft.word('rights')}"
    return draft.node(
        "footer",
        "footer",
        draft.node("footer-columns", "div", groups),
        draft.node("legal", "p", text),
    )


def _links(draft: Draft, names: tuple[str, ...]) -> Node:
    links = [draft.link("footer-link", name) for name in names]
    return draft.node("footer-list", "ul", [node("li", link) for link in links])


def cookie_notice(draft: Draft) -> Content:
    """Return the notice that covers the lower edge."""
    if not draft.has("cookie"):
        return None
    buttons = [
        draft.node("button", "button", draft.word(word), attributes={"type": "button"})
        for word in ("accept", "settings")
    ]
    text = draft.node("cookie-text", "p", draft.word("cookies"))
    return draft.node("cookie", "div", text, node("div", between(" ", buttons)))


def framed(draft: Draft, *content: Content) -> list[Content]:
    """Return a whole body: header, content, footer and notices."""
    page = draft.node("page", "div", header(draft), breadcrumb(draft), content, footer(draft))
    return [sticky(draft), page, cookie_notice(draft)]
