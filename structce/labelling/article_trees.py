"""Trees with which a model reads the article of a page that its learner has labelled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from structce.learners import BoostedTrees

_CHOICE, _ROLE, _PAGE_TYPE = "-sure", "role-", "type-"  # marks of stored names


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
        ensembles: dict[str, BoostedTrees] = {}
        for name in dict.fromkeys((*self.candidates, *self.choices)):
            if name in self.candidates:
                ensembles[name] = self.candidates[name]
            if name in self.choices:
                ensembles[f"{name}{_CHOICE}"] = self.choices[name]
        if self.body is not None:
            ensembles["body"] = self.body
        ensembles |= {f"{_ROLE}{label}": trees for label, trees in self.roles.items()}
        ensembles |= {f"{_PAGE_TYPE}{kind}": trees for kind, trees in self.page_types.items()}
        if self.quality is not None:
            ensembles["quality"] = self.quality
        return ensembles

    @classmethod
    def of_stored(cls, ensembles: Mapping[str, BoostedTrees]) -> Self:
        """Return the ensembles of a model's files; the inverse of :meth:`stored`."""
        candidates, choices, roles, page_types = {}, {}, {}, {}
        for name, trees in ensembles.items():
            if name.startswith(_ROLE):
                roles[name.removeprefix(_ROLE)] = trees
            elif name.startswith(_PAGE_TYPE):
                page_types[name.removeprefix(_PAGE_TYPE)] = trees
            elif name.endswith(_CHOICE):
                choices[name.removesuffix(_CHOICE)] = trees
            elif name not in ("body", "quality"):
                candidates[name] = trees
        body, quality = ensembles.get("body"), ensembles.get("quality")
        return cls(candidates, choices, body, roles, page_types, quality)
