"""Two tiny test packages, and experiments on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from structce.errors import ExtractionError
from structce.experiments.config_toml import read_experiment
from structce.experiments.extraction import runner
from structce.experiments.extraction.config import ExtractionExperiment, PackageSource
from structce.extraction import (
    EXTRACTORS,
    PAGE_CLASS_METHODS,
    TRAINABLE_METHODS,
    Extraction,
    Method,
)
from structce.extraction.registry import MethodRegistry

STORY = "The ferry to the island will stop in June because a bridge takes its place."
MENU = "".join(f"<li><a href=/{word}>{word}</a></li>" for word in ("News", "Sport", "Weather"))


def html_of(number: int) -> str:
    return f"<title>Day {number}</title><ul>{MENU}</ul><p>{STORY} It is day {number}.</p>"


@pytest.fixture(autouse=True)
def fixed_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Code that does not change: reading all of it takes longer than the rest of a test."""
    monkeypatch.setattr(runner, "code_digest", lambda *_: "this code")


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
        return read_experiment(path, overrides=overrides)

    return read_text


@pytest.fixture
def extractors(monkeypatch: pytest.MonkeyPatch) -> MethodRegistry[Method]:
    """The registry of extractors; what a test registers is gone after it."""
    copy = MethodRegistry("extractor", ExtractionError, EXTRACTORS)
    for module in (
        "extraction.registry",
        "extraction.measurement",
        "experiments.extraction.config",
    ):
        monkeypatch.setattr(f"structce.{module}.EXTRACTORS", copy)
    monkeypatch.setattr("structce.extraction.extractor", copy.register)
    return copy


@dataclass(frozen=True)
class Without:
    """Keeps the words of a page that are not among some."""

    left_out: frozenset[str]
    tokens: tuple[str, ...] = ()

    def extract(self, document):
        words = document.words.text
        return Extraction(" ".join(word for word in words if word not in self.left_out))


@dataclass(frozen=True)
class Repetition:
    """Page class method: leaves out the words that stand on every page."""

    but: str = ""

    def learn(self, documents):
        pages = [(document.name, set(document.words.text)) for document in documents]
        LEARNT.append(tuple(name for name, _ in pages))
        if len(pages) < 2:
            raise ExtractionError("one page tells nothing")
        return Without(frozenset.intersection(*(frozenset(words) for _, words in pages)))


class Vocabulary:
    """Trainable method: leaves out the words of pages that stand in no main content."""

    def fit(self, documents, texts):
        LEARNT.append(tuple(document.name for document in documents))
        words = {word for document in documents for word in document.words.text}
        known = set(" ".join(texts).split())
        return Without(frozenset(words - known), ("menu", f"model{len(LEARNT)}"))


LEARNT: list[tuple[str, ...]] = []
"""Names of the pages of each time that something was learnt."""


@pytest.fixture
def learnt(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """What is learnt from; ``repetition`` and ``vocabulary`` are registered for one test."""
    classes = MethodRegistry("extractor", ExtractionError, PAGE_CLASS_METHODS)
    trainable = MethodRegistry("extractor", ExtractionError, TRAINABLE_METHODS)
    classes["repetition"], trainable["vocabulary"] = Repetition, Vocabulary
    for module in (
        "extraction.registry",
        "extraction.measurement",
        "experiments.extraction.config",
    ):
        monkeypatch.setattr(f"structce.{module}.PAGE_CLASS_METHODS", classes)
        monkeypatch.setattr(f"structce.{module}.TRAINABLE_METHODS", trainable)
    LEARNT.clear()
    return LEARNT
