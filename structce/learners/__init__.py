"""Learners: from matrices of named columns to a label for every region."""

from structce.learners.attribution import Attribution, find_counterfactual, attribute_label
from structce.learners.backends.install import PYSTRUCT_RELEASE, add_pystruct, list_engines, remove_pystruct
from structce.learners.backends.pystruct_compat import pystruct_home
from structce.learners.base import Callback, Learner, Progress, quiet
from structce.learners.calibration import CALIBRATION_METHODS, CalibrationMethod
from structce.learners.crf import LinearChainCRF
from structce.learners.greedy_svm import GreedySVM
from structce.learners.linear_chain import LinearChain
from structce.learners.multiclass_svm import MulticlassSVM
from structce.learners.registry import LEARNERS, LearnerRegistry, learner, load_learner
from structce.learners.storage import MODEL_REMEDY
from structce.learners.structured_svm import StructuredSVM
from structce.learners.typing import UNKNOWN, Features

__all__ = [
    "LEARNERS",
    "CALIBRATION_METHODS",
    "MODEL_REMEDY",
    "PYSTRUCT_RELEASE",
    "UNKNOWN",
    "Callback",
    "Features",
    "GreedySVM",
    "Learner",
    "LinearChain",
    "LinearChainCRF",
    "CalibrationMethod",
    "MulticlassSVM",
    "Progress",
    "Attribution",
    "LearnerRegistry",
    "StructuredSVM",
    "add_pystruct",
    "find_counterfactual",
    "attribute_label",
    "learner",
    "list_engines",
    "load_learner",
    "pystruct_home",
    "quiet",
    "remove_pystruct",
]
