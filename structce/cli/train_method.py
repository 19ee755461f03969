"""Training of an extraction method on test packages, for ``structce train --method``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from structce import extraction
from structce.cli.messages import fail_with, show_message
from structce.datasets import GoldPage
from structce.errors import ModelError, StructceError


def train_method(name: str, paths: Sequence[Path], out: Path) -> None:
    """Train a method on packages, and write the result.

    The name is that of a method that learns from main contents, optionally with parameters.
    """
    method = extraction.TRAINABLE_METHODS.make(name)
    if out.is_dir() and not isinstance(method, extraction.BoilerNetTraining):
        raise ModelError(f"{out} is a folder; expected a file to write what {name} learns to")
    packages = [extraction.read_package(path) for path in paths]
    lost = [f"{p.name}: {page}: {why}" for p in packages for page, why in p.lost.items()]
    pages: list[GoldPage] = []
    for page in (page for package in packages for page in package.pages):
        try:
            page.document()
        except StructceError as error:
            lost.append(str(error))
        else:
            pages.append(page)
    texts = [page.gold.text for page in pages]
    documents = (extraction.ParsedDocument.of(page.document()) for page in pages)
    extractor = method.fit(documents, texts)
    sources = tuple(package.name for package in packages)
    n_sites = len({page.site for page in pages})
    digest = extraction.training_digest((page.document() for page in pages), texts)
    if isinstance(extractor, extraction.BoilerNet):  # a folder, which browsers read, too
        scheme, counts = "boilernet", {"pages": len(pages), "sites": n_sites}
        about = {"sources": list(sources), "digest": digest, **counts}
        extraction.save_boilernet(out, extractor, training=about)
    else:
        scheme, training = "trained", extraction.Training(sources, len(pages), n_sites, digest)
        trained = extraction.TrainedExtractor(name.split()[0], extractor, training)
        extraction.save_trained(out, trained)
    show_message(
        f"{name} trained on {len(pages):,} pages of {n_sites:,} sites, written to {out}: "
        f"structce extract PAGE --method {scheme}:{out}"
    )
    fail_with(lost)
