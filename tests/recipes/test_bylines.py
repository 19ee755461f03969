"""Readers of bylines by folds: each learns from the pages of the others alone."""

from structce.recipes import bylines


def test_each_part_is_read_by_the_others_reader(monkeypatch):
    def lines(page):
        return [f"{page} {n}" for n in range(2)]

    monkeypatch.setattr(bylines, "page_examples", lines)
    monkeypatch.setattr(bylines, "fit_reader", lambda examples, parameters: list(examples))
    said = []
    parts = [["a"], ["b", "c"], []]
    readers = [*bylines.readers_without(parts, say=said.append)]
    first, others = ["a 0", "a 1"], ["b 0", "b 1", "c 0", "c 1"]
    assert readers == [others, first, first + others]
    assert len(said) == 3
    assert bylines.readers_without([]) == []
