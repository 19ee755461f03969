"""The network, with hostile servers on the other side."""

import itertools
import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from msgspec.structs import replace

import structce
from structce.rendering.base import Limits
from structce.rendering.document import Resource
from structce.rendering.network import ssrf_guard
from structce.rendering.network.http import NetworkResources

LIMITS = Limits(request_bytes=50_000, total_bytes=120_000, request_seconds=60.0)
HASTY = replace(LIMITS, request_seconds=0.2)
CSS = b"p { color: red }"


def reason(resources, url):
    """Return why an address gave nothing."""
    assert resources.get(url) is None
    return resources.failures[url]


def test_request_has_no_cookies_and_no_referrer(server, open_resources):
    resources = open_resources()
    resources.get(f"{server.url}/cookie")
    resources.get(f"{server.url}/style.css?a=%20b#part")
    path, headers = server.seen[-1]
    assert path == "/style.css?a=%20b"
    expected = {"Accept": "*/*", "Accept-Encoding": "gzip"}
    expected |= {"Host": server.url[7:], "User-Agent": f"structce/{structce.__version__}"}
    assert headers == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/wrong.css", Resource(b"<p>no style</p>", "text/html")),
        ("/none", Resource(b"gone", "text/plain", 404)),
        ("/empty", Resource(b"", "", 204)),
        ("/moved", Resource(CSS, "text/css; charset=utf-8")),
        ("/packed", Resource(CSS)),
        ("/zlib", Resource(CSS)),
    ],
)
def test_an_answer_is_given_as_it_came_but_unpacked(path, expected, server, open_resources):
    assert open_resources().get(server.url + path) == expected


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/loop", "more than 10 redirects"),
        ("/away", "10.0.0.1, which is not a public address"),
        ("/file", "only http and https"),
        ("/nonsense", ""),
        ("/cut", "is cut off"),
        ("/unpackable", "incorrect header check"),
        ("/bomb", "over 50,000 bytes"),
        ("/big", "over 50,000 bytes"),
        ("/endless", "over 50,000 bytes"),
        ("/brotli", "compressed as 'br'"),
        ("/twice", "compressed as 'gzip, gzip'"),
    ],
)
def test_bad_response_is_missing_with_its_reason(path, told, server, open_resources):
    resources = open_resources()
    assert told in reason(resources, server.url + path)
    assert len(resources.failures) == 1


@pytest.mark.parametrize("path", ["/drip", "/slow-headers"])
def test_a_server_that_drips_is_left_in_time(path, server, open_resources, monkeypatch):
    quarters = itertools.count()  # of a second, one each time that somebody looks at the clock
    monkeypatch.setattr(ssrf_guard, "monotonic", lambda: next(quarters) / 4)
    resources = open_resources(limits=replace(LIMITS, request_seconds=9.0))
    assert reason(resources, server.url + path) == "no complete answer within 9 seconds"


def test_name_server_that_never_answers_is_left_in_time(monkeypatch):
    is_over = threading.Event()

    def never(*_, **__):
        is_over.wait()
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", never)
    with NetworkResources("http://post.example/", limits=HASTY) as resources:
        told = reason(resources, "http://post.example/a.css")
    is_over.set()
    assert told == "post.example: its address was not found in time"


def test_files_of_a_page_share_a_limit_of_requests(server, open_resources):
    resources = open_resources(limits=replace(LIMITS, requests=3))
    assert resources.get(f"{server.url}/style.css") is not None
    assert resources.get(f"{server.url}/moved") is not None
    assert "over 3 requests" in reason(resources, f"{server.url}/wrong.css")
    assert "over 3 requests" in reason(resources, "http://10.0.0.1/")
    assert len(server.seen) == 3


def test_many_threads_ask_for_an_address_once(server, open_resources):
    resources = open_resources()
    urls = [f"{server.url}/style.css?{i % 4}" for i in range(40)]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(resources.get, urls))
    assert {answer.data for answer in answers if answer} == {CSS}
    assert None not in answers
    assert len(server.seen) == 4
