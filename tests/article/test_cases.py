"""Pages rebuilt from public reports of faults, where they lie beside the checkout.

Each line of ``cases.jsonl`` has a page and what its article must have. Checks whose values are
counts say nothing here, and only a part of each case is checked then.
"""

import json
from pathlib import Path

import pytest

from structce.article import label

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases"
LIST = CASES / "cases.jsonl"
ROWS = [json.loads(line) for line in LIST.read_text("utf-8").splitlines()] if LIST.exists() else []

NOT_YET = {
    "a bold line before a break, and an underscore at the end of a word": """
        19-bold-br-heading 27-nested-list""",
    "the space before the mark of a footnote is the page's": "15-footnotes",
    "closed details are hidden, as in a browser": "20-blockquote-accordion 46e-details-one",
    "style sheets and templates of AMP are left to the browser": "16e-hidden-class 34-amp",
    "a link to a user is marked as one to the author": "55e-rel",
    "the model finds repeated sentences of the page unlikely": "40i-promo-longer",
    "a name below a testimonial is doubted, and given": "55c-p",
}
"""Reason -> ids of cases that do not pass yet."""
KNOWN = {name: why for why, names in NOT_YET.items() for name in names.split()}

ANY = frozenset(
    "katex once|mathjax once|wikipedia formula kept|no space before ref|tex source kept|parens|"
    "space|md break kept|em|escaped star|md line|lazy".split("|")
)
ABSENT = frozenset(
    "related not in text|heading not glued|hidden text left out|md no glue|md backref|"
    "<> escaped".split("|")
)
LAST_ABSENT = frozenset("list in cell kept|p in cell".split("|"))
FIRST_ABSENT = frozenset("br in cell not glued|div in cell".split("|"))
COUNTED = frozenset("once|order|five paragraphs|no options|md once".split("|"))


def holds(check, kind, article, markdown):
    """Whether an article passes a check; true if its values do not say how."""
    expected, place = check["expect"], (check["looks_at"] or [""])[0]
    values = [value for value in check["values"] if isinstance(value, str | list)]
    if place == "title":
        return article.title is not None and values[0] in article.title.value
    if place == "authors":
        names = sorted(author.value for author in article.authors)
        if expected == "no comment author":
            return values[0] not in names
        return names == sorted(values[0] if values and isinstance(values[0], list) else values)
    if place in ("date", "modified"):
        moment = getattr(article, place)
        days = [value for value in values if value != "None"]
        if expected == "zone":
            return moment is not None and "+" in moment.value
        return moment.value.startswith(days[0]) if moment and days else moment is None and not days
    if not place or not values or expected in COUNTED or (expected == "md" and kind != "code"):
        return True
    return _is_in(values, expected, kind, markdown if place == "md" else article.text)


def _is_in(values, expected, kind, text):
    """Whether a text has the values of a check, or one of them, or none."""
    inside = [" ".join(v.split()) in " ".join(text.split()) if kind == "text lost" else v in text
              for v in values]  # fmt: skip
    if expected == "text" and kind == "hidden container":
        return sum(inside) >= len(values) / 2
    if expected in ABSENT or expected.startswith("no ") or (expected == "md" and kind == "code"):
        return not any(inside)
    if expected in LAST_ABSENT:
        return all(inside[:-1]) and not inside[-1]
    if expected in FIRST_ABSENT:
        return all(inside[1:]) and not inside[0]
    return any(inside) if expected in ANY else all(inside)


@pytest.mark.skipif(not ROWS, reason="the cases are not beside this checkout")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_a_reported_fault_does_not_occur(row):
    article = label((CASES / row["file"]).read_bytes(), url=row["url"])
    markdown = article.to_markdown()
    given = row["kind"], article, markdown
    failed = [check["expect"] for check in row["checks"] if not holds(check, *given)]
    assert bool(failed) is (row["id"] in KNOWN), f"{failed or 'passes now: remove it from NOT_YET'}"
