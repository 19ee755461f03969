"""Cues of a byline, a date, a credit or an advertisement, on texts that have or lack them."""

import pytest

from structce.language import phrases
from structce.language.cues import MAX_CUE_LENGTH, cues_of_texts, find_phrase


def find_cues(text, tag):
    return cues_of_texts([text], tag)[0]


@pytest.mark.parametrize(
    ("cue", "yes", "no"),
    [
        ("author-cue", ["By Ann Lee", "Von Jan Rost", "写真 佐藤記者"], ["Bystander"]),
        ("contributor-cue", ["Additional reporting by Ann Lee", "(Reuters)", "dpa"], ["a map"]),
        ("agency-cue", ["mit AFP", "The Associated Press"], ["an ap", "afterwards"]),
        ("role-cue", ["Ann Lee, Reporter", "Redakteurin"], ["a report"]),
        ("date-cue", ["Published on Monday", "Stand: 12 Uhr"], ["The last stand", "a dateline"]),
        ("update-cue", ["Last updated 2 hours ago", "Aktualisiert"], ["Published", "up to date"]),
        ("numeric-date-cue", ["14.03.2026", "3/14/26", "2026年3月"], ["14:30", "3.5"]),
        ("months-cue", ["3 mars 2026", "5. Juni", "8 января"], ["March on", "12 boats"]),
        ("weekday-cue", ["Mon 12:30", "Samstag, 14."], ["Monday blues", "12 boats"]),
        ("time-cue", ["14:30", "9.05 Uhr", "4 pm"], ["31:72", "1234", "14.03.2026", "$9.50"]),
        ("day-period-cue", ["3:30 in the afternoon", "午後3時"], ["in the afternoon", "3 boats"]),
        ("day-word-cue", ["Yesterday at 5", "heute, 12.37 Uhr", "今日"], ["Holiday"]),
        ("era-cue", ["44 BC", "im Jahr 44 v. Chr."], ["BC Ferries", "44 boats"]),
        ("year-cue", ["in 2026"], ["in 20264", "1066"]),
        ("email-cue", ["write to a.b@c.example"], ["a at b"]),
        ("credit-cue", ["Photo: A", "© Getty", "Bild von Lee"], ["A photo of the quay"]),
        ("advertisement-cue", ["Advertisement", "- Anzeige -"], ["The ad failed"]),
        ("comment-cue", ["12 Kommentare", "Leave a comment"], ["No comment-ary"]),
        ("copyright-cue", ["© 2026", "All rights reserved"], ["The right to fish"]),
        ("read-more-cue", ["Read more", "Lesen Sie auch: Fähre"], ["She can read"]),
    ],
)
def test_a_cue_is_found_where_a_reader_sees_it(cue, yes, no):
    assert all(cue in find_cues(text, "") for text in yes)
    assert not any(cue in find_cues(text, "") for text in no)


@pytest.mark.parametrize(
    ("cue", "text", "own", "other"),
    [
        ("author-cue", "De Ann Lee", "ro", "nl"),
        ("author-cue", "Di Ann Lee", "it", "de"),
        ("months-cue", "12 lis 2026", "pl", "en"),
        ("weekday-cue", "12 do", "de", "fr"),
        ("day-period-cue", "7 am", "en", "de"),
        ("time-cue", "kl 7", "sv", "en"),
    ],
)
def test_a_short_word_is_a_cue_in_its_own_language_alone(cue, text, own, other):
    assert cue in find_cues(text, own)
    assert cue not in find_cues(text, other)


@pytest.mark.parametrize("code", ["en", "de", "ja", "th", ""])
@pytest.mark.parametrize("kind", ["subscribers", "published", "next"])
def test_each_phrase_is_found_wherever_it_stands(kind, code):
    for phrase in phrases(kind, code):
        for text in (phrase, f"X: {phrase.title()}! y", f"„{phrase}“ 2026", f"字 {phrase} 字"):
            assert find_phrase(text, kind, code)
    assert not find_phrase("A ferry crossed the fjord", kind, code)


def test_a_long_text_has_no_cue():
    text = "By Ann Lee, published 14.03.2026 "
    assert len(find_cues(text, "en")) >= 3
    assert find_cues(text.ljust(MAX_CUE_LENGTH + 1, "x"), "en") == frozenset()
