from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from structce.corpus.corpus import Corpus
from structce.corpus.merge import merge
from structce.errors import CorpusError
from structce.labels import NEWS, UNKNOWN, LabelSet
from structce.page import Page

Make = Callable[..., Corpus]

BODY = ("Paragraph", "Subtitle")


def never(page: Page, label: str) -> NDArray[np.bool_]:
    return np.zeros(len(page), dtype=bool)


def a_medium(page: Page, label: str) -> NDArray[np.bool_]:
    """Any medium could be what nobody looked for; of Date and Title nothing is in doubt."""
    return page.is_media.copy() if label == "Multimedia" else never(page, label)


@pytest.fixture
def news(make_corpus: Make) -> Corpus:
    """Two pages, all labels told."""
    return replace(make_corpus(2), name="news")


@pytest.fixture
def body_pages(make_corpus: Make) -> Corpus:
    """Two pages of other sites of which only the main text is told."""
    pages = []
    for n, page in enumerate(make_corpus(4).pages[2:], start=2):
        labels = tuple(label if label in BODY else "None" for label in page.labels)
        pages.append(replace(page, id=f"body{n}", labels=labels))
    return Corpus("bodies", tuple(pages), covered=BODY, licence="CC0", notes={"by": "hand"})


def test_background_that_could_be_a_label_is_doubted(news: Corpus, body_pages: Corpus) -> None:
    made = merge([news, body_pages], possible=a_medium)
    assert made.covered == news.covered
    assert [page.labels for page in made][:2] == [page.labels for page in news]
    for page, old in zip(made.pages[2:], body_pages, strict=True):
        assert page.page.is_media.any()
        assert page.labels == tuple(
            "Multimedia|None" if is_media and label == "None" else label
            for is_media, label in zip(page.page.is_media, old.labels, strict=True)
        )


def test_only_background_is_doubted_and_only_for_labels_not_told(
    news: Corpus, body_pages: Corpus
) -> None:
    asked = set()

    def anything(page: Page, label: str) -> NDArray[np.bool_]:
        asked.add(label)
        return np.ones(len(page), dtype=bool)

    made = merge([news, body_pages], possible=anything)
    assert asked == set(NEWS.foreground) - set(BODY)
    doubtful = "|".join(sorted(set(NEWS.names) - set(BODY)))
    assert {label for page in made.pages[2:] for label in page.labels} == {*BODY, doubtful}
    assert made.n_several == sum(page.labels.count("None") for page in body_pages)


def test_common_labels_fold_all_others_into_the_background(
    news: Corpus, body_pages: Corpus
) -> None:
    holed = replace(news.pages[0], labels=(UNKNOWN, *news.pages[0].labels[1:]))
    made = merge([replace(news, pages=(holed,)), body_pages], "common", possible=a_medium)
    assert made.covered == BODY
    assert made.label_set == NEWS
    kept = {*BODY, UNKNOWN}
    assert made.pages[0].labels == tuple(
        label if label in kept else "None" for label in holed.labels
    )
    assert made.n_unknown == 1


def test_corpora_without_a_label_in_common_cannot_be_merged_so(
    news: Corpus, body_pages: Corpus
) -> None:
    titles = replace(news, covered=("Title",))
    with pytest.raises(CorpusError, match="no label is recorded by all of them"):
        merge([titles, body_pages], "common", possible=never)


def test_ids_that_two_corpora_use_get_their_corpus_in_front(make_corpus: Make) -> None:
    first = replace(make_corpus(2), name="a b/c")
    second = replace(make_corpus(3).subset(["page1", "page2"]), name="other")
    made = merge([first, second], possible=never)
    assert [page.id for page in made] == ["page0", "a-b-c-page1", "other-page1", "page2"]
    told = made.notes["merged"]
    assert isinstance(told, list)
    assert [row["renamed"] for row in told] == [{"page1": "a-b-c-page1"}, {"page1": "other-page1"}]


def test_a_site_named_after_its_page_is_renamed_with_it(make_corpus: Make) -> None:
    pages = [replace(page, site=page.id, family=page.id) for page in make_corpus(3)]
    first, second = Corpus("a", tuple(pages[:2])), Corpus("b", (pages[0], pages[2]))
    made = merge([first, second], possible=never)
    assert [(page.site, page.family) for page in made] == [
        ("a-page0", "a-page0"),
        ("page1", "page1"),
        ("b-page0", "b-page0"),
        ("page2", "page2"),
    ]


def test_sites_of_several_corpora_share_a_family(make_corpus: Make) -> None:
    pages = make_corpus(4).pages
    first = Corpus("a", tuple(replace(page, site="s", family="template") for page in pages[:2]))
    second = Corpus("b", (replace(pages[2], site="s", family="s"), pages[3]))
    made = merge([first, second], possible=never)
    assert [page.family for page in made] == ["s", "s", "s", "site3.example"]


def test_licences_and_notes_of_all_are_kept(news: Corpus, body_pages: Corpus) -> None:
    made = merge([news, body_pages], name="both", possible=a_medium)
    assert (made.name, made.licence) == ("both", "news: MIT; bodies: CC0")
    assert merge([news, body_pages], possible=never).name == "news+bodies"
    told = made.notes["merged"]
    assert isinstance(told, list)
    assert [(row["name"], row["digest"]) for row in told] == [
        ("news", news.digest),
        ("bodies", body_pages.digest),
    ]
    assert told[1]["notes"] == {"by": "hand"}
    assert told[1]["n_turned_several"] == made.n_several > 0
    same = merge([news, replace(body_pages, licence="MIT")], possible=never)
    assert same.licence == "MIT"


def test_label_sets_are_joined_or_cut_to_what_is_common(news: Corpus, body_pages: Corpus) -> None:
    names = ("None", "Paragraph", "Comment", "Subtitle")
    other = replace(body_pages, label_set=LabelSet(names, "None"), covered=(*BODY, "Comment"))
    assert merge([news, other], possible=never).label_set.names == (*NEWS.names, "Comment")
    common = merge([news, other], "common", possible=never)
    assert common.label_set.names == ("None", "Paragraph", "Subtitle")


def test_a_corpus_alone_or_given_twice_is_an_error(news: Corpus) -> None:
    with pytest.raises(CorpusError, match="expected two or more"):
        merge([news])
    with pytest.raises(CorpusError, match="news and again contain the same pages"):
        merge([news, replace(news, name="again")])
