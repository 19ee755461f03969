"""``structce serve``, ``proxy`` and ``mcp``: servers for programs, browsers and language models."""

from __future__ import annotations

from pathlib import Path

import click

from structce.article import Favour, PageReader
from structce.cli import options
from structce.cli.messages import show_message
from structce.cli.options import RenderingChoice, choose_models
from structce.extras import check_extras
from structce.features import import_sources
from structce.labelling import ModelChoice, find_model
from structce.rendering import RENDERERS, Limits, NetworkReader, Settings
from structce.runtime import LOOPBACK, bind, serve

_SHORTEST_TOKEN = 16  # characters: too many to guess by trying

_port_option = click.option("--port", type=options.PORT, default=8000, help="Port; 0 for any free.")
_network_option = click.option(
    "--network", is_flag=True, help="Fetch pages that are named by a public address."
)


@click.command("serve", epilog="Example:  structce serve --port 8000 --workers 4")
@click.option("--host", default=LOOPBACK, help="Any except this machine's needs a token.")
@_port_option
@click.option("--workers", type=click.IntRange(1, 256), default=1, help="Processes.")
@click.option("--queue", type=click.IntRange(0, 10_000), default=16, help="Requests that may wait.")
@options.model_option
@options.renderer_option
@click.option(
    "--token",
    envvar="STRUCTCE_TOKEN",
    metavar="SECRET",
    default="",
    show_default=False,
    help="Secret of each request. Better the variable STRUCTCE_TOKEN, which no list shows.",
)
@_network_option
@options.limit_option
def command(
    host: str, port: int, workers: int, queue: int, model: str | None, renderer: str | None,
    token: str, network: bool, limits: Limits,
) -> None:  # fmt: skip
    """Label and extract pages over HTTP: an API for programs in any language.

    POST {"html": PAGE} to /v1/label; /openapi.json describes the whole API. SIGTERM or Ctrl-C ends
    the server once requests in progress are done.
    """
    from structce import service  # late: the other servers need none of it

    check_extras(("uvicorn", "prometheus_client"), "the service", "serve")
    is_sent = token.isascii() and token.isprintable() and token == token.strip()
    if token and (len(token) < _SHORTEST_TOKEN or not is_sent):
        what = f"{_SHORTEST_TOKEN} or more ASCII characters, without spaces at the ends"
        raise click.UsageError(f"--token: expected {what}")
    if host not in service.LOOPBACKS and not token:
        step = "python3 -c 'import secrets; print(secrets.token_urlsafe(32))'"
        reason = "others can reach this address; give a token"
        raise click.UsageError(f"--host {host}: {reason}, such as from {step}")
    folder = None if model is None else Path(find_model(model))
    chosen = renderer or RENDERERS[0]
    if conflict := ModelChoice(folder).conflict(chosen):
        show_message(f"warning: {conflict}")
    settings = Settings(network=network, limits=limits)
    setup = service.WorkSetup(folder, chosen, settings, tuple(import_sources()))
    service.run_service(setup, host=host, port=port, workers=workers, queue=queue, token=token)


@click.command(
    "proxy",
    epilog="Example:  structce proxy --method bte --port 8000, and in another window "
    "curl --proxy http://127.0.0.1:8000 http://example.org/",
)
@click.option("--method", default="bte", help="Extractor; see 'structce extract --list'.")
@_port_option
@click.option("--host", default=LOOPBACK, help="Whoever reaches it can use the proxy.")
@click.option(
    "--allow-private", is_flag=True, help="Also fetch from the local network and this machine."
)
@options.limit_option
def proxy_command(method: str, port: int, host: str, allow_private: bool, limits: Limits) -> None:
    """Show a browser only the main content of pages: a proxy that fetches and rewrites them.

    Set it as the HTTP proxy of a browser. Addresses at https:// are refused, since a proxy cannot
    read them. Ctrl-C ends it.
    """
    from structce import extraction  # late: the other servers start without it

    check_extras(("uvicorn",), "the proxy", "serve")
    extractor = extraction.make_extractor(method)
    proxy = extraction.ExtractionProxy(extractor, limits=limits, allow_private=allow_private)
    with bind(host, port) as listener:
        show_message(f"{method} at {host}:{listener.getsockname()[1]}; Ctrl-C to end")
        serve(proxy, listener, **extraction.SERVER_SETTINGS)


@click.command("mcp", epilog="Example:  structce mcp saved-pages/")
@click.argument("folder", required=False, type=click.Path(exists=True, file_okay=False))
@options.model_option
@options.favour_option
@options.renderer_option
@_network_option
@options.limit_option
def mcp_command(
    folder: str | None, model: str | None, favour: Favour, renderer: str | None, network: bool,
    limits: Limits,
) -> None:  # fmt: skip
    """Let a language model read the pages of a folder and cite them.

    A server of the Model Context Protocol on standard input and output, which programs such as
    Claude Desktop start by themselves. Its tools: read_page (Markdown within a number of tokens),
    find_quote, explain, regions. Only pages of FOLDER are read, and no link out of it is followed;
    with --network also public addresses.
    """
    from structce import mcp  # late: the other servers need none of it

    check_extras(("mcp",), "structce mcp", "mcp")
    if folder is None and not network:
        raise click.UsageError("nothing to read; give the folder of the pages, or --network")
    settings = Settings(network=network, limits=limits)
    started, models = choose_models(model, RenderingChoice(renderer, settings=settings))
    reader = PageReader(started, models, favour=favour)
    fetch = NetworkReader(settings, is_named=False) if network else None
    with mcp.PageTools(reader, Path(folder) if folder else None, fetch) as tools:
        mcp.make_server(tools).run("stdio")
