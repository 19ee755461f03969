"""Extractors behind HTTP proxies: any of ours as one, and anybody's measured through one."""

from structce.extraction.proxies.document_server import LOOPBACK, DocumentServer
from structce.extraction.proxies.proxy_server import ExtractionProxy
from structce.extraction.proxies.rewriting import rewrite, shown_text

__all__ = ["LOOPBACK", "DocumentServer", "ExtractionProxy", "rewrite", "shown_text"]
