"""Process that runs one system: one JSON request per line in, one answer per line out.

python3 -m benchmarks.articles.worker trafilatura
"""

from __future__ import annotations

import json
import os
import sys
import time
import warnings
from collections.abc import Mapping
from typing import Any, TextIO

from benchmarks.articles import peers
from benchmarks.articles.peers import Extract

PEERS = {
    "trafilatura": peers.trafilatura,
    "newspaper4k": peers.newspaper4k,
    "readability-lxml": peers.readability_lxml,
    "goose3": peers.goose3,
    "htmldate": peers.htmldate,
    "resiliparse": peers.resiliparse,
    "rs-trafilatura": peers.rs_trafilatura,
    "justext": peers.justext,
    "boilerpy3": peers.boilerpy3,
    "ours-shipped": peers.structce_shipped,
}
"""Functions that prepare a system, by its name."""


def answer(extract: Extract, request: Mapping[str, str]) -> dict[str, Any]:
    """Return the output of a system for a page, with its processor time or its error."""
    start = time.process_time()
    try:
        reply = dict(extract(request["html"], request["url"], request["lang"]))
    except Exception as error:  # systems of others may raise anything; the error is counted
        reply = {"error": f"{type(error).__name__}: {error}"[:300]}
    return reply | {"ms": 1000 * (time.process_time() - start)}


def main() -> None:
    """Answer the requests of standard input until it ends."""
    warnings.simplefilter("ignore")
    with quiet_output() as stream:
        extract = PEERS[sys.argv[1]]()
        for line in sys.stdin:
            stream.write(json.dumps(answer(extract, json.loads(line)), default=str) + "\n")
            stream.flush()


def quiet_output() -> TextIO:
    """Return standard output, and send what libraries print to standard error."""
    own = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(own, "w", encoding="utf-8")


if __name__ == "__main__":
    main()
