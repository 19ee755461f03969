"""Tables of the package and their copy, which is what pages are read with."""

from importlib import resources

from structce.language.vocabulary import TABLES
from tools.tables import copied_tables


def test_tables_are_copied_as_they_are_edited():
    copy = (resources.files("structce.language") / TABLES).read_text(encoding="utf-8")
    assert copy == copied_tables(), "run: python -m tools.tables"
