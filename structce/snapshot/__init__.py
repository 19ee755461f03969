"""A page on disk: two lines that say what it is, then its columns, with a checksum.

A snapshot holds everything that features see in a page, to the last bit, so that a page described
on one machine is described the same on every other. What other pages of its site hold
(``Page.site``) is not part of it: the same page stands beside other pages in another corpus.
"""

from structce.snapshot.envelope import FORMAT, VERSION, Header, check_snapshot, read_header
from structce.snapshot.pages import pack_page, unpack_page

__all__ = [
    "FORMAT",
    "SUFFIX",
    "VERSION",
    "Header",
    "check_snapshot",
    "pack_page",
    "read_header",
    "unpack_page",
]

SUFFIX = ".page"
"""How names of snapshots end."""
