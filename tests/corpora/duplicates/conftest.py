"""Invented pages: stories of random words, in templates of invented class names."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from structce.corpus.corpus import Corpus
from structce.corpus.storage import LabelledPage
from structce.page import Page

Story = Callable[..., list[str]]
Build = Callable[..., LabelledPage]


@pytest.fixture
def story() -> Story:
    """Return a function that gives sentences of random words: other seed, other story."""

    def tell(seed: int, n_sentences: int = 20, n_words: int = 20) -> list[str]:
        rng = np.random.default_rng(seed)
        rows = rng.integers(0, 1_000_000, size=(n_sentences, n_words))
        return [" ".join(f"word{number}" for number in row) for row in rows.tolist()]

    return tell


@pytest.fixture
def build(make_page: Callable[..., Page]) -> Build:
    """Return a function that builds a page of a site from paragraphs and class names."""

    def of(
        name: str,
        site: str,
        paragraphs: Sequence[str],
        *,
        title: str = "",
        classes: Sequence[str] = (),
        family: str = "",
        label: str = "None",
    ) -> LabelledPage:
        body = "".join(f"<p>{text}</p>" for text in paragraphs)
        spans = "".join(f'<div class="{name}"><b>x</b></div>' for name in classes)
        html = f"<title>{title or name}</title><main>{body}</main>{spans}"
        page = make_page(html, url=f"https://{site}/{name}")
        return LabelledPage(name, site, family or site, page, (label,) * len(page))

    return of


@pytest.fixture
def collect() -> Callable[..., Corpus]:
    """Return a function that makes a corpus of pages."""
    return lambda *pages: Corpus("planted", tuple(pages))
