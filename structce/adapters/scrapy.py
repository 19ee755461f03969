"""Item pipeline for Scrapy, and the article of a response."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Self, Unpack

from structce.adapters.pages import ReadOptions, article_metadata, read_html
from structce.article import Article
from structce.errors import StructceError
from structce.extras import load_extra

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import TextResponse

_exceptions = load_extra("scrapy.exceptions", "ScrapyPipeline", "scrapy")
_items = load_extra("itemadapter", "ScrapyPipeline", "scrapy")


def read_response(response: TextResponse, **options: Unpack[ReadOptions]) -> Article:
    """Return the article of a response in a spider's callback; Scrapy waits meanwhile.

    The options are ``model`` and ``favour`` of :func:`structce.label`. A response that cannot be
    read raises StructceError.
    """
    return read_html(response.text, response.url, **options)


class ScrapyPipeline:
    """Item pipeline that reads the HTML in an item and fills its other fields.

    The HTML is in the field ``html``, or in the one that the setting ``STRUCTCE_HTML_FIELD`` names;
    an item without it is passed on as it is. The address is in the field ``url``. Filled are
    ``text`` and the values of `structce.adapters.pages.METADATA`: those fields that the item
    declares, all if it is a dictionary. A field with a value keeps it. A page that cannot be read
    is dropped. The setting ``STRUCTCE_MODEL`` names the model, as in :func:`structce.label`.
    """

    def __init__(self, html_field: str = "html", model: str | None = None) -> None:
        self.html_field, self.model = html_field, model

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Return a pipeline with the settings of a crawler."""
        settings = crawler.settings
        return cls(settings.get("STRUCTCE_HTML_FIELD", "html"), settings.get("STRUCTCE_MODEL"))

    def open_spider(self) -> None:
        """Load the model, once and before threads need it."""
        read_html("<p>", model=self.model)

    async def process_item(self, item: object) -> object:
        """Return an item with its fields filled, or drop it if the page cannot be read."""
        fields = _items.ItemAdapter(item)
        html, url = fields.get(self.html_field), str(fields.get("url") or "")
        if not html:
            return item
        try:
            article = await asyncio.to_thread(read_html, html, url, model=self.model)
        except StructceError as error:
            raise _exceptions.DropItem(f"{url}: {error}") from error
        for name, value in {"text": article.text, **article_metadata(article)}.items():
            is_open = isinstance(item, dict) or name in fields.field_names()
            if is_open and not fields.get(name):
                fields[name] = value
        return item
