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


TEXTS = (
    "The river rose in the night, and in the morning it stood in the fields.",
    "The ferry will stop in June, the town said on Monday evening.",
    "The bridge will not be ready before the autumn of next year.",
)


@pytest.mark.parametrize(
    ("n_most", "n_asked", "options"),
    [
        (1, 1, ()),
        (2, 2, ()),
        (9, 3, ("--workers", 2)),
        pytest.param(9, 3, ("--renderer", "chromium"), marks=pytest.mark.browser),
    ],
)
def test_the_pages_of_a_story_are_joined(run, serve, n_most, n_asked, options):
    story = {}
    for n, text in enumerate(TEXTS, start=1):
        link = f'<a rel=next href="/ferry/{n + 1}">{n + 1}</a>' if n < len(TEXTS) else ""
        html = f"<!doctype html><html lang=en><h1>Ferry to stop</h1><p>{text}</p>{link}"
        story["/ferry" if n == 1 else f"/ferry/{n}"] = ("text/html", html.encode())
    server = serve(story)
    address = f"{server.url}/ferry"
    code, out, _ = run("label", address, "--pages", n_most, *options)
    record = json.loads(out)
    assert code == 0
    assert server.asked == list(story)[:n_asked]
    assert len(record["text"].splitlines()) == n_asked
    assert len(record.get("further_pages", [])) == n_asked - 1
    assert "context" not in record


@pytest.mark.parametrize(
    "renderer", ["static", pytest.param("chromium", marks=pytest.mark.browser)]
)
def test_a_limit_is_heeded_and_named(run, tmp_path, renderer):
    (tmp_path / "many.html").write_text("<p>x" * 30)
    limited = ("--limit", "regions=20", "--renderer", renderer)
    code, _, err = run("label", tmp_path / "many.html", *limited)
    assert code == 1
    assert "many.html: more than 20 regions" in err
