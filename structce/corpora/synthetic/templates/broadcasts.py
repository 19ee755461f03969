"""Sound and pictures that move: podcasts, videos, programmes with a transcript."""

from __future__ import annotations

from datetime import timedelta

from structce.corpora.synthetic import ads, frames, heading, media, parts, reactions, teasers
from structce.corpora.synthetic.draft import Draft
from structce.corpora.synthetic.nodes import Content, Node, between, node
from structce.corpora.synthetic.registry import family


@family("podcast")
def podcast(draft: Draft) -> Content:
    """An episode: player (Multimedia), notes (Paragraph) with times (None), other episodes."""
    number = f"{draft.word('episode')} {draft.rng.randint(2, 180)}"
    source = {"src": "/sound.mp3", "controls": "controls"}
    player = draft.node("player", "audio", gold="Multimedia", attributes=source)
    notes = [
        node("li", _clock(i * 421), " ", node("span", text, gold="Paragraph"))
        for i, text in enumerate(draft.story.headings)
    ]
    where = [draft.link("share-link", name) for name in draft.several("platforms", 4)]
    rows = [
        node(
            "li",
            draft.link("teaser-link", o.headline),
            node("small", _clock(draft.rng.randint(900, 4000))),
        )
        for o in draft.teasers(6)
    ]
    cover = draft.image("image", 260, 260, gold="Multimedia", alt=draft.site.name)
    top = draft.node(
        "split",
        "div",
        cover,
        node("div", node("small", number), heading.titled(draft, "h1"), player),
    )
    text = node(
        "section",
        parts.texts(draft, 0, 4),
        parts.subtitle(draft, draft.word("show_notes")),
        node("ul", notes),
    )
    line = node("footer", heading.byline(draft), heading.dates(draft))
    more = node("section", node("h2", draft.word("episodes")), node("ol", rows))
    return frames.app(draft, top, node("nav", where), text, line, more)


@family("video")
def video_page(draft: Draft) -> Content:
    """A video platform: player (Multimedia), channel and views (None), a list of what is next."""
    size = {"width": "854", "height": "480", "src": "/clip.mp4", "controls": "controls"}
    player = draft.node("player", "video", gold="Multimedia", attributes=size)
    avatar = draft.image("avatar", 40, 40)
    channel = node("div", avatar, heading.names(draft), draft.link("button", draft.word("follow")))
    line = node("div", node("span", draft.word("views")), " ", heading.dates(draft))
    text = draft.node("callout", "div", line, parts.texts(draft, 0, 3, "div"))
    following = [
        node(
            "li",
            draft.link("teaser-link", draft.image("teaser-image", 168, 94), node("b", o.headline)),
            node("div", node("span", o.section), node("span", draft.word("views"))),
        )
        for o in draft.teasers(9)
    ]
    next_ = node("div", node("h3", draft.word("up_next")), node("ul", following))
    left = node(
        "div", player, heading.titled(draft, "h1"), channel, text, reactions.comments(draft)
    )
    return frames.slim(draft, draft.node("split", "div", left, next_))


@family("video")
def news_clip(draft: Draft) -> Content:
    """A station's clip: embedded player, one paragraph, the transcript below (Paragraph)."""
    box = node("center", media.video(draft))
    said = [parts.text(draft, text, "li") for text in draft.story.paragraphs]
    fold = node(
        "details",
        draft.node("section-heading", "summary", draft.word("transcript"), gold="Subtitle"),
        node("ol", said),
        open="open",
    )
    top = node(
        "section", box, heading.headline(draft), heading.standfirst(draft), heading.meta(draft)
    )
    strips = [
        node("a", draft.image("teaser-image", 120, 68), node("em", o.headline), href="/v")
        for o in draft.teasers(5)
    ]
    return frames.hub(draft, top, fold, node("section", strips), ads.banner(draft))


@family("podcast")
def radio_programme(draft: Draft) -> Content:
    """A radio station's page: hosts, a running order in a table, music played (None)."""
    start = draft.story.published.replace(hour=18, minute=0)
    rows = [
        node(
            "tr",
            node("td", f"{start + timedelta(minutes=7 * i):%H:%M}"),
            node("td", title, node("br"), _texts(texts)),
        )
        for i, (title, texts) in enumerate(parts.sections(draft, "b"))
    ]
    songs = [node("li", f"{draft.person()}: {draft.slot('town')}") for _ in range(3)]
    source = {"src": "/live", "width": "560", "height": "120"}
    player = draft.node("player", "iframe", gold="Multimedia", attributes=source)
    top = [heading.titled(draft, "h2"), parts.dated(draft), node("div", heading.names(draft))]
    order = node("table", node("tbody", rows))
    aside = node("aside", teasers.stack(draft, 3), node("ol", songs))
    return frames.rail(draft, player, top, parts.opening(draft), order, aside)


def _texts(texts: list[Node]) -> Content:
    """Return paragraphs as spans, parted by breaks, as cells of tables have them."""
    spans = [Node("span", text.attributes, text.children, text.gold) for text in texts]
    return between(node("br"), spans)


def _clock(seconds: int) -> Node:
    return node("code", f"{seconds // 60:02d}:{seconds % 60:02d}")
