"""Web2Text: two convolutional networks score texts and neighbouring pairs, decoded by Viterbi.

Source: T. Vogels, O.-E. Ganea and C. Eickhoff (2018). Web2Text: deep structured boilerplate
removal. ECIR 2018; the weight of the pairwise network, dropout and number of steps follow the
authors' program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Self

import numpy as np

from structce.arrays import Flags, Floats, Floats32, Integers, Labels
from structce.errors import ExtractionError
from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.registry import Extractor, WordFilter, extractor, trainable_method
from structce.extraction.trained import ExtractorState, load_trained, rounded, stored_extractor
from structce.extraction.web2text_features import (
    N_PAIRWISE,
    N_UNARY,
    CollapsedDom,
    pairwise_features,
    unary_features,
)
from structce.extras import check_extras, load_extra

PAIRWISE_WEIGHT = 0.1
"""Weight of the log probability of a pair of labels relative to that of a label."""

WIDTHS = (50, 50, 50, 10)
"""Numbers of outputs of the hidden layers."""

KERNELS = (1, 1, 3, 3, 3)
"""Kernel widths in rows of all layers, including the last."""

PATCH = 9
"""Number of leaves in a training patch; pages with fewer are left out."""

MOST_PASSES = 50
"""Maximum number of times that a patch is seen; our choice, since with few pages the steps take the
time, not the pages. The authors see patches of 55 pages about 40 times."""

_SHIPPED = "web2text-wcxb.trained"  # next to this module
_FEWEST_STEPS = 100
_BATCH = 128  # patches per step
_DEVIATION = 0.1  # standard deviation of the initial weights, truncated at two of them
_DECAY = 1e-4  # factor of half the squared weights


@dataclass(frozen=True)
class Layer:
    """Convolution over rows, padded with zeros."""

    weights: Floats  # shape (n_outputs, n_inputs, kernel); the kernel width is odd
    bias: Floats  # shape (n_outputs,)

    def __call__(self, rows: Floats) -> Floats:
        """Return the outputs of each row, shape (n_rows, n_outputs)."""
        kernel = self.weights.shape[2]
        padded = np.pad(rows, ((kernel // 2, kernel // 2), (0, 0)))
        outputs = np.tile(self.bias, (len(rows), 1))
        for k in range(kernel):
            outputs += padded[k : k + len(rows)] @ self.weights[:, :, k].T
        return outputs


@dataclass(frozen=True)
class ConvolutionalNetwork:
    """Sequence of convolutions with ReLU between them."""

    layers: tuple[Layer, ...]

    def log_probabilities(self, rows: Floats) -> Floats:
        """Return the logarithm of the probability of each label of each row."""
        for layer in self.layers[:-1]:
            rows = np.maximum(layer(rows), 0.0)
        scores = self.layers[-1](rows)
        scores -= scores.max(axis=1, keepdims=True, initial=-np.inf)
        return np.asarray(scores - np.log(np.exp(scores).sum(axis=1, keepdims=True)))

    def arrays(self, prefix: str) -> dict[str, Floats]:
        """Return weights and biases by name, for a file."""
        return {
            f"{prefix}_{i}_{name}": array
            for i, layer in enumerate(self.layers)
            for name, array in vars(layer).items()
        }

    @classmethod
    def of_arrays(
        cls, arrays: Mapping[str, Floats], prefix: str, n_inputs: int, n_labels: int
    ) -> Self:
        """Restore the network from what `arrays` returned.

        Raises KeyError if an array is missing, ExtractionError if it has a wrong shape.
        """
        layers = []
        for i, shape in enumerate(_shapes(n_inputs, n_labels)):
            layer = Layer(arrays[f"{prefix}_{i}_weights"], arrays[f"{prefix}_{i}_bias"])
            if layer.weights.shape != shape or layer.bias.shape != shape[:1]:
                raise ExtractionError(
                    f"layer {prefix} {i} has shape {layer.weights.shape}; expected {shape}"
                )
            layers.append(layer)
        return cls(tuple(layers))


def _shapes(n_inputs: int, n_labels: int) -> list[tuple[int, int, int]]:
    """Return the shapes of the weights."""
    return list(zip((*WIDTHS, n_labels), (n_inputs, *WIDTHS), KERNELS, strict=True))


@stored_extractor("web2text")
@dataclass(frozen=True)
class Web2Text(WordFilter):
    """Extractor of the texts that two convolutional networks classify as main content.

    ``unary`` scores the labels of a leaf: not content, content. ``pairwise`` scores those of a leaf
    and the next: neither, the next, the first, both are content; None for independent decisions.
    ``weight`` is that of the log probabilities of pairs.
    """

    unary: ConvolutionalNetwork
    pairwise: ConvolutionalNetwork | None = None
    weight: float = PAIRWISE_WEIGHT

    def keep(self, document: ParsedDocument) -> Flags:
        """Return which words are in a leaf of content."""
        dom = CollapsedDom.of(document)
        return dom.of_words(self.choose(dom))

    def choose(self, dom: CollapsedDom) -> Flags:
        """Return which leaves are main content, shape (n_leaves,); on a tie a leaf is not."""
        if not dom.n_leaves:
            return np.zeros(0, dtype=bool)
        emissions = self.unary.log_probabilities(unary_features(dom))
        if self.pairwise is None:
            return emissions[:, 1] > emissions[:, 0]
        from structce.learners import viterbi  # late: not needed without pairs

        pairs = self.pairwise.log_probabilities(pairwise_features(dom)).reshape(-1, 2, 2)
        return np.asarray(viterbi(emissions, self.weight * pairs) == 1)

    def state(self) -> ExtractorState:
        """Return the networks as arrays."""
        arrays = self.unary.arrays("unary")
        if self.pairwise is not None:
            arrays |= self.pairwise.arrays("pairwise")
        settings = {"weight": self.weight, "is_structured": self.pairwise is not None}
        return ExtractorState(settings, arrays)

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

    PyTorch trains the networks (extra ``neural``); NumPy alone runs them. If ``is_structured``,
    pairs of neighbours are also scored, with this weight, and decoded by Viterbi. The optimiser
    takes ``n_steps`` steps with 128 patches each.
    """

    is_structured: bool = True
    weight: float = PAIRWISE_WEIGHT
    n_steps: int = 2000
    seed: int = 0

    def fit(self, documents: Iterable[ParsedDocument], texts: Sequence[str]) -> Extractor:
        """Return the extractor learnt from pages and the texts of their content.

        Raises ExtractionError if no page has nine texts or more; MissingExtraError if PyTorch is
        not installed.
        """
        check_extras(["torch"], "training of Web2Text", "neural")
        doms = [CollapsedDom.of(document) for document in documents]
        labels = [dom.content_leaves(text) for dom, text in zip(doms, texts, strict=True)]
        return self.fit_leaves(doms, labels)

    def fit_leaves(self, doms: Sequence[CollapsedDom], is_content: Sequence[Flags]) -> Web2Text:
        """Return the extractor learnt from pages with labelled leaves; raises as `fit` does."""
        labels = [flags.astype(np.int64) for flags in is_content]
        course = {"n_steps": self.n_steps, "seed": self.seed}
        unary = fit_network([unary_features(dom) for dom in doms], labels, 2, **course)
        if not self.is_structured:
            return Web2Text(unary)
        rows = [pairwise_features(dom) for dom in doms]
        pairs = [2 * page[:-1] + page[1:] for page in labels]
        pairwise = fit_network(rows, pairs, 4, patch=PATCH - 1, keep=0.8, **course)
        return Web2Text(unary, pairwise, self.weight)


@extractor("web2text-wcxb")
def shipped_web2text() -> Extractor:
    """Web2Text (Vogels, Ganea and Eickhoff 2018), trained on pages of WCXB and Fundus.

    Sites of the article extraction benchmark, CleanPortalEval, L3S-GN1 and Readability were
    excluded. ``python3 -m benchmarks.extraction.web2text`` trains it again.
    """
    return load_trained(Path(str(resources.files("structce"))) / "extraction" / _SHIPPED)


def fit_network(
    pages: Sequence[Floats],
    labels: Sequence[Labels],
    n_labels: int,
    *,
    patch: int = PATCH,
    keep: float = 0.75,
    n_steps: int = 2000,
    seed: int = 0,
) -> ConvolutionalNetwork:
    """Fit a network to random patches of consecutive rows; all pages have the same weight.

    A patch has ``patch`` rows, and pages with fewer are left out. A weight is kept in a step with
    the probability ``keep``. There are fewer steps than ``n_steps`` if patches would be seen more
    often than `MOST_PASSES`. Runs in one thread, since the matrices are small. Raises
    ExtractionError if no page has enough rows, MissingExtraError if PyTorch is not installed.
    """
    torch = load_extra("torch", "training of Web2Text", "neural")
    chosen = [i for i, rows in enumerate(pages) if len(rows) >= patch]
    if not chosen:
        raise ExtractionError(f"expected a training page with {patch} texts or more, got none")
    pages, labels = [pages[i] for i in chosen], [labels[i] for i in chosen]
    n_patches = sum(len(rows) - patch + 1 for rows in pages)
    n_steps = min(n_steps, max(_FEWEST_STEPS, MOST_PASSES * n_patches // _BATCH))
    generator = torch.Generator().manual_seed(seed)
    parameters: list[Any] = []  # weights and bias of each layer in turn
    for shape in _shapes(pages[0].shape[1], n_labels):
        weights, end = torch.empty(shape), 2 * _DEVIATION
        torch.nn.init.trunc_normal_(weights, 0.0, _DEVIATION, -end, end, generator=generator)
        parameters += (weights.requires_grad_(), torch.zeros(shape[0], requires_grad=True))
    optimiser, batches = torch.optim.Adam(parameters), _batches(pages, labels, patch, seed)
    n_threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        for _ in range(n_steps):
            rows, gold = next(batches)
            outputs = torch.from_numpy(rows)
            for i in range(0, len(parameters), 2):
                kept = torch.bernoulli(torch.full(parameters[i].shape, keep), generator=generator)
                dropped = parameters[i] * kept / keep  # some are 0, the others scaled up
                outputs = torch.relu(outputs) if i else outputs
                outputs = torch.nn.functional.conv1d(
                    outputs, dropped, parameters[i + 1], padding="same"
                )
            loss = torch.nn.functional.cross_entropy(outputs, torch.from_numpy(gold))
            loss = loss + _DECAY * sum((weights**2).sum() / 2 for weights in parameters[::2])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
    finally:
        torch.set_num_threads(n_threads)
    arrays = [rounded(parameter.detach().numpy()) for parameter in parameters]
    return ConvolutionalNetwork(tuple(map(Layer, arrays[::2], arrays[1::2])))


def _batches(
    pages: Sequence[Floats], labels: Sequence[Labels], patch: int, seed: int
) -> Iterator[tuple[Floats32, Labels]]:
    """Yield batches of patches endlessly: inputs (axes: inputs, rows), and labels of the rows."""
    rng = np.random.default_rng(seed)
    rows, gold = np.concatenate(pages).astype(np.float32), np.concatenate(labels)
    lengths = np.array([len(page) for page in pages])
    begins = np.cumsum(lengths) - lengths
    queue: Integers = np.zeros(0, dtype=np.int64)
    while True:
        while len(queue) < _BATCH:
            queue = np.append(queue, rng.permutation(len(pages)))
        drawn, queue = queue[:_BATCH], queue[_BATCH:]
        starts = begins[drawn] + rng.integers(0, lengths[drawn] - patch + 1)
        cells = starts[:, None] + np.arange(patch)
        yield np.ascontiguousarray(rows[cells].transpose(0, 2, 1)), gold[cells]
