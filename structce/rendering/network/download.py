"""Download of one large file over HTTP."""

from __future__ import annotations

import sys
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import httpx
from tqdm import tqdm

from structce.errors import RequestError, SourceError
from structce.numbers import whole_number
from structce.rendering.network.http import HttpClient, StreamedResponse, describe_status
from structce.rendering.network.ssrf_guard import AddressPolicy

MAX_DOWNLOAD = 2_000_000_000  # bytes of the largest file, so that no disk is filled unnoticed
MAX_SECONDS = 7200.0  # for one file

_STEP = 60.0  # seconds without a byte after which a connection counts as lost
_PLAIN = ("Accept-Encoding", "identity")  # the digest is that of the bytes as published


@dataclass(frozen=True)
class DownloadLimits:
    """Limits of a download."""

    max_bytes: int = MAX_DOWNLOAD
    seconds: float = MAX_SECONDS  # from the first request to the last byte
    allows_http: bool = False  # unencrypted addresses, such as those of a server on this machine
    shows_bar: bool = True  # on standard error, if that is a terminal


def download(address: str, path: Path, limits: DownloadLimits, *, name: str = "") -> None:
    """Download an address to a file; after an error there is no file.

    ``name`` is shown beside the bar. SourceError if the server answers with an error or too large a
    file, or redirects to an address that may not be fetched.
    """
    try:
        policy = AddressPolicy(httpx.URL(address), is_named=True, https_only=not limits.allows_http)
        with (
            closing(HttpClient(policy)) as client,
            client.get(address, [_PLAIN], seconds=limits.seconds, step=_STEP) as response,
        ):
            _write(response, path, limits, name or path.name)
    except BaseException as error:
        path.unlink(missing_ok=True)
        if isinstance(error, RequestError):
            next_step = "run the same command again later, or fetch it with a browser"
            raise SourceError(f"{address}: {error}; {next_step}") from error
        if isinstance(error, httpx.InvalidURL):
            raise SourceError(f"{address}: not an address: {error}") from error
        if isinstance(error, SourceError):
            raise SourceError(f"{address}: {error}") from error
        raise


def _write(response: StreamedResponse, path: Path, limits: DownloadLimits, name: str) -> None:
    if response.status != 200:
        raise RequestError(f"HTTP {describe_status(response.status)}")
    if response.headers.get("content-encoding", "identity") != "identity":
        raise SourceError("compressed again, which was not requested")
    length = whole_number(response.headers.get("content-length", "")) or 0
    _check_size(length, limits)
    is_hidden = None if limits.shows_bar else True
    n_bytes = 0
    with (
        path.open("wb") as file,
        tqdm(desc=name, total=length or None, unit="B", unit_scale=True, disable=is_hidden,
             file=sys.stderr) as bar,
    ):  # fmt: skip
        for piece in response.body:
            n_bytes += len(piece)
            _check_size(n_bytes, limits)
            file.write(piece)
            bar.update(len(piece))


def _check_size(n_bytes: int, limits: DownloadLimits) -> None:
    if n_bytes > limits.max_bytes:
        raise SourceError(f"{n_bytes:,} bytes or more; the limit is {limits.max_bytes:,}")
