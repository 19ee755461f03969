"""``structce serve``: label and extract pages over HTTP."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from urllib.parse import urlsplit

import click

from structce.cli.options import (
    browser_option,
    limit_option,
    model_option,
    page_seconds_option,
    read_limits,
    renderer_option,
)
from structce.extras import check_extras
from structce.features import import_sources
from structce.labelling import find_model
from structce.rendering import MAX_PAGE_BYTES, RENDERERS, Settings
from structce.service import LOOPBACKS, ServiceOptions, WorkSetup, check_setup, run_service

_SHORTEST_TOKEN = 16  # characters: too many to guess by trying
_USUAL_PORTS = {"http": 80, "https": 443}  # which browsers leave out of Origin


@click.command(
    "serve",
    epilog="Examples:  structce serve --port 8000 --workers 4;  curl --data-binary @page.html "
    "-H 'Content-Type: text/html' http://127.0.0.1:8000/v1/label",
)
@click.option(
    "--host",
    default=LOOPBACKS[0],
    metavar="ADDRESS",
    help="Address to listen on. Any except this machine's needs a token.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=8000,
    help="Port to listen on; 0 for a free one, which is logged.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    default=1,
    help="Processes, each with one page at a time.",
)
@click.option(
    "--queue",
    type=click.IntRange(0, 10_000),
    default=16,
    help="Further requests that may wait; any more are answered 503 with Retry-After.",
)
@model_option
@renderer_option
@browser_option
@click.option(
    "--token",
    envvar="STRUCTCE_TOKEN",
    metavar="SECRET",
    default="",
    show_default=False,
    help="Secret that each request must send, as Authorization: Bearer SECRET. Better "
    "set as the variable STRUCTCE_TOKEN, which no list of processes shows.",
)
@click.option(
    "--network", is_flag=True, help="Fetch pages that are given by address, from public hosts only."
)
@click.option(
    "--cors",
    "origins",
    multiple=True,
    metavar="ORIGIN",
    help="Allow requests by scripts of a site, such as https://app.example; repeat for several.",
)
@click.option(
    "--max-bytes",
    type=click.IntRange(1),
    default=MAX_PAGE_BYTES,
    help="Limit on the body of a request; longer ones are answered 413.",
)
@click.option(
    "--stop-seconds",
    type=click.IntRange(0),
    default=30,
    help="Time for requests in progress to finish after SIGTERM or Ctrl-C.",
)
@limit_option
@page_seconds_option
def serve_command(
    host: str, port: int, workers: int, queue: int, model: str | None, renderer: str | None,
    browser: str | None, token: str, network: bool, origins: tuple[str, ...], max_bytes: int,
    stop_seconds: int, limits: tuple[str, ...], page_seconds: float,
) -> None:  # fmt: skip
    """Label and extract pages over HTTP: an API for programs in any language.

    POST a page as HTML or JSON to /v1/label, /v1/extract, /v1/render, /v1/overlay or /v1/explain,
    several pages to /v1/label/batch. /openapi.json describes the whole API. The log is one JSON
    object per line on standard error. SIGTERM or Ctrl-C ends the server once requests in progress
    are done.
    """
    check_extras(("starlette", "uvicorn", "prometheus_client"), "the service", "serve")
    _check_token(host, token)
    origins = tuple(map(_origin, origins))
    page_limits = {**asdict(read_limits(limits)), "page_seconds": page_seconds}
    settings = Settings(network=network, limits=read_limits((), page_limits))
    folder = None if model is None else Path(find_model(model))
    chosen = renderer or RENDERERS[0]
    setup = WorkSetup(folder, chosen, browser, settings, tuple(import_sources()))
    if conflict := check_setup(setup):
        click.echo(f"warning: {conflict}", err=True)
    options = ServiceOptions(
        setup, host, port, workers, queue, token, origins, max_bytes, stop_seconds
    )
    run_service(options)


def _origin(text: str) -> str:
    """Return a site as browsers write it in Origin; refuse a text that they never send there."""
    try:
        parts = urlsplit(text.lower())
        host, port = (parts.hostname or "").encode("idna").decode(), parts.port
    except ValueError:
        parts, host, port = urlsplit(""), "", None
    rest = (parts.path.removesuffix("/"), parts.query, parts.fragment, parts.username)
    if text == "null":  # of files, and of sandboxed pages
        return text
    if not parts.scheme or not host or any(rest):
        raise click.UsageError(f"--cors {text}: expected a site such as https://app.example")
    host = f"[{host}]" if ":" in host else host
    is_usual = port is None or port == _USUAL_PORTS.get(parts.scheme)
    return f"{parts.scheme}://{host}" + ("" if is_usual else f":{port}")


def _check_token(host: str, token: str) -> None:
    """Refuse a server that is open to strangers, and a secret that they could guess."""
    is_sent = token.isascii() and token.isprintable() and token == token.strip()
    if token and (len(token) < _SHORTEST_TOKEN or not is_sent):
        raise click.UsageError(
            f"--token: expected {_SHORTEST_TOKEN} or more ASCII characters, "
            "without spaces at the ends"
        )
    if host not in LOOPBACKS and not token:
        raise click.UsageError(
            f"--host {host}: others can reach this address; give a token, such as from "
            "python3 -c 'import secrets; print(secrets.token_urlsafe(32))'"
        )
