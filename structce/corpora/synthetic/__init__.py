"""Invented pages of many kinds and sites, with the exact label of every region."""

from structce.corpora.synthetic.generate import SyntheticPage, Values, synthesise

__all__ = ["SyntheticPage", "Values", "synthesise"]
