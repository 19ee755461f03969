"""Files of trained extractors: the same extractor comes back, and nothing else is taken for one."""

import io
import zipfile
from dataclasses import dataclass

import numpy as np
import pytest

from structce.errors import ExtractionError, ModelError
from structce.extraction import Extraction, ParsedDocument
from structce.extraction.trained import (
    STORED_EXTRACTORS,
    ExtractorState,
    TrainedExtractor,
    Training,
    read_trained,
    save_trained,
    stored_extractor,
    training_digest,
)
from structce.registry import Registry


@dataclass(frozen=True)
class FirstWords:
    """Extractor of so many first words."""

    n: int

    def extract(self, document):
        return document.select(np.arange(len(document.words)) < self.n)

    def state(self):
        return ExtractorState({"unit": "word"}, {"n": np.array([float(self.n)])})

    @classmethod
    def from_state(cls, state):
        if state.settings["unit"] != "word":
            raise ValueError(f"unit {state.settings['unit']!r}")
        return cls(int(state.arrays["n"][0]))


class NotStored:
    """Extractor whose class no file may hold."""

    def extract(self, document):
        return Extraction("")


TRAINING = Training(("wcxb",), 3, 2, "0123456789abcdef")


@pytest.fixture(autouse=True)
def kind(monkeypatch):
    monkeypatch.setattr(
        "structce.extraction.trained.STORED_EXTRACTORS",
        Registry("stored extractor", ModelError, STORED_EXTRACTORS),
    )
    stored_extractor("first-words")(FirstWords)


@pytest.fixture
def method_path(tmp_path):
    path = tmp_path / "first.trained"
    save_trained(path, TrainedExtractor("first", FirstWords(2), TRAINING))
    return path


def rewrite(path, change, **names):
    """Replace members of an archive by what a function makes of them."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    path.write_bytes(buffer.getvalue())


def test_what_was_saved_is_read_with_its_method_and_training(method_path):
    assert read_trained(method_path) == TrainedExtractor("first", FirstWords(2), TRAINING)


def test_a_class_that_is_not_registered_is_not_saved(tmp_path):
    with pytest.raises(ExtractionError, match="NotStored cannot be stored"):
        save_trained(tmp_path / "a", TrainedExtractor("other", NotStored(), TRAINING))
    assert not (tmp_path / "a").exists()


def test_a_kind_is_taken_once():
    with pytest.raises(ModelError, match="taken"):
        stored_extractor("first-words")(NotStored)


def test_a_flipped_bit_is_noticed_or_changes_nothing(method_path):
    data = method_path.read_bytes()
    whole = read_trained(method_path)
    for place in range(0, len(data), 7):
        method_path.write_bytes(data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :])
        try:
            assert read_trained(method_path) == whole
        except ModelError:
            continue


def test_an_altered_manifest_is_refused(method_path):
    def change(members):
        members["manifest.json"] = members["manifest.json"].replace(b'"word"', b'"line"')

    rewrite(method_path, change)
    with pytest.raises(ModelError, match="altered"):
        read_trained(method_path)


def test_arrays_of_another_file_are_refused(method_path, tmp_path):
    other = tmp_path / "other"
    save_trained(other, TrainedExtractor("first", FirstWords(5), TRAINING))
    with zipfile.ZipFile(other) as archive:
        arrays = archive.read("arrays.npz")
    rewrite(method_path, lambda members: members.update({"arrays.npz": arrays}))
    with pytest.raises(ModelError, match="not those of its manifest"):
        read_trained(method_path)


def test_a_member_that_unpacks_to_more_than_the_file_is_not_unpacked(method_path):
    rewrite(method_path, lambda members: members.update({"arrays.npz": bytes(2**24)}))
    assert method_path.stat().st_size < 2**20
    with pytest.raises(ModelError, match="larger than the file"):
        read_trained(method_path)


@pytest.mark.parametrize(
    "state", [ExtractorState({}, {"n": np.ones(1)}), ExtractorState({"unit": "word"}, {})]
)
def test_what_the_class_does_not_understand_is_an_error_of_the_file(tmp_path, monkeypatch, state):
    monkeypatch.setattr(FirstWords, "state", lambda self: state)
    save_trained(tmp_path / "a", TrainedExtractor("first", FirstWords(1), TRAINING))
    with pytest.raises(ModelError, match="not a learnt extractor"):
        read_trained(tmp_path / "a")


def test_a_kind_that_this_release_has_not_is_named(method_path, monkeypatch):
    monkeypatch.setattr(
        "structce.extraction.trained.STORED_EXTRACTORS", Registry("stored extractor", ModelError)
    )
    with pytest.raises(ModelError, match="stored extractor 'first-words'"):
        read_trained(method_path)


def test_the_digest_of_training_pages_is_of_pages_and_texts_in_any_order():
    pages = [ParsedDocument("<p>a"), ParsedDocument("<p>b")]
    digest = training_digest(pages, ["a", "b"])
    assert digest == training_digest(pages[::-1], ["b", "a"])
    assert digest != training_digest(pages, ["b", "a"])
