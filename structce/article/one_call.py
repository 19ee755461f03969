"""One call from an HTML document to its article."""

from __future__ import annotations

from functools import lru_cache

from structce.article.reading import read_article
from structce.article.values import Article
from structce.labeller import DEFAULT_MODELS, RegionLabeller
from structce.rendering import Document, StaticRenderer, decode


def label(html: str | bytes, *, url: str = "", model: str = DEFAULT_MODELS["static"]) -> Article:
    """Return the article of one HTML document, rendered without a browser.

    Parameters
    ----------
    html
        Text, or bytes whose encoding is detected.
    url
        Address of the page, for the record.
    model
        Name of a shipped model, or a model's folder.

    Raises
    ------
    SourceError, RenderError
        If the document is no HTML.
    ModelError
        If there is no such model.
    """
    name = url or "<string>"
    document = decode(html, name=name, url=url) if isinstance(html, bytes) else None
    page = StaticRenderer().render(document or Document(str(html), url=url, name=name))
    return read_article(_load(model).label(page))


@lru_cache(maxsize=2)
def _load(model: str) -> RegionLabeller:
    # Loading a model takes longer than labelling a page; a loaded model is never changed.
    return RegionLabeller.load(model)
