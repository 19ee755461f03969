"""Validation of a corpus on disk: every file is read, and every defect is reported."""

from __future__ import annotations

import json
import re
import sys
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
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
_DAMAGED = (
    OSError, KeyError, ValueError, TypeError, AttributeError, RecursionError, EOFError,
    zipfile.BadZipFile, zlib.error, StructceError,
)  # fmt: skip


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
    check.manifest_alone()
    for row in tqdm(manifest["pages"], "pages", unit="page", disable=None, file=sys.stderr):
        if _SAFE.fullmatch(row["id"]):
            check.page(row)
    check.strays()
    if not any(defect.level == "error" for defect in check.defects):
        check.digest(path)
    return check.defects


@dataclass
class _Check:
    folder: Folder
    manifest: Manifest
    label_set: LabelSet
    defects: list[Defect] = field(default_factory=list)
    digests: dict[str, str] = field(default_factory=dict)

    def error(self, what: str, page: str = "") -> None:
        self.defects.append(Defect("error", page, what))

    def warn(self, what: str, page: str = "") -> None:
        self.defects.append(Defect("warning", page, what))

    def manifest_alone(self) -> None:
        """Check covered labels, ids, sites and families."""
        rows, foreground = self.manifest["pages"], self.label_set.foreground
        if odd := set(self.manifest["covered"]) - set(foreground):
            self.error(f"covered label {min(odd)!r} is not one of {foreground}")
        if not rows:
            self.warn("no page")
        if "+" in self.manifest["renderer"]:
            self.warn(f"pages of several renderers: {self.manifest['renderer']}")
        ids = Counter(row["id"] for row in rows)
        for name, n in ids.items():
            if n > 1:
                self.error(f"{n} pages of this id", name)
            if not _SAFE.fullmatch(name):
                self.error("id is not a safe file name; the page was not read", name)
            elif _RESERVED.fullmatch(name):
                self.warn("id is a name that files cannot have on Windows", name)
        for name, n in Counter(name.casefold() for name in ids).items():
            if n > 1:
                self.warn(f"{n} ids that differ in capitals alone: one file on some systems", name)
        families: dict[str, set[str]] = {}
        for row in rows:
            site, family = row["site"], row["family"]
            families.setdefault(site, set()).add(family)
            if not (site and family):
                self.error(f"site {site!r}, family {family!r}; neither may be empty", row["id"])
        for site, names in sorted(families.items()):
            if len(names) > 1:
                self.warn(
                    f"site {site!r} is in {len(names)} families, {', '.join(sorted(names)[:3])}"
                    "; splits treat them as one"
                )

    def page(self, row: PageRow) -> None:
        """Check the files of a page."""
        name, n_before = row["id"], len(self.defects)
        page, named, (gold, matches) = self._rendered(row), self._labels(name), self._gold(name)
        if page is None:
            return
        renderer = self.manifest["renderer"]
        if renderer and page.renderer not in renderer.split("+"):
            self.error(f"rendered by {page.renderer}; the manifest says {renderer}", name)
        if page.url != row["url"]:
            self.warn(f"address {page.url!r}; the manifest says {row['url']!r}", name)
        if n := len(page) - len(set(page.xpath)):
            self.error(f"{n} regions share their address with another one", name)
        for match in matches:
            for what in _match_defects(match, len(page)):
                self.error(f"match of {match.field} {match.value[:40]!r}: {what}", name)
        if named is None:
            return
        labels = self._on_regions(name, page, named)
        if all(defect.level == "warning" for defect in self.defects[n_before:]):
            whole = LabelledPage(name, row["site"], row["family"], page, labels, gold, matches)
            self.digests[name] = whole.digest

    def _rendered(self, row: PageRow) -> Page | None:
        is_raw, name = not self.manifest["renderer"], row["id"]
        file = f"{name}{'.html' if is_raw else SUFFIX}"
        try:
            data = (self.folder / "pages" / file).read_bytes()
            if is_raw:
                return StaticRenderer().render(decode(data, name=name, url=row["url"]))
            return unpack_page(data, name)
        except _DAMAGED as error:
            self.error(f"pages/{file}: {str(error).removeprefix(f'{name}: ')}", name)
        return None

    def _labels(self, name: str) -> dict[str, str] | None:
        try:
            data = (self.folder / "labels" / f"{name}.json").read_bytes()
            pairs = json.loads(data, object_pairs_hook=tuple)
            named = msgspec.convert(pairs, tuple[tuple[str, str], ...])
        except _DAMAGED as error:
            self.error(f"labels/{name}.json: expected labels by XPath: {error}", name)
            return None
        for xpath, n in Counter(xpath for xpath, _ in named).items():
            if n > 1:
                self.error(f"{n} labels on {xpath}", name)
        return dict(named)

    def _gold(self, name: str) -> tuple[Gold, tuple[Match, ...]]:
        file = self.folder / "gold" / f"{name}.json"
        if not file.exists():
            return Gold(), ()
        try:
            known = json.loads(file.read_bytes())
            gold = gold_from_json(known["gold"], name)
            matches = matches_from_json(known["matches"], name)
        except _DAMAGED as error:
            self.error(f"gold/{name}.json: {str(error).removeprefix(f'{name}: ')}", name)
            return Gold(), ()
        blocks = {block.label for block in gold.blocks}
        given = {gold.rest, *gold.covers, *blocks, *(mark.label for mark in gold.marks)}
        if odd := {label for label in given if not self._is_label(label)}:
            names = self.label_set.names
            self.error(f"gold has label {min(odd)!r}, which is not one of {names}", name)
        return gold, matches

    def _on_regions(self, name: str, page: Page, named: dict[str, str]) -> tuple[str, ...]:
        """Return the label of every region; anything that is not a label counts as unknown."""
        background = self.label_set.background
        uncovered = set(self.label_set.foreground) - set(self.manifest["covered"])
        for label, n in Counter(named.values()).items():
            if not self._is_label(label):
                self.error(f"{n} regions have label {label!r}, which is not in the set", name)
            elif label in uncovered:
                self.error(f"{n} regions have label {label!r}, which is not covered", name)
        if lost := set(named) - set(page.xpath):
            self.error(f"{len(lost)} labels on no region, such as {min(lost)}", name)
        labels = [named.get(xpath, background) for xpath in page.xpath]
        labels = [label if self._is_label(label) else UNKNOWN for label in labels]
        if not labels:
            self.warn("no region", name)
        elif set(labels) == {UNKNOWN}:
            self.warn("no region whose label is known", name)
        elif set(labels) <= {UNKNOWN, background}:
            self.warn("no region with a label except the background", name)
        return tuple(labels)

    def _is_label(self, label: str) -> bool:
        return allowed_names(label) <= set(self.label_set.names)

    def strays(self) -> None:
        """Report files that belong to no page."""
        ids = {row["id"] for row in self.manifest["pages"]}
        ends = {"pages": SUFFIX if self.manifest["renderer"] else ".html"}
        for kind in ("pages", "labels", "gold"):
            there = self.folder / kind
            names = {file.name for file in there.iterdir()} if there.is_dir() else set()
            if odd := sorted(names - {f"{name}{ends.get(kind, '.json')}" for name in ids}):
                self.warn(f"{len(odd)} files in {kind}/ that belong to no page, such as {odd[0]}")

    def digest(self, path: Path) -> None:
        """Check the digest of a corpus whose pages have no errors."""
        if self.manifest["renderer"]:
            if digest_of(self.label_set, self.digests.items()) != self.manifest["digest"]:
                self.error("pages or labels changed since the manifest was written")
            return
        try:
            open_corpus(path, None, lambda name: StaticRenderer())
        except StructceError as error:
            self.error(str(error))


def _match_defects(match: Match, n_regions: int) -> Iterator[str]:
    if out := [i for i in (*match.regions, *match.rivals) if not 0 <= i < n_regions]:
        yield f"region {out[0]} of {n_regions}, counted from 0"
    is_known = match.method in (*MATCH_METHODS, "")
    if not is_known or bool(match.method) != bool(match.regions):
        yield f"method {match.method!r}, {len(match.regions)} regions"
    if not 0 <= match.score <= 1:
        yield f"score {match.score}; expected 0 to 1"
