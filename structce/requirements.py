"""Extras of the installation: what each gives, and the packages it brings.

The table follows ``setup.cfg``; a test compares them. No import here can fail.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterable
from importlib.util import find_spec

# Purpose of each extra, its packages by import name, and in brackets the extras that it includes.
_TABLE = {
    "browser": (
        "layout and pictures of pages, by a browser",
        "jinja2 markupsafe playwright psutil",
    ),
    "corpus": ("corpora: making, importing and comparing them", "lxml scipy"),
    "train": (
        "training, measuring and explaining models",
        "[corpus] jinja2 joblib markupsafe sklearn sklearn_crfsuite threadpoolctl tomli_w",
    ),
    "experiments": (
        "experiments with reports and plots",
        "[train] matplotlib pandas",
    ),
    "synthetic": ("corpora of invented sites", "[corpus] babel jinja2 markupsafe"),
    "annotate": ("the labelling page", "[train] starlette uvicorn"),
    "serve": ("the HTTP service", "prometheus_client uvicorn"),
    "mcp": ("the server for language models", "mcp"),
    "bulk": ("crawls of any size into Parquet", "fastwarc fsspec pyarrow"),
    "warc": ("WARC archives", "fastwarc"),
    "frames": ("tables for pandas, Polars and Arrow", "pandas polars pyarrow"),
    "parquet": ("corpora as Parquet tables", "[corpus] pyarrow"),
    "ray": ("crawls on a cluster", "ray"),
    "neural": ("training of neural networks", "[train] torch"),
    "onnx": ("networks stored as ONNX: BoilerNet", "onnx onnxruntime scipy"),
    "peers": (
        "other systems, as methods of extraction",
        "boilerpy3 dateparser goose3 htmldate inscriptis jieba justext matplotlib newspaper "
        "readability resiliparse trafilatura",
    ),
    "datatrove": ("adapter for datatrove", "datatrove"),
    "nemo-curator": ("adapter for NeMo Curator", "nemo_curator"),
    "scrapy": ("adapter for Scrapy", "scrapy"),
    "langchain": ("adapter for LangChain", "langchain_core"),
}

_ROOMS = {
    "benchmark": "experiments",
    "compare": "experiments",
    "datasets": "corpus",
    "evaluate": "train",
    "evaluation": "train",
    "explain": "train",
    "extraction": "train",
    "features": "train",
    "labelling": "train",
    "learners": "train",
    "recipes": "train",
    "report": "experiments",
    "service": "serve",
    "visualisation": "browser",
}
"""Extras of commands and rooms of the package that have another name."""


def _modules(extra: str) -> frozenset[str]:
    own, parts = _TABLE[extra][1].split(), list[frozenset[str]]()
    parts += [_modules(word.strip("[]")) for word in own if word.startswith("[")]
    return frozenset(word for word in own if not word.startswith("[")).union(*parts)


EXTRAS = {extra: (purpose, _modules(extra)) for extra, (purpose, _) in _TABLE.items()}
"""Purpose of each extra, and the import names of all packages that it installs."""


def missing_modules(modules: Iterable[str]) -> list[str]:
    """Return the modules that are not installed, sorted; none is imported."""
    return sorted(module for module in modules if find_spec(module) is None)


def installed_versions(packages: Iterable[str]) -> dict[str, str]:
    """Return the installed version of each package; empty if it is not installed."""
    from importlib import metadata  # late: it takes 20 ms, and only reports need it

    versions = {}
    for package in packages:
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            versions[package] = ""
    return versions


def extra_advice(module: str, extra: str) -> str:
    """Return which package is missing, and the command that installs the extra with it."""
    package = module.partition(".")[0].replace("_", "-")
    return f"needs {package}: {extra_command(extra)}"


def extra_command(extra: str) -> str:
    """Return the command that installs an extra."""
    # An installed structce can be named, wherever it came from; a mere checkout cannot.
    source = "structce" if installed_versions(["structce"])["structce"] else "."
    return f"pip install '{source}[{extra}]'"


def extra_of(error: ModuleNotFoundError) -> str:
    """Return the extra that brings the package that an import did not find; empty without one.

    Several extras may bring it: that of the command or room that asked first is preferred.
    """
    package = (error.name or "").partition(".")[0]
    offers = [extra for extra, (_, modules) in EXTRAS.items() if package in modules]
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    names = [str(frame.f_globals.get("__name__", "")) for frame in frames]
    rooms = [_room(name.removeprefix("structce.").removeprefix("cli.")) for name in names]
    return next((room for room in rooms if room in offers), offers[0] if offers else "")


def _room(path: str) -> str:
    head = path.partition(".")[0]
    return _ROOMS.get(path) or _ROOMS.get(head, head)
