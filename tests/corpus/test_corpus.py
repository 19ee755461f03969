"""Corpora in memory and on disk: saved, loaded, changed, damaged, raw."""

import errno
import json
import os
import random
import shutil
from dataclasses import replace
from datetime import date
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pytest

from structce.corpus import Corpus, open_corpus, validate
from structce.corpus.storage import CorpusEditor, LabelledPage, create_corpus, is_page_id
from structce.errors import CorpusError, LabelError, StructceError
from structce.gold import Gold
from structce.labels import NEWS
from structce.rendering.renderers import start_renderer
from structce.synthetic.generate import sample_pages
from structce.synthetic.renderer import template_families

SAMPLE = Path(__file__).parents[2] / "data" / "sample"


@pytest.fixture
def folder(tmp_path, make_corpus):
    make_corpus(2).save(tmp_path / "small")
    return tmp_path / "small"


def test_a_saved_corpus_is_loaded_from_folder_and_archive(make_corpus, folder):
    archive = shutil.make_archive(str(folder), "zip", folder)
    for path in (folder, Path(archive)):
        loaded = Corpus.load(path)
        assert loaded.digest == make_corpus(2).digest
        assert [page.labels for page in loaded] == [page.labels for page in make_corpus(2)]


@pytest.mark.parametrize("sizes", [(0.5, 0.4), (1.5, -0.5), (2, 0.5), (2, 0), (2, 1.5)])
def test_sizes_are_shares_or_numbers_of_pages(make_corpus, sizes):
    with pytest.raises(CorpusError, match="either shares above 0 of sum 1 or whole numbers"):
        make_corpus().split(sizes)


@pytest.mark.parametrize("sizes", [(6, 2, 4), (5, 1, 2)])
def test_parts_by_page_have_the_requested_sizes(make_corpus, sizes):
    corpus = make_corpus(12, pages_per_site=3)
    split = corpus.draw_split(dict(zip("abc", sizes, strict=True)), by="page", seed=3)
    parts = list(corpus.parts(split).values())
    assert [len(part) for part in parts] == list(sizes)
    assert len({page.id for part in parts for page in part}) == sum(sizes)
    assert len(split.left_out) == 12 - sum(sizes)


def test_numbers_of_pages_by_time_leave_out_the_oldest(make_corpus):
    days = [date(2026, 3, day) for day in range(1, 13)]
    pages = (replace(p, gold=Gold(date=d)) for p, d in zip(make_corpus(12), days, strict=True))
    parts = Corpus("dated", tuple(pages)).split((4, 2, 3), by="time")
    in_parts = [[page.gold.date.day for page in part] for part in parts]
    assert in_parts == [[4, 5, 6, 7], [8, 9], [10, 11, 12]]


def test_wrong_numbers_of_sites_and_labels_are_errors(make_corpus):
    with pytest.raises(CorpusError, match="too few groups"):
        make_corpus(4, pages_per_site=4).split((0.5, 0.5))
    with pytest.raises(LabelError, match="labels for"):
        LabelledPage("p", "s", "s", make_corpus(1).pages[0].page, ("None",))


# file, content, and what the error says besides the name of the file
DAMAGED = [
    ("labels/page0.json", b'{"/html[1]/nowhere": "Title"}', "on no region"),
    ("labels/page0.json", b"{}", "changed since"),
    ("labels/page0.json", b'{"/html[1]": ["Title"]}', r"page0\.json: Expected `str`"),
    ("labels/page0.json", b'["Title"]', r"page0\.json: Expected `object`"),
    ("labels/page0.json", b'{"/a": "Title", "/a": "Date"}', r"page0\.json: /a is given twice"),
    ("labels/page0.json", b'{"/a": "\xff"}', r"page0\.json: .*utf-8"),
    ("labels/page0.json", b"[" * 100_000, r"page0\.json: .*recursion"),
    ("labels/page0.json", rb'{"/html[1]": "\ud800"}', r"page0: unknown label"),
    ("gold/page0.json", b'{"gold": {"date": "99999-99"}, "matches": []}', r"page0\.json: gold"),
    ("pages/page0.page", b"not a page", r"page0\.page"),
    ("gold/page0.json", b'{"gold": {"titel": "x"}, "matches": []}', "unknown field 'titel'"),
    ("gold/page0.json", b'{"gold": {}, "matches": {"a": 1}}', r"page0\.json: Expected `array`"),
    ("manifest.json", b"\xff\xfe", "no corpus here"),
    ("manifest.json", b'{"format": "structce-corpus", "version": 7}', "version 7.*version 3"),
    ("manifest.json", b'{"format": "structce-corpus", "version": 3}', r"manifest\.json: .*missing"),
]


@pytest.mark.parametrize(("name", "content", "message"), DAMAGED)
def test_a_damaged_file_is_one_error_that_names_it(folder, name, content, message):
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_bytes(content)
    with pytest.raises(StructceError, match=message) as raised:
        Corpus.load(folder)
    assert "\n" not in str(raised.value)
    assert any(defect.level == "error" for defect in validate(folder))


@pytest.mark.parametrize("changes", [{"pages": None}, {"labels": []}, {"background": "Rest"}])
def test_a_manifest_of_wrong_types_is_an_error(folder, changes):
    file = folder / "manifest.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | changes))
    with pytest.raises(CorpusError, match=r"manifest\.json: "):
        Corpus.load(folder)


FILES = ["manifest.json", "pages/page0.page", "labels/page0.json", "gold/page0.json"]


@pytest.fixture
def small_limits(monkeypatch):
    for name in ("MAX_JSON_BYTES", "MAX_FILE_BYTES"):
        monkeypatch.setattr(f"structce.corpus.storage.{name}", 100_000)


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize("name", FILES)
def test_files_that_never_end_are_errors(folder, tmp_path, name):
    (folder / name).parent.mkdir(exist_ok=True)
    for make in (os.mkfifo, lambda file: file.symlink_to("/dev/zero"), Path.mkdir, Path.touch):
        shutil.rmtree(tmp_path / "c", ignore_errors=True)
        shutil.copytree(folder, tmp_path / "c")
        (tmp_path / "c" / name).unlink(missing_ok=True)
        make(tmp_path / "c" / name)
        if make == Path.touch:
            os.truncate(tmp_path / "c" / name, 2**40)  # a hole, which takes no room on the disk
        with pytest.raises(CorpusError, match=Path(name).name) as raised:
            Corpus.load(tmp_path / "c")
        assert "\n" not in str(raised.value)


def zipped(folder, path, members=()):
    """Write the archive of a folder, with other or further members."""
    members = dict(members)
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for file in sorted(file for file in folder.rglob("*") if file.is_file()):
            name = str(file.relative_to(folder))
            archive.writestr(ZipInfo(name), members.pop(name, file.read_bytes()))
        for name, data in members.items():
            archive.writestr(name, data)
    return path


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize("name", [*FILES, "a/" * 300 + "b"])
def test_a_bomb_in_an_archive_is_an_error(folder, tmp_path, name):
    path = zipped(folder, tmp_path / "c.zip", {name: bytes(3_000_000)})
    with pytest.raises(CorpusError, match=r"c\.zip.*(which is the limit|deep)"):
        Corpus.load(path)


@pytest.mark.parametrize("seed", range(12))
def test_a_damaged_archive_is_an_error_or_the_same_corpus(folder, tmp_path, make_corpus, seed):
    path = zipped(folder, tmp_path / "c.zip")
    data, rng = bytearray(path.read_bytes()), random.Random(seed)
    for _ in range(6):
        data[rng.randrange(len(data) - 500, len(data))] = rng.randrange(256)
    path.write_bytes(data[:-40] if seed == 0 else data)
    try:
        loaded = Corpus.load(path).digest
    except StructceError as error:
        loaded = str(error)
    assert loaded == make_corpus(2).digest or "c.zip" in loaded


@pytest.mark.parametrize("name", ["../page0", "..", "a/b", "a\\b", "", "c:x", " a", "x" * 201])
def test_names_that_lead_to_another_folder_are_refused(make_corpus, folder, tmp_path, name):
    assert not is_page_id(name)
    corpus = make_corpus(1)
    pages = (replace(corpus.pages[0], id=name),)
    with pytest.raises(CorpusError, match="leads to another folder"):
        replace(corpus, pages=pages).save(tmp_path / "c" / "d")
    assert not (tmp_path / "c").exists()
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["pages"][0]["id"] = name
    (folder / "manifest.json").write_text(json.dumps(manifest))
    for reader in (CorpusEditor, Corpus.load):
        with pytest.raises(CorpusError, match="leads to another folder"):
            reader(folder)


def test_an_editor_changes_labels(folder):
    editor = CorpusEditor(folder)
    page = editor.page("page0")
    labels = ("?", "Caption|Paragraph", *page.labels[2:])
    assert editor.set_labels(page, labels).labels == labels
    assert Corpus.load(folder).pages[0].labels == labels
    with pytest.raises(LabelError, match="Headline"):
        editor.set_labels(page, ("Headline", *page.labels[1:]))
    assert Corpus.load(folder).pages[0].labels == labels


@pytest.mark.parametrize("full", [1, 2])
def test_labels_are_changed_with_the_manifest_or_not_at_all(folder, monkeypatch, full):
    from structce.corpus import storage

    editor, written = CorpusEditor(folder), []
    before = {file: file.read_bytes() for file in folder.rglob("*.*")}

    def write(path, data):
        written.append(path)
        if len(written) == full:
            raise OSError(errno.ENOSPC, "No space left on device")
        path.write_bytes(data)

    page = editor.page("page0")
    monkeypatch.setattr(storage, "write_atomic", write)
    with pytest.raises(OSError, match="No space"):
        editor.set_labels(page, ("?",) * len(page.labels))
    assert {file: file.read_bytes() for file in folder.rglob("*.*")} == before
    editor.set_labels(page, ("?",) * len(page.labels))
    assert Corpus.load(folder).pages[0].n_known == 0


def test_an_editor_adds_pages_to_an_empty_corpus(tmp_path, make_corpus):
    create_corpus(tmp_path / "new", "new", NEWS)
    editor = CorpusEditor(tmp_path / "new")
    for page in make_corpus(3):
        editor.add(page)
        editor.save()
    assert [page.id for page in Corpus.load(tmp_path / "new")] == ["page0", "page1", "page2"]
    with pytest.raises(CorpusError, match="two pages with the id 'page0'"):
        editor.add(make_corpus(1).pages[0])
    with pytest.raises(CorpusError, match="neither empty nor a corpus"):
        create_corpus(tmp_path / "new", "new", NEWS)


def test_an_interrupted_change_is_refused_or_completed(folder):
    (folder / "labels" / "page0.json").write_text("{}")  # the process ended before the manifest
    with pytest.raises(CorpusError, match="changed since"):
        CorpusEditor(folder)
    CorpusEditor(folder, trusts_labels=True)
    assert set(Corpus.load(folder).pages[0].labels) == {"None"}


def test_raw_pages_are_rendered_when_opened(raw_corpus, tmp_path):
    corpus = open_corpus(raw_corpus, "static", start_renderer)
    expected = {page.id: page.labels for page in sample_pages(2, 1, seed=5)}
    for page in corpus:
        pairs = zip(page.page.xpath, page.labels, strict=True)
        assert {xpath: label for xpath, label in pairs if label != "None"} == expected[page.id]
    corpus.save(tmp_path / "rendered")
    assert len(open_corpus(tmp_path / "rendered", None, start_renderer)) == 2
    with pytest.raises(CorpusError, match="--renderer chromium"):
        open_corpus(tmp_path / "rendered", "chromium", start_renderer)
    with pytest.raises(CorpusError, match="raw HTML"):
        CorpusEditor(raw_corpus)


def test_changed_and_missing_raw_pages_are_errors(raw_corpus):
    page = next((raw_corpus / "pages").glob("*.html"))
    page.write_text(page.read_text().replace("</body>", "<p>more</p></body>"))
    with pytest.raises(CorpusError, match="changed since"):
        open_corpus(raw_corpus, "static", start_renderer)
    page.unlink()
    with pytest.raises(CorpusError, match=page.name):
        open_corpus(raw_corpus, "static", start_renderer)


def test_the_sample_has_pages_of_every_template():
    pages = json.loads((SAMPLE / "manifest.json").read_text())["pages"]
    assert len({row["site"] for row in pages}) == 91
    assert {row["family"] for row in pages} == template_families().keys()
