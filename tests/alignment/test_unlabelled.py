"""What the gold does not cover is unknown, and nothing else is."""

from datetime import date

import pytest

from structce.alignment.aligner import align
from structce.alignment.unlabelled import possible_regions
from structce.errors import LabelError
from structce.gold import Gold
from structce.labels import NEWS, UNKNOWN

HTML = """<html lang=en><title>Ferry stops</title><body><nav><a>Home</a></nav>
<h1>Ferry stops</h1><p class=byline>Ann Lee</p><p>14 March 2026</p><p>Updated 16 March 2026</p>
<figure><img src=a.jpg><figcaption>The quay.</figcaption></figure>
<p>The ferry will not sail before noon.</p><p>Nobody could say how long.</p>
<footer>All rights reserved</footer></body></html>"""
NAMES = ("Title", "Author", "Date", "Paragraph", "Subtitle")
BODY = (("Paragraph", "The ferry will not sail before noon."),
        ("Paragraph", "Nobody could say how long."))  # fmt: skip


def labels(page, gold, covered=NEWS.foreground):
    aligned = align(page, gold, covered=covered).labels
    return {text or "img": label for text, label in zip(page.text, aligned, strict=True)}


def test_a_page_with_a_date_alone_is_not_background_elsewhere(make_page):
    by_text = labels(make_page(HTML), Gold(date=date(2026, 3, 14), covers=frozenset({"Date"})))
    assert by_text.pop("14 March 2026") == "Date"
    assert by_text.pop("Home") == by_text.pop("All rights reserved") == "None"
    assert by_text.pop("img") == "Multimedia|None"
    texts = {"Ferry stops": "{}|Title", "Ann Lee": "Author|{}", "Updated 16 March 2026": "Date|{}"}
    texts |= dict.fromkeys(("The quay.", *(text for _, text in BODY)), "Caption|{}")
    assert by_text == {text: own.format("None|Paragraph|Subtitle") for text, own in texts.items()}


def test_labels_that_a_data_set_lacks_are_background(make_page):
    covers = frozenset(NAMES)
    gold = Gold("Ferry stops", ("Ann Lee",), date(2026, 3, 14), BODY, covers=covers)
    by_text = labels(make_page(HTML), gold, NAMES)
    assert by_text == {
        "Home": "None",
        "Ferry stops": "Title",
        "Ann Lee": "Author",
        "14 March 2026": "Date",
        "Updated 16 March 2026": "Date|None",  # a Date, but gold holds the day of publication
        "img": "None",
        "The quay.": "None",
        "The ferry will not sail before noon.": "Paragraph",
        "Nobody could say how long.": "Paragraph",
        "All rights reserved": "None",
    }
    told = labels(make_page(HTML), gold)
    assert {text for text in by_text if told[text] != by_text[text]} == {"img", "The quay."}
    assert told["img"] == "Multimedia|None"
    assert told["The quay."] == "Caption|None"


def test_a_missing_paragraph_leaves_its_place_open(make_page):
    first = "A first paragraph that the page has not."
    page = make_page(f"<p>Teaser text.</p>{HTML}<p>Imprint of the house.</p>")
    gold = Gold(body=(("Paragraph", first), *BODY), covers=frozenset({"Paragraph", "Subtitle"}))
    by_text = labels(page, gold, ("Paragraph", "Subtitle"))
    assert by_text["Teaser text."] == by_text["Ann Lee"] == "None|Paragraph|Subtitle"
    assert by_text["Imprint of the house."] == by_text["Home"] == "None"


def test_the_beginning_of_a_text_may_be_its_standfirst(make_page):
    texts = (
        "The ferry will not sail before the end of June.",
        "Nobody could say how long.",
        "The crew was sent home until further notice.",
        "It will be paid for that.",
        "The harbour has no other.",
    )
    plain = "".join(f"<p>{text}</p>" for text in texts[:4])
    page = make_page(f"{plain}<p class=article__lead>{texts[4]}</p>")
    body = tuple(("Text", text) for text in texts)
    doubtful = "Paragraph|Subtitle"
    expected = [doubtful, "Paragraph", "Paragraph", "Paragraph", doubtful]
    assert list(labels(page, Gold(body=body)).values()) == expected
    alone = Gold(body=body, text_labels=("Paragraph",))
    assert set(labels(page, alone).values()) == {"Paragraph"}


def test_a_second_copy_of_the_text_is_not_background(make_page):
    text = "<h2>Until noon</h2><p>The ferry will not sail before noon.</p><ul><li>Late</li></ul>"
    page = make_page(
        f"<div>{text}</div><p>Advice of the harbour.</p><div>{text}</div><p>Imprint.</p>"
        "<ul><li>Late</li><li><a>Until noon</a></li><li><a>In June</a></li></ul>"
    )
    texts = ("Until noon", "The ferry will not sail before noon.", "Late", "Advice of the harbour.")
    body = tuple(("Text", text) for text in texts)
    gold = Gold(body=body, covers=frozenset({"Paragraph", "Subtitle"}))
    aligned = align(page, gold, covered=("Paragraph", "Subtitle")).labels
    assert aligned[:4] == ("Subtitle", "Paragraph", "Paragraph", "Paragraph")
    assert aligned[4:7] == (UNKNOWN,) * 3
    assert aligned[7:] == ("None",) * 4


def test_a_full_stop_has_the_label_of_the_words_around_it(make_page):
    page = make_page(
        "<p>The <a>ferry</a>, said <b>Ann</b>.</p><p>Home <a>More</a> | <a>Quay</a></p>"
        "<p>„<b>It sails</b>“ <a>— </a> <i>Read this</i></p>"
    )
    body = (("Paragraph", "The ferry, said Ann."), ("Paragraph", "It sails"))
    gold = Gold(body=body, covers=frozenset({"Paragraph", "Subtitle"}))
    aligned = align(page, gold, covered=("Paragraph", "Subtitle")).labels
    assert " ".join(page.text) == "The ferry , said Ann . Home More | Quay „ It sails “ — Read this"
    assert aligned[:5] == ("Paragraph",) * 5
    assert aligned[5:9] == ("None",) * 4
    assert aligned[9:] == ("Paragraph", "Paragraph", UNKNOWN, UNKNOWN, "None")


@pytest.mark.parametrize("label", NEWS.foreground)
def test_every_label_has_a_rule_that_answers_for_every_region(make_page, label):
    page = make_page(HTML)
    assert possible_regions(page, label).shape == (len(page),)
    assert possible_regions(make_page(""), label).shape == (0,)
    with pytest.raises(LabelError, match="no rule"):
        possible_regions(page, "None")


@pytest.mark.parametrize(
    ("lang", "text", "is_date"),
    [
        ("en", "Updated 3 hours ago", True),
        ("de", "gestern", True),
        ("es", "hace 7 minutos", True),
        ("en", "3 hours", False),
        ("en", "It was three years ago that the ferry sank and nobody came to help.", False),
    ],
)
def test_a_line_that_says_how_long_ago_could_be_a_date(make_page, lang, text, is_date):
    page = make_page(f"<html lang={lang}><p>{text}</p></html>")
    assert possible_regions(page, "Date").tolist() == [is_date]
