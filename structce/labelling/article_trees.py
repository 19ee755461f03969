"""Trees with which a model reads the article of a page that its learner has labelled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from structce.learners import BoostedTrees

_MARKS = {
    "roles": ("role-", ""), "page_types": ("type-", ""), "choices": ("", "-sure"),
    "candidates": ("", ""),
}  # fmt: skip
"""Beginning and end of the stored names of each kind of trees; the last takes all others."""


@dataclass(frozen=True, eq=False)
class ArticleTrees:
    """Ensembles of boosted trees by what they judge; a model may lack any of them.

    Parameters
    ----------
    candidates
        By field (``title``, ``authors``, ``date``): whether a candidate is right.
    choices
        By field: whether the chosen candidate is right, given its rivals and its page.
    body
        Whether a block is part of the body.
    roles
        By label (``Paragraph``, ``Subtitle``, ``None``): whether a region has this role.
    page_types
        By type, such as ``article``: whether a page is of this type.
    quality
        Whether the body of a page was read well.
    """

    candidates: Mapping[str, BoostedTrees] = field(default_factory=dict)
    choices: Mapping[str, BoostedTrees] = field(default_factory=dict)
    body: BoostedTrees | None = None
    roles: Mapping[str, BoostedTrees] = field(default_factory=dict)
    page_types: Mapping[str, BoostedTrees] = field(default_factory=dict)
    quality: BoostedTrees | None = None

    def __bool__(self) -> bool:
        return bool(self.stored())

    def stored(self) -> dict[str, BoostedTrees]:
        """Return all ensembles by the names that they have in a model's files."""
        named = {
            f"{before}{name}{after}": trees
            for kind, (before, after) in _MARKS.items()
            for name, trees in getattr(self, kind).items()
        }
        single = {"body": self.body, "quality": self.quality}
        return named | {name: trees for name, trees in single.items() if trees is not None}

    @classmethod
    def of_stored(cls, ensembles: Mapping[str, BoostedTrees]) -> Self:
        """Return the ensembles of a model's files; the inverse of :meth:`stored`."""
        rest, kinds = dict(ensembles), dict[str, dict[str, BoostedTrees]]()
        single = {name: rest.pop(name, None) for name in ("body", "quality")}
        for kind, (before, after) in _MARKS.items():
            names = [name for name in rest if name.startswith(before) and name.endswith(after)]
            kinds[kind] = {
                name.removeprefix(before).removesuffix(after): rest.pop(name) for name in names
            }
        return cls(**kinds, **single)  # type: ignore[arg-type]
