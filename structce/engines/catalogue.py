"""What can train the learners, and whether it is here."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec

from structce.errors import MissingExtraError
from structce.learners.pystruct_import import NEXT_STEP, import_pystruct, pystruct_home


@dataclass(frozen=True)
class Engine:
    """An engine, the learners that can use it, whether it is here, and what would bring it."""

    name: str
    learners: str
    usable: bool
    found: str
    next_step: str = ""


def list_engines() -> list[Engine]:
    """Return every engine; one is usable if it can be imported now."""
    own, svms = "part of structce", "multiclass-svm, greedy-svm, structured-svm"
    return [
        Engine("frank-wolfe", svms, True, own),
        Engine("sgd", svms, True, own),
        Engine("lbfgs", "linear-chain-crf", True, own),
        _crfsuite(),
        _pystruct(),
    ]


def _crfsuite() -> Engine:
    learners = "linear-chain-crf"
    try:
        return Engine("crfsuite", learners, True, metadata.version("sklearn-crfsuite"))
    except metadata.PackageNotFoundError:
        mend = "pip install sklearn-crfsuite"
        return Engine("crfsuite", learners, False, "not installed", mend)


def _pystruct() -> Engine:
    learners = "structured-svm"
    try:
        import_pystruct("pystruct.learners")
    except MissingExtraError as error:
        if not pystruct_home().is_dir():
            return Engine("pystruct", learners, False, "not installed", NEXT_STEP)
        mend = f"structce engines remove pystruct && {NEXT_STEP}"
        return Engine("pystruct", learners, False, str(error.__cause__ or error), mend)
    found = str(import_pystruct().__version__)
    if find_spec("cvxopt"):
        return Engine("pystruct", learners, True, found)
    found += ", without cvxopt: no one-slack"
    return Engine("pystruct", learners, True, found, "pip install 'structce[pystruct]'")
