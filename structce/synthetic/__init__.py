"""Generator of synthetic pages of many kinds and sites, with exact labels for all regions."""

from structce.synthetic.generate import sample_pages, write_sample

__all__ = ["sample_pages", "write_sample"]
