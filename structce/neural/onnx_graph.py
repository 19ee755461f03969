"""ONNX export of a sequence tagger, and its inference by ONNX Runtime.

The graph is written operator by operator, so that the file contains nothing else, is equal for
equal weights, and needs no framework: ``MatMul``, ``Add``, ``Relu``, one ``LSTM`` per layer, and a
sigmoid or a softmax.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Self

import numpy as np

from structce.arrays import Floats32
from structce.errors import ModelError
from structce.extras import load_extra
from structce.neural.recurrent import LSTM, Rows, Tagger

if TYPE_CHECKING:
    from types import ModuleType

    from onnx import NodeProto, TensorProto
    from onnxruntime import InferenceSession

INPUT, OUTPUT = "rows", "probabilities"
"""Names of what the graph reads, shape (n_rows, n_columns), and gives, shape (n_rows, n_outputs);
both float32."""

OPSET = 17
"""Version of the operators; ONNX Runtime reads it since 1.12, in browsers, too."""

_IR_VERSION = 8  # of the file format, that of the same releases
_EXTERNAL = b"location"
"""Key of the place of weights in another file (``TensorProto.external_data``): ONNX Runtime would
read it, wherever it is on the machine. No graph of ours has the word."""

_GATES = (0, 3, 1, 2)  # input, output, forget, cell: the order that ONNX has
_PURPOSE = "a network in ONNX"


def export_onnx(tagger: Tagger) -> bytes:
    """Return a tagger as an ONNX model: rows to probabilities.

    One output goes through a sigmoid, several through a softmax.

    Raises MissingExtraError if onnx is not installed.
    """
    onnx = load_extra("onnx", f"export of {_PURPOSE}", "onnx")
    graph = _Graph(onnx)
    graph.weights("dense", tagger.dense)
    graph.weights("dense_bias", tagger.dense_bias)
    graph.add("MatMul", [INPUT, "dense"], "projected")
    graph.add("Add", ["projected", "dense_bias"], "biased")
    graph.add("Relu", ["biased"], "rectified")
    graph.weights("batch_axis", np.array([1], dtype=np.int64))
    graph.add("Unsqueeze", ["rectified", "batch_axis"], "states0")  # (n_rows, 1, n_dense)
    for i in range(len(tagger.layers)):
        _add_layer(graph, tagger, i)
    graph.weights("batch", np.array([1], dtype=np.int64))
    graph.add("Squeeze", [f"states{len(tagger.layers)}", "batch"], "states")
    graph.weights("output", tagger.output)
    graph.weights("output_bias", tagger.output_bias)
    graph.add("MatMul", ["states", "output"], "unbiased")
    graph.add("Add", ["unbiased", "output_bias"], "scores")
    if tagger.n_outputs == 1:
        graph.add("Sigmoid", ["scores"], OUTPUT)
    else:
        graph.add("Softmax", ["scores"], OUTPUT, axis=1)
    return graph.model(tagger.n_columns, tagger.n_outputs)


def _add_layer(graph: _Graph, tagger: Tagger, i: int) -> None:
    """Add a bidirectional layer: ``states{i}`` to ``states{i + 1}``, both of a batch of one."""
    sides = (tagger.layers[i].forward, tagger.layers[i].backward)
    n_hidden = sides[0].n_hidden
    graph.weights(f"W{i}", np.stack([_gates(side, side.input_weights) for side in sides]))
    graph.weights(f"R{i}", np.stack([_gates(side, side.recurrent_weights) for side in sides]))
    biases = [_gates(side, side.bias) for side in sides]
    graph.weights(f"B{i}", np.stack([np.append(bias, np.zeros_like(bias)) for bias in biases]))
    names = [f"states{i}", f"W{i}", f"R{i}", f"B{i}"]
    graph.add("LSTM", names, f"sides{i}", direction="bidirectional", hidden_size=n_hidden)
    # (n_rows, 2, 1, n_hidden) to (n_rows, 1, 2 * n_hidden)
    graph.add("Transpose", [f"sides{i}"], f"turned{i}", perm=[0, 2, 1, 3])
    graph.weights(f"width{i}", np.array([0, 0, 2 * n_hidden], dtype=np.int64))
    graph.add("Reshape", [f"turned{i}", f"width{i}"], f"states{i + 1}")


def _gates(lstm: LSTM, weights: Floats32) -> Floats32:
    """Return weights with their gates in the order of ONNX."""
    return np.concatenate([weights.reshape(4, lstm.n_hidden, -1)[gate] for gate in _GATES]).reshape(
        weights.shape
    )


class _Graph:
    """Nodes and weights of a graph."""

    def __init__(self, onnx: ModuleType) -> None:
        self._onnx = onnx
        self._nodes: list[NodeProto] = []
        self._weights: list[TensorProto] = []

    def weights(self, name: str, array: np.ndarray) -> None:
        tensor = self._onnx.numpy_helper.from_array(np.ascontiguousarray(array), name)
        self._weights.append(tensor)

    def add(self, operator: str, inputs: list[str], output: str, **attributes: object) -> None:
        make = self._onnx.helper.make_node
        self._nodes.append(make(operator, inputs, [output], name=output, **attributes))

    def model(self, n_columns: int, n_outputs: int) -> bytes:
        helper, number = self._onnx.helper, self._onnx.TensorProto.FLOAT
        given = helper.make_tensor_value_info(INPUT, number, ["n_rows", n_columns])
        output = helper.make_tensor_value_info(OUTPUT, number, ["n_rows", n_outputs])
        graph = helper.make_graph(self._nodes, "tagger", [given], [output], self._weights)
        model = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=_IR_VERSION
        )
        self._onnx.checker.check_model(model)
        data: bytes = model.SerializeToString()
        return data


def quantise_onnx(model: bytes) -> bytes:
    """Return an ONNX model with weights of eight-bit integers, a quarter of the size.

    Dynamic quantisation: activations are scaled separately for each page.

    Raises MissingExtraError if onnx or ONNX Runtime is not installed.
    """
    purpose = f"quantisation of {_PURPOSE}"
    load_extra("onnx", purpose, "onnx")
    quantization = load_extra("onnxruntime.quantization", purpose, "onnx")
    with TemporaryDirectory() as folder:
        source, target = Path(folder, "float.onnx"), Path(folder, "int8.onnx")
        source.write_bytes(model)
        quantization.quantize_dynamic(source, target, weight_type=quantization.QuantType.QInt8)
        return target.read_bytes()


@dataclass(frozen=True, eq=False)
class OnnxTagger:
    """Tagger that ONNX Runtime runs, on one thread."""

    model: bytes  # as `export_onnx` returns it
    session: InferenceSession = field(repr=False)

    @classmethod
    def of_bytes(cls, model: bytes) -> Self:
        """Return the tagger of an ONNX model.

        Raises ModelError if ONNX Runtime cannot read it, or its inputs or outputs are different,
        MissingExtraError if ONNX Runtime is not installed.
        """
        if _EXTERNAL in model:
            raise ModelError("an ONNX model whose weights are in other files; expected one file")
        runtime = load_extra("onnxruntime", f"inference of {_PURPOSE}", "onnx")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        try:
            session = runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # whatever its C++ side raises: none is documented
            raise ModelError(f"not an ONNX model that ONNX Runtime can read: {error}") from error
        names = [value.name for value in (*session.get_inputs(), *session.get_outputs())]
        if names != [INPUT, OUTPUT]:
            raise ModelError(f"an ONNX model of {names}; expected {[INPUT, OUTPUT]}")
        return cls(model, session)

    @property
    def n_columns(self) -> int:
        """Number of columns of a row."""
        return int(self.session.get_inputs()[0].shape[1])

    def probabilities(self, rows: Rows) -> Floats32:
        """Return the probabilities of the rows of one page, shape (n_rows, n_outputs)."""
        if rows.shape[0] == 0:
            return np.zeros((0, int(self.session.get_outputs()[0].shape[1])), dtype=np.float32)
        dense = rows if isinstance(rows, np.ndarray) else rows.toarray()
        (outputs,) = self.session.run([OUTPUT], {INPUT: dense.astype(np.float32, copy=False)})
        return np.asarray(outputs, dtype=np.float32)
