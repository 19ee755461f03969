"""Peers: third-party extractors, each called as its documentation recommends.

Those in Python run in this process, without protection against hostile pages. Whatever they raise
becomes an :class:`~structce.errors.ExtractionError` that names them. Readability.js and Defuddle
run in Node, each in a process of its own. Their packages are looked for in the folder named by the
variable ``NODE_MODULES``, or else in ``node_modules`` of the working directory, where ``npm install
@mozilla/readability jsdom defuddle linkedom`` installs them.
"""

from __future__ import annotations

import logging
import os
import shutil
from abc import ABC, abstractmethod
from importlib import import_module, resources
from pathlib import Path
from typing import Any, ClassVar

from structce.errors import ExtractionError, MissingExtraError
from structce.extraction.commands import Command
from structce.extraction.parsed_document import Extraction, ParsedDocument
from structce.extraction.registry import extractor, text_of_html
from structce.extras import check_extras
from structce.language import language_code

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


class Peer(ABC):
    """Extractor of another Python package, which returns only a text."""

    module: ClassVar[str]
    """Import name of the package."""

    def __init__(self) -> None:
        check_extras([self.module], f"the extractor {type(self).__name__}", "peers")

    def extract(self, document: ParsedDocument) -> Extraction:
        """Return the text that the package finds; raises ExtractionError if it raises anything."""
        logger = logging.getLogger(self.module)
        level = logger.level
        logger.setLevel(logging.CRITICAL + 1)  # some log whole tracebacks for readable pages
        try:
            text = self.text_of(document)
        except Exception as error:  # third-party code may raise anything
            problem = f"{type(error).__name__}: {error}"[:300]
            raise ExtractionError(f"{document.name}: {self.module}: {problem}") from error
        finally:
            logger.setLevel(level)
        return Extraction((text or "").strip())

    @abstractmethod
    def text_of(self, document: ParsedDocument) -> str | None:
        """Return the main content of a document as text; empty or None if it finds none."""

    def _load(self, name: str = "") -> Any:
        return import_module(f"{self.module}.{name}" if name else self.module)


@extractor("trafilatura")
class Trafilatura(Peer):
    """trafilatura (Barbaresi 2021): the text without comments."""

    module = "trafilatura"

    def text_of(self, document: ParsedDocument) -> str | None:
        """Return the text of ``extract``."""
        text = self._load().extract(document.html, url=document.url or None, include_comments=False)
        return None if text is None else str(text)


@extractor("readability-lxml")
class ReadabilityLxml(Peer):
    """readability-lxml (Arc90, Baburov): the text of the summary."""

    module = "readability"

    def text_of(self, document: ParsedDocument) -> str:
        """Return the text of the summary's HTML."""
        article = self._load().Document(document.html, url=document.url or None)
        return text_of_html(str(article.summary(html_partial=True)))


@extractor("justext-3")
class JusText3(Peer):
    """Library jusText 3 (Pomikalek 2011): paragraphs that are good by the page's stop words.

    English and German stop words if the language is unknown; none, with bounds of 0, if it has no
    list.
    """

    module = "justext"

    def text_of(self, document: ParsedDocument) -> str:
        """Return the kept paragraphs."""
        package = self._load()
        language = language_of(document)
        bounds = {}
        if not language:
            words = package.get_stoplist("English") | package.get_stoplist("German")
        elif language in STOP_LISTS:
            words = package.get_stoplist(STOP_LISTS[language])
        else:
            words, bounds = frozenset(), {"stopwords_low": 0, "stopwords_high": 0}
        paragraphs = package.justext(document.html, words, **bounds)
        return "\n".join(part.text for part in paragraphs if not part.is_boilerplate)


@extractor("boilerpy3")
class BoilerPy3(Peer):
    """boilerpy3 (Kohlschuetter et al. 2010, in Python): the article extractor."""

    module = "boilerpy3"

    def text_of(self, document: ParsedDocument) -> str:
        """Return the text of ``ArticleExtractor``."""
        make = self._load("extractors").ArticleExtractor
        return str(make(raise_on_failure=False).get_doc(document.html).content)


@extractor("resiliparse")
class Resiliparse(Peer):
    """Resiliparse (Bevendorff et al. 2018): the main content with its paragraphs."""

    module = "resiliparse"

    def text_of(self, document: ParsedDocument) -> str:
        """Return the text of ``extract_plain_text``."""
        text = self._load("extract.html2text").extract_plain_text(
            document.html,
            main_content=True,
            preserve_formatting=True,
            list_bullets=False,
            alt_texts=False,
            comments=False,
        )
        return str(text)


@extractor("newspaper4k")
class Newspaper4k(Peer):
    """newspaper4k: the text of an article, in the language that the page states, else English."""

    module = "newspaper"

    def text_of(self, document: ParsedDocument) -> str:
        """Return the text after ``parse``; no picture is fetched."""
        try:
            return self._text(document)
        except (ImportError, LookupError):  # no data for that language
            return self._text(document, language="en")

    def _text(self, document: ParsedDocument, **language: str) -> str:
        address = document.url or _NO_ADDRESS
        article = self._load().Article(address, fetch_images=False, **language)
        article.download(input_html=document.html)
        return str(article.parse().text)


@extractor("goose3")
class Goose3(Peer):
    """goose3: the cleaned text, with the stop words of the page's language."""

    module = "goose3"

    def text_of(self, document: ParsedDocument) -> str:
        """Return the cleaned text; no picture is fetched."""
        texts = self._load("text")
        own = {"ar": "StopWordsArabic", "ko": "StopWordsKorean", "zh": "StopWordsChinese"}
        words = getattr(texts, own.get(language_of(document), "StopWords"))
        settings = {"enable_image_fetching": False, "strict": False, "stopwords_class": words}
        with self._load().Goose(settings) as goose:
            return str(goose.extract(raw_html=document.html).cleaned_text)


@extractor("inscriptis")
class Inscriptis(Peer):
    """inscriptis (Weichselbraun 2021): the whole page as text with layout; a baseline."""

    module = "inscriptis"

    def text_of(self, document: ParsedDocument) -> str:
        """Return the text of ``get_text``."""
        return str(self._load().get_text(document.html))


def language_of(document: ParsedDocument) -> str:
    """Return the code of the language that a page states; empty if it states none."""
    elements = document.elements
    page = next((i for i, name in enumerate(elements.name) if name == "html"), None)
    attributes = {} if page is None else elements.attributes(page)
    return language_code(attributes.get("lang") or attributes.get("xml:lang") or "")


_PACKAGES = {
    "readability-js": ("@mozilla/readability", "jsdom"),
    "defuddle": ("defuddle", "linkedom"),
}


@extractor("readability-js")
def readability_js() -> Command:
    """Readability.js (Mozilla), through Node: the text of the article."""
    return _node_command("readability-js")


@extractor("defuddle")
def defuddle() -> Command:
    """Defuddle, through Node: the text of the main content."""
    return _node_command("defuddle")


def _node_command(name: str) -> Command:
    """Return the command of a system; raises MissingExtraError if Node or a package is missing."""
    node = shutil.which("node")
    if node is None:
        raise MissingExtraError(f"{name} needs Node, https://nodejs.org, and 'node' was not found")
    folder = Path(os.environ.get("NODE_MODULES") or "node_modules").resolve()
    for package in _PACKAGES[name]:
        if not (folder / package / "package.json").is_file():
            wanted = " ".join(_PACKAGES[name])
            raise MissingExtraError(f"{name} needs {package} in {folder}: npm install {wanted}")
    script = str(resources.files("structce.extraction") / "node_peers.mjs")
    return Command((node, script, name), is_html=True, environment={"NODE_MODULES": str(folder)})
