"""Corpora of labelled pages: in memory, on disk, split, merged, checked, summarised, exported."""

from structce.corpus.corpus import Corpus, RawPage, open_corpus, read_raw, save_raw
from structce.corpus.duplicates import (
    SimilarPair,
    find_duplicates,
    find_templates,
    refuse_leaks,
    with_families,
    with_groups,
    without_duplicates,
)
from structce.corpus.export import EXPORTS
from structce.corpus.merge import (
    JUDGED,
    Judgement,
    judged_page,
    merge,
    read_judgements,
    with_judgements,
)
from structce.corpus.quality import (
    summarise,
    validate,
)
from structce.corpus.splits import (
    SPLIT_BY,
    Split,
    SplitBy,
    are_shares,
    split_groups,
)
from structce.corpus.storage import (
    CORPUS_MANIFEST,
    DAMAGED,
    CorpusEditor,
    CorpusWriter,
    LabelledPage,
    Manifest,
    create_corpus,
    is_page_id,
    label_set_of,
    read_json,
    read_labelled_page,
    read_manifest,
)
from structce.corpus.views import VIEWS, View, hide_metadata, keep_regions, views_of

__all__ = [
    "CORPUS_MANIFEST", "DAMAGED", "EXPORTS", "JUDGED", "SPLIT_BY", "VIEWS",
    "Corpus", "CorpusEditor", "CorpusWriter", "Judgement", "LabelledPage",
    "Manifest", "RawPage", "SimilarPair", "Split", "SplitBy", "View", "are_shares",
    "create_corpus", "find_duplicates", "find_templates", "hide_metadata", "is_page_id",
    "judged_page", "keep_regions", "label_set_of", "merge", "open_corpus", "read_json",
    "read_judgements", "read_labelled_page", "read_manifest", "read_raw", "refuse_leaks",
    "save_raw", "split_groups", "summarise", "validate", "views_of", "with_families", "with_groups",
    "with_judgements", "without_duplicates",
]  # fmt: skip
