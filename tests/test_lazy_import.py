"""What a package may find out about others before it imports anything."""

import sys

import pytest

from structce.lazy_import import has_entry_points


@pytest.fixture
def metadata(tmp_path, monkeypatch):
    """The metadata folder of one installed package, the only one on the path."""
    folder = tmp_path / "other-1.0.dist-info"
    folder.mkdir()
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "absent")])
    return folder


def test_entry_points_of_a_group_are_seen_without_importing(metadata):
    assert not has_entry_points("structce.features")
    (metadata / "entry_points.txt").write_text("[structce.features]\nown = other:own\n")
    assert has_entry_points("structce.features")
    assert not has_entry_points("structce.extractors")


def test_what_cannot_be_read_may_offer_anything(metadata, tmp_path, monkeypatch):
    (metadata / "entry_points.txt").mkdir()
    assert has_entry_points("structce.features")
    archive = tmp_path / "modules.zip"
    archive.write_bytes(b"")
    monkeypatch.setattr(sys, "path", [str(archive)])
    assert has_entry_points("structce.features")
