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
    from structce.adapters.nemo_curator import CuratorAlgorithm, CuratorExtractor
    from structce.adapters.pages import page_texts
    from structce.adapters.scrapy import ScrapyPipeline, read_response

_HOMES = {
    "CuratorAlgorithm": f"{__name__}.nemo_curator",
    "CuratorExtractor": f"{__name__}.nemo_curator",
    "DatatroveExtractor": f"{__name__}.datatrove",
    "LangChainLoader": f"{__name__}.langchain",
    "ScrapyPipeline": f"{__name__}.scrapy",
    "page_texts": f"{__name__}.pages",
    "read_response": f"{__name__}.scrapy",
}

__all__ = [
    "CuratorAlgorithm", "CuratorExtractor", "DatatroveExtractor", "LangChainLoader",
    "ScrapyPipeline", "page_texts", "read_response",
]  # fmt: skip

__getattr__ = lazy_names(__name__, _HOMES)
