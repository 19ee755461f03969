"""ONNX export of a tagger, run by ONNX Runtime beside NumPy."""

import numpy as np
import pytest

from structce.errors import ModelError
from structce.neural import OnnxTagger, export_onnx, quantise_onnx

onnx = pytest.importorskip("onnx", reason="needs the extra onnx")
pytest.importorskip("onnxruntime", reason="needs the extra onnx")


def random_rows(n_rows, n_columns=7, seed=0):
    return np.random.default_rng(seed).poisson(0.5, (n_rows, n_columns)).astype(np.float32)


@pytest.mark.parametrize("n_outputs", [1, 4])
@pytest.mark.parametrize("n_layers", [1, 2, 3])
@pytest.mark.parametrize("n_rows", [1, 2, 40])
def test_the_exported_network_agrees_with_numpy(make_tagger, n_outputs, n_layers, n_rows):
    tagger = make_tagger(n_outputs=n_outputs, n_layers=n_layers)
    rows = random_rows(n_rows)
    probabilities = OnnxTagger.of_bytes(export_onnx(tagger)).probabilities(rows)
    assert probabilities.shape == (n_rows, n_outputs)
    assert np.allclose(probabilities, tagger.probabilities(rows), atol=1e-5)


def test_a_quantised_network_is_smaller_and_about_the_same(make_tagger):
    tagger = make_tagger(n_columns=60, n_dense=48, n_hidden=48)
    scale = np.float32(0.2)
    small = type(tagger).of_arrays({k: v * scale for k, v in tagger.arrays().items()})
    model = export_onnx(small)
    quantised = quantise_onnx(model)
    rows = random_rows(30, 60)
    assert len(quantised) < 0.5 * len(model)
    probabilities = OnnxTagger.of_bytes(quantised).probabilities(rows)
    assert np.abs(probabilities - small.probabilities(rows)).max() < 0.1


@pytest.mark.parametrize("data", [b"", b"no model", b"\x08\x08"])
def test_other_bytes_are_an_error_of_ours(data):
    with pytest.raises(ModelError, match="ONNX"):
        OnnxTagger.of_bytes(data)


def test_a_graph_of_something_else_is_refused():
    helper, number = onnx.helper, onnx.TensorProto.FLOAT
    ends = [helper.make_tensor_value_info(name, number, [1]) for name in ("a", "b")]
    node = helper.make_node("Relu", ["a"], ["b"])
    graph = helper.make_graph([node], "other", ends[:1], ends[1:])
    opset = [helper.make_opsetid("", 17)]
    other = helper.make_model(graph, opset_imports=opset, ir_version=8)
    with pytest.raises(ModelError, match="expected"):
        OnnxTagger.of_bytes(other.SerializeToString())


def test_a_graph_whose_weights_lie_in_another_file_is_refused(make_tagger, tmp_path):
    model = onnx.load_model_from_string(export_onnx(make_tagger()))
    path = tmp_path / "model.onnx"
    onnx.save_model(
        model, path, save_as_external_data=True, location="weights.bin", size_threshold=0
    )
    data = path.read_bytes()
    key, value = b"\x0a\x08location", b"\x12\x0bweights.bin"
    assert key + value in data
    for refused in (data, data.replace(key + value, value + key)):  # fields in any order
        with pytest.raises(ModelError, match="other files"):
            OnnxTagger.of_bytes(refused)
