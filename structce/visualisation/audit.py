"""Audit page: a sample of matches as one HTML file in which people judge them.

The file loads nothing and runs one script, which its policy names by its hash. All that comes
from pages and gold is escaped; the script reads numbers and what people did, never a text.
"""

from __future__ import annotations

import json
import re

from structce.corpus import AuditCard, AuditSample, shorten
from structce.visualisation.base import label_colour, render_template

_MAX_TEXT = 700
"""Characters of a value that is shown whole, and of a text around it: a few lines of a card."""

_WEB = re.compile(r"https?://", re.IGNORECASE)  # other addresses, such as javascript:, are no link


def audit_page(sample: AuditSample) -> str:
    """Return the HTML page of a sample: a card a match, with buttons, a tally and an export."""
    return render_template(
        "audit.html",
        script="audit.js",
        sample=sample,
        head=json.dumps(_head(sample), ensure_ascii=False),
        cards=[_card_values(card) for card in sample.cards],
    )


def card_key(card: AuditCard) -> dict[str, object]:
    """Return the fields of a match in an exported judgement."""
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


def _head(sample: AuditSample) -> dict[str, object]:
    return {
        "corpus": sample.corpus,
        "digest": sample.digest,
        "order": sample.order,
        "seed": sample.seed,
        "fields": list(sample.fields),
        "n_matches": sample.n_matches,
        "n_cards": len(sample.cards),
    }


def _card_values(card: AuditCard) -> dict[str, object]:
    """Return a card as the template takes it."""
    return {
        "one": card,
        "match": card.match,
        "key": json.dumps(card_key(card), ensure_ascii=False),
        "link": card.url if _WEB.match(card.url) else "",
        "colour": label_colour(card.match.field),
        "value": _cut(card.match.value),
        "text": _cut(card.text),
        "differences": list(shorten(card.differences)),
        "before": [(place, _cut(place.text, 160)) for place in card.before],
        "after": [(place, _cut(place.text, 160)) for place in card.after],
        "rivals": [(place, _cut(place.text, 160)) for place in card.rivals],
    }


def _cut(text: str, most: int = _MAX_TEXT) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
