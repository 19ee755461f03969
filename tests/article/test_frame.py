"""Tables of articles."""

from dataclasses import replace

import pytest

import structce
from structce.article import CHUNK_COLUMNS, COLUMNS, Article, FieldValue, PageOutcome, article_row
from structce.errors import MissingExtraError, StructceError

ARTICLE = Article(
    "https://a.example/1",
    title=FieldValue("Ferry", 0.9, None, "og"),
    authors=(FieldValue("Ann Lee", 0.8, None, "region"), FieldValue("Bo Ek", 0.7, None, "meta")),
    date=FieldValue("2026-03-14T09:30:00+01:00", 0.95, None, "json-ld"),
    text="It stops.",
)


def test_a_row_has_all_columns_and_tells_sources_and_confidences():
    row = article_row(PageOutcome("a.html", ARTICLE))
    assert tuple(row) == COLUMNS
    assert (row["source"], row["error"]) == ("a.html", None)
    assert (row["title"], row["title_confidence"], row["title_source"]) == ("Ferry", 0.9, "og")
    assert row["authors"] == ["Ann Lee", "Bo Ek"]
    assert row["author_sources"] == ["region", "meta"]
    assert (row["date"], row["date_precision"]) == ("2026-03-14", "second")


@pytest.mark.parametrize(
    ("moment", "day", "precision"),
    [
        ("2026", "2026-01-01", "year"),
        ("2026-03", "2026-03-01", "month"),
        ("2026-03-14", "2026-03-14", "day"),
        ("2026-03-14T09:30", "2026-03-14", "minute"),
        ("2026-03-14T09:30+01:00", "2026-03-14", "minute"),
        ("2026-03-14T09:30:05Z", "2026-03-14", "second"),
        ("2026-03-14T09:30:05.123-05:00", "2026-03-14", "second"),
    ],
)
def test_days_have_one_form_and_moments_tell_how_exact_they_are(moment, day, precision):
    row = article_row(Article("", date=FieldValue(moment, 1.0, None)))
    assert (row["date"], row["date_time"], row["date_precision"]) == (day, moment, precision)


@pytest.mark.parametrize("library", ["pandas", "polars", "arrow"])
def test_tables_of_all_libraries_hold_the_same(library):
    pytest.importorskip({"arrow": "pyarrow"}.get(library, library))

    def table(outcomes, column, **options):
        made = structce.to_frame(outcomes, library, **options)
        is_arrow = library == "arrow"
        names = tuple(made.column_names if is_arrow else made.columns)
        return names, made[column].to_pylist() if is_arrow else list(made[column])

    failed = PageOutcome("b", None, "why")
    names, titles = table([ARTICLE, failed], "title")
    assert (names, titles[0], len(titles)) == (COLUMNS, "Ferry", 2)
    longer = PageOutcome("a", replace(ARTICLE, text="It stops.\nNobody knows why."))
    names, texts = table([longer, failed], "text", chunk_tokens=4)
    assert (names, texts) == (CHUNK_COLUMNS, ["It stops.", "Nobody knows why."])
    odd = replace(ARTICLE, url="a \ud83d")  # which UTF-8 cannot encode
    assert table([odd], "url")[1] == ["a \ufffd"]


def test_a_library_that_is_not_there_is_named(monkeypatch):
    monkeypatch.setitem(structce.article.frame._MODULES, "pandas", "no_such_pandas")
    with pytest.raises(MissingExtraError, match="frames"):
        structce.to_frame([])
    with pytest.raises(StructceError, match="expected one of"):
        structce.to_frame([], "excel")
