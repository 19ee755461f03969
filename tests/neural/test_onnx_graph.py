"""ONNX export of a tagger, run by ONNX Runtime beside NumPy."""

from dataclasses import replace

import numpy as np
import pytest
from random_taggers import random_tagger

from structce.errors import ModelError
from structce.neural import OnnxTagger, export_onnx, quantise_onnx

onnx = pytest.importorskip("onnx", reason="needs the extra onnx")
pytest.importorskip("onnxruntime", reason="needs the extra onnx")


def random_rows(n_rows, n_columns=7, seed=0):
    return np.random.default_rng(seed).poisson(0.5, (n_rows, n_columns)).astype(np.float32)


@pytest.mark.parametrize("n_layers", [1, 2, 3])
@pytest.mark.parametrize("n_rows", [1, 2, 40])
def test_the_exported_network_agrees_with_numpy(n_layers, n_rows):
    tagger = random_tagger(n_layers=n_layers)
    rows = random_rows(n_rows)
    probabilities = OnnxTagger.of_bytes(export_onnx(tagger)).probabilities(rows)
    assert probabilities.shape == (n_rows, 1)
    assert np.allclose(probabilities, tagger.probabilities(rows), atol=1e-5)


def test_a_quantised_network_is_smaller_and_about_the_same():
    tagger = random_tagger(n_columns=60, n_dense=48, n_hidden=48)
    small = replace(tagger, dense=tagger.dense / 5, output=tagger.output / 5)
    model = export_onnx(small)
    quantised = quantise_onnx(model)
    rows = random_rows(30, 60)
    assert len(quantised) < 0.5 * len(model)
    probabilities = OnnxTagger.of_bytes(quantised).probabilities(rows)
    assert np.abs(probabilities - small.probabilities(rows)).max() < 0.1


def graph_of(*nodes, weights=(), functions=(), domain="", width=7):
    """Return an ONNX model of nodes: operator, inputs, output, attributes."""
    helper, number = onnx.helper, onnx.TensorProto.FLOAT
    made = [
        helper.make_node(name, ins, [out], domain=domain, **more) for name, ins, out, more in nodes
    ]
    ends = [helper.make_tensor_value_info(name, number, ["n_rows", width]) for name in ENDS]
    named = [onnx.numpy_helper.from_array(array, name) for name, array in dict(weights).items()]
    graph = helper.make_graph(made, "other", ends[:1], ends[1:], named)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("evil", 1)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=8, functions=functions)
    return model.SerializeToString()


def changed(change):
    """Return a function from a tagger's model to one in which something is different."""

    def make(model):
        model = onnx.load_model_from_string(model)
        change(model)
        return model.SerializeToString()

    return make


def loop():
    """A loop that nearly never ends."""
    helper, number = onnx.helper, onnx.TensorProto
    value = helper.make_tensor_value_info
    names = [("i", number.INT64), ("go", number.BOOL), ("x", number.FLOAT)]
    ins = [value(name, kind, []) for name, kind in names]
    outs = [value(f"{name}2", kind, []) for name, kind in names[1:]]
    nodes = [helper.make_node("Identity", [name], [f"{name}2"]) for name, _ in names[1:]]
    return helper.make_graph(nodes, "body", ins, outs)


def outside(model):
    weights = model.graph.initializer[0]
    weights.data_location = onnx.TensorProto.EXTERNAL
    place = weights.external_data.add()
    place.key, place.value = "location", "/etc/passwd"


ENDS = ("rows", "probabilities")
COUNT = {"n": np.array([2**33])}
CODE = ("Loop", ["n", "", "rows"], ENDS[1], {"body": loop()})
RELU = ("Relu", ["rows"], ENDS[1], {})
HOSTILE = {
    "nothing": (lambda model: b"", "ONNX"),
    "half": (lambda model: model[: len(model) // 2], "not an ONNX model"),
    "weights in a file": (changed(outside), "'dense' are in other files"),
    "huge weights": (
        changed(lambda model: model.graph.initializer[0].dims.__setitem__(0, 2**40)),
        "do not fit the file",
    ),
    "texts as weights": (
        changed(lambda model: setattr(model.graph.initializer[0], "data_type", 8)),
        "ONNX",
    ),
    "sparse weights": (
        changed(lambda model: model.graph.sparse_initializer.add().dims.extend([2**30] * 2)),
        "sparse weights",
    ),
    "another input": (changed(lambda model: setattr(model.graph.input[0], "name", "x")), "ONNX"),
    "loop": (lambda model: graph_of(CODE, weights=COUNT), "operator 'Loop'"),
    "operator of somebody": (lambda model: graph_of(RELU, domain="evil"), "operator 'evil.Relu'"),
    "unknown width": (lambda model: graph_of(RELU, width="m"), "a number each"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_graphs_are_errors_before_they_run(name):
    make, message = HOSTILE[name]
    with pytest.raises(ModelError, match=message):
        OnnxTagger.of_bytes(make(export_onnx(random_tagger())))


def test_a_graph_that_cannot_be_run_is_an_error():
    def narrow(model):
        width = next(w for w in model.graph.initializer if w.name == "width0")
        width.raw_data = np.array([2**31, 0, -1]).tobytes()

    tagger = OnnxTagger.of_bytes(changed(narrow)(export_onnx(random_tagger())))
    with pytest.raises(ModelError, match="cannot be run"):
        tagger.probabilities(random_rows(3))
