"""Runtime of the work: processes, time limits, memory, the local HTTP server."""

from typing import TYPE_CHECKING

from structce.lazy_import import lazy_names
from structce.runtime.memory import without_collection
from structce.runtime.time_limit import call_within

if TYPE_CHECKING:
    from structce.runtime.http_server import (
        HEADERS,
        LOOPBACK,
        bind,
        foreign_request,
        host_headers,
        is_same_secret,
        new_token,
        read_body,
        serve,
        server_config,
    )
    from structce.runtime.worker_pool import WorkerPool

_SERVER = """HEADERS LOOPBACK bind foreign_request host_headers is_same_secret new_token read_body
    serve server_config"""
_HOMES = dict.fromkeys(_SERVER.split(), "structce.runtime.http_server")
_HOMES["WorkerPool"] = "structce.runtime.worker_pool"

__all__ = [
    "HEADERS", "LOOPBACK", "WorkerPool", "bind", "call_within", "foreign_request", "host_headers",
    "is_same_secret", "new_token", "read_body", "serve", "server_config", "without_collection",
]  # fmt: skip

__getattr__ = lazy_names(__name__, _HOMES)
