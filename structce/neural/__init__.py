"""Neural sequence taggers: trained in PyTorch, run by NumPy or ONNX Runtime.

The package sees only numbers: rows of a page go in, scores or probabilities come out.
"""

from typing import TYPE_CHECKING

from structce.doors import lazy_names

if TYPE_CHECKING:
    from structce.neural.onnx_graph import INPUT, OUTPUT, OnnxTagger, export_onnx, quantise_onnx
    from structce.neural.recurrent import LSTM, BidirectionalLSTM, Rows, Tagger, sigmoid
    from structce.neural.training import (
        BinaryCrossEntropy,
        Epoch,
        NetworkShape,
        PageLoss,
        Schedule,
        SoftmaxCrossEntropy,
        TrainedTagger,
        balanced_weights,
        train_tagger,
    )

_HOMES = {
    **dict.fromkeys(
        "INPUT OUTPUT OnnxTagger export_onnx quantise_onnx".split(), "structce.neural.onnx_graph"
    ),
    **dict.fromkeys(
        "LSTM BidirectionalLSTM Rows Tagger sigmoid".split(), "structce.neural.recurrent"
    ),
    **dict.fromkeys(
        "BinaryCrossEntropy Epoch NetworkShape PageLoss Schedule SoftmaxCrossEntropy TrainedTagger "
        "balanced_weights train_tagger".split(),
        "structce.neural.training",
    ),
}

__all__ = [
    "INPUT", "LSTM", "OUTPUT", "BidirectionalLSTM", "BinaryCrossEntropy", "Epoch", "NetworkShape",
    "OnnxTagger", "PageLoss", "Rows", "Schedule", "SoftmaxCrossEntropy", "Tagger", "TrainedTagger",
    "balanced_weights", "export_onnx", "quantise_onnx", "sigmoid", "train_tagger",
]  # fmt: skip

__getattr__ = lazy_names(__name__, _HOMES)
