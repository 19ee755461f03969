"""Web2Text: two convolutional networks score texts and neighbouring pairs, decoded by Viterbi.

Source: T. Vogels, O.-E. Ganea and C. Eickhoff (2018). Web2Text: deep structured boilerplate
removal. ECIR 2018; the weight of the pairwise network, dropout and number of steps follow the
authors' program.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Self

import numpy as np

from structce.arrays import Flags
from structce.errors import ExtractionError
from structce.extraction.base import Extractor, WordFilter
from structce.extraction.collapsed_dom import CollapsedDom
from structce.extraction.convolution import PATCH, ConvolutionalNetwork, fit_network
from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.registry import extractor, trainable_method
from structce.extraction.trained import ExtractorState, load_trained, stored_extractor
from structce.extraction.web2text_features import (
    N_PAIRWISE,
    N_UNARY,
    pairwise_features,
    unary_features,
)

PAIRWISE_WEIGHT = 0.1
"""Weight of the log probability of a pair of labels relative to that of a label."""

_SHIPPED = "web2text-wcxb.trained"  # next to this module


@stored_extractor("web2text")
@dataclass(frozen=True)
class Web2Text(WordFilter):
    """Extractor of the texts that two convolutional networks classify as main content.

    Parameters
    ----------
    unary
        Network for the labels of a leaf: not content, content.
    pairwise
        Network for the labels of a leaf and the next: neither, the next, the first, both are
        content. None for independent decisions.
    weight
        Weight of the log probabilities of pairs.
    """

    unary: ConvolutionalNetwork
    pairwise: ConvolutionalNetwork | None = None
    weight: float = PAIRWISE_WEIGHT

    def keep(self, document: ParsedDocument) -> Flags:
        """Return which words are in a leaf of content."""
        dom = CollapsedDom.of(document)
        return dom.of_words(self.choose(dom))

    def choose(self, dom: CollapsedDom) -> Flags:
        """Return which leaves are main content, shape (n_leaves,).

        On a tie a leaf is not content.
        """
        if not dom.n_leaves:
            return np.zeros(0, dtype=bool)
        emissions = self.unary.log_probabilities(unary_features(dom))
        if self.pairwise is None:
            is_content: Flags = emissions[:, 1] > emissions[:, 0]
            return is_content
        from structce.learners import viterbi  # late: not needed without pairs

        pairs = self.pairwise.log_probabilities(pairwise_features(dom)).reshape(-1, 2, 2)
        chosen: Flags = viterbi(emissions, self.weight * pairs) == 1
        return chosen

    def state(self) -> ExtractorState:
        """Return the networks as arrays."""
        arrays = self.unary.arrays("unary")
        if self.pairwise is not None:
            arrays |= self.pairwise.arrays("pairwise")
        return ExtractorState(
            {"weight": self.weight, "is_structured": self.pairwise is not None}, arrays
        )

    @classmethod
    def from_state(cls, state: ExtractorState) -> Self:
        """Restore the extractor from what `state` returned."""
        weight = state.settings["weight"]
        if not isinstance(weight, float | int):
            raise ExtractionError(f"weight {weight!r}; expected a number")
        unary = ConvolutionalNetwork.of_arrays(state.arrays, "unary", N_UNARY, 2)
        pairwise = None
        if state.settings["is_structured"]:
            pairwise = ConvolutionalNetwork.of_arrays(state.arrays, "pairwise", N_PAIRWISE, 4)
        return cls(unary, pairwise, float(weight))


@trainable_method("web2text")
@trainable_method("web2text-unary", is_structured=False)
@dataclass(frozen=True)
class Web2TextMethod:
    """Web2Text (Vogels, Ganea and Eickhoff 2018): networks on features of a collapsed DOM.

    PyTorch trains the networks (extra ``neural``); NumPy alone runs them.

    Parameters
    ----------
    is_structured
        Also score pairs of neighbours, and decode by Viterbi.
    weight
        Weight of the pairs.
    n_steps
        Number of steps of the optimiser, with 128 patches each.
    """

    is_structured: bool = True
    weight: float = PAIRWISE_WEIGHT
    n_steps: int = 2000
    seed: int = 0

    def fit(self, documents: Sequence[ParsedDocument], texts: Sequence[str]) -> Extractor:
        """Return the extractor learnt from pages and the texts of their content.

        Raises
        ------
        ExtractionError
            If no page has nine texts or more.
        MissingExtraError
            If PyTorch is not installed.
        """
        doms = [CollapsedDom.of(document) for document in documents]
        labels = [dom.content_leaves(text) for dom, text in zip(doms, texts, strict=True)]
        return self.fit_leaves(doms, labels)

    def fit_leaves(self, doms: Sequence[CollapsedDom], is_content: Sequence[Flags]) -> Web2Text:
        """Return the extractor learnt from pages with labelled leaves; raises as `fit` does.

        Parameters
        ----------
        is_content : shape (n_leaves,) each
        """
        labels = [flags.astype(np.int64) for flags in is_content]
        unary = fit_network(
            [unary_features(dom) for dom in doms], labels, 2, n_steps=self.n_steps, seed=self.seed
        )
        if not self.is_structured:
            return Web2Text(unary)
        pairs = [2 * own[:-1] + own[1:] for own in labels]
        pairwise = fit_network(
            [pairwise_features(dom) for dom in doms],
            pairs,
            4,
            patch=PATCH - 1,
            keep=0.8,
            n_steps=self.n_steps,
            seed=self.seed,
        )
        return Web2Text(unary, pairwise, self.weight)


@extractor("web2text-wcxb")
def shipped_web2text() -> Extractor:
    """Web2Text (Vogels, Ganea and Eickhoff 2018), trained on pages of WCXB and Fundus.

    Sites of the article extraction benchmark, CleanPortalEval, L3S-GN1 and Readability were
    excluded. ``python3 -m benchmarks.extraction.web2text study`` trains it again.
    """
    return load_trained(Path(str(resources.files("structce"))) / "extraction" / _SHIPPED)
