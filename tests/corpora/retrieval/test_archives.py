from dataclasses import replace

from structce.datasets.base import READERS
from structce.datasets.download import ARCHIVES, WITHOUT, archive_of


def test_every_data_set_has_an_archive_or_a_reason_for_none() -> None:
    told = {name for name, one in READERS.items() if one.archive} | set(ARCHIVES) | set(WITHOUT)
    assert set(READERS) <= told
    assert not set(ARCHIVES) & set(WITHOUT)


def test_archives_are_encrypted_and_name_a_commit() -> None:
    for name, archive in ARCHIVES.items():
        assert archive.address.startswith("https://"), name
        commit = archive.address.rpartition("/")[2]
        assert len(commit) == 40, name
        assert set(commit) <= set("0123456789abcdef"), name


def test_the_archive_of_a_reader_goes_before_the_table() -> None:
    reader = replace(READERS["fundus"], archive="https://x.example/a.zip", digest="0" * 64)
    archive = archive_of(reader)
    assert archive is not None
    assert (archive.address, archive.digest) == ("https://x.example/a.zip", "0" * 64)
    assert archive_of(READERS["fundus"]) is None
