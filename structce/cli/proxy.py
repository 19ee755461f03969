"""``structce proxy``: an extractor as an HTTP proxy for a browser."""

from __future__ import annotations

import click

from structce import extraction
from structce.cli import options
from structce.cli.messages import show_message
from structce.extras import check_extras
from structce.runtime import LOOPBACK, bind, serve


@click.command(
    "proxy",
    epilog="Example:  structce proxy --method bte --port 8000, and in another window "
    "curl --proxy http://127.0.0.1:8000 http://example.org/",
)
@click.option("--method", default="bte", help="Extractor; see 'structce extract --list'.")
@click.option("--port", type=options.PORT, default=8000, help="Port; 0 for a free one.")
@click.option("--host", default=LOOPBACK, help="Whoever reaches it can use the proxy.")
@click.option(
    "--allow-private", is_flag=True, help="Also fetch from the local network and this machine."
)
@options.limit_option
def command(
    method: str, port: int, host: str, allow_private: bool, limits: tuple[str, ...]
) -> None:
    """Show a browser only the main content of pages: a proxy that fetches and rewrites them.

    Set it as the HTTP proxy of a browser. Addresses at https:// are refused, since a proxy cannot
    read them. Ctrl-C ends it.
    """
    check_extras(("uvicorn",), "the proxy", "serve")
    proxy = extraction.ExtractionProxy(
        extraction.make_extractor(method),
        limits=options.read_limits(limits),
        allow_private=allow_private,
    )
    with bind(host, port) as listener:
        place = f"{host}:{listener.getsockname()[1]}"
        show_message(f"{method} at {place}; Ctrl-C to end")
        serve(proxy, listener, **extraction.SERVER_SETTINGS)
