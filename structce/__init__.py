"""Toolkit that labels the regions of web pages: title, author, date, text, and where each is.

>>> import structce
>>> html = "<title>Ferry to stop</title><h1>Ferry to stop</h1><p>The ferry will stop in June.</p>"
>>> article = structce.label(html)
>>> article.title.value
'Ferry to stop'

:func:`label` turns one page (HTML, a file, or an address) into an :class:`Article`, and
:func:`label_files` many, lazily; both have ``asyncio`` variants. :func:`load` returns a reader of
HTML in memory, and :func:`extract` writes an article as text, Markdown, HTML or JSON.
:func:`to_frame` makes a table of articles for pandas, Polars or Arrow. Step by step: a renderer
returns a :class:`Page` of :class:`Region`, :func:`read_snapshot` one that was rendered before,
:meth:`RegionLabeller.label` a :class:`Labelling`, and :func:`read_article` the article;
:meth:`Labelling.explain` returns an :class:`Explanation`. A :class:`RegionLabeller` is fitted on a
:class:`Corpus` of :class:`LabelledPage`, whose labels come from one :class:`LabelSet`. All errors
are subclasses of :class:`StructceError`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from structce.lazy_import import lazy_names

if TYPE_CHECKING:
    from structce.article import Article as Article
    from structce.article import extract as extract
    from structce.article import label as label
    from structce.article import label_async as label_async
    from structce.article import label_files as label_files
    from structce.article import label_files_async as label_files_async
    from structce.article import load as load
    from structce.article import read_article as read_article
    from structce.article import to_frame as to_frame
    from structce.corpus import Corpus as Corpus
    from structce.corpus import LabelledPage as LabelledPage
    from structce.errors import EmptyPageWarning as EmptyPageWarning
    from structce.errors import ModelWarning as ModelWarning
    from structce.errors import StructceError as StructceError
    from structce.labelling import Explanation as Explanation
    from structce.labelling import Labelling as Labelling
    from structce.labelling import RegionLabeller as RegionLabeller
    from structce.labels import LabelSet as LabelSet
    from structce.page import Page as Page
    from structce.page import Region as Region
    from structce.page import read_snapshot as read_snapshot

    __version__: str

_NAMES = {
    "structce.article": "Article extract label label_async label_files label_files_async load "
    "read_article to_frame",
    "structce.corpus": "Corpus LabelledPage",
    "structce.errors": "EmptyPageWarning ModelWarning StructceError",
    "structce.labelling": "Explanation Labelling RegionLabeller",
    "structce.labels": "LabelSet",
    "structce.page": "Page Region read_snapshot",
    "structce.version": "__version__",
}

_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = sorted(_HOMES)

__getattr__ = lazy_names(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted(__all__)
