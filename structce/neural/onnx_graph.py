"""ONNX export of a sequence tagger, and its inference by ONNX Runtime.

The graph is written operator by operator, so that the file contains nothing else, is equal for
equal weights, and needs no framework: ``MatMul``, ``Add``, ``Relu``, one ``LSTM`` per layer, and a
sigmoid.
"""

from __future__ import annotations

import math
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
    from onnx import NodeProto, TensorProto
    from onnxruntime import InferenceSession

INPUT, OUTPUT = "rows", "probabilities"
"""Names of what the graph reads, shape (n_rows, n_columns), and gives, shape (n_rows, 1);
both float32."""

OPSET = 17
"""Version of the operators; ONNX Runtime reads it since 1.12, in browsers, too."""

_IR_VERSION = 8  # of the file format, that of the same releases
_MOST_NODES = 1000
_OPERATORS = {
    "": frozenset(
        """
        Add Cast DynamicQuantizeLinear LSTM MatMul MatMulInteger Mul Relu Reshape Sigmoid
        Squeeze Transpose Unsqueeze
        """.split()
    ),
    "com.microsoft": frozenset({"DynamicQuantizeLSTM"}),
}
"""Operators of taggers, by domain. Others could run for ever, take any amount of memory, or be
somebody else's code."""

_GATES = (0, 3, 1, 2)  # input, output, forget, cell: the order that ONNX has
_PURPOSE = "a network in ONNX"


def export_onnx(tagger: Tagger) -> bytes:
    """Return a tagger as an ONNX model: rows to probabilities.

    Raises MissingExtraError if onnx is not installed.
    """
    onnx = load_extra("onnx", f"export of {_PURPOSE}", "onnx")
    helper, number = onnx.helper, onnx.TensorProto.FLOAT
    nodes: list[NodeProto] = []
    weights: list[TensorProto] = []

    def constant(name: str, array: object) -> str:
        contiguous = np.ascontiguousarray(array)
        weights.append(onnx.numpy_helper.from_array(contiguous, name))
        return name

    def add(operator: str, inputs: list[str], output: str, **attributes: object) -> None:
        nodes.append(helper.make_node(operator, inputs, [output], name=output, **attributes))

    constant("dense", tagger.dense)
    constant("dense_bias", tagger.dense_bias)
    add("MatMul", [INPUT, "dense"], "projected")
    add("Add", ["projected", "dense_bias"], "biased")
    add("Relu", ["biased"], "rectified")
    constant("batch_axis", np.array([1], dtype=np.int64))
    add("Unsqueeze", ["rectified", "batch_axis"], "states0")  # (n_rows, 1, n_dense)
    for i, layer in enumerate(tagger.layers):
        sides, n_hidden = (layer.forward, layer.backward), layer.forward.n_hidden
        biases = [_gates(side, side.bias) for side in sides]
        arrays = {
            "W": [_gates(side, side.input_weights) for side in sides],
            "R": [_gates(side, side.recurrent_weights) for side in sides],
            "B": [np.append(bias, np.zeros_like(bias)) for bias in biases],
        }
        names = [constant(f"{name}{i}", np.stack(own)) for name, own in arrays.items()]
        inputs = [f"states{i}", *names]
        add("LSTM", inputs, f"sides{i}", direction="bidirectional", hidden_size=n_hidden)
        # (n_rows, 2, 1, n_hidden) to (n_rows, 1, 2 * n_hidden)
        add("Transpose", [f"sides{i}"], f"turned{i}", perm=[0, 2, 1, 3])
        constant(f"width{i}", np.array([0, 0, 2 * n_hidden], dtype=np.int64))
        add("Reshape", [f"turned{i}", f"width{i}"], f"states{i + 1}")
    constant("batch", np.array([1], dtype=np.int64))
    add("Squeeze", [f"states{len(tagger.layers)}", "batch"], "states")
    constant("output", tagger.output)
    constant("output_bias", tagger.output_bias)
    add("MatMul", ["states", "output"], "unbiased")
    add("Add", ["unbiased", "output_bias"], "scores")
    add("Sigmoid", ["scores"], OUTPUT)
    ends = [
        helper.make_tensor_value_info(name, number, ["n_rows", width])
        for name, width in ((INPUT, tagger.n_columns), (OUTPUT, 1))
    ]
    graph = helper.make_graph(nodes, "tagger", ends[:1], ends[1:], weights)
    opsets = [helper.make_opsetid("", OPSET)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=_IR_VERSION)
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())


def _gates(lstm: LSTM, weights: Floats32) -> Floats32:
    """Return weights with their gates in the order of ONNX."""
    gates = weights.reshape(4, lstm.n_hidden, -1)[list(_GATES)]
    return gates.reshape(weights.shape)


def quantise_onnx(model: bytes) -> bytes:
    """Return an ONNX model with weights of eight-bit integers, a quarter of the size.

    Dynamic quantisation: activations are scaled separately for each page. Raises MissingExtraError
    if onnx or ONNX Runtime is not installed.
    """
    purpose = f"quantisation of {_PURPOSE}"
    load_extra("onnx", purpose, "onnx")
    quantization = load_extra("onnxruntime.quantization", purpose, "onnx")
    with TemporaryDirectory() as folder:
        source, target = Path(folder, "float.onnx"), Path(folder, "int8.onnx")
        source.write_bytes(model)
        quantization.quantize_dynamic(source, target, weight_type=quantization.QuantType.QInt8)
        return target.read_bytes()


def check_graph(data: bytes) -> None:
    """Raise ModelError unless an ONNX model has only operators of a tagger, and all weights inside.

    ONNX Runtime reports everything else. Raises MissingExtraError if onnx is not installed.
    """
    onnx = load_extra("onnx", f"inference of {_PURPOSE}", "onnx")
    try:
        model = onnx.ModelProto.FromString(data)
    except Exception as error:  # protobuf's own, which is no part of onnx
        raise ModelError(f"not an ONNX model: {error}") from error
    graph = model.graph
    if model.functions or graph.sparse_initializer or len(graph.node) > _MOST_NODES:
        raise ModelError("an ONNX model with functions, sparse weights or too many nodes")
    for node in graph.node:
        if node.op_type not in _OPERATORS.get(node.domain, ()):
            name = f"{node.domain}.{node.op_type}".lstrip(".")
            raise ModelError(f"an ONNX model with operator {name!r:.99}, which no tagger has")
    for weights in graph.initializer:
        where = f"weights {weights.name!r:.60}"
        if weights.external_data or weights.data_location:
            raise ModelError(f"{where} are in other files; expected all in one file")
        if math.prod(weights.dims) > len(data):
            raise ModelError(f"{where} of shape {list(weights.dims)!s:.60} do not fit the file")


@dataclass(frozen=True, eq=False)
class OnnxTagger:
    """Tagger that ONNX Runtime runs, on one thread."""

    model: bytes  # as `export_onnx` returns it
    session: InferenceSession = field(repr=False)

    @classmethod
    def of_bytes(cls, model: bytes) -> Self:
        """Return the tagger of an ONNX model.

        Raises ModelError if it is no tagger (see `check_graph`), ONNX Runtime cannot read it, or
        its inputs or outputs are different; MissingExtraError if ONNX Runtime is not installed.
        """
        check_graph(model)
        runtime = load_extra("onnxruntime", f"inference of {_PURPOSE}", "onnx")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4  # errors are raised
        try:
            session = runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # whatever its C++ side raises: none is documented
            raise ModelError(f"not an ONNX model that ONNX Runtime can read: {error}") from error
        ends = [*session.get_inputs(), *session.get_outputs()]
        names, widths = [end.name for end in ends], [end.shape[1:] for end in ends]
        are_sizes = all(len(own) == 1 and isinstance(own[0], int) for own in widths)
        if names != [INPUT, OUTPUT] or not are_sizes:
            found = f"{names!r:.100} of widths {widths!r:.100}"
            raise ModelError(f"an ONNX model of {found}; expected {[INPUT, OUTPUT]}, a number each")
        return cls(model, session)

    @property
    def n_columns(self) -> int:
        """Number of columns of a row."""
        return int(self.session.get_inputs()[0].shape[1])

    def probabilities(self, rows: Rows) -> Floats32:
        """Return the probabilities of the rows of one page, shape (n_rows, n_outputs).

        Raises ModelError if the model cannot be run, or gives something else.
        """
        n_rows, width = rows.shape[0], int(self.session.get_outputs()[0].shape[1])
        if n_rows == 0:
            return np.zeros((0, width), dtype=np.float32)
        dense = rows if isinstance(rows, np.ndarray) else rows.toarray()
        try:
            (outputs,) = self.session.run([OUTPUT], {INPUT: dense.astype(np.float32, copy=False)})
        except Exception as error:  # whatever its C++ side raises: none is documented
            raise ModelError(f"the ONNX model cannot be run: {error!s:.300}") from error
        if outputs.shape != (n_rows, width):
            raise ModelError(f"the ONNX model gives {outputs.shape}; expected {(n_rows, width)}")
        return np.asarray(outputs, dtype=np.float32)
