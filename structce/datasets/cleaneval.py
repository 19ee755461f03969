"""CleanEval and CleanPortalEval: pages of one form, each with its text beside it.

M. Baroni, F. Chantree, A. Kilgarriff, S. Sharoff (2008). Cleaneval: a competition for cleaning web
pages. LREC. I. Endredy, A. Novak (2013). More effective boilerplate removal - the GoldMiner
algorithm. Polibits 48.

What the gold becomes. ``<h>`` gives a piece of the kind ``Subtitle``, ``<p>`` and ``<l>`` one of
the kind ``Paragraph``, a piece without a mark one of the kind ``Text``. In CleanPortalEval the
first ``<h>`` is the headline, so it is the title. In CleanEval it may be the headline or a section
of the page, nobody says which: its kind is ``Text``, and no title is given.

What is covered. The annotators kept all text that is content, so every paragraph and heading of
the page is in the gold. The reverse does not hold for CleanEval, where nearly everything was kept:
bylines, dates, captions and tables stand among the paragraphs, as ``<p>``. Author, Date, Caption
and, for CleanEval, Title cannot be covered.

The encoding that the wrapper of a page states is taken, right or wrong: the annotators' text shows
that they saw the page in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from structce.datasets.base import GoldPage, Lost, open_data_set, page_bytes, reader
from structce.datasets.text_formats import read_gold, unwrap
from structce.gold import TEXT, Gold
from structce.io import Folder
from structce.page import site_of

_BODY = ("Paragraph", "Subtitle")
_KINDS = {"h": "Subtitle", "p": "Paragraph", "l": "Paragraph", "": TEXT}
_LICENCE = "gold: none stated; pages: copyright of their publishers, for research and tests"


@dataclass(frozen=True)
class _Part:
    """Pages and texts of one folder.

    Parameters
    ----------
    prefix
        What stands before the names of its pages.
    has_headline
        The first heading is the headline.
    may_lack
        Pages without a text are no mistake.
    """

    folder: Folder
    prefix: str
    has_headline: bool
    may_lack: bool

    def names(self) -> list[str]:
        """Return the names of all pages and texts, numbers in their order."""
        files = [*(self.folder / "input").iterdir(), *(self.folder / "GoldStandard").iterdir()]
        found = {file.name.rpartition(".")[0] for file in files}
        return sorted(found, key=lambda name: (len(name) if name.isdigit() else 0, name))


@reader(
    "cleaneval",
    title="English pages of all kinds with their text, of a shared task in 2007",
    licence=_LICENCE,
    citation="M. Baroni, F. Chantree, A. Kilgarriff, S. Sharoff (2008). Cleaneval: a competition "
    "for cleaning web pages. LREC.",
    gold=("body",),
    labels=_BODY,
    home="https://cleaneval.sigwac.org.uk",
    may_train=False,
)
def read_cleaneval(path: Path) -> Iterator[GoldPage | Lost]:
    """Yield the pages of the development part, then those of the final part, by number.

    Some pages of the final part have no text, in the data set itself. One page is in both parts.

    Raises
    ------
    CorpusError
        If the layout is not that of the data set.
    """
    folder = open_data_set(path, *_layout("cleaneval-dev/"), *_layout("cleaneval-final/"))
    yield from _read(_Part(folder / "cleaneval-dev", "dev-", False, False))
    yield from _read(_Part(folder / "cleaneval-final", "final-", False, True))


@reader(
    "cleanportaleval",
    title="English pages of four news portals with their text, in the form of CleanEval",
    licence=_LICENCE,
    citation="I. Endredy, A. Novak (2013). More effective boilerplate removal - the GoldMiner "
    "algorithm. Polibits 48.",
    gold=("title", "body"),
    labels=(*_BODY, "Title"),
    home="https://github.com/ppke-nlpg/CleanPortalEval",
    may_train=False,
)
def read_cleanportaleval(path: Path) -> Iterator[GoldPage | Lost]:
    """Yield the pages in the order of their names.

    Two pages are lists of stories; their text is empty.

    Raises
    ------
    CorpusError
        If the layout is not that of the data set.
    """
    yield from _read(_Part(open_data_set(path, *_layout("")), "", True, False))


def _layout(above: str) -> tuple[str, str]:
    return f"{above}input", f"{above}GoldStandard"


def _read(part: _Part) -> Iterator[GoldPage | Lost]:
    for name in part.names():
        try:
            yield _read_page(part, name)
        except (OSError, KeyError, ValueError) as error:
            yield Lost(f"{part.prefix}{name}", f"{type(error).__name__}: {error}")


def _read_page(part: _Part, name: str) -> GoldPage | Lost:
    page, text = (
        part.folder / "input" / f"{name}.html",
        part.folder / "GoldStandard" / f"{name}.txt",
    )
    own = f"{part.prefix}{name}"
    if not text.exists():
        return Lost(own, f"GoldStandard has no {name}.txt", is_known=part.may_lack)
    url, pieces = read_gold(text.read_bytes())
    if not pieces:
        return Lost(own, f"no text in GoldStandard/{name}.txt", is_known=True)
    wrapped = unwrap(page_bytes(page))
    url = wrapped.url or url
    site = site_of(url) or own
    gold = _gold(pieces, has_headline=part.has_headline)
    return GoldPage(own, site, site, url, wrapped.data, gold, wrapped.content_type)


def _gold(pieces: tuple[tuple[str, str], ...], *, has_headline: bool) -> Gold:
    first = next((n for n, (mark, _) in enumerate(pieces) if mark == "h"), None)
    body = [(_KINDS[mark], text) for mark, text in pieces]
    if first is None:
        return Gold(body=tuple(body), covers=frozenset(_BODY))
    title = pieces[first][1]
    if has_headline:
        del body[first]
        return Gold(title=title, body=tuple(body), covers=frozenset((*_BODY, "Title")))
    body[first] = (TEXT, title)
    return Gold(body=tuple(body), covers=frozenset(_BODY))
