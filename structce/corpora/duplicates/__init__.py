"""Pages that are nearly the same, sites that share a template, and splits that part them."""

from structce.corpora.duplicates.groups import Pair
from structce.corpora.duplicates.leaks import Leak, check_split, refuse_leaks
from structce.corpora.duplicates.pages import find_duplicates, without_duplicates
from structce.corpora.duplicates.templates import find_families, find_templates, with_families

__all__ = [
    "Leak",
    "Pair",
    "check_split",
    "find_duplicates",
    "find_families",
    "find_templates",
    "refuse_leaks",
    "with_families",
    "without_duplicates",
]
