import pytest

from structce.corpus.near_duplicates import Leak, find_leaks, refuse_leaks
from structce.errors import CorpusError

NAMES = [f"gazette-{letter}" for letter in "abcdefghijklmnop"]


def test_a_clean_split_has_no_leaks(build, story, collect):
    parts = {
        name: collect(build(name, f"{name}.example", story(n)))
        for n, name in enumerate(("train", "test"))
    }
    assert find_leaks(parts) == []
    refuse_leaks(parts)


def test_copies_templates_and_pages_on_two_sides_are_named(build, story, collect):
    twice = build("twice", "twice.example", story(3))
    train = collect(
        build("a", "a.example", story(1)),
        build("east", "east.example", story(5), classes=NAMES),
        twice,
    )
    test = collect(
        build("b", "b.example", story(1)),
        build("west", "west.example", story(6), classes=NAMES),
        build("n", "n.example", story(7), family="Group"),
        twice,
    )
    validation = collect(build("m", "m.example", story(8), family="Group"))
    parts = {"train": train, "validation": validation, "test": test}
    assert find_leaks(parts) == [
        Leak("page", "twice", "twice", ("train", "test")),
        Leak("duplicate", "a", "b", ("train", "test")),
        Leak("template", "m.example", "n.example", ("validation", "test")),
        Leak("template", "east.example", "west.example", ("train", "test")),
    ]
    with pytest.raises(CorpusError, match=r"duplicate: a in train and b in test; .* dedupe --out"):
        refuse_leaks(parts)


def test_a_site_on_two_sides_is_a_leak(build, story, collect):
    parts = {
        "one": collect(build("a", "x.example", story(1))),
        "two": collect(build("b", "x.example", story(2))),
    }
    assert find_leaks(parts) == [Leak("template", "x.example", "x.example", ("one", "two"))]


def test_a_message_names_a_few_leaks_and_counts_the_others(build, story, collect):
    parts = {
        name: collect(*(build(f"{name}{n}", f"s{n}.example", []) for n in range(8)))
        for name in ("one", "two")
    }
    with pytest.raises(CorpusError, match="and 3 more"):
        refuse_leaks(parts)


def test_a_split_without_parts_is_an_error():
    with pytest.raises(CorpusError, match="without parts"):
        find_leaks({})
