"""Reading of articles from labelled pages: each field is its likeliest candidate.

The records of pages as JSON values are here, too; commands and the service return the same.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from structce.addresses import join_address
from structce.arrays import Flags
from structce.article.article import Article
from structce.article.body import BLOCK_COLUMNS
from structce.article.body_choice import Favour, choose_body
from structce.article.candidates import shown_change
from structce.article.choice import (
    COLUMNS,
    Choice,
    choice_columns,
    choose,
    choose_authors,
)
from structce.article.evidence import Evidence
from structce.article.images import checked_address
from structce.article.page_type import (
    PAGE_COLUMNS,
    QUALITY_COLUMNS,
    page_facts,
    page_quality,
    type_probabilities,
)
from structce.article.posts import (
    PostRegions,
    covers_body,
    find_posts,
    is_thread,
    read_posts,
)
from structce.article.record import article_record, region_record
from structce.article.regions import field_at, join_regions, labelled_regions
from structce.article.risk import risk_table
from structce.article.roles import ROLE_COLUMNS, agree, judge_roles
from structce.article.site_rules import SiteRules
from structce.article.structure import body_blocks, body_text
from structce.article.tuned import tuned
from structce.article.values import FieldValue
from structce.article.verdict import judged
from structce.errors import ModelError
from structce.labelling import ArticleTrees, Labelling
from structce.labels import LabelSet
from structce.language import language_code, parse_iso
from structce.learners import BoostedTrees
from structce.page import Page
from structce.runtime import without_collection

if TYPE_CHECKING:
    from structce.labelling import Explanation

STATED = 0.9
"""Confidence of values without rival candidates: the language, the site's name."""

PageRecord = dict[str, object]
"""One page as JSON values; with ``error`` instead of the fields where labelling failed."""

UNKNOWN_TYPE = "unknown"
"""Type of a page of which no type is likelier than all others together."""

_KNOWN_TYPE = 0.5
_SHOWN_CHANGE = 0.75  # confidence of a change that is shown
_EXPLAINED_LABEL = "Title"
_BACKGROUND = LabelSet(("None",), background="None")
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Reading:
    """The article of a page, and the page's labels, made consistent with it.

    ``initial`` are the labels of the labeller alone, which can be explained.
    """

    article: Article
    labelling: Labelling
    initial: Labelling


def read_article(
    labelling: Labelling, *, favour: Favour = "balance", context: bool = False
) -> Article:
    """Return the article of a labelled page; see :meth:`ArticleReader.read`."""
    return read_labelling(labelling, favour=favour, context=context).article


def read_labelling(
    labelling: Labelling,
    *,
    favour: Favour = "balance",
    context: bool = False,
    html: str = "",
    rules: Sequence[SiteRules] = (),
) -> Reading:
    """Return the article of a labelled page and its labels, by the trees of the page's labeller.

    See :class:`ArticleReader`.
    """
    labeller = labelling.labeller
    reader = ArticleReader() if labeller is None else _reader_of(labeller.trees)
    return reader.read(labelling, favour=favour, context=context, html=html, rules=rules)


class ArticleReader:
    """Reader of articles from labelled pages.

    The candidates of a field are the regions in which its label is likely, and all values that the
    page's metadata state. Trees choose among them and estimate the confidence; without trees a rule
    does. See :mod:`structce.article.choice`. Regions then get the roles that the whole page
    suggests, see :mod:`structce.article.roles`, and the labels of the values that were chosen from
    them.

    Parameters
    ----------
    trees
        Trees of a model; what they lack is decided by rule or left out.

    Raises
    ------
    ModelError
        If trees have columns that this release does not compute.
    """

    def __init__(self, trees: ArticleTrees | None = None) -> None:
        self.trees = trees or ArticleTrees()
        for subject, ensemble, columns in _columns_of(self.trees):
            if missing := set(ensemble.names).difference(columns):
                raise ModelError(
                    f"the trees of {subject} in this model expect the column {min(missing)!r}, "
                    "which this release of structce does not compute. Train the model again"
                )

    @without_collection
    def read(
        self,
        labelling: Labelling,
        *,
        favour: Favour = "balance",
        context: bool = False,
        html: str = "",
        rules: Sequence[SiteRules] = (),
    ) -> Reading:
        """Return the article of a page, and its labels, made consistent with each other.

        Parameters
        ----------
        favour
            Whether the text should rather contain nothing foreign (``precision``) or miss nothing
            (``recall``).
        context
            Whether access, next page, comments and items are read as well.
        html
            Source of the page, in whose data the text is looked for if the page shows none.
        rules
            Rules of sites; the first for the page's address decide before the trees.
        """
        trees, evidence, page = self.trees, evidence_of(labelling), labelling.page
        facts = page_facts(evidence) if trees else {}
        site = next((site for site in rules if site.apply_to(page.url)), SiteRules())
        title, day = (
            next(iter(site.choices(evidence, field)), None) or choose(field, evidence, trees, facts)
            for field in ("title", "date")
        )
        authors = site.choices(evidence, "authors") or choose_authors(evidence, trees, facts)
        types = type_probabilities(facts, trees.page_types)
        body = choose_body(evidence, trees, favour, types=types)
        thread = _thread(evidence, body.is_likely, types.get("forum", 0.0))
        is_body = body.is_body.copy()
        if (is_inside := site.body(page)) is not None:
            thread, is_body = [], is_inside
        if thread:  # the text is that of the posts
            is_body[:] = False
            is_body[[i for post in thread for i in post.text]] = True
        if title is not None:  # a field of its own
            is_body[list(title.candidate.regions)] = False
        by_role = judge_roles(labelling, evidence, body.columns, is_body, trees)
        marginals = evidence_of(by_role).marginals
        agreed = agree(by_role, marginals, title=title, day=day, authors=authors)
        kind, p_kind = max(types.items(), key=lambda pair: pair[1], default=("", 0.0))
        surroundings = None
        if context:
            from structce.article.context import read_context  # late: few pages are read with it

            surroundings = read_context(evidence, is_body, kind)
        blocks = body_blocks(page, is_body, agreed.labels, body.confidence)
        text = body_text(blocks)
        type_name = kind if p_kind >= _KNOWN_TYPE else UNKNOWN_TYPE
        metadata = page.metadata
        images = (image for image in metadata.images if checked_address(image, page.url))
        article = Article(
            url=page.url,
            title=_value(page, title) if title else None,
            authors=tuple(_value(page, author) for author in authors),
            date=_value(page, day) if day else None,
            text=text,
            modified=_modified(evidence, day),
            language=_stated(language_tag(page), "lang"),
            page_type=FieldValue(type_name, p_kind, None, "page") if kind else None,
            blocks=blocks,
            posts=read_posts(evidence, thread),
            context=surroundings,
            quality=page_quality(evidence, body.p, facts, text, trees.quality),
            site_name=_stated(next(iter(metadata.publishers), ""), "meta"),
            description=_stated(metadata.description, "meta"),
            main_image=_stated(next(images, ""), "meta"),
            canonical_url=_canonical(page),
            regions=labelled_regions(agreed),
            values={name: _value(page, chosen) for name, chosen in site.others(evidence).items()},
            metadata=metadata,
        )
        table = risk_table(labelling.labeller.card) if labelling.labeller else {}
        return Reading(judged(article, evidence, html, table), agreed, labelling)


@lru_cache(maxsize=4)  # a comparison of models reads each page by all of them
def _reader_of(trees: ArticleTrees) -> ArticleReader:
    return ArticleReader(trees)


def _columns_of(trees: ArticleTrees) -> Iterator[tuple[str, BoostedTrees, Sequence[str]]]:
    """Yield what each ensemble judges, the ensemble, and the columns that are computed for it."""
    for field, columns in COLUMNS.items():
        if ensemble := trees.candidates.get(field):
            yield field, ensemble, columns
        if ensemble := trees.choices.get(field):
            yield f"the choice of {field}", ensemble, choice_columns(field)
    for label, ensemble in trees.roles.items():
        yield f"the role {label}", ensemble, ROLE_COLUMNS
    for kind, ensemble in trees.page_types.items():
        yield f"the page type {kind}", ensemble, PAGE_COLUMNS
    if trees.body is not None:
        yield "the body", trees.body, BLOCK_COLUMNS
    if trees.quality is not None:
        yield "the quality", trees.quality, QUALITY_COLUMNS


def _thread(evidence: Evidence, is_likely: Flags, forum: float) -> list[PostRegions]:
    """Return the posts of a page that is a forum if they are its main content; else none."""
    posts = find_posts(evidence) if forum >= tuned("thread") else []
    is_forum = forum >= tuned("sure-thread") or is_thread(posts)
    return posts if is_forum and covers_body(evidence, is_likely, posts) else []


def evidence_of(labelling: Labelling) -> Evidence:
    """Return the evidence of a labelling; without marginals, labels count by their confidence."""
    marginals = labelling.marginals
    if marginals is None:
        codes = labelling.label_set.encode(labelling.labels)
        marginals = np.zeros((len(codes), len(labelling.label_set)))
        marginals[np.arange(len(codes)), codes] = labelling.confidence
    return Evidence(labelling.page, marginals, labelling.label_set.names)


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
    changes = (statement for statement in evidence.stated_dates if statement.is_modified)
    change = next(changes, None)
    if change is not None:
        value = FieldValue(change.value, STATED, None, change.source)
    elif (visible := shown_change(evidence)) is not None:
        moment, regions = visible
        raw = join_regions(evidence.page, regions)
        value = field_at(evidence.page, regions, moment, _SHOWN_CHANGE, raw=raw)
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


def _stated(value: str, source: str) -> FieldValue | None:
    line = " ".join(value.split())
    return FieldValue(line, STATED, None, source) if line else None


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


def _canonical(page: Page) -> str:
    for text in (page.metadata.canonical, *page.metadata.meta.get("og:url", ())):
        address = join_address(page.url, text.strip())
        if address.lower().startswith(("http://", "https://")) and text.strip():
            return address
    return ""


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
        if is_doubtful and value.value != UNKNOWN_TYPE:
            changes[entry.name] = None
    authors = tuple(author for author in article.authors if author.confidence >= least)
    values = {name: value for name, value in article.values.items() if value.confidence >= least}
    return replace(article, **changes, authors=authors, values=values)  # type: ignore[arg-type]  # None or a value


def unlabelled_regions(page: Page) -> list[PageRecord]:
    """Return the regions of a page without labels, with their tags."""
    names = ("None",) * len(page)
    labelling = Labelling(page, names, np.zeros(len(page)), _BACKGROUND)
    records = map(region_record, labelled_regions(labelling, all_regions=True))
    field_names = ("text", "xpath", "span", "box")
    return [
        {"index": i, "tag": page.tag[i], **{name: record[name] for name in field_names}}
        for i, record in enumerate(records)
    ]


class ExplainedRegion(NamedTuple):
    """Explanation of a region's label, and the label that the article reader finally gave it."""

    explanation: Explanation
    answer: str

    def as_dict(self) -> PageRecord:
        """Return both as JSON values."""
        return {**self.explanation.as_dict(), "answer": self.answer}


def explain_regions(
    reading: Reading, regions: Sequence[int], label: str, *, n_columns: int
) -> list[ExplainedRegion]:
    """Return explanations of the labels that the labeller gave to regions.

    Regions are given by their indices; none means all regions whose final label is ``label``.

    Raises
    ------
    RegionError
        If the page has no such region.
    """
    answer = reading.labelling.labels
    chosen = regions or [i for i, name in enumerate(answer) if name == label]
    explain = partial(reading.initial.explain, n_columns=n_columns)
    return [ExplainedRegion(explain(i), answer[i]) for i in chosen]


def explained_label(label_set: LabelSet) -> str:
    """Return the label that is explained by default: the title, or the first of the set."""
    return _EXPLAINED_LABEL if _EXPLAINED_LABEL in label_set.names else label_set.foreground[0]
