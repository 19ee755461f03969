"""Corpora of labelled pages: in memory, on disk, split, merged, checked, summarised, exported."""

from structce.corpus.corpus import Corpus, RawPage, open_corpus, read_raw, save_raw
from structce.corpus.duplicates import (
    DUPLICATE_THRESHOLD,
    SimilarPair,
    find_duplicates,
    find_templates,
    refuse_leaks,
    with_families,
    with_groups,
    without_duplicates,
)
from structce.corpus.export import ENCODED, PLAIN, names_file
from structce.corpus.merge import (
    COVERAGES,
    JUDGED,
    Coverage,
    Judgement,
    judged_page,
    merge,
    read_judgements,
    with_judgements,
)
from structce.corpus.quality import (
    IN_GOLD,
    ON_PAGE,
    ORDERS,
    STATES,
    UNCERTAIN,
    AuditCard,
    DiffPart,
    RegionView,
    Summary,
    audit_sample,
    draw_plots,
    matches_by_region,
    most_similar_region,
    region_view,
    region_words,
    select_fields,
    shorten,
    summarise,
    uncertainty,
    validate,
)
from structce.corpus.splits import (
    PART_SIZES,
    SPLIT_BY,
    WHOLE_SITES,
    Split,
    SplitBy,
    are_counts,
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
    "CORPUS_MANIFEST", "COVERAGES", "DAMAGED", "DUPLICATE_THRESHOLD", "ENCODED", "IN_GOLD",
    "JUDGED", "ON_PAGE",
    "ORDERS", "PART_SIZES", "PLAIN", "SPLIT_BY", "STATES", "UNCERTAIN", "VIEWS", "WHOLE_SITES",
    "AuditCard", "Corpus", "CorpusEditor", "CorpusWriter", "Coverage", "DiffPart",
    "Judgement", "LabelledPage", "Manifest", "RawPage", "RegionView", "SimilarPair",
    "Split", "SplitBy", "Summary", "View", "are_counts", "are_shares", "audit_sample",
    "create_corpus", "draw_plots", "find_duplicates", "find_templates",
    "hide_metadata", "is_page_id", "judged_page", "keep_regions", "label_set_of",
    "matches_by_region", "merge", "most_similar_region", "names_file",
    "open_corpus", "read_json", "read_judgements", "read_labelled_page", "read_manifest",
    "read_raw", "refuse_leaks", "region_view", "region_words", "save_raw", "select_fields",
    "shorten", "split_groups", "summarise", "uncertainty", "validate", "views_of",
    "with_families", "with_groups", "with_judgements", "without_duplicates",
]  # fmt: skip
