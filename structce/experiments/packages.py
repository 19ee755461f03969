"""Test packages of an extraction experiment: pages of data sets with their main content."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from structce.corpus import open_corpus
from structce.datasets import READERS, GoldPage, Lost, gold_text, main_text, raw_pages
from structce.experiments.config import ExtractionExperiment, PackageSource, order_by_seed
from structce.experiments.toml_tables import require, unknown_name
from structce.gold import TEXT, Gold
from structce.rendering import start_renderer

_UNKNOWN = "unknown"


@dataclass(frozen=True)
class SourcePages:
    """Pages of one source, each with a main content, and the name of each page's part, if any.

    ``lost`` has the reasons why pages are missing, except those that the data set itself gives up.
    ``learnt`` are pages that trained methods learn from, and that are not measured; empty for
    folds.
    """

    name: str
    pages: tuple[GoldPage, ...]
    lost: Mapping[str, str]
    parts: Mapping[str, str]
    learnt: tuple[GoldPage, ...] = ()

    @property
    def classes(self) -> dict[str, tuple[GoldPage, ...]]:
        """Pages of each part, by its name, in the order of the names."""
        return {
            name: tuple(page for page in self.pages if self.parts.get(page.id) == name)
            for name in sorted(set(self.parts.values()))
        }

    @property
    def digest(self) -> str:
        """Sixteen hexadecimal digits that identify everything that is measured."""
        total = hashlib.sha256()
        for page in (*self.learnt, *self.pages):
            total.update(f"{page.id}\0{page.content_type}\0{page.gold.text}\0".encode())
            total.update(page.data)
        return total.hexdigest()[:16]


def read_packages(experiment: ExtractionExperiment) -> tuple[SourcePages, ...]:
    """Return the pages of every source, including those of parts that are too small."""
    return tuple(_read(experiment, source) for source in experiment.packages)


def _read(experiment: ExtractionExperiment, source: PackageSource) -> SourcePages:
    pages: list[GoldPage] = []
    lost: dict[str, str] = {}
    key, path = ("package", source.name), Path(experiment.data) / (source.path or source.reader)
    if not source.path and not path.exists():
        path = path.with_name(f"{source.reader}.zip")
    message = f"{path}: no such folder or archive; --set data=FOLDER names where it is"
    require(path.exists(), message, *key)
    is_corpus = source.reader == "corpus"
    for item in _corpus_pages(path) if is_corpus else READERS[source.reader].read(path):
        if isinstance(item, Lost):
            lost |= {} if item.is_known else {item.id: item.why}
        elif source.only and part_name(item, source.by[:1]) not in source.only:
            continue
        elif text := main_content(item, with_title=source.title, with_comments=source.comments):
            pages.append(replace(item, gold=replace(item.gold, body=((TEXT, text),))))
        else:
            lost[item.id] = "its main content is not known"
    require(bool(pages), "contains no page with main content", *key)
    learnt, pages = _split(pages, lost, source)
    drawn = _drawn(pages, lost, source, experiment)
    require(bool(drawn), "contains no class of pages", *key)
    parts = {id: name for id, name in drawn.items() if name}
    kept = tuple(page for page in pages if page.id in drawn)
    return SourcePages(source.name, kept, lost, parts, learnt)


def _split(
    pages: list[GoldPage], lost: dict[str, str], source: PackageSource
) -> tuple[tuple[GoldPage, ...], list[GoldPage]]:
    """Return the pages to learn from, none for folds, and the others, without copies of these."""
    if not source.learn_from:
        return (), pages
    learnt = {page.id: page for page in pages if page.gold.about.get("split") == source.learn_from}
    if not 0 < len(learnt) < len(pages):
        names = sorted({page.gold.about.get("split", "") for page in pages} - {""})
        raise unknown_name(source.learn_from, names, "package", source.name, "learn_from")
    copies = {page.data for page in learnt.values()}
    others = [page for page in pages if page.id not in learnt]
    lost |= {page.id: "it is among those to learn from" for page in others if page.data in copies}
    return tuple(learnt.values()), [page for page in others if page.data not in copies]


def _drawn(
    pages: list[GoldPage], lost: dict[str, str], source: PackageSource,
    experiment: ExtractionExperiment,
) -> dict[str, str]:  # fmt: skip
    """Return the part of each page to measure, by its id; empty for a page of no part.

    If a method compares pages of a class, pages of too small parts are lost to all methods.
    """
    most = experiment.pages if source.pages is None else source.pages
    least = max(source.min_pages, 2) if experiment.compares_classes else source.min_pages
    groups: dict[str, list[GoldPage]] = {}
    for page in pages:
        groups.setdefault(part_name(page, source.by), []).append(page)
    drawn: dict[str, str] = {}
    for name, group in groups.items():
        is_small = bool(source.by) and len(group) < least
        if is_small and experiment.compares_classes:
            why = f"{name} has {len(group)} of the {least} pages of a class"
            lost |= {page.id: why for page in group}
            continue
        part = "" if is_small or not source.by else f"{source.name} {name}"
        drawn |= {page.id: part for page in draw_pages(group, most, experiment.seed)}
    return drawn


def _corpus_pages(path: Path) -> Iterator[GoldPage]:
    """Yield the pages of a raw corpus with the text of the regions that are main content."""
    corpus = open_corpus(path, "static", start_renderer)
    texts = {page.id: main_text(page) for page in corpus}
    for page in raw_pages(path):
        body = ((TEXT, texts[page.id]),) if texts.get(page.id) else ()
        yield replace(page, gold=Gold(body=body))


def main_content(page: GoldPage, *, with_title: bool = True, with_comments: bool = False) -> str:
    """Return the main content in a page's gold, one line per piece.

    It is empty for a page without main content. Comments are the further values named ``comment``,
    and follow the rest.
    """
    gold = page.gold
    comments = gold.others.get("comment", ()) if with_comments else ()
    if not with_title:
        blocks = tuple(block for block in gold.blocks if block.label != "Title")
        gold = replace(gold, title=None, blocks=blocks)
    return "\n".join((gold_text(gold), *comments)).strip()


def part_name(page: GoldPage, by: Iterable[str]) -> str:
    """Return the name of the part of a page; ``unknown`` if the data set does not record it."""
    facts = {**page.gold.about, "site": page.site, "family": page.family}
    return " ".join(facts.get(name) or _UNKNOWN for name in by)


def draw_pages(pages: list[GoldPage], most: int, seed: int) -> list[GoldPage]:
    """Return at most ``most`` pages, drawn by digests of seed and id; all for 0.

    A larger draw contains every smaller one, so that its measurements are kept.
    """
    return order_pages(pages, seed)[:most] if most else pages


def order_pages(pages: Iterable[GoldPage], seed: int) -> list[GoldPage]:
    """Return pages in an order drawn by digests of seed and id, independent of other pages."""
    by_id = {page.id: page for page in pages}
    return [by_id[id] for id in order_by_seed(by_id, seed)]


def draw_folds(
    pages: Sequence[GoldPage], n: int, by: str, seed: int
) -> tuple[tuple[GoldPage, ...], ...]:
    """Return pages in folds of about the same size: page by page, or each site in one fold.

    Sites that share a template, as far as the data set records it, count as one. With fewer sites
    than folds, each site is a fold.
    """
    groups: dict[str, list[GoldPage]] = {}
    for page in pages:
        groups.setdefault(page.id if by == "random" else page.family, []).append(page)
    order = sorted(order_by_seed(groups, seed), key=lambda name: -len(groups[name]))
    folds: list[list[GoldPage]] = [[] for _ in range(min(n, len(groups)))]
    for name in order:  # the largest first, each to the fold that has the fewest pages so far
        min(folds, key=len).extend(groups[name])
    return tuple(map(tuple, folds))
