from collections.abc import Callable
from pathlib import Path

import pytest

from structce.corpus.audit import (
    RANDOM,
    AuditCard,
    DiffPart,
    audit_sample,
    context_ranges,
    differences,
    is_same_text,
    most_similar_region,
    short_xpath,
    uncertainty,
)
from structce.corpus.corpus import Corpus
from structce.corpus.storage import LabelledPage
from structce.errors import CorpusError
from structce.gold import Gold, Match
from structce.page import Page

Make = Callable[..., Page]
HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>{{ 7*7 }} \u202e"
HTML = """<html lang=en><title>Ferry</title><nav><a>Home</a></nav><h1>Ferry stops in June, at last
</h1><p>By Ann Lee</p><time datetime="2026-03-14T09:00">today</time><img src="/quay.jpg">
<p>The ferry will not sail.</p><p>By Ann Lee, again</p></html>"""
MATCHES = (
    Match("Title", "Ferry stops in June", "similar", 0.9, (1,)),
    Match("Author", "Ann Lee", "exact", 1.0, (2,), (6,)),
    Match("Date", "2026-03-14", "read", 1.0, (3,)),
    Match("Multimedia", "https://x.example/quay.jpg", "exact", 1.0, (4,)),
    Match("Paragraph", "The ferry will not sail.", "exact", 1.0, (5,)),
    Match("Caption", "The ferry will not sail again.", "", 0.0),
)
LABELS = ("None", "Title", "Author", "Date", "Multimedia", "Paragraph", "None")


def save(folder: Path, *pages: LabelledPage) -> Path:
    Corpus("harbour", pages, licence="MIT").save(folder)
    return folder


@pytest.fixture
def corpus_folder(tmp_path: Path, make_page: Make) -> Path:
    """Three pages alike, and one without gold."""
    pages = [
        LabelledPage(
            f"page{n}",
            "x.example",
            "x.example",
            make_page(HTML, url=f"https://x.example/{n}"),
            LABELS,
            Gold(title="Ferry stops in June"),
            MATCHES,
        )
        for n in range(3)
    ]
    bare = LabelledPage("page3", "x.example", "x.example", make_page("<p>a"), ("None",))
    return save(tmp_path / "corpus", *pages, bare)


def fields(cards: list[AuditCard]) -> list[str]:
    return [card.match.field for card in cards]


def test_the_least_certain_matches_come_first(corpus_folder: Path) -> None:
    cards, n_matches = audit_sample(corpus_folder)
    assert n_matches == 15
    assert fields(cards)[:9] == ["Author"] * 3 + ["Title"] * 3 + ["Date"] * 3
    assert set(fields(cards)[9:]) == {"Multimedia", "Paragraph"}
    doubts = [uncertainty(card.match) for card in cards]
    assert doubts == sorted(doubts, reverse=True)


def test_a_random_sample_depends_on_its_seed(corpus_folder: Path) -> None:
    samples = [audit_sample(corpus_folder, order=RANDOM, n=5, seed=seed) for seed in (1, 1, 2)]
    chosen = [[(card.page, card.number) for card in cards] for cards, _ in samples]
    assert chosen[0] == chosen[1] != chosen[2]
    assert len(set(chosen[0])) == 5
    cards, n_matches = audit_sample(corpus_folder, order=RANDOM, n=1000)
    assert len(cards) == n_matches == 15


@pytest.mark.parametrize(
    ("asked", "chosen"),
    [
        ({"fields": ["author", "DATE"]}, {"Author", "Date"}),
        ({"states": ["missing"]}, {"Caption"}),
        ({"states": ["ambiguous"]}, {"Author"}),
        ({"fields": ["caption"]}, set()),
    ],
)
def test_only_the_wanted_fields_and_states_are_chosen(
    corpus_folder: Path, asked: dict[str, list[str]], chosen: set[str]
) -> None:
    cards, _ = audit_sample(corpus_folder, **asked)  # type: ignore[arg-type]
    assert set(fields(cards)) == chosen


def test_what_is_not_in_the_corpus_is_an_error(corpus_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"no value of a field 'isbn'; there are .*Author"):
        audit_sample(corpus_folder, fields=["isbn"])
    bare = Corpus.load(corpus_folder).subset(["page3"])
    bare.save(tmp_path / "bare")
    with pytest.raises(CorpusError, match="no gold values"):
        audit_sample(tmp_path / "bare")
    with pytest.raises(CorpusError, match="no corpus here"):
        audit_sample(tmp_path / "nowhere")
    (corpus_folder / "gold" / "page1.json").write_text("[")
    with pytest.raises(CorpusError, match="page1"):
        audit_sample(corpus_folder)


def test_a_card_tells_value_text_and_surroundings(corpus_folder: Path) -> None:
    cards = {card.match.field: card for card in audit_sample(corpus_folder)[0]}
    author = cards["Author"]
    assert author.text == "By Ann Lee"
    assert [(part.where, part.text) for part in author.differences] == [
        ("page", "By "),
        ("same", "Ann Lee"),
    ]
    assert [place.text for place in author.before] == ["Home", "Ferry stops in June, at last"]
    assert [place.text for place in author.after] == ["today", "The ferry will not sail."]
    assert [place.text for place in author.rivals] == ["By Ann Lee, again"]
    assert cards["Paragraph"].is_same
    assert cards["Date"].text == "today (datetime 2026-03-14T09:00)"
    assert cards["Date"].differences == ()
    assert cards["Multimedia"].text == "/quay.jpg"


def test_a_missing_value_is_shown_beside_a_similar_text(corpus_folder: Path) -> None:
    card = audit_sample(corpus_folder, states=["missing"])[0][0]
    assert card.text == "The ferry will not sail."
    assert DiffPart("gold", " again") in card.differences


def test_differences_are_whole_words() -> None:
    assert is_same_text("The  FERRY, stops", "the ferry stops")
    assert differences("The  FERRY stops", "the ferry\nstops") == (
        DiffPart("same", "the ferry stops"),
    )
    assert differences("Ferry stops", "Ferry stopped, then") == (
        DiffPart("same", "Ferry "),
        DiffPart("gold", "stops"),
        DiffPart("page", "stopped, then"),
    )
    assert differences("", "a") == (DiffPart("page", "a"),)


@pytest.mark.parametrize(
    ("xpath", "short"),
    [
        ("/html[1]/body[1]/div[2]/article[1]/p[3]/text()[1]", "…/div[2]/article/p[3]"),
        ("/html[1]/body[1]/p[12]/text()[2]", "…/body/p[12]/text()[2]"),
        ("/html[1]/body[1]/img[1]", "/html/body/img"),
        ("/html[1]/body[1]/p[1]/b[1]/text()[1]", "…/body/p/b"),
    ],
    ids=["first text", "second text", "short", "cut"],
)
def test_an_address_keeps_its_last_steps(xpath: str, short: str) -> None:
    assert short_xpath(xpath) == short


def test_context_ranges_do_not_overlap() -> None:
    assert context_ranges([5, 6, 9, 30], 31, 2) == [range(3, 12), range(28, 31)]
    assert context_ranges([5, 11], 31, 2) == [range(3, 8), range(9, 14)]
    assert context_ranges([5, 10], 31, 2) == [range(3, 13)]
    assert context_ranges([0], 1, 2) == [range(1)]
    assert context_ranges([], 9, 2) == []


def test_the_nearest_text_is_named_if_it_is_like_the_value(make_page: Make) -> None:
    page = make_page("<p>The ferry stops in July.</p><p>Ferry stops in June!</p><img src=a.png>")
    match = most_similar_region(page, "FERRY STOPS, IN JUNE")
    assert match is not None
    assert match[0] == 1
    assert match[1] > 95
    assert most_similar_region(page, "A market moves indoors") is None
    assert most_similar_region(page, "◇") is None
