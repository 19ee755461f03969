"""Web2Text: two convolutional networks judge texts and neighbours, Viterbi decides for a page.

Source: T. Vogels, O.-E. Ganea and C. Eickhoff (2018). Web2Text: deep structured boilerplate
removal. ECIR 2018; the weight of the pairwise network, dropout and number of steps are those of
the authors' program.
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
"""Of the log probability of a pair of labels, beside that of a label."""

_SHIPPED = "web2text-wcxb.trained"  # beside this module


@stored_extractor("web2text")
@dataclass(frozen=True)
class Web2Text(WordFilter):
    """Texts that two convolutional networks take for main content.

    Parameters
    ----------
    unary
        Of the labels of a leaf: not content, content.
    pairwise
        Of the labels of a leaf and the next: neither, the next, the first, both are content. None
        for a decision leaf by leaf.
    weight
        Of its log probabilities.
    """

    unary: ConvolutionalNetwork
    pairwise: ConvolutionalNetwork | None = None
    weight: float = PAIRWISE_WEIGHT

    def keep(self, document: ParsedDocument) -> Flags:
        """Return which words stand in a leaf that is content."""
        dom = CollapsedDom.of(document)
        return dom.of_words(self.choose(dom))

    def choose(self, dom: CollapsedDom) -> Flags:
        """Return which leaves are main content, shape (n_leaves,).

        On a tie a leaf is none.
        """
        if not dom.n_leaves:
            return np.zeros(0, dtype=bool)
        emissions = self.unary.log_probabilities(unary_features(dom))
        if self.pairwise is None:
            found: Flags = emissions[:, 1] > emissions[:, 0]
            return found
        from structce.learners import viterbi  # late: it loads scikit-learn

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
        """Return the extractor that `state` described."""
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

    PyTorch trains the networks (extra ``neural``); what they find is run by NumPy alone.

    Parameters
    ----------
    is_structured
        Judge pairs of neighbours, too, and let Viterbi decide.
    weight
        Of the pairs.
    n_steps
        Of the optimiser, 128 patches each.
    """

    is_structured: bool = True
    weight: float = PAIRWISE_WEIGHT
    n_steps: int = 2000
    seed: int = 0

    def fit(self, documents: Sequence[ParsedDocument], texts: Sequence[str]) -> Extractor:
        """Return the extractor that pages and the texts of their content teach.

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
        """Return the extractor that pages with labelled leaves teach; raises as `fit` does.

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

    Sites of the article extraction benchmark, CleanPortalEval, L3S-GN1 and Readability were left
    out. ``python3 -m benchmarks.extraction.web2text study`` trains it again.
    """
    return load_trained(Path(str(resources.files("structce"))) / "extraction" / _SHIPPED)
