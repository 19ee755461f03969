"""Days of publication are found in whatever notation a page shows them."""

from datetime import UTC, date, datetime

import pytest

from structce.alignment.dates import find_date


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
        ("<p>14 April 2026</p>", ()),
    ],
)
def test_a_day_is_found_in_any_notation(make_page, html, regions):
    page = make_page(f"<html lang=en><body>{html}</body></html>")
    assert find_date(page, date(2026, 3, 14), (0, 0), {}).regions == regions


def test_a_moment_in_utc_may_be_shown_as_the_next_day(make_page):
    page = make_page("<html lang=en><body><p>15 March 2026</p></body></html>")
    assert find_date(page, datetime(2026, 3, 14, 20, tzinfo=UTC), (0, 0), {}).regions == (0,)
    assert find_date(page, datetime(2026, 3, 14, 20), (0, 0), {}).regions == ()


def test_the_word_before_a_date_is_no_second_date(make_page):
    page = make_page("<time datetime=2026-03-14><b>Published</b> <i>3 hours ago</i></time>")
    match = find_date(page, date(2026, 3, 14), (0, 0), {})
    assert (match.regions, match.rivals) == ((1,), ())


def test_of_two_equal_days_the_one_with_the_right_time_wins(make_page):
    page = make_page(
        "<html lang=en><p>Updated 14 March 2026, 12:07</p><p>14 March 2026, 09:22</p></html>"
    )
    moment = datetime(2026, 3, 14, 8, 22, tzinfo=UTC)
    assert find_date(page, moment, (0, 0), {}).regions == (1,)
