"""Groups of pages that no split may separate, over several corpora: copies, sites, publishers.

A family of :mod:`structce.corpus.templates` joins sites that share a template. A group goes further
if pages of many data sets are combined: the same page under two ids, one site under the names of
two data sets, the sites of one publisher.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib import resources

from structce.corpus.corpus import Corpus
from structce.corpus.near_duplicates import find_duplicates
from structce.corpus.splits import group_names
from structce.corpus.storage import LabelledPage
from structce.corpus.templates import find_templates
from structce.errors import CorpusError
from structce.page import site_of

_Links = Iterator[tuple[str, str]]


def with_groups(corpus: Corpus) -> Corpus:
    """Return the corpus with the family of each page named after the first family of its group.

    A split by site then keeps groups whole. A group joins pages of one site or family;
    near-duplicates; sites that share a template; sites of one name under several public suffixes,
    such as ``bbc.com`` and ``bbc.co.uk``; sites of one publisher, as ``publishers.toml`` lists
    them. A page without an address belongs to the site that it states for itself.
    """
    links = [*_page_links(corpus.pages), *_likeness_links(corpus), *_publisher_links()]
    first = group_names([name for link in links for name in link], links)
    pages = tuple(replace(one, family=_plain(first[f"family {one.family}"])) for one in corpus)
    return replace(corpus, pages=pages)


def number_groups(corpora: Sequence[Corpus]) -> dict[str, int]:
    """Return the number of the group of each page of several corpora, by ``CORPUS/ID``.

    Groups are those of :func:`with_groups`, numbered from 0 in order of occurrence.

    Raises
    ------
    CorpusError
        If two corpora have the same name.
    """
    names = [corpus.name for corpus in corpora]
    if twice := [name for name in names if names.count(name) > 1]:
        raise CorpusError(f"two corpora with the name {twice[0]!r}; expected different names")
    pages = [_named_after(corpus.name, one) for corpus in corpora for one in corpus]
    numbers: dict[str, int] = {}
    grouped = with_groups(Corpus("+".join(names), tuple(pages)))
    return {one.id: numbers.setdefault(one.family, len(numbers)) for one in grouped}


def _named_after(corpus: str, page: LabelledPage) -> LabelledPage:
    """Return the page with the name of its corpus in its id.

    A site and family named after the page get it as well: two data sets may both have a page with
    the id ``1``, and neither know its site.
    """
    new = f"{corpus}/{page.id}"
    site, family = (
        new if own == page.id and "." not in own else own for own in (page.site, page.family)
    )
    return replace(page, id=new, site=site, family=family)


def _page_links(pages: Sequence[LabelledPage]) -> _Links:
    """Yield links by the names and addresses of each page."""
    for one in pages:
        yield f"family {one.family}", f"site {one.site}"
        yield f"site {one.site}", f"name {one.site.partition('.')[0]}"
        if not one.page.url:
            stated = one.page.metadata.meta.get("og:url", ())
            yield from ((f"site {one.site}", f"site {at}") for at in map(site_of, stated) if at)


def _likeness_links(corpus: Corpus) -> _Links:
    """Yield the sites of near-duplicates, and the sites that share a template."""
    site = {one.id: one.site for one in corpus}
    for pair in find_duplicates(corpus):
        yield f"site {site[pair.first]}", f"site {site[pair.second]}"
    for pair in find_templates(corpus):
        yield f"site {pair.first}", f"site {pair.second}"


def _publisher_links() -> _Links:
    for sites in _publishers():
        yield from ((f"site {sites[0]}", f"site {other}") for other in sites[1:])


def _publishers() -> list[list[str]]:
    text = resources.files(__package__).joinpath("publishers.toml").read_text("utf-8")
    families: list[list[str]] = tomllib.loads(text)["families"]
    return families


def _plain(name: str) -> str:
    return name.removeprefix("family ")
