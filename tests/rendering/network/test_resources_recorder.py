"""What the network gave is kept, and reads the same without it."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from structce.rendering.base import Limits
from structce.rendering.document import Resource
from structce.rendering.network.resources import NetworkResources
from structce.rendering.sources import open_sources
from structce.rendering.sources.warc import WarcWriter

CSS = b"p { color: red }"
LIMITS = Limits(request_bytes=50_000, total_bytes=120_000, request_seconds=60.0)


@dataclass
class Kept:
    """A recorder in memory."""

    rows: list[tuple[str, Resource, Mapping[str, str] | None, bool]] = field(default_factory=list)

    def add(
        self,
        url: str,
        resource: Resource,
        *,
        headers: Mapping[str, str] | None = None,
        is_page: bool = True,
    ) -> None:
        self.rows.append((url, resource, headers, is_page))


def reason(resources: NetworkResources, url: str) -> str:
    """Return why an address gave nothing."""
    assert resources.get(url) is None
    return resources.failures[url]


def test_every_answer_is_recorded_redirects_as_such(server, open_resources):
    kept = Kept()
    resources = open_resources("/old-page", recorder=kept)
    resources.page()
    resources.get(f"{server.url}/moved")
    resources.get(f"{server.url}/none")
    resources.get(f"{server.url}/bomb")
    rows = [
        (url.removeprefix(server.url), resource.status, (headers or {}).get("Location"), is_page)
        for url, resource, headers, is_page in kept.rows
    ]
    assert rows == [
        ("/old-page", 308, f"{server.url}/page", False),
        ("/page", 200, None, True),
        ("/moved", 301, f"{server.url}/style.css", False),
        ("/style.css", 200, None, False),
        ("/none", 404, None, False),
    ]
    assert [resource.data for _, resource, _, _ in kept.rows][1:4:2] == [b"<p>Hello</p>", CSS]


def test_a_recorded_page_reads_the_same_without_its_server(tmp_path, make_server):
    pytest.importorskip("fastwarc")
    path = tmp_path / "kept.warc.gz"
    files = ("/style.css", "/moved", "/packed", "/none", "/wrong.css", "/loop", "/never-asked")
    with make_server() as httpd:
        thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        base = f"{httpd.url}/old-page"
        with (
            WarcWriter(path) as recorder,
            NetworkResources(base, limits=LIMITS, recorder=recorder, is_named=True) as resources,
        ):
            page = resources.page()
            shown = [resources.get(httpd.url + file) for file in files[:-1]]
        httpd.shutdown()
        thread.join()
    [source] = open_sources([str(path)])
    document = source.read()
    assert document.html.encode() == page.resource.data
    assert document.url == page.url
    assert document.resources is not None
    assert document.resources.base == resources.base
    assert [document.resources.get(httpd.url + file) for file in files] == [*shown, None]


def test_what_cannot_be_recorded_is_not_shown(server, open_resources, monkeypatch):
    def full(*_: object, **__: object) -> None:
        raise OSError("no space left")

    kept = Kept()
    monkeypatch.setattr(kept, "add", full)
    told = reason(open_resources(recorder=kept), f"{server.url}/style.css")
    assert told == "the answer was not recorded: no space left"
