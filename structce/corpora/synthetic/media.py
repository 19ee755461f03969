"""Pictures, videos and sounds that belong to the article: all Multimedia, with Captions."""

from __future__ import annotations

from collections.abc import Mapping

from structce.corpora.synthetic.draft import Draft
from structce.corpora.synthetic.nodes import Content, Node, node

SIZES = ((720, 405), (640, 360), (680, 453), (600, 400), (760, 428))
INSETS = ((320, 200), (300, 250), (240, 160), (320, 213), (300, 170), (250, 250))
"""Sizes in CSS pixels; some are those of advertisements and announcements."""


def lead_figure(draft: Draft) -> Node:
    """Return the large picture at the top."""
    width, height = SIZES[draft.site.pick("lead", len(SIZES))]
    return figure(draft, "figure", width, height, draft.story.captions[0])


def inset(draft: Draft, index: int) -> Node:
    """Return a smaller picture between paragraphs."""
    width, height = INSETS[(draft.site.pick("inset", len(INSETS)) + index) % len(INSETS)]
    return figure(draft, "inset", width, height, draft.story.captions[index + 1])


def figure(draft: Draft, role: str, width: int, height: int, text: str) -> Node:
    """Return a picture and its caption, in the site's mark-up."""
    habit = draft.site.habits["figure"]
    picture = draft.image("image", width, height, gold="Multimedia", alt=text)
    inner: Content = {
        "linked": draft.link("text-link", picture),
        "picture": node(
            "picture", node("source", srcset="/img/w.webp", type="image/webp"), picture
        ),
    }.get(habit, picture)
    if habit == "div":
        return draft.node(role, "div", inner, caption(draft, "div", text))
    return draft.node(role, "figure", inner, caption(draft, "figcaption", text))


def caption(draft: Draft, tag: str, text: str) -> Node:
    """Return a caption; the credit is part of it, though it names a person."""
    habit = draft.site.habits["caption"]
    forms = draft.site.language.forms
    credit = draft.node("credit", "span", f"{draft.word('photo')} {draft.person()}")
    content: dict[str, Content] = {
        "with-credit": [f"{text}{forms.stop}{forms.gap}", credit],
        "credit-first": [credit, f" {text}"],
    }
    return draft.node("caption", tag, content.get(habit, text), gold="Caption")


def video(draft: Draft) -> Node:
    """Return an embedded video with a caption."""
    habit = draft.site.habits["video"]
    width, height = draft.rng.choice(SIZES)
    size = {"width": str(width), "height": str(height)}
    if habit == "iframe":
        source = f"https://video.{draft.site.host}/embed/{draft.rng.randrange(10**6)}"
        player = _player(draft, "iframe", {"src": source, **size})
    else:
        source = f"/media/{draft.rng.randrange(10**6)}.mp4"
        player = _player(draft, "video", {"src": source, "controls": "controls", **size})
    tag = "figure" if habit == "video-figure" else "div"
    text = f"{draft.word('watch')}: {draft.story.captions[-1]}"
    below = caption(draft, "figcaption" if tag == "figure" else "p", text)
    return draft.node("figure", tag, player, below)


def audio(draft: Draft) -> Node:
    """Return a player that reads the article out; its label is None."""
    attributes = {"src": f"/media/{draft.rng.randrange(10**6)}.mp3", "controls": "controls"}
    label = draft.node("media-label", "div", draft.word("listen"))
    return draft.node("figure", "div", label, _player(draft, "audio", attributes))


def chart(draft: Draft) -> Node:
    """Return a drawn chart of the story's numbers."""
    heights = [draft.rng.randint(15, 110) for _ in range(8)]
    bars = [
        node("rect", x=str(20 + 45 * i), y=str(120 - h), width="30", height=str(h), fill="#5b7c99")
        for i, h in enumerate(heights)
    ]
    box = {"width": "400", "height": "130", "viewBox": "0 0 400 130"}
    drawing = draft.node("image", "svg", bars, gold="Multimedia", attributes=box)
    return draft.node("inset", "div", drawing, caption(draft, "p", draft.story.captions[3]))


def graph(draft: Draft) -> Node:
    """Return a canvas that a script would draw on."""
    size = {"width": "480", "height": "200"}
    canvas = draft.node("player", "canvas", gold="Multimedia", attributes=size)
    return draft.node("inset", "div", canvas, caption(draft, "div", draft.story.captions[4]))


def slides(draft: Draft, n: int) -> list[Node]:
    """Return pictures of a gallery, numbered, each with a caption."""
    return [
        draft.node(
            "slide",
            "div",
            draft.image("image", 720, 440 + 15 * (i % 3), gold="Multimedia", alt=""),
            draft.node("counter", "span", f"{i + 1} / {n}"),
            caption(draft, "p", draft.story.captions[i]),
        )
        for i in range(n)
    ]


def _player(draft: Draft, tag: str, attributes: Mapping[str, str]) -> Node:
    return draft.node("player", tag, gold="Multimedia", attributes=attributes)
