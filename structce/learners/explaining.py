"""Why a region has its label and not the runner-up, and what would change it, in scores.

A label's reach at a region is the score of the best labelling of the page that gives the region
this label: the emissions of the region's columns plus what other regions bring, which does not
depend on these columns. The label of the greatest reach is the one that decoding gives, and its
lead over the second is a sum of parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from structce.errors import LearnerError
from structce.learners.arrays import Features, Floats, Labels, Rows
from structce.learners.base import Learner
from structce.learners.checks import check_pages
from structce.learners.leads import smallest_sets
from structce.learners.surroundings import Change, Term, surroundings_of


@dataclass(frozen=True, eq=False)
class Reasons:
    """Why a region has its label: the parts of each label's reach.

    Parameters
    ----------
    labels : shape (n_regions,)
        Of the page, as the learner gives them.
    chosen, runner_up
        Label of the region, and the label of the second greatest reach; a tie goes to the lower.
    reach : shape (n_labels,)
    columns, values : shape (n_set,)
        The columns that are set in the region, and their values.
    contributions : shape (n_set, n_labels)
        Value times weight; a column of it sums to the region's emission for that label.
    terms
        The other parts of the reach of `chosen` and `runner_up`.
    changes
        Labels of other regions that differ where the region has the runner-up.
    """

    labels: Labels
    chosen: int
    runner_up: int
    reach: Floats
    columns: Labels
    values: Floats
    contributions: Floats
    terms: tuple[Term, ...]
    changes: tuple[Change, ...]

    @property
    def margin(self) -> float:
        """By how much the chosen label leads, at least 0 but for rounding (dimensionless).

        The differences of all contributions and terms add up to it.
        """
        return float(self.reach[self.chosen] - self.reach[self.runner_up])


class Flip(NamedTuple):
    """What changes the label of a region.

    Parameters
    ----------
    columns
        Those of the region without which its label is another, fewest possible; empty if no set
        of them changes it.
    relabelled
        Only where no columns do: the fewest other labels near the region that change its label.
    label
        The label that comes instead; None if nothing was found.
    """

    columns: tuple[int, ...]
    relabelled: tuple[Change, ...]
    label: int | None


def find_reasons(learner: Learner, page: Features, i: int) -> Reasons:
    """Return why region `i` of a page, from 0, has the label that a fitted learner gives it.

    Raises
    ------
    LearnerError
        If the learner has a single label, is not fitted, or cannot be explained.
    """
    surroundings = surroundings_of(learner)
    if learner.n_labels_ < 2:
        raise LearnerError("a learner with a single label has no runner-up to compare it with")
    emissions, labels = learner.scores([page])[0], learner.predict([page])[0]
    columns, values = _row(check_pages([page], learner.n_columns_)[0], i)
    reach, chosen = surroundings.reach(emissions, i), int(labels[i])
    rivals = reach.copy()
    rivals[chosen] = -np.inf
    runner_up = int(rivals.argmax())
    terms, changes = surroundings.terms(emissions, labels, i, runner_up)
    return Reasons(
        labels=labels,
        chosen=chosen,
        runner_up=runner_up,
        reach=reach,
        columns=columns,
        values=values,
        contributions=values[:, None] * learner.emissions_[columns],
        terms=terms,
        changes=changes,
    )


def find_flip(learner: Learner, page: Features, i: int, reasons: Reasons) -> Flip:
    """Return what would change the label of region `i`, found true by labelling the page again.

    Columns that are left out are left out of this region alone. Since what other regions bring
    does not depend on them, taking the columns with the greatest difference first gives the
    smallest set for each rival; the smallest of all rivals is returned.

    References
    ----------
    D. Martens, F. Provost (2014). Explaining data-driven document classifications. MIS Quarterly
    38(1): the fewest words of a document without which its class is another. That the document is
    a region of a chain, and what is said of its neighbours, is our choice.
    """
    rows = check_pages([page], learner.n_columns_)[0]
    gains = reasons.contributions[:, [reasons.chosen]] - reasons.contributions
    for items, _ in smallest_sets(gains, reasons.reach[reasons.chosen] - reasons.reach):
        columns = reasons.columns[items]
        label = int(learner.predict([_without(rows, i, columns)])[0][i])
        if label != reasons.chosen:
            return Flip(tuple(columns.tolist()), (), label)
    emissions = learner.scores([page])[0]
    relabelled, other = surroundings_of(learner).relabelled(emissions, reasons.labels, i)
    return Flip((), relabelled, other)


def _row(rows: Rows, i: int) -> tuple[Labels, Floats]:
    """Return the columns that are set in a region, and their values."""
    cells = slice(rows.indptr[i], rows.indptr[i + 1])
    columns, values = rows.indices[cells].astype(np.int64), rows.data[cells].astype(np.float64)
    is_set = values != 0
    return columns[is_set], values[is_set]


def _without(rows: Rows, i: int, columns: Labels) -> Rows:
    """Return the page with some columns not set in region `i`."""
    result = rows.copy()
    cells = slice(rows.indptr[i], rows.indptr[i + 1])
    result.data[cells][np.isin(rows.indices[cells], columns)] = 0
    return result
