"""Peers: third-party extractors, each called as its documentation recommends.

They run in this process, without protection against hostile pages; whatever they raise becomes an
:class:`~structce.errors.ExtractionError` that names them.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any

from selectolax.lexbor import LexborNode

from structce.errors import ExtractionError
from structce.extraction.parsed_document import Extraction, ParsedDocument
from structce.extraction.registry import extractor, text_of_html
from structce.extras import check_extras
from structce.language import language_code
from structce.rendering import TEXT

_NO_ADDRESS = "https://page.example/"
STOP_LISTS = {
    "ar": "Arabic", "bg": "Bulgarian", "ca": "Catalan", "cs": "Czech", "da": "Danish",
    "de": "German", "el": "Greek", "en": "English", "es": "Spanish", "et": "Estonian",
    "fa": "Persian", "fi": "Finnish", "fr": "French", "he": "Hebrew", "hi": "Hindi",
    "hr": "Croatian", "hu": "Hungarian", "id": "Indonesian", "is": "Icelandic", "it": "Italian",
    "ko": "Korean", "lb": "Luxembourgish", "lt": "Lithuanian", "lv": "Latvian", "ms": "Malay",
    "nb": "Norwegian_Bokmal", "nl": "Dutch", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian",
    "ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "sr": "Serbian", "sv": "Swedish",
    "sw": "Swahili", "ta": "Tamil", "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese",
}  # fmt: skip
"""Names of jusText's lists of stop words, by language."""


TextOf = Callable[..., object]
"""Function that returns the main content of a document as text; empty or None if it finds none."""


@dataclass(frozen=True)
class Peer:
    """Extractor of another Python package, which returns only a text.

    ``package`` is its import name, ``text_of`` a function that calls it. Raises MissingExtraError
    if the package is not installed.
    """

    package: str
    text_of: TextOf

    def __post_init__(self) -> None:
        check_extras([self.package], f"the extractor of {self.package}", "peers")

    def extract(self, document: ParsedDocument) -> Extraction:
        """Return the text that the package finds; raises ExtractionError if it raises anything."""
        logger = logging.getLogger(self.package)
        level = logger.level
        logger.setLevel(logging.CRITICAL + 1)  # some log whole tracebacks for readable pages
        try:
            with warnings.catch_warnings(action="ignore"):
                text = self.text_of(document)
        except Exception as error:  # third-party code may raise anything
            problem = f"{type(error).__name__}: {error}"[:300]
            raise ExtractionError(f"{document.name}: {self.package}: {problem}") from error
        finally:
            logger.setLevel(level)
        return Extraction(str(text or "").strip())


def peer(name: str, package: str, **parameters: object) -> Callable[[TextOf], TextOf]:
    """Register a function that calls another package, with parameters, as an extractor."""

    def register(text_of: TextOf) -> TextOf:
        def make(**given: object) -> Peer:
            return Peer(package, partial(text_of, **given))

        make.__doc__ = text_of.__doc__
        extractor(name, **parameters)(make)
        return text_of

    return register


def _load(module: str) -> Any:
    return import_module(module)


@peer("trafilatura", "trafilatura")
def trafilatura(document: ParsedDocument) -> object:
    """Trafilatura (Barbaresi 2021): the text without comments."""
    extract = _load("trafilatura").extract
    return extract(document.html, url=document.url or None, include_comments=False)


@peer("readability-lxml", "readability")
def readability_lxml(document: ParsedDocument) -> object:
    """readability-lxml (Arc90, Baburov): the text of the summary."""
    article = _load("readability").Document(document.html, url=document.url or None)
    return text_of_html(str(article.summary(html_partial=True)))


@peer("justext", "justext")
@peer("justext-lenient", "justext", length_low=50, stopwords_low=0.1, stopwords_high=0.2,
      no_headings=True)  # fmt: skip
def justext(document: ParsedDocument, **bounds: float) -> object:
    """JusText 3 (Pomikálek 2011): long paragraphs with stop words, and short ones among them.

    The stop words are those of the language that the page states, or else English and German ones;
    none, with bounds of 0, if the library has no list. ``justext-lenient`` has the settings by
    which later studies measured it.
    """
    package, language = _load("justext"), language_of(document)
    if not language:
        words = package.get_stoplist("English") | package.get_stoplist("German")
    elif language in STOP_LISTS:
        words = package.get_stoplist(STOP_LISTS[language])
    else:
        words = frozenset()
        bounds |= {"stopwords_low": 0, "stopwords_high": 0}
    paragraphs = package.justext(document.html, words, **bounds)
    return "\n".join(part.text for part in paragraphs if not part.is_boilerplate)


@peer("boilerpipe", "boilerpy3")
@peer("boilerpipe-numwords", "boilerpy3", rules="NumWordsRules")
@peer("boilerpipe-density", "boilerpy3", rules="DensityRules")
@peer("boilerpipe-default", "boilerpy3", rules="Default")
@peer("boilerpipe-largest", "boilerpy3", rules="LargestContent")
@peer("boilerpipe-canola", "boilerpy3", rules="Canola")
def boilerpipe(document: ParsedDocument, rules: str = "Article") -> object:
    """Boilerpipe (Kohlschütter et al. 2010), by boilerpy3: blocks by words, links and neighbours.

    The rules ``NumWordsRules`` and ``DensityRules`` are the two decision trees of the paper, the
    others extractors of its program. Like the program, and unlike boilerpy3 by itself, they read
    the tags of a balanced tree.
    """
    if rules == "DensityRules":
        chain = _load("boilerpy3.filters").DensityRulesClassifier()
    else:
        chain = getattr(_load("boilerpy3.extractors"), f"{rules}Extractor")().filter
    parser = _load("boilerpy3.parser").BoilerpipeBaseParser(raise_on_failure=False)
    waiting: list[LexborNode | str] = [document.tree]  # nodes to open, and tags to close
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            parser.end_element(node)
        elif node.tag == TEXT:
            parser.characters(node.text(deep=False))
        elif not (tag := node.tag or "-").startswith(("-", "!")):
            parser.start_element(tag, {})
            waiting += (tag, *reversed(list(node.iter(include_text=True))))
    parser.end_document()
    blocks = parser.to_text_document()
    chain.process(blocks)
    return blocks.content


@peer("resiliparse", "resiliparse")
def resiliparse(document: ParsedDocument) -> object:
    """Resiliparse (Bevendorff et al. 2018): the main content with its paragraphs."""
    settings = {"main_content": True, "preserve_formatting": True}
    settings |= dict.fromkeys(("list_bullets", "alt_texts", "comments"), False)
    return _load("resiliparse.extract.html2text").extract_plain_text(document.html, **settings)


@peer("newspaper4k", "newspaper")
def newspaper4k(document: ParsedDocument) -> object:
    """newspaper4k: the text of an article, in the language that the page states, else English."""

    def parsed(**language: str) -> object:
        address = document.url or _NO_ADDRESS
        article = _load("newspaper").Article(address, fetch_images=False, **language)
        article.download(input_html=document.html)
        return article.parse().text

    try:
        return parsed()
    except (ImportError, LookupError):  # no data for that language
        return parsed(language="en")


@peer("goose3", "goose3")
def goose3(document: ParsedDocument) -> object:
    """goose3: the cleaned text, with the stop words of the page's language; fetches no picture."""
    classes = {"ar": "StopWordsArabic", "ko": "StopWordsKorean", "zh": "StopWordsChinese"}
    words = getattr(_load("goose3.text"), classes.get(language_of(document), "StopWords"))
    settings = {"enable_image_fetching": False, "strict": False, "stopwords_class": words}
    with _load("goose3").Goose(settings) as goose:
        return goose.extract(raw_html=document.html).cleaned_text


@peer("inscriptis", "inscriptis")
def inscriptis(document: ParsedDocument) -> object:
    """Inscriptis (Weichselbraun 2021): the whole page as text with layout; a baseline."""
    return _load("inscriptis").get_text(document.html)


def language_of(document: ParsedDocument) -> str:
    """Return the code of the language that a page states; empty if it states none."""
    elements = document.elements
    page = next((i for i, name in enumerate(elements.name) if name == "html"), None)
    attributes = {} if page is None else elements.attributes(page)
    return language_code(attributes.get("lang") or attributes.get("xml:lang") or "")
