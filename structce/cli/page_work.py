"""What ``structce label`` does with one labelled page, in the process that labels it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from structce import article as articles
from structce.cli.inputs import RenderingChoice
from structce.cli.messages import show_message
from structce.cli.page_formats import page_text
from structce.labelling import Labelling, ModelChoice, RegionLabeller
from structce.page import original_source
from structce.rendering import Renderer, Source, StaticRenderer, check_markup


@dataclass(frozen=True)
class PageWork:
    """Function that returns the text of a labelled page in a format, which may be a whole file.

    Reader and renderer are for the pages that continue a page; ``n_most`` is the greatest number of
    pages of a story, the first included.
    """

    form: str
    is_file: bool
    left_out: Collection[articles.Part]
    model: str | Path | None
    favour: articles.Favour
    min_confidence: float
    all_regions: bool
    has_blocks: bool
    context: bool
    read: articles.DocumentReader
    renderer: Renderer
    n_most: int = 1

    def __call__(self, source: str, labelling: Labelling) -> str | None:
        """Return the text; None if the format has none for a page that failed."""
        articles.warn_if_empty(source, labelling.page)
        has_context = self.context or self.n_most > 1
        reading = articles.read_labelling(labelling, favour=self.favour, context=has_context)
        article = reading.article
        if self.n_most > 1 and labelling.labeller is not None:
            read_next = partial(self._article_at, labelling.labeller)
            article = articles.follow_pages(article, read_next, most=self.n_most)
        article = articles.without_doubtful(article, self.min_confidence)
        article = article if self.context else replace(article, context=None)
        record = articles.page_record(
            original_source(source),
            replace(reading, article=article),
            ModelChoice(self.model).name(labelling.page.renderer),
            all_regions=self.all_regions,
            has_blocks=self.has_blocks,
        )
        return page_text(self.form, record, article, is_file=self.is_file, left_out=self.left_out)

    def _article_at(self, labeller: RegionLabeller, address: str) -> articles.Article:
        renderer = self.renderer
        if renderer.name == "static":  # without processes of its own
            renderer = StaticRenderer(settings=renderer.settings)
        page = renderer.render(check_markup(self.read(Source(address))))
        return articles.read_article(labeller.label(page), favour=self.favour, context=True)


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
