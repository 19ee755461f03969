"""Other people's extractors in Python, each called as its documentation recommends.

Every function here prepares one of them and returns what is timed: a function of a page's HTML,
address and language that returns a mapping with some of ``title``, ``authors``, ``date``, ``text``
and ``html`` (a fragment whose text is taken afterwards, untimed).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, TypeAlias

Extract: TypeAlias = Callable[[str, str, str], Mapping[str, Any]]

_NO_ADDRESS = "https://page.example/"
_STOP_LISTS = {  # language code -> name of jusText's list
    "ar": "Arabic", "bg": "Bulgarian", "ca": "Catalan", "cs": "Czech", "da": "Danish",
    "de": "German", "el": "Greek", "en": "English", "es": "Spanish", "et": "Estonian",
    "fa": "Persian", "fi": "Finnish", "fr": "French", "he": "Hebrew", "hi": "Hindi",
    "hr": "Croatian", "hu": "Hungarian", "id": "Indonesian", "is": "Icelandic", "it": "Italian",
    "ko": "Korean", "lb": "Luxembourgish", "lt": "Lithuanian", "lv": "Latvian", "ms": "Malay",
    "nb": "Norwegian_Bokmal", "nl": "Dutch", "no": "Norwegian_Bokmal", "pl": "Polish",
    "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sk": "Slovak", "sl": "Slovenian",
    "sr": "Serbian", "sv": "Swedish", "sw": "Swahili", "ta": "Tamil", "tr": "Turkish",
    "uk": "Ukrainian", "vi": "Vietnamese",
}  # fmt: skip


def trafilatura() -> Extract:
    """Metadata and text without comments; metadata alone where it finds no text."""
    from trafilatura import bare_extraction
    from trafilatura.metadata import extract_metadata

    def extract(html: str, url: str, lang: str) -> Mapping[str, Any]:
        document = bare_extraction(
            html, url=url or None, with_metadata=True, include_comments=False
        )
        document = document or extract_metadata(html, default_url=url or None)
        authors = (document.author or "").split("; ")
        return {
            "title": document.title,
            "authors": authors,
            "date": document.date,
            "text": document.text,
        }

    return extract


def newspaper4k() -> Extract:
    """All of ``parse``, in the language that the page states; no picture is fetched.

    In English where the splitter of that language's words is not installed or lacks its data.
    """
    from newspaper import Article

    def parsed(html: str, url: str, **language: str) -> Article:
        article = Article(url or _NO_ADDRESS, fetch_images=False, **language)
        article.download(input_html=html)
        return article.parse()

    def extract(html: str, url: str, lang: str) -> Mapping[str, Any]:
        try:
            article = parsed(html, url)
        except (ImportError, LookupError):
            article = parsed(html, url, language="en")
        day = article.publish_date
        return {
            "title": article.title,
            "authors": article.authors,
            "date": day.isoformat() if isinstance(day, date) else str(day or ""),
            "text": article.text,
        }

    return extract


def readability_lxml() -> Extract:
    """The short title and the text of the summary."""
    from readability import Document

    def extract(html: str, url: str, lang: str) -> Mapping[str, Any]:
        document = Document(html, url=url or None)
        return {"title": document.short_title(), "html": document.summary(html_partial=True)}

    return extract


def goose3() -> Extract:
    """Goose with its own parser and the stop words of the page's language; no image is fetched."""
    from goose3 import Goose
    from goose3.text import StopWords, StopWordsArabic, StopWordsChinese, StopWordsKorean

    own = {"ar": StopWordsArabic, "ko": StopWordsKorean, "zh": StopWordsChinese}

    def extract(html: str, url: str, lang: str) -> Mapping[str, Any]:
        words = own.get(lang, StopWords)
        goose = Goose({"enable_image_fetching": False, "strict": False, "stopwords_class": words})
        article = goose.extract(raw_html=html)
        return {
            "title": article.title,
            "authors": article.authors,
            "date": str(article.publish_date or ""),
            "text": article.cleaned_text,
        }

    return extract


def htmldate() -> Extract:
    """The day of publication, not that of a change."""
    from htmldate import find_date

    def extract(html: str, url: str, lang: str) -> Mapping[str, Any]:
        return {"date": find_date(html, original_date=True, url=url or None)}

    return extract


def resiliparse() -> Extract:
    """Main content with its paragraphs, without what is not running text."""
    from resiliparse.extract.html2text import extract_plain_text

    def extract(html: str, url: str, lang: str) -> Mapping[str, Any]:
        text = extract_plain_text(
            html,
            main_content=True,
            preserve_formatting=True,
            list_bullets=False,
            alt_texts=False,
            comments=False,
            post_meta=False,
        )
        return {"text": text}

    return extract


def rs_trafilatura() -> Extract:
    """Title, author, date and text, in this process: for times, where Python is 3.12."""
    from benchmarks.articles import apart

    return lambda html, url, lang: apart.rs_trafilatura({"html": html, "url": url})


def justext() -> Extract:
    """Paragraphs that are not boilerplate, by the stop words of the page's language.

    Where the language is unknown, English and German ones; where there is no list of it, none,
    as the documentation says: with bounds of 0.
    """
    from justext import get_stoplist
    from justext import justext as paragraphs_of

    unknown = get_stoplist("English") | get_stoplist("German")

    def extract(html: str, url: str, lang: str) -> Mapping[str, Any]:
        name = _STOP_LISTS.get(lang)
        words = get_stoplist(name) if name else frozenset() if lang else unknown
        bounds = {} if words else {"stopwords_low": 0, "stopwords_high": 0}
        paragraphs = paragraphs_of(html, words, **bounds)
        return {
            "text": "\n".join(
                paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate
            )
        }

    return extract


def boilerpy3() -> Extract:
    """The extractor for articles."""
    from boilerpy3.extractors import ArticleExtractor

    extractor = ArticleExtractor(raise_on_failure=False)

    def extract(html: str, url: str, lang: str) -> Mapping[str, Any]:
        document = extractor.get_doc(html)
        return {"title": document.title, "text": document.content}

    return extract


def structce_shipped() -> Extract:
    """The model that is shipped, without a browser; it may have learnt from these pages."""
    from structce.article import label

    def extract(html: str, url: str, lang: str) -> Mapping[str, Any]:
        article = label(html, url=url)
        return {
            "title": article.title.value if article.title else "",
            "authors": [author.value for author in article.authors],
            "date": article.date.value if article.date else "",
            "text": article.text,
        }

    return extract
