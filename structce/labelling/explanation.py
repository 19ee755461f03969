"""Explanations of labels and of models, as numbers with names and in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np

from structce.errors import LearnerError
from structce.labels import LabelSet
from structce.language import printable
from structce.learners import (
    Features,
    GreedySVM,
    Learner,
    LinearChain,
    LinearLearner,
    attribute_label,
    find_counterfactual,
)
from structce.page import Region

_MAX_COLUMNS = 6  # columns named in one sentence, about as many as fit on a line
_MAX_CHANGES = 3  # regions named whose labels would change

_NEGLIGIBLE = 0.01
"""Weights below this part of the largest are left out: they show as zero and hardly decide."""

Weights = list[tuple[str, float]]
"""Columns and their weights for a label (dimensionless), strongest first."""


@dataclass(frozen=True)
class Share:
    """A contribution to the scores of two labels (dimensionless).

    A column has the region's ``value``. Another region has ``labels``: its label with the chosen
    label here, and with the runner-up here; None if the share does not belong to a single region.
    """

    name: str  # of a column or of a part of the context: ``previous region``
    chosen: float  # what it adds to the score of the chosen label
    runner_up: float
    value: float | None = None
    labels: tuple[str, str] | None = None

    @property
    def difference(self) -> float:
        """Amount that it adds to the margin; below 0 it favours the runner-up."""
        return self.chosen - self.runner_up

    def as_dict(self, *others: str) -> dict[str, object]:
        """Return the share as JSON values, ``value`` and ``labels`` only if they are asked for."""
        names = ("name", "chosen", "runner_up", *others, "difference")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True)
class LabelChange:
    """Change of the label of a region, given by its index: from ``label`` to ``instead``."""

    region: int
    label: str
    instead: str


@dataclass(frozen=True)
class Explanation:
    """Why a region has its label and not the runner-up, and what would change it.

    The score of a label at a region is that of the best labelling of the whole page, among those
    that the learner's decoding allows, with this label there; scores are dimensionless.

    Parameters
    ----------
    label, runner_up
        The labels with the highest and the second highest score.
    confidence
        Probability of the label according to the learner, in [0, 1].
    margin
        Score of the label less that of the runner-up. The differences of `columns`, `others`
        and `context` add up to it.
    columns, others, n_others
        The region's columns with the greatest absolute differences, greatest first; sum and number
        of its other columns.
    context
        Contributions of other regions. For chains: the transitions from the region before and to
        the next one, and the rest of the page, which contributes if neighbours would take other
        labels with the runner-up. For the greedy SVM: each earlier label that it sees. Empty for
        the multi-class SVM. For boosted trees also their scores before any column.
    changes
        The labels that other regions would take if this one had the runner-up.
    flip, flipped_to
        The smallest set of the region's columns without which its label is different, found by
        labelling the page again, and that label; empty and None if none was found. For boosted
        trees not every set is tried.
    """

    region: int
    text: str
    xpath: str
    label: str
    runner_up: str
    confidence: float
    margin: float
    columns: tuple[Share, ...]
    others: Share
    n_others: int
    context: tuple[Share, ...]
    changes: tuple[LabelChange, ...]
    flip: tuple[str, ...]
    flipped_to: str | None

    @property
    def shares(self) -> tuple[Share, ...]:
        """All shares of the margin: columns, other columns if there are any, context."""
        others = (self.others,) if self.n_others else ()
        return (*self.columns, *others, *self.context)

    @property
    def near_shares(self) -> tuple[Share, ...]:
        """Shares except that of the rest of the page, which may be many times larger."""
        far = {id(share) for share in self.context if share.labels is None}
        return tuple(share for share in self.shares if id(share) not in far)

    @property
    def sentence(self) -> str:
        """Changes that would alter the label, in words."""
        if self.flip:
            return f"Without {_listed(self.flip)} it would be {self.flipped_to}."
        return "No set of its own columns is known to change the label."

    def as_dict(self) -> dict[str, object]:
        """Return the explanation as JSON values, with each difference and the sentence."""
        shares = {
            "columns": [share.as_dict("value") for share in self.columns],
            "others": self.others.as_dict(),
            "context": [share.as_dict("labels") for share in self.context],
        }
        return {**asdict(self), **shares, "sentence": self.sentence}


def explain_region(
    learner: Learner,
    matrix: Features,
    region: Region,
    confidence: float,
    *,
    columns: Sequence[str],
    label_set: LabelSet,
    n_columns: int = 10,
) -> Explanation:
    """Return the explanation of the label that a fitted learner assigns to a region.

    The matrix is the encoded page, ``columns`` their names, of which ``n_columns`` are listed.
    Raises LearnerError if there is only one label, or the learner is of an unknown kind.
    """
    reasons = attribute_label(learner, matrix, region.index)
    flip, flipped_to = find_counterfactual(learner, matrix, region.index, reasons)
    pair = reasons.contributions[:, [reasons.chosen, reasons.runner_up]]
    order = np.argsort(-np.abs(pair[:, 0] - pair[:, 1]), kind="stable")  # on a tie, of columns
    listed, rest = order[:n_columns].tolist(), pair[order[n_columns:]].sum(axis=0).tolist()
    shares = tuple(
        Share(columns[reasons.columns[k]], float(ours), float(theirs), float(reasons.values[k]))
        for k, (ours, theirs) in zip(listed, pair[listed], strict=True)
    )
    names, present = label_set.names, label_set.decode(reasons.labels)
    context = []
    for offset, beside, scores in reasons.terms:
        labels = None if beside is None else (names[beside[0]], names[beside[1]])
        context.append(Share(_context_name(offset), *scores, labels=labels))
    changes = tuple(LabelChange(at, present[at], names[other]) for at, other in reasons.flips)
    return Explanation(
        region=region.index,
        text=region.text,
        xpath=region.xpath,
        label=names[reasons.chosen],
        runner_up=names[reasons.runner_up],
        confidence=confidence,
        margin=reasons.margin,
        columns=shares,
        others=Share("other columns", *rest),
        n_others=len(reasons.columns) - len(shares),
        context=tuple(context),
        changes=changes,
        flip=tuple(columns[column] for column in flip),
        flipped_to=None if flipped_to is None else names[flipped_to],
    )


def _context_name(offset: int | None) -> str:
    if offset is None:
        return "rest of the page"
    near = {-1: "previous region", 0: "before any column", 1: "next region"}
    return near.get(offset, f"{abs(offset)} regions {'before' if offset < 0 else 'after'}")


def share_name(share: Share, whole: Explanation, columns: int | None = None) -> str:
    """Return the display name of a share: its column, or its context with the labels there.

    Names of columns longer than ``columns`` text columns are cut.
    """
    if share.value is not None:
        return printable(share.name, columns, tail=8)
    if share.labels is None:
        return f"{whole.n_others} {share.name}" if share is whole.others else share.name
    chosen, runner_up = share.labels
    other = "" if chosen == runner_up else f", beside {whole.runner_up}: {runner_up}"
    return f"{share.name}: {chosen}{other}"


def changes_sentence(whole: Explanation) -> str:
    """Return what else would change if the region had the runner-up's label; empty if nothing."""
    if not whole.changes:
        return ""
    named = [
        f"region {change.region} {change.instead} instead of {change.label}"
        for change in whole.changes[:_MAX_CHANGES]
    ]
    more = len(whole.changes) - len(named)
    rest = f", and {more} more would change" if more else ""
    return f"Beside {whole.runner_up}, the best labels elsewhere are: {', '.join(named)}{rest}."


def answer_sentence(label: str, answer: str) -> str:
    """Return what became of the labeller's label in the answer; empty if both are the same."""
    if answer == label:
        return ""
    return (
        f"The answer has {answer} here: its regions agree with the article, and paragraphs, "
        "headings and background are judged in the whole page."
    )


def format_signed(value: float, largest: float, digits: int = 2) -> str:
    """Return a number with its sign, rounded so that the largest number shows `digits` digits.

    A number that rounds to zero is ``0``, without a sign.

    >>> format_signed(0.1234, 0.29), format_signed(-0.001, 0.29), format_signed(1234.5, 1234.5)
    ('+0.12', '0', '+1234')
    """
    decimals = digits if largest <= 0 else max(0, digits - 1 - math.floor(math.log10(largest)))
    text = f"{value:+.{decimals}f}"
    return text if any(digit in "123456789" for digit in text) else "0"


def _listed(names: Sequence[str]) -> str:
    if len(names) > _MAX_COLUMNS:
        names = [*names[:_MAX_COLUMNS], f"{len(names) - _MAX_COLUMNS} more columns"]
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


class ModelView(NamedTuple):
    """Strongest weights of a fitted model, as JSON values.

    The ``columns`` of each label are ``for`` it those with the highest weights above 0, ``against``
    it those with the lowest below 0. ``transitions[a][b]`` scores label ``b`` right after label
    ``a``: for chains the transitions, for the greedy SVM the context of one region before; None if
    regions are labelled independently. ``distances`` are for the greedy SVM the sums of absolute
    weights of each distance, from 1; else empty.
    """

    columns: dict[str, dict[str, Weights]]
    transitions: dict[str, dict[str, float]] | None
    distances: list[float]


def view_model(
    learner: Learner,
    columns: Sequence[str],
    label_set: LabelSet,
    *,
    label: str | None = None,
    n_columns: int = 5,
) -> ModelView:
    """Return the strongest columns of a label, or of all, and the transitions of a fitted learner.

    ``columns`` are the names of the learner's columns; at most ``n_columns`` are for, and as many
    against, each label. Raises LabelError if there is no such label; LearnerError if the learner is
    a network, whose columns have no weight of their own for a label.
    """
    if not isinstance(learner, LinearLearner):
        raise LearnerError(f"a {learner.name} has no weights of columns for labels to show")
    names = label_set.names
    chosen = names if label is None else (names[label_set.index(label)],)
    least = _NEGLIGIBLE * float(np.abs(learner.emissions_).max(initial=0.0))

    def strongest(name: str, sign: int) -> Weights:
        weights = learner.emissions_[:, label_set.index(name)]
        order = np.argsort(-sign * weights, kind="stable")[:n_columns]
        return [(columns[k], float(weights[k])) for k in order if sign * weights[k] > least]

    steps, distances = None, list[float]()
    if isinstance(learner, LinearChain):
        steps = learner.transitions_.tolist()
    elif isinstance(learner, GreedySVM) and len(learner.context_weights_):
        steps = learner.context_weights_[0].tolist()
        distances = np.abs(learner.context_weights_).sum(axis=(1, 2)).tolist()
    transitions = steps and {
        name: dict(zip(names, row, strict=True)) for name, row in zip(names, steps, strict=True)
    }
    sides = {name: {"for": strongest(name, 1), "against": strongest(name, -1)} for name in chosen}
    return ModelView(sides, transitions, distances)
