"""Marks of annotators in the page itself, and what they say of each region."""

from structce.corpora.marks.labels import labels_of_blocks, labels_of_marks

__all__ = ["labels_of_blocks", "labels_of_marks"]
