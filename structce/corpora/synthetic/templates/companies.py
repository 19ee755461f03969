"""Companies about themselves: text is Paragraph; numbers, people and hours are None."""

from __future__ import annotations

from structce.corpora.synthetic import frames, heading, parts, reactions
from structce.corpora.synthetic.draft import Draft
from structce.corpora.synthetic.nodes import Content, node
from structce.corpora.synthetic.registry import family


@family("company", topic="company", lacks=("authors", "date"))
def about_us(draft: Draft) -> Content:
    """A company about itself: broad bands with text and picture in turn, numbers, people."""
    bands = [
        draft.node(
            "split",
            "section",
            node("div", title, texts),
            draft.image("image", 420, 280, gold="Multimedia"),
        )
        for title, texts in parts.sections(draft)
    ]
    counts = [
        node("li", node("strong", str(draft.rng.randint(3, 900))), node("span", text))
        for text in draft.several("departments", 3)
    ]
    people = [
        node(
            "figure",
            draft.image("avatar", 110, 110),
            node("figcaption", node("b", draft.person()), node("br"), draft.say("jobs")),
        )
        for _ in range(4)
    ]
    hero = draft.node("hero", "section", heading.titled(draft, "h1"), parts.opening(draft))
    team = node(
        "section", node("h2", draft.word("people")), draft.node("sheet-grid", "div", people)
    )
    return frames.store(
        draft, hero, bands[:2], draft.node("promises", "ul", counts), bands[2:], team
    )


@family("company", topic="company", lacks=("authors",))
def company_news(draft: Draft) -> Content:
    """A company's news: sober text, the boilerplate about the firm, whom to call."""
    about = node(
        "section",
        parts.subtitle(draft, draft.site.name, "h3"),
        parts.text(draft, draft.story.paragraphs[0]),
    )
    call = node(
        "table",
        node(
            "tbody", node("tr", node("td", draft.word("press_contact")), node("td", draft.person()))
        ),
    )
    older = node(
        "ul",
        [
            node(
                "li",
                heading.small_date(draft, "teaser-date", o.published),
                draft.link("teaser-link", o.headline),
            )
            for o in draft.teasers(5)
        ],
    )
    top = node(
        "div",
        node("div", heading.dates(draft)),
        heading.titled(draft, "h1"),
        heading.standfirst(draft),
    )
    text = node(
        "article",
        top,
        parts.texts(draft, 1),
        parts.numbers(draft, draft.story.captions[1]),
        about,
        call,
    )
    return frames.app(draft, text, node("section", node("h3", draft.word("archive")), older))


@family("company", topic="company", lacks=("authors", "date"))
def services(draft: Draft) -> Content:
    """A craftsman's page: what is done, opening hours in a table, a form to write to."""
    hours = [node("tr", node("td", f"{i}."), node("td", f"{8 + i % 2}–17")) for i in range(1, 6)]
    form = node(
        "form",
        [
            node("label", draft.word(word), node("input", type="text"))
            for word in ("place", "contact", "question")
        ],
        draft.link("button", draft.word("contact")),
    )
    flow = [
        node("dl", node("dt", title), node("dd", texts))
        for title, texts in parts.sections(draft, "b")
    ]
    picture = node("p", draft.image("image", 640, 240, gold="Multimedia"))
    top = node("center", heading.titled(draft, "h1"), picture)
    left = node("td", parts.opening(draft), flow)
    right = node("td", node("table", node("tbody", hours)), form)
    layout = node("table", node("tbody", node("tr", left, right)))
    return [
        node("center", frames.logo(draft)),
        top,
        layout,
        node("hr"),
        reactions.share(draft),
        node("p", draft.word("rights")),
    ]
