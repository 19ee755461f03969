"""States of nodes: why each shows or not, by plain Playwright and apart from the renderers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from lxml import etree

from benchmarks.rendering.parsing import bare_parse
from benchmarks.rendering.plain import PlainBrowser
from structce.rendering.document import Document
from structce.rendering.html_rules import collapse

if TYPE_CHECKING:
    from playwright.sync_api import Page as Tab

NOT_THERE = "not there"
SHOWN = "shown"

_NODE_STATES = r"""(paths) => {
  const child = (node, name, n) => {
    const isText = name === "text()";
    let k = 0;
    for (const one of node.childNodes) {
      const isOne = isText ? one.nodeType === Node.TEXT_NODE
        : one.nodeType === Node.ELEMENT_NODE && one.localName.toLowerCase() === name;
      if (isOne && ++k === n) return one;
    }
    return null;
  };
  const step = (node, part) => {
    const [, name, n] = /^(.*)\[(\d+)\]$/.exec(part);
    if (name === "html" && node.contentDocument) return node.contentDocument.documentElement;
    return child(node, name, Number(n)) || (name === "template" ? node.shadowRoot : null);
  };
  const known = new Map([["", document]]);
  const find = (path) => {
    if (!known.has(path)) {
      const cut = path.lastIndexOf("/");
      const above = find(path.slice(0, cut));
      known.set(path, above && step(above, path.slice(cut + 1)));
    }
    return known.get(path);
  };
  const boxOf = (node) => {
    if (node.nodeType === Node.ELEMENT_NODE) return node.getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(node);
    return range.getBoundingClientRect();
  };
  const isNone = (element) => getComputedStyle(element).display === "none";
  const isSkipped = (element) => getComputedStyle(element).contentVisibility === "hidden";
  const isClear = (element) => getComputedStyle(element).opacity === "0";
  const clips = (element) => {
    const style = getComputedStyle(element);
    if (style.clipPath !== "none" || style.clip !== "auto") return true;
    const isSmall = element.clientWidth <= 1 || element.clientHeight <= 1;
    return style.overflow !== "visible" && style.display !== "inline" && isSmall;
  };
  const reason = (node) => {
    const isText = node.nodeType === Node.TEXT_NODE;
    const above = [];
    for (let one = isText ? node.parentElement : node; one; one = one.parentElement) {
      above.push(one);
    }
    if (above.some(isNone)) return "display";
    if (above.length && getComputedStyle(above[0]).visibility !== "visible") return "visibility";
    if (above.some(isClear)) return "opacity";
    if (above.some(isSkipped)) return "content-visibility";
    const box = boxOf(node);
    if (!box.width || !box.height) return isText ? "no size" : "medium without size";
    if (!isText && (box.width <= 1 || box.height <= 1)) return "medium without size";
    if (box.right + scrollX <= 0 || box.bottom + scrollY <= 0) return "off the page";
    return above.some(clips) ? "clipped" : "shown";
  };
  return paths.map((path) => {
    const node = find(path);
    if (!node) return ["not there", ""];
    return [reason(node), node.nodeType === Node.TEXT_NODE ? node.data : ""];
  });
}"""


class NodeState(NamedTuple):
    """State of the node at an address.

    Parameters
    ----------
    state
        `NOT_THERE`, `SHOWN`, or why it is hidden: ``display``, ``visibility``, ``opacity``,
        ``content-visibility``, ``no size``, ``medium without size``, ``off the page``, ``clipped``.
    text
        Of a text node, white space collapsed.
    """

    state: str
    text: str


def node_states(browser: PlainBrowser, document: Document, paths: Sequence[str]) -> list[NodeState]:
    """Return what a browser has at each address."""

    def ask(tab: Tab) -> list[tuple[str, str]]:
        states: list[tuple[str, str]] = tab.evaluate(_NODE_STATES, list(paths))
        return states

    return [NodeState(state, collapse(text)) for state, text in browser.show(document.html, ask)]


class Tree:
    """A page as lxml parses it, looked up by address."""

    def __init__(self, document: Document) -> None:
        root = bare_parse(document.html.encode("utf-8", errors="replace").replace(b"\0", b""))
        self._known: dict[str, etree._Element | None] = {f"/{root.tag}[1]": root}

    def text(self, path: str) -> str | None:
        """Return the text at an address, of an element the empty one; None if nothing is there."""
        above, _, last = path.rpartition("/")
        if not last.startswith("text()"):
            return None if self._element(path) is None else ""
        element = self._element(above)
        number = int(last[len("text()[") : -1])
        texts = [] if element is None else _texts(element)
        return collapse(texts[number - 1]) if number <= len(texts) else None

    def _element(self, path: str) -> etree._Element | None:
        if path not in self._known:
            above, _, last = path.rpartition("/")
            parent = self._element(above) if above else None
            self._known[path] = None if parent is None else _child(parent, last)
        return self._known[path]


def _child(parent: etree._Element, step: str) -> etree._Element | None:
    name, _, number = step[:-1].rpartition("[")
    same = [child for child in parent if child.tag == name]
    return same[int(number) - 1] if int(number) <= len(same) else None


def _texts(element: etree._Element) -> list[str]:
    """Return the text nodes of an element in their order."""
    texts = [element.text, *(child.tail for child in element)]
    return [text for text in texts if text]
