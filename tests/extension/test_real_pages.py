"""Python and the browser agree on pages of the web: the same texts, and the same probabilities.

The pages come from a server of this machine under a policy that runs no script and loads no file.
A script would change the tree, which Python never runs; a policy, unlike a switch of the browser,
lets it parse as it does for users. The policy cannot be told from one that a page brings itself.
"""

from importlib.util import find_spec
from itertools import islice

import numpy as np
import pytest

from structce.datasets import READERS, GoldPage
from structce.extraction.boilernet import load_boilernet, text_leaves
from structce.extraction.parsed_document import ParsedDocument

pytestmark = pytest.mark.browser

PAGES = {"trafilatura": 7, "wcxb": 7, "fundus": 6}
POLICY = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}
STATE = """() => ({
  texts: globalThis.structce.leaves.map(({ text }) => text),
  probabilities: globalThis.structce.probabilities,
})"""


def pages_of(name, path):
    """Yield pages of a data set, one a site."""
    seen = set()
    for page in READERS[name].read(path):
        if isinstance(page, GoldPage) and page.site not in seen:
            seen.add(page.site)
            yield page


@pytest.fixture
def real_pages(shared_data):
    pages = []
    for name, n in PAGES.items():
        pages += islice(pages_of(name, shared_data(f"{name}.zip")), n)
    return pages


@pytest.fixture
def model(extension_folder, small_boilernet, test_folder):
    """The shipped network and its folder; the small one where it is not here, or cannot be run."""
    shipped = extension_folder.parent / "structce/models/boilernet"
    if shipped.is_dir() and find_spec("onnxruntime"):
        return load_boilernet(shipped), shipped
    return small_boilernet, test_folder / "model"


def test_twenty_real_pages_have_the_same_texts_and_probabilities(
    real_pages, model, build, start_browser, server
):
    boilernet, folder = model
    browser = start_browser(build(folder) / "chromium")
    page = browser.context.new_page()
    for n, real_page in enumerate(real_pages):
        html = real_page.document().html
        page.goto(server.put(f"real{n}", html, POLICY), wait_until="domcontentloaded")
        browser.click(page)
        browser.highlighted(page)
        state = browser.in_page(page, STATE)
        leaves = text_leaves(ParsedDocument.of(html))
        assert state["texts"] == list(leaves.text), real_page.id
        difference = np.abs(boilernet.probabilities(leaves) - state["probabilities"])
        assert difference.max() < 1e-3, real_page.id
        browser.close_popups()
    assert len(real_pages) == sum(PAGES.values())
