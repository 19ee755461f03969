"""Boilerplate of a page: masthead, navigation, footer, sharing, comments, newsletter, author box.

All of it is None, except the author's name in the author box.
"""

from __future__ import annotations

from datetime import timedelta

from structce.synthetic.article_head import small_date
from structce.synthetic.dom import Content, E, MarkupNode, join
from structce.synthetic.draft import Draft, format_moment
from structce.synthetic.language import expand


def share_bar(draft: Draft) -> Content:
    """Return the bar of links for sharing the article."""
    if not draft.has("share"):
        return None
    links = [
        draft.link("share-link", icon(draft) if draft.site.pick("share-icons", 2) else None, name)
        for name in draft.word("share_by").split(", ")
    ]
    return draft.node("share", "div", draft.label("span", "share"), links)


def icon(draft: Draft) -> MarkupNode:
    """Return a small drawn symbol."""
    shape = E.circle(cx=8, cy=8, r=draft.rng.randint(4, 7), fill="#777777")
    return draft.node("icon", "svg", shape, width=16, height=16, viewBox="0 0 16 16")


def tags(draft: Draft) -> Content:
    """Return the list of topics."""
    if not draft.has("tags"):
        return None
    links = join(" ", [draft.link("tag", name) for name in draft.story.tags])
    return draft.node("tags", "div", draft.label("span", "tags"), " ", links)


def newsletter(draft: Draft) -> Content:
    """Return the box to subscribe to a newsletter."""
    if not draft.has("newsletter"):
        return None
    field = draft.node("field", "input", type="email", name="address")
    button = draft.form_button("subscribe")
    return draft.node(
        "newsletter",
        "div",
        draft.box_heading(draft.word("newsletter")),
        draft.label("p", "newsletter_text"),
        E.form(E.p(field, button), action="/letters"),
    )


def comments(draft: Draft) -> Content:
    """Return the readers' comments."""
    if not draft.has("comments"):
        return None
    n = draft.rng.randint(3, 9)
    heading = draft.box_heading(f"{draft.word('comments')} ({n})")
    return draft.node("comments", "section", heading, [_comment(draft) for _ in range(n)])


def _comment(draft: Draft) -> MarkupNode:
    when = draft.story.published + timedelta(minutes=draft.rng.randint(10, 5000))
    avatar = draft.image("avatar", 32, 32) if draft.site.pick("avatars", 3) == 0 else None
    texts = [draft.phrase("comments") for _ in range(draft.rng.choice((1, 1, 1, 2)))]
    return draft.node(
        "comment",
        "div",
        E.div(
            avatar,
            draft.node(
                "comment-name", draft.rng.choice(("b", "b", "a")), draft.phrase("nicknames")
            ),
            " ",
            small_date(draft, "comment-date", when),
        ),
        [draft.node("comment-text", draft.tag("comment-text"), text) for text in texts],
        E.div(
            draft.link("comment-tool", draft.word("reply")),
            " ",
            draft.link("comment-tool", draft.word("like")),
        ),
    )


def author_box(draft: Draft) -> Content:
    """Return the author box: a text node with the name alone is Author, the biography is None."""
    if not draft.has("author-box") or not draft.shows("authors"):
        return None
    return portrait(draft, draft.label("p", "about_author"))


def portrait(draft: Draft, heading: Content = None) -> Content:
    """Return the author's picture, name and biography, as at the top of opinion columns."""
    if not draft.shows("authors"):
        return None
    authors = [_bio(draft, name) for name in draft.story.authors]
    return draft.node("bio-box", "div", heading, authors)


def _bio(draft: Draft, name: str) -> list[Content]:
    slots = {"author": name, "site": draft.site.name, "section": draft.story.section}
    template = draft.rng.choice(draft.site.language.lists["bios"])
    text = expand(template, draft.rng, {**draft.story.slots, **slots})
    return [
        draft.image("avatar", 72, 72, alt=name),
        E.div(draft.node("author", "b", name, gold="Author")),
        draft.node("bio", "p", text),
    ]


def header(draft: Draft) -> MarkupNode:
    """Return the masthead with logo, tools, today's date and navigation."""
    site = draft.site
    name = logo(draft)
    if draft.tag("title") != "h1":
        name = E.h1(name)
    emblem = [None, icon(draft), draft.image("icon", 40, 40, alt=site.name)][site.pick("logo", 3)]
    masthead = draft.node("masthead", "div", emblem, name, _today(draft), _tools(draft))
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


def _tools(draft: Draft) -> MarkupNode:
    words = ("search", "login", "subscribe")[: 1 + draft.site.pick("tools", 3)]
    return E.div(join(" ", [draft.link("tool", draft.word(word)) for word in words]))


def navigation(draft: Draft) -> MarkupNode:
    """Return the links to the sections."""
    names = draft.site.language.lists["nav"][: 8 + draft.site.pick("nav", 7)]
    links = [draft.link("nav-link", name) for name in (draft.word("home"), *names)]
    if draft.site.pick("nav-list", 2):
        return draft.node("nav", "nav", links)
    return draft.node("nav", "ul", [E.li(link, style="list-style: none") for link in links])


def breadcrumb(draft: Draft) -> Content:
    """Return the breadcrumb from the front page; on some sites it ends with the title."""
    if not draft.has("breadcrumb"):
        return None
    parts: list[Content] = [
        draft.link("crumb", draft.word("home")),
        draft.link("crumb", draft.story.section),
    ]
    if draft.site.pick("last-crumb", 2):
        parts.append(draft.node("crumb", "span", draft.story.headline))
    return draft.node("crumbs", "div", join(" › ", parts))


def sticky(draft: Draft) -> Content:
    """Return the bar that stays visible and repeats the title."""
    if not draft.has("sticky"):
        return None
    title = draft.node("sticky-title", "span", draft.story.headline)
    return draft.node("sticky", "div", title, " ", draft.link("tool", draft.word("subscribe")))


def columns(draft: Draft, main: Content, side: Content) -> MarkupNode:
    """Return a main and a side column in the site's layout."""
    is_table = draft.site.layout == "table"
    centre = draft.node("main", "td" if is_table else draft.tag("main"), main)
    edge = draft.node("side", "td" if is_table else draft.tag("side"), side)
    both = [edge, centre] if draft.site.side_first else [centre, edge]
    if draft.site.layout == "single":
        both = [centre, edge]
    if is_table:
        return draft.node("columns", "table", E.tbody(E.tr(both)))
    return draft.node("columns", "div", both)


def footer(draft: Draft) -> MarkupNode:
    """Return the links and the small print at the bottom."""
    lists = draft.site.language.lists
    n_groups = 1 + draft.site.pick("footer-groups", 4)
    n_links = 4 + draft.site.pick("footer-links", 3)
    groups = [
        E.div(
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


def _links(draft: Draft, names: tuple[str, ...]) -> MarkupNode:
    links = [draft.link("footer-link", name) for name in names]
    return draft.node("footer-list", "ul", [E.li(link) for link in links])


def cookie_notice(draft: Draft) -> Content:
    """Return the notice that covers the lower edge."""
    if not draft.has("cookie"):
        return None
    buttons = [draft.form_button(word) for word in ("accept", "settings")]
    text = draft.node("cookie-text", "p", draft.word("cookies"))
    return draft.node("cookie", "div", text, E.div(join(" ", buttons)))


def logo(draft: Draft) -> MarkupNode:
    """Return the site's name as a link to its front page."""
    return draft.node("site-name", "a", draft.site.name, href="/")
