"""WARC archives, written by hand as crawlers write them."""

import gzip


def http(body, *headers, status="200 OK", kind="text/html"):
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def record(url, content, *headers, kind="response"):
    """Return a record as a crawler writes it, made by hand."""
    lines = [
        "WARC/1.0",
        f"WARC-Type: {kind}",
        f"WARC-Target-URI: {url}",
        "WARC-Date: 2026-03-01T09:30:00Z",
        "WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000000>",
        f"Content-Type: application/http; msgtype={kind}",
        f"Content-Length: {len(content)}",
        *headers,
    ]
    return "\r\n".join([*lines, "", ""]).encode() + content + b"\r\n\r\n"


def write_archive(path, pages):
    """Write the pages at some addresses to a compressed archive."""
    kind = "text/html; charset=utf-8"
    records = [record(url, http(data, kind=kind)) for url, data in pages.items()]
    path.write_bytes(b"".join(map(gzip.compress, records)))
    return path
