"""Process that runs a system under a Python that has no structce, as ``worker`` runs the others.

PEERS_PYTHON names that Python: rs-trafilatura has a wheel for 3.12 only. PEERS_MARKDOWN asks for
Markdown as the text.
"""

import json
import os
import sys
import time
from typing import Any


def rs_trafilatura(request: dict[str, str]) -> dict[str, Any]:
    """Return title, author, date and text as rs-trafilatura reads them."""
    import rs_trafilatura as system

    kept = dict.fromkeys(("output_markdown", "include_links"), "PEERS_MARKDOWN" in os.environ)
    result = system.extract(request["html"], url=request["url"] or None, **kept)
    return {
        "title": getattr(result, "title", "") or "",
        "byline": getattr(result, "author", "") or "",
        "date": str(getattr(result, "date", "") or ""),
        "text": result.content_markdown or result.main_content or "",
    }


def main() -> None:
    """Answer the requests of standard input until it ends."""
    for line in sys.stdin:
        start = time.process_time()
        try:
            reply = rs_trafilatura(json.loads(line))
        except Exception as error:  # the system may raise anything; the error is counted
            reply = {"error": f"{type(error).__name__}: {error}"[:300]}
        reply["ms"] = 1000 * (time.process_time() - start)
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
