"""A page with what is known of it: labels, gold values, and where they were found."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from structce.errors import LabelError
from structce.files import to_json
from structce.gold import Gold, Match
from structce.labels import UNKNOWN, LabelSet
from structce.page import Page


@dataclass(frozen=True, eq=False)
class LabelledPage:
    """A page with one label name a region.

    Parameters
    ----------
    id
        Name of the page in its corpus; also its file name.
    site
        Registrable domain of the publisher.
    family
        Sites that share a page template have one family; splits keep it whole.
    labels
        One name a region, in the order of the regions; ``UNKNOWN`` where nobody knows it.
    gold
        What the data set says of the page; nothing for one labelled region by region.
    matches
        Where each value of the gold was found.
    """

    id: str
    site: str
    family: str
    page: Page
    labels: tuple[str, ...]
    gold: Gold = field(default_factory=Gold)
    matches: tuple[Match, ...] = ()

    def __post_init__(self) -> None:
        if len(self.labels) != len(self.page):
            raise LabelError(f"{self.id}: {len(self.labels)} labels for {len(self.page)} regions")

    @property
    def n_known(self) -> int:
        """Number of regions whose label is known."""
        return len(self.labels) - self.labels.count(UNKNOWN)

    @property
    def digest(self) -> str:
        """SHA-256 over identity, addresses, texts and labels of the regions."""
        total = hashlib.sha256(to_json([self.id, self.site, self.family, self.page.renderer]))
        total.update(to_json([self.page.xpath, self.page.text, self.labels], indent=None))
        return total.hexdigest()

    def named(self, background: str) -> dict[str, str]:
        """Return label by XPath of every region that is not background."""
        pairs = zip(self.page.xpath, self.labels, strict=True)
        return {xpath: label for xpath, label in pairs if label != background}


def attach_labels(
    page: Page, named: Mapping[str, str], label_set: LabelSet, name: str
) -> tuple[str, ...]:
    """Return one label a region from labels by XPath; the rest is background.

    Raises
    ------
    LabelError
        If a label stands on no region, or is neither of the set nor ``UNKNOWN``.
    """
    for label in named.values():
        if label != UNKNOWN:
            label_set.index(label)
    if lost := set(named) - set(page.xpath):
        raise LabelError(f"{name}: {len(lost)} labels on no region, such as {sorted(lost)[0]}")
    return tuple(named.get(xpath, label_set.background) for xpath in page.xpath)
