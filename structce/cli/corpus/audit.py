"""``structce corpus audit``: a sample of gold values beside their matches, for people to judge."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import click

from structce.cli.options import FILE, PATH
from structce.corpus import (
    IN_GOLD,
    ON_PAGE,
    ORDERS,
    STATES,
    UNCERTAIN,
    AuditCard,
    DiffPart,
    RegionView,
    audit_sample,
    shorten,
)
from structce.io import write_atomic
from structce.language import display_width, printable

_TEXT, _JSON = "text", "json"

_VALUE, _NEAR, _RIVAL = 200, 70, 40  # columns of a value, of the text on a side, of a rival
_ENDS = 45  # characters kept at either end of equal text


@click.command(
    "audit",
    epilog="Examples:  structce corpus audit news --order random --field title;  "
    "structce annotate news --order unsure",
)
@click.argument("path", metavar="CORPUS", type=PATH)
@click.argument("out", required=False, type=FILE)
@click.option(
    "--format",
    "form",
    type=click.Choice([_TEXT, _JSON]),
    default=_TEXT,
    help="At most four lines per match, or a JSON array.",
)
@click.option(
    "--field", "fields", multiple=True, metavar="NAME", help="Only this field; repeat for several."
)
@click.option(
    "--state",
    "states",
    type=click.Choice(STATES),
    multiple=True,
    default=("found", "ambiguous"),
    help="State of the matches; repeat for several.",
)
@click.option("--n", type=click.IntRange(1), default=100, help="Number of matches to judge.")
@click.option(
    "--order",
    type=click.Choice(ORDERS),
    default=UNCERTAIN,
    help="Least certain first, to find errors; or at random, to estimate how many there are.",
)
@click.option("--seed", default=0, help="The same seed gives the same sample.")
def audit_command(
    path: Path, out: Path | None, form: str, fields: tuple[str, ...], states: tuple[str, ...],
    n: int, order: str, seed: int,
) -> None:  # fmt: skip
    """Write a sample of gold values, each beside its match on the page.

    To standard output unless OUT is given. 'structce annotate CORPUS --order unsure' opens the
    same matches on their pages, where errors can be corrected.

    In the text, = is the same on both sides, [-...-] is only in the gold, {+...+} only on the page;
    the texts before and after the match are on the next line.
    """
    cards, n_matches = audit_sample(path, fields=fields, states=states, n=n, order=order, seed=seed)
    if form == _JSON:
        values = [_card_values(card) for card in cards]
        text = json.dumps(values, ensure_ascii=False, indent=1)
    else:
        numbered = enumerate(cards, start=1)
        text = "\n".join(line for n, card in numbered for line in _card_lines(n, card))
    if out is None:
        click.echo(text)
        return
    write_atomic(out, text.encode())
    click.echo(f"{len(cards)} of {n_matches} matches written to {out}", err=True)


def _card_lines(n: int, card: AuditCard) -> Iterator[str]:
    """Yield at most four lines about a match."""
    match = card.match
    how = f"{match.method} {match.score:.2f}" if match.regions else "not found"
    at = f"{card.places[0].tag} {card.places[0].xpath}" if card.places else ""
    numbers = ",".join(map(str, match.regions[:4])) + (",…" if len(match.regions) > 4 else "")
    yield printable(f"{n} {match.field} {how}  {card.page}  {numbers} {at}".rstrip(), _VALUE)
    yield f"   {_match_text(card)}"
    if card.places:
        before, after = _side_text(card.before, -1), _side_text(card.after, 1)
        yield f"   {before} [here] {after}"
    if card.rivals:
        rivals = " | ".join(
            f"{rival.index} {printable(rival.text, _RIVAL)}" for rival in card.rivals[:4]
        )
        yield f"   ~ {len(card.rivals)} rivals: {rivals}"


def _match_text(card: AuditCard) -> str:
    """Return the gold value and the matched text as one line."""
    mark = "" if card.match.regions else "nearest: "
    if card.is_same:
        return f"{mark}= {printable(_cut_middle(card.text))}"
    if card.differences:
        return mark + "".join(_diff_part_text(part) for part in shorten(card.differences, _ENDS))
    gold = printable(card.match.value, _VALUE // 2)
    return f"{gold}  ->  {printable(card.text, _VALUE // 2)}" if card.text else gold


def _diff_part_text(part: DiffPart) -> str:
    text = printable(part.text)
    return {IN_GOLD: f"[-{text}-]", ON_PAGE: f"{{+{text}+}}"}.get(part.where, text)


def _cut_middle(text: str) -> str:
    return (
        text if len(text) <= _VALUE else f"{text[: _VALUE - 60].rstrip()} … {text[-50:].lstrip()}"
    )


def _side_text(places: Sequence[RegionView], step: int) -> str:
    """Return the texts before or after a match, cut at the far end."""
    text = printable(" | ".join(place.text for place in places))
    if step > 0 or display_width(text) <= _NEAR:
        return printable(text, _NEAR)
    text = text[-_NEAR:]
    while display_width(text) > _NEAR - 1:
        text = text[1:]
    return f"…{text.lstrip()}"


def _card_values(card: AuditCard) -> dict[str, object]:
    match, values = card.match, asdict(card)
    return {
        "page": card.page,
        "number": card.number,
        "field": match.field,
        "value": match.value,
        "regions": match.regions,
        "method": match.method,
        "score": match.score,
        "state": match.state,
        **{name: values[name] for name in ("url", "text", "rivals", "before", "after")},
    }
