"""A sample of matches as one HTML file in which people judge them.

The file loads nothing and runs one script, which its policy names by its hash. All that comes
from pages and gold is escaped; the script reads numbers and what people did, never a text.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from importlib import resources

from jinja2 import Environment, StrictUndefined

from structce.corpus import Card, Sample, shortened
from structce.visualisation.page_picture import colour_of

MAX_TEXT = 700
"""Characters of a value that is shown whole, and of a text around it; our choice."""

_WEB = re.compile(r"https?://", re.IGNORECASE)  # other addresses, such as javascript:, are no link


def audit_page(sample: Sample) -> str:
    """Return the HTML page of a sample: a card a match, with buttons, a tally and an export."""
    script = _file("audit.js")
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.from_string(_file("audit.html")).render(
        sample=sample,
        head=json.dumps(_head(sample), ensure_ascii=False),
        cards=[_shown(card) for card in sample.cards],
        script=script,
        digest=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii"),
    )


def card_key(card: Card) -> dict[str, object]:
    """Return what an exported judgement says of its match."""
    match = card.match
    return {
        "page": card.page,
        "number": card.number,
        "field": match.field,
        "value": match.value,
        "regions": list(match.regions),
        "method": match.method,
        "score": match.score,
        "state": match.state,
    }


def _head(sample: Sample) -> dict[str, object]:
    return {
        "corpus": sample.corpus,
        "digest": sample.digest,
        "order": sample.order,
        "seed": sample.seed,
        "fields": list(sample.fields),
        "n_matches": sample.n_matches,
        "n_cards": len(sample.cards),
    }


def _shown(card: Card) -> dict[str, object]:
    """Return a card as the template takes it."""
    return {
        "one": card,
        "match": card.match,
        "key": json.dumps(card_key(card), ensure_ascii=False),
        "link": card.url if _WEB.match(card.url) else "",
        "colour": colour_of(card.match.field),
        "value": _cut(card.match.value),
        "text": _cut(card.text),
        "differences": list(shortened(card.differences)),
        "before": [(place, _cut(place.text, 160)) for place in card.before],
        "after": [(place, _cut(place.text, 160)) for place in card.after],
        "rivals": [(place, _cut(place.text, 160)) for place in card.rivals],
    }


def _cut(text: str, most: int = MAX_TEXT) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def _file(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
