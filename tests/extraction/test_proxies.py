"""Extractors behind proxies: ours, and such that hang, break off or lie."""

import http.client
import socket
import threading

import pytest
from local_server import LocalServer

import structce.extraction  # noqa: F401  (registers)
from structce.datasets import GoldPage
from structce.errors import ExtractionError, SourceError
from structce.extraction import proxies
from structce.extraction.measurement import Method
from structce.extraction.parsed_document import Extraction, ParsedDocument
from structce.extraction.proxies import DocumentServer, ExtractionProxy, rewrite
from structce.extraction.registry import WordFilter, make_extractor
from structce.gold import Gold
from structce.rendering import ProxyClient
from structce.rendering.document import Resource

HTML = """<!doctype html><html lang="en"><head><title>The quay</title><style>p {color: red}</style>
<meta charset="windows-1252"><script>document.write("<p>no text</p>")</script></head><body>
<ul><li><a href="/">Home</a></li><li><a href="/sport">Sport</a></li></ul><!-- <p>no text</p> -->
<h1>The quay &amp; the caf\u00e9</h1><p>It rained all night, and nobody<b>ever</b> slept. The ferry
will not sail before noon, the company said&nbsp;on Monday.</p><p>Nobody could say how long the
works would take, or who would pay &lt;for&gt; them. &#26481;&#20140;\u2026</p><div>
<a href="/a">More</a> <a href="/b">stories</a></div><footer>All rights reserved</footer>
</body></html>"""


def page_of(html: str = HTML, encoding: str = "cp1252") -> GoldPage:
    gold = Gold(body=(("Text", "It rained all night."),))
    return GoldPage("quay", "a.example", "a.example", "", html.encode(encoding), gold)


def test_tags_stay_and_a_text_alone_becomes_a_page():
    document = ParsedDocument("<p>a <b>b</b></p><p>c</p>")
    kept = rewrite(document, Extraction("b", ((8, 9),)))
    assert kept == "<p>  <b>b</b></p><p> </p>"
    assert rewrite(document, Extraction("")) == "<p>  <b> </b></p><p> </p>"
    assert "<p>1 &lt; 2</p>\n<p>b</p>" in rewrite(document, Extraction("1 < 2\n\nb"))


@pytest.mark.parametrize("method", ["bte", "plain"])
def test_a_proxy_gives_the_same_text_as_the_method(method):
    page = page_of()
    with ExtractionProxy(make_extractor(method), allow_private=True) as proxy:
        through = Method("p", f"proxy:{proxy.address}").system().run(page)
    here = Method(method, method).system().run(page)
    assert (through.error, here.error) == ("", "")
    assert through.text == here.text
    assert through.seconds is not None
    assert through.seconds >= 0


def test_a_page_is_fetched_once_and_decoded_as_its_server_says():
    with DocumentServer("<p>Café</p>".encode("cp1252"), "text/html; charset=cp1252") as server:
        assert server.served_at(0.01) is None
        with ExtractionProxy(make_extractor("plain"), allow_private=True) as proxy:
            client = ProxyClient(proxy.address)
            assert "Café" in client.get(server.url, seconds=60, max_bytes=1_000).data.decode()
            assert server.served_at() is not None
            with pytest.raises(SourceError, match="404"):  # served once
                client.get(server.url, seconds=60, max_bytes=1_000)


@pytest.mark.parametrize("request_line", [b"", b"GET /document.html HTTP/1.0\r\n\r\n"])
def test_a_proxy_that_falls_asleep_does_not_hold_the_server(request_line):
    with DocumentServer(bytes(20_000_000)) as server:
        host, port = server.url[7:].partition("/")[0].split(":")
        asleep = socket.create_connection((host, int(port)))
        asleep.sendall(request_line)
    with asleep:
        assert server.served_at(0) is None


class Failing(WordFilter):
    def keep(self, document):
        raise ExtractionError("too long for me")


def resource(url: str) -> Resource:
    if url.endswith(".css"):
        return Resource(b"p {color: red}", "text/css")
    if url.endswith("gone"):
        return Resource(b"<p>gone</p>", "text/html", 404)
    if url.endswith("lost"):
        raise SourceError("no such host")
    return Resource(b"<p>one two</p>", "text/html")


def ask(proxy: ExtractionProxy, target: str, method: str = "GET") -> tuple[int, str, bytes]:
    host, port = proxy.address.split(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=20)
    connection.putrequest(method, target, skip_host=True)
    connection.putheader("Host", "a.example")
    connection.endheaders()
    answer = connection.getresponse()
    reply = answer.status, answer.getheader("content-type") or "", answer.read()
    connection.close()
    return reply


def test_pages_are_rewritten_and_other_files_are_not():
    with ExtractionProxy(make_extractor("plain"), fetch=resource) as proxy:
        assert ask(proxy, "http://a.example/") == (
            200,
            "text/html; charset=utf-8",
            b"<p>one two</p>",
        )
        assert ask(proxy, "http://a.example/a.css") == (200, "text/css", b"p {color: red}")
        assert ask(proxy, "http://a.example/gone")[0] == 404
        assert ask(proxy, "http://a.example/", "HEAD") == (200, "text/html; charset=utf-8", b"")


def test_a_browser_is_told_why_there_is_no_page():
    with ExtractionProxy(Failing(), fetch=resource) as proxy:
        assert ask(proxy, "http://a.example/lost")[::2] == (502, b"no such host\n")
        assert ask(proxy, "http://a.example/")[::2] == (500, b"too long for me\n")
        assert ask(proxy, "/")[0] == 400
        assert ask(proxy, "ftp://a.example/")[0] == 400
        assert ask(proxy, "http://[::1/")[0] == 400
        assert ask(proxy, "a.example:443", "CONNECT")[0] == 501
        status, _, why = ask(proxy, "http://a.example/", "POST")
        assert status == 501
        assert why.startswith(b"forms are not passed on")


@pytest.mark.parametrize(
    "host", ["127.0.0.1:1", "[::1]", "10.0.0.1", "localhost", "169.254.169.254"]
)
def test_the_proxy_asks_no_private_host_unless_allowed(host):
    with ExtractionProxy(make_extractor("plain")) as proxy:
        status, _, why = ask(proxy, f"http://{host}/latest")
    assert status == 502
    assert b"not a public address" in why


def test_what_a_page_forbids_browsers_stays_forbidden():
    rules = (("content-security-policy", "script-src 'none'"), ("x-frame-options", "DENY"))

    def fetch(url: str) -> Resource:
        return Resource(
            b"<p>one two</p>", "text/html", 200, (*rules, ("referrer-policy", "a\r\nb"))
        )

    with ExtractionProxy(make_extractor("plain"), fetch=fetch) as proxy:
        connection = http.client.HTTPConnection(*proxy.address.split(":"), timeout=20)
        connection.request("GET", "http://a.example/")
        answer = connection.getresponse()
        assert [(name, answer.getheader(name)) for name, _ in rules] == list(rules)
        assert answer.getheader("referrer-policy") == "a b"
        connection.close()


def first_bytes(proxy: ExtractionProxy, request: bytes) -> bytes:
    host, port = proxy.address.split(":")
    with socket.create_connection((host, int(port)), timeout=60) as connection:
        connection.sendall(request)
        return connection.recv(20)


def test_a_browser_that_sends_nothing_is_left(monkeypatch):
    monkeypatch.setattr(proxies._ProxyHandler, "timeout", 0.01)
    with ExtractionProxy(make_extractor("plain"), fetch=resource) as proxy:
        assert first_bytes(proxy, b"GET http://a.exa") == b""


def test_who_comes_when_all_seats_are_taken_is_turned_away(monkeypatch):
    monkeypatch.setattr(proxies, "MAX_CONNECTIONS", 1)
    with ExtractionProxy(make_extractor("plain"), fetch=resource) as proxy:
        host, port = proxy.address.split(":")
        with socket.create_connection((host, int(port)), timeout=60):
            assert first_bytes(proxy, b"") == b"HTTP/1.0 503 Service"


class StrangeProxy(LocalServer):
    """A proxy that fetches the document as it should, and then gives an odd answer."""

    def __init__(self, odd_answer):
        super().__init__()
        self.odd_answer, self.is_over = odd_answer, threading.Event()

    def answer(self, request):
        connection = http.client.HTTPConnection(request.path[7:].partition("/")[0])
        connection.request("GET", "/document.html")
        connection.getresponse().read()
        connection.close()
        self.odd_answer(request)
        request.close_connection = True

    def __exit__(self, *error):
        self.is_over.set()
        super().__exit__(*error)


def raw(*pieces):
    def answer(handler):
        for piece in pieces:
            handler.wfile.write(piece)

    return answer


def hang(handler):
    handler.server.is_over.wait(30)


def endless(handler):
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
    while not handler.server.is_over.is_set():
        handler.wfile.write(b"<p>more</p>" * 10_000)


OK = b"HTTP/1.1 200 OK\r\n"


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (hang, "within 2 seconds"),
        (endless, "bytes, which is the limit"),
        (raw(), "disconnected"),
        (raw(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<p>short"), "without sending"),
        (raw(OK, b"Content-Length: 8\r\n\r\n\x89PNG\r\n\x1a\n"), "PNG"),
        (raw(OK, b"\r\n", bytes(2_000), b"\x01\x02"), "binary"),
        (raw(b"HTTP/1.1 500 Oh\r\n\r\nTraceback"), "500"),
    ],
)  # fmt: skip
def test_a_proxy_that_fails_is_a_reason(answer, why, monkeypatch):
    monkeypatch.setattr("structce.extraction.measurement.MAX_PAGE_BYTES", 200_000)
    seconds = 2.0 if why.startswith("within") else 30.0
    with StrangeProxy(answer) as proxy:
        address = proxy.url.removeprefix("http://")
        system = Method("p", f"proxy:{address}", {"seconds": seconds}).system()
        outcome = system.run(page_of())
    assert (outcome.text, outcome.seconds) == ("", None)
    assert outcome.error
    assert why in outcome.error
