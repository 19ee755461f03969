"""Rules of sites: learnt from three pages of each, measured on its other pages.

    python3 -m benchmarks.sites FOLDER

Sites with six pages or more whose gold has a title, authors, a date, a whole text or further
values. Read by the rules alone, by the shipped model alone, and by both: the rules, and the model
where they find nothing.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import click
from msgspec import structs

from benchmarks.articles.corpora import archive_path
from structce.article import (
    Article,
    Evidence,
    LabelledReading,
    PageReader,
    SiteRules,
    learn_rules,
)
from structce.cli.options import format_option, print_table, seed_option
from structce.datasets import READERS, GoldPage
from structce.errors import StructceError
from structce.evaluation import bag_overlap, is_title
from structce.evaluation.article_measures import author_overlap, is_day
from structce.gold import Gold
from structce.labelling import ModelChoice
from structce.language import normalise
from structce.rendering import StaticRenderer

DATA_SETS = tuple("fundus waddle cleanportaleval wcxb wcxb-more trafilatura swde".split())
SYSTEMS = ("rules", "model", "both")
_LEAST, _LEARNT = 6, 3  # pages of a site, and those that its rules are learnt from


def sites_of(folder: Path, name: str, most: int, seed: int) -> Iterator[tuple[str, list[GoldPage]]]:
    """Yield the sites of a data set with enough pages, and up to so many pages of each, drawn.

    Pages of SWDE are of one site if they are also of one subject, and so have one template.
    """
    path = archive_path(folder, name)
    sites: dict[str, list[GoldPage]] = defaultdict(list)
    for page in READERS[name].read(path) if path else ():
        if isinstance(page, GoldPage):
            gold = _with_title(page.gold)
            subject = " ".join(sorted(gold.others)) if name == "swde" else ""
            if gold.title or gold.body or gold.others:
                sites[f"{page.site} {subject}"].append(replace(page, gold=gold))
    for site, pages in sites.items():
        if len(pages) >= _LEAST:
            yield site, random.Random(seed).sample(pages, min(len(pages), most))


def _with_title(gold: Gold) -> Gold:
    """Return gold in which a value called ``title`` is the title, and ``author`` the authors."""
    others = {**gold.others}
    title, authors = others.pop("title", ()), others.pop("author", ())
    if not (title or authors):
        return gold
    title = gold.title or next(iter(title), None)
    return replace(gold, title=title, authors=gold.authors or authors, others=others)


def scores(article: Article, gold: Gold) -> Iterator[tuple[str, float]]:
    """Yield the score of each field that the gold has, in [0, 1]."""
    if gold.title:
        yield "title", float(is_title(str(article.title or ""), gold.title))
    if gold.authors:
        yield "authors", author_overlap(map(str, article.authors), gold.authors).f1
    if gold.date:
        day = article.date.value[:10] if article.date else ""
        yield "date", float(len(day) == 10 and is_day(date.fromisoformat(day), gold.date))
    if gold.body:
        yield "text", bag_overlap(article.text, gold.text).f1
    for name, values in gold.others.items():
        found = normalise(str(article.values.get(name) or ""))
        yield "other values", float(found in map(normalise, values))


def by_rules_alone(article: Article, rules: SiteRules, evidence: Evidence) -> Article:
    """Return an article read by rules and model without the fields of the model."""
    has = {name: bool(rules.choices(evidence, name)) for name in ("title", "authors", "date")}
    return replace(
        article,
        title=article.title if has["title"] else None,
        authors=article.authors if has["authors"] else (),
        date=article.date if has["date"] else None,
        text=article.text if rules.body(evidence.page) is not None else "",
    )


def site_scores(pages: Sequence[GoldPage], reader: PageReader) -> Iterator[tuple[str, str, float]]:
    """Yield system, field and score, for the pages that the rules were not learnt from."""
    labelled = []
    for page in pages:
        try:
            labelled.append(LabelledReading(reader(page.document(), page.id), page.gold))
        except StructceError:  # a page that cannot be read, by either
            continue
    rules = learn_rules(labelled[:_LEARNT])
    with_rules = structs.replace(reader, rules=(rules,))
    for page in labelled[_LEARNT:]:
        model = page.reading.article
        both = with_rules.read(page.evidence.page).article
        articles = (by_rules_alone(both, rules, page.evidence), model, both)
        for system, article in zip(SYSTEMS, articles, strict=True):
            for name, score in scores(article, page.gold):
                yield system, name, score


@click.command()
@click.argument("folder", type=click.Path(exists=True, path_type=Path))
@click.option("--most", default=12, help="Greatest number of pages per site, three included.")
@click.option("--sites", "has_sites", is_flag=True, help="A row for every site.")
@seed_option
@format_option
def main(folder: Path, most: int, has_sites: bool, seed: int, form: str) -> None:
    """Measure rules learnt from three pages of each site on its other pages."""
    reader = PageReader(StaticRenderer(), ModelChoice(), spans=False)
    found: dict[tuple[str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    sites: dict[tuple[str, str], set[str]] = defaultdict(set)
    for name in DATA_SETS:
        for site, pages in sites_of(folder, name, most, seed):
            for system, field, score in site_scores(pages, reader):
                for source in (f"{name} {site}" if has_sites else name, "all"):
                    sites[source, field].add(f"{name} {site}")
                    found[source, field][system].append(score)
    rows = [
        {
            "pages of": name,
            "field": field,
            "sites": len(sites[name, field]),
            "values": len(systems["model"]),
            **{system: sum(systems[system]) / len(systems[system]) for system in SYSTEMS},
        }
        for (name, field), systems in sorted(found.items(), key=lambda item: item[0][0] == "all")
    ]
    print_table(rows, form)


if __name__ == "__main__":
    main()
