"""Advertisements: every region inside one is Advertisement."""

from __future__ import annotations

from collections.abc import Callable

from structce.corpora.synthetic.draft import Draft
from structce.corpora.synthetic.nodes import Content, Node
from structce.corpora.synthetic.phrases import expand

BANNERS = ((728, 90), (970, 90), (468, 60))
BOXES = ((300, 250), (336, 280), (300, 600), (250, 250))
"""Usual sizes of banners and boxes in CSS pixels, width first (IAB display units)."""

GOLD = "Advertisement"


def banner(draft: Draft) -> Node:
    """Return a wide picture that is a link, with or without a tag line."""
    return _picture(draft, *draft.rng.choice(BANNERS))


def box(draft: Draft) -> Node:
    """Return an advertisement for a side column: picture, frame or text."""
    width, height = draft.rng.choice(BOXES)
    makers: tuple[Callable[[], Node], ...] = (
        lambda: _picture(draft, width, height),
        lambda: frame(draft, width, height),
        lambda: sponsored(draft),
    )
    return draft.rng.choice(makers)()


def tower(draft: Draft) -> Node:
    """Return a narrow advertisement for a column of navigation."""
    return frame(draft, 160, 600)


def frame(draft: Draft, width: int, height: int) -> Node:
    """Return an advertisement in a frame of its own."""
    number = draft.rng.randrange(10**5)
    host = ("https://ads.adserver.example", "/frames", f"https://x.{draft.site.host}")
    attributes = {
        "src": f"{host[draft.site.pick('ad-frames', 3)]}/{number}",
        "width": str(width),
        "height": str(height),
    }
    inner = draft.node("ad-image", "iframe", attributes=attributes)
    return draft.node("ad", "div", _tag_line(draft), inner, gold=GOLD)


def sponsored(draft: Draft) -> Node:
    """Return a box of text with a tag line, a title, a few sentences and a button."""
    brand = draft.say("brands")
    title = draft.link("teaser-link", draft.say("ad_titles", brand=brand))
    return draft.node(
        "ad",
        "div",
        draft.node("ad-tag", "span", draft.word("advertisement")),
        draft.image("ad-image", 280, 140) if draft.rng.random() < 0.5 else None,
        draft.node("ad-title", draft.tag("teaser-title"), title),
        [draft.node("ad-text", "p", text) for text in _texts(draft, brand, 3)],
        draft.link("button", draft.say("ad_buttons")),
        gold=GOLD,
    )


def native(draft: Draft) -> Node:
    """Return an advertisement that looks like the paragraphs around it."""
    brand = draft.say("brands")
    title = draft.say("ad_titles", brand=brand)
    tag_line = draft.node("ad-tag", "span", draft.word("advertisement"))
    texts = _texts(draft, brand, 2)
    return draft.node(
        "ad-native",
        "div",
        tag_line if draft.rng.random() < 0.8 else None,
        draft.node("section-heading", draft.tag("section-heading"), title),
        draft.image("image", 320, 180) if draft.rng.random() < 0.4 else None,
        [draft.node("paragraph", draft.tag("paragraph"), text) for text in texts],
        gold=GOLD,
    )


def in_body(draft: Draft) -> Node:
    """Return an advertisement for the middle of an article."""
    if draft.has("native-ads"):
        return native(draft)
    return draft.rng.choice((sponsored, lambda page: _picture(page, 468, 60), native))(draft)


def _picture(draft: Draft, width: int, height: int) -> Node:
    alt = draft.say("ad_titles", brand=draft.say("brands"))
    image = draft.image("ad-image", width, height, alt=alt)
    host = "https://click.adserver.example" if draft.site.pick("ad-links", 3) == 0 else "/go"
    attributes = {"href": f"{host}/{draft.rng.randrange(10**6)}"}
    link = draft.node("text-link", "a", image, attributes=attributes)
    return draft.node("ad", "div", _tag_line(draft), link, gold=GOLD)


def _tag_line(draft: Draft) -> Content:
    if draft.site.pick("tag-lines", 2):
        return None
    return draft.node("ad-tag", "div", draft.word("advertisement"))


def _texts(draft: Draft, brand: str, most: int) -> list[str]:
    texts = draft.rng.sample(draft.site.language.lists["ad_texts"], draft.rng.randint(1, most))
    slots = {**draft.story.slots, "brand": brand}
    return [expand(text, draft.rng, slots) for text in texts]
