"""Label the regions of pages: labeller, training, explanation, model files and weights."""

from typing import TYPE_CHECKING

from structce.labelling.labeller import (
    DEFAULT_MODELS,
    Labelling,
    LearnerFactory,
    ModelChoice,
    RegionLabeller,
    corpus_card,
    encode_pages,
    find_model,
    fit_learner,
    make_learner,
)
from structce.labelling.model_files import MODEL_MANIFEST, ArticleTrees, check_target
from structce.lazy_import import lazy_names

if TYPE_CHECKING:
    from structce.labelling.explanation import (
        Explanation,
        ModelView,
        Share,
        answer_sentence,
        changes_sentence,
        format_signed,
        share_name,
        view_model,
    )

_LATE = """
    Explanation ModelView Share answer_sentence changes_sentence format_signed
    share_name view_model
"""

__all__ = [
    "DEFAULT_MODELS", "MODEL_MANIFEST", "ArticleTrees", "Explanation", "Labelling",
    "LearnerFactory", "ModelChoice", "ModelView", "RegionLabeller", "Share", "answer_sentence",
    "changes_sentence", "check_target", "corpus_card", "encode_pages", "find_model",
    "fit_learner", "format_signed", "make_learner", "share_name",
    "view_model",
]  # fmt: skip


__getattr__ = lazy_names(__name__, dict.fromkeys(_LATE.split(), f"{__name__}.explanation"))
