"""The network, with hostile servers on the other side."""

import gzip
import ipaddress
import socket
import ssl
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpcore
import httpx
import pytest

import structce
from structce.errors import SourceError
from structce.rendering import open_sources
from structce.rendering.network import live
from structce.rendering.network.live import LiveResources
from structce.rendering.network.reach import Reach, is_dangerous, is_public
from structce.rendering.resources import Resource, Resources
from structce.rendering.settings import Limits
from structce.rendering.sources.warc import WarcWriter

LIMITS = Limits(request_bytes=50_000, total_bytes=120_000, request_seconds=5.0)
HASTY = replace(LIMITS, request_seconds=0.2)
CSS = b"p { color: red }"
BOMB = gzip.compress(bytes(60_000))
PUBLIC = "9.9.9.9"

FILES: Mapping[str, tuple[int, bytes, Mapping[str, str]]] = {
    "/style.css": (200, CSS, {"Content-Type": "text/css; charset=utf-8"}),
    "/wrong.css": (200, b"<p>no style</p>", {"Content-Type": "text/html"}),
    "/none": (404, b"gone", {"Content-Type": "text/plain"}),
    "/empty": (204, b"", {}),
    "/moved": (301, b"", {"Location": "/style.css#top"}),
    "/loop": (302, b"", {"Location": "loop"}),
    "/away": (302, b"", {"Location": "http://10.0.0.1/secret"}),
    "/file": (302, b"", {"Location": "file:///etc/passwd"}),
    "/nonsense": (302, b"", {"Location": "http://[::1"}),
    "/packed": (200, gzip.compress(CSS), {"Content-Encoding": "gzip"}),
    "/zlib": (200, zlib.compress(CSS), {"Content-Encoding": "deflate"}),
    "/cut": (200, gzip.compress(CSS)[:-9], {"Content-Encoding": "gzip"}),
    "/unpackable": (200, b"no gzip", {"Content-Encoding": "gzip"}),
    "/bomb": (200, BOMB, {"Content-Encoding": "gzip"}),
    "/brotli": (200, b"\x0b", {"Content-Encoding": "br"}),
    "/twice": (200, gzip.compress(BOMB), {"Content-Encoding": "gzip, gzip"}),
    "/big": (200, bytes(50_001), {}),
    "/page": (200, b"<p>Hello</p>", {"Content-Type": "text/html; charset=utf-8"}),
    "/old-page": (308, b"", {"Location": "/page"}),
    "/cookie": (200, b"", {"Set-Cookie": "a=1"}),
}


class _Answers(BaseHTTPRequestHandler):
    server: "Server"
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.server.seen.append((self.path, dict(self.headers)))
        path = self.path.partition("?")[0]
        if path in ("/endless", "/drip", "/slow-headers"):
            self.send_stream(path)
            return
        status, data, headers = FILES[path]
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def send_stream(self, path: str) -> None:
        """Send without an end: fast, or a byte at a time."""
        self.close_connection = True
        self.wfile.write(b"HTTP/1.1 200 OK\r\n" + (b"" if path == "/slow-headers" else b"\r\n"))
        try:
            while not self.server.is_over.wait(0 if path == "/endless" else 0.01):
                self.wfile.write(bytes(10_000) if path == "/endless" else b"x")
        except OSError:  # the reader has left, as it should
            return

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Server(ThreadingHTTPServer):
    """A server on this machine that remembers who asked for what."""

    daemon_threads = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.seen: list[tuple[str, dict[str, str]]] = []
        self.is_over = threading.Event()
        self.url = f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, *_: object) -> None:
        """Say nothing of readers that leave early."""


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as httpd:
        thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield httpd
        httpd.is_over.set()
        httpd.shutdown()
        thread.join()


@pytest.fixture
def door(server: Server) -> Iterator[Callable[..., LiveResources]]:
    """Opens resources of pages of the server, and closes them before it goes."""
    opened = []

    def open_door(path: str = "/page", **changed: object) -> LiveResources:
        given = {"limits": LIMITS, "is_named": True} | changed
        opened.append(LiveResources(server.url + path, **given))  # type: ignore[arg-type]
        return opened[-1]

    yield open_door
    for resources in opened:
        resources.close()


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """Addresses of hosts, to be filled by the test; other hosts do not exist."""
    known: dict[str, list[str]] = {}
    numeric = socket.getaddrinfo

    def look_up(host: str, port: int, *rest: int, **options: int) -> list[object]:
        try:
            ipaddress.ip_address(host)
        except ValueError:
            if host not in known:
                raise socket.gaierror(socket.EAI_NONAME, "no such host") from None
            return [row for ip in known[host] for row in numeric(ip, port, *rest, **options)]
        return list(numeric(host, port, *rest, **options))

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return known


@dataclass
class Connections:
    """Stands where connections are made, and notes to whom."""

    made: list[tuple[str, int]] = field(default_factory=list)
    tls_names: list[str | None] = field(default_factory=list)

    def connect_tcp(self, _: object, host: str, port: int, *__: object) -> httpcore.NetworkStream:
        self.made.append((host, port))
        return _NoTls(self.tls_names)


class _NoTls(httpcore.NetworkStream):
    def __init__(self, tls_names: list[str | None]) -> None:
        self.tls_names = tls_names

    def start_tls(
        self, _: ssl.SSLContext, server_hostname: str | None = None, __: float | None = None
    ) -> httpcore.NetworkStream:
        self.tls_names.append(server_hostname)
        raise httpcore.ConnectError("no TLS here")

    def write(self, *_: object) -> None:
        raise httpcore.ReadError("nobody there")

    def close(self) -> None:
        """Close nothing."""


@pytest.fixture
def connections(monkeypatch: pytest.MonkeyPatch) -> Connections:
    made = Connections()
    monkeypatch.setattr(
        httpcore.SyncBackend, "connect_tcp", lambda *given: made.connect_tcp(*given)
    )
    return made


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


def reason(resources: LiveResources, url: str) -> str:
    """Return why an address gave nothing."""
    assert resources.get(url) is None
    return resources.failures[url]


def test_a_file_comes_with_its_type_and_status(
    server: Server, door: Callable[..., LiveResources]
) -> None:
    resources = door()
    assert isinstance(resources, Resources)
    found = resources.get(f"{server.url}/style.css")
    assert found == Resource(CSS, "text/css; charset=utf-8", 200)
    assert resources.failures == {}


def test_a_server_is_told_who_asks_and_nothing_else(
    server: Server, door: Callable[..., LiveResources]
) -> None:
    resources = door()
    resources.get(f"{server.url}/cookie")
    resources.get(f"{server.url}/style.css?a=%20b#part")
    path, headers = server.seen[-1]
    assert path == "/style.css?a=%20b"
    assert headers == {
        "Host": server.url.removeprefix("http://"),
        "User-Agent": f"structce/{structce.__version__}",
        "Accept": "*/*",
        "Accept-Encoding": "gzip",
    }


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
def test_an_answer_is_given_as_it_came_but_unpacked(
    path: str, expected: Resource, server: Server, door: Callable[..., LiveResources]
) -> None:
    assert door().get(server.url + path) == expected


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/loop", "more than 10 redirects"),
        ("/away", "10.0.0.1, which no page may ask for"),
        ("/file", "only http and https"),
        ("/nonsense", ""),
        ("/cut", "breaks off"),
        ("/unpackable", "incorrect header check"),
        ("/bomb", "over 50,000 bytes"),
        ("/big", "over 50,000 bytes"),
        ("/endless", "over 50,000 bytes"),
        ("/brotli", "packed as 'br'"),
        ("/twice", "packed as 'gzip, gzip'"),
    ],
)
def test_a_bad_answer_is_not_there_and_told(
    path: str, told: str, server: Server, door: Callable[..., LiveResources]
) -> None:
    resources = door()
    assert told in reason(resources, server.url + path)
    assert resources.n_failures == 1


@pytest.mark.parametrize("path", ["/drip", "/slow-headers"])
def test_a_server_that_drips_is_left_when_the_time_is_over(
    path: str, server: Server, door: Callable[..., LiveResources]
) -> None:
    told = reason(door(limits=HASTY), server.url + path)
    assert told == "no whole answer within 0.2 seconds"


def test_a_name_server_that_never_answers_is_left_when_the_time_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    is_over = threading.Event()

    def never(*_: object, **__: object) -> list[object]:
        is_over.wait()
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", never)
    with LiveResources("http://post.example/", limits=HASTY) as resources:
        told = reason(resources, "http://post.example/a.css")
    is_over.set()
    assert told == "post.example: its address was not found in time"


def test_a_refused_connection_is_told(server: Server) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    base = f"http://127.0.0.1:{port}/"
    with LiveResources(base, limits=LIMITS, is_named=True) as resources:
        assert "refused" in reason(resources, base)


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://post.example/a",
        "data:text/css,p",
        "/style.css",
        "http:///style.css",
        "http://",
        "",
        "http://post.example:22/",
        "http://post.example:99999/",
        "http://post.example:none/",
        "http://me:secret@post.example/",
        "http://" + "a" * 300 + ".example/",
        "http://post..example/",
        "http://[fe80::1%25eth0]/",
        "http://post.example/" + "a" * 9_000,
        "http://post.example/\udcff",
        "http://\0/",
    ],
)
def test_an_address_that_nobody_should_ask_is_told_and_not_asked(
    url: str, names: dict[str, list[str]], connections: Connections
) -> None:
    names["post.example"] = [PUBLIC]
    with LiveResources("http://post.example/", limits=LIMITS) as resources:
        assert resources.get(url) is None
        assert list(resources.failures) == [url[:8_000]]
    assert connections.made == []


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0"),
        *("100.64.0.1", "100.100.100.200", "192.0.0.192", "168.63.129.16", "224.0.0.1"),
        *("240.0.0.1", "255.255.255.255", "198.18.0.1", "192.88.99.1", "203.0.113.5"),
        *("::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "fec0::1", "ff02::1"),
        *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "::ffff:0:10.0.0.1"),
        *("64:ff9b::10.0.0.1", "64:ff9b::169.254.169.254", "64:ff9b:1::1", "2002:7f00:1::"),
        *("2002:909:909::", "2001:0:909:909::1", "2001:db8::1", "3fff::1", "5f00::1", "100::1"),
    ],
)
def test_an_address_that_is_not_everybodys_is_not_public(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "address", [PUBLIC, "172.32.0.1", "2620:fe::fe", f"::ffff:{PUBLIC}", f"64:ff9b::{PUBLIC}"]
)
def test_an_address_that_is_everybodys_is_public(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "address",
    [
        *("169.254.169.254", "100.100.100.200", "168.63.129.16", "0.0.0.0", "224.0.0.1", "::"),
        *("fe80::1", "fd00:ec2::254", "::ffff:169.254.169.254", "64:ff9b::169.254.169.254"),
        *("2002:a9fe:a9fe::", "2001:0:1:1:0:0:5601:5601"),
    ],
)
def test_what_a_cloud_tells_its_guests_is_never_asked_for(address: str) -> None:
    found = ipaddress.ip_address(address)
    assert is_dangerous(found)
    base = httpx.URL(f"http://{address}/" if ":" not in address else f"http://[{address}]/")
    for reach in (Reach(base, is_named=True), Reach(base, allow_private=True)):
        with pytest.raises(SourceError, match="no page may ask for"):
            reach.among(base.host, 80, [found])


def test_a_name_that_leads_to_this_machine_is_not_asked(
    server: Server, names: dict[str, list[str]]
) -> None:
    names["post.example"] = ["127.0.0.1"]
    base = f"http://post.example:{server.server_port}/style.css"
    with LiveResources(base, limits=LIMITS, is_named=True) as resources:
        told = reason(resources, base)
        with pytest.raises(SourceError, match=r"post\.example.*127\.0\.0\.1"):
            resources.page()
    assert told == "post.example is at 127.0.0.1, which no page may ask for"
    assert server.seen == []


def test_private_hosts_are_asked_where_the_user_allows_it(
    server: Server, names: dict[str, list[str]]
) -> None:
    names["post.example"] = ["127.0.0.1"]
    base = f"http://post.example:{server.server_port}/style.css"
    with LiveResources(base, limits=LIMITS, allow_private=True) as resources:
        assert resources.get(base) == Resource(CSS, "text/css; charset=utf-8")
    assert server.seen[0][1]["Host"] == f"post.example:{server.server_port}"


def test_the_host_that_the_user_named_opens_no_other_one(server: Server) -> None:
    with Server() as other:
        with LiveResources(server.url, limits=LIMITS, is_named=True) as resources:
            assert "port" in reason(resources, f"{other.url}/style.css")
            told = reason(resources, f"http://127.0.0.2:{server.server_port}/style.css")
            assert "no page may ask for" in told
        with LiveResources(server.url, limits=LIMITS) as resources:
            assert "no page may ask for" in reason(resources, f"{server.url}/style.css")
        assert server.seen == other.seen == []


def test_only_the_addresses_that_were_checked_are_connected_to(
    names: dict[str, list[str]], connections: Connections
) -> None:
    names["post.example"] = ["10.0.0.1", PUBLIC, "::1", "2620:fe::fe"]
    with LiveResources("https://post.example/", limits=LIMITS) as resources:
        resources.get("https://post.example/style.css")
        assert connections.made == [(PUBLIC, 443)]
        assert connections.tls_names == ["post.example"]


def test_a_name_is_looked_up_once_a_connection(
    connections: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up = []
    answers = iter([PUBLIC, "127.0.0.1"])

    def rebind(host: str, *_: object, **__: object) -> list[object]:
        looked_up.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(answers), 443))]

    monkeypatch.setattr(socket, "getaddrinfo", rebind)
    with LiveResources("https://post.example/", limits=LIMITS) as resources:
        assert "no TLS here" in reason(resources, "https://post.example/1")
        assert "127.0.0.1" in reason(resources, "https://post.example/2")
    assert looked_up == ["post.example"] * 2
    assert connections.made == [(PUBLIC, 443)]


def test_an_address_that_does_not_answer_leaves_the_next_one(
    names: dict[str, list[str]], connections: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    names["post.example"] = ["2620:fe::fe", PUBLIC]

    def connect(_: object, host: str, port: int, *__: object) -> httpcore.NetworkStream:
        if ":" in host:
            raise httpcore.ConnectError("unreachable")
        return connections.connect_tcp(None, host, port)

    monkeypatch.setattr(httpcore.SyncBackend, "connect_tcp", connect)
    with LiveResources("http://post.example/", limits=LIMITS) as resources:
        resources.get("http://post.example/")
    assert connections.made == [(PUBLIC, 80)]


def test_files_of_a_page_share_a_limit_of_bytes(
    server: Server, door: Callable[..., LiveResources]
) -> None:
    resources = door(limits=replace(LIMITS, total_bytes=2 * len(CSS)))
    for i in range(2):
        assert resources.get(f"{server.url}/style.css?{i}") is not None
    assert "limit of a page's files" in reason(resources, f"{server.url}/style.css?2")


def test_files_of_a_page_share_a_limit_of_requests(
    server: Server, door: Callable[..., LiveResources]
) -> None:
    resources = door(limits=replace(LIMITS, requests=3))
    assert resources.get(f"{server.url}/style.css") is not None
    assert resources.get(f"{server.url}/moved") is not None
    assert "over 3 requests" in reason(resources, f"{server.url}/wrong.css")
    assert "over 3 requests" in reason(resources, "http://10.0.0.1/")
    assert len(server.seen) == 3


def test_failures_are_counted_when_they_are_too_many_to_keep(
    door: Callable[..., LiveResources], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "MAX_FAILURES", 2)
    resources = door()
    for i in range(3):
        resources.get(f"ftp://post.example/{i}")
    assert (len(resources.failures), resources.n_failures) == (2, 3)


def test_many_threads_ask_for_an_address_once(
    server: Server, door: Callable[..., LiveResources]
) -> None:
    resources = door()
    urls = [f"{server.url}/style.css?{i % 4}" for i in range(40)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(resources.get, urls))
    assert {one.data for one in found if one} == {CSS}
    assert None not in found
    assert len(server.seen) == 4


def test_the_page_comes_through_the_same_door(door: Callable[..., LiveResources]) -> None:
    resources = door("/old-page")
    asked = resources.base
    page = resources.page()
    assert page.data == b"<p>Hello</p>"
    assert page.content_type == "text/html; charset=utf-8"
    assert page.url == resources.base == asked.replace("/old-page", "/page")
    assert resources.page() == page


@pytest.mark.parametrize(
    ("path", "told"), [("/none", "404 Not Found"), ("/away", "no page may"), ("/loop", "redirects")]
)
def test_a_page_that_cannot_be_had_is_an_error_that_names_it(
    path: str, told: str, door: Callable[..., LiveResources]
) -> None:
    with pytest.raises(SourceError, match=rf"{path}: .*{told}"):
        door(path).page()


@pytest.mark.parametrize("base", ["http://post.example:none/", "http://\0/"])
def test_a_page_without_an_address_has_no_files(base: str) -> None:
    with pytest.raises(SourceError, match="no address"):
        LiveResources(base, limits=LIMITS)


def test_every_answer_is_recorded_redirects_as_such(
    server: Server, door: Callable[..., LiveResources]
) -> None:
    kept = Kept()
    resources = door("/old-page", recorder=kept)
    resources.page()
    resources.get(f"{server.url}/moved")
    resources.get(f"{server.url}/none")
    resources.get(f"{server.url}/bomb")
    rows = [
        (url.removeprefix(server.url), found.status, (headers or {}).get("Location"), is_page)
        for url, found, headers, is_page in kept.rows
    ]
    assert rows == [
        ("/old-page", 308, f"{server.url}/page", False),
        ("/page", 200, None, True),
        ("/moved", 301, f"{server.url}/style.css", False),
        ("/style.css", 200, None, False),
        ("/none", 404, None, False),
    ]
    assert [found.data for _, found, _, _ in kept.rows][1:4:2] == [b"<p>Hello</p>", CSS]


def test_a_recorded_page_reads_the_same_without_its_server(tmp_path: Path) -> None:
    pytest.importorskip("fastwarc")
    path = tmp_path / "kept.warc.gz"
    files = ("/style.css", "/moved", "/packed", "/none", "/wrong.css", "/loop", "/never-asked")
    with Server() as httpd:
        thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        base = f"{httpd.url}/old-page"
        with (
            WarcWriter(path) as recorder,
            LiveResources(base, limits=LIMITS, recorder=recorder, is_named=True) as resources,
        ):
            page = resources.page()
            shown = [resources.get(httpd.url + file) for file in files[:-1]]
        httpd.shutdown()
        thread.join()
    [source] = open_sources([str(path)])
    document = source.read()
    assert document.html.encode() == page.data
    assert document.url == page.url
    assert document.resources is not None
    assert document.resources.base == resources.base
    assert [document.resources.get(httpd.url + file) for file in files] == [*shown, None]


def test_what_cannot_be_recorded_is_not_shown(
    server: Server, door: Callable[..., LiveResources], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError("no space left")

    kept = Kept()
    monkeypatch.setattr(kept, "add", full)
    told = reason(door(recorder=kept), f"{server.url}/style.css")
    assert told == "the answer was not recorded: no space left"


def test_nothing_is_asked_after_closing(server: Server, door: Callable[..., LiveResources]) -> None:
    resources = door()
    known = resources.get(f"{server.url}/style.css")
    resources.close()
    assert resources.get(f"{server.url}/style.css") == known
    assert "closed" in reason(resources, f"{server.url}/wrong.css")
    assert len(server.seen) == 1
