"""Reading of articles from labelled pages: each field is its likeliest candidate."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from structce.addresses import join_address
from structce.arrays import Flags
from structce.article.agreement import agree
from structce.article.article import Article
from structce.article.body import BLOCK_COLUMNS
from structce.article.body_choice import Favour, choose_body
from structce.article.choice import (
    COLUMNS,
    Choice,
    choice_columns,
    choose,
    choose_authors,
)
from structce.article.date_candidates import shown_change
from structce.article.evidence import Evidence
from structce.article.images import checked_address
from structce.article.joining import join_regions
from structce.article.page_type import PAGE_COLUMNS, page_facts, type_probabilities
from structce.article.places import field_at, labelled_regions
from structce.article.posts import (
    PostPlaces,
    are_several,
    find_posts,
    hold_body,
    read_posts,
)
from structce.article.quality import QUALITY_COLUMNS, page_quality
from structce.article.roles import ROLE_COLUMNS, judge_roles
from structce.article.structure import body_blocks, body_text
from structce.article.tuned import tuned
from structce.article.values import Context, FieldValue
from structce.errors import ModelError
from structce.labelling import ArticleTrees, Labelling
from structce.language import language_code, parse_iso
from structce.learners import BoostedTrees
from structce.page import Page
from structce.runtime import without_collection

STATED = 0.9
"""Confidence of values without rival candidates: the language, the site's name."""

_log = logging.getLogger(__name__)
UNKNOWN_TYPE = "unknown"
"""Type of a page of which no type is likelier than all others together."""

_KNOWN_TYPE = 0.5
_LEAST = 0.05  # least probability of a value
_SHOWN_CHANGE = 0.75  # confidence of a change that is shown; see benchmarks/context.py
_ADDRESS_KEYS = ("og:url",)


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
    """Return the article of a labelled page; see :func:`read_labelling`."""
    return read_labelling(labelling, favour=favour, context=context).article


def read_labelling(
    labelling: Labelling, *, favour: Favour = "balance", context: bool = False
) -> Reading:
    """Return the article of a labelled page, and its labels, made consistent with each other.

    The trees are those of the page's labeller; see :class:`ArticleReader`.

    Raises
    ------
    ModelError
        If the model's trees have columns that this release does not compute.
    """
    labeller = labelling.labeller
    reader = ArticleReader() if labeller is None else _reader_of(labeller.trees)
    return reader.read(labelling, favour=favour, context=context)


class ArticleReader:
    """Reader of articles from labelled pages.

    The candidates of a field are the regions in which its label is likely, and all values that the
    page's metadata state. Trees choose among them and estimate the confidence; without trees a rule
    does. See :mod:`structce.article.choice`. Regions then get the roles that the whole page
    suggests, see :mod:`structce.article.roles`, and the labels of the values that were chosen from
    them, see :mod:`structce.article.agreement`.

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
        self, labelling: Labelling, *, favour: Favour = "balance", context: bool = False
    ) -> Reading:
        """Return the article of a page, and its labels, made consistent with each other.

        Parameters
        ----------
        favour
            Whether the text should rather contain nothing foreign (``precision``) or miss nothing
            (``recall``).
        context
            Whether access, next page, comments and items are read as well.
        """
        trees, evidence = self.trees, evidence_of(labelling)
        facts = page_facts(evidence) if trees else {}
        title, day = (_likely(choose(field, evidence, trees, facts)) for field in ("title", "date"))
        authors = choose_authors(evidence, trees, facts)
        kinds = type_probabilities(facts, trees.page_types)
        body = choose_body(evidence, trees, favour, types=kinds)
        places = _thread(evidence, body.is_likely, kinds.get("forum", 0.0))
        is_body = _without_title(_with_posts(body.is_body, places), title)
        judged = judge_roles(labelling, evidence, body.columns, is_body, trees)
        agreed = agree(judged, evidence_of(judged).marginals, title=title, day=day, authors=authors)
        page, metadata = labelling.page, labelling.page.metadata
        blocks = body_blocks(page, is_body, agreed.labels, body.confidence)
        kind = max(kinds.items(), key=lambda pair: pair[1], default=None)
        known = kind and (kind[0] if kind[1] >= _KNOWN_TYPE else UNKNOWN_TYPE)
        article = Article(
            url=page.url,
            title=_value(page, title),
            authors=tuple(author for choice in authors if (author := _value(page, choice))),
            date=_value(page, day),
            text=body_text(blocks),
            modified=_modified(evidence, day),
            language=_stated(language_tag(page), "lang"),
            page_type=FieldValue(known, kind[1], None, "page") if kind and known else None,
            blocks=blocks,
            posts=read_posts(evidence, places),
            context=_context(evidence, is_body, kind[0] if kind else "") if context else None,
            quality=page_quality(evidence, body.p, facts, trees.quality),
            site_name=_stated(next(iter(metadata.publishers), ""), "meta"),
            description=_stated(metadata.description, "meta"),
            main_image=_stated(_main_image(page), "meta"),
            canonical_url=_canonical(page),
            regions=labelled_regions(agreed),
            metadata=metadata,
        )
        return Reading(article, agreed, labelling)


def _context(evidence: Evidence, is_body: Flags, page_type: str) -> Context:
    from structce.article.context import read_context  # late: most pages are read without

    return read_context(evidence, is_body, page_type)


@lru_cache(maxsize=4)  # a comparison of models reads each page by all of them
def _reader_of(trees: ArticleTrees) -> ArticleReader:
    return ArticleReader(trees)


def _columns_of(trees: ArticleTrees) -> Iterator[tuple[str, BoostedTrees, Sequence[str]]]:
    """Yield what each ensemble judges, the ensemble, and the columns that are computed for it."""
    for field, columns in COLUMNS.items():
        if own := trees.candidates.get(field):
            yield field, own, columns
        if own := trees.choices.get(field):
            yield f"the choice of {field}", own, choice_columns(field)
    if trees.body is not None:
        yield "the body", trees.body, BLOCK_COLUMNS
    for label, own in trees.roles.items():
        yield f"the role {label}", own, ROLE_COLUMNS
    for kind, own in trees.page_types.items():
        yield f"the page type {kind}", own, PAGE_COLUMNS
    if trees.quality is not None:
        yield "the quality", trees.quality, QUALITY_COLUMNS


def _thread(evidence: Evidence, is_likely: Flags, forum: float) -> list[PostPlaces]:
    """Return the posts of a page that is a forum if they are its main content; else none."""
    posts = find_posts(evidence) if forum >= tuned("thread") else []
    is_thread = forum >= tuned("sure-thread") or are_several(posts)
    return posts if is_thread and hold_body(evidence, is_likely, posts) else []


def _with_posts(is_body: Flags, posts: Sequence[PostPlaces]) -> Flags:
    """Return the regions of the posts' texts if there are posts, otherwise those of the body."""
    if not posts:
        return is_body
    in_posts = np.zeros_like(is_body)
    in_posts[[i for post in posts for i in post.text]] = True
    return in_posts


def _without_title(is_body: Flags, title: Choice | None) -> Flags:
    """Return the regions of the body without those of the title, which is a field of its own."""
    if title is None or not title.candidate.regions:
        return is_body
    others = is_body.copy()
    others[list(title.candidate.regions)] = False
    return others


def evidence_of(labelling: Labelling) -> Evidence:
    """Return the evidence of a labelling; without marginals, labels count by their confidence."""
    marginals = labelling.marginals
    if marginals is None:
        places = labelling.label_set.encode(labelling.labels)
        marginals = np.zeros((len(places), len(labelling.label_set)))
        marginals[np.arange(len(places)), places] = labelling.confidence
    return Evidence(labelling.page, marginals, labelling.label_set.names)


def _likely(choice: Choice | None) -> Choice | None:
    return None if choice is None or choice.confidence < _LEAST else choice


def _value(page: Page, choice: Choice | None) -> FieldValue | None:
    """Return a choice with its place."""
    if choice is None:
        return None
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
    stated = (statement for statement in evidence.stated_dates if statement.is_modified)
    change = next(stated, None)
    if change is not None:
        value = FieldValue(change.value, STATED, None, change.source)
    elif (shown := shown_change(evidence)) is not None:
        moment, regions = shown
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


def warn_of_nothing(source: str, page: Page) -> None:
    """Log a warning if nothing on a page is visible, so that its article is empty."""
    if not len(page):
        _log.warning(
            "%s: nothing is visible on the page, so there is nothing to read; if scripts write its "
            "content, use --renderer chromium --scripts",
            source,
        )


def _main_image(page: Page) -> str:
    """Return the first stated image with a web or relative address; empty if none."""
    stated = (image for image in page.metadata.images if checked_address(image, page.url))
    return next(stated, "")


def _canonical(page: Page) -> str:
    """Return the absolute web address that a page states as its own; empty if none."""
    shared = (text for key in _ADDRESS_KEYS for text in page.metadata.meta.get(key, ()))
    for text in (page.metadata.canonical, *shared):
        address = join_address(page.url, text.strip())
        if address.lower().startswith(("http://", "https://")) and text.strip():
            return address
    return ""
