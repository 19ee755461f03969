"""Risk of a text: bounds of the share of pages that are read wrongly among those that are kept.

A page is kept at a risk if the quality of its text reaches a threshold. Thresholds are calibrated
on pages that the model has not seen, apart for articles and for all other pages, since the same
quality means more on an article. A text is right if its bag-of-words F1 with the gold is at least
``WELL_READ``. For pages drawn as those of the calibration were, at most the share ``risk`` of the
pages kept is wrong; for each risk and kind of page this holds with probability 1 - ``MISS``, over
the draw of the calibration pages. Other pages may do worse; ``docs/results/articles.md`` has
measurements.

The shipped models have their tables in ``risk.toml``. A model of your own takes one from its card:
``labeller.card["risk"] = fit_risk_table(...)``.

References
----------
A. N. Angelopoulos, S. Bates, E. J. Candès, M. I. Jordan, L. Lei (2021). Learn then test:
calibrating predictive algorithms to achieve risk control. arXiv:2110.01052 (fixed sequence testing
on a split of the data). Y. Geifman, R. El-Yaniv (2017). Selective classification for deep neural
networks. NeurIPS (the share of errors among the pages kept). V. Vovk (2012). Conditional validity
of inductive conformal predictors. ACML (thresholds by kind). C. J. Clopper, E. S. Pearson (1934).
The use of confidence or fiducial limits illustrated in the case of the binomial. Biometrika 26.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from structce.arrays import Flags, Floats
from structce.article.tuned import read_table
from structce.errors import StructceError

RISKS = (0.05, 0.1, 0.15, 0.2, 0.3)
"""Risks that have a threshold of quality."""

WELL_READ = 0.9
"""Bag-of-words F1 from which a text is right."""

MISS = 0.1
"""Probability that the pages of the calibration suggest thresholds that are too low."""

RiskTable = Mapping[str, Mapping[str, float]]
"""Least quality by kind of page (``article``, ``other``) and by risk (``"0.05"``)."""

_FEWEST, _SHARE = 10, 1 / 3  # wrong pages at the risk, and share of all, of the first threshold
_N_STEPS = 50  # thresholds that are tested, at most


def least_quality(quality: Floats, is_right: Flags, risk: float) -> float | None:
    """Return the least quality at which a risk holds; None if the pages cannot vouch for it.

    Parameters
    ----------
    quality : shape (n_pages,)
        Quality of pages that the model has not seen, in [0, 1].
    is_right : shape (n_pages,)
        Whether the text of each is right.
    risk
        Greatest share of wrong pages among those kept, in (0, 1).

    Thresholds are tested from the highest quality down; the first at which the upper bound of
    Clopper and Pearson on the share of wrong pages exceeds the risk ends the sequence.
    """
    from scipy.stats import beta  # late: only calibration needs it

    order = np.argsort(-quality, kind="stable")
    ranked, n_wrong = quality[order], np.cumsum(~is_right[order])
    least = None
    step = max(len(quality) // _N_STEPS, 1)
    first = math.ceil(max(_FEWEST / risk, _SHARE * len(quality)))
    for n in range(first, len(quality) + 1, step):
        n_kept = int(np.searchsorted(-ranked, -ranked[n - 1], side="right"))  # with all ties
        wrong = int(n_wrong[n_kept - 1])
        if wrong == n_kept or beta.ppf(1 - MISS, wrong + 1, n_kept - wrong) > risk:
            break
        least = float(ranked[n_kept - 1])
    return least


def fit_risk_table(quality: Floats, is_right: Flags, is_article: Flags) -> RiskTable:
    """Return the table of risks of a model, from pages that it has not seen.

    ``is_article`` are the pages whose :attr:`Article.page_type` is ``article``; the other arguments
    are those of :func:`least_quality`. A risk that the pages cannot vouch for is missing.
    """
    if not len(quality) == len(is_right) == len(is_article):
        sizes = len(quality), len(is_right), len(is_article)
        raise StructceError(f"risk table: expected as many qualities as answers, got {sizes}")
    table: dict[str, dict[str, float]] = {}
    for kind, chosen in (("article", is_article), ("other", ~is_article)):
        found = {
            str(risk): least_quality(quality[chosen], is_right[chosen], risk) for risk in RISKS
        }
        # Rounded up, so that a stored threshold keeps no page that the tested one did not keep.
        table[kind] = {
            risk: math.ceil(least * 1e4) / 1e4 for risk, least in found.items() if least is not None
        }
    return table


def risk_table(card: Mapping[str, object]) -> RiskTable:
    """Return the table of risks of the model with a card; empty if it has none."""
    own = card.get("risk")
    if isinstance(own, Mapping):
        return own
    digest = card.get("corpus_digest")
    return next((row for row in read_table("risk.toml").values() if row["corpus"] == digest), {})


def risk_of(quality: float | None, page_type: str, table: RiskTable) -> float | None:
    """Return the least risk at which a page of this quality is kept; None if at none."""
    bounds = table.get("article" if page_type == "article" else "other", {})
    if quality is None:
        return None
    kept = (risk for risk in RISKS if quality >= bounds.get(str(risk), math.inf))
    return next(kept, None)
