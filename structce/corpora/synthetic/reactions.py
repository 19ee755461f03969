"""What surrounds an article's text: sharing, tags, comments, newsletter, author's box.

All of it is None, but for the author's name in the author's box.
"""

from __future__ import annotations

from datetime import timedelta

from structce.corpora.synthetic.draft import Draft
from structce.corpora.synthetic.heading import small_date
from structce.corpora.synthetic.nodes import Content, Node, between, node
from structce.corpora.synthetic.phrases import expand


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
