"""Published outputs of systems that cannot be run here: commercial ones, networks, old programs.

They come from ``published-outputs.zip``, by two groups of authors: the article extraction benchmark
(its ``articleBody`` of every extractor, commercial ones among them) and a study of extraction
algorithms on four data sets (texts of Web2Text, BoilerNet, BTE and others). Both contain only the
main text, on pages as they are; systems that run here are not taken from them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.articles.answers import Answer
from structce.datasets import open_data_set
from structce.io import Folder

ARCHIVE = "published-outputs.zip"
_ZYTE = "article-extraction-benchmark"
_OURS_RUN = {
    "zyte2026": ("goose3", "justext", "newspaper", "readability", "readability_js", "trafilatura"),
    "sigir2023": (
        "ensemble_best", "ensemble_majority", "goose3", "html_text", "justext", "newspaper3k",
        "readability", "resiliparse", "trafilatura", "boilerpipe", "dragnet",
    ),
}  # fmt: skip
"""Outputs that are left out: of systems that run here, of baselines, and of those in both."""
_PAGE_FOLDER = re.compile(r"/(?:source\.html)$")


def published_answers(data: Path, data_set: str) -> dict[str, dict[str, Answer]]:
    """Return published answers to a data set by system and page; empty for other sets."""
    path = data / ARCHIVE
    if not path.exists():
        return {}
    folder = open_data_set(path, "zyte2026", "sigir2023")
    answers: dict[str, dict[str, Answer]] = {}
    if (folder / "sigir2023" / data_set).is_dir():
        for file in _files(folder / "sigir2023" / data_set, ".jsonl", "sigir2023"):
            answers[_label(file.name)] = {answer.id: answer for answer in _lines(file)}
    if data_set == _ZYTE:
        for file in _files(folder / "zyte2026", ".json", "zyte2026"):
            answers[_label(file.name)] = dict(_bodies(file))
    return answers


def _files(folder: Folder, ending: str, origin: str) -> Iterator[Any]:
    files: list[Any] = list(folder.iterdir())
    for file in sorted(files, key=lambda entry: str(entry.name)):
        if file.name.endswith(ending) and file.name.removesuffix(ending) not in _OURS_RUN[origin]:
            yield file


def _label(name: str) -> str:
    return f"{name.rpartition('.')[0]} (published)"


def _bodies(file: Folder) -> Iterator[tuple[str, Answer]]:
    for name, values in json.loads(file.read_bytes()).items():
        yield name, Answer(name, text=values.get("articleBody") or "")


def _lines(file: Folder) -> Iterator[Answer]:
    for line in file.read_bytes().decode("utf-8").split("\n"):
        if line.strip():
            values = json.loads(line)
            name = _PAGE_FOLDER.sub("", values["file"]).rpartition("/")[2]
            yield Answer(re.sub(r"\.html?(\.gz)?$", "", name), text=values.get("text") or "")
