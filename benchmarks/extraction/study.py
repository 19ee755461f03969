"""Texts, scores and gold of a study of extraction algorithms, for the pages that are held here.

The study is J. Bevendorff, S. Gupta, J. Kiesel, B. Stein (2023), An empirical comparison of web
content extraction algorithms, SIGIR, in a later run with more systems. Its gold texts are not
published beside the scores; they are made again here as the study makes them, with Resiliparse:

==============================  ===================================================================
article-extraction-benchmark    ``articleBody``, as it is
readability                     text of ``expected.html``
cleanportaleval                 text of the gold file taken as HTML, without its ``URL:`` line
l3s-gn1                         texts of elements marked headline, full text or supplemental, kind
                                after kind (not in the page's order), if nothing else is in them
==============================  ===================================================================
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from structce.datasets import open_data_set
from structce.io import Folder, open_folder

ARCHIVE = "published-outputs.zip"
SETS = ("article-extraction-benchmark", "cleanportaleval", "l3s-gn1", "readability")
_MARKED = (".x-nc-sel1", ".x-nc-sel2", ".x-nc-sel3")
_BLOCKS = frozenset(
    "address article aside blockquote canvas dd div dl dt fieldset figcaption figure footer form "
    "h1 h2 h3 h4 h5 h6 header hr li main nav noscript ol p pre section table tfoot ul video".split()
)
"""Elements around a marked text that begin a line in the study's gold."""


ZYTE_F1 = {
    "AutoExtract": 0.970, "Diffbot": 0.951, "boilerpipe": 0.860, "dragnet": 0.907,
    "go_domdistiller": 0.927, "go_trafilatura": 0.960, "goose3": 0.896, "inscriptis": 0.679,
    "justext": 0.804, "newspaper": 0.949, "readability": 0.922, "readability_js": 0.947,
    "rs_trafilatura": 0.970, "trafilatura": 0.958,
}  # fmt: skip
"""F1 on all 181 pages, as the article extraction benchmark publishes it; 171 are available here."""

Split = Callable[[str], Sequence[str]]


@dataclass(frozen=True)
class StudyPage:
    """One page of a set of the study.

    Parameters
    ----------
    file
        Path in the archive of the set, by which the study's tables name the page.
    """

    file: str
    html: bytes
    gold: str


@dataclass(frozen=True)
class Published:
    """What the study published of one system on one page; None for a score that is not there."""

    text: str
    rouge: float | None
    levenshtein: float | None


def sentence_splitter() -> tuple[Split | None, str]:
    """Return what cuts a text into sentences as the study does, and what it is; None for lines."""
    try:
        import nltk

        nltk.sent_tokenize("One. Two.")
    except (ImportError, LookupError):
        return None, "lines (NLTK or its data punkt_tab is not here)"
    return nltk.sent_tokenize, f"NLTK {nltk.__version__}, Punkt, English"


def open_outputs(data: Path) -> Folder:
    """Return the archive of published outputs."""
    return open_data_set(data / ARCHIVE, "zyte2026", "sigir2023")


def systems_of(outputs: Folder, name: str) -> list[str]:
    """Return the systems whose texts on a set are published."""
    files = (file.name for file in (outputs / "sigir2023" / name).iterdir())
    return sorted(file.removesuffix(".jsonl") for file in files if file.endswith(".jsonl"))


def published(outputs: Folder, name: str, system: str) -> dict[str, Published]:
    """Return text and scores of a system on a set, by file."""
    folder = outputs / "sigir2023" / name
    rouge = _scores(folder / "scores" / f"rouge_{system}.csv", "f1")
    levenshtein = _scores(folder / "scores" / f"levenshtein_{system}.csv", "dist")
    lines = (folder / f"{system}.jsonl").read_bytes().decode("utf-8").split("\n")
    rows = (json.loads(line) for line in lines if line.strip())
    return {
        row["file"]: Published(
            row.get("text") or "", rouge.get(row["file"]), levenshtein.get(row["file"])
        )
        for row in rows
    }


def _scores(file: Folder, column: str) -> dict[str, float]:
    if not file.exists():
        return {}
    rows = csv.DictReader(io.StringIO(file.read_text(encoding="utf-8")))
    return {row["file"]: float(row[column]) for row in rows}


def study_pages(data: Path, name: str, n: int | None = None) -> dict[str, StudyPage]:
    """Return the pages of a set with the gold of the study, by file; all, or the first so many."""
    folder = open_folder(data / f"{name}.zip")
    return {page.file: page for page in islice(_READERS[name](folder), n)}


def _zyte(folder: Folder) -> Iterator[StudyPage]:
    rows: Mapping[str, Any] = json.loads((folder / "ground-truth.json").read_bytes())
    for name, row in rows.items():
        file = f"html/{name}.html.gz"
        yield StudyPage(file, gzip.decompress((folder / file).read_bytes()), row["articleBody"])


def _readability(folder: Folder) -> Iterator[StudyPage]:
    for case in (folder / "test/test-pages").iterdir():
        expected = case / "expected.html"
        if expected.exists():
            page = (case / "source.html").read_bytes()
            file = f"test/test-pages/{case.name}/source.html"
            yield StudyPage(file, page, _text(expected.read_bytes()))


def _cleanportaleval(folder: Folder) -> Iterator[StudyPage]:
    for gold in (folder / "GoldStandard").iterdir():
        file = f"input/{gold.name.removesuffix('.txt')}.html"
        text = re.sub(r"\n +", "\n", _text(gold.read_bytes()))
        text = re.sub(r"^\s*URL:[^\n]+\s*", "", text)
        yield StudyPage(file, (folder / file).read_bytes(), text)


def _l3s_gn1(folder: Folder) -> Iterator[StudyPage]:
    (own,) = [entry for entry in folder.iterdir() if entry.name.startswith("L3S-GN1")]
    for annotated in (own / "annotated").iterdir():
        original = own / "original" / annotated.name
        if original.exists():
            gold = _marked_text(annotated.read_bytes())
            yield StudyPage(f"{own.name}/original/{annotated.name}", original.read_bytes(), gold)


_READERS = {
    "article-extraction-benchmark": _zyte,
    "cleanportaleval": _cleanportaleval,
    "l3s-gn1": _l3s_gn1,
    "readability": _readability,
}


def _marked_text(data: bytes) -> str:
    from resiliparse.parse.html import NodeType

    body = _tree(data).body
    pieces = []
    for selector in _MARKED:
        for node in body.query_selector_all(selector):
            if len(node.child_nodes) == 1 and node.first_child.type == NodeType.TEXT:
                pieces.append("\n" if node.parent.tag in _BLOCKS else "")
                pieces.append(f"{node.text.strip()} ")
    return "".join(pieces).strip()


def _text(data: bytes) -> str:
    return str(_tree(data).body.text)


def _tree(data: bytes) -> Any:
    """Return the page as Resiliparse reads it, in the encoding that it detects."""
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding
    from resiliparse.parse.html import HTMLTree

    encoding = detect_encoding(data, max_len=100_000, html5_compatible=False) or "utf-8"
    text = bytes_to_str(data, encoding=encoding, fallback_encodings=["utf-8", "cp1252"])
    return HTMLTree.parse(text)
