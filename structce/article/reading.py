"""Reading of articles from labelled pages: each field is its likeliest candidate.

The records of pages as JSON values are here, too; commands and the service return the same.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import fields, replace
from functools import lru_cache

import msgspec
import numpy as np

from structce.addresses import join_address
from structce.arrays import Flags
from structce.article.article import Article
from structce.article.block_columns import BLOCK_COLUMNS
from structce.article.body_choice import BodyChoice, Favour, choose_body
from structce.article.choice import FIELDS, Choice, choice_columns, choose, choose_authors
from structce.article.dates import visible_change
from structce.article.evidence import Evidence, evidence_of
from structce.article.images import checked_address
from structce.article.page_type import PAGE_COLUMNS, page_features, type_probabilities
from structce.article.posts import PostRegions, covers_body, find_posts, is_thread, read_posts
from structce.article.quality import QUALITY_COLUMNS, page_quality, risk_table
from structce.article.record import article_record, region_record
from structce.article.regions import field_at, join_regions, labelled_regions
from structce.article.roles import ROLE_COLUMNS, assign_roles, reconcile_labels
from structce.article.site_rules import SiteRules
from structce.article.structure import body_blocks, body_text
from structce.article.tuned import tuned
from structce.article.values import FieldValue
from structce.article.verdict import with_verdict
from structce.errors import ModelError
from structce.labelling import ArticleTrees, Labelling
from structce.language import language_code, parse_iso
from structce.learners import BoostedTrees
from structce.page import Page
from structce.runtime import without_collection

PageRecord = dict[str, object]
"""One page as JSON values; with ``error`` instead of the fields where labelling failed."""

_UNKNOWN_TYPE, _LEAST_TYPE = "unknown", 0.5  # type of a page of which none is likelier than this
_STATED_CONFIDENCE = 0.9  # of values without rival candidates: the language, the site's name
_VISIBLE_CHANGE = 0.75  # confidence of a change that the page shows
_log = logging.getLogger(__name__)


class Reading(msgspec.Struct, frozen=True):
    """The article of a page, and the page's labels, made consistent with it.

    ``initial`` are the labels of the labeller alone, which can be explained.
    """

    article: Article
    labelling: Labelling
    initial: Labelling


def read_article(
    labelling: Labelling, *, favour: Favour = "balance", context: bool = False
) -> Article:
    """Return the article of a labelled page; see :func:`structce.article.read_labelling`."""
    return read_labelling(labelling, favour=favour, context=context).article


@without_collection
def read_labelling(
    labelling: Labelling,
    *,
    favour: Favour = "balance",
    context: bool = False,
    html: str = "",
    rules: Sequence[SiteRules] = (),
) -> Reading:
    """Return the article of a labelled page, and its labels, made consistent with each other.

    The candidates of a field are the regions in which its label is likely, and all values that the
    page's metadata state. The trees of the page's labeller choose among them and estimate the
    confidence; without trees a rule does. See :mod:`structce.article.choice`. Regions then get the
    roles that the whole page suggests, see :mod:`structce.article.roles`, and the labels of the
    values that were chosen from them.

    Parameters
    ----------
    favour
        Whether the text should rather contain nothing foreign (``precision``) or miss nothing
        (``recall``).
    context
        Whether access, next page and comments are read as well.
    html
        Source of the page, in whose data the text is looked for if the page shows none.
    rules
        Rules of sites; the first for the page's address decide before the trees.

    Raises
    ------
    ModelError
        If trees have columns that this release does not compute.
    """
    labeller, page, evidence = labelling.labeller, labelling.page, evidence_of(labelling)
    trees = ArticleTrees() if labeller is None else checked_trees(labeller.trees)
    features = page_features(evidence) if trees else np.zeros(0)
    site = next((site for site in rules if site.apply_to(page.url)), SiteRules())
    title, day = (
        next(iter(site.choices(evidence, field)), None) or choose(field, evidence, trees, features)
        for field in ("title", "date")
    )
    authors = site.choices(evidence, "authors") or choose_authors(evidence, trees, features)
    types = type_probabilities(features, trees.page_types)
    body = choose_body(evidence, trees, favour, types=types)
    is_body, thread = _text_regions(evidence, body, types.get("forum", 0.0), site.body(page))
    if title is not None:  # a field of its own
        is_body[list(title.candidate.regions)] = False
    by_role = assign_roles(labelling, evidence, body.rows, is_body, trees)
    agreed = reconcile_labels(by_role, title=title, day=day, authors=authors)
    kind, p_kind = max(types.items(), key=lambda pair: pair[1], default=("", 0.0))
    surroundings = None
    if context:
        from structce.article.context import read_context  # late: few pages are read with it

        surroundings = read_context(evidence, is_body, kind)
    known_kind = kind if p_kind >= _LEAST_TYPE else _UNKNOWN_TYPE
    blocks = body_blocks(page, is_body, agreed.labels, body.confidence)
    text = body_text(blocks)
    article = replace(
        _stated_article(page),
        title=_value(page, title) if title else None,
        authors=tuple(_value(page, author) for author in authors),
        date=_value(page, day) if day else None,
        text=text,
        modified=_modified(evidence, day),
        page_type=FieldValue(known_kind, p_kind, None, "page") if kind else None,
        blocks=blocks,
        posts=read_posts(evidence, thread),
        context=surroundings,
        quality=page_quality(evidence, body.p, features, text, trees.quality),
        regions=labelled_regions(agreed),
        values={name: _value(page, chosen) for name, chosen in site.others(evidence).items()},
    )
    table = risk_table(labeller.card) if labeller else {}
    return Reading(with_verdict(article, evidence, html, table), agreed, labelling)


@lru_cache(maxsize=4)  # a comparison of models reads each page by all of them
def checked_trees(trees: ArticleTrees) -> ArticleTrees:
    """Return the trees of a model; ModelError if one has a column that is not computed."""
    expected: dict[str, tuple[BoostedTrees | None, Sequence[str]]] = {
        "the body": (trees.body, BLOCK_COLUMNS),
        "the quality": (trees.quality, QUALITY_COLUMNS),
        **{f"the role {label}": (own, ROLE_COLUMNS) for label, own in trees.roles.items()},
        **{f"the page type {kind}": (own, PAGE_COLUMNS) for kind, own in trees.page_types.items()},
    }
    for field, (names, *_) in FIELDS.items():
        expected[field] = trees.candidates.get(field), names
        expected[f"the choice of {field}"] = trees.choices.get(field), choice_columns(field)
    for subject, (ensemble, columns) in expected.items():
        if missing := set(ensemble.names if ensemble else ()).difference(columns):
            raise ModelError(
                f"the trees of {subject} in this model expect the column {min(missing)!r}, "
                "which this release of structce does not compute. Train the model again"
            )
    return trees


def _text_regions(
    evidence: Evidence, body: BodyChoice, p_forum: float, by_rule: Flags | None
) -> tuple[Flags, list[PostRegions]]:
    """Return which regions are the text, and the posts that they belong to on a forum's page.

    Posts are the text if they are the main content. A rule of the site decides before them.
    """
    if by_rule is not None:
        return by_rule, []
    posts = find_posts(evidence) if p_forum >= tuned("thread") else []
    is_forum = p_forum >= tuned("sure-thread") or is_thread(posts)
    if not is_forum or not covers_body(evidence, body.is_likely, posts):
        return body.is_body.copy(), []
    is_text = np.zeros(len(evidence.page), dtype=bool)
    is_text[[i for post in posts for i in post.text]] = True
    return is_text, posts


def _value(page: Page, choice: Choice) -> FieldValue:
    candidate = choice.candidate
    return field_at(
        page,
        sorted(candidate.regions),
        candidate.value,
        choice.confidence,
        source=candidate.source,
        raw=candidate.raw if candidate.raw != candidate.value else "",
        clock_source=candidate.clock_source,
    )


def _modified(evidence: Evidence, day: Choice | None) -> FieldValue | None:
    """Return the moment of the last change, stated or else shown, unless before publication."""
    change = next((stated for stated in evidence.stated_dates if stated.is_modified), None)
    if change is not None:
        value = FieldValue(change.value, _STATED_CONFIDENCE, None, change.source)
    elif (visible := visible_change(evidence)) is not None:
        moment, regions = visible
        raw = join_regions(evidence.page, regions)
        value = field_at(evidence.page, regions, moment, _VISIBLE_CHANGE, raw=raw)
    else:
        return None
    before, after = parse_iso(day.candidate.value) if day else None, parse_iso(value.value)
    return None if before and after and after.date() < before.date() else value


def language_tag(page: Page) -> str:
    """Return the BCP 47 tag of the language that a page states; empty if it states none."""
    tag = page.lang.strip().replace("_", "-")
    if not language_code(tag):
        return ""
    language, *others = tag.split("-")
    regions = [part.upper() if len(part) == 2 else part for part in others]
    return "-".join([language.lower(), *regions])


def _stated_article(page: Page) -> Article:
    """Return an article with the fields that a page states without rival candidates."""
    metadata = page.metadata
    images = (image for image in metadata.images if checked_address(image, page.url))
    own = (metadata.canonical, *metadata.meta.get("og:url", ()))
    addresses = (join_address(page.url, text.strip()) for text in own if text.strip())
    on_web = (x for x in addresses if x.lower().startswith(("http://", "https://")))
    return Article(
        url=page.url,
        language=_stated(language_tag(page), "lang"),
        site_name=_stated(next(iter(metadata.publishers), ""), "meta"),
        description=_stated(metadata.description, "meta"),
        main_image=_stated(next(images, ""), "meta"),
        canonical_url=next(on_web, ""),
        metadata=metadata,
    )


def _stated(value: str, source: str) -> FieldValue | None:
    line = " ".join(value.split())
    return FieldValue(line, _STATED_CONFIDENCE, None, source) if line else None


def empty_page_message(source: str, article: Article) -> str:
    """Return a warning if scripts write the content of a page, or nothing is visible; else ""."""
    verdict = article.verdict
    if verdict is None or verdict.kind != "shell":
        return ""
    return (
        f"{source}: {verdict.reason}, so there is nothing to read; if scripts write its content, "
        "use --renderer chromium --scripts, or in Python label_files(..., renderer='chromium', "
        "settings=Settings(scripts=True))"
    )


def warn_if_empty(source: str, article: Article) -> None:
    """Log a warning if scripts write the content of a page, or nothing is visible."""
    if message := empty_page_message(source, article):
        _log.warning("%s", message)


def page_record(
    source: str,
    reading: Reading,
    model: str,
    *,
    all_regions: bool = False,
    has_blocks: bool = False,
) -> PageRecord:
    """Return the record of a labelled page, as described by ``docs/label.schema.json``."""
    labelling, article = reading.labelling, reading.article
    head = page_head(source, labelling.page, model)
    record = article_record(article, has_blocks=has_blocks)
    regions = labelled_regions(labelling, all_regions=True) if all_regions else article.regions
    return {**head, **record, "regions": [region_record(region) for region in regions]}


def page_head(source: str, page: Page, model: str) -> PageRecord:
    """Return the source and address of a page, and the names of its renderer and model."""
    return {"source": source, "url": page.url, "renderer": page.renderer, "model": model}


def without_doubtful(article: Article, least: float) -> Article:
    """Return an article without the values whose confidence is below ``least``.

    The type of a page stays if it is ``unknown``, which says so by itself.
    """
    changes: dict[str, object] = {}
    for entry in fields(article):
        value = getattr(article, entry.name)
        is_doubtful = isinstance(value, FieldValue) and value.confidence < least
        if is_doubtful and value.value != _UNKNOWN_TYPE:
            changes[entry.name] = None
    authors = tuple(author for author in article.authors if author.confidence >= least)
    values = {name: value for name, value in article.values.items() if value.confidence >= least}
    return replace(article, **changes, authors=authors, values=values)  # type: ignore[arg-type]  # None or a value
