"""Learners: from matrices of named columns to a label for every region."""

from structce.learners.attribution import Reasons, find_flip, find_reasons
from structce.learners.backends.install import PYSTRUCT, add_pystruct, list_engines, remove_pystruct
from structce.learners.backends.pystruct_compat import pystruct_home
from structce.learners.base import Callback, Learner, Progress, quiet
from structce.learners.calibration import METHODS, Method
from structce.learners.crf import LinearChainCRF
from structce.learners.greedy_svm import GreedySVM
from structce.learners.linear_chain import LinearChain
from structce.learners.multiclass_svm import MulticlassSVM
from structce.learners.registry import LEARNERS, Registry, learner, load_learner
from structce.learners.storage import NEXT_STEP
from structce.learners.structured_svm import StructuredSVM
from structce.learners.typing import UNKNOWN, Features

__all__ = [
    "LEARNERS",
    "METHODS",
    "NEXT_STEP",
    "PYSTRUCT",
    "UNKNOWN",
    "Callback",
    "Features",
    "GreedySVM",
    "Learner",
    "LinearChain",
    "LinearChainCRF",
    "Method",
    "MulticlassSVM",
    "Progress",
    "Reasons",
    "Registry",
    "StructuredSVM",
    "add_pystruct",
    "find_flip",
    "find_reasons",
    "learner",
    "list_engines",
    "load_learner",
    "pystruct_home",
    "quiet",
    "remove_pystruct",
]
