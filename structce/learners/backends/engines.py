"""Engines that train the learners, and which of them are available."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from importlib import metadata
from importlib.util import find_spec

from structce.errors import MissingExtraError
from structce.learners.backends.pystruct_package import ADD_COMMAND, import_pystruct, pystruct_home


@dataclass(frozen=True)
class Engine:
    """An engine, the learners that can use it, whether it is usable, and how to install it."""

    name: str
    learners: str
    usable: bool
    found: str
    next_step: str = ""


def list_engines() -> list[Engine]:
    """Return all engines; an engine is usable if it can be imported now."""
    own, svms = "part of structce", "multiclass-svm, greedy-svm, structured-svm"
    return [
        Engine("frank-wolfe", svms, True, own),
        Engine("lbfgs", "linear-chain-crf", True, own),
        Engine("crfsuite", "linear-chain-crf", True, metadata.version("sklearn-crfsuite")),
        _pystruct(),
    ]


def _pystruct() -> Engine:
    engine = partial(Engine, "pystruct", "structured-svm")
    try:
        import_pystruct("pystruct.learners")
    except MissingExtraError as error:
        if not pystruct_home().is_dir():
            return engine(False, "not installed", ADD_COMMAND)
        remedy = f"structce engines remove pystruct && {ADD_COMMAND}"
        return engine(False, str(error.__cause__ or error), remedy)
    version = str(import_pystruct().__version__)
    if find_spec("cvxopt"):
        return engine(True, version)
    version += ", without cvxopt: no one-slack"
    return engine(True, version, "pip install 'structce[pystruct]'")
