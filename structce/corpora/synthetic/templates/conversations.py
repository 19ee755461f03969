"""Voices: interviews, letters to the editor, leading articles, advice."""

from __future__ import annotations

from structce.corpora.synthetic import ads, body, frames, heading, media, parts, reactions, teasers
from structce.corpora.synthetic.draft import Draft
from structce.corpora.synthetic.nodes import Content, node
from structce.corpora.synthetic.registry import family


@family("interview")
def interview(draft: Draft) -> Content:
    """An interview: questions in bold, answers as paragraphs; all of it Paragraph."""
    questions = draft.several("questions", len(draft.story.paragraphs) - 2)
    said = [
        [
            draft.node("question", "p", node("strong", question), gold="Paragraph"),
            parts.text(draft, answer),
        ]
        for question, answer in zip(questions, draft.story.paragraphs[2:], strict=False)
    ]
    quote = node("aside", body.quote(draft))
    face = parts.picture(draft, 420, 520, 1)
    top = [draft.node("kicker", "p", draft.word("interview")), heading.titled(draft, "h1")]
    line = node("div", heading.byline(draft), heading.dates(draft))
    start = node("section", heading.standfirst(draft), parts.texts(draft, 0, 2))
    flow = node("section", body.spread(draft, said, [quote, ads.in_body(draft)]))
    return frames.rail(draft, node("div", top, line), face, start, flow)


@family("interview")
def questionnaire(draft: Draft) -> Content:
    """An interview as a list of terms, the speakers' names before every turn."""
    who = draft.slot("lead")
    turns = [
        [
            node("dt", node("i", draft.word("question"), ": "), question),
            node("dd", node("i", who, ": "), answer),
        ]
        for question, answer in zip(
            draft.several("questions", 8), draft.story.paragraphs, strict=False
        )
    ]
    talk = draft.node("speech", "dl", turns, gold="Paragraph")
    top = draft.node("hero", "header", heading.titled(draft, "h2"), heading.standfirst(draft))
    end = (
        node("p", draft.word("reporting"), " ", heading.names(draft))
        if draft.story.authors
        else None
    )
    more = node("aside", teasers.stack(draft, 3))
    portrait = media.lead_figure(draft)
    return frames.slim(draft, top, portrait, node("section", talk, end, parts.dated(draft)), more)


@family("letters")
def letter_to_the_editor(draft: Draft) -> Content:
    """A reader's letter: an address, opinions, a greeting, the name and the town at the end."""
    words = [draft.word("letter_open"), *draft.story.opinions, *draft.story.paragraphs[:2]]
    lines = [draft.node("paragraph", "div", text, gold="Paragraph") for text in words]
    close = draft.node("paragraph", "div", draft.word("letter_close"), gold="Paragraph")
    place = node("cite", draft.slot("town"))
    sign = node("address", heading.names(draft), node("br"), place)
    others = [
        node(
            "div",
            node("h4", o.headline),
            node("p", draft.say("comments")),
            node("em", draft.say("nicknames")),
        )
        for o in draft.teasers(3)
    ]
    top = node(
        "div", draft.node("kicker", "h5", draft.word("letters")), heading.titled(draft, "h3")
    )
    text = node("blockquote", lines, close, sign)
    return frames.rail(draft, top, node("div", heading.dates(draft)), text, node("section", others))


@family("opinion", lacks=("authors",))
def leading_article(draft: Draft) -> Content:
    """The paper's own opinion: nobody signs, the text stands in one narrow column."""
    texts = [*parts.texts(draft, 0, 4), *[parts.text(draft, text) for text in draft.story.opinions]]
    title = heading.titled(draft, "h1")
    label = draft.node("kicker", "span", draft.word("opinion"))
    views = [teasers.boxed(draft, "comments", parts.link_list(draft, "letters", 3))]
    text = node(
        "article", node("header", label, title, heading.dates(draft)), node("section", texts)
    )
    return frames.slim(draft, draft.node("narrow", "div", text), views, reactions.comments(draft))


@family("question", topic="question")
def advice_column(draft: Draft) -> Content:
    """A question to an expert, who writes the answer and signs it: both Paragraph."""
    asked = [
        draft.node("section-heading", "h4", draft.word("question"), gold="Subtitle"),
        node("blockquote", parts.texts(draft, 0, 2)),
    ]
    told: Content = [
        draft.node("section-heading", "h4", draft.word("answer"), gold="Subtitle"),
        parts.texts(draft, 2),
    ]
    face = draft.image("avatar", 90, 90)
    sign = draft.node("bio-box", "div", face, heading.names(draft), node("span", draft.say("jobs")))
    top = node("header", heading.titled(draft, "h1"), parts.dated(draft))
    more = parts.link_list(draft, "asked", 5)
    return frames.official(draft, top, node("section", asked), node("section", told, sign), more)
