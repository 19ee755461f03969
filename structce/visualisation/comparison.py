"""Gold and predicted labels of a page compared, for reports: a drawing, and a list in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

from markupsafe import Markup

from structce.errors import LabelError
from structce.labelling import Box, draw_boxes
from structce.labels import UNKNOWN, allowed_names, is_exact_label, label_colour
from structce.language import printable
from structce.page import Page
from structce.visualisation.base import has_area, read_asset, render_template

_MAX_BOXES = 400  # of a drawing; a news page has some 250 regions in all
_MAX_LINES = 300  # of a list, so that a report of ten pages opens at once
_N_PAIRS = 8  # kinds of mistakes, and of right labels, that a description names
_NAME_COLUMNS = 24  # longer than any name of the label sets in use
_TEXT_COLUMNS, _FIRST_COLUMNS = 120, 60  # of a wrong region, and of the first region of a run
_WRONG_COLOUR = "#c62828"


def draw_comparison(
    page: Page, gold: Sequence[str], predicted: Sequence[str], background: str
) -> str:
    """Return a ``figure`` that shows which regions of a page were labelled correctly.

    With layout it is a drawing of the labelled and the wrong regions, with the wrong ones in words
    below; without layout, a list of all regions in reading order. A region whose gold label is
    unknown is neither right nor wrong.

    Parameters
    ----------
    gold, predicted
        One label each per region; :data:`structce.labels.UNKNOWN` if it is not known.
    background
        Label of all regions without a label of interest.

    Raises
    ------
    LabelError
        If the number of labels is not that of regions.
    """
    if not len(page) == len(gold) == len(predicted):
        raise LabelError(
            f"{page.url or 'page'}: expected one gold and one predicted label for each of "
            f"{len(page)} regions, got {len(gold)} and {len(predicted)}"
        )
    pairs = list(zip(gold, predicted, strict=True))
    outcomes = [_outcome(*pair, background) for pair in pairs]
    wrong = [i for i, outcome in enumerate(outcomes) if outcome == "wrong"]
    right = [i for i, outcome in enumerate(outcomes) if outcome == "right"]
    is_visible = has_area(page) if page.viewport[0] else [False] * len(page)
    boxes = [
        _box(page, i, *pairs[i], is_wrong=outcomes[i] == "wrong")
        for i in [*wrong, *right][:_MAX_BOXES]
        if is_visible[i]
    ]
    keys = list(zip(outcomes, pairs, strict=True))
    lines = list(_lines(page, wrong if boxes else range(len(page)), keys.__getitem__))
    return render_template(
        "comparison.html",
        description=" ".join(_sentences(pairs, wrong, right, outcomes.count("unknown"))),
        drawing=Markup("".join(draw_boxes(page, boxes))) if boxes else "",
        lines=lines[:_MAX_LINES],
        n_hidden=max(0, len(lines) - _MAX_LINES),
        summary=f"{_count(len(wrong), 'wrong region')} in words",
    ).strip()


def _outcome(gold: str, predicted: str, background: str) -> str:
    if gold == UNKNOWN:
        return "unknown"
    if predicted not in allowed_names(gold):
        return "wrong"
    return "background" if predicted == background else "right"


def _box(page: Page, i: int, gold: str, predicted: str, *, is_wrong: bool) -> Box:
    label = _caption(gold, predicted, is_right=not is_wrong)
    colour = _WRONG_COLOUR if is_wrong else _safe_colour(gold)
    return Box(i, colour, f"{label}: {_text(page, i)}", label if is_wrong else "", is_wrong)


def _lines(
    page: Page,
    regions: Iterable[int],
    key: Callable[[int], tuple[str, tuple[str, str]]],
) -> Iterator[dict[str, str]]:
    """Yield lines of regions: one per wrong region, and one per run of other equal labels."""
    for (outcome, pair), group in groupby(regions, key):
        run = list(group)
        caption = _caption(*pair, is_right=outcome in ("right", "background"))
        if outcome == "wrong":
            yield from ({"outcome": outcome, "name": caption, "words": _text(page, i)} for i in run)
        elif outcome == "background":
            yield {
                "outcome": outcome,
                "note": f"… {_count(len(run), 'region')} of {caption}, right",
            }
        else:
            words = _text(page, run[0], _FIRST_COLUMNS)
            note = _count(len(run), "region") if len(run) > 1 else ""
            yield {"outcome": outcome, "name": caption, "note": note, "words": words}


def _sentences(
    pairs: Sequence[tuple[str, str]], wrong: Sequence[int], right: Sequence[int], n_unknown: int
) -> Iterator[str]:
    yield f"{_count(len(pairs), 'region')}, {len(wrong):,} of them wrong."
    if wrong:
        mistakes = Counter(pairs[i] for i in wrong).most_common()
        parts = [
            f"{n:,} {_label_name(gold)} labelled {_label_name(predicted)}"
            for (gold, predicted), n in mistakes[:_N_PAIRS]
        ]
        if len(mistakes) > _N_PAIRS:
            parts.append(f"{len(mistakes) - _N_PAIRS:,} other kinds of mistakes")
        yield f"Wrong: {', '.join(parts)}."
    if right:
        counts = Counter(pairs[i][0] for i in right).most_common(_N_PAIRS)
        yield f"Right: {', '.join(f'{n:,} {_label_name(label)}' for label, n in counts)}."
    if n_unknown:
        yield f"The gold label of {n_unknown:,} is unknown."


def comparison_legend(labels: Sequence[str]) -> str:
    """Return the legend of the drawings, as a list; unknown labels are skipped."""
    colours = [
        (_label_name(label), _safe_colour(label)) for label in labels if is_exact_label(label)
    ]
    return render_template("comparison_legend.html", labels=colours, wrong=_WRONG_COLOUR).strip()


def comparison_css() -> str:
    """Return the style sheet of lists and legend.

    It uses the variables ``--soft``, ``--line``, ``--tint``, ``--good`` and ``--bad`` of the page
    around them.
    """
    return read_asset("comparison.css")


def _caption(gold: str, predicted: str, *, is_right: bool) -> str:
    """Return a region's label if it is right, or else ``gold → predicted``."""
    name = _label_name(predicted)
    return name if is_right else f"{_label_name(gold)} → {name}"


def _text(page: Page, i: int, columns: int = _TEXT_COLUMNS) -> str:
    """Return a region's text on one line; for media, the tag and the alternative text."""
    text = page.text[i] or f"[{page.tag[i]}] {page.attributes[i].get('alt') or ''}"
    return printable(text[: 2 * columns], columns).strip()


def _label_name(label: str) -> str:
    return "unknown" if label == UNKNOWN else printable(label, _NAME_COLUMNS) or "nameless"


def _safe_colour(label: str) -> str:
    """Return a label's colour, also of a name with lone surrogates."""
    return label_colour(label.encode(errors="replace").decode())


def _count(n: int, noun: str) -> str:
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"
