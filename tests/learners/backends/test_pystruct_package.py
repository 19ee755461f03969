"""pystruct is installed whole or not at all, from the released archive and nothing else."""

import hashlib
import io
import sys
import tarfile
from pathlib import Path

import numpy as np
import pytest

from structce.errors import EngineError, MissingExtraError
from structce.learners.backends import pystruct as pystruct_package
from structce.learners.backends.pystruct import (
    PYSTRUCT_ARCHIVE,
    add_pystruct,
    import_pystruct,
    remove_pystruct,
)
from structce.learners.inference.viterbi import viterbi

OLD = """import numpy as np
from sklearn.externals.joblib import Parallel
import cvxopt
import cvxopt.solvers
from .inference._viterbi import viterbi
from .models.utils import *
kinds = np.int, np.bool, np.float, np.int64
pattern = '\\d'
def fit():
    try:
        raise KeyboardInterrupt
    except KeyboardInterrupt:
        pass
"""
MODULES = {
    "pystruct/__init__.py": "__version__ = '0.3.2'\n",
    "pystruct/inference/__init__.py": "",
    "pystruct/models/__init__.py": "",
    "pystruct/old.py": OLD,
}
OTHERS = {
    "setup.py": "raise SystemExit('this must never run')\n",
    "src/utils.c": "int x;\n",
    "pystruct/models/setup.py": "raise SystemExit\n",
    "pystruct/tests/test_all.py": "assert False\n",
    "pystruct/datasets/loaders.py": "import pickle\n",
}


@pytest.fixture
def archive(tmp_path, monkeypatch):
    """Write an archive that passes for the released one."""
    path = tmp_path / "given" / PYSTRUCT_ARCHIVE
    path.parent.mkdir()
    with tarfile.open(path, mode="w:gz") as written:
        for name, source in (MODULES | OTHERS).items():
            member = tarfile.TarInfo(f"pystruct-0.3.2/{name}")
            member.size = len(source)
            written.addfile(member, io.BytesIO(source.encode()))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    monkeypatch.setattr(pystruct_package, "SHA256", digest)
    return path


@pytest.fixture
def home(tmp_path):
    return tmp_path / "packages" / "structce-engines" / "pystruct-0.3.2"


def files_below(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_only_the_modules_are_written(archive, home):
    assert [add_pystruct(archive, home=home), add_pystruct(archive, home=home)] == [True, False]
    replaced = {"pystruct/inference/_viterbi.py", "pystruct/models/utils.py"}
    assert files_below(home) == set(MODULES) | replaced
    assert [path.name for path in home.parent.iterdir()] == [home.name]
    assert [remove_pystruct(home), remove_pystruct(home)] == [True, False]


@pytest.mark.usefixtures("no_pystruct")
def test_old_names_are_those_of_today(archive, home):
    add_pystruct(archive, home=home)
    module = import_pystruct("pystruct.old", home)
    assert module.kinds == (int, bool, float, np.int64)
    assert module.Parallel.__module__.startswith("joblib")
    assert module.viterbi is viterbi
    scores = np.zeros((2, 3))
    module.loss_augment_unaries(scores, np.array([0, 2]), np.array([1.0, 2.0, 3.0]))
    assert scores.tolist() == [[0, 1, 1], [3, 3, 0]]
    with pytest.raises(KeyboardInterrupt):
        module.fit()
    assert not hasattr(np, "int")
    assert str(home) not in sys.path


@pytest.mark.usefixtures("no_pystruct")
def test_an_import_that_fails_says_what_to_do(archive, home):
    add_pystruct(archive, home=home)
    (home / "pystruct" / "old.py").write_text("import nothing_of_this_name\n")
    with pytest.raises(MissingExtraError, match=r"nothing_of_this_name.*structce engines remove"):
        import_pystruct("pystruct.old", home)
    assert str(home) not in sys.path


def test_another_archive_or_none_is_refused(tmp_path, home):
    other = tmp_path / "other.tar.gz"
    with pytest.raises(EngineError, match="cannot be read"):
        add_pystruct(other, home=home)
    other.write_bytes(b"something else")
    with pytest.raises(EngineError, match=r"not pystruct-0\.3\.2\.tar\.gz as released.*SHA-256"):
        add_pystruct(other, home=home)
    assert not home.parents[1].exists()


def test_pip_fetches_by_digest_and_runs_nothing(archive, home, monkeypatch):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(archive.parent))
    assert add_pystruct(home=home)  # the archive's setup.py would end this process
    remove_pystruct(home)
    monkeypatch.setattr(pystruct_package, "SHA256", "0" * 64)
    with pytest.raises(EngineError, match=r"(?i)could not fetch pystruct 0\.3\.2: .*hash"):
        add_pystruct(home=home)
    assert not home.exists()


def test_every_engine_is_listed_with_its_next_step(monkeypatch):
    def missing(name="pystruct"):
        raise MissingExtraError("no")

    monkeypatch.setattr(pystruct_package, "import_pystruct", missing)
    monkeypatch.setattr(pystruct_package, "pystruct_home", lambda: Path("nowhere"))
    listed = {engine.name: engine for engine in pystruct_package.list_engines()}
    assert list(listed) == ["frank-wolfe", "lbfgs", "crfsuite", "pystruct"]
    assert [name for name, engine in listed.items() if not engine.usable] == ["pystruct"]
    assert listed["pystruct"].next_step == "structce engines add pystruct"
    assert not any(engine.next_step for engine in listed.values() if engine.usable)
