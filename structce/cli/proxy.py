"""``structce proxy``: an extractor as an HTTP proxy for a browser."""

from __future__ import annotations

import logging

import click

from structce.cli.options import limit_option, read_limits
from structce.errors import SourceError
from structce.extraction import LOOPBACK, ExtractionProxy, make_extractor


@click.command(
    "proxy",
    epilog="Example:  structce proxy --method bte --port 8000, and in another window "
    "curl --proxy http://127.0.0.1:8000 http://example.org/",
)
@click.option(
    "--method",
    default="bte",
    metavar="NAME",
    help="Extractor; 'structce extract --list' shows the names.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=8000,
    help="Port to listen on; 0 for a free one.",
)
@click.option(
    "--host",
    default=LOOPBACK,
    metavar="ADDRESS",
    help="Address to listen on. Whoever reaches it can use the proxy: any except the default opens "
    "it to the network.",
)
@click.option(
    "--allow-private",
    is_flag=True,
    help="Also fetch from hosts of the local network and from this machine.",
)
@click.option("--verbose", is_flag=True, help="Report each request on standard error.")
@limit_option
def proxy_command(
    method: str, port: int, host: str, allow_private: bool, verbose: bool, limits: tuple[str, ...]
) -> None:
    """Show a browser only the main content of pages: a proxy that fetches and rewrites them.

    Set it as the HTTP proxy of a browser. Pages at http:// are rewritten, even if their server
    redirects the proxy to https://; addresses at https:// are refused, since a proxy cannot read
    them. Ctrl-C ends it.
    """
    if verbose:
        logging.getLogger("structce.extraction.proxies").setLevel(logging.INFO)
    extractor = make_extractor(method)
    try:
        proxy = ExtractionProxy(
            extractor,
            address=host,
            port=port,
            limits=read_limits(limits),
            allow_private=allow_private,
        )
    except OSError as error:
        raise SourceError(f"cannot listen on {host}:{port}: {error.strerror}") from error
    click.echo(f"{method} at {proxy.address}; Ctrl-C to end", err=True)
    try:
        proxy.serve()
    except KeyboardInterrupt:
        click.echo("ended", err=True)
    finally:
        proxy.close()
