"""Functions for one page: its article, a loaded reader of HTML, and an article as a string."""

from __future__ import annotations

import os
import warnings
from collections.abc import Generator, Iterable
from contextlib import closing
from functools import lru_cache, partial
from itertools import starmap, tee
from pathlib import Path
from typing import IO, Any, Literal, TypeVar, overload

import msgspec
from msgspec.structs import replace

from structce.article import formats
from structce.article.article import Article
from structce.article.body_choice import Favour
from structce.article.reader import PageOutcome, PageReader
from structce.article.reading import empty_page_message, without_doubtful
from structce.article.site_rules import SiteRules
from structce.article.values import DOUBTFUL
from structce.errors import EmptyPageWarning, ModelWarning, SourceError, StructceError
from structce.labelling import MODEL_MANIFEST, ModelChoice, RegionLabeller, find_model
from structce.rendering import (
    Document,
    Loader,
    Source,
    check_markup,
    decode,
    is_url,
    start_renderer,
)

T = TypeVar("T")

Html = str | bytes | Document
"""HTML in memory: text, bytes whose encoding is detected, or a document."""

RuleFiles = str | Path | Iterable[str | Path]
"""One rule file of a site, or several."""

_LONGEST_NAME = 4_096  # characters of a path on common systems; longer text is not a file name
_SHOWN = 60  # characters of a text that a message quotes
_FORMATS = ("text", "markdown", "html", "json")
_EXPECTED = "expected HTML, the name of an HTML file, or an address with network=True"


def label(
    source: str | bytes | os.PathLike[str] | IO[str] | IO[bytes],
    *,
    url: str = "",
    model: str | Path | None = None,
    renderer: str = "static",
    network: bool = False,
    favour: Favour = "balance",
    spans: bool = True,
    context: bool = False,
    rules: RuleFiles = (),
) -> Article:
    """Return the article of one page.

    Parameters
    ----------
    source
        HTML as text, or as bytes whose encoding is detected; a path, or a text without markup that
        names a file; an open file; or an address, ``http`` or ``https``.
    url
        Address of the page, for the record; by default the address that the source states.
    model
        Name of a shipped model, or a model's folder. Default: the shipped model for the renderer.
    renderer
        ``static``, or ``chromium``, which starts a browser for this page.
    network
        Whether an address may be fetched; if not, an address is an error.
    favour
        Error to avoid in the text, as in :func:`structce.read_article`.
    spans
        Whether to find the places of values in the source, which takes an eighth of the time.
    context
        Whether access, next page and comments are read as well.
    rules
        Rule files of sites, as written by ``structce site learn``; values that they do not find
        are those of the model. ModelError if a file is missing or malformed.

    Returns
    -------
    The article, with spans and boxes as in the output of ``structce label``. A model for the pages
    of another renderer gives a `ModelWarning`, a page whose content scripts write an
    `EmptyPageWarning`.

    Raises
    ------
    TypeError
        If the source is of another type.
    SourceError
        If the source is a folder, a missing file, an address without ``network``, or contains no
        markup at all.
    RenderError
        If there is no such renderer, or the page exceeds its limits.
    ModelError
        If there is no such model.
    PageError
        If the page causes an unforeseen error.

    Examples
    --------
    >>> html = "<title>Ferry to stop</title><h1>Ferry to stop</h1><p>It will stop in June.</p>"
    >>> label(html).title.value
    'Ferry to stop'
    >>> label("ferry.html")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    structce.errors.SourceError: 'ferry.html': neither HTML nor an existing file; ...
    """
    document = _in_memory(_document(source, is_fetched=network), url=url)
    return _article(_reader(renderer, model, rules, spans, favour, context), document)


def load(
    model: str | Path = "news",
    *,
    renderer: str = "static",
    spans: bool = True,
    favour: Favour = "balance",
    context: bool = False,
    rules: RuleFiles = (),
) -> HtmlReader:
    """Return a reader of articles from HTML in memory, with its model loaded.

    Parameters
    ----------
    model
        ``news``, the shipped model for the renderer; the name of a shipped model; or a model's
        folder.
    renderer, spans, favour, context, rules
        As in :func:`structce.label`, which also states the errors.

    Examples
    --------
    >>> pages = ["<h1>Ferry to stop</h1><p>It will stop in June.</p>", "Words alone"]
    >>> for outcome in load("news").pipe(pages):
    ...     print(outcome.error or outcome.value.title)
    Ferry to stop
    document 2: contains no markup; expected HTML
    """
    return HtmlReader(_reader(renderer, model, rules, spans, favour, context))


class HtmlReader(msgspec.Struct, frozen=True):
    """Reader of articles from HTML in memory, made by :func:`structce.load`.

    It reads no file and no address. Each call, and each :meth:`pipe`, starts its own browser.
    """

    reader: PageReader

    def __repr__(self) -> str:
        renderer = self.reader.renderer.name
        return f"<HtmlReader {self.reader.labeller.name(renderer)}, {renderer} renderer>"

    def __call__(self, html: Html, *, url: str = "") -> Article:
        """Return the article of one page; errors are those of :func:`structce.label`."""
        return _article(self._with_workers(1), _in_memory(html, url=url))

    @overload
    def pipe(
        self, htmls: Iterable[Html], *, workers: int = 1
    ) -> Generator[PageOutcome[Article], None, None]: ...

    @overload
    def pipe(
        self, htmls: Iterable[tuple[Html, T]], *, workers: int = 1, as_tuples: Literal[True]
    ) -> Generator[tuple[PageOutcome[Article], T], None, None]: ...

    def pipe(
        self, htmls: Iterable[Any], *, workers: int = 1, as_tuples: bool = False
    ) -> Generator[Any, None, None]:
        """Yield the outcome of every page, an article or an error, lazily and in the order given.

        Workers are those of :func:`structce.label_files`. The source of an outcome is the name of
        the document, or ``document 3`` for other HTML. With ``as_tuples``, items are pairs of HTML
        and anything, which is returned beside the outcome.
        """
        items, kept = tee(htmls)
        documents = (html for html, _ in items) if as_tuples else items
        sources = starmap(_loader, enumerate(documents, 1))
        with closing(self._with_workers(workers).articles(sources, workers=workers)) as outcomes:
            for outcome, item in zip(outcomes, kept, strict=True):
                yield (outcome, item[1]) if as_tuples else outcome

    def _with_workers(self, workers: int) -> PageReader:
        of_model = self.reader.renderer
        renderer = start_renderer(of_model.name, settings=of_model.settings, workers=workers)
        return replace(self.reader, renderer=renderer)


def extract(
    html: Html,
    *,
    format: str = "text",
    url: str | None = None,
    model: str | Path | None = None,
    favour: Favour = "balance",
) -> str:
    """Return the article of HTML in memory as text in a format.

    Parameters
    ----------
    format
        ``text`` (title, byline and text), ``markdown`` or ``html``, each as written by
        ``structce label --format``, which omits doubtful values from text and Markdown; or
        ``json``, that of :meth:`structce.Article.to_json`. ``txt`` and ``md`` are short names.
    url, model, favour
        As in :func:`structce.label`, which also states the errors; an unknown format is one.
    """
    name = {"txt": "text", "md": "markdown"}.get(format, format)
    if name not in _FORMATS:
        raise StructceError(f"unknown format {format!r}; expected one of {', '.join(_FORMATS)}")
    reader = _reader("static", model, (), name == "json", favour, False)
    article = _article(reader, _in_memory(html, url=url or ""))
    if name == "json":
        return article.to_json()
    if name in ("text", "markdown"):
        article = without_doubtful(article, DOUBTFUL)
    return str(getattr(formats, f"to_{name}")(article))


def _reader(
    renderer: str,
    model: str | Path | None,
    rules: RuleFiles,
    spans: bool,
    favour: Favour,
    context: bool,
) -> PageReader:
    """Return a reader with its model loaded; warn the caller's caller if the two do not suit."""
    chosen = start_renderer(renderer)
    name = ModelChoice(model).name(chosen.name)
    folder = find_model(name).resolve()
    models = _models_in(name, folder, (folder / MODEL_MANIFEST).stat().st_mtime_ns)
    if message := models.conflict(chosen.name):
        warnings.warn(message, ModelWarning, stacklevel=3)
    files = [rules] if isinstance(rules, str | Path) else rules
    sites = tuple(map(SiteRules.load, files))
    return PageReader(chosen, models, spans=spans, favour=favour, context=context, rules=sites)


def _article(reader: PageReader, document: Document) -> Article:
    """Return the article of a document; warn the caller's caller if nothing is visible."""
    with reader.renderer:
        reading = reader(document)
    if message := empty_page_message(document.name, reading.article):
        warnings.warn(message, EmptyPageWarning, stacklevel=3)
    return reading.article


def _loader(number: int, html: object) -> tuple[str, Loader]:
    name = html.name if isinstance(html, Document) else f"document {number}"
    return name, partial(_in_memory, html, name)


def _in_memory(html: object, name: str = "", *, url: str = "") -> Document:
    if isinstance(html, str):
        html = Document(html, name=name or "<string>")
    elif isinstance(html, bytes | bytearray | memoryview):
        html = decode(bytes(html), name=name or "<bytes>")
    if not isinstance(html, Document):
        raise TypeError(f"got {type(html).__name__}; expected HTML as text or bytes")
    return check_markup(replace(html, url=url or html.url))


def _document(source: object, *, is_fetched: bool) -> Document:
    if isinstance(source, str) and "<" not in source:
        return _named(source, is_fetched=is_fetched)
    if isinstance(source, os.PathLike):
        return _file(Path(os.fsdecode(source)))
    if callable(read := getattr(source, "read", None)) and not isinstance(source, type):
        return _in_memory(read(), str(getattr(source, "name", "<file>")))
    if not isinstance(source, str | bytes | bytearray | memoryview | Document):
        raise TypeError(f"label: got {type(source).__name__}; {_EXPECTED}")
    return _in_memory(source)


def _named(name: str, *, is_fetched: bool) -> Document:
    """Return the document at an address or in a file, given a text without markup."""
    text = name.strip()
    if is_url(text.lower()):
        if not is_fetched:
            raise SourceError(f"{text}: an address is fetched only if network=True asks for it")
        return Source(text).read()
    if not text:
        raise SourceError(f"empty text; {_EXPECTED}")
    if len(name) <= _LONGEST_NAME and os.path.exists(name):  # noqa: PTH110  (a Path may raise)
        return _file(Path(name))
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
    raise SourceError(f"{shown!r}: neither HTML nor an existing file; {_EXPECTED}")


def _file(path: Path) -> Document:
    if path.is_dir():
        raise SourceError(
            f"{path}: is a folder; expected one page. Folders and archives are for label_files, or "
            "the command 'structce label'"
        )
    # A file may be named "-", which as the source of a command means standard input.
    return Source(str(path) if str(path) != "-" else "./-").read()


@lru_cache(maxsize=2)
def _models_in(model: str, folder: Path, _modified: int) -> ModelChoice:
    # Loading a model takes longer than labelling a page; a loaded model is never changed.
    return ModelChoice(model, RegionLabeller.load(folder))
