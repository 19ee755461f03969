"""Peers: third-party extractors, each called as its documentation recommends.

Those in Python run in this process, without protection against hostile pages; whatever they raise
becomes an :class:`~structce.errors.ExtractionError` that names them. Readability.js and Defuddle
run in Node, in one process per page. Their packages are looked for in the folder named by the
variable ``NODE_MODULES``, or else in ``node_modules`` of the working directory, where ``npm install
@mozilla/readability jsdom defuddle linkedom`` installs them.
"""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import warnings
from abc import ABC, abstractmethod
from dataclasses import dataclass
from importlib import import_module, resources
from pathlib import Path
from typing import Any, ClassVar

from selectolax.lexbor import LexborNode

from structce.errors import ExtractionError, MissingExtraError
from structce.extraction.parsed_document import Extraction, ParsedDocument
from structce.extraction.registry import extractor, text_of_html
from structce.extras import check_extras
from structce.language import language_code
from structce.rendering import MAX_PAGE_BYTES, TEXT

SECONDS = 60.0
"""Time limit of a page in Node, in seconds."""

_NO_ADDRESS = "https://page.example/"
_SHOWN = 200  # characters of an error message of Node that are quoted
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
            with warnings.catch_warnings(action="ignore"):
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


@extractor("justext")
@extractor(
    "justext-lenient", length_low=50, stopwords_low=0.1, stopwords_high=0.2, no_headings=True
)
class JusText(Peer):
    """jusText 3 (Pomikálek 2011): long paragraphs with stop words, and short ones among them.

    The stop words are those of the language that the page states: English and German ones if it
    states none; none, with bounds of 0, if the library has no list. Parameters are those of the
    library; ``justext-lenient`` has the settings by which later studies measured it.
    """

    module = "justext"

    def __init__(self, **bounds: float) -> None:
        super().__init__()
        self._bounds = bounds

    def text_of(self, document: ParsedDocument) -> str:
        """Return the paragraphs that are not boilerplate."""
        package, bounds = self._load(), dict(self._bounds)
        language = language_of(document)
        if not language:
            words = package.get_stoplist("English") | package.get_stoplist("German")
        elif language in STOP_LISTS:
            words = package.get_stoplist(STOP_LISTS[language])
        else:
            words = frozenset()
            bounds |= {"stopwords_low": 0, "stopwords_high": 0}
        paragraphs = package.justext(document.html, words, **bounds)
        return "\n".join(part.text for part in paragraphs if not part.is_boilerplate)


RULES = "Article NumWordsRules DensityRules Default LargestContent Canola".split()
"""Rules of Boilerpipe, as boilerpy3 calls them."""


@extractor("boilerpipe")
@extractor("boilerpipe-numwords", rules="NumWordsRules")
@extractor("boilerpipe-density", rules="DensityRules")
@extractor("boilerpipe-default", rules="Default")
@extractor("boilerpipe-largest", rules="LargestContent")
@extractor("boilerpipe-canola", rules="Canola")
class Boilerpipe(Peer):
    """Boilerpipe (Kohlschütter et al. 2010), by boilerpy3: blocks by words, links and neighbours.

    The rules ``NumWordsRules`` and ``DensityRules`` are the two decision trees of the paper. The
    others are extractors of its program: ``Article``, the tree of words and what belongs to the
    largest text; ``Default``, the tree of densities on merged blocks of equal density;
    ``LargestContent``, the largest text that the tree of words finds; ``Canola``, a rule learnt
    from another corpus. Like the program, and unlike boilerpy3 by itself, they read the tags of a
    balanced tree.
    """

    module = "boilerpy3"

    def __init__(self, rules: str = "Article") -> None:
        super().__init__()
        if rules not in RULES:
            raise ExtractionError(f"boilerpipe: rules {rules!r}; expected one of {RULES}")
        self._rules = rules

    def text_of(self, document: ParsedDocument) -> str:
        """Return the blocks of content."""
        if self._rules == "DensityRules":
            rules = self._load("filters").DensityRulesClassifier()
        else:
            rules = getattr(self._load("extractors"), f"{self._rules}Extractor")().filter
        blocks = self._blocks(document.tree)
        rules.process(blocks)
        return str(blocks.content)

    def _blocks(self, root: LexborNode) -> Any:
        """Return the text blocks of a tree."""
        parser = self._load("parser").BoilerpipeBaseParser(raise_on_failure=False)
        waiting: list[LexborNode | str] = [root]  # nodes to open, and tags to close
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
        return parser.to_text_document()


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


@dataclass(frozen=True)
class NodePeer:
    """Extractor of a JavaScript package, run by Node in a process of its own for each page.

    Raises MissingExtraError if Node or a package is missing.

    Parameters
    ----------
    name
        System of the script ``node_peers.mjs``.
    packages
        Packages that it needs, separated by spaces.
    """

    name: str
    packages: str

    def __post_init__(self) -> None:
        if shutil.which("node") is None:
            raise MissingExtraError(
                f"{self.name} needs Node, https://nodejs.org, and 'node' was not found"
            )
        for package in self.packages.split():
            if not (_node_modules() / package / "package.json").is_file():
                raise MissingExtraError(
                    f"{self.name} needs {package} in {_node_modules()}: npm install {self.packages}"
                )

    def extract(self, document: ParsedDocument) -> Extraction:
        """Return the text of the HTML that the package finds.

        Raises ExtractionError if it fails, takes too long, or writes too much.
        """
        script = str(resources.files("structce.extraction") / "node_peers.mjs")
        variables = {"NODE_MODULES": str(_node_modules()), "PAGE_URL": document.url}
        try:
            output = subprocess.run(
                ["node", script, self.name],
                input=document.utf8,
                capture_output=True,
                check=True,
                timeout=SECONDS,
                env={**os.environ, **variables},
            ).stdout
        except subprocess.TimeoutExpired as error:
            raise ExtractionError(
                f"{document.name}: {self.name}: took more than {SECONDS:g} s"
            ) from error
        except (OSError, subprocess.CalledProcessError) as error:
            message = (getattr(error, "stderr", None) or b"").decode(errors="replace").strip()
            raise ExtractionError(
                f"{document.name}: {self.name}: {error}: {message[:_SHOWN]}"
            ) from error
        if len(output) > MAX_PAGE_BYTES:
            raise ExtractionError(f"{document.name}: {self.name}: wrote {len(output):,} bytes")
        return Extraction(text_of_html(output.decode(errors="replace")))


def _node_modules() -> Path:
    return Path(os.environ.get("NODE_MODULES") or "node_modules").resolve()


@extractor("readability-js")
def readability_js() -> NodePeer:
    """Readability.js (Mozilla), through Node: the text of the article."""
    return NodePeer("readability-js", "@mozilla/readability jsdom")


@extractor("defuddle")
def defuddle() -> NodePeer:
    """Defuddle, through Node: the text of the main content."""
    return NodePeer("defuddle", "defuddle linkedom")
