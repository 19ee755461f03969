"""Learners: models that label every region of a page, or every item of any sequence."""

from typing import TYPE_CHECKING

from structce.arrays import UNKNOWN_INDEX
from structce.lazy_import import lazy_names
from structce.learners.base import Callback, Learner, Progress, suppress_solver_warnings
from structce.learners.calibration import CALIBRATION_METHODS, CalibrationMethod
from structce.learners.classes import Gold
from structce.learners.inference.forward_backward import forward_backward_batch
from structce.learners.inference.viterbi import viterbi
from structce.learners.inputs import Features
from structce.learners.linear import Chain, LinearChain, LinearLearner
from structce.learners.registry import LearnerRegistry, learner, load_learner
from structce.learners.storage import MODEL_REMEDY

if TYPE_CHECKING:
    from structce.learners.attribution import Attribution, attribute_label, find_counterfactual
    from structce.learners.backends.pystruct import (
        add_pystruct,
        list_engines,
        pystruct_home,
    )
    from structce.learners.bilstm import BiLSTM, BiLSTMCRF
    from structce.learners.boosted_chain import BoostedChain
    from structce.learners.boosted_trees import BoostedTrees
    from structce.learners.classifier_chain import ClassifierChain, classifier_learner
    from structce.learners.crf import CRF, LinearChainCRF
    from structce.learners.greedy_svm import GreedySVM
    from structce.learners.registry import LEARNERS
    from structce.learners.svm import MulticlassSVM, StructuredSVM

_HOMES = {
    "BiLSTM": "structce.learners.bilstm",
    "BiLSTMCRF": "structce.learners.bilstm",
    "BoostedChain": "structce.learners.boosted_chain",
    "BoostedTrees": "structce.learners.boosted_trees",
    "CRF": "structce.learners.crf",
    "ClassifierChain": "structce.learners.classifier_chain",
    "GreedySVM": "structce.learners.greedy_svm",
    "LEARNERS": "structce.learners.registry",
    "LinearChainCRF": "structce.learners.crf",
    "MulticlassSVM": "structce.learners.svm",
    "StructuredSVM": "structce.learners.svm",
    "classifier_learner": "structce.learners.classifier_chain",
    **dict.fromkeys(
        "Attribution attribute_label find_counterfactual".split(), "structce.learners.attribution"
    ),
    **dict.fromkeys(
        "add_pystruct list_engines pystruct_home".split(),
        "structce.learners.backends.pystruct",
    ),
}

__all__ = [
    "CALIBRATION_METHODS", "CRF", "LEARNERS", "MODEL_REMEDY", "UNKNOWN_INDEX", "Attribution",
    "BiLSTM", "BiLSTMCRF", "BoostedChain", "BoostedTrees", "CalibrationMethod", "Callback", "Chain",
    "ClassifierChain", "Features", "Gold", "GreedySVM", "Learner", "LearnerRegistry", "LinearChain",
    "LinearChainCRF", "LinearLearner", "MulticlassSVM", "Progress", "StructuredSVM", "add_pystruct",
    "attribute_label", "classifier_learner", "find_counterfactual", "forward_backward_batch",
    "learner", "list_engines", "load_learner", "pystruct_home", "suppress_solver_warnings",
    "viterbi",
]  # fmt: skip

__getattr__ = lazy_names(__name__, _HOMES)
