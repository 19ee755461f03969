"""What ``structce label`` makes of one reading, in the process that read the page."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

from structce.article import Part, Reading, page_record, warn_if_empty, without_doubtful
from structce.cli.inputs import RenderingChoice
from structce.cli.messages import show_message
from structce.cli.page_formats import page_text
from structce.labelling import ModelChoice, RegionLabeller
from structce.page import original_source
from structce.rendering import Renderer


@dataclass(frozen=True)
class PageWork:
    """Function that returns the text of a reading in a format, which may be a whole file.

    Pages that are not sure at the ``risk``, unless it is None, have no text.
    """

    form: str
    is_file: bool
    left_out: Collection[Part]
    model: str | Path | None
    min_confidence: float
    all_regions: bool
    has_blocks: bool
    risk: float | None = None

    def __call__(self, source: str, reading: Reading) -> str | None:
        """Return the text; None if the page is left out."""
        page, verdict = reading.labelling.page, reading.article.verdict
        warn_if_empty(source, reading.article)
        if self.risk is not None and not (verdict and verdict.is_sure(self.risk)):
            return None
        article = without_doubtful(reading.article, self.min_confidence)
        record = page_record(
            original_source(source),
            replace(reading, article=article),
            ModelChoice(self.model).name(page.renderer),
            all_regions=self.all_regions,
            has_blocks=self.has_blocks,
        )
        return page_text(self.form, record, article, is_file=self.is_file, left_out=self.left_out)


def choose_models(
    model: str | None, chosen: RenderingChoice, *, is_quiet: bool = False
) -> tuple[Renderer, ModelChoice]:
    """Return renderer and models; warn about a model for pages of another renderer."""
    if model is None:
        return chosen.start(), ModelChoice()
    models, renderer = ModelChoice(model, RegionLabeller.load(model)), chosen.start()
    if (message := models.conflict(renderer.name)) and not is_quiet:
        show_message(f"warning: {message}")
    return renderer, models
