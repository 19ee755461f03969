"""Page frames: the parts around the content of a page, from a newspaper's to a manual's.

Each function takes the content and returns the whole body.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from structce.synthetic import ads_and_teasers as promo
from structce.synthetic.boilerplate import (
    breadcrumb,
    cookie_notice,
    footer,
    header,
    icon,
    logo,
    newsletter,
    sticky,
)
from structce.synthetic.dom import Content, E, MarkupNode, join, listing, row, table
from structce.synthetic.draft import Draft, format_moment

_QUIET = frozenset({"release", "wiki", "documentation", "company", "newsletter", "science", "shop"})
"Kinds of pages whose publishers show no advertisements."


def classic(draft: Draft, *content: Content) -> list[Content]:
    """Return a whole body: header, content, footer and notices."""
    page = draft.node("page", "div", header(draft), breadcrumb(draft), content, footer(draft))
    return [sticky(draft), page, cookie_notice(draft)]


def slim(draft: Draft, *content: Content) -> list[Content]:
    """Return a modern page: a low bar with logo, sections and search, a footer of one line."""
    sections = [E.li(link) for link in _sections(draft, 5)]
    search = E.form(_field(draft), draft.button("search"), action="/find")
    bar = draft.node("bar", "header", logo(draft), draft.node("nav", "ul", sections), search)
    small = E.small(f"© {draft.story.published.year} {draft.site.name}")
    foot = draft.node("footer", "footer", small, " ", join(" · ", _small_links(draft, 4)))
    page = draft.node("page", "main", breadcrumb(draft), content, _advertisement(draft, promo.box))
    return [sticky(draft), bar, page, foot, cookie_notice(draft)]


def rail(draft: Draft, *content: Content) -> list[Content]:
    """Return a page whose navigation is a column on the left; it has no header."""
    sections = [E.p(link) for link in _sections(draft, 9)]
    left = draft.node(
        "rail",
        "div",
        E.div(logo(draft)),
        E.nav(sections),
        newsletter(draft),
        _advertisement(draft, promo.tower),
    )
    foot = draft.node("legal", "div", _small_links(draft, 3), draft.word("rights"))
    right = draft.node("main-area", "div", breadcrumb(draft), content, foot)
    return [draft.node("rail-grid", "div", left, right), cookie_notice(draft)]


def official(draft: Draft, *content: Content) -> list[Content]:
    """Return a public authority's page: skip link, crest, services, contact at the end."""
    skip = draft.link("skip", draft.word("skip"))
    crest = E.div(icon(draft), E.strong(logo(draft)))
    services = draft.phrases("services", 6)
    nav = [E.li(draft.link("nav-link", name)) for name in services]
    crumbs = [E.li(draft.link("crumb", name)) for name in (draft.word("home"), services[0])]
    address = f"{draft.site.name}, {draft.slot('place')}"
    contact = E.dl(draft.label("dt", "contact"), E.dd(address))
    return [
        skip,
        draft.node("header", "div", crest, draft.node("nav", "nav", E.ol(nav))),
        E.nav(draft.node("crumbs", "ol", crumbs)),
        draft.node("page", "div", E.main(content), draft.link("tool", draft.word("top"))),
        draft.node("footer", "footer", E.section(contact), E.ul(_items(draft, 5))),
    ]


def app(draft: Draft, *content: Content) -> list[Content]:
    """Return a page for telephones: buttons above, a tab bar below."""
    buttons = [draft.form_button(word) for word in ("menu", "search")]
    top = draft.node("bar", "div", buttons[0], logo(draft), buttons[1])
    tabs = [draft.node("tab", "a", icon(draft), E.span(name)) for name in _names(draft, 4)]
    inner = draft.node("narrow", "div", content, _advertisement(draft, promo.sponsored_box))
    return [sticky(draft), E.div(top, inner, draft.node("tabs", "div", tabs)), cookie_notice(draft)]


def hub(draft: Draft, *content: Content) -> list[Content]:
    """Return a network's portal: its other services above, nested menus, a site map below."""
    others = [E.li(draft.link("tool", name)) for name in draft.phrases("network", 6)]
    today = format_moment(draft.site, "long", draft.story.updated)
    top = E.div(draft.node("today", "p", today), draft.node("today", "p", draft.word("weather")))
    menus = [E.li(link, _plain_list(draft, 2)) for link in _sections(draft, 5)]
    maps = [E.div(E.h5(name), _plain_list(draft, 5)) for name in _names(draft, 4)]
    return [
        draft.node("network", "ul", others),
        draft.node("page", "div", E.header(logo(draft), top), draft.node("menus", "ul", menus)),
        draft.node("page", "div", _advertisement(draft, promo.banner), breadcrumb(draft), content),
        draft.node("site-map", "div", maps),
        draft.node("legal", "p", draft.word("rights")),
        cookie_notice(draft),
    ]


def store(draft: Draft, *content: Content) -> list[Content]:
    """Return a shop's page: search and basket above, breadcrumb, promises below."""
    search = E.form(E.div(_field(draft), draft.button("search")))
    basket = draft.link("tool", icon(draft), draft.word("basket"))
    shelves = draft.phrases("departments", 6)
    way = [draft.link("crumb", draft.word("home")), draft.link("crumb", draft.story.section)]
    if draft.site.pick("last-crumb", 2):
        way.append(draft.node("crumb", "b", draft.story.headline))
    aisles = draft.node("nav", "div", [draft.link("nav-link", name) for name in shelves])
    promises = [E.li(icon(draft), E.p(text)) for text in (draft.word("stock"),) * 2]
    return [
        draft.node("bar", "header", E.div(logo(draft)), search, basket),
        draft.node("page", "div", aisles, draft.node("crumbs", "p", join(" / ", way)), content),
        draft.node("promises", "ul", promises),
        draft.node("footer", "footer", E.p(join(" ", _small_links(draft, 7)))),
        cookie_notice(draft),
    ]


def minimal(draft: Draft, *content: Content) -> list[Content]:
    """Return a page with almost nothing around the content."""
    line = E.p(logo(draft), " ", join(" / ", _sections(draft, 3)))
    foot = E.address(f"{draft.site.name}, ", draft.link("text-link", draft.word("contact")))
    return [draft.node("narrow", "div", line, E.hr(), content, E.hr(), foot)]


def letter(draft: Draft, *content: Content) -> list[Content]:
    """Return a letter as in mail programs: nested tables, no navigation."""
    online = E.p(draft.link("text-link", draft.word("view_online")))
    stop = E.p(draft.link("text-link", draft.word("unsubscribe")))
    rows = [
        E.tr(E.td(part, align=align))
        for part, align in ((online, "center"), (logo(draft), "center"), (content, "left"))
    ]
    inner = table(rows, row(stop), width=600)
    cell = E.td(inner, align="center")
    return [draft.node("sheet", "table", E.tbody(E.tr(cell)))]


def encyclopedia(draft: Draft, *content: Content) -> list[Content]:
    """Return an encyclopedia's page: tools on the left, tabs above the article."""
    nav = draft.site.language.lists["nav"]
    panel = [_portlet(draft, nav[0], nav[1:6]), _portlet(draft, nav[6], nav[7:11])]
    words = ("read", "edit", "history", "talk")
    links = [E.li(draft.link("tab", draft.word(word))) for word in words]
    tabs = draft.node("tabs", "ul", links)
    foot = draft.node("footer", "footer", E.ul(draft.label("li", "rights")))
    left = draft.node("rail", "div", E.p(logo(draft)), panel)
    return [draft.node("rail-grid", "div", left, E.div(tabs, content)), foot]


def manual(draft: Draft, contents: Content, *content: Content) -> list[Content]:
    """Return a manual's page: a tree of chapters, the text, the headings of the page."""
    names = draft.phrases("manual", 9)
    here = listing("ul", [draft.link("tree-link", text) for text in draft.story.headings])
    tree = [
        E.li(draft.link("tree-link", name), here if place == 2 else None)
        for place, name in enumerate(names)
    ]
    version = f"{draft.word('version')} {draft.rng.randint(1, 9)}.{draft.rng.randint(0, 20)}"
    search = draft.node("field", "input", type="search")
    ends = E.div(
        draft.link("pager-link", "← ", names[0]), " ", draft.link("pager-link", names[3], " →")
    )
    return [
        draft.node("bar", "header", logo(draft), E.span(version), search),
        draft.node(
            "three",
            "div",
            draft.node("rail", "nav", E.ul(tree)),
            E.main(content, ends),
            draft.node("rail", "aside", contents),
        ),
    ]


def board(draft: Draft, *content: Content) -> list[Content]:
    """Return a board's page: the members' menu above, who is online below."""
    words = ("search", "login", "new_topic")
    tools = join(" | ", [draft.link("tool", draft.word(word)) for word in words])
    way = join(" » ", [draft.link("crumb", name) for name in draft.phrases("boards", 2)])
    here = E.p(join(", ", [draft.link("tool", n) for n in draft.phrases("nicknames", 4)]))
    return [
        draft.node(
            "page",
            "div",
            draft.node("masthead", "div", E.div(logo(draft)), E.p(tools)),
            draft.node("crumbs", "p", way),
            content,
            draft.node("box", "div", draft.label("h4", "forum"), here),
            draft.node("legal", "p", draft.word("rights")),
        )
    ]


def _portlet(draft: Draft, title: str, names: Sequence[str]) -> MarkupNode:
    links = [E.li(draft.link("footer-link", name)) for name in names]
    return E.div(draft.node("footer-heading", "h3", title), E.div(E.ul(links)))


def _advertisement(draft: Draft, make: Callable[[Draft], MarkupNode]) -> Content:
    """Return an advertisement if the site sells space on pages of this kind."""
    return make(draft) if draft.has("ads") and draft.kind not in _QUIET else None


def _names(draft: Draft, n: int) -> tuple[str, ...]:
    return draft.site.language.lists["nav"][:n]


def _sections(draft: Draft, n: int) -> list[MarkupNode]:
    return [draft.link("nav-link", name) for name in _names(draft, n)]


def _small_links(draft: Draft, n: int) -> list[MarkupNode]:
    names = draft.site.language.lists["footer"][:n]
    return [draft.link("footer-link", name) for name in names]


def _items(draft: Draft, n: int) -> list[MarkupNode]:
    return [E.li(link) for link in _small_links(draft, n)]


def _plain_list(draft: Draft, n: int) -> MarkupNode:
    return draft.node("footer-list", "ul", _items(draft, n))


def _field(draft: Draft) -> MarkupNode:
    return draft.node("field", "input", type="search", name="words")
