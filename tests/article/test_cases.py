"""Pages rebuilt from public reports of lost structure, where they are at hand."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from structce.article import label

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases"
KINDS = frozenset(
    "code|math|table|markdown|line break|footnotes|text lost|markdown table|markdown links|"
    "markdown list|glued text|paragraphs".split("|")
)
ANY_OF = frozenset(
    "em|md break kept|parens|space|katex once|mathjax once|wikipedia formula kept|lazy|"
    "no space before ref|nobr text".split("|")
)  # checks with several right answers
WRONG = frozenset(
    "09:0017:00|onlyBy|eastGate|closedexcept|javascript:|<2>|een|↩|GlanceThe|Advertisement|"
    "data:image|a = 1b = 2|a = 1 b = 2|\n1\n2\n|Copy code|1 a = 1|5 * 3|1911. 1|mc2".split("|")
)  # values that must not occur
NOT_STRUCTURE = {  # text that the choice of the body leaves out, or that the page hides
    "14-admonition": {"aside note", "code"},
    "17-link-list": {"list kept", "md list"},
    "20-blockquote-accordion": {"details body (collapsed)"},
    "27-nested-list": {"nested md", "text lines", "underscore"},
    **dict.fromkeys(
        "40a-promo 40c-newsletter 40e-ad 40i-promo-longer 41a-pre-end 41e-table-end 41g-quote-end "
        "41i-dl-end 43a-after-colon 43c-external 43e-resources-end 45c-ol-in-ul-short".split()
    ),
}


def checks() -> Iterator[tuple[str, str, str, str, tuple[str, ...]]]:
    """Page, address, check, what it looks at, and its values."""
    if not (CASES / "cases.jsonl").is_file():
        return
    for line in (CASES / "cases.jsonl").read_text("utf-8").splitlines():
        case = json.loads(line)
        if case["kind"] not in KINDS or NOT_STRUCTURE.get(case["id"], ()) is None:
            continue
        for check in case["checks"]:
            values = tuple(value for value in check["values"] if isinstance(value, str))
            is_text = check["looks_at"] in (["text"], ["md"])
            if is_text and check["expect"] not in NOT_STRUCTURE.get(case["id"], ()):
                yield case["file"], case["url"], check["expect"], check["looks_at"][0], values


@pytest.mark.parametrize(("file", "url", "name", "form", "values"), list(checks()))
def test_reported_pages_keep_their_structure(
    file: str, url: str, name: str, form: str, values: tuple[str, ...]
):
    article = label((CASES / file).read_bytes(), url=url)
    shown = article.text if form == "text" else article.to_markdown(left_out=("fields",))
    plain = re.sub(r"\\(?=[\n-])|\*\*", "", shown)  # without the signs of breaks
    right = [value for value in values if value not in WRONG]
    held = [value in shown or value in plain for value in right]
    assert any(held) or not held if name in ANY_OF else all(held), shown
    assert not any(value in shown for value in values if value in WRONG), shown


@pytest.mark.parametrize("file", sorted(CASES.glob("pages/62*.html")), ids=lambda path: path.stem)
def test_reported_formulas_are_read_once(file: Path):
    article = label(file.read_bytes())
    for shown in (article.text, article.to_markdown(left_out=("fields",))):
        assert len(re.findall(r"y\s*=\s*k\s*x", shown)) == 1, shown
