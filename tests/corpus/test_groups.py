from collections.abc import Callable
from dataclasses import replace

import pytest

from structce.corpus.corpus import Corpus
from structce.corpus.duplicates import number_groups, with_groups
from structce.corpus.storage import LabelledPage
from structce.errors import CorpusError

Build = Callable[..., LabelledPage]
Story = Callable[..., list[str]]


def names_of(corpus: Corpus) -> dict[str, str]:
    return {page.id: page.family for page in corpus}


def test_copies_under_two_sites_are_one_group(
    build: Build, story_of: Story, collect: Callable[..., Corpus]
) -> None:
    copies = [build("a", "quay.example", story_of(1)), build("b", "harbour.test", story_of(1))]
    groups = names_of(with_groups(collect(*copies, build("c", "salt.example", story_of(2)))))
    assert groups["a"] == groups["b"] != groups["c"]


def test_sites_of_one_name_are_one_group(
    build: Build, story_of: Story, collect: Callable[..., Corpus]
) -> None:
    sites = ["quay.co.uk", "quay.com", "quays.com"]
    pages = [build(f"p{n}", site, story_of(n)) for n, site in enumerate(sites)]
    groups = names_of(with_groups(collect(*pages)))
    assert groups["p0"] == groups["p1"] != groups["p2"]


def test_sites_of_one_publisher_are_one_group(
    build: Build, story_of: Story, collect: Callable[..., Corpus]
) -> None:
    sites = ["zdf.de", "zdfheute.de", "epravda.com.ua", "pravda.com.ua"]
    pages = [build(f"p{n}", site, story_of(n)) for n, site in enumerate(sites)]
    groups = names_of(with_groups(collect(*pages)))
    assert groups["p0"] == groups["p1"] != groups["p2"] == groups["p3"]


def test_sites_of_one_template_are_one_group(
    build: Build, story_of: Story, collect: Callable[..., Corpus]
) -> None:
    classes = [f"quay-{n}{letter}" for n, letter in enumerate("abcdefghijklmnop")]
    pages = [build(f"p{n}", f"s{n}.example", story_of(n), classes=classes) for n in (1, 2)]
    others = [build(f"p{n}", f"s{n}.example", story_of(n), classes=["post"]) for n in range(3, 9)]
    groups = names_of(with_groups(collect(*pages, *others)))
    assert groups["p1"] == groups["p2"]
    assert len(set(groups.values())) == 7


def test_a_page_without_an_address_has_its_stated_site(
    build: Build, story_of: Story, collect: Callable[..., Corpus]
) -> None:
    lost = build("case-1", "case-1", story_of(1))
    stated = replace(lost.page.metadata, meta={"og:url": ("https://www.quay.com/1",)})
    lost = replace(lost, page=replace(lost.page, url="", metadata=stated))
    groups = names_of(with_groups(collect(lost, build("a", "quay.com", story_of(2)))))
    assert groups["case-1"] == groups["a"]


def test_no_split_by_site_parts_a_group(
    build: Build, story_of: Story, collect: Callable[..., Corpus]
) -> None:
    pages = [
        build(f"p{n}", f"quay{n // 2}.{'com' if n % 2 else 'net'}", story_of(n)) for n in range(8)
    ]
    for part in with_groups(collect(*pages)).folds(4, seed=1):
        assert len({page.site.partition(".")[0] for page in part}) == 1
        assert len(part) == 2


def test_pages_of_several_corpora_are_numbered_together(build: Build, story_of: Story) -> None:
    first = Corpus(
        "one", (build("1", "quay.com", story_of(1)), build("2", "salt.com", story_of(2)))
    )
    two = Corpus("two", (build("1", "quay.com", story_of(3)), build("2", "sand.com", story_of(4))))
    numbers = number_groups([first, two])
    assert numbers == {"one/1": 0, "one/2": 1, "two/1": 0, "two/2": 2}


def test_two_corpora_of_one_name_are_refused(build: Build, story_of: Story) -> None:
    corpus = Corpus("one", (build("1", "quay.com", story_of(1)),))
    with pytest.raises(CorpusError, match="'one'"):
        number_groups([corpus, corpus])
