"""The article of a page: its fields and the formats that it can be written in."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TypeVar

from structce.article import formats
from structce.article.blocks import Part
from structce.article.record import article_record, region_record
from structce.article.values import ArticleFields
from structce.io import encode_json, json_line
from structce.page import shorten

T = TypeVar("T")

_PLAIN = (
    "url", "title", "authors", "date", "text", "modified", "language", "page_type", "quality",
    "site_name", "description", "main_image", "canonical_url",
)  # fmt: skip


@dataclass(frozen=True)
class Article(ArticleFields):
    """The fields of an article; None or empty if nothing was found.

    Parameters
    ----------
    date, modified
        Moment of publication and of the last change in ISO 8601: ``2026-03-14T09:30:00+01:00``, or
        the day alone.
    text
        Body, one line per paragraph, heading, list item or table row: the result of
        :func:`structce.article.body_text` for the blocks; of a forum thread, its posts.
    language
        Language of the body as a BCP 47 tag: ``de``, ``pt-BR``.
    page_type
        ``article``, ``forum``, ``product``, ``listing``, ``documentation``, ``service``,
        ``collection``; ``unknown`` if none is likelier than all others together.
    quality
        Probability that the body was read well, in [0, 1].
    main_image, canonical_url
        Addresses that the page states of its main image and of itself.
    regions
        Regions of the page that have a label other than the background.
    context
        Access, next page, comments and items, if asked for.
    further_pages
        Addresses of pages joined to the first by :func:`structce.article.join_pages`.
    verdict
        Whether the text was read or what stands there instead; None if nobody judged the page.
    text_source
        Place of the text in the data of a script if the page does not show it; otherwise None.
    metadata
        Metadata that the document states: ``title`` and ``meta`` elements, JSON-LD, ...
    """

    def __repr__(self) -> str:
        names = ", ".join(author.value for author in self.authors)
        title = self.title.value if self.title else ""
        fields = [repr(shorten(text)) for text in (title, names) if text]
        fields += [self.date.value] if self.date else []
        return f"<Article {', '.join([*fields, f'{len(self.text):,} characters'])}>"

    def _repr_html_(self) -> str:
        """Return the HTML card that a notebook shows."""
        return formats.to_card(self)

    def get(self, name: str, default: T | None = None) -> str | float | list[str] | T | None:
        """Return the plain value of a field, without its confidence and place.

        A list of names for ``authors``, a number for ``quality``, else text; the default if nothing
        was found. AttributeError if there is no such field.
        """
        if name not in _PLAIN:
            raise AttributeError(f"no plain value {name!r}; expected one of {', '.join(_PLAIN)}")
        if name == "authors":
            return [author.value for author in self.authors] or default
        value = self.quality if name == "quality" else str(getattr(self, name) or "")
        return default if value in (None, "") else value

    def to_dict(self, *, has_blocks: bool = True) -> dict[str, object]:
        """Return the article as JSON values, as ``structce label`` writes them."""
        record = article_record(self, has_blocks=has_blocks)
        regions = [region_record(region) for region in self.regions]
        return {"url": self.url, **record, "regions": regions}

    def to_json(self, *, indent: int | None = None) -> str:
        """Return :meth:`to_dict` as JSON, on one line if ``indent`` is None."""
        record = self.to_dict()
        return json_line(record) if indent is None else encode_json(record, indent=indent).decode()

    def to_markdown(self, *, left_out: Collection[Part] = ()) -> str:
        """Return the article as Markdown; see :func:`structce.article.formats.to_markdown`."""
        return formats.to_markdown(self, left_out=left_out)

    def to_html(self, *, left_out: Collection[Part] = ()) -> str:
        """Return the article as HTML; see :func:`structce.article.formats.to_html`."""
        return formats.to_html(self, left_out=left_out)

    def to_tei(self, *, left_out: Collection[Part] = ()) -> str:
        """Return the article as TEI XML; see :func:`structce.article.formats.to_tei`."""
        return formats.to_tei(self, left_out=left_out)
