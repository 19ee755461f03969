"""Adapters: structce inside other packages' pipelines, one module per package.

An adapter and its package are imported when a name of it is first used:

>>> from structce.adapters import DatatroveExtractor  # doctest: +SKIP

``docs/adapters.md`` shows an example of each.
"""

from typing import TYPE_CHECKING

from structce.doors import lazy_names

if TYPE_CHECKING:
    from structce.adapters.datatrove import DatatroveExtractor
    from structce.adapters.langchain import LangChainLoader
    from structce.adapters.llama_index import LlamaIndexReader
    from structce.adapters.nemo_curator import CuratorAlgorithm, CuratorExtractor
    from structce.adapters.scrapy import ScrapyPipeline, read_response
    from structce.adapters.spacy import to_spacy

_HOMES = {
    "CuratorAlgorithm": "structce.adapters.nemo_curator",
    "CuratorExtractor": "structce.adapters.nemo_curator",
    "DatatroveExtractor": "structce.adapters.datatrove",
    "LangChainLoader": "structce.adapters.langchain",
    "LlamaIndexReader": "structce.adapters.llama_index",
    "ScrapyPipeline": "structce.adapters.scrapy",
    "read_response": "structce.adapters.scrapy",
    "to_spacy": "structce.adapters.spacy",
}

__all__ = [
    "CuratorAlgorithm", "CuratorExtractor", "DatatroveExtractor", "LangChainLoader",
    "LlamaIndexReader", "ScrapyPipeline", "read_response", "to_spacy",
]  # fmt: skip

__getattr__ = lazy_names(__name__, _HOMES)
