"""Pages that grow: the same head, and one article after the other below it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from structce.page import Page
from structce.rendering.document import Document
from structce.rendering.static import StaticRenderer
from structce.synthetic.generate import synthesise

FACTORS = (1, 2, 4, 8)
_BODY = re.compile("<body[^>]*>(.*)</body>", re.DOTALL)


def growing_pages(
    n_sites: int, *, seed: int, factors: Sequence[int] = FACTORS
) -> dict[int, list[Page]]:
    """Return invented pages by how many bodies each holds, one a site, without a browser.

    The bodies of a page are those of one site, so its structure repeats and its words do not.
    """
    found: dict[int, list[Page]] = {factor: [] for factor in factors}
    drawn = synthesise(n_sites, max(factors), seed=seed)
    for site, pages in groupby(drawn, key=lambda page: page.site):
        htmls = [page.html for page in pages]
        for factor in factors:
            document = Document(joined(htmls[:factor]), url=f"https://{site}/", name=site)
            found[factor].append(StaticRenderer().render(document))
    return found


def joined(htmls: Sequence[str]) -> str:
    """Return the first document with what the bodies of all hold."""
    bodies = [body for html in htmls for body in _BODY.findall(html)]
    first = htmls[0]
    start, end = first.index(bodies[0]), first.rindex("</body>")
    return first[:start] + "".join(bodies) + first[end:]
