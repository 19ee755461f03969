"""Region labeller as an extractor: the text of the article that a model reads."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from structce.article import read_article
from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.registry import SCHEMES, extractor
from structce.extraction.result import Extraction
from structce.labeller import DEFAULT_MODELS, RegionLabeller
from structce.rendering import StaticRenderer, with_spans


@extractor("regions")
@dataclass(frozen=True)
class Regions:
    """Region labeller: the text of the article that a model reads, without a browser.

    Places are told where every region of the text has one in the source.

    Parameters
    ----------
    model
        Name of a shipped model, or a model's folder, trained on pages of the static renderer.
    """

    model: str = DEFAULT_MODELS["static"]

    @cached_property
    def _labeller(self) -> RegionLabeller:
        return RegionLabeller.load(self.model)

    def extract(self, document: ParsedDocument) -> Extraction:
        """Return the article's text.

        Raises
        ------
        RenderError
            If the page is beyond the renderer.
        ModelError
            If there is no such model.
        """
        with StaticRenderer() as renderer:
            page = with_spans(renderer.render(document), document.html)
        article = read_article(self._labeller.label(page))
        spans = sorted({span for block in article.blocks for span in block.spans})
        placed = document.select(document.words_in(spans))
        is_whole = "".join(placed.text.split()) == "".join(article.text.split())
        return placed if is_whole else Extraction(article.text)


SCHEMES["model"] = Regions
