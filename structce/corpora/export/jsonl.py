"""JSON lines: one page a line, with its regions and its gold."""

from __future__ import annotations

from pathlib import Path

from structce.corpora.export.writing import shown, whole
from structce.corpus import Corpus, LabelledPage
from structce.files import to_json
from structce.gold import gold_to_json


def write_jsonl(corpus: Corpus, out: Path) -> None:
    """Write one JSON object a page, in UTF-8.

    Its fields are ``id``, ``site``, ``family``, ``url``, ``lang``, ``renderer``, ``regions`` and
    ``gold``. A region has ``text``, ``tag``, ``xpath``, ``box`` (left, top, width and height in
    CSS pixels, to the hundredth; null without layout) and ``label`` (``?`` where unknown). Gold is
    as :func:`structce.gold.gold_to_json` gives it: what is not known is left out.
    """
    with whole(out) as part, part.open("wb") as file:
        for page in shown(corpus):
            file.write(to_json(_page(page), indent=None))


def _page(page: LabelledPage) -> dict[str, object]:
    regions = [
        {
            "text": region.text,
            "tag": region.tag,
            "xpath": region.xpath,
            "box": region.box and [round(value, 2) for value in region.box],
            "label": label,
        }
        for region, label in zip(page.page, page.labels, strict=True)
    ]
    return {
        "id": page.id,
        "site": page.site,
        "family": page.family,
        "url": page.page.url,
        "lang": page.page.lang,
        "renderer": page.page.renderer,
        "regions": regions,
        "gold": gold_to_json(page.gold),
    }
