"""Learners: from matrices of named columns to a label for every region."""

from structce.learners.arrays import UNKNOWN
from structce.learners.base import Learner
from structce.learners.crf import LinearChainCRF
from structce.learners.greedy_svm import GreedySVM
from structce.learners.multiclass_svm import MulticlassSVM
from structce.learners.progress import Callback, Progress
from structce.learners.registry import LEARNERS, Registry, learner, load_learner
from structce.learners.structured_svm import StructuredSVM

__all__ = [
    "LEARNERS",
    "UNKNOWN",
    "Callback",
    "GreedySVM",
    "Learner",
    "LinearChainCRF",
    "MulticlassSVM",
    "Progress",
    "Registry",
    "StructuredSVM",
    "learner",
    "load_learner",
]
