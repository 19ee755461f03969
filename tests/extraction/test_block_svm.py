"""Blocks told apart by a support vector machine."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.svm import SVC

from structce.errors import ExtractionError, ModelError
from structce.extraction import TRAINABLE_METHODS, ParsedDocument, make_extractor, text_blocks
from structce.extraction.block_svm import BlockSVM, LabelledBlocks
from structce.extraction.classifiers import SupportVectors
from structce.extraction.trained import TrainedExtractor, Training, read_trained, save_trained

SENTENCE = "The ferry to the island will stop in June, the harbour master number {} said. "


def page(n):
    """A page, and its text."""
    text = "".join(SENTENCE.format(n * 10 + i) for i in range(4 + n % 3))
    items = "".join(f"<li><a href=x>Item {i}</a>" for i in range(3 + n % 4))
    html = (
        f"<body><div class='site-nav'><ul>{items}</ul></div><div id=main><p>{text}</p>"
        f"<p>{text.upper()}</p></div><div class=footer><p>{'Words of the house. ' * (3 + n)}</p>"
    )
    return ParsedDocument(html), f"{text}\n{text.upper()}"


PAGES, TEXTS = zip(*map(page, range(8)), strict=True)
NAMES = ("block-svm", "block-svm-position", "block-svm-text")


def words(text):
    return text.split()


@pytest.mark.parametrize("name", NAMES)
def test_pages_like_those_of_training_are_read(name):
    extractor = TRAINABLE_METHODS[name]().fit(PAGES, TEXTS)
    unseen, text = page(11)
    extracted = words(extractor.extract(unseen).text)
    assert set(words(text)) <= set(extracted)
    assert "Item" not in extracted


@pytest.mark.parametrize(("name", "n_columns"), [*zip(NAMES, (7 + 1 + 3, 8, 7), strict=True)])
def test_the_feature_sets_are_those_of_the_figures(name, n_columns):
    columns = TRAINABLE_METHODS[name]().fit(PAGES, TEXTS).columns
    assert columns.n_columns == n_columns
    assert columns.rows(text_blocks(PAGES[0])).shape == (len(text_blocks(PAGES[0])), n_columns)


def test_tokens_are_the_surest_signs_of_other_blocks():
    columns = BlockSVM(n_tokens=2).fit(PAGES, TEXTS).columns
    assert columns.tokens == ("nav", "site")


def test_fitting_twice_gives_the_same_and_leaves_the_method_as_it_was():
    method = BlockSVM(max_blocks=30)
    first, second = method.fit(PAGES, TEXTS), method.fit(PAGES, TEXTS)
    assert method == BlockSVM(max_blocks=30)
    assert (first.machine.vectors == second.machine.vectors).all()
    assert first.machine.intercept == second.machine.intercept


@pytest.mark.parametrize("name", NAMES)
def test_blocks_labelled_page_by_page_teach_what_the_pages_teach(name):
    method = TRAINABLE_METHODS[name]()
    parts = [method.label([page], [text]) for page, text in zip(PAGES, TEXTS, strict=True)]
    joined, whole = method.fit_blocks(LabelledBlocks.join(parts)), method.fit(PAGES, TEXTS)
    assert joined.columns == whole.columns
    unseen, _ = page(11)
    assert joined.extract(unseen) == whole.extract(unseen)


@pytest.mark.parametrize("name", NAMES)
def test_a_saved_classifier_says_the_same(name, tmp_path):
    extractor = TRAINABLE_METHODS[name]().fit(PAGES, TEXTS)
    path = tmp_path / "news.trained"
    save_trained(path, TrainedExtractor(name, extractor, Training()))
    loaded = make_extractor(f"trained:{path}")
    rows = extractor.columns.rows(text_blocks(PAGES[0]))
    assert (loaded.machine.decision(rows) == extractor.machine.decision(rows)).all()
    assert loaded.extract(PAGES[0]) == extractor.extract(PAGES[0])


def test_settings_that_do_not_fit_the_arrays_are_refused(tmp_path):
    extractor = BlockSVM("text").fit(PAGES, TEXTS)
    wrong = replace(extractor, columns=replace(extractor.columns, features="text+position"))
    path = tmp_path / "wrong.trained"
    save_trained(path, TrainedExtractor("block-svm", wrong, Training()))
    with pytest.raises(ModelError, match="damaged support vectors"):
        read_trained(path)


@pytest.mark.parametrize("texts", [["", ""], [SENTENCE * 9, "Words"]])
def test_pages_of_one_kind_of_block_teach_nothing(texts):
    documents = [ParsedDocument(f"<p>{SENTENCE * 9}"), ParsedDocument("<p>Words")]
    with pytest.raises(ExtractionError, match="both kinds"):
        BlockSVM().fit(documents, texts)


def test_no_page_teaches_nothing():
    with pytest.raises(ExtractionError, match="both kinds"):
        BlockSVM().fit([], [])


@pytest.mark.parametrize(
    "parameters",
    [{"features": "more"}, {"n_positions": 0}, {"n_tokens": 0}, {"C": 0}, {"gamma": -1}],
)
def test_bad_parameters_are_refused(parameters):
    with pytest.raises(ExtractionError):
        BlockSVM(**parameters).fit(PAGES, TEXTS)


@pytest.mark.parametrize("html", ["", "<p>", "Word", "<p>one<p>two", "<a>b</a>" * 3000])
def test_any_page_is_read(html):
    extractor = BlockSVM().fit(PAGES, TEXTS)
    extraction = extractor.extract(ParsedDocument(html))
    assert set(words(extraction.text)) <= {"Word", "one", "two", "b" * 3000}


def rows_of(n, seed=0):
    """Random rows, many of them equal, and which are content: a disc, with noise."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, 3)).round(1) * [1, 10, 100]
    return rows, (rows[:, 0] ** 2 + (rows[:, 1] / 10) ** 2 < 1) ^ (rng.random(n) < 0.05)


def test_decisions_are_those_of_scikit_learn():
    rows, is_content = rows_of(400)
    machine = SupportVectors.fit(rows, is_content, C=2.0)
    scaled = (rows - rows.min(axis=0)) / (rows.max(axis=0) - rows.min(axis=0))
    peer = SVC(C=2.0, gamma=1 / 3, tol=1e-6).fit(scaled, is_content)  # equal rows many times
    expected = peer.decision_function(scaled)
    decisions = machine.decision(rows)
    assert np.abs(decisions - expected).max() < 0.02  # libsvm stops at 0.001 of its own criterion
    assert (np.sign(decisions) == np.sign(expected))[np.abs(expected) > 0.02].all()


def test_blocks_beyond_the_cap_are_drawn_by_the_seed():
    rows, is_content = rows_of(400)
    first, same, other = (
        SupportVectors.fit(rows, is_content, max_rows=100, seed=seed) for seed in (1, 1, 2)
    )
    assert len(first.vectors) <= 100
    assert (first.vectors == same.vectors).all()
    assert first.vectors.shape != other.vectors.shape or (first.vectors != other.vectors).any()


def test_values_beyond_those_of_training_count_as_the_last():
    rows, is_content = rows_of(200)
    machine = SupportVectors.fit(rows, is_content)
    far = rows.max(axis=0)[None]
    assert machine.decision(far * 1000) == pytest.approx(machine.decision(far))


def test_many_rows_are_judged_as_few(monkeypatch):
    rows, is_content = rows_of(200)
    machine = SupportVectors.fit(rows, is_content)
    whole = machine.decision(rows)
    monkeypatch.setattr("structce.extraction.classifiers._CELLS", 500)
    assert machine.decision(rows) == pytest.approx(whole)


@pytest.mark.parametrize("name", ["vectors", "coefficients", "low", "width", "constants"])
@pytest.mark.parametrize("damage", ["gone", "short", "scalar"])
def test_damaged_arrays_are_refused(name, damage):
    rows, is_content = rows_of(100)
    arrays = SupportVectors.fit(rows, is_content).arrays()
    if damage == "gone":
        del arrays[name]
    else:
        arrays[name] = arrays[name][:-1] if damage == "short" else np.array(1.0)
    with pytest.raises(ExtractionError, match="damaged"):
        SupportVectors.of_arrays(arrays, 3)
