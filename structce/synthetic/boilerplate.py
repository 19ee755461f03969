"""What surrounds an article's text: sharing, tags, comments, newsletter, author's box.

All of it is None, but for the author's name in the author's box.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from structce.synthetic import ads_and_teasers
from structce.synthetic.article_head import small_date
from structce.synthetic.dom import Content, Node, between, node
from structce.synthetic.draft import Draft, format_moment
from structce.synthetic.language import expand


def share(draft: Draft) -> Content:
    """Return the bar of links to send the article elsewhere."""
    if not draft.has("share"):
        return None
    links = [
        draft.link("share-link", icon(draft) if draft.site.pick("share-icons", 2) else None, name)
        for name in draft.word("share_by").split(", ")
    ]
    return draft.node("share", "div", node("span", draft.word("share")), links)


def icon(draft: Draft) -> Node:
    """Return a small drawn symbol."""
    box = {"width": "16", "height": "16", "viewBox": "0 0 16 16"}
    radius = str(draft.rng.randint(4, 7))
    shape = node("circle", cx="8", cy="8", r=radius, fill="#777777")
    return draft.node("icon", "svg", shape, attributes=box)


def tags(draft: Draft) -> Content:
    """Return the list of topics."""
    if not draft.has("tags"):
        return None
    links = between(" ", [draft.link("tag", name) for name in draft.story.tags])
    return draft.node("tags", "div", node("span", draft.word("tags")), " ", links)


def newsletter(draft: Draft) -> Content:
    """Return the box in which readers sign up for letters."""
    if not draft.has("newsletter"):
        return None
    field = draft.node("field", "input", attributes={"type": "email", "name": "address"})
    button = draft.node("button", "button", draft.word("subscribe"), attributes={"type": "button"})
    return draft.node(
        "newsletter",
        "div",
        draft.node("box-heading", draft.tag("box-heading"), draft.word("newsletter")),
        node("p", draft.word("newsletter_text")),
        node("form", node("p", field, button), action="/letters"),
    )


def comments(draft: Draft) -> Content:
    """Return what readers wrote."""
    if not draft.has("comments"):
        return None
    n = draft.rng.randint(3, 9)
    heading = draft.node("box-heading", draft.tag("box-heading"), f"{draft.word('comments')} ({n})")
    return draft.node("comments", "section", heading, [_comment(draft) for _ in range(n)])


def _comment(draft: Draft) -> Node:
    when = draft.story.published + timedelta(minutes=draft.rng.randint(10, 5000))
    avatar = draft.image("avatar", 32, 32) if draft.site.pick("avatars", 3) == 0 else None
    texts = [draft.say("comments") for _ in range(draft.rng.choice((1, 1, 1, 2)))]
    return draft.node(
        "comment",
        "div",
        node(
            "div",
            avatar,
            draft.node("comment-name", draft.rng.choice(("b", "b", "a")), draft.say("nicknames")),
            " ",
            small_date(draft, "comment-date", when),
        ),
        [draft.node("comment-text", draft.tag("comment-text"), text) for text in texts],
        node(
            "div",
            draft.link("comment-tool", draft.word("reply")),
            " ",
            draft.link("comment-tool", draft.word("like")),
        ),
    )


def author_box(draft: Draft) -> Content:
    """Return who the author is: only the name alone is Author, the biography is None."""
    if not draft.has("author-box") or not draft.shows("authors"):
        return None
    heading = node("p", draft.word("about_author"))
    return draft.node(
        "bio-box", "div", heading, [_bio(draft, name) for name in draft.story.authors]
    )


def portrait(draft: Draft) -> Content:
    """Return the author's picture, name and biography, as columns of opinion open with."""
    if not draft.shows("authors"):
        return None
    return draft.node("bio-box", "div", [_bio(draft, name) for name in draft.story.authors])


def _bio(draft: Draft, name: str) -> list[Content]:
    slots = {"author": name, "site": draft.site.name, "section": draft.story.section}
    template = draft.rng.choice(draft.site.language.lists["bios"])
    text = expand(template, draft.rng, {**draft.story.slots, **slots})
    return [
        draft.image("avatar", 72, 72, alt=name),
        node("div", draft.node("author", "b", name, gold="Author")),
        draft.node("bio", "p", text),
    ]


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


_QUIET = frozenset({"release", "wiki", "documentation", "company", "newsletter", "science", "shop"})
"""Kinds of pages whose publishers show no advertisements."""


def slim(draft: Draft, *content: Content) -> list[Content]:
    """Return a modern page: a low bar with logo, sections and search, a footer of one line."""
    sections = [node("li", link) for link in _sections(draft, 5)]
    search = node("form", _field(draft), draft.link("button", draft.word("search")), action="/find")
    bar = draft.node("bar", "header", logo(draft), draft.node("nav", "ul", sections), search)
    small = node("small", f"© {draft.story.published.year} {draft.site.name}")
    foot = draft.node("footer", "footer", small, " ", between(" · ", _small_links(draft, 4)))
    page = draft.node("page", "main", breadcrumb(draft), content, _sold(draft, ads_and_teasers.box))
    return [sticky(draft), bar, page, foot, cookie_notice(draft)]


def rail(draft: Draft, *content: Content) -> list[Content]:
    """Return a page whose navigation is a column on the left; it has no header."""
    sections = [node("p", link) for link in _sections(draft, 9)]
    left = draft.node(
        "rail",
        "div",
        node("div", logo(draft)),
        node("nav", sections),
        newsletter(draft),
        _sold(draft, ads_and_teasers.tower),
    )
    foot = draft.node("legal", "div", _small_links(draft, 3), draft.word("rights"))
    right = draft.node("main-area", "div", breadcrumb(draft), content, foot)
    return [draft.node("rail-grid", "div", left, right), cookie_notice(draft)]


def official(draft: Draft, *content: Content) -> list[Content]:
    """Return a public authority's page: skip link, crest, services, contact at the end."""
    skip = draft.link("skip", draft.word("skip"))
    crest = node("div", icon(draft), node("strong", logo(draft)))
    services = draft.several("services", 6)
    nav = [node("li", draft.link("nav-link", name)) for name in services]
    crumbs = [node("li", draft.link("crumb", name)) for name in (draft.word("home"), services[0])]
    address = f"{draft.site.name}, {draft.slot('place')}"
    contact = node("dl", node("dt", draft.word("contact")), node("dd", address))
    return [
        skip,
        draft.node("header", "div", crest, draft.node("nav", "nav", node("ol", nav))),
        node("nav", draft.node("crumbs", "ol", crumbs)),
        draft.node("page", "div", node("main", content), draft.link("tool", draft.word("top"))),
        draft.node("footer", "footer", node("section", contact), node("ul", _items(draft, 5))),
    ]


def app(draft: Draft, *content: Content) -> list[Content]:
    """Return a page for telephones: buttons above, a tab bar below."""
    buttons = [
        draft.node("button", "button", draft.word(word), attributes={"type": "button"})
        for word in ("menu", "search")
    ]
    top = draft.node("bar", "div", buttons[0], logo(draft), buttons[1])
    tabs = [draft.node("tab", "a", icon(draft), node("span", name)) for name in _names(draft, 4)]
    inner = draft.node("narrow", "div", content, _sold(draft, ads_and_teasers.sponsored))
    return [
        sticky(draft),
        node("div", top, inner, draft.node("tabs", "div", tabs)),
        cookie_notice(draft),
    ]


def hub(draft: Draft, *content: Content) -> list[Content]:
    """Return a network's portal: its other services above, menus in menus, a site map below."""
    others = [node("li", draft.link("tool", name)) for name in draft.several("network", 6)]
    today = format_moment(draft.site, "long", draft.story.updated)
    top = node(
        "div", draft.node("today", "p", today), draft.node("today", "p", draft.word("weather"))
    )
    menus = [node("li", link, _plain_list(draft, 2)) for link in _sections(draft, 5)]
    maps = [node("div", node("h5", name), _plain_list(draft, 5)) for name in _names(draft, 4)]
    return [
        draft.node("network", "ul", others),
        draft.node(
            "page", "div", node("header", logo(draft), top), draft.node("menus", "ul", menus)
        ),
        draft.node("page", "div", _sold(draft, ads_and_teasers.banner), breadcrumb(draft), content),
        draft.node("site-map", "div", maps),
        draft.node("legal", "p", draft.word("rights")),
        cookie_notice(draft),
    ]


def store(draft: Draft, *content: Content) -> list[Content]:
    """Return a shop's page: search and basket above, the way to the shelf, promises below."""
    search = node("form", node("div", _field(draft), draft.link("button", draft.word("search"))))
    basket = draft.link("tool", icon(draft), draft.word("basket"))
    shelves = draft.several("departments", 6)
    way = [draft.link("crumb", draft.word("home")), draft.link("crumb", draft.story.section)]
    if draft.site.pick("last-crumb", 2):
        way.append(draft.node("crumb", "b", draft.story.headline))
    aisles = draft.node("nav", "div", [draft.link("nav-link", name) for name in shelves])
    promises = [node("li", icon(draft), node("p", text)) for text in (draft.word("stock"),) * 2]
    return [
        draft.node("bar", "header", node("div", logo(draft)), search, basket),
        draft.node("page", "div", aisles, draft.node("crumbs", "p", between(" / ", way)), content),
        draft.node("promises", "ul", promises),
        draft.node("footer", "footer", node("p", between(" ", _small_links(draft, 7)))),
        cookie_notice(draft),
    ]


def plain(draft: Draft, *content: Content) -> list[Content]:
    """Return a page with next to nothing around it."""
    line = node("p", logo(draft), " ", between(" / ", _sections(draft, 3)))
    foot = node("address", f"{draft.site.name}, ", draft.link("text-link", draft.word("contact")))
    return [draft.node("narrow", "div", line, node("hr"), content, node("hr"), foot)]


def letter(draft: Draft, *content: Content) -> list[Content]:
    """Return a letter as mail programs show it: tables in tables, nothing to navigate by."""
    online = node("p", draft.link("text-link", draft.word("view_online")))
    stop = node("p", draft.link("text-link", draft.word("unsubscribe")))
    rows = [
        node("tr", node("td", part, align=align))
        for part, align in ((online, "center"), (logo(draft), "center"), (content, "left"))
    ]
    inner = node("table", node("tbody", rows, node("tr", node("td", stop))), width="600")
    cell = node("td", inner, align="center")
    return [draft.node("sheet", "table", node("tbody", node("tr", cell)))]


def _sold(draft: Draft, make: Callable[[Draft], Node]) -> Content:
    """Return an advertisement where the site sells space on pages of this kind."""
    return make(draft) if draft.has("ads") and draft.kind not in _QUIET else None


def logo(draft: Draft) -> Node:
    """Return the site's name as a link to its front page."""
    return draft.node("site-name", "a", draft.site.name, attributes={"href": "/"})


def _names(draft: Draft, n: int) -> tuple[str, ...]:
    return draft.site.language.lists["nav"][:n]


def _sections(draft: Draft, n: int) -> list[Node]:
    return [draft.link("nav-link", name) for name in _names(draft, n)]


def _small_links(draft: Draft, n: int) -> list[Node]:
    names = draft.site.language.lists["footer"][:n]
    return [draft.link("footer-link", name) for name in names]


def _items(draft: Draft, n: int) -> list[Node]:
    return [node("li", link) for link in _small_links(draft, n)]


def _plain_list(draft: Draft, n: int) -> Node:
    return draft.node("footer-list", "ul", _items(draft, n))


def _field(draft: Draft) -> Node:
    return draft.node("field", "input", attributes={"type": "search", "name": "words"})
