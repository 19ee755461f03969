"""Cues that a reader would name, on texts that show or lack them."""

import numpy as np
import pytest

from structce.features.cues import page_cues
from structce.features.registry import REGISTRY
from structce.language.cues import find_cues


def test_every_column_is_what_its_texts_show(make_page, article_html):
    page = make_page(article_html())
    cues = page_cues(page)
    names = frozenset().union(*cues)
    assert {"author-cue", "months-cue", "copyright-cue"} <= names
    for name in names:
        values = np.asarray(REGISTRY[f"task.{name}"].values(page)).tolist()
        assert values == [name in find_cues(text, page.lang) for text in page.text]


@pytest.mark.parametrize(
    ("lang", "text", "kind", "share"),
    [
        ("de", "5. Juni 2025", "named", 1.0),
        ("de", "Do., 5. Juni 2025", "weekday", 1.0),
        ("de", "05.06.2025, 12:30", "numeric", 1.0),
        ("de", "am 5. Juni 2025", "named", 9 / 11),
        ("de", "5. Juni", "yearless", 1.0),
        ("de", "Juni 2025", "monthly", 1.0),
        ("de", "June 5, 2025", "other", 1.0),
        ("en", "June 5, 2025", "named", 1.0),
        ("en-GB", "5 June 2025", "named", 1.0),
        ("ja", "2025年6月5日", "numeric", 1.0),
        ("", "2025-06-05", "other", 1.0),
        ("de", "5 Äpfel", None, None),
    ],
)
def test_a_date_is_written_in_a_way_of_the_language(page_of, lang, text, kind, share):
    page = page_of([text], lang=lang)
    assert REGISTRY["task.date-pattern"].values(page) == [kind]
    (value,) = np.asarray(REGISTRY["task.date-share"].values(page), dtype=float).tolist()
    assert (None if np.isnan(value) else value) == (share and pytest.approx(share))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("12", "only"),
        ("1.234,5 %", "only"),
        ("3rd", "ordinal"),
        ("2. Liga", "ordinal"),
        ("No. 7", "ordinal"),
        ("5 boats", "starts"),
        ("(12 comments)", "starts"),
        ("Route 66", "inside"),
        ("boats", None),
    ],
)
def test_a_number_is_all_of_a_text_or_part_of_it(page_of, text, kind):
    assert REGISTRY["task.number-cue"].values(page_of([text])) == [kind]
