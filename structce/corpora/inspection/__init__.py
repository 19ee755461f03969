"""Looking at what was matched: one page, or the least certain matches of many."""

from structce.corpora.inspection.audit_page import audit_page, card_key
from structce.corpora.inspection.auditing import Card, Sample, audit_sample
from structce.corpora.inspection.region_page import region_page, wireframe

__all__ = ["Card", "Sample", "audit_page", "audit_sample", "card_key", "region_page", "wireframe"]
