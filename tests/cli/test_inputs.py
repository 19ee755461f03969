"""Pages whose files come from the network, on a local server, and from its record afterwards."""

import json
from contextlib import ExitStack

import pytest
from local_server import LocalServer

NEWS = (
    b"<!doctype html><link rel=stylesheet href=style.css><title>Ferry</title>"
    b"<h1>Ferry to stop</h1><p class=gone>Hidden by the style sheet</p>"
    b"<img src=boat.png><p id=late></p><script src=late.js></script>"
    b"<img src=http://127.0.0.1:%d/spy.png>"
)
FILES = {
    "/style.css": ("text/css", b".gone { display: none } h1 { font-size: 50px }"),
    "/late.js": ("text/javascript", b"late.textContent = 'Written by a script'"),
}


@pytest.fixture
def serve():
    """Return a function that starts a server of files, given with their types."""
    with ExitStack() as stack:

        def start(files):
            typed = {path: (200, data, {"Content-Type": kind}) for path, (kind, data) in files}
            return stack.enter_context(LocalServer(typed))

        yield lambda files: start(files.items())


def texts(out):
    return [region["text"] for region in json.loads(out)["regions"]]


@pytest.mark.browser
def test_a_page_gets_its_files_from_the_network(run, serve):
    other = serve({})
    server = serve({**FILES, "/news.html": ("text/html", NEWS % other.server_port)})
    address = f"{server.url}/news.html"
    options = ("--renderer", "chromium", "--all-regions")
    out = run("label", address, *options)[1]
    assert "Hidden by the style sheet" in texts(out)
    assert server.asked == ["/news.html"]
    out = run("label", address, *options, "--network")[1]
    assert "Hidden by the style sheet" not in texts(out)
    assert "Written by a script" not in texts(out)
    assert set(server.asked) == {"/news.html", "/style.css", "/boat.png"}
    out = run("label", address, *options, "--network", "--scripts")[1]
    assert "Written by a script" in texts(out)


@pytest.mark.parametrize(
    "renderer", ["static", pytest.param("chromium", marks=pytest.mark.browser)]
)
def test_a_limit_is_heeded_and_named(run, tmp_path, renderer):
    (tmp_path / "many.html").write_text("<p>x" * 30)
    limited = ("--limit", "regions=20", "--renderer", renderer)
    code, _, err = run("label", tmp_path / "many.html", *limited)
    assert code == 1
    assert "many.html: more than 20 regions" in err
