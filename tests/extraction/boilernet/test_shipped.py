"""The shipped BoilerNet: small, whole, with a card, and right about a plain page."""

import pytest

from structce.extraction import ParsedDocument, make_extractor
from structce.extraction.boilernet import load_boilernet, shipped_boilernet, text_leaves
from structce.extraction.boilernet.storage import CARD, MANIFEST, MODEL, VOCABULARY, shipped_folder

LARGEST = 5 * 2**20  # bytes: the extension carries it, too

MENU = "".join(f"<li><a href=/{name}>{name}</a></li>" for name in ("Home", "Sport", "Culture"))
TEXT = (
    "The ferry to the island will stop in June, the harbour master said on Monday.",
    "Some two hundred people cross the bay every day, most of them to work or to school.",
    "A bridge is to be built instead, which will take three years and cost nine million.",
)
PAGE = f"""<html><head><title>Ferry to stop</title></head><body>
<nav><ul>{MENU}</ul></nav><article><h1>Ferry to stop</h1>{"".join(f"<p>{one}</p>" for one in TEXT)}
</article><footer><ul>{MENU}</ul><p>Copyright 2026 The Daily Bay. All rights reserved.</p></footer>
</body></html>"""


@pytest.fixture(scope="module")
def shipped():
    pytest.importorskip("onnxruntime", reason="needs the extra onnx")
    return shipped_boilernet()


def test_the_model_is_small_and_has_a_card():
    folder = shipped_folder()
    assert {path.name for path in folder.iterdir()} == {CARD, MANIFEST, MODEL, VOCABULARY}
    assert (folder / MODEL).stat().st_size <= LARGEST
    card = (folder / CARD).read_text(encoding="utf-8")
    assert "licence" in card
    assert "F1" in card


def test_paragraphs_are_told_from_menus(shipped):
    found = shipped.extract(ParsedDocument(PAGE)).text
    assert all(one in found for one in TEXT)
    assert "Sport" not in found
    assert "Copyright" not in found


def test_every_paragraph_is_likelier_than_every_entry_of_a_menu(shipped):
    leaves = text_leaves(ParsedDocument(PAGE))
    found = shipped.probabilities(leaves)
    assert ((found >= 0) & (found <= 1)).all()
    likely = dict(
        zip(leaves.text, found.tolist(), strict=True)
    )  # of an entry the one in the footer
    entries = [likely[name] for name in ("Home", "Sport", "Culture")]
    assert min(likely[one] for one in TEXT) > max(entries) + 0.3


def test_it_is_an_extractor_by_name_and_by_folder(shipped):
    document = ParsedDocument(PAGE)
    own = shipped.extract(document)
    assert make_extractor("boilernet-small").extract(document) == own
    assert load_boilernet(shipped_folder()).extract(document) == own
