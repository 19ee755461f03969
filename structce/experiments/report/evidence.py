"""Evidence for a difference: the one rule by which the reports of all experiments call it certain.

A test over pages assumes that pages are independent, but those of one site are right or wrong
together; an interval over resampled sites does not see single pages. A difference is therefore
certain if both show it, and a hint if only one of them does.
"""

from __future__ import annotations

from enum import Enum

from structce.evaluation import LEVEL, Interval
from structce.experiments.results import Comparison

CERTAIN_RULE = (
    f"certain: the test over pages finds it after Holm's correction, p at most {LEVEL}, and "
    "difference, effect and the whole 95 per cent interval over sites lie on one side of 0"
)
"""The rule in words, for notes below tables."""


class Evidence(Enum):
    """Evidence that the higher of two macro F1s is more than chance.

    ``BOTH``: it is certain, see :func:`is_certain`. ``SITES``, ``PAGES``: the interval over sites
    shows it, or the test over pages after Holm's correction, but not both. ``AGAINST``: by the test
    over pages the other learner is the better one. ``NONE``: none of these.
    """

    BOTH = "both"
    SITES = "sites"
    PAGES = "pages"
    AGAINST = "against"
    NONE = "none"


def is_certain(p_holm: float, interval: Interval, difference: float, effect: float) -> bool:
    """Return whether a difference is certain; see ``CERTAIN_RULE``.

    Parameters
    ----------
    p_holm
        p-value of a test over pages, after Holm's correction.
    interval
        Interval of the difference over resampled sites; (-1, 1) if there are too few sites, so that
        nothing is certain.
    difference, effect
        Mean difference over pages, and the test's rank-biserial correlation.
    """
    ends = (*interval, difference, effect)
    return p_holm <= LEVEL and (min(ends) > 0 or max(ends) < 0)


def is_certain_pair(pair: Comparison) -> bool:
    """Return whether it is certain which of two learners is the better one, by macro F1."""
    return is_certain(pair.p_holm, pair.macro_interval, pair.difference, pair.effect)


def evidence(pair: Comparison) -> Evidence:
    """Return the evidence that the first of a pair, of higher macro F1, is the better one."""
    is_found = pair.p_holm <= LEVEL
    if is_found and pair.difference < 0:
        return Evidence.AGAINST
    on_sites = pair.macro_interval[0] > 0
    if on_sites and is_certain_pair(pair):
        return Evidence.BOTH
    if on_sites:
        return Evidence.SITES
    return Evidence.PAGES if is_found and pair.difference > 0 else Evidence.NONE
