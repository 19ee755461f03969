"""Files that a page refers to: where its style sheets, images, frames and scripts come from.

The browser reaches no network at all. Whatever a page asks for is looked up here, in Python: in
the folder or archive that the page came from, or, only when the user allows it, on the network.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

NOWHERE = "http://page.invalid/"
"""Address that a page is shown at when it has none; no name below ``invalid`` exists (RFC 2606)."""


@dataclass(frozen=True)
class Resource:
    """One file that a page asked for.

    Parameters
    ----------
    content_type
        As HTTP writes it, ``text/css; charset=utf-8``; empty to let the browser guess.
    status
        Of HTTP; 404 is an answer, too.
    """

    data: bytes
    content_type: str = ""
    status: int = 200


@runtime_checkable
class Resources(Protocol):
    """The files around one page, by their addresses.

    ``base`` is the address that the page itself is shown at: relative addresses in it, and in its
    style sheets, are resolved against it by the browser.
    """

    @property
    def base(self) -> str:
        """Absolute address of the page: ``http`` or ``https``."""
        ...

    def get(self, url: str) -> Resource | None:
        """Return the file at an absolute address, or None where there is none to give.

        Called from several threads at once. Never raises: what cannot be read is not there.
        """
        ...
