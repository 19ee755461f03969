"""A labelling page that runs in a thread, and a real browser to use it."""

from contextlib import ExitStack, contextmanager

import local_server
import pytest

from structce.annotate.proposals import Proposer
from structce.annotate.scheme import default_scheme
from structce.annotate.server import AccessRules, build_app
from structce.annotate.session import Session
from structce.annotate.workspace import AddedPage, Workspace, create_workspace
from structce.corpus import LabelledPage
from structce.labels import NEWS
from structce.rendering.chromium.discovery import search_browser
from structce.runtime import bind

TOKENS = {"secret-of-ann": "ann", "secret-of-ben": "ben"}


@pytest.fixture
def new_workspace(tmp_path, make_page, article_html):
    """Return a function that makes a workspace of small articles, with their HTML."""

    def make(n_pages=3, htmls=(), sheets=()):
        folder, site = tmp_path / "gold", "post.example"
        create_workspace(folder, default_scheme(), "gold")
        with Workspace(folder) as workspace:
            for n, html in enumerate(htmls or [article_html(n) for n in range(n_pages)]):
                page = make_page(html, url=f"https://post.example/{n}")
                labelled = LabelledPage(f"page{n}", site, site, page, ("?",) * len(page))
                workspace.add_pages([AddedPage(labelled, html, sheets)])
        return folder

    return make


BY_TAG = {"h1": "Title", "h2": "Subtitle", "p": "Paragraph", "time": "Date", "img": "Multimedia"}


class TagProposer(Proposer):
    """Proposes labels by tags, sure of all but of dates: enough to see what a proposal does."""

    def __init__(self, margin=8.0):
        super().__init__(None, "tags", NEWS)
        self.margin = margin

    def scores(self, page):
        scores = super().scores(page)
        scores.emissions[:] = 0
        for i, tag in enumerate(page.tag):
            scores.emissions[i, NEWS.index(BY_TAG.get(tag, "None"))] = (
                2 if tag == "time" else self.margin
            )
        return scores


@contextmanager
def served(session, **options):
    """Serve a session in a thread, and give its address."""
    with bind("127.0.0.1", 0) as listener:
        host = f"127.0.0.1:{listener.getsockname()[1]}"
        access = AccessRules(frozenset([host]), TOKENS, **options)
        with local_server.served(build_app(session, access), listener):
            yield f"http://{host}"


@pytest.fixture
def tag_proposer():
    return TagProposer()


@pytest.fixture(name="served")
def served_fixture():
    return served


@pytest.fixture(scope="module")
def browser():
    """A Chromium, driven from outside; without one, tests are skipped."""
    pytest.importorskip("starlette")
    pytest.importorskip("uvicorn")
    playwright = pytest.importorskip("playwright.sync_api")
    installed = search_browser().browser
    if installed is None:
        pytest.skip("no Chromium, Chrome or Edge is installed")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=str(installed.path), args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def open_tab(browser):
    """Return a function that signs an annotator in and waits for their first page."""
    contexts = []

    def open_it(address, token="secret-of-ann", place=""):
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        contexts.append(context)
        tab = context.new_page()
        tab.goto(f"{address}/?token={token}{place}")
        tab.wait_for_selector("body[data-ready]")
        return tab

    yield open_it
    for context in contexts:
        context.close()


@pytest.fixture
def tab_of(new_workspace, open_tab, tag_proposer):
    """Return a function that opens the labelling page of documents in a browser."""
    with ExitStack() as stack:

        def open_it(*htmls, sheets=()):
            folder = new_workspace(htmls=htmls, sheets=sheets)
            workspace = stack.enter_context(Workspace(folder))
            return open_tab(stack.enter_context(served(Session(workspace, tag_proposer))))

        yield open_it


@pytest.fixture
def workspace(new_workspace):
    """Small articles, open for labelling."""
    with Workspace(new_workspace()) as opened:
        yield opened


@pytest.fixture
def tab(workspace, open_tab, tag_proposer):
    """The labelling page of these articles in a browser."""
    with served(Session(workspace, tag_proposer)) as address:
        yield open_tab(address)
