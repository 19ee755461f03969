"""BoilerNet: vocabulary, training, storage, the shipped model, NumPy and ONNX Runtime."""

import shutil

import numpy as np
import pytest
from random_taggers import random_tagger

from structce.errors import ModelError
from structce.extraction import ParsedDocument, make_extractor
from structce.extraction.boilernet import (
    MANIFEST,
    MODEL,
    VOCABULARY,
    BoilerNet,
    BoilerNetTraining,
    Vocabulary,
    load_boilernet,
    save_boilernet,
    text_leaves,
)

WORDS = ("ferry", "harbour", "june", "prices", "boats", "trains", "islands", "masters")


def make_pages(n, seed=0):
    """Pages with a menu, an article, and a footer with words of both."""
    rng = np.random.default_rng(seed)
    documents, texts = [], []
    for _ in range(n):
        menu = "".join(f"<li><a href=x>{word}</a></li>" for word in rng.choice(WORDS, 4))
        text = [" ".join(["the", *rng.choice(WORDS, 9), "."]) for _ in range(3)]
        body = "".join(f"<p>{word}</p>" for word in text)
        footer = f"<div>{' '.join(rng.choice(WORDS, 3))}</div>"
        documents.append(ParsedDocument(f"<ul>{menu}</ul><main>{body}</main>{footer}"))
        texts.append("\n".join(text))
    return documents, texts


def random_network(n_columns, seed=0):
    return random_tagger(n_columns, n_hidden=6, seed=seed)


@pytest.fixture
def extractor():
    vocabulary = Vocabulary(("html", "body", "p"), ("the", ".", *WORDS))
    return BoilerNet(vocabulary, random_network(vocabulary.n_columns))


@pytest.fixture
def model_folder(tmp_path, extractor):
    pytest.importorskip("onnx", reason="needs the extra onnx")
    pytest.importorskip("onnxruntime", reason="needs the extra onnx")
    save_boilernet(tmp_path / "model", extractor, training={"n_pages": 3}, card="# A model\n")
    return tmp_path / "model"


def test_leaves_of_high_probability_are_kept():
    (document,), _ = make_pages(1)
    leaves = text_leaves(document)
    vocabulary = Vocabulary(("p",), ("the",))

    class ByTag:
        n_columns = vocabulary.n_columns

        def probabilities(self, rows):
            return rows.toarray()[:, [1]]  # 1 inside a paragraph

    extraction = BoilerNet(vocabulary, ByTag()).extract(document)
    assert extraction.text.split() == " ".join(leaves.text[4:7]).split()
    assert len(extraction.text.splitlines()) == 3


def test_an_onnx_model_gives_the_probabilities_of_its_weights(extractor, model_folder):
    (document,), _ = make_pages(1)
    leaves = text_leaves(document)
    loaded = load_boilernet(model_folder)
    assert loaded.vocabulary == extractor.vocabulary
    assert np.allclose(loaded.probabilities(leaves), extractor.probabilities(leaves), atol=1e-5)
    assert make_extractor(f"boilernet:{model_folder}").extract(document) == loaded.extract(document)


@pytest.mark.parametrize("name", [MANIFEST, MODEL, VOCABULARY])
def test_a_folder_that_was_altered_is_refused(tmp_path, model_folder, name):
    for change in ("missing", "shorter", "other"):
        damaged = tmp_path / change
        shutil.copytree(model_folder, damaged)
        data = (damaged / name).read_bytes()
        if change == "missing":
            (damaged / name).unlink()
        else:
            (damaged / name).write_bytes(data[:-9] if change == "shorter" else b"x" + data[1:])
        with pytest.raises(ModelError):
            load_boilernet(damaged)


SMALL = {"n_dense": 8, "n_hidden": 8, "batch_size": 4, "learning_rate": 0.04, "n_epochs": 8}


def test_a_network_learns_to_tell_articles_from_menus():
    pytest.importorskip("torch", reason="needs the extra neural")
    documents, texts = make_pages(16)
    extractor = BoilerNetTraining(**SMALL).fit(documents, texts)
    others, golds = make_pages(4, seed=1)
    for document, gold in zip(others, golds, strict=True):
        assert extractor.extract(document).text.split() == gold.split()


def leaves_of(html):
    return text_leaves(ParsedDocument(html))


def rows_of(vocabulary, html):
    return vocabulary.encode(leaves_of(html)).toarray().astype(int).tolist()


def test_a_row_counts_tags_of_the_path_and_words():
    vocabulary = Vocabulary(("html", "div"), ("the", ","))
    #                      other tags, html, div | other words, the, comma
    assert rows_of(vocabulary, "<div><div>The ferry, the end</div></div><p>Over</p>") == [
        [1, 1, 2, 2, 2, 1],
        [2, 1, 0, 1, 0, 0],
    ]


def test_the_most_common_tags_and_words_are_listed():
    page = leaves_of("<div><p>a a b</p><p>c b a</p></div><i>d</i>")
    vocabulary = Vocabulary.of_pages([page], n_tags=3, n_words=2)
    assert vocabulary.tags == ("body", "html", "div")  # 3, 3, 2; p as often as div, later by name
    assert vocabulary.words == ("a", "b")
    assert vocabulary.n_columns == 2 + 3 + 2
