"""``structce corpus audit``: a sample of gold values beside their matches, for people to judge."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from structce import corpus
from structce.cli import options
from structce.language import printable

_VALUE, _RIVAL, _SIDE = 200, 40, 70  # columns of a value, of a rival, of the text on a side
_ENDS = 45  # characters kept at either end of equal text
_SIGNS = {corpus.IN_GOLD: "[-{}-]", corpus.ON_PAGE: "{{+{}+}}"}


@click.command(
    "audit",
    epilog="Examples:  structce corpus audit news --order random --field title;  "
    "structce annotate news --order unsure",
)
@click.argument("path", metavar="CORPUS", type=options.PATH)
@click.option("--field", "fields", multiple=True, help="Only this field; repeat for several.")
@click.option("--n", type=options.COUNT, default=100, help="Number of matches to judge.")
@click.option(
    "--order",
    type=click.Choice(corpus.ORDERS),
    default=corpus.UNCERTAIN,
    help="Least certain first, to find errors; or at random, to estimate how many there are.",
)
@options.seed_option
def command(path: Path, fields: tuple[str, ...], n: int, order: str, seed: int) -> None:
    """Print a sample of gold values, each beside its match on the page.

    'structce annotate CORPUS --order unsure' opens the same matches on their pages, where errors
    can be corrected.

    [-...-] is only in the gold, {+...+} only on the page; the texts before and after the match are
    on the next line.
    """
    cards, _ = corpus.audit_sample(path, fields=fields, n=n, order=order, seed=seed)
    for number, card in enumerate(cards, start=1):
        click.echo("\n   ".join(_card_lines(number, card)))


def _card_lines(number: int, card: corpus.AuditCard) -> Iterator[str]:
    """Yield at most four lines about a match."""
    match = card.match
    regions = ",".join(map(str, match.regions[:4])) + (",…" if len(match.regions) > 4 else "")
    at = f"{card.places[0].tag} {card.places[0].xpath}" if card.places else ""
    how = f"{match.method} {match.score:.2f}"
    yield printable(f"{number} {match.field} {how}  {card.page}  {regions} {at}", _VALUE)
    if card.differences:
        parts = corpus.shorten(card.differences, _ENDS)
        yield "".join(_SIGNS.get(part.where, "{}").format(printable(part.text)) for part in parts)
    elif card.is_same:
        yield printable(match.value, _VALUE)
    else:
        yield f"{printable(match.value, _VALUE // 2)}  ->  {printable(card.text, _VALUE // 2)}"
    sides = [" | ".join(view.text for view in side) for side in (card.before, card.after)]
    yield " [here] ".join(printable(side, _SIDE) for side in sides)
    if card.rivals:
        texts = (f"{rival.index} {printable(rival.text, _RIVAL)}" for rival in card.rivals[:4])
        yield f"{len(card.rivals)} rivals: {' | '.join(texts)}"
