"""Region labeller as an extractor: the text of the article according to a model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from structce.extraction.parsed_document import Extraction, ParsedDocument
from structce.extraction.registry import SCHEMES, extractor
from structce.rendering import StaticRenderer

if TYPE_CHECKING:
    from structce.article import PageReader


@extractor("regions")
@dataclass(frozen=True)
class Regions:
    """Region labeller: the text of the article according to a model, without a browser.

    Positions are returned if every region of the text has one in the source. ``model`` is the name
    of a shipped model, or a model's folder, trained on pages of the static renderer.
    """

    model: str = "news-static"
    favour: Literal["balance", "precision", "recall"] = "balance"

    @cached_property
    def _reader(self) -> PageReader:
        from structce.article import PageReader
        from structce.labelling import ModelChoice

        return PageReader(StaticRenderer(), ModelChoice(self.model), favour=self.favour)

    def extract(self, document: ParsedDocument) -> Extraction:
        """Return the article's text; RenderError for a page, ModelError for a model not read."""
        article = self._reader(document).article
        blocks = (block for block in article.blocks if block.kind != "figure")  # not in the text
        spans = sorted({span for block in blocks for span in block.spans})
        placed = document.select(document.words_in(spans))
        is_whole = "".join(placed.text.split()) == "".join(article.text.split())
        return Extraction(article.text, placed.spans if is_whole else ())


SCHEMES["model"] = Regions
