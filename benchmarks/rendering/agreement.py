"""How far the static renderer finds what a browser shows, and why it does not find the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypedDict

from benchmarks.features.timing import Tell
from benchmarks.rendering.node_states import NOT_THERE, SHOWN, NodeState, Tree, node_states
from benchmarks.rendering.pages import kilobytes
from benchmarks.rendering.plain import PlainBrowser
from structce.errors import RenderError
from structce.page import Page
from structce.rendering.chromium import ChromiumRenderer
from structce.rendering.document import Document
from structce.rendering.static import StaticRenderer

Rows: TypeAlias = Mapping[str, str]

SHEET = "hidden by a style sheet"
HIDDEN_UNTIL_SCRIPTS = "hidden until scripts run"
REVEALED = "shown though HTML hides it"
PARSERS = "parsers differ"
TEXT = "parsers differ in the text"
OTHER = "other"
HIDDEN = {
    "display": SHEET,
    "visibility": SHEET,
    "opacity": SHEET,
    "content-visibility": SHEET,
    "no size": "hidden by layout: no size",
    "off the page": "hidden by layout: off the page",
    "clipped": "hidden by layout: clipped",
    "medium without size": "size of a medium",
}
"""Why only the static renderer shows a region, according to a browser."""

N_EXAMPLES = 20  # addresses of what has no better cause than `OTHER`, for each side


class PageAgreement(TypedDict):
    """Agreement of the renderers on one page; characters are those of collapsed text.

    Parameters
    ----------
    agreed
        Regions, or characters, at the same address with the same text.
    same_text
        Characters of regions of chromium whose text the static renderer has too, anywhere.
    chromium_only, static_only
        Regions of one alone, by cause.
    """

    name: str
    kilobytes: float
    chromium: int
    static: int
    agreed: int
    chromium_characters: int
    static_characters: int
    agreed_characters: int
    same_text: int
    chromium_only: dict[str, int]
    static_only: dict[str, int]
    chromium_only_characters: dict[str, int]
    static_only_characters: dict[str, int]


class AgreementFigures(TypedDict):
    """Figures of this part; pages with most disagreement first."""

    errors: list[str]
    pages: list[PageAgreement]
    examples: list[dict[str, str]]


@dataclass
class Comparison:
    """Compares pages of the two renderers, with a plain browser that says why they differ."""

    browser: PlainBrowser
    examples: list[dict[str, str]] = field(default_factory=list)

    def compare(self, document: Document, chromium: Page, static: Page) -> PageAgreement:
        """Return what the two have in common, and the causes of the rest."""
        ours, theirs = _rows(static), _rows(chromium)
        agreed = {path for path, text in theirs.items() if ours.get(path) == text}
        alone = {path: text for path, text in theirs.items() if path not in agreed}
        extra = {path: text for path, text in ours.items() if path not in agreed}
        missed, added = self._causes(document, alone, extra)
        return {
            "name": document.name,
            "kilobytes": kilobytes(document),
            "chromium": len(theirs),
            "static": len(ours),
            "agreed": len(agreed),
            "chromium_characters": _length(theirs),
            "static_characters": _length(ours),
            "agreed_characters": sum(len(theirs[path]) for path in agreed),
            "same_text": _common_length(theirs, ours),
            "chromium_only": dict(Counter(missed.values())),
            "static_only": dict(Counter(added.values())),
            "chromium_only_characters": _by_cause(alone, missed),
            "static_only_characters": _by_cause(extra, added),
        }

    def _causes(
        self, document: Document, alone: Rows, extra: Rows
    ) -> tuple[dict[str, str], dict[str, str]]:
        """Return the cause of every region that only chromium has, and of those only static has."""
        paths = list(dict.fromkeys([*alone, *extra]))
        states = dict(
            zip(paths, node_states(self.browser, document, paths) if paths else [], strict=True)
        )
        tree = Tree(document)
        missed = {path: why_missed(text, states[path], tree.text(path), path in extra)
                  for path, text in alone.items()}  # fmt: skip
        added = {path: why_added(text, states[path], path in alone) for path, text in extra.items()}
        for side, causes in (("chromium", missed), ("static", added)):
            others = [path for path, cause in causes.items() if cause == OTHER]
            room = N_EXAMPLES - sum(example["only"] == side for example in self.examples)
            self.examples += [{"page": document.name, "only": side, "xpath": path}
                              for path in others[:room]]  # fmt: skip
        return missed, added


def why_missed(text: str, sight: NodeState, in_tree: str | None, in_both: bool) -> str:
    """Return why the static renderer lacks a region that chromium has.

    Parameters
    ----------
    in_tree
        What lxml has at the address, None for nothing.
    in_both
        Whether the static renderer has the address, with another text.
    """
    if in_both:
        return TEXT
    if in_tree is None or in_tree != text:
        return PARSERS
    if sight.state in HIDDEN:
        return HIDDEN_UNTIL_SCRIPTS  # chromium's page shows it, a plain one does not
    return REVEALED if sight.state == SHOWN else OTHER


def why_added(text: str, sight: NodeState, in_both: bool) -> str:
    """Return why chromium lacks a region that the static renderer has."""
    if in_both:
        return TEXT
    if sight.state == NOT_THERE or sight.text != text:
        return PARSERS
    return HIDDEN.get(sight.state, OTHER)


def _rows(page: Page) -> dict[str, str]:
    return dict(zip(page.xpath, page.text, strict=True))


def _length(rows: Rows) -> int:
    return sum(map(len, rows.values()))


def _common_length(rows: Rows, other: Rows) -> int:
    common = Counter(rows.values()) & Counter(other.values())
    return sum(len(text) * n for text, n in common.items())


def _by_cause(rows: Rows, causes: Mapping[str, str]) -> dict[str, int]:
    characters: Counter[str] = Counter()
    for path, cause in causes.items():
        characters[cause] += len(rows[path])
    return dict(characters)


def measure(documents: Sequence[Document], browser: str | None, tell: Tell) -> AgreementFigures:
    """Return the figures of this part; a page that a renderer refuses is an error."""
    errors: list[str] = []
    pages: list[PageAgreement] = []
    with (
        PlainBrowser(browser) as plain,
        ChromiumRenderer(browser) as chromium,
        StaticRenderer() as static,
    ):
        comparison = Comparison(plain)
        for n, document in enumerate(documents, 1):
            tell(f"agreement: {n} of {len(documents)}")
            try:
                both = chromium.render(document), static.render(document)
            except RenderError as error:
                errors.append(str(error))
                continue
            pages.append(comparison.compare(document, *both))
    pages.sort(key=disagreement, reverse=True)
    return {"errors": errors, "pages": pages, "examples": comparison.examples}


def disagreement(page: PageAgreement) -> int:
    """Return how many regions only one of the renderers has."""
    return page["chromium"] + page["static"] - 2 * page["agreed"]
