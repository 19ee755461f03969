"""The article of a page: its fields and the formats that it can be written in."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeVar

from structce.article import formats
from structce.article.blocks import Part
from structce.article.chunks import Chunk, Form, TokenCounter, article_chunks, count_words
from structce.article.record import article_record, region_record
from structce.article.values import ArticleFields
from structce.io import encode_json, json_line
from structce.page import shorten

T = TypeVar("T")

_PLAIN = (
    "url", "title", "authors", "date", "text", "modified", "language", "page_type", "quality",
    "site_name", "description", "main_image", "canonical_url",
)  # fmt: skip


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
        Access, next page and comments, if asked for.
    values
        Further values that rules of the site found, by name; see :class:`SiteRules`.
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

    def chunks(
        self,
        max_tokens: int = 400,
        *,
        counter: TokenCounter = count_words,
        overlap: int = 0,
        form: Form = "text",
    ) -> list[Chunk]:
        r"""Return the text in pieces for search and language models, each with its place.

        A chunk ends with a block, or else a sentence, and never crosses a heading.

        Parameters
        ----------
        max_tokens
            Greatest number of tokens of a chunk and its headings. Only a single sentence, table
            row, formula, or block of code, which are never cut, may exceed it.
        counter
            Function that counts the tokens of a text. By default they are words, and each letter
            of a script without spaces counts as one.
        overlap
            Greatest number of tokens at the end of a chunk that the next one of the same section
            repeats: whole sentences.
        form
            ``text``, or ``markdown`` with links, emphasis, tables and figures.

        Raises
        ------
        StructceError
            If ``max_tokens`` is below 1, or ``overlap`` negative or not below it.

        Examples
        --------
        >>> import structce
        >>> html = "<h1>Ferry to stop</h1><p>It will stop in June. Nobody could say why.</p>"
        >>> first, second = structce.label(html).chunks(8)
        >>> first.content
        'Ferry to stop\nIt will stop in June.'
        >>> start, end = second.locate(html)
        >>> html[start:end]
        'Nobody could say why.'
        """
        return article_chunks(self, max_tokens, counter=counter, overlap=overlap, form=form)

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
