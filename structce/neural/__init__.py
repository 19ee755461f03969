"""Neural sequence taggers: trained in PyTorch, run by NumPy or ONNX Runtime.

The package sees only numbers: rows of a page go in, the probability of label 1 comes out.
"""

from typing import TYPE_CHECKING

from structce.lazy_import import lazy_names

if TYPE_CHECKING:
    from structce.neural.onnx_graph import OnnxTagger, export_onnx, quantise_onnx
    from structce.neural.recurrent import LSTM, BidirectionalLSTM, Rows, Tagger
    from structce.neural.training import TrainedTagger, balanced_weights, train_tagger

_MODULES = {
    "onnx_graph": "OnnxTagger export_onnx quantise_onnx",
    "recurrent": "LSTM BidirectionalLSTM Rows Tagger",
    "training": "TrainedTagger balanced_weights train_tagger",
}

__all__ = [
    "LSTM", "BidirectionalLSTM", "OnnxTagger", "Rows", "Tagger", "TrainedTagger",
    "balanced_weights", "export_onnx", "quantise_onnx", "train_tagger",
]  # fmt: skip

__getattr__ = lazy_names(
    __name__,
    {name: f"{__name__}.{module}" for module, names in _MODULES.items() for name in names.split()},
)
