"""Engines are brought whole or not at all, from the released archive and nothing else."""

import hashlib
import io
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from structce.errors import EngineError
from structce.learners.backends import install
from structce.learners.backends.install import (
    PYSTRUCT_RELEASE,
    Release,
    add_pystruct,
    download_release,
    modules_in,
    read_release,
    remove_pystruct,
)
from structce.learners.backends.pystruct import import_pystruct

TOP = "pystruct-0.3.2"
MODULES = {
    "pystruct/__init__.py": b"__version__ = '0.3.2'\n",
    "pystruct/learners/__init__.py": b"",
    "pystruct/learners/ssvm.py": b"import numpy as np\n",
}
OTHERS = {
    "setup.py": b"raise SystemExit('this must never run')\n",
    "src/utils.c": b"int x;\n",
    "pystruct/inference/_viterbi.c": b"int y;\n",
    "pystruct/models/setup.py": b"raise SystemExit\n",
    "pystruct/tests/test_all.py": b"assert False\n",
    "pystruct/datasets/loaders.py": b"import pickle\n",
    "pystruct/datasets/letters.pickle": b"cos\nsystem\n",
}


def make_archive(files, *more):
    """Return a tar.gz with these files under the released folder, then these members."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(f"{TOP}/{name}")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
        for member in more:
            archive.addfile(member, io.BytesIO(b"x" * member.size))
    return buffer.getvalue()


def release_of(data):
    return Release("pystruct", "0.3.2", len(data), hashlib.sha256(data).hexdigest())


def member(name, kind=tarfile.REGTYPE, target=""):
    made = tarfile.TarInfo(name)
    made.type, made.linkname = kind, target
    made.size = 1 if kind == tarfile.REGTYPE else 0
    return made


@pytest.fixture
def archive(tmp_path):
    path = tmp_path / "given.tar.gz"
    path.write_bytes(make_archive(MODULES | OTHERS))
    return path


@pytest.fixture
def home(tmp_path):
    return tmp_path / "packages" / "structce-engines" / TOP


def files_below(folder):
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def test_only_the_modules_are_copied(archive, home):
    assert add_pystruct(archive, home=home, release=release_of(archive.read_bytes()))
    assert files_below(home.parents[1]) == {
        f"structce-engines/{TOP}/{name}": source for name, source in MODULES.items()
    }


def test_adding_twice_and_removing_twice_is_harmless(archive, home):
    release = release_of(archive.read_bytes())
    assert add_pystruct(archive, home=home, release=release)
    before = files_below(home)
    assert not add_pystruct(archive, home=home, release=release)
    assert files_below(home) == before
    assert remove_pystruct(home)
    assert not home.parent.exists()
    assert not remove_pystruct(home)


def test_other_engines_beside_it_are_left_alone(archive, home):
    other = home.parent / "another" / "file.py"
    other.parent.mkdir(parents=True)
    other.touch()
    add_pystruct(archive, home=home, release=release_of(archive.read_bytes()))
    remove_pystruct(home)
    assert files_below(home.parent) == {"another/file.py": b""}


def test_an_archive_with_another_digest_is_refused(archive, home):
    data = archive.read_bytes()
    release = Release("pystruct", "0.3.2", len(data), "0" * 64)
    with pytest.raises(EngineError, match=f"expected .* SHA-256 0{{64}}, got {len(data)} bytes"):
        add_pystruct(archive, home=home, release=release)
    assert not home.parents[1].exists()


@pytest.mark.parametrize("change", [-1, 1])
def test_an_archive_of_another_size_is_refused(archive, change):
    data = archive.read_bytes()
    release = Release("pystruct", "0.3.2", len(data) + change, hashlib.sha256(data).hexdigest())
    with pytest.raises(EngineError, match=r"is not pystruct-0\.3\.2\.tar\.gz as released"):
        read_release(archive, release)


def test_an_archive_that_is_not_there_is_an_error(tmp_path, home):
    with pytest.raises(EngineError, match=r"none\.tar\.gz cannot be read: No such file"):
        add_pystruct(tmp_path / "none.tar.gz", home=home)


def test_a_path_that_leads_out_a_link_and_a_device_are_no_modules():
    names = [
        "../outside.py",
        "/outside.py",
        f"{TOP}/../outside.py",
        f"{TOP}/pystruct/../../outside.py",
        "another/pystruct/outside.py",
    ]
    kinds = [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE]
    links = [member(f"{TOP}/pystruct/link.py", kind, "/etc/passwd") for kind in kinds]
    data = make_archive(MODULES, *map(member, names), *links)
    found = {path.as_posix(): source for path, source in modules_in(data, release_of(data)).items()}
    assert found == MODULES


def test_an_archive_that_breaks_off_is_refused():
    data = make_archive({**MODULES, "noise": bytes(range(256)) * 200})
    for part in (data[: len(data) // 2], b"", b"not an archive"):
        with pytest.raises(EngineError, match="is malformed"):
            modules_in(part, release_of(part))


def test_an_archive_without_the_package_is_refused():
    data = make_archive(OTHERS)
    with pytest.raises(EngineError, match="does not contain the package pystruct"):
        modules_in(data, release_of(data))


def test_an_interrupted_copy_leaves_nothing(archive, home, monkeypatch):
    write, written = Path.write_bytes, []

    def interrupted(path, data):
        if written:
            raise KeyboardInterrupt
        written.append(path)
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", interrupted)
    with pytest.raises(KeyboardInterrupt):
        add_pystruct(archive, home=home, release=release_of(archive.read_bytes()))
    assert len(written) == 1
    assert not home.parent.exists()


def test_of_two_at_the_same_time_one_is_kept(archive, home, monkeypatch):
    def slowly(data, release):
        found = modules_in(data, release)
        (home / "pystruct").mkdir(parents=True)  # the other one is done
        return found

    monkeypatch.setattr(install, "modules_in", slowly)
    assert add_pystruct(archive, home=home, release=release_of(archive.read_bytes()))
    assert [path.name for path in home.parent.iterdir()] == [TOP]
    assert not files_below(home)


def test_a_folder_that_cannot_be_written_is_named_with_what_to_do(archive, tmp_path):
    (tmp_path / "file").touch()
    home = tmp_path / "file" / "structce-engines" / TOP
    with pytest.raises(EngineError, match=r"cannot be written: .*python3 -m venv"):
        add_pystruct(archive, home=home, release=release_of(archive.read_bytes()))


def test_pip_fetches_from_where_it_is_told_and_runs_nothing_of_the_archive(
    tmp_path, home, monkeypatch
):
    marker = tmp_path / "ran"
    setup = f"open({str(marker)!r}, 'w').close()\n".encode()
    data = make_archive({**MODULES, "setup.py": setup, "PKG-INFO": b"Name: pystruct\n"})
    (tmp_path / "index").mkdir()
    (tmp_path / "index" / PYSTRUCT_RELEASE.archive).write_bytes(data)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))
    assert add_pystruct(home=home, release=release_of(data))
    assert files_below(home) == MODULES
    assert not marker.exists()


def test_an_archive_that_pip_finds_altered_is_not_taken(tmp_path, home, monkeypatch):
    (tmp_path / PYSTRUCT_RELEASE.archive).write_bytes(make_archive(MODULES))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    with pytest.raises(EngineError, match=r"(?i)could not fetch pystruct 0\.3\.2: .*hashes"):
        add_pystruct(home=home)
    assert not home.parents[1].exists()


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("WARNING: Retrying\nERROR: a\nERROR: No matching distribution\n", "a; No matching"),
        ("/usr/bin/python3: No module named pip\n", "No module named pip"),
        ("", "it said nothing"),
    ],
)
def test_what_pip_says_and_the_way_without_a_network_are_told(tmp_path, output, reason):
    def fails(command, **_):
        return subprocess.CompletedProcess(command, 1, output)

    with pytest.raises(EngineError) as stop:
        download_release(PYSTRUCT_RELEASE, tmp_path, fails)
    assert reason in str(stop.value)
    assert "structce engines add pystruct --archive pystruct-0.3.2.tar.gz" in str(stop.value)


def test_pip_is_asked_for_the_release_by_its_digest_with_the_users_settings(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "of-the-user")
    asked = []

    def succeeds(command, *, env, **_):
        asked.append((command, env))
        (tmp_path / PYSTRUCT_RELEASE.archive).touch()
        return subprocess.CompletedProcess(command, 0, "")

    assert (
        download_release(PYSTRUCT_RELEASE, tmp_path, succeeds)
        == tmp_path / PYSTRUCT_RELEASE.archive
    )
    ((command, env),) = asked
    assert command[:4] == [sys.executable, "-m", "pip", "download"]
    assert not [word for word in command if "index" in word]
    assert env["PYTHONPATH"].endswith("of-the-user")
    wanted = Path(command[command.index("--requirement") + 1]).read_text()
    assert wanted == f"pystruct==0.3.2 --hash=sha256:{PYSTRUCT_RELEASE.sha256}\n"


def test_every_engine_is_listed_with_its_next_step(monkeypatch):
    from structce.errors import MissingExtraError

    def missing(name="pystruct"):
        raise MissingExtraError("no")

    monkeypatch.setattr(install, "import_pystruct", missing)
    monkeypatch.setattr(install, "pystruct_home", lambda: Path("nowhere"))
    found = {engine.name: engine for engine in install.list_engines()}
    assert list(found) == ["frank-wolfe", "sgd", "lbfgs", "crfsuite", "pystruct"]
    assert [name for name, engine in found.items() if not engine.usable] == ["pystruct"]
    assert found["pystruct"].next_step == "structce engines add pystruct"
    assert not any(engine.next_step for engine in found.values() if engine.usable)


def test_an_engine_that_is_there_but_broken_says_why(monkeypatch, tmp_path):

    (tmp_path / "pystruct").mkdir()
    for name in [name for name in sys.modules if name.split(".")[0] == "pystruct"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(install, "pystruct_home", lambda: tmp_path)
    monkeypatch.setattr(
        install, "import_pystruct", lambda name="pystruct": import_pystruct(name, tmp_path)
    )
    engine = install.list_engines()[-1]
    assert not engine.usable
    assert "No module named 'pystruct'" in engine.found
    assert engine.next_step.startswith("structce engines remove pystruct && ")
