"""Templates in files: written whole, read by the method that learnt them, refused when odd."""

import json

import msgspec
import pytest

from structce.errors import ExtractionError
from structce.extraction import ParsedDocument, make_extractor, templates
from structce.extraction.parsed_document import Extraction
from structce.extraction.templates import (
    UpdatableTemplate,
    load_template,
    save_template,
    template_state,
)
from structce.registry import Registry


class FirstWords(msgspec.Struct):
    """State of a made-up method: how many words it keeps."""

    n_words: int
    seen: list[str]


class FirstWordsTemplate:
    method = "first-words"
    n_pages = 2

    def __init__(self, state):
        if state.n_words < 0:
            raise ExtractionError(f"{state.n_words} words; expected 0 or more")
        self._state = state

    def extract(self, document):
        return Extraction(" ".join(document.words.text[: self._state.n_words]))

    def state(self):
        return self._state

    def rows(self):
        return [{"text": text, "pages": 1} for text in self._state.seen]


@pytest.fixture
def method(monkeypatch):
    monkeypatch.setattr(templates, "TEMPLATE_STATES", Registry("extractor", ExtractionError))
    return template_state("first-words", FirstWords)(FirstWordsTemplate)


@pytest.fixture
def template_path(method, tmp_path):
    path = tmp_path / "site.template"
    save_template(method(FirstWords(2, ["Zum Inhalt", "渡船"])), path)
    return path


def change(path, **values):
    path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), **values}))


def test_a_template_is_read_as_it_was_written(template_path):
    template = load_template(template_path)
    assert template.rows() == [{"text": "Zum Inhalt", "pages": 1}, {"text": "渡船", "pages": 1}]
    assert template.extract(ParsedDocument("<p>one two three")).text == "one two"


def test_a_file_is_a_method(template_path):
    assert (
        make_extractor(f"template:{template_path}").extract(ParsedDocument("a b c")).text == "a b"
    )


def test_only_a_template_that_has_update_is_updatable(template_path):
    assert not isinstance(load_template(template_path), UpdatableTemplate)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"format": 2}, "format 2; this version reads 1"),
        ({"method": "first-word"}, "unknown extractor 'first-word'.*'first-words'"),
        ({"state": {"n_words": "two", "seen": []}}, "int"),
        ({"state": {"n_words": 2}}, "seen"),
        ({"state": {"n_words": -1, "seen": []}}, "-1 words; expected 0 or more"),
        ({"more": 1}, "more"),
    ],
)
def test_what_is_not_as_expected_is_refused(template_path, values, message):
    change(template_path, **values)
    with pytest.raises(ExtractionError, match=message) as caught:
        load_template(template_path)
    assert str(template_path) in str(caught.value)


@pytest.mark.parametrize(
    "data",
    [b"", b"\x80\x04K\x01.", b"[1]", b'{"format": 1', b"\xff\xfe", b"[" * 200_000],
    ids=["empty", "pickle", "a list", "half", "no UTF-8", "nested"],
)
def test_what_is_no_template_is_refused(method, tmp_path, data):
    path = tmp_path / "other"
    path.write_bytes(data)
    with pytest.raises(ExtractionError, match="not a readable template"):
        load_template(path)


def test_a_nested_state_is_refused(template_path):
    text = template_path.read_text(encoding="utf-8")
    start = text.index('"state":') + len('"state":')
    template_path.write_text(f"{text[:start]}{'[' * 100_000}{']' * 100_000}}}")
    with pytest.raises(ExtractionError, match="not a readable template"):
        load_template(template_path)


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(ExtractionError, match=path.name):
            load_template(path)


def test_a_file_beyond_the_limit_is_refused(template_path, monkeypatch):
    monkeypatch.setattr(templates, "MAX_TEMPLATE_BYTES", 10)
    with pytest.raises(ExtractionError, match="larger than 10 bytes"):
        load_template(template_path)


def test_a_state_that_cannot_be_written_leaves_the_old_file(template_path, method):
    before = template_path.read_bytes()
    with pytest.raises((TypeError, UnicodeError)):
        save_template(method(FirstWords(2, ["\ud800"])), template_path)
    assert template_path.read_bytes() == before
    assert [file.name for file in template_path.parent.iterdir()] == [template_path.name]


def test_a_name_is_given_once(method):
    with pytest.raises(ExtractionError, match="taken"):
        template_state("first-words", FirstWords)(FirstWordsTemplate)
