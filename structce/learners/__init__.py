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
from structce.learners.registry import learner, load_learner
from structce.learners.storage import MODEL_REMEDY

if TYPE_CHECKING:
    from structce.learners.attribution import Attribution, attribute_label, find_counterfactual
    from structce.learners.boosted_chain import BoostedChain
    from structce.learners.boosted_trees import BoostedTrees
    from structce.learners.classifier_chain import ClassifierChain, classifier_learner
    from structce.learners.crf import CRF, LinearChainCRF
    from structce.learners.greedy_svm import GreedySVM
    from structce.learners.registry import LEARNERS
    from structce.learners.svm import MulticlassSVM, StructuredSVM

_LATE = {
    "attribution": "Attribution attribute_label find_counterfactual",
    "boosted_chain": "BoostedChain",
    "boosted_trees": "BoostedTrees",
    "classifier_chain": "ClassifierChain classifier_learner",
    "crf": "CRF LinearChainCRF",
    "greedy_svm": "GreedySVM",
    "registry": "LEARNERS",
    "svm": "MulticlassSVM StructuredSVM",
}

__all__ = [
    "CALIBRATION_METHODS", "CRF", "LEARNERS", "MODEL_REMEDY", "UNKNOWN_INDEX", "Attribution",
    "BoostedChain", "BoostedTrees", "CalibrationMethod", "Callback", "Chain", "ClassifierChain",
    "Features", "Gold", "GreedySVM", "Learner", "LinearChain", "LinearChainCRF", "LinearLearner",
    "MulticlassSVM", "Progress", "StructuredSVM", "attribute_label", "classifier_learner",
    "find_counterfactual", "forward_backward_batch", "learner", "load_learner",
    "suppress_solver_warnings", "viterbi",
]  # fmt: skip

__getattr__ = lazy_names(
    __name__,
    {name: f"{__name__}.{module}" for module, names in _LATE.items() for name in names.split()},
)
