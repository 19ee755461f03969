"""Perturbations keep the gold of a page: what each adds, and what it leaves as it is."""

from datetime import date

import pytest

from structce.evaluation import lines_present
from structce.evaluation.perturbations import PERTURBATIONS, perturb, unperturbed
from structce.gold import Gold
from structce.rendering import Document, StaticRenderer

TEXTS = (
    "The harbour board met on Tuesday evening to decide about the store.",
    "Residents filled the hall and spoke for almost three hours in favour.",
    "A final vote is expected after the summer fair, the board said in June.",
)
GOLD = Gold(
    title="Store to stay",
    authors=("Ann Lee",),
    date=date(2026, 3, 3),
    body=tuple(("Paragraph", text) for text in TEXTS),
)
HTML = (
    "<html lang=en><head><title>Store to stay</title></head><body><main class=m id=a>"
    "<h1>Store to stay</h1><p><span>By Ann Lee</span>, <time>3 March 2026</time></p>"
    f"<p>{TEXTS[0]}</p><p>{TEXTS[1]}</p><p>{TEXTS[2]}</p> </main> "
    "<footer>Caf\u00e9 Post</footer></body></html>"
)
URL = "https://post.example/1"


def shown(html: str) -> list[str]:
    page = StaticRenderer().render(Document(html, url=URL, name=URL))
    return [text for text in page.text if text]


@pytest.mark.parametrize("variant", [0, 1, 2, 3])
@pytest.mark.parametrize("name", PERTURBATIONS)
def test_the_gold_stays_and_the_text_gains_what_is_said(name, variant):
    changed = perturb(name, HTML, GOLD, URL, variant=variant)
    assert changed is not None
    page = "\n".join(shown(changed.html))
    is_hidden = name in ("body invisible", "body transparent")
    if not is_hidden:
        assert all(lines_present("\n".join((*TEXTS, *changed.added)), page)["lines"])
        assert ("Ann Lee" in page) is (name != "byline removed")
        assert "3 March 2026" in page
    assert bool(changed.added) is name.endswith("appended")
    assert changed.html != unperturbed(HTML)
    if PERTURBATIONS[name].rewrite:
        assert shown(changed.html) == shown(HTML)


def test_page_without_gold_text_gets_no_appended_block():
    assert perturb("code appended", HTML, Gold(), URL) is None
    assert perturb("byline removed", HTML, Gold(), URL) is None
    assert perturb("authors in JSON-LD", HTML.replace("<title>", "<meta name=author><title>"),
                   GOLD, URL) is None  # fmt: skip


def test_added_blocks_are_beside_the_last_paragraph():
    changed = perturb("list appended", HTML, GOLD, URL)
    assert changed is not None
    assert f"{TEXTS[2]}</p><ul><li>{changed.added[0]}" in changed.html
