"""ContentExtractor: what pages of one class share is no content, as Algorithm 1 has it."""

import itertools
import math
import random
from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array

from structce.errors import ExtractionError
from structce.extraction import ParsedDocument, block_set, load_template, save_template
from structce.extraction.content_extractor import (
    EPSILON,
    SLACK,
    ContentExtractor,
    ContentTemplate,
    read_blocks,
    scale_of,
    similar_pairs,
)

MENU = "<ul><li><a href=/>Home</a><li><a href=/s>Sport</a><li><a href=/t>Town</a></ul>"
FOOTER = "<div>All rights reserved by the Harbour Post and those who write for it</div>"
STORIES = (
    "The ferry to the island will stop in June, the harbour master said on Monday.",
    "A library opens its doors again after years in which nobody was let in.",
    "Storms took the roof off the pier, and fishermen went looking for it.",
    "Prices of bread rose sharply while bakers blamed a poor harvest abroad.",
)


def similarity(first, other, scale):
    """Cosine of the vectors of two blocks: scaled counts, and one bit per term."""
    own, others = np.array(first.counts) * scale, np.array(other.counts) * scale
    shared = own @ others + len(first.terms & other.terms)
    squares = (own @ own + len(first.terms)) * (others @ others + len(other.terms))
    return float(shared / math.sqrt(squares))


def document_frequencies(pages, scale, epsilon=EPSILON):
    """Number of pages with each block, or a similar one, of each page: Algorithm 1."""

    def is_on(block, page):
        return any(similarity(block, other, scale) > epsilon + 1e-9 for other in page)

    return [
        [1 + sum(is_on(block, page) for page in pages if page is not own) for block in own]
        for own in pages
    ]


def page(text, menu=MENU, footer=FOOTER):
    return ParsedDocument(f"<html><body>{menu}<p>{text}</p>{footer}</body></html>")


@pytest.fixture
def template():
    return ContentExtractor().learn(page(text) for text in STORIES[:3])


def test_a_similar_block_is_the_same_block():
    footers = [f"{FOOTER[:-6]} {year}</div>" for year in (2024, 2025, 2026)]
    pages = [page(text, footer=footer) for text, footer in zip(STORIES, footers, strict=False)]
    template = ContentExtractor().learn(pages)
    assert [template.extract(page).text for page in pages] == list(STORIES[:3])
    assert template.extract(page(STORIES[3], footer=f"{FOOTER[:-6]} 2027</div>")).text == STORIES[3]


def test_max_df_is_a_number_of_pages_or_a_share_of_them():
    pages = [page(text, menu=MENU if n < 2 else "") for n, text in enumerate(STORIES)]
    for max_df in (2, 0.5, 0.74):
        text = ContentExtractor(max_df=max_df).learn(pages).extract(pages[0]).text
        assert text.split()[:3] == ["Home", "Sport", "Town"]
        assert "rights" not in text
    for max_df in (1, 0.49, 0.01):
        assert ContentExtractor(max_df=max_df).learn(pages).extract(pages[0]).text == STORIES[0]
    everything = ContentExtractor(max_df=1.0).learn(pages).extract(pages[0]).text
    assert "rights" in everything


def random_pages(rng, n_pages):
    """Pages of few words, so that many blocks are the same, similar, or nearly so."""
    vocabulary = [f"w{n}" for n in range(rng.randint(3, 30))]

    def piece():
        text = " ".join(rng.choices(vocabulary, k=rng.randint(0, 12)))
        media = "<img src=a>" * rng.choice((0, 0, 1, 3))
        media += "<a href=x>w1</a>" * rng.choice((0, 0, 2))
        return rng.choice(("<p>{}</p>", "<div>{}</div>", "<ul><li>{}</ul>")).format(text + media)

    def pieces():
        return (rng.choice((rng.choice(shared), piece())) for _ in range(rng.randint(1, 8)))

    shared = [piece() for _ in range(4)]
    return [ParsedDocument("".join(pieces())) for _ in range(n_pages)]


@pytest.mark.parametrize("epsilon", [0.5, 0.9])
def test_the_index_gives_what_the_quadratic_definition_gives(epsilon):
    rng = random.Random(f"maximum {epsilon}")
    for _ in range(25):
        documents = random_pages(rng, rng.randint(2, 7))
        method = ContentExtractor(epsilon=epsilon)
        try:
            template = method.learn(documents)
        except ExtractionError:
            continue
        read = [tuple(dict.fromkeys(read_blocks(block_set(document)))) for document in documents]
        pages = [page for page in dict.fromkeys(read) if page]
        scale = scale_of([block for page in pages for block in page])
        expected = document_frequencies(pages, scale, epsilon=epsilon)
        frequencies = {stored.block: stored.frequency for stored in template.stored}
        assert [[frequencies[block] for block in page] for page in pages] == expected


def test_an_update_gives_what_learning_from_all_at_once_gives(tmp_path):
    documents = random_pages(random.Random(5), 9)
    whole = ContentExtractor().learn(documents)
    first = ContentExtractor().learn(documents[:4])
    before = first.state()
    assert first.update(documents[4:]).state() == whole.state()
    assert first.state() == before
    save_template(first, tmp_path / "t")
    assert load_template(tmp_path / "t").update(documents[2:]).state() == whole.state()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"frequency":3', b'"frequency":4'),
        (b'"frequency":3', b'"frequency":0'),
        (b"[[0,3]]", b"[[2,1]]"),
        (b"[[0,3]]", b"[[0,9]]"),
        (b'"epsilon":0.9', b'"epsilon":9'),
    ],
)
def test_a_state_whose_numbers_cannot_be_is_refused(template, old, new):
    state = template.state()
    assert old in state.text
    with pytest.raises((ExtractionError, ValueError)):
        ContentTemplate.from_state(replace(state, text=state.text.replace(old, new, 1)))


def found_pairs(matrix, epsilon):
    pairs = [np.sort(own, axis=0).T for own in similar_pairs(csr_array(matrix), epsilon)]
    return [tuple(pair) for own in pairs for pair in own.tolist()]


def all_pairs(matrix, epsilon):
    """The definition: the cosine of each pair of rows that have one."""
    lengths = np.linalg.norm(matrix, axis=1)
    return {
        (i, j)
        for i, j in itertools.combinations(range(len(matrix)), 2)
        if lengths[i] * lengths[j] > 0
        and matrix[i] @ matrix[j] / (lengths[i] * lengths[j]) > epsilon + SLACK
    }


def random_matrix(rng, largest):
    shape = rng.integers(0, 40), rng.integers(1, 15)
    return (rng.random(shape) < rng.random()) * rng.integers(1, largest, shape).astype(float)


@pytest.mark.parametrize("epsilon", [0.3, 0.7, 0.9, 0.99])
@pytest.mark.parametrize("largest", [2, 4], ids=["bits", "counts"])
@pytest.mark.parametrize("last", [0.1, 1.0, 20.0])
def test_the_pairs_are_those_of_the_definition_each_once(epsilon, largest, last):
    rng = np.random.default_rng(7)
    n_found = 0
    for _ in range(60):
        matrix = random_matrix(rng, largest)
        matrix[:, -1] *= last
        pairs = found_pairs(matrix, epsilon)
        assert len(pairs) == len(set(pairs))
        assert set(pairs) == all_pairs(matrix, epsilon)
        n_found += len(pairs)
    assert n_found


def test_a_cosine_at_the_threshold_does_not_exceed_it():
    # nine words each, none in common: 81 / 90
    matrix = np.concatenate((np.full((2, 1), 9.0), np.repeat(np.eye(2), 9, axis=1)), axis=1)
    assert found_pairs(matrix, 0.9) == []
    assert found_pairs(matrix, 0.8999) == [(0, 1)]
