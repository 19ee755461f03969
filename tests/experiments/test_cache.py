"""Finished jobs on disk, and the digests that they are found by."""

import ast
import gzip
import hashlib
from functools import cache, partial
from pathlib import Path

import pytest

import structce
from structce.experiments import cache as cache_module
from structce.experiments import job
from structce.experiments.cache import (
    Cache,
    cache_key,
    code_digest,
    job_bar,
    run_missing,
    source_digest,
)
from structce.experiments.job import ColumnCounts, ResourceUse, Trial, WrongRegion
from structce.experiments.results import ColumnLead, Epoch, GridPoint
from structce.experiments.schedule import CODE_PATHS
from structce.learners.multiclass_svm import MulticlassSVM

PACKAGE = Path(structce.__file__).parent

# What learners and features import, and outcomes do not hang on.
NO_MATTER = {
    "__init__.py": "the front door holds names, and no code that a job runs",
    "errors.py": "a job that raises is not kept",
    "extras.py": "a missing package is an error, which is not kept",
    "doors.py": "names of packages, and no code that a job runs",
    "io.py": "JSON and zip archives of models, which no job writes or reads",
    "registry.py": "a name that is unknown or taken is an error, which is not kept",
    "runtime": "when memory is freed, and in which process a page is read, changes no result",
}

TUNED = Trial(
    GridPoint(
        {"lambda_": 1.0, "context": 3, "is_fast": True, "loss": "hinge"},
        0.1 + 0.2,
        {"gap": None},
        1e22,
    ),
    ResourceUse(0.1, 0.0),
)
TESTED = job.TestResult(
    predictions=((0, 1), (), (2,)),
    stop={"gap": 1e-07, "objective": None},
    training=ResourceUse(1.5, 3.25),
    prediction=ResourceUse(0.1, 0.0),
    before=((0.1, 1 / 3), (), (1.0,)),
    steps=(Epoch(1, None, 2.0), Epoch(2, 0.5, 0.25)),
    warnings=('not "yet"\n',),
    wrong=(WrongRegion(2, 0, 1, 2, 0.75, (ColumnLead("text.token=by", 0.5),)),),
)


@pytest.fixture
def store(tmp_path):
    return Cache(tmp_path / "jobs")


@pytest.mark.parametrize(
    "outcome", [TUNED, TESTED, ColumnCounts(5, ResourceUse(0.5, 1.0), {"only dom": 2})]
)
def test_what_is_kept_comes_back_to_the_last_digit(store, outcome):
    store.write("key", outcome)
    stored = store.read("key", type(outcome))
    assert stored == outcome
    assert repr(stored) == repr(outcome)  # 1.0 is no 1, nor is it True


def test_nothing_is_kept_without_a_folder():
    store = Cache(None)
    store.write("key", TUNED)
    assert store.read("key", Trial) is None


def test_what_was_never_written_is_not_there(store):
    assert store.read("key", Trial) is None


def damaged(data):
    """Yield what a disk, a crash or a curious user could leave in place of a file."""
    yield b""
    yield from (data[:n] for n in range(1, len(data), 7))
    yield from (data[:i] + bytes([data[i] ^ 0xFF]) + data[i + 1 :] for i in range(0, len(data), 5))
    yield b"no gzip at all"
    yield gzip.compress(b"no json at all")
    yield gzip.compress(b"\xff\xfe")
    yield gzip.compress(b"{}")
    yield gzip.compress(b'{"point": 3, "spent": null}')


def test_a_damaged_file_counts_as_none(store):
    store.write("key", TESTED)
    (path,) = store.folder.iterdir()
    whole = path.read_bytes()
    n_damaged = 0
    for data in damaged(whole):
        path.write_bytes(data)
        # A byte of the head of the archive, such as its time, may change without any harm.
        assert store.read("key", job.TestResult) in (None, TESTED)
        n_damaged += store.read("key", job.TestResult) is None
    assert n_damaged > 60
    path.write_bytes(whole)
    assert store.read("key", job.TestResult) == TESTED


def test_a_file_of_another_kind_counts_as_none(store):
    store.write("key", TUNED)
    assert store.read("key", job.TestResult) is None
    assert store.read("key", Trial) == TUNED


def test_a_folder_in_place_of_a_file_counts_as_none(store):
    (store.folder / "key.json.gz").mkdir(parents=True)
    assert store.read("key", Trial) is None


def test_the_same_outcome_gives_the_same_bytes(tmp_path):
    files = []
    for name in ("one", "two"):
        Cache(tmp_path / name).write("key", TESTED)
        files.append((tmp_path / name / "key.json.gz").read_bytes())
    assert files[0] == files[1]


def test_a_key_depends_on_every_value_and_not_on_their_order():
    values = {"a": 1, "b": [1.0, "x"]}
    assert cache_key(values) == cache_key({"b": [1.0, "x"], "a": 1})
    others = [{**values, "a": 2}, {**values, "b": ["x", 1.0]}, {**values, "b": [1, "x"]}, {"a": 1}]
    assert len({cache_key(key) for key in (values, *others)}) == 5


def syntax_tree(tmp_path, text):
    path = tmp_path / "some_code.py"
    path.write_text(text, encoding="utf-8")
    return cache_module._syntax_tree(path)


CODE_TEXT = '''
"""A module."""

LEAST = 3

def area(width, height=1):
    """Return an area."""
    return width * height
'''

SAME_CODE = '''# A comment.
LEAST = 3
"""Said of a constant."""


def area(
    width,
    height=1,  # at least
):
    """Return

    something else.
    """
    return (
        width * height)
'''


def test_comments_docstrings_and_line_breaks_are_no_code(tmp_path):
    assert syntax_tree(tmp_path, CODE_TEXT) == syntax_tree(tmp_path, SAME_CODE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LEAST = 3", "LEAST = 4"),
        ("LEAST = 3", "LEAST = 3.0"),
        ("LEAST = 3", "LEAST = '3'"),
        ("width * height", "height * width"),
        ("height=1", "height=2"),
        ("    return", "    width += 1\n    return"),
        ("def area", "@cache\ndef area"),
        ("width * height", "'text'"),
    ],
)
def test_everything_else_is_code(tmp_path, old, new):
    assert old in CODE_TEXT
    assert syntax_tree(tmp_path, CODE_TEXT) != syntax_tree(tmp_path, CODE_TEXT.replace(old, new))


COPIED = ("learners", "labels.py")


@pytest.fixture
def copied_code(tmp_path, monkeypatch):
    """A package of two files that jobs hang on, and one that they do not."""
    (tmp_path / "learners").mkdir()
    for name in ("learners/a.py", "learners/b.py", "labels.py", "other.py"):
        (tmp_path / name).write_text(f"NAME = {name!r}")
    monkeypatch.setattr(cache_module, "PACKAGE", tmp_path)
    return tmp_path


def test_the_digest_of_the_code_depends_on_each_of_its_files_and_their_names(copied_code):
    first = code_digest(COPIED)
    assert len(first) == 64
    (copied_code / "other.py").write_text("NAME = 'another'")
    (copied_code / "labels.py").write_text("NAME = 'labels.py'  # with a comment")
    assert code_digest(COPIED) == first
    digests = {first}
    (copied_code / "learners/b.py").write_text("NAME = 1")
    digests.add(code_digest(COPIED))
    (copied_code / "learners/b.py").rename(copied_code / "learners/c.py")
    digests.add(code_digest(COPIED))
    (copied_code / "learners/d.py").write_text("")
    digests.add(code_digest(COPIED))
    (copied_code / "labels.py").write_text("NAME = 1")
    digests.add(code_digest(COPIED))
    assert len(digests) == 5


def test_the_digest_of_the_code_depends_on_versions(copied_code, monkeypatch):
    first = code_digest(COPIED, ["numpy"])
    monkeypatch.setattr(cache_module.importlib.metadata, "version", lambda name: f"{name} 99")
    assert code_digest(COPIED, ["numpy"]) != first


def test_a_file_of_somebody_elses_counts_with_all_that_is_in_it(load_file):
    text = "class Mine:\n    value = {}\n\nclass Other:\n    pass\n"
    first = load_file("my_learners", text.format(1))
    digests = {source_digest(first.Mine), source_digest(first.Other)}
    again = load_file("my_learners", text.format(1))
    assert source_digest(again.Mine) in digests
    changed = load_file("my_learners", text.format(2))
    digests.add(source_digest(changed.Mine))
    assert len(digests) == 3


def test_what_is_bound_to_a_class_counts_beside_its_file(load_file):
    text = "class Mine:\n    value = {}\n"
    mine = load_file("my_learners", text.format(1)).Mine
    bound = [partial(mine, a=1, b=2), partial(mine, b=2, a=1), partial(mine, a=2), partial(mine, 1)]
    digests = [source_digest(function) for function in (*bound, mine)]
    assert digests[0] == digests[1]
    assert len(set(digests)) == 4
    changed = load_file("my_learners", text.format(2)).Mine
    assert source_digest(partial(changed, a=2)) not in digests


def test_a_class_of_the_house_counts_by_its_name_alone():
    expected = hashlib.sha256(b"structce.learners.multiclass_svm.MulticlassSVM").hexdigest()
    assert source_digest(MulticlassSVM) == expected


def test_a_class_without_a_file_counts_by_its_name():
    typed = type("Typed", (), {"__module__": "typed_in_by_hand"})
    named = hashlib.sha256(b"typed_in_by_hand.Typed").hexdigest()
    assert source_digest(typed) == named


@cache
def imported(path):
    """Return the files of the package that a file of it imports, whenever that is."""
    modules = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    modules.discard("structce")  # a name of the front door, whose module is looked up by itself
    names = (name.split(".")[1:] for name in modules if name.split(".")[0] == "structce")
    places = (PACKAGE.joinpath(*name) for name in names)
    files = (file for place in places for file in (place.with_suffix(".py"), place / "__init__.py"))
    return frozenset(file for file in files if file.is_file())


def reached(starts):
    """Return the files that some files import, directly or not, and these."""
    seen, waiting = set(), list(starts)
    while waiting:
        path = waiting.pop()
        if path not in seen:
            seen.add(path)
            waiting += imported(path)
    return seen


def test_all_that_features_and_learners_import_is_code_that_jobs_depend_on():
    starts = [*(PACKAGE / "features").rglob("*.py"), *(PACKAGE / "learners").rglob("*.py")]
    names = {path.relative_to(PACKAGE).as_posix() for path in reached(starts)}
    assert len(names) > len(starts)
    forgotten = {name for name in names if not name.startswith((*CODE_PATHS, *NO_MATTER))}
    assert not forgotten, "name them in schedule.CODE_PATHS, or here with a reason"


def test_what_does_not_matter_is_named_once():
    assert not [name for name in NO_MATTER if name.startswith(CODE_PATHS)]


def test_the_code_that_jobs_depend_on_exists():
    assert [part for part in CODE_PATHS if not (PACKAGE / part).exists()] == []


def test_stored_outcomes_are_read_and_new_ones_are_written_as_they_finish():
    stored, events = {"b": "B"}, []

    def run(missing):
        for i in (2, 0, 1):  # in the order in which they finish
            events.append(f"run {missing[i]}")
            yield i, missing[i].upper()

    def write(job, outcome):
        events.append(f"write {outcome}")

    with job_bar(4, False) as bar:
        outcomes = run_missing("abcd", run, read=stored.get, write=write, bar=bar)
    assert outcomes == ["A", "B", "C", "D"]
    assert events == "run d, write D, run a, write A, run c, write C".split(", ")


def test_nothing_is_run_if_all_outcomes_are_stored():
    with job_bar(2, False) as bar:
        outcomes = run_missing([1, 2], None, read=str, write=None, bar=bar)
    assert outcomes == ["1", "2"]
