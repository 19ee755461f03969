"""Two tiny test packages, and experiments on them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from structce.experiments.extraction.config import (
    ExtractionExperiment,
    PackageSource,
    read_extraction_experiment,
)
from structce.extraction import EXTRACTORS, Method, MethodRegistry

STORY = "The ferry to the island will stop in June because a bridge takes its place."
MENU = "".join(f"<li><a href=/{word}>{word}</a></li>" for word in ("News", "Sport", "Weather"))


def html_of(number: int) -> str:
    return f"<title>Day {number}</title><ul>{MENU}</ul><p>{STORY} It is day {number}.</p>"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with the test packages ``alpha``, of two sites in two languages, and ``beta``."""
    for name, n_pages in (("alpha", 4), ("beta", 3)):
        folder = tmp_path / "data" / name
        folder.mkdir(parents=True)
        (folder / "description.package").write_text(f"name: {name}\n")
        for number in range(n_pages):
            page = folder / f"page-{number}.html"
            page.write_text(html_of(number))
            page.with_suffix(".txt").write_text(f"{STORY} It is day {number}.\n")
            page.with_suffix(".meta").write_text(
                f"url: https://site{number % 2}.example/{number}\n"
                f"language: {('de', 'en')[number % 2]}\n"
            )
    return tmp_path / "data"


@pytest.fixture
def experiment(data: Path) -> ExtractionExperiment:
    """Plain and two heuristics on both packages."""
    return ExtractionExperiment(
        question="Which?",
        packages=(
            PackageSource("alpha", "gottron", "alpha"),
            PackageSource("beta", "gottron", "beta"),
        ),
        methods=tuple(Method(name, name) for name in ("plain", "bte", "link-quota-50")),
        data=str(data),
        reference="bte",
    )


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., ExtractionExperiment]:
    """Return a function that reads an experiment from the text of a file."""

    def read_text(text: str, *overrides: str) -> ExtractionExperiment:
        path = tmp_path / "question.toml"
        path.write_text(text, encoding="utf-8")
        return read_extraction_experiment(path, overrides=overrides)

    return read_text


@pytest.fixture
def extractors(monkeypatch: pytest.MonkeyPatch) -> MethodRegistry:
    """The registry of extractors; what a test registers is gone after it."""
    copy = MethodRegistry(EXTRACTORS)
    for module in (
        "extraction.registry",
        "extraction.measurement",
        "experiments.extraction.config",
    ):
        monkeypatch.setattr(f"structce.{module}.EXTRACTORS", copy)
    return copy
