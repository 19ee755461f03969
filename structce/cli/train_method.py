"""Training of an extraction method on test packages, for ``structce train --method``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from structce.cli.messages import FAILED
from structce.datasets import GoldPage
from structce.errors import ModelError, StructceError
from structce.extraction import (
    TRAINABLE_METHODS,
    BoilerNet,
    BoilerNetTraining,
    Extractor,
    PageDocuments,
    TrainedExtractor,
    Training,
    read_package,
    save_boilernet,
    save_trained,
    training_digest,
)

_MAX_LISTED = 10  # unreadable pages that are listed one by one


def train_method(name: str, paths: Sequence[Path], out: Path) -> None:
    """Train a method on packages, and write the result.

    The name is that of a method that learns from main contents, optionally with parameters.
    """
    method = TRAINABLE_METHODS.make(name)
    if out.is_dir() and not isinstance(method, BoilerNetTraining):
        raise ModelError(f"{out} is a folder; expected a file to write what {name} learns to")
    packages = [read_package(path) for path in paths]
    lost = [
        f"{package.name}: {id}: {why}" for package in packages for id, why in package.lost.items()
    ]
    pages = list(_readable([page for package in packages for page in package.pages], lost))
    documents, texts = PageDocuments(pages), [page.gold.text for page in pages]
    extractor = method.fit(documents, texts)
    training = Training(
        sources=tuple(package.name for package in packages),
        n_pages=len(pages),
        n_sites=len({page.site for page in pages}),
        digest=training_digest((page.document() for page in pages), texts),
    )
    scheme = _save(name.split()[0], extractor, training, out)
    click.echo(
        f"{name} trained on {training.n_pages:,} pages of {training.n_sites:,} sites, written to "
        f"{out}: structce extract PAGE --method {scheme}:{out}",
        err=True,
    )
    if lost:
        _report(lost)
        raise FAILED


def _readable(pages: Sequence[GoldPage], lost: list[str]) -> Iterator[GoldPage]:
    """Yield the pages that can be decoded; add the reason for each other page to ``lost``."""
    for page in pages:
        try:
            page.document()
        except StructceError as error:
            lost.append(str(error))
            continue
        yield page


def _save(name: str, extractor: Extractor, training: Training, out: Path) -> str:
    """Write an extractor; return the scheme of the method that reads it."""
    if isinstance(
        extractor, BoilerNet
    ):  # a model that browsers read, too: a folder with its own format
        described = {"sources": list(training.sources), "digest": training.digest}
        counts = {"pages": training.n_pages, "sites": training.n_sites}
        save_boilernet(out, extractor, training={**described, **counts})
        return "boilernet"
    save_trained(out, TrainedExtractor(name, extractor, training))
    return "trained"


def _report(lost: Sequence[str]) -> None:
    for reason in lost[:_MAX_LISTED]:
        click.echo(f"error: {reason}", err=True)
    if len(lost) > _MAX_LISTED:
        click.echo(
            f"and {len(lost) - _MAX_LISTED} more pages that could not be learnt from", err=True
        )
