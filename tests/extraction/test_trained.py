"""Files of learnt extractors and templates: what was saved is read, anything else is refused."""

import io
import zipfile
from dataclasses import dataclass

import numpy as np
import pytest

from structce.errors import ExtractionError, ModelError
from structce.extraction import Extraction, ParsedDocument, SiteTemplates
from structce.extraction.entropy import EntropyTemplate
from structce.extraction.trained import (
    STORED_EXTRACTORS,
    ExtractorState,
    TrainedExtractor,
    Training,
    load_template,
    read_trained,
    save_template,
    save_trained,
    stored_extractor,
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
    """Extractor whose class no file may contain."""

    def extract(self, document):
        return Extraction("")


TRAINING = Training(("wcxb",), 3, 2, "0123456789abcdef")
TEMPLATE = EntropyTemplate(2, 0.5, ("p",), {"ferry": 0.25, "渡船": 1.0}, ("the",))


@pytest.fixture(autouse=True)
def kind(monkeypatch):
    known = Registry("stored extractor", ModelError, STORED_EXTRACTORS)
    monkeypatch.setattr("structce.extraction.trained.STORED_EXTRACTORS", known)
    stored_extractor("first-words")(FirstWords)


@pytest.fixture
def method_path(tmp_path):
    path = tmp_path / "first.trained"
    save_trained(path, TrainedExtractor("first", FirstWords(2), TRAINING))
    return path


def rewrite(path, **members):
    """Replace members of an archive, and compress it."""
    with zipfile.ZipFile(path) as archive:
        known = {name: archive.read(name) for name in archive.namelist()}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in (known | members).items():
            archive.writestr(name, data)
    path.write_bytes(buffer.getvalue())


def member(path, name):
    with zipfile.ZipFile(path) as archive:
        return archive.read(name)


def test_a_saved_extractor_has_its_method_and_training(method_path):
    assert read_trained(method_path) == TrainedExtractor("first", FirstWords(2), TRAINING)


def test_a_class_must_be_registered_once(tmp_path):
    with pytest.raises(ExtractionError, match="NotStored cannot be stored"):
        save_trained(tmp_path / "a", TrainedExtractor("other", NotStored(), TRAINING))
    assert not (tmp_path / "a").exists()
    with pytest.raises(ModelError, match="taken"):
        stored_extractor("first-words")(NotStored)


def test_a_flipped_bit_is_an_error_or_changes_nothing(method_path):
    data, whole = method_path.read_bytes(), read_trained(method_path)
    for place in range(0, len(data), 7):
        method_path.write_bytes(data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :])
        try:
            assert read_trained(method_path) == whole
        except ModelError:
            continue


def test_an_altered_file_is_refused(method_path, tmp_path):
    altered = member(method_path, "manifest.json").replace(b'"word"', b'"line"')
    save_trained(tmp_path / "other", TrainedExtractor("first", FirstWords(5), TRAINING))
    arrays = member(tmp_path / "other", "arrays.npz")
    data = method_path.read_bytes()
    for members, reason in (
        ({"manifest.json": altered}, "altered"),
        ({"arrays.npz": arrays}, "not those of its manifest"),
        ({"arrays.npz": bytes(2**24)}, "larger than the file"),
    ):
        method_path.write_bytes(data)
        rewrite(method_path, **members)
        with pytest.raises(ModelError, match=reason):
            read_trained(method_path)


def test_a_template_is_read_as_it_was_written(tmp_path, method_path):
    save_template(TEMPLATE, tmp_path / "a.template")
    loaded = load_template(tmp_path / "a.template")
    assert loaded.state() == TEMPLATE.state()
    assert loaded.rows()[0] == {"term": "渡船", "entropy": 1.0}
    with pytest.raises(ExtractionError, match="expected the template of a site"):
        load_template(method_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(ExtractionError, match="file"):
        save_template(TEMPLATE, tmp_path / "file" / "a.template")


def test_each_site_has_a_template_of_its_own():
    def page(site, text):
        return ParsedDocument(f"<p>{site}</p><p>{text}</p>", url=f"https://{site}/{text}")

    pages = [page(site, text) for site in ("a.example", "b.example") for text in ("One", "Two")]
    templates = SiteTemplates("content-extractor", [*pages, page("c.example", "One")])
    assert templates.learnt_sites == ["a.example", "b.example"]
    assert [templates.extract(page).text for page in pages] == ["One", "Two"] * 2
    for site in ("c.example", "d.example"):
        with pytest.raises(ExtractionError, match="give several pages of the site"):
            templates.extract(page(site, "Three"))
