"""Single values, dates and segments on a page."""

import math
from datetime import UTC, date, datetime

import pytest

from structce.alignment.location import find_segment
from structce.alignment.values import find_author, find_date, find_title
from structce.page import TextIndex


def test_a_title_with_the_name_of_the_site_is_found_without_it(make_page):
    page = make_page("<h1>Ferry to stop in June</h1><p>text</p>")
    match = find_title(TextIndex(page), "Ferry to stop in June | The Harbour Post", None)
    assert (match.regions, match.method) == ((0,), "similar")
    assert match.score < 1


def test_two_equal_headlines_are_rivals(make_page):
    page = make_page("<h1>Ferry to stop</h1><h1>Ferry to stop</h1><p>text</p>")
    match = find_title(TextIndex(page), "Ferry to stop", None)
    assert sorted((*match.regions, *match.rivals)) == [0, 1]
    assert len(match.rivals) == 1


@pytest.mark.parametrize(
    "name", ["By Ann Lee", "Lee, Ann", "Ann Lee (Harbour desk)", "ANN LEE", "Ann  Lee"]
)
def test_an_author_is_found_however_written(make_page, name):
    page = make_page("<h1>Ferry</h1><span class=byline>Ann Lee</span><p>text</p>")
    assert find_author(TextIndex(page), name, (0, 2), {}).regions == (1,)


def test_another_spelling_counts_in_byline_mark_up(make_page):
    index = TextIndex(make_page("<p>Anelise Mayerhofer</p><b class=author>Annelise Mayerhofer</b>"))
    match = find_author(index, "Anneliese Mayerhofer", (0, 1), {})
    assert (match.regions, match.method) == ((1,), "similar")
    assert 0.9 < match.score < 1


def test_a_line_of_the_text_may_be_the_byline(make_page):
    page = make_page(
        "<h1>Ferry</h1><p>Ann Lee</p><p>text</p>" + "<p>more</p>" * 6 + "<i>Ann Lee</i>"
    )
    assert find_author(TextIndex(page), "Ann Lee", (0, 2), {1: 10.0}).regions == (1,)
    assert find_author(TextIndex(page), "Ann Lee", (0, 2), {1: math.inf}).regions == (9,)


@pytest.mark.parametrize(
    "html",
    [
        "<footer>© 2026 Ann Lee</footer>",
        "<nav><a>Ann Lee</a></nav>",
        f"<p>Nobody else, said Ann Lee, could know. {'It went on and on. ' * 14}</p>",
        "<p>more</p>" * 30 + "<i>Ann Lee</i>",
        "<td>Ann-Lee</td>",  # the name of the site
    ],
)
def test_a_name_outside_a_byline_is_only_mentioned(make_page, html):
    page = make_page(f"<h1>Ferry</h1><p>It sails.</p>{html}", url="https://ann-lee.example/1")
    match = find_author(TextIndex(page), "Ann Lee", (0, 1), {})
    assert (match.method, len(match.regions), match.rivals) == ("mentioned", 1, ())


@pytest.mark.parametrize("html", ["<i>Words by Ann Lee</i>", "<b>By</b> <i>Ann Lee</i>"])
def test_a_name_behind_a_by_is_a_byline_even_far_away(make_page, html):
    page = make_page(f"<html lang=en><h1>Ferry</h1><p>It sails.</p>{'<p>more</p>' * 30}{html}")
    match = find_author(TextIndex(page), "Ann Lee", (0, 1), {})
    assert (match.method, match.regions) == ("exact", (len(page) - 1,))


@pytest.mark.parametrize(
    ("html", "regions"),
    [
        ("<time datetime='2026-03-14T08:00'>3 hours ago</time>", (0,)),
        ("<span title='2026-03-14'>vor 2 Tagen</span>", (0,)),
        ("<b>14</b> <i>March</i> <u>2026</u>", (0, 1, 2)),
        ("<p>03/14/2026</p>", (0,)),
        ("<p>14/03/2026</p>", (0,)),
        ("<p>14.3.26</p>", (0,)),
        ("<p>3 hours ago</p>", ()),
        *((f"<p>{text}</p>", ()) for text in ("14 April 2026", "14 March 2025", "March 2026")),
    ],
)
def test_a_day_is_found_in_any_notation(make_page, html, regions):
    page = make_page(f"<html lang=en><body>{html}</body></html>")
    assert find_date(page, date(2026, 3, 14), (0, 0), {}).regions == regions


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("de", "Stand: 14.03.2026, 11:30 Uhr"),
        ("fr", "Publié le 14 mars 2026 à 11h30"),
        ("ja", "2026年3月14日 19時30分"),
        ("ar", "١٤ مارس ٢٠٢٦"),
        ("cs", "14. března 2026"),
    ],
)
def test_a_day_is_found_in_the_words_of_the_language(make_page, lang, text):
    page = make_page(f"<html lang={lang}><body><p>12 ships</p><p>{text}</p></body></html>")
    assert find_date(page, date(2026, 3, 14), (0, 1), {}).regions == (1,)


def test_a_moment_in_utc_may_be_shown_as_the_next_day(make_page):
    page = make_page("<html lang=en><body><p>15 March 2026</p></body></html>")
    assert find_date(page, datetime(2026, 3, 14, 20, tzinfo=UTC), (0, 0), {}).regions == (0,)
    assert find_date(page, datetime(2026, 3, 14, 20), (0, 0), {}).regions == ()


def test_of_two_equal_days_the_one_with_the_right_time_wins(make_page):
    page = make_page(
        "<html lang=en><p>Updated 14 March 2026, 12:07</p><p>14 March 2026, 09:22</p></html>"
    )
    moment = datetime(2026, 3, 14, 8, 22, tzinfo=UTC)
    assert find_date(page, moment, (0, 0), {}).regions == (1,)


def test_a_segment_in_a_teaser_is_a_rival(make_page):
    page = make_page(
        "<p>The ferry will not sail before noon, the company said.</p><li>will not sail</li>"
    )
    match = find_segment(TextIndex(page), "will not sail")
    assert (match.regions, match.rivals) == ((0,), (1,))
