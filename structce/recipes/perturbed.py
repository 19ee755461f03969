"""Perturbed copies of the pages that a model learns from: what must not matter, changed at random.

Trees learn what is usual on the pages of a few data sets: where a date stands, how a text ends. A
copy of each page has furniture added around its article, blocks appended to its text, or its names
rewritten (:mod:`structce.evaluation.perturbations`), and gold that follows, so that nothing which
varies between the copies of a page can carry weight.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from zlib import crc32

from structce.datasets import UTF8_HTML, GoldPage, Skipped
from structce.errors import RenderError
from structce.evaluation import Perturbed, perturb
from structce.gold import TEXT, Gold

SUFFIX = ".perturbed"
"""Ending of the id of a copy."""

GROUPS: Mapping[tuple[str, ...], float] = {
    ("today before", "ticker before", "teasers before"): 0.5,
    tuple(f"{kind} appended" for kind in "code list table quote references line".split()): 0.6,
    tuple(f"{kind} between" for kind in "promo newsletter related ad".split()): 0.5,
    ("wrapped once", "wrapped twice"): 0.25,
    ("site as text", "site as link", "site as logo"): 0.3,
    ("byline removed",): 0.1,
    ("authors in JSON-LD", "authors in citation"): 0.5,
    ("title with suffix", "title with prefix"): 0.25,
    ("body invisible", "body transparent"): 0.1,
    ("comments after", "teasers after"): 0.3,
    ("classes hashed",): 0.25,
}
"""Perturbations of which a copy gets one, and the probability that it does; our choice."""

_FROM_TEXT = " appended"


def perturbed_page(page: GoldPage | Skipped, *, seed: int = 0) -> GoldPage | Skipped:
    """Return a copy of a page with perturbations drawn by its id, and with gold that follows.

    A page on which nothing can be changed is lost, and so is one with annotated nodes or blocks,
    whose places would change.
    """
    if isinstance(page, Skipped):
        return page
    if page.gold.marks or page.gold.blocks:
        return Skipped(page.id, "its annotations are tied to places", is_known=True)
    random = Random(crc32(f"{seed} {page.id}".encode()))
    html, gold = page.document().html, page.gold
    n_changes = 0
    for names, probability in GROUPS.items():
        name, is_drawn = random.choice(names), random.random() < probability
        if not is_drawn or (gold.posts and name.endswith(_FROM_TEXT)):
            continue
        try:
            changed = perturb(name, html, gold, page.url, variant=random.randrange(1, 2**32))
        except RenderError as error:
            return Skipped(page.id, str(error), is_known=True)
        if changed is not None:
            html, gold = changed.html, _followed(gold, changed)
            n_changes += 1
    if not n_changes:
        return Skipped(page.id, "nothing on it can be changed", is_known=True)
    return replace(page, data=html.encode("utf-8", "replace"), gold=gold, content_type=UTF8_HTML)


def _followed(gold: Gold, changed: Perturbed) -> Gold:
    """Return the gold with the lines and authors that a page has gained."""
    is_plain = any(kind == TEXT for kind, _ in gold.body)
    pieces = tuple(
        (TEXT if is_plain else "Subtitle" if line in changed.headings else "Paragraph", line)
        for line in changed.added
        if line.strip()
    )
    return replace(
        gold, body=gold.body + pieces, authors=tuple(dict.fromkeys(gold.authors + changed.authors))
    )
