"""The built extension in a full Chromium, and pages that a server of this machine gives it."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from local_server import LocalServer

from structce.extraction.boilernet import BoilerNet, Vocabulary
from structce.neural import LSTM, BidirectionalLSTM, Tagger
from structce.rendering.chromium.discovery import LOADS_EXTENSIONS, search_browser

HERE = Path(__file__).parent
EXTENSION = HERE.parents[1] / "extension"
BUILD_SECONDS = 120
WAIT_SECONDS = 120  # on a busy machine

# A network small enough to follow: texts in paragraphs and headings are main content. Each layer
# reads what it should and, faintly, all else by a pattern of sines, so that a column, a gate or a
# direction that is mixed up changes the probabilities.
VOCABULARY = Vocabulary(
    tags=("html", "body", "div", "p", "a", "li", "ul", "nav", "h1", "footer", "span", "table"),
    words=(".", ",", "the", "and", "of", "a", "to", "in", "home", "rights", "ferry", "海"),
)
_N_DENSE, _N_HIDDEN = 4, 3
_CONTENT, _OTHER = ("p", "h1"), ("a", "li", "nav", "footer")


def small_tagger():
    """Return the network: a dense layer, two bidirectional layers, one score."""
    tags = {tag: 1 + i for i, tag in enumerate(VOCABULARY.tags)}
    dense = 0.05 * _waves(VOCABULARY.n_columns, _N_DENSE)
    dense[[tags[tag] for tag in _CONTENT], 0] += 1
    dense[[tags[tag] for tag in _OTHER], 1] += 1
    width, layers = _N_DENSE, []
    for _ in range(2):
        layers.append(BidirectionalLSTM(_lstm(width, 1), _lstm(width, -1)))
        width = 2 * _N_HIDDEN
    output = 6 * np.array([1, -1, 0.1, 1, -1, -0.1], dtype=np.float32)[:, None]
    bias = np.full(_N_DENSE, 0.1, np.float32)
    return Tagger(dense, bias, tuple(layers), output, -np.ones(1, np.float32))


def _lstm(n_inputs, sign):
    """Return a memory whose first two units follow its first two inputs, its gates half open."""
    inputs = 0.2 * sign * _waves(4 * _N_HIDDEN, n_inputs)
    for unit in range(2):
        inputs[2 * _N_HIDDEN + unit, unit] += 2
        if n_inputs == 2 * _N_HIDDEN:
            inputs[2 * _N_HIDDEN + unit, unit + _N_HIDDEN] += 2
    bias = np.repeat([1.0, -1.0, 0.0, 1.0], _N_HIDDEN).astype(np.float32)
    return LSTM(inputs, 0.2 * sign * _waves(4 * _N_HIDDEN, _N_HIDDEN), bias)


def _waves(n_rows, n_columns):
    numbers = np.arange(n_rows * n_columns, dtype=np.float64)
    return np.sin(1 + 1.7 * numbers).reshape(n_rows, n_columns).astype(np.float32)


@pytest.fixture(scope="session")
def small_boilernet():
    """The small model, calculated by NumPy; its files are in the folder ``model``."""
    return BoilerNet(VOCABULARY, small_tagger())


@pytest.fixture(scope="session")
def extension_folder():
    return EXTENSION


@pytest.fixture(scope="session")
def test_folder():
    return HERE


@pytest.fixture(scope="session")
def node():
    """Node, with the packages that the extension is built from."""
    path = shutil.which("node")
    if path is None:
        pytest.skip("needs Node, and there is no 'node'")
    if not (EXTENSION / "node_modules/esbuild/package.json").is_file():
        pytest.skip(f"needs the packages of the extension: npm ci in {EXTENSION}")
    return path


@pytest.fixture(scope="session")
def build(node, tmp_path_factory):
    """Return the function that builds the extension with the model of a folder."""

    def run(model):
        out = tmp_path_factory.mktemp("extension")
        command = [node, "build.mjs", "--model", str(model), "--out", str(out)]
        given = {"cwd": EXTENSION, "capture_output": True, "text": True, "timeout": BUILD_SECONDS}
        done = subprocess.run(command, **given)
        assert done.returncode == 0, done.stderr
        return out

    return run


@pytest.fixture(scope="session")
def built(build):
    """The extension with the small model: a folder for each browser."""
    return build(HERE / "model")


@pytest.fixture(scope="session")
def full_chromium():
    """A full Chromium: headless shells and branded Chrome load no extensions."""
    installed = search_browser(kind=LOADS_EXTENSIONS).browser
    if installed is not None:
        return installed.path
    pytest.skip("needs a full Chromium, such as Debian's package 'chromium'")


@pytest.fixture(scope="session")
def server():
    """Server that ends with the tests."""
    with LocalServer() as server:
        yield server


@dataclass
class ExtensionBrowser:
    """Chromium with the extension, and what a user does with it."""

    context: Any  # Playwright's, of a profile of its own
    cdp: Any  # a session with the whole browser
    id: str  # of the extension

    @property
    def popup_url(self):
        """Address of the popup."""
        return f"chrome-extension://{self.id}/popup.html"

    def click(self, page):
        """Click the button of the extension while the page is in front; its popup opens."""
        page.bring_to_front()
        target = next(t for t in self._targets("tab") if t["url"] == page.url)
        self.cdp.send("Extensions.triggerAction", {"id": self.id, "targetId": target["targetId"]})

    def in_page(self, page, function):
        """Return what a function gives that runs where the extension runs in a page.

        The page was clicked before, so the extension may look into its tab.
        """
        worker = self.context.service_workers[0]
        return worker.evaluate(
            f"""async (tab) => (await chrome.scripting.executeScript(
                {{ target: {{ tabId: tab }}, func: {function} }}))[0].result""",
            self.tab_of(page),
        )

    def inject(self, page):
        """Put the content script of the extension into a page, as a click does."""
        self.context.service_workers[0].evaluate(
            """(tab) => chrome.scripting.executeScript(
                { target: { tabId: tab }, files: ["content.js"] })""",
            self.tab_of(page),
        )

    def tab_of(self, page):
        """Return the number of a page's tab."""
        page.bring_to_front()
        worker = self.context.service_workers[0]
        query = "() => chrome.tabs.query({ active: true }).then(([tab]) => tab.id)"
        return int(worker.evaluate(query))

    def highlighted(self, page):
        """Return the texts that are highlighted, once the extension has set its highlight."""
        deadline = time.monotonic() + WAIT_SECONDS
        while not page.evaluate("() => CSS.highlights.has('structce-content')"):
            assert time.monotonic() < deadline, "nothing was highlighted"
            page.wait_for_timeout(20)  # where scripts are off, no callback of the page would run
        ranges = "[...CSS.highlights.get('structce-content')]"
        return self.in_page(page, f"() => {ranges}.map((range) => range.startContainer.data)")

    def _targets(self, kind):
        targets = self.cdp.send("Target.getTargets", {"filter": [{}]})["targetInfos"]
        return [target for target in targets if target["type"] == kind]

    def close_popups(self):
        """Close what the button opened, as a click beside it does."""
        for target in self._targets("page"):
            if target["url"] == self.popup_url:
                self.cdp.send("Target.closeTarget", {"targetId": target["targetId"]})

    def forget(self):
        """Forget the threshold that a user chose."""
        page = self.context.new_page()
        page.goto(f"chrome-extension://{self.id}/highlight.css")
        page.evaluate("() => localStorage.clear()")
        page.close()

    def open_popup(self, page):
        """Open the popup as a page of its own, for the tab of a page that was clicked before."""
        tab = self.tab_of(page)
        popup = self.context.new_page()
        popup.goto(f"{self.popup_url}?tab={tab}")
        return popup


@pytest.fixture(scope="module")
def start_browser(full_chromium, tmp_path_factory):
    """Return the function that starts Chromium with an extension; all end with the module.

    Playwright's loop runs as long, and other modules start loops of their own.
    """
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as playwright:
        contexts = []

        def start(extension):
            options = "--no-sandbox --disable-dev-shm-usage --enable-unsafe-extension-debugging"
            options = [*options.split(), "--headless=new"]  # Playwright's own is the shell
            options.append("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")
            options.append(f"--disable-extensions-except={extension}")
            context = playwright.chromium.launch_persistent_context(
                tmp_path_factory.mktemp("profile"),
                executable_path=full_chromium,
                headless=False,
                ignore_default_args=["--disable-extensions"],
                args=[*options, f"--load-extension={extension}"],
            )
            contexts.append(context)
            workers = context.service_workers
            worker = workers[0] if workers else context.wait_for_event("serviceworker")
            cdp = context.browser.new_browser_cdp_session()
            return ExtensionBrowser(context, cdp, worker.url.split("/")[2])

        yield start
        for context in contexts:
            context.close()


@pytest.fixture(scope="module")
def browser(start_browser, built):
    """Chromium with the extension and its small model."""
    return start_browser(built / "chromium")


@pytest.fixture(scope="session")
def fixture_pages():
    """Pages whose leaves both sides must find."""
    return json.loads((HERE / "pages.json").read_text(encoding="utf-8"))
