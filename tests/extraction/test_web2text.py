import math
from itertools import product

import numpy as np
import pytest

from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.web2text import (
    KERNELS,
    WIDTHS,
    ConvolutionalNetwork,
    Layer,
    Web2Text,
    fit_network,
)
from structce.extraction.web2text_features import (
    N_PAIRWISE,
    N_UNARY,
    CollapsedDom,
    pairwise_columns,
    pairwise_features,
    unary_columns,
    unary_features,
)

HARBOUR = "The ferry to the island will stop in June, the harbour master said on Monday."


def dom_of(html):
    return CollapsedDom.of(ParsedDocument(html))


def random_network(n_inputs, n_labels, seed=0):
    rng = np.random.default_rng(seed)
    inputs, outputs = (n_inputs, *WIDTHS), (*WIDTHS, n_labels)
    layers = [
        Layer(rng.normal(0, 0.2, (out, own, kernel)), rng.normal(0, 0.2, out))
        for own, out, kernel in zip(inputs, outputs, KERNELS, strict=True)
    ]
    return ConvolutionalNetwork(tuple(layers))


def random_extractor(seed=0):
    return Web2Text(random_network(N_UNARY, 2, seed), random_network(N_PAIRWISE, 4, seed + 1))


# Two leaves below the root: <p> with 18 characters of source, then <div><a>.
TINY = "<body><p>Hi Bob, see 1999?</p><div><a href=/>go</a></div><input></body>"


def test_features_of_a_leaf_are_those_worked_out_by_hand():
    # "Hi Bob, see 1999?": 17 characters, 4 words of 12, 2 capitals, 2 marks, 4 digits, 1 sentence
    of = {name: column[0] for name, column in unary_columns(dom_of(TINY)).items()}
    expected = {
        "duplicate": -1,
        "same_class_path": 1 / 2,
        "log_words": (math.log(4) - 1.5086) / 1.205,
        "log_characters": (math.log(17) - 3.392) / 1.06445,
        "mean_word_length": (12 / 4 - 4.910001) / 1.905709,
        "punctuation": (2 - 0.06938) / 0.4083676,
        "log_punctuation_ratio": (-2.5 + 3.338525) / 0.6058926,  # log(2 / 17) is cut
        "digit_ratio": (4 / 17 - 0.2655969) / 0.3052819,
        "log_sentence_length": (math.log(17) - 3.109) / 1.011,
        "ends_with_question": 1,
        "has_year": 1,
        "capitalised_3": (0.125 - 0.340843) / 0.4404389,
        "tag_p": 1,
        "tag_a": -1,
    }
    assert {name: of[name] for name in expected} == pytest.approx(expected)


def test_features_of_a_node_are_those_of_all_texts_below_it():
    # together 19 characters, 5 words of 14, 2 of 19 characters in a link, 1 of 5 a stop word
    of = {name: column[0] for name, column in unary_columns(dom_of(TINY)).items()}
    expected = {
        "parent.exists": 1,
        "parent.share": 1,
        "parent.link_density": (2 / 19 - 0.5) / 0.5,
        "parent.log_characters": (math.log(19) - 6) / 2.14,
        "parent.mean_word_length": (3 - 4.910001) / 1.905709,  # 14 / 5 is cut
        "parent.stop_word_ratio": -0.374 / 0.1529,
        "parent.log_sentence_length": (math.log(19 / 2) - 3.109) / 1.011,
        "parent.ends_with_question": -1,
        "parent.has_form": 1,
        "parent.tag_body": 1,
        "grandparent.exists": -1,
        "grandparent.has_form": 0,
        "root.share": 1,
    }
    assert {name: of[name] for name in expected} == pytest.approx(expected)


def test_features_of_neighbours_worked_out_by_hand():
    columns = pairwise_columns(dom_of("<div><p>a <b>b</b></p><p>c</p></div>d"))
    distances = [columns[f"distance_{n}"].tolist() for n in (2, 3, 4, "more")]
    assert distances == [[1, -1, -1], [-1, 1, 1], [-1, -1, -1], [-1, -1, -1]]
    assert columns["block_break"].tolist() == [-1, 1, 1]
    assert columns["common.log_characters"] == pytest.approx([(2.5 - 6) / 2.14] * 3)  # cut
    html = "a <b>b</b></p><p>c</p></div>d"  # as much as three nodes have of it
    lengths = [html.index(mark) + 1 for mark in ("b</b>", "c</p>")]
    shares = [length / len(html) for length in (*lengths, len(html))]
    assert columns["common.share"] == pytest.approx(shares)


def test_a_layer_sees_neighbours_and_zeros_at_the_ends():
    layer = Layer(np.array([[[1.0, 10.0, 100.0]]]), np.array([0.5]))
    assert layer(np.array([[1.0], [2.0], [3.0]])).ravel().tolist() == [210.5, 321.5, 32.5]


def test_the_best_labelling_of_all_is_chosen():
    html = f"<h1>Ferry</h1><p>{HARBOUR}</p><p>More</p><ul><li><a href=/>Home</a><li>News</ul>"
    dom = dom_of(html)
    for seed in range(10):
        system = random_extractor(seed)
        unary = system.unary.log_probabilities(unary_features(dom))
        pairs = system.pairwise.log_probabilities(pairwise_features(dom))

        def score(y, unary=unary, pairs=pairs):
            alone = sum(unary[i, label] for i, label in enumerate(y))
            together = (pairs[i, 2 * y[i] + y[i + 1]] for i in range(len(y) - 1))
            return alone + 0.1 * sum(together)

        best = max(product((0, 1), repeat=dom.n_leaves), key=score)
        assert system.choose(dom).tolist() == [bool(label) for label in best]


def test_numpy_and_pytorch_compute_the_same():
    torch = pytest.importorskip("torch")
    network, rows = random_network(6, 4), np.random.default_rng(2).normal(size=(20, 6))
    layer_output = torch.from_numpy(rows.T[None])
    for i, layer in enumerate(network.layers):
        layer_output = torch.relu(layer_output) if i else layer_output
        weights, bias = torch.from_numpy(layer.weights), torch.from_numpy(layer.bias)
        padding = layer.weights.shape[2] // 2
        layer_output = torch.nn.functional.conv1d(layer_output, weights, bias, padding=padding)
    theirs = torch.log_softmax(layer_output, dim=1)[0].T.numpy()
    assert network.log_probabilities(rows) == pytest.approx(theirs)


def test_a_network_learns_a_label_that_depends_on_the_neighbour():
    pytest.importorskip("torch")
    rng = np.random.default_rng(4)
    pages = [rng.choice([-1.0, 1.0], size=(30, 2)) for _ in range(20)]
    labels = [np.append(page[1:, 0] > 0, False).astype(np.int64) for page in pages]
    network = fit_network(pages[:15], labels[:15], 2, n_steps=300)
    predictions = [network.log_probabilities(page).argmax(axis=1)[:-1] for page in pages[15:]]
    right = np.mean([own == gold[:-1] for own, gold in zip(predictions, labels[15:], strict=True)])
    assert right > 0.95
    first, again = (fit_network(pages[:2], labels[:2], 2, n_steps=10) for _ in range(2))
    assert (again.layers[0].weights == first.layers[0].weights).all()


#   body+div (root) ─┬─ ul ─┬─ li+a "Home"
#                    │      └─ li+a "About us"
#                    ├─ h1 "The ferry"
#                    └─ p ─┬─ "Text"
#                          ├─ b "bold"
#                          └─ "end."
TREE = """<html><head><title>No leaf</title></head><body class=page><div class=main>
<ul class=menu><li><a href=/>Home</a></li><li><a href=/a>About
us</a></li></ul><h1>The ferry</h1><p>Text <b>bold</b> end.</p></div></body></html>"""


@pytest.fixture(scope="module")
def dom():
    return dom_of(TREE)


def test_leaves_are_the_texts_between_tags(dom):
    assert dom.texts == ["Home", "About us", "The ferry", "Text", "bold", "end."]


def test_inner_nodes_have_two_children_or_more(dom):
    assert len(dom) == dom.n_leaves + 3
    root, menu, paragraph = range(dom.n_leaves, len(dom))
    assert dom.root == root
    assert dom.parent.tolist() == [menu, menu, root, *[paragraph] * 3, -1, root, root]
    assert dom.first_leaf[[root, menu, paragraph]].tolist() == [0, 0, 3]
    assert dom.end_leaf[[root, menu, paragraph]].tolist() == [6, 2, 6]


def test_a_node_has_the_tags_of_all_its_elements(dom):
    names = ("html", "body", "div", "ul", "li", "a", "h1", "p", "b", "title")
    flags = dom.has_tag(names)
    tags = [{name for name, own in zip(names, row, strict=True) if own} for row in flags]
    menu = [{"li", "a"}, {"li", "a"}]
    assert tags == [*menu, {"h1"}, set(), {"b"}, set(), {"html", "body", "div"}, {"ul"}, {"p"}]


def test_distances_count_the_steps_by_the_common_ancestor(dom):
    root, menu, paragraph = range(dom.n_leaves, len(dom))
    assert dom.common_ancestor.tolist() == [menu, root, root, paragraph, paragraph]
    assert dom.distance.tolist() == [2, 3, 3, 2, 2]


def test_equal_names_and_classes_make_one_class_path():
    html = "<ul><li class='a b'>1<li class='b a'>2<li class=a>3</ul><ul><li class='a b'>4</ul>5"
    paths = dom_of(html).class_path
    assert paths[0] == paths[1] == paths[3]
    assert len({paths[0], paths[2], paths[4]}) == 3


def test_a_text_without_elements_is_a_leaf_and_the_root():
    dom = dom_of("Only a text")
    assert (dom.n_leaves, len(dom), dom.root) == (1, 1, 0)
    assert dom.parent.tolist() == [-1]
    assert dom_of("<div><p>a</p></div>").parent.tolist() == [-1]
