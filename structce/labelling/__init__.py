"""Label the regions of pages: labeller, training, explanation, model files and weights."""

from typing import TYPE_CHECKING

from structce.doors import lazy_names
from structce.labelling.article_trees import ArticleTrees
from structce.labelling.labeller import (
    DEFAULT_MODELS,
    Labelling,
    ModelChoice,
    RegionLabeller,
    corpus_card,
    find_model,
)
from structce.labelling.model_files import MODEL_MANIFEST, check_target
from structce.labelling.training import LearnerFactory, encode_pages, fit_learner, make_learner

if TYPE_CHECKING:
    from structce.labelling.explanation import (
        ColumnShare,
        Explanation,
        Share,
        answer_sentence,
        changes_sentence,
        format_signed,
        largest_difference,
        share_name,
    )
    from structce.labelling.model_weights import ModelView, Weight, view_model
    from structce.labelling.notebook_card import Box, draw_boxes

_HOMES = {
    **dict.fromkeys(
        """
        ColumnShare Explanation Share answer_sentence changes_sentence format_signed
        largest_difference share_name
        """.split(),
        "structce.labelling.explanation",
    ),
    **dict.fromkeys("ModelView Weight view_model".split(), "structce.labelling.model_weights"),
    **dict.fromkeys("Box draw_boxes".split(), "structce.labelling.notebook_card"),
}

__all__ = [
    "DEFAULT_MODELS", "MODEL_MANIFEST", "ArticleTrees", "Box", "ColumnShare", "Explanation",
    "Labelling", "LearnerFactory", "ModelChoice", "ModelView", "RegionLabeller", "Share", "Weight",
    "answer_sentence", "changes_sentence", "check_target", "corpus_card", "draw_boxes",
    "encode_pages", "find_model", "fit_learner", "format_signed", "largest_difference",
    "make_learner", "share_name", "view_model",
]  # fmt: skip


__getattr__ = lazy_names(__name__, _HOMES)
