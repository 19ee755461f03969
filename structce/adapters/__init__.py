"""Adapters: structce inside other packages' pipelines, one module per package.

An adapter and its package are imported when a name of it is first used:

>>> from structce.adapters import DatatroveExtractor  # doctest: +SKIP

``docs/adapters.md`` shows an example of each.
"""

from typing import TYPE_CHECKING

from structce.lazy_import import lazy_names

if TYPE_CHECKING:
    from structce.adapters.datatrove import DatatroveExtractor
    from structce.adapters.langchain import LangChainLoader
    from structce.adapters.llama_index import LlamaIndexReader
    from structce.adapters.nemo_curator import CuratorAlgorithm, CuratorExtractor
    from structce.adapters.scrapy import ScrapyPipeline, read_response
    from structce.adapters.spacy import to_spacy

_HOMES = {
    name: f"{__name__}.{module}"
    for module, names in {
        "datatrove": "DatatroveExtractor",
        "langchain": "LangChainLoader",
        "llama_index": "LlamaIndexReader",
        "nemo_curator": "CuratorAlgorithm CuratorExtractor",
        "scrapy": "ScrapyPipeline read_response",
        "spacy": "to_spacy",
    }.items()
    for name in names.split()
}

__all__ = [
    "CuratorAlgorithm", "CuratorExtractor", "DatatroveExtractor", "LangChainLoader",
    "LlamaIndexReader", "ScrapyPipeline", "read_response", "to_spacy",
]  # fmt: skip

__getattr__ = lazy_names(__name__, _HOMES)
