"""Zyte's article schema: an article as the JSON object that Zyte API returns for it.

Differences: a moment that the page gives as a day alone is midnight without a time zone;
``datePublished`` is never taken from the date of the last change; the time of download and what the
page does not state are missing.

References
----------
Zyte. Zyte Data article schema, version 1.0. https://docs.zyte.com/zyte-data/schemas/article/
"""

from __future__ import annotations

from structce.article.formats.html import body_html
from structce.article.images import checked_address
from structce.article.values import ArticleFields, FieldValue
from structce.patterns import lazy_pattern

_DAY = lazy_pattern(r"\d{4}-\d\d-\d\d")
_TO_MINUTES = lazy_pattern(r"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d)(?!:)")


def to_zyte(article: ArticleFields) -> dict[str, object]:
    """Return an article as an object of Zyte's schema."""
    images = [image.address for image in article.images if checked_address(image.address)]
    main = article.main_image.value if article.main_image else next(iter(images), "")
    tag = article.language.value if article.language else ""
    language = tag.replace("_", "-").split("-")[0].lower()
    texts = ("\n".join(block.lines) for block in article.body)
    record: dict[str, object] = {
        "url": article.url,
        "canonicalUrl": article.canonical_url,
        "headline": article.title.value if article.title else "",
        **_moments("datePublished", article.date),
        **_moments("dateModified", article.modified),
        "authors": [
            {"name": author.value, "nameRaw": author.raw or author.value}
            for author in article.authors
        ],
        "inLanguage": language if len(language) == 2 else "",
        "description": article.description.value if article.description else "",
        "mainImage": {"url": main} if main else {},
        "images": [{"url": address} for address in dict.fromkeys(images)],
        "articleBody": "\n\n".join(filter(None, texts)),
        "articleBodyHtml": body_html(article) if article.body else "",
        "metadata": {} if article.quality is None else {"probability": round(article.quality, 4)},
    }
    return {name: value for name, value in record.items() if value or name == "url"}


def _moments(name: str, value: FieldValue | None) -> dict[str, object]:
    if value is None:
        return {}
    is_day = _DAY.fullmatch(value.value) is not None
    moment = f"{value.value}T00:00:00" if is_day else _TO_MINUTES.sub(r"\1:00", value.value)
    return {name: moment, f"{name}Raw": value.raw or value.value}
