"""Article of a page in one call, from text, a file or an address."""

from __future__ import annotations

import os
import warnings
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from structce.article.article import Article
from structce.article.body_choice import Favour
from structce.article.reader import PageReader
from structce.errors import ModelWarning, SourceError
from structce.labelling import (
    DEFAULT_MODELS,
    MODEL_MANIFEST,
    ModelChoice,
    RegionLabeller,
    find_model,
)
from structce.rendering import Document, Source, check_markup, decode, is_url, start_renderer

_LONGEST_NAME = 4_096  # characters of a path on common systems; longer text is not a file name
_SHOWN = 60  # characters of a text that a message quotes

_EXPECTED = "expected HTML, the name of an HTML file, or an address with network=True"


class Readable(Protocol):
    """Open file, or any object with its ``read`` method."""

    def read(self) -> str | bytes:
        """Return the whole content."""
        ...


def label(
    source: str | bytes | os.PathLike[str] | Readable,
    *,
    url: str = "",
    model: str | Path | None = None,
    renderer: str = "static",
    network: bool = False,
    favour: Favour = "balance",
    spans: bool = True,
    context: bool = False,
    pages: int = 1,
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
        Whether access, next page, comments and items are read as well.
    pages
        Greatest number of pages of a story or thread that are joined; with more than one, the
        pages that follow are fetched, so ``network`` is needed.

    Returns
    -------
    The article, with spans and boxes as in the output of ``structce label``. A model for the pages
    of another renderer gives a `ModelWarning`.

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
    if pages > 1 and not network:
        raise SourceError(f"pages={pages}: further pages are fetched only if network=True")
    document = check_markup(_document(source, is_fetched=network))
    document = replace(document, url=url or document.url)
    with start_renderer(renderer) as opened:
        models = _loaded_models(str(model or DEFAULT_MODELS[opened.name]))
        if message := models.conflict(opened.name):
            warnings.warn(message, ModelWarning, stacklevel=2)
        reader = PageReader(
            opened,
            models,
            spans=spans,
            favour=favour,
            context=context,
            pages=pages,
            fetch=_fetch if network else None,
        )
        return reader(document).article


def _fetch(address: str) -> Document:
    return check_markup(Source(address).read())


def _document(source: object, *, is_fetched: bool) -> Document:
    """Return the document that a source is, names or reads."""
    if isinstance(source, str):
        return Document(source) if "<" in source else _named(source, is_fetched=is_fetched)
    if isinstance(source, bytes | bytearray | memoryview):
        return decode(bytes(source), name="<bytes>")
    if isinstance(source, os.PathLike):
        return _file(Path(os.fsdecode(source)))
    if callable(read := getattr(source, "read", None)) and not isinstance(source, type):
        return _opened(read(), str(getattr(source, "name", "<file>")))
    raise TypeError(f"label: got {type(source).__name__}; {_EXPECTED}")


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
            f"{path}: is a folder; expected one page. For folders and archives use 'structce label'"
        )
    # A file may be named "-", which as the source of a command means standard input.
    return Source(str(path) if str(path) != "-" else "./-").read()


def _opened(content: object, name: str) -> Document:
    if isinstance(content, str):
        return Document(content, name=name)
    if isinstance(content, bytes):
        return decode(content, name=name)
    raise TypeError(f"label: {name}: read() gave {type(content).__name__}; expected str or bytes")


def _loaded_models(model: str) -> ModelChoice:
    folder = find_model(model).resolve()
    return _models_in(model, folder, (folder / MODEL_MANIFEST).stat().st_mtime_ns)


@lru_cache(maxsize=2)
def _models_in(model: str, folder: Path, _modified: int) -> ModelChoice:
    # Loading a model takes longer than labelling a page; a loaded model is never changed.
    return ModelChoice(model, RegionLabeller.load(folder))
