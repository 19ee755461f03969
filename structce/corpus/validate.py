"""Validation of a corpus on disk: every file is read, and every defect is reported."""

from __future__ import annotations

import json
import re
import sys
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import msgspec
from tqdm import tqdm

from structce.corpus.corpus import open_corpus
from structce.corpus.storage import (
    LabelledPage,
    Manifest,
    PageRow,
    digest_of,
    label_set_of,
    read_manifest,
)
from structce.errors import CorpusError, StructceError
from structce.gold import MATCH_METHODS, Gold, Match, gold_from_json, matches_from_json
from structce.io import Folder
from structce.labels import UNKNOWN, LabelSet, allowed_names
from structce.page import SUFFIX, Page, unpack_page
from structce.rendering import StaticRenderer, decode

Level = Literal["error", "warning"]

_SAFE = re.compile(r"\w[\w.-]*")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?|.*\.", re.IGNORECASE)
_DAMAGED = (OSError, KeyError, ValueError, RecursionError, EOFError, zipfile.BadZipFile, zlib.error)


@dataclass(frozen=True)
class Defect:
    """One defect, or possible defect, of a corpus, or of a page if it has an id."""

    level: Level
    page: str
    what: str


def validate(path: Path) -> list[Defect]:
    """Return all defects of a corpus on disk, page by page; empty for a sound corpus.

    Raw pages are rendered without a browser, to check that each label is on a region.
    """
    try:
        folder, stated = read_manifest(path)
        manifest = msgspec.convert(stated, Manifest)
        label_set = label_set_of(manifest)
    except (CorpusError, msgspec.ValidationError) as error:
        what = str(error) if isinstance(error, CorpusError) else f"manifest.json: {error}"
        return [Defect("error", "", what)]
    check = _Check(folder, manifest, label_set)
    check.head()
    check.rows()
    for row in tqdm(manifest["pages"], "pages", unit="page", disable=None, file=sys.stderr):
        if _SAFE.fullmatch(row["id"]):
            check.page(row)
    check.strays()
    check.digest(path)
    return check.findings


@dataclass
class _Check:
    folder: Folder
    manifest: Manifest
    label_set: LabelSet
    findings: list[Defect] = field(default_factory=list)
    digests: dict[str, str] = field(default_factory=dict)

    def error(self, what: str, page: str = "") -> None:
        self.findings.append(Defect("error", page, what))

    def warn(self, what: str, page: str = "") -> None:
        self.findings.append(Defect("warning", page, what))

    def head(self) -> None:
        """Check what applies to all pages."""
        if odd := set(self.manifest["covered"]) - set(self.label_set.foreground):
            self.error(f"covered label {min(odd)!r} is not one of {self.label_set.foreground}")
        if not self.manifest["pages"]:
            self.warn("no page")
        if "+" in self.manifest["renderer"]:
            self.warn(f"pages of several renderers: {self.manifest['renderer']}")

    def rows(self) -> None:
        """Check ids, sites and families."""
        ids = [row["id"] for row in self.manifest["pages"]]
        for name, n in Counter(ids).items():
            if n > 1:
                self.error(f"{n} pages of this id", name)
            if not _SAFE.fullmatch(name):
                self.error("id is not a safe file name; the page was not read", name)
            elif _RESERVED.fullmatch(name):
                self.warn("id is a name that files cannot have on Windows", name)
        for name, n in Counter(name.casefold() for name in set(ids)).items():
            if n > 1:
                self.warn(f"{n} ids that differ in capitals alone: one file on some systems", name)
        families: dict[str, set[str]] = {}
        for row in self.manifest["pages"]:
            families.setdefault(row["site"], set()).add(row["family"])
            if not (row["site"] and row["family"]):
                self.error(
                    f"site {row['site']!r}, family {row['family']!r}; neither may be empty",
                    row["id"],
                )
        for site, names in sorted(families.items()):
            if len(names) > 1:
                self.warn(
                    f"site {site!r} is in {len(names)} families, {', '.join(sorted(names)[:3])}"
                    "; splits treat them as one"
                )

    def page(self, row: PageRow) -> None:
        """Check the files of a page."""
        name, n_before = row["id"], len(self.findings)
        page = self._rendered(row)
        named = self._labels(name)
        gold, matches = self._gold(name)
        if page is None:
            return
        self._compare(row, page)
        self._matches(name, len(page), matches)
        if named is None:
            return
        labels = self._on_regions(name, page, named)
        self._known(name, labels)
        if not any(defect.level == "error" for defect in self.findings[n_before:]):
            whole = LabelledPage(name, row["site"], row["family"], page, labels, gold, matches)
            self.digests[name] = whole.digest

    def _read(self, kind: str, name: str) -> bytes | None:
        try:
            return (self.folder / kind / name).read_bytes()
        except _DAMAGED as error:
            self.error(f"{kind}/{name}: {type(error).__name__}: {error}", Path(name).stem)
        return None

    def _rendered(self, row: PageRow) -> Page | None:
        is_raw = not self.manifest["renderer"]
        data = self._read("pages", row["id"] + (".html" if is_raw else SUFFIX))
        if data is None:
            return None
        try:
            if not is_raw:
                return unpack_page(data, row["id"])
            return StaticRenderer().render(decode(data, name=row["id"], url=row["url"]))
        except StructceError as error:
            self.error(str(error).removeprefix(f"{row['id']}: "), row["id"])
        return None

    def _labels(self, name: str) -> dict[str, str] | None:
        data = self._read("labels", f"{name}.json")
        if data is None:
            return None
        try:
            pairs = json.loads(data, object_pairs_hook=tuple)
            named = msgspec.convert(pairs, tuple[tuple[str, str], ...])
        except (*_DAMAGED, msgspec.ValidationError) as error:
            self.error(f"labels/{name}.json: expected labels by XPath: {error}", name)
            return None
        counts = Counter(xpath for xpath, _ in named)
        for xpath in [xpath for xpath, n in counts.items() if n > 1]:
            self.error(f"{counts[xpath]} labels on {xpath}", name)
        return dict(named)

    def _gold(self, name: str) -> tuple[Gold, tuple[Match, ...]]:
        if not (self.folder / "gold" / f"{name}.json").exists():
            return Gold(), ()
        try:
            known = json.loads(self._read("gold", f"{name}.json") or b"")
            gold = gold_from_json(known["gold"], name)
            matches = matches_from_json(known["matches"], name)
        except (*_DAMAGED, TypeError, AttributeError, CorpusError) as error:
            self.error(f"gold/{name}.json: {str(error).removeprefix(f'{name}: ')}", name)
            return Gold(), ()
        blocks = {block.label for block in gold.blocks}
        given = {gold.rest, *gold.covers, *blocks, *(mark.label for mark in gold.marks)}
        if odd := {label for label in given if not self._is_label(label)}:
            self.error(
                f"gold has label {min(odd)!r}, which is not one of {self.label_set.names}", name
            )
        return gold, matches

    def _compare(self, row: PageRow, page: Page) -> None:
        renderer = self.manifest["renderer"]
        if renderer and page.renderer not in renderer.split("+"):
            self.error(f"rendered by {page.renderer}; the manifest says {renderer}", row["id"])
        if page.url != row["url"]:
            self.warn(f"address {page.url!r}; the manifest says {row['url']!r}", row["id"])
        if n := len(page) - len(set(page.xpath)):
            self.error(f"{n} regions share their address with another one", row["id"])

    def _matches(self, name: str, n_regions: int, matches: Iterable[Match]) -> None:
        for match in matches:
            out = [i for i in (*match.regions, *match.rivals) if not 0 <= i < n_regions]
            where = f"match of {match.field} {match.value[:40]!r}"
            if out:
                self.error(f"{where}: region {out[0]} of {n_regions}, counted from 0", name)
            is_known = match.method in (*MATCH_METHODS, "")
            if not is_known or bool(match.method) != bool(match.regions):
                self.error(f"{where}: method {match.method!r}, {len(match.regions)} regions", name)
            if not 0 <= match.score <= 1:
                self.error(f"{where}: score {match.score}; expected 0 to 1", name)

    def _on_regions(self, name: str, page: Page, named: dict[str, str]) -> tuple[str, ...]:
        """Return the label of every region; anything that is not a label counts as unknown."""
        uncovered = set(self.label_set.foreground) - set(self.manifest["covered"])
        for label, n in Counter(named.values()).items():
            if not self._is_label(label):
                self.error(f"{n} regions have label {label!r}, which is not in the set", name)
            elif label in uncovered:
                self.error(f"{n} regions have label {label!r}, which is not covered", name)
        if lost := set(named) - set(page.xpath):
            self.error(f"{len(lost)} labels on no region, such as {min(lost)}", name)
        labels = (named.get(xpath, self.label_set.background) for xpath in page.xpath)
        return tuple(label if self._is_label(label) else UNKNOWN for label in labels)

    def _is_label(self, label: str) -> bool:
        return allowed_names(label) <= set(self.label_set.names)

    def _known(self, name: str, labels: tuple[str, ...]) -> None:
        if not labels:
            self.warn("no region", name)
        elif set(labels) == {UNKNOWN}:
            self.warn("no region whose label is known", name)
        elif set(labels) <= {UNKNOWN, self.label_set.background}:
            self.warn("no region with a label except the background", name)

    def strays(self) -> None:
        """Report files that belong to no page."""
        ids = {row["id"] for row in self.manifest["pages"]}
        for kind, end in (
            ("pages", SUFFIX if self.manifest["renderer"] else ".html"),
            ("labels", ".json"),
            ("gold", ".json"),
        ):
            there = self.folder / kind
            names = {file.name for file in there.iterdir()} if there.is_dir() else set()
            if odd := sorted(names - {f"{name}{end}" for name in ids}):
                self.warn(f"{len(odd)} files in {kind}/ that belong to no page, such as {odd[0]}")

    def digest(self, path: Path) -> None:
        """Check the digest, unless the pages that it covers have other errors."""
        if any(defect.level == "error" for defect in self.findings):
            return
        if self.manifest["renderer"]:
            if digest_of(self.label_set, self.digests.items()) != self.manifest["digest"]:
                self.error("pages or labels changed since the manifest was written")
            return
        try:
            open_corpus(path, None, lambda name: StaticRenderer())
        except StructceError as error:
            self.error(str(error))
