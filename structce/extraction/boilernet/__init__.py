"""BoilerNet: text leaves of a page as a sequence, classified by a recurrent network."""

from structce.extraction.boilernet.leaves import (
    SKIPPED,
    TextLeaves,
    leaf_labels,
    leaf_of_words,
    leaf_words,
    text_leaves,
)
from structce.extraction.boilernet.method import (
    PIECE,
    BoilerNet,
    BoilerNetTraining,
    class_overlaps,
)
from structce.extraction.boilernet.storage import load_boilernet, save_boilernet, shipped_boilernet
from structce.extraction.boilernet.vocabulary import Vocabulary

__all__ = [
    "PIECE", "SKIPPED", "BoilerNet", "BoilerNetTraining", "TextLeaves", "Vocabulary",
    "class_overlaps", "leaf_labels", "leaf_of_words", "leaf_words", "load_boilernet",
    "save_boilernet", "shipped_boilernet", "text_leaves",
]  # fmt: skip
