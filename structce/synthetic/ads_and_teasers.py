"""Advertisements, with all regions labelled Advertisement, and teasers of other stories (None)."""

from __future__ import annotations

from collections.abc import Callable

from structce.synthetic.article_head import small_date
from structce.synthetic.dom import Content, E, MarkupNode, listing
from structce.synthetic.draft import Draft
from structce.synthetic.language import expand
from structce.synthetic.stories import Teaser

_BANNERS = ((728, 90), (970, 90), (468, 60))
_BOXES = ((300, 250), (336, 280), (300, 600), (250, 250))
"Usual sizes of banners and boxes in CSS pixels, width first (IAB display units)."
_GOLD = "Advertisement"
_THUMBS = ((160, 90), (120, 80), (240, 160), (100, 100), (300, 170))
"Sizes of teaser pictures in CSS pixels; large ones look like those of the article."


def banner(draft: Draft) -> MarkupNode:
    """Return a wide linked picture, with or without a tag line."""
    return _picture(draft, *draft.rng.choice(_BANNERS))


def box(draft: Draft) -> MarkupNode:
    """Return an advertisement for a side column: a picture, frame or text."""
    width, height = draft.rng.choice(_BOXES)
    makers: tuple[Callable[[], MarkupNode], ...] = (
        lambda: _picture(draft, width, height),
        lambda: frame(draft, width, height),
        lambda: sponsored_box(draft),
    )
    return draft.rng.choice(makers)()


def tower(draft: Draft) -> MarkupNode:
    """Return a narrow advertisement for a column of navigation."""
    return frame(draft, 160, 600)


def frame(draft: Draft, width: int, height: int) -> MarkupNode:
    """Return an advertisement in an inline frame."""
    number = draft.rng.randrange(10**5)
    host = ("https://ads.adserver.example", "/frames", f"https://x.{draft.site.host}")
    source = f"{host[draft.site.pick('ad-frames', 3)]}/{number}"
    inner = draft.node("ad-image", "iframe", src=source, width=width, height=height)
    return draft.node("ad", "div", _tag_line(draft), inner, gold=_GOLD)


def sponsored_box(draft: Draft) -> MarkupNode:
    """Return a box of text with a tag line, a title, a few sentences and a button."""
    brand = draft.phrase("brands")
    title = draft.link("teaser-link", draft.phrase("ad_titles", brand=brand))
    return draft.node(
        "ad",
        "div",
        draft.node("ad-tag", "span", draft.word("advertisement")),
        draft.image("ad-image", 280, 140) if draft.rng.random() < 0.5 else None,
        draft.node("ad-title", draft.tag("teaser-title"), title),
        [draft.node("ad-text", "p", text) for text in _texts(draft, brand, 3)],
        draft.link("button", draft.phrase("ad_buttons")),
        gold=_GOLD,
    )


def native_ad(draft: Draft) -> MarkupNode:
    """Return an advertisement that looks like the paragraphs around it."""
    brand = draft.phrase("brands")
    title = draft.phrase("ad_titles", brand=brand)
    tag_line = draft.node("ad-tag", "span", draft.word("advertisement"))
    texts = _texts(draft, brand, 2)
    return draft.node(
        "ad-native",
        "div",
        tag_line if draft.rng.random() < 0.8 else None,
        draft.node("section-heading", draft.tag("section-heading"), title),
        draft.image("image", 320, 180) if draft.rng.random() < 0.4 else None,
        [draft.node("paragraph", draft.tag("paragraph"), text) for text in texts],
        gold=_GOLD,
    )


def body_ad(draft: Draft) -> MarkupNode:
    """Return an advertisement for the middle of an article."""
    if draft.has("native-ads"):
        return native_ad(draft)
    return draft.rng.choice((sponsored_box, lambda page: _picture(page, 468, 60), native_ad))(draft)


def _picture(draft: Draft, width: int, height: int) -> MarkupNode:
    alt = draft.phrase("ad_titles", brand=draft.phrase("brands"))
    image = draft.image("ad-image", width, height, alt=alt)
    host = "https://click.adserver.example" if draft.site.pick("ad-links", 3) == 0 else "/go"
    link = draft.node("text-link", "a", image, href=f"{host}/{draft.rng.randrange(10**6)}")
    return draft.node("ad", "div", _tag_line(draft), link, gold=_GOLD)


def _tag_line(draft: Draft) -> Content:
    if draft.site.pick("tag-lines", 2):
        return None
    return draft.node("ad-tag", "div", draft.word("advertisement"))


def _texts(draft: Draft, brand: str, most: int) -> list[str]:
    texts = draft.rng.sample(draft.site.language.lists["ad_texts"], draft.rng.randint(1, most))
    slots = {**draft.story.slots, "brand": brand}
    return [expand(text, draft.rng, slots) for text in texts]


def teaser(draft: Draft, other: Teaser) -> MarkupNode:
    """Return one teaser in the site's style."""
    habit = draft.site.habits["teaser"]
    width, height = _THUMBS[draft.site.pick("thumbs", len(_THUMBS))]
    picture = draft.link("teaser-link", draft.image("teaser-image", width, height))
    title = _title(draft, other)
    date = small_date(draft, "teaser-date", other.published)
    text = draft.node("teaser-text", draft.tag("teaser-text"), other.standfirst)
    section = draft.node("teaser-section", "span", other.section)
    parts: dict[str, list[Content]] = {
        "image-first": [picture, title, date],
        "title-first": [title, text, date],
        "text-only": [section, title],
        "full": [picture, section, title, text, date],
    }
    return draft.node("teaser", draft.tag("teaser"), parts[habit])


def _title(draft: Draft, other: Teaser) -> MarkupNode:
    link = draft.link("teaser-link", other.headline)
    return draft.node("teaser-title", draft.tag("teaser-title"), link)


def related_stories(
    draft: Draft, n: int = 4, word: str = "related", role: str = "teasers"
) -> MarkupNode:
    """Return a box of teasers under a heading; in side columns their role is ``stack``."""
    items = [teaser(draft, other) for other in draft.teasers(n)]
    return headed_box(draft, word, draft.node(role, "div", items))


def headed_box(draft: Draft, word: str, *content: Content) -> MarkupNode:
    """Return content under one of the site's headings."""
    heading = draft.box_heading(draft.word(word))
    return draft.node("box", "section", heading, content)


def related_at(draft: Draft, place: str) -> Content:
    """Return related stories if the site has them ``above``, ``below`` or at the ``side``."""
    if place not in draft.site.habits["related"]:
        return None
    role = "stack" if place == "side" else "teasers"
    return related_stories(draft, {"above": 3, "below": 6, "side": 3}[place], role=role)


def ranking(draft: Draft, n: int = 5) -> MarkupNode:
    """Return the numbered list of the most-read stories."""
    items = [
        E.li(draft.node("rank", "span", str(i + 1)), draft.link("teaser-link", other.headline))
        for i, other in enumerate(draft.teasers(n))
    ]
    return headed_box(draft, "most_read", draft.node("footer-list", "ol", items))


def dated_headlines(draft: Draft, n: int) -> list[tuple[MarkupNode, MarkupNode]]:
    """Draw other stories and return the date of each, and a link to it."""
    return [
        (small_date(draft, "teaser-date", o.published), draft.link("teaser-link", o.headline))
        for o in draft.teasers(n)
    ]


def latest_headlines(draft: Draft, n: int = 6) -> Content:
    """Return a list of the latest headlines with their dates, if the site has one."""
    if not draft.has("latest"):
        return None
    items = [E.li(day, " ", link) for day, link in dated_headlines(draft, n)]
    return headed_box(draft, "latest", draft.node("footer-list", "ul", items))


def inline_teaser(draft: Draft) -> MarkupNode:
    """Return a pointer to another story, between two paragraphs."""
    label = draft.node("date-label", "strong", draft.word("see_also"))
    links = [
        draft.link("text-link", other.headline)
        for other in draft.teasers(draft.rng.choice((1, 1, 3)))
    ]
    if len(links) == 1:
        tag = draft.tag("paragraph")
        return draft.node("inline-box", tag, label, " ", links, gold="None")
    items = listing("ul", links)
    return draft.node("inline-box", "div", label, items, gold="None")


def more_from(draft: Draft, n: int = 4) -> Content:
    """Return other stories by the author, whose name is None here, after the page's own title."""
    if not draft.has("more-from") or not draft.shows("authors") or (not draft.shows("title")):
        return None
    name = draft.story.authors[0]
    here = E.li(draft.label("em", "reading"), " ", E.span(draft.story.headline))
    items = draft.headlines(n, "li")
    heading = draft.node(
        "box-heading", draft.tag("box-heading"), f"{draft.word('more_from')} ", E.span(name)
    )
    return draft.node("box", "section", heading, E.ul(here, items))


def archive(draft: Draft, n: int = 10) -> MarkupNode:
    """Return a list of older posts."""
    items = [E.li(draft.link("footer-link", other.headline)) for other in draft.teasers(n)]
    return headed_box(draft, "archive", E.ul(items))


def stack(draft: Draft, n: int) -> list[MarkupNode]:
    """Return teasers without a box around them, as on front pages."""
    return [teaser(draft, other) for other in draft.teasers(n)]
