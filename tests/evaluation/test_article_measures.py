from datetime import UTC, date, datetime, timedelta, timezone

from structce.evaluation.article_measures import SegmentTally, author_overlap, is_day, is_title


def test_a_title_may_differ_in_marks_and_one_word_of_many():
    assert is_title("The river rose: in the night", "THE RIVER ROSE IN THE NIGHT!")
    long = "one two three four five six seven eight nine ten"
    assert is_title(long, f"{long} eleven")
    assert not is_title("The river rose | News", "The river rose")
    assert not is_title("", "The river rose")


def test_authors_are_a_set_of_names():
    overlap = author_overlap(["Ann Lee", "ann  lee", "Tom Rost"], ["ANN LEE", "Ida Berg"])
    assert (overlap.precision, overlap.recall) == (1 / 2, 1 / 2)
    assert author_overlap([], []).f1 == 1
    assert author_overlap(["--"], []).f1 == 1
    assert author_overlap(["Ann Lee"], []).f1 == 0
    assert author_overlap([], ["Ann Lee"]).f1 == 0


def test_a_date_is_the_day_as_written_in_its_own_zone():
    evening = datetime(2024, 5, 3, 23, 30, tzinfo=timezone(timedelta(hours=-5)))
    assert is_day(date(2024, 5, 3), evening)
    assert not is_day(evening.astimezone(UTC), evening)
    assert not is_day(None, evening)


def test_segments_are_counted_both_ways():
    text = "The  river\nrose in the night. Share this"
    without = ["Share this", "Read more", "Subscribe"]
    tally = SegmentTally.of(text, ["river rose", "fields"], without)
    assert tally == SegmentTally(n_found=1, n_lost=1, n_wrong=1, n_absent=2)
    assert tally.accuracy == 3 / 5
    assert (tally.overlap.precision, tally.overlap.recall) == (1 / 2, 1 / 2)
    assert SegmentTally().accuracy == 0
