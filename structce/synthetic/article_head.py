"""Head of an article: kicker, title, standfirst, byline, date, lead picture; media and captions.

A text node is Author if it contains the name of an author, and Date if it contains the date of
publication or update; labels beside them ("By", "Published", a post) are None.
"""

from __future__ import annotations

from datetime import datetime

from structce.synthetic.dom import Content, E, MarkupNode, join, node
from structce.synthetic.draft import Draft, soft_hyphenate

_SIZES = ((720, 405), (640, 360), (680, 453), (600, 400), (760, 428))
_INSETS = ((320, 200), (300, 250), (240, 160), (320, 213), (300, 170), (250, 250))
"Sizes in CSS pixels; some are also sizes of advertisements and teasers."


def kicker(draft: Draft) -> Content:
    """Return the section's name above the title."""
    if not draft.has("kicker"):
        return None
    return draft.node("kicker", "div", draft.link("crumb", draft.story.section))


def title(draft: Draft, tag: str | None = None) -> MarkupNode:
    """Return the title, by default in the site's tag; sometimes a part is an element of its own."""
    text = soft_hyphenate(draft, draft.story.headline)
    pieces = draft.site.language.pieces(text)
    shown: Content = text
    if draft.site.pick("split-title", 8) == 0 and len(pieces) > 4:
        shown = [E.span("".join(pieces[:3])), "".join(pieces[3:])]
    return draft.node("headline", tag or draft.tag("title"), shown, gold="Title")


def standfirst(draft: Draft) -> Content:
    """Return the summary under the title."""
    if not draft.has("standfirst"):
        return None
    text = soft_hyphenate(draft, draft.story.standfirst)
    return draft.node("standfirst", draft.tag("standfirst"), text, gold="Subtitle")


def byline(draft: Draft) -> Content:
    """Return the authors in the site's style; nothing on a page without authors."""
    if not draft.shows("authors"):
        return None
    habit = draft.site.habits["byline"]
    tag = draft.tag("byline")
    if habit == "one-text":
        authors = f" {draft.word('and')} ".join(draft.story.authors)
        text = draft.phrase("signed", by=draft.word("by"), names=authors)
        return draft.node("byline", tag, text, gold="Author")
    if habit == "stacked":
        return draft.node(
            "byline", "div", [_stacked_name(draft, name) for name in draft.story.authors]
        )
    if habit == "credited":
        return draft.node("byline", tag, _credited_names(draft))
    intro = {"by-link": "by", "posted": "posted_by"}.get(habit)
    return draft.node(
        "byline", tag, f"{draft.word(intro)} " if intro else None, names(draft), _job_title(draft)
    )


def _credited_names(draft: Draft) -> list[Content]:
    """Return each author and their contribution, in text nodes of their own."""
    credits = ("text_by", "photos_by", "research_by")
    return join(
        ", ",
        [
            [_name(draft, name), " ", draft.node("author-role", "small", f"({draft.word(credit)})")]
            for name, credit in zip(draft.story.authors, credits, strict=False)
        ],
    )


def byline_and_dates(draft: Draft, tag: str = "div") -> MarkupNode:
    """Return authors and dates in one element without a role."""
    return node(tag, byline(draft), dates(draft))


def names(draft: Draft) -> Content:
    """Return the authors' names, each an element of its own."""
    return join(f" {draft.word('and')} ", [_name(draft, name) for name in draft.story.authors])


def _name(draft: Draft, name: str) -> MarkupNode:
    if draft.site.habits["byline"] in ("by-link", "posted"):
        return draft.link("author", name, gold="Author")
    return draft.node("author", "span", name, gold="Author")


def _job_title(draft: Draft) -> Content:
    """Return the author's position, on the sites that show one."""
    if draft.site.habits["byline"] != "with-role":
        return None
    return [", ", draft.node("author-role", "em", draft.phrase("jobs"))]


def _stacked_name(draft: Draft, name: str) -> list[Content]:
    return [
        draft.image("avatar", 36, 36, alt=name),
        draft.node("author", "strong", name, gold="Author"),
        " ",
        draft.node("author-role", "span", draft.phrase("jobs")),
    ]


def dates(draft: Draft) -> Content:
    """Return the date of publication, and on some sites that of the update or the age."""
    if not draft.shows("date"):
        return None
    habit = draft.site.habits["date"]
    published = draft.story.published
    if habit == "labelled":
        label = draft.node("date-label", "span", draft.word("published"))
        return [label, " ", moment(draft, "date", published)]
    if habit == "in-one":
        return moment(draft, "date", published, f"{draft.word('published')} ")
    if habit == "updated":
        updated = moment(draft, "date", draft.story.updated, f"{draft.word('updated')} ")
        return [moment(draft, "date", published), " ", updated]
    if habit == "relative":
        age = draft.node("date", "span", draft.phrase("ages"), gold="Date")
        return [age, " · ", moment(draft, "date", published)]
    return moment(draft, "date", published)


def moment(draft: Draft, role: str, when: datetime, intro: str = "") -> MarkupNode:
    """Return the article's date, after introductory words in the same text."""
    tag = draft.tag("date")
    attributes = {"datetime": when.isoformat()} if tag == "time" else {}
    text = draft.date("article", when)
    shown: Content = intro + text
    if draft.site.habits["date"] == "split":
        shown = join(" ", [E.span(part) for part in (intro + text).split(" ") if part])
    return draft.node(role, tag, shown, gold="Date", **attributes)


def plain_date(draft: Draft, tag: str = "span") -> Content:
    """Return the day of publication with nothing beside it."""
    if not draft.shows("date"):
        return None
    return draft.node("date", tag, draft.date("article", draft.story.published), gold="Date")


def small_date(draft: Draft, role: str, when: datetime) -> MarkupNode:
    """Return the date of something else: a teaser, a comment."""
    tag = draft.tag("small-date")
    attributes = {"datetime": when.date().isoformat()} if tag == "time" else {}
    recent = draft.rng.random() < 0.3
    text = draft.phrase("ages") if recent else draft.date("small", when)
    return draft.node(role, tag, text, **attributes)


def meta(draft: Draft) -> MarkupNode:
    """Return the line with byline, date and reading time."""
    parts: list[Content] = [byline(draft), " ", dates(draft)]
    if draft.site.pick("meta", 3) == 0:
        parts = [dates(draft), " ", byline(draft)]
    if draft.has("reading-time"):
        parts += [" ", draft.node("reading-time", "span", draft.word("reading_time"))]
    return draft.node("meta", "div", parts)


def title_block(draft: Draft, lead: Content) -> list[Content]:
    """Return the article's head with its lead picture, in the site's order."""
    heading, summary, line = title(draft), standfirst(draft), meta(draft)
    orders: dict[str, list[Content]] = {
        "classic": [kicker(draft), heading, summary, line, lead],
        "date-first": [line, kicker(draft), heading, summary, lead],
        "lead-first": [lead, kicker(draft), heading, line, summary],
        "meta-last": [kicker(draft), heading, summary, lead, line],
        "lead-under": [kicker(draft), heading, lead, summary, line],
    }
    return orders[draft.site.habits["order"]]


def lead_figure(draft: Draft) -> MarkupNode:
    """Return the large picture at the top."""
    width, height = _SIZES[draft.site.pick("lead", len(_SIZES))]
    return figure(draft, "figure", width, height, draft.story.captions[0])


def inset(draft: Draft, index: int) -> MarkupNode:
    """Return a smaller picture between paragraphs."""
    width, height = _INSETS[(draft.site.pick("inset", len(_INSETS)) + index) % len(_INSETS)]
    return figure(draft, "inset", width, height, draft.story.captions[index + 1])


def figure(draft: Draft, role: str, width: int, height: int, text: str) -> MarkupNode:
    """Return a picture and its caption, in the site's mark-up."""
    habit = draft.site.habits["figure"]
    picture = draft.photo(width, height, alt=text)
    inner: Content = {
        "linked": draft.link("text-link", picture),
        "picture": E.picture(E.source(srcset="/img/w.webp", type="image/webp"), picture),
    }.get(habit, picture)
    if habit == "div":
        return draft.node(role, "div", inner, caption(draft, "div", text))
    return draft.node(role, "figure", inner, caption(draft, "figcaption", text))


def caption(draft: Draft, tag: str, text: str) -> MarkupNode:
    """Return a caption; the credit is part of it, though it names a person."""
    habit = draft.site.habits["caption"]
    forms = draft.site.language.forms
    credit = draft.node("credit", "span", f"{draft.word('photo')} {draft.person()}")
    content: dict[str, Content] = {
        "with-credit": [f"{text}{forms.stop}{forms.gap}", credit],
        "credit-first": [credit, f" {text}"],
    }
    return draft.node("caption", tag, content.get(habit, text), gold="Caption")


def video(draft: Draft) -> MarkupNode:
    """Return an embedded video with a caption."""
    habit = draft.site.habits["video"]
    width, height = draft.rng.choice(_SIZES)
    number = draft.rng.randrange(10**6)
    if habit == "iframe":
        source = f"https://video.{draft.site.host}/embed/{number}"
        player = draft.player("iframe", src=source, width=width, height=height)
    else:
        clip = {"src": f"/media/{number}.mp4", "controls": "controls"}
        player = draft.player("video", **clip, width=width, height=height)
    tag = "figure" if habit == "video-figure" else "div"
    text = f"{draft.word('watch')}: {draft.story.captions[-1]}"
    below = caption(draft, "figcaption" if tag == "figure" else "p", text)
    return draft.node("figure", tag, player, below)


def audio(draft: Draft) -> MarkupNode:
    """Return a player that reads the article out; its label is None."""
    player = draft.player(
        "audio", src=f"/media/{draft.rng.randrange(10**6)}.mp3", controls="controls"
    )
    label = draft.node("media-label", "div", draft.word("listen"))
    return draft.node("figure", "div", label, player)


def chart(draft: Draft) -> MarkupNode:
    """Return a drawn chart of the story's numbers."""
    heights = [draft.rng.randint(15, 110) for _ in range(8)]
    bars = [
        E.rect(x=20 + 45 * i, y=120 - h, width=30, height=h, fill="#5b7c99")
        for i, h in enumerate(heights)
    ]
    box = "0 0 400 130"
    drawing = draft.node(
        "image", "svg", bars, gold="Multimedia", width=400, height=130, viewBox=box
    )
    return draft.node("inset", "div", drawing, caption(draft, "p", draft.story.captions[3]))


def graph(draft: Draft) -> MarkupNode:
    """Return a canvas that a script would draw on."""
    canvas = draft.player("canvas", width=480, height=200)
    return draft.node("inset", "div", canvas, caption(draft, "div", draft.story.captions[4]))


def slides(draft: Draft, n: int) -> list[MarkupNode]:
    """Return pictures of a gallery, numbered, each with a caption."""
    return [
        draft.node(
            "slide",
            "div",
            draft.photo(720, 440 + 15 * (i % 3)),
            draft.node("counter", "span", f"{i + 1} / {n}"),
            caption(draft, "p", draft.story.captions[i]),
        )
        for i in range(n)
    ]
