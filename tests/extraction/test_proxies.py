"""Extractors behind proxies: ours, and such that hang, break off or lie."""

import http.client
import socket
import threading

import pytest
from local_server import LocalServer, served

import structce.extraction  # noqa: F401  (registers)
from structce.datasets import GoldPage
from structce.errors import ExtractionError, SourceError
from structce.extraction.measurement import Method, measure
from structce.extraction.parsed_document import Extraction, ParsedDocument
from structce.extraction.proxies import SERVER_SETTINGS, DocumentServer, ExtractionProxy, rewrite
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


def page_of(html=HTML, encoding="cp1252"):
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
    with proxied(make_extractor(method), allow_private=True) as address:
        through = measure(Method("p", f"proxy:{address}").system(), page)
    here = measure(Method(method, method).system(), page)
    assert (through.error, here.error) == ("", "")
    assert through.text == here.text
    assert through.seconds is not None
    assert through.seconds >= 0


def test_a_page_is_fetched_once_and_decoded_as_its_server_says():
    with DocumentServer("<p>Café</p>".encode("cp1252"), "text/html; charset=cp1252") as server:
        assert server.served_at(0.01) is None
        with proxied(make_extractor("plain"), allow_private=True) as address:
            client = ProxyClient(address)
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


def resource(url):
    if url.endswith(".css"):
        return Resource(b"p {color: red}", "text/css")
    if "gone" in url:
        return Resource(f"<p>{url[16:]}</p>".encode(), "text/html", 404)
    if url.endswith("lost"):
        raise SourceError("no such host")
    return Resource(b"<p>one two</p>", "text/html")


def proxied(system, **settings):
    """Serve a proxy of an extractor; a context manager that gives its address."""
    return served(ExtractionProxy(system, **settings), **SERVER_SETTINGS)


def ask(address, target, method="GET"):
    connection = http.client.HTTPConnection(*address.split(":"), timeout=20)
    connection.putrequest(method, target, skip_host=True)
    connection.putheader("Host", "a.example")
    connection.endheaders()
    answer = connection.getresponse()
    answer.body = answer.read()
    connection.close()
    return answer


@pytest.mark.parametrize(
    ("target", "method", "status", "body"),
    [
        ("http://a.example/", "GET", 200, b"<p>one two</p>"),
        ("http://a.example/", "HEAD", 200, b""),
        ("http://a.example/a.css", "GET", 200, b"p {color: red}"),
        ("http://a.example/gone?a=b", "GET", 404, b"<p>/gone?a=b</p>"),
        ("http://a.example/lost", "GET", 502, b"no such host\n"),
        ("http://a.example/?long", "GET", 500, b"too long for me\n"),
        ("/", "GET", 400, b"this is a proxy"),
        ("ftp://a.example/", "GET", 400, b"this is a proxy"),
        ("http://[::1/", "GET", 400, b"this is a proxy"),
        ("a.example:443", "CONNECT", 501, b"this proxy supports only GET"),
        ("http://a.example/", "POST", 501, b"this proxy supports only GET"),
    ],
)
def test_pages_are_rewritten_and_other_files_are_not(target, method, status, body):
    system = Failing() if "long" in target else make_extractor("plain")
    with proxied(system, fetch=resource) as address:
        answer = ask(address, target, method)
    assert answer.status == status
    assert answer.body.startswith(body)
    kind = "text/css" if "css" in target else "text/html" if status in (200, 404) else "text/plain"
    assert answer.getheader("content-type").startswith(kind)


@pytest.mark.parametrize("host", ["127.0.0.1:1", "[::1]", "localhost", "169.254.169.254"])
def test_the_proxy_asks_no_private_host_unless_allowed(host):
    with proxied(make_extractor("plain")) as address:
        answer = ask(address, f"http://{host}/latest")
    assert answer.status == 502
    assert b"not a public address" in answer.body


def test_what_a_page_forbids_browsers_stays_forbidden():
    rules = (("content-security-policy", "script-src 'none'"), ("referrer-policy", "a\r\nb"))
    found = Resource(b"<p>one two</p>", "text/html", 200, rules)
    with proxied(make_extractor("plain"), fetch=lambda url: found) as address:
        answer = ask(address, "http://a.example/")
    assert answer.getheader("content-security-policy") == "script-src 'none'"
    assert answer.getheader("referrer-policy") == "a b"


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
        system = Method("p", f"proxy:{address}").system(seconds)
        outcome = measure(system, page_of())
    assert (outcome.text, outcome.seconds) == ("", None)
    assert outcome.error
    assert why in outcome.error
