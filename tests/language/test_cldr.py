"""The table of the CLDR's names in the package, beside Babel, which it is from."""

import json
from importlib import resources

import babel
import pytest
from babel import Locale, localedata

from structce.language.calendars import TABLE, calendar, cldr_table, locale
from tools.cldr_export import export_table, table_text

TAGS = ("de", "de-AT", "en-GB", "es-MX", "fr-CA", "pt-PT", "zh-Hant-TW", "sr-Latn-RS", "th", "vi")


@pytest.fixture(autouse=True)
def nothing_read():
    """Let Babel read each locale anew: names that were read of a language hide its locales' own."""
    localedata._cache.clear()


def test_the_table_is_what_babel_has():
    if babel.__version__ != cldr_table().babel:
        pytest.skip(f"Babel {babel.__version__}; the table is from {cldr_table().babel}")
    pytest.importorskip("dateparser")
    written = (resources.files("structce.language") / TABLE).read_text(encoding="utf-8")
    assert json.loads(table_text(export_table())) == json.loads(written)


@pytest.mark.parametrize("tag", TAGS)
def test_names_and_formats_of_a_locale_are_those_of_babel(tag):
    ours, theirs = locale(tag), Locale.parse(tag, sep="-")
    assert ours is not None
    assert (ours.language, ours.territory) == (theirs.language, theirs.territory or "")
    assert ours.months[0] == tuple(theirs.months["format"]["wide"][n] for n in range(1, 13))
    assert ours.days[3] == tuple(theirs.days["stand-alone"]["abbreviated"][n] for n in range(7))
    assert ours.formats[0] == theirs.date_formats["full"].pattern


@pytest.mark.parametrize(
    ("tag", "same"),
    [
        ("zh-TW", "zh-Hant-TW"), ("zh_cn", "zh-Hans-CN"), ("sr-RS", "sr-Cyrl-RS"),
        ("iw-IL", "he-IL"), ("tl-PH", "fil-PH"), ("no-NO", "nb-NO"), ("EN_us", "en-US"),
        ("und-GB", "en-GB"), ("de-US", "de"), ("de-Latn-AT", "de-AT"), ("en-US-x-private", "en"),
    ],
)  # fmt: skip
def test_other_tags_of_a_locale_mean_the_same(tag, same):
    assert locale(tag) == locale(same) is not None


@pytest.mark.parametrize("tag", ["", "tlh", "xx-DE", "-", "english", "../de", "e" * 300])
def test_what_is_no_language_has_no_locale(tag):
    assert locale(tag) is None
    assert calendar(tag) == calendar("")
