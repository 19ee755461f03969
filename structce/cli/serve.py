"""``structce serve``: label and extract pages over HTTP."""

from __future__ import annotations

from pathlib import Path

import click

from structce import service
from structce.cli import options
from structce.cli.messages import show_message
from structce.extras import check_extras
from structce.features import import_sources
from structce.labelling import ModelChoice, find_model
from structce.rendering import MAX_PAGE_BYTES, RENDERERS, Settings

_SHORTEST_TOKEN = 16  # characters: too many to guess by trying


@click.command("serve", epilog="Example:  structce serve --port 8000 --workers 4")
@click.option("--host", default="127.0.0.1", help="Any except this machine's needs a token.")
@click.option("--port", type=options.PORT, default=8000, help="Port; 0 for a free one.")
@click.option("--workers", type=click.IntRange(1, 256), default=1, help="Processes.")
@click.option("--queue", type=click.IntRange(0, 10_000), default=16, help="Requests that may wait.")
@options.model_option
@options.renderer_option
@options.browser_option
@click.option(
    "--token",
    envvar="STRUCTCE_TOKEN",
    metavar="SECRET",
    default="",
    show_default=False,
    help="Secret of each request. Better the variable STRUCTCE_TOKEN, which no list shows.",
)
@click.option("--network", is_flag=True, help="Fetch pages that are given by address.")
@click.option(
    "--max-bytes", type=options.COUNT, default=MAX_PAGE_BYTES, help="Limit on a request's body."
)
@click.option("--stop-seconds", type=click.IntRange(0), default=30, help="Time to stop in.")
@options.limit_option
@options.page_seconds_option
def command(
    host: str, port: int, workers: int, queue: int, model: str | None, renderer: str | None,
    browser: str | None, token: str, network: bool, max_bytes: int, stop_seconds: int,
    limits: tuple[str, ...], page_seconds: float,
) -> None:  # fmt: skip
    """Label and extract pages over HTTP: an API for programs in any language.

    POST {"html": PAGE} to /v1/label; /openapi.json describes the whole API. SIGTERM or Ctrl-C ends
    the server once requests in progress are done.
    """
    check_extras(("uvicorn", "prometheus_client"), "the service", "serve")
    is_sent = token.isascii() and token.isprintable() and token == token.strip()
    if token and (len(token) < _SHORTEST_TOKEN or not is_sent):
        what = f"{_SHORTEST_TOKEN} or more ASCII characters, without spaces at the ends"
        raise click.UsageError(f"--token: expected {what}")
    if host not in service.LOOPBACKS and not token:
        step = "python3 -c 'import secrets; print(secrets.token_urlsafe(32))'"
        reason = "others can reach this address; give a token"
        raise click.UsageError(f"--host {host}: {reason}, such as from {step}")
    settings = Settings(network=network, limits=options.read_limits(limits, page_seconds))
    folder = None if model is None else Path(find_model(model))
    chosen, imports = renderer or RENDERERS[0], tuple(import_sources())
    if conflict := ModelChoice(folder).conflict(chosen):
        show_message(f"warning: {conflict}")
    setup = service.WorkSetup(folder, chosen, browser, settings, imports)
    service.run_service(
        setup, host=host, port=port, workers=workers, queue=queue, stop_seconds=stop_seconds,
        token=token, max_bytes=max_bytes,
    )  # fmt: skip
