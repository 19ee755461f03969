"""Training of taggers in PyTorch."""

import numpy as np
import pytest
import scipy

from structce.errors import LearnerError
from structce.neural import balanced_weights, train_tagger

torch = pytest.importorskip("torch", reason="needs the extra neural")

SMALL = {"n_dense": 8, "n_hidden": 8, "n_layers": 2, "dropout": 0.2, "n_epochs": 2, "batch_size": 3}


def page(rng, n_rows):
    return scipy.sparse.csr_array(rng.poisson(0.4, (n_rows, 5)).astype(np.float32))


@pytest.fixture(scope="module")
def page_rows():
    rng = np.random.default_rng(0)
    return [page(rng, n_rows) for n_rows in (3, 0, 17, 1, 9, 8, 30)]


def echo(pages):
    """Labels that only the row before knows: whether its first column is above 0."""
    columns = [page.toarray()[:, 0] for page in pages]
    return [np.append(0, column[:-1] > 0)[: len(column)].astype(np.int64) for column in columns]


def train(pages, labels, **options):
    return train_tagger(pages, labels, **{"learning_rate": 1e-3, "seed": 0, **SMALL, **options})


def test_a_rule_about_the_row_before_is_learnt(page_rows):
    rng = np.random.default_rng(1)
    many = [page(rng, 12) for _ in range(30)]
    network = train(many, echo(many), n_epochs=20, learning_rate=0.04)
    gold = np.concatenate(echo(page_rows))
    predicted = np.concatenate(network.scores(page_rows)) > 0
    assert (predicted == (gold > 0)).mean() > 0.9
    assert 0.1 < gold.mean() < 0.9


def test_numpy_gives_the_scores_of_the_network(page_rows):
    network = train(page_rows, echo(page_rows))
    tagger = network.tagger()
    for page, scores in zip(page_rows, network.scores(page_rows), strict=True):
        assert np.allclose(tagger.scores(page.astype(np.float32))[:, 0], scores, atol=1e-5)


def test_one_seed_gives_one_result_and_leaves_pytorch_alone(page_rows):
    torch.manual_seed(5)
    before = torch.rand(1).item()
    torch.manual_seed(5)
    first, second, other = (
        train(page_rows, echo(page_rows), seed=seed).tagger() for seed in (3, 3, 4)
    )
    assert torch.rand(1).item() == before
    assert np.array_equal(first.output, second.output)
    assert not np.array_equal(first.output, other.output)


def test_pages_without_rows_teach_nothing(page_rows):
    with pytest.raises(LearnerError, match="no page has a row"):
        train([page_rows[1]], [np.zeros(0, dtype=np.int64)])


def test_scores_that_are_not_finite_are_an_error(page_rows):
    broken = [page * np.float32(np.inf) if page.shape[0] == 30 else page for page in page_rows]
    with pytest.raises(LearnerError, match="NaN or infinity"):
        train(broken, echo(page_rows))


@pytest.mark.parametrize("sizes", [{"n_dense": 0}, {"n_layers": 0}, {"dropout": 1.0}])
def test_impossible_networks_are_refused(page_rows, sizes):
    with pytest.raises(LearnerError, match="expected sizes"):
        train(page_rows, echo(page_rows), **sizes)


def test_the_loss_is_the_weighted_cross_entropy_of_the_rows(page_rows):
    labels, seen = echo(page_rows), []
    train(
        page_rows, labels, n_epochs=1, batch_size=99, weights=(1.0, 2.0), dropout=0.0,
        learning_rate=1e-9, on_epoch=lambda number, loss, network: seen.append((loss, network)),
    )  # fmt: skip
    ((loss, network),) = seen
    scores, gold = np.concatenate(network.scores(page_rows)), np.concatenate(labels)
    losses = np.logaddexp(0, np.where(gold == 1, -scores, scores)) * np.where(gold == 1, 2, 1)
    assert loss == pytest.approx(losses.mean(), rel=1e-5)


def test_balanced_labels_have_the_same_total_weight():
    zero, positive = balanced_weights([np.array([0, 0, 0, 1])])
    assert (3 * zero, positive) == pytest.approx((2, 2))
