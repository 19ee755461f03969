"""Extractors behind HTTP proxies: ours served as a proxy, and others measured through one."""

from structce.extraction.proxies.document_server import LOOPBACK, DocumentServer
from structce.extraction.proxies.proxy_server import ExtractionProxy
from structce.extraction.proxies.rewriting import rewrite, shown_text

__all__ = ["LOOPBACK", "DocumentServer", "ExtractionProxy", "rewrite", "shown_text"]
