"""Neural sequence taggers: trained in PyTorch, run by NumPy or ONNX Runtime.

The package sees only numbers: rows of a page go in, scores or probabilities come out.
"""

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

__all__ = [
    "INPUT", "LSTM", "OUTPUT", "BidirectionalLSTM", "BinaryCrossEntropy", "Epoch", "NetworkShape",
    "OnnxTagger", "PageLoss", "Rows", "Schedule", "SoftmaxCrossEntropy", "Tagger", "TrainedTagger",
    "balanced_weights", "export_onnx", "quantise_onnx", "sigmoid", "train_tagger",
]  # fmt: skip
