"""Readers of bylines by folds: each learns from the pages of the others alone."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from structce.corpus import LabelledPage
from structce.recipes import bylines


def test_each_part_is_read_by_the_others_reader(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def lines(page: str) -> Iterable[str]:
        return [f"{page} {n}" for n in range(2)]

    monkeypatch.setattr(bylines, "page_examples", lines)
    monkeypatch.setattr(bylines, "fit_reader", lambda examples, parameters: list(examples))
    said: list[str] = []
    parts: list[list[LabelledPage]] = [["a"], ["b", "c"], []]  # type: ignore[list-item]
    readers: list[object] = [*bylines.readers_without(parts, say=said.append)]
    assert readers == [
        ["b 0", "b 1", "c 0", "c 1"],
        ["a 0", "a 1"],
        ["a 0", "a 1", "b 0", "b 1", "c 0", "c 1"],
    ]
    assert len(said) == 3
    assert bylines.readers_without([]) == []
