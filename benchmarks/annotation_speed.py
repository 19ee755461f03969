"""Measure the speed of the labelling page with thousands of regions, in a real Chromium.

    python3 -m benchmarks.annotation_speed --regions 5000 --clicks 50

Opening is timed from the request until the page can be labelled. An answer is timed from the key
that gives a label to the server's reply on the screen, with proposals decoded again, and to the
display of the label itself, which does not wait for the server. The maximum and the median are
printed, in milliseconds.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median
from threading import Thread
from time import perf_counter

import click
from tabulate import tabulate

from structce.annotate import (
    AccessRules,
    Proposer,
    Session,
    Workspace,
    build_app,
    create_workspace,
    default_scheme,
)
from structce.corpus import LabelledPage
from structce.labelling import RegionLabeller
from structce.rendering import Document, StaticRenderer, search_browser
from structce.runtime import bind

_BLOCK = (
    "<h2>Part {n}</h2><p>Paragraph {n} of the page has a <a href='/{n}'>link</a> in it, and goes "
    "on.</p><ul><li>One</li><li>Two</li></ul><p>By Ann Lee</p>"
)
_N_REGIONS = 7  # regions of a block

_ANSWER = """([i, key]) => new Promise((resolve) => {
  const { list, app } = window.structce;
  list.rows[i].click();
  const version = app.state.version;
  const begin = performance.now();
  const pressed = { key, code: `Digit${key}`, bubbles: true };
  document.body.dispatchEvent(new KeyboardEvent("keydown", pressed));
  const shown = performance.now() - begin;
  const wait = () => (app.state.version > version
    ? requestAnimationFrame(() => resolve([shown, performance.now() - begin]))
    : setTimeout(wait, 1));
  wait();
})"""


def long_page(n_regions: int) -> str:
    """Return the HTML of a page of ``n_regions`` regions or a few more."""
    body = "".join(_BLOCK.format(n=n) for n in range(-(-n_regions // _N_REGIONS)))
    return f"<!doctype html><title>A long page</title><body>{body}</body>"


@click.command(help=__doc__)
@click.option("--regions", default=5000, show_default=True)
@click.option("--clicks", default=50, show_default=True)
@click.option("--model", default="news-static", show_default=True)
def main(regions: int, clicks: int, model: str) -> None:
    """Serve a long page, use it, and print the times."""
    import uvicorn
    from playwright.sync_api import sync_playwright

    html = long_page(regions)
    page = StaticRenderer().render(Document(html))
    with tempfile.TemporaryDirectory() as folder, bind("127.0.0.1", 0) as listener:
        create_workspace(Path(folder) / "gold", default_scheme(), "gold")
        with Workspace(Path(folder) / "gold") as workspace:
            labels = ("?",) * len(page)
            pages = (LabelledPage(f"page{n}", "site", "site", page, labels) for n in range(2))
            workspace.add_pages((labelled, html) for labelled in pages)
            labeller = RegionLabeller.load(model)
            session = Session(workspace, Proposer(labeller, model, labeller.label_set))
            host = f"127.0.0.1:{listener.getsockname()[1]}"
            app = build_app(session, AccessRules(frozenset([host]), {"secret": "player"}))
            server = uvicorn.Server(uvicorn.Config(app, log_level="warning", ws="none"))
            thread = Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
            thread.start()
            with sync_playwright() as driver:
                installation = search_browser().browser
                path = str(installation.path) if installation else None
                browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
                tab = browser.new_page(viewport={"width": 1280, "height": 800})
                tab.set_default_timeout(120_000)
                begin = perf_counter()
                tab.goto(f"http://{host}/?token=secret")
                tab.wait_for_selector("body[data-ready=page0]")
                first = 1000 * (perf_counter() - begin)
                begin = perf_counter()
                tab.keyboard.press("]")
                tab.wait_for_selector("body[data-ready=page1]")
                again = 1000 * (perf_counter() - begin)
                n = len(page)
                times = [
                    tab.evaluate(_ANSWER, [k * n // clicks, str(1 + k % 9)]) for k in range(clicks)
                ]
                browser.close()
            server.should_exit = True
            thread.join()
            session.close()
    shown, answered = zip(*times, strict=True)
    rows = [
        ["opened, the model's first page", first, first],
        ["opened, the next page", again, again],
        ["label on the screen", median(shown), max(shown)],
        ["answered and decoded again", median(answered), max(answered)],
    ]
    click.echo(f"{n:,} regions")
    click.echo(tabulate(rows, headers=["", "median, ms", "largest, ms"], floatfmt=".0f"))


if __name__ == "__main__":
    main()
