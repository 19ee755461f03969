"""Plain text of an article."""

from __future__ import annotations

from structce.article.blocks import printable
from structce.article.values import ArticleFields


def to_text(article: ArticleFields) -> str:
    """Return title, byline and text, the text after an empty line."""
    title = article.title.value if article.title else ""
    names = "; ".join(author.value for author in article.authors)
    byline = " · ".join(filter(None, [names, article.date.value if article.date else ""]))
    head = filter(None, [title, byline])
    return printable("\n".join([*head, "", article.text, ""])) + "\n"
