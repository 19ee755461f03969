"""Where data sets are published, and downloads from a server that breaks off, lies and errs."""

import hashlib
import io
import zipfile
from dataclasses import replace

import pytest
from local_server import LocalServer

from structce.datasets.build import fetch_archive
from structce.errors import SourceError
from structce.rendering.network.http import MAX_REDIRECTS, DownloadLimits

LIMITS = DownloadLimits(allows_http=True, shows_bar=False)


def make_archive(text="gold"):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for n in range(50):
            archive.writestr(zipfile.ZipInfo(f"set-1/{n}.txt"), f"{text} {n} " * 200)
    return data.getvalue()


class Server(LocalServer):
    """Serves one archive at every address that does not lead elsewhere."""

    def __init__(self):
        super().__init__()
        self.data = make_archive()
        self.headers = {}
        self.status = 200
        self.breaks_off: int | None = None
        self.announces = True
        self.moved: dict[str, str] = {}

    def answer(self, request):
        if request.path in self.moved:
            self.send(request, 302, b"", {"Location": self.moved[request.path]})
        elif self.status != 200:
            self.send(request, self.status, b"", {})
        else:
            self.send(request, 200, self.data, self.headers)

    def send(self, request, status, body, headers):
        request.send_response(status)
        if self.announces:
            headers = {**headers, "Content-Length": str(len(body))}
        for name, value in headers.items():
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(body[: self.breaks_off])


@pytest.fixture
def server():
    with Server() as server:
        yield server


@pytest.fixture
def archive(server):
    """What the server has at first."""
    return server.data


@pytest.fixture
def archive_path(tmp_path):
    return tmp_path / "new" / "set.zip"


def digest_of(archive):
    return hashlib.sha256(archive).hexdigest()


def fetch(server, path, **options):
    return fetch_archive(f"{server.url}/a", path, **{"limits": LIMITS, **options})


def left_behind(path):
    return sorted(file.name for file in path.parent.iterdir())


def test_an_archive_is_fetched_with_its_digest(server, archive_path, archive):
    fetched = fetch(server, archive_path)
    assert archive_path.read_bytes() == archive
    assert (fetched.digest, fetched.n_bytes) == (digest_of(archive), len(archive))
    assert not fetched.was_there
    assert left_behind(archive_path) == ["set.zip"]


def test_an_existing_archive_is_not_fetched_again(server, archive_path, archive):
    fetch(server, archive_path)
    assert fetch(server, archive_path, digest=digest_of(archive).upper()).was_there
    assert len(server.seen) == 1
    with pytest.raises(SourceError, match=r"set\.zip is there already .* move it away"):
        fetch(server, archive_path, digest="0" * 64)
    assert archive_path.read_bytes() == archive


ARCHIVE = make_archive()
FAILURES = {
    "damaged": ({"data": ARCHIVE.replace(b"gold 7 ", b"gilt 7 ", 1)}, r"'set-1/7\.txt' .*damaged"),
    "no archive": ({"data": b"<p>Please log in</p>"}, "expected a zip archive"),
    "broken": ({"breaks_off": 5000}, "again later, or fetch it with a browser"),
    "cut": ({"announces": False, "breaks_off": 5000}, "expected a zip archive"),
    "busy": ({"status": 503}, "HTTP 503 .*again later"),
    "circle": ({"moved": {"/a": "/a"}}, f"more than {MAX_REDIRECTS} redirects"),
    "file": ({"moved": {"/a": "file:///etc/passwd"}}, "only http and https"),
    "digest": ({}, f"has SHA-256 {digest_of(ARCHIVE)}, not {'0' * 64}"),
    "private": ({"moved": {"/a": "http://10.0.0.1/a"}}, r"is not a public address$"),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_failed_download_leaves_nothing_behind(server, archive_path, name):
    changes, message = FAILURES[name]
    for key, value in changes.items():
        setattr(server, key, value)
    with pytest.raises(SourceError, match=message):
        fetch(server, archive_path, digest="0" * 64 if name == "digest" else "")
    assert left_behind(archive_path) == []


@pytest.mark.parametrize("announced", [True, False], ids=["announced", "not announced"])
def test_a_large_archive_is_not_kept(server, archive_path, archive, announced, monkeypatch):
    server.announces = announced
    monkeypatch.setattr("structce.datasets.build.MAX_UNPACKED", 1000)
    with pytest.raises(SourceError, match="unpacks to"):
        fetch(server, archive_path)
    limits = replace(LIMITS, max_bytes=len(archive) - 1)
    with pytest.raises(SourceError, match=r"bytes or more; the limit is"):
        fetch(server, archive_path, limits=limits)
    assert left_behind(archive_path) == []
