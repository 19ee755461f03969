"""Text of an HTML fragment, one line per block, for systems that answer in HTML."""

from __future__ import annotations

from collections.abc import Iterator

from selectolax.lexbor import LexborNode

from structce.rendering import TEXT, Document, children, parse

_BLOCKS = frozenset(
    "address article aside blockquote body br caption center dd details div dl dt figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary "
    "table tbody td tfoot th thead tr ul".split()
)
_SILENT = frozenset(("script", "style", "template", "noscript"))


def text_of_html(html: str) -> str:
    """Return the text of HTML, one line per block; empty for HTML without text."""
    if not html.strip():
        return ""
    pieces = "".join(_pieces(parse(Document(html, name="answer"))))
    lines = (" ".join(line.split()) for line in pieces.split("\n"))
    return "\n".join(line for line in lines if line)


def _pieces(root: LexborNode) -> Iterator[str]:
    stack: list[LexborNode | str] = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            yield node
            continue
        tag = (node.tag or "").lower()
        if tag == TEXT:
            yield (node.text_content or "").replace("\n", " ")
        elif tag not in _SILENT and not tag.startswith(("-", "!")):
            edge = ["\n"] if tag in _BLOCKS else []
            stack += [*edge, *reversed(list(children(node))), *edge]
