"""Engines that train the learners: which are available, and how pystruct is added or removed.

No code of an archive is run, and no part of it is read before its SHA-256 is verified.
"""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import sys
import tarfile
import tempfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path, PurePosixPath

from structce.errors import EngineError, MissingExtraError
from structce.learners.backends.pystruct import (
    ADD_COMMAND,
    PYSTRUCT_VERSION,
    import_pystruct,
    pystruct_home,
)

_NOT_NEEDED = {"tests", "datasets", "setup.py", ".."}
"""Parts of paths that are not copied, including paths that lead out of the archive."""

_STAND_IN = """
from pathlib import Path

class __legacy__:
    @staticmethod
    def prepare_metadata_for_build_wheel(folder, config_settings=None):
        path = Path(folder, "{name}-{version}.dist-info")
        path.mkdir()
        lines = "Metadata-Version: 2.1", "Name: {name}", "Version: {version}", ""
        path.joinpath("METADATA").write_text("\\n".join(lines))
        return path.name
"""
"""Stand-in for setuptools during a download, with only what pip needs before it has the file."""


@dataclass(frozen=True)
class Release:
    """A source archive of a package: name, version, and expected size in bytes and SHA-256."""

    name: str
    version: str
    size: int
    sha256: str

    @property
    def archive(self) -> str:
        """File name of the archive."""
        return f"{self.name}-{self.version}.tar.gz"


PYSTRUCT_RELEASE = Release(
    "pystruct",
    PYSTRUCT_VERSION,
    size=5_599_772,
    sha256="713ff8a9669260a7ff756c6df6087bfbb54c5ca4ce0395081235202161b43e76",
)


@dataclass(frozen=True)
class Engine:
    """An engine, the learners that can use it, whether it is usable, and how to install it."""

    name: str
    learners: str
    usable: bool
    found: str
    next_step: str = ""


def list_engines() -> list[Engine]:
    """Return all engines; an engine is usable if it can be imported now."""
    own, svms = "part of structce", "multiclass-svm, greedy-svm, structured-svm"
    return [
        Engine("frank-wolfe", svms, True, own),
        Engine("sgd", svms, True, own),
        Engine("lbfgs", "linear-chain-crf", True, own),
        _crfsuite(),
        _pystruct(),
    ]


def _crfsuite() -> Engine:
    engine = partial(Engine, "crfsuite", "linear-chain-crf")
    try:
        return engine(True, metadata.version("sklearn-crfsuite"))
    except metadata.PackageNotFoundError:
        return engine(False, "not installed", "pip install sklearn-crfsuite")


def _pystruct() -> Engine:
    engine = partial(Engine, "pystruct", "structured-svm")
    try:
        import_pystruct("pystruct.learners")
    except MissingExtraError as error:
        if not pystruct_home().is_dir():
            return engine(False, "not installed", ADD_COMMAND)
        remedy = f"structce engines remove pystruct && {ADD_COMMAND}"
        return engine(False, str(error.__cause__ or error), remedy)
    version = str(import_pystruct().__version__)
    if find_spec("cvxopt"):
        return engine(True, version)
    version += ", without cvxopt: no one-slack"
    return engine(True, version, "pip install 'structce[pystruct]'")


def download_release(
    release: Release,
    folder: Path,
    run: Callable[..., subprocess.CompletedProcess[str]] = subprocess.run,
) -> Path:
    """Download a release into a folder by pip; return the archive's path.

    pip uses the index in its configuration, and checks the SHA-256 before anything else.

    Raises
    ------
    EngineError
        If pip is missing or fails; the message says why and what to do without a network.
    """
    wanted, stand_in = folder / "wanted.txt", folder / "stand-in" / "setuptools"
    wanted.write_text(f"{release.name}=={release.version} --hash=sha256:{release.sha256}\n")
    stand_in.mkdir(parents=True)
    (stand_in / "__init__.py").touch()
    text = _STAND_IN.format(name=release.name, version=release.version)
    (stand_in / "build_meta.py").write_text(text)
    paths = [str(stand_in.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    # By environment variable, which versions of pip without the option ignore.
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PIP_USE_PEP517": "1"}
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-build-isolation"]
    command += ["--no-input", "--no-binary", release.name, "--dest", str(folder)]
    completed = run(
        [*command, "--requirement", str(wanted)],
        env=environ,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    if completed.returncode or not (folder / release.archive).is_file():
        raise EngineError(
            f"pip could not fetch {release.name} {release.version}: {_reason(completed.stdout)}; "
            f"check the network and `pip config list`, or get {release.archive} from elsewhere and "
            f"run: {ADD_COMMAND} --archive {release.archive}"
        )
    return folder / release.archive


def _reason(output: str) -> str:
    """Return the errors that pip reports, on one line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    return "; ".join((errors or lines)[-2:]) or "it said nothing"


def read_release(path: Path, release: Release) -> bytes:
    """Return the bytes of an archive after verifying its size and SHA-256.

    Raises
    ------
    EngineError
        If the archive cannot be read, or its size or SHA-256 differs from the release.
    """
    try:
        with path.open("rb") as file:
            data = file.read(release.size + 1)
    except OSError as error:
        raise EngineError(f"{path} cannot be read: {error.strerror or error}") from error
    digest = hashlib.sha256(data).hexdigest()
    if len(data) != release.size or digest != release.sha256:
        size = f"{len(data)} bytes" if len(data) <= release.size else f"over {release.size} bytes"
        raise EngineError(
            f"{path} is not {release.archive} as released: expected {release.size} bytes with "
            f"SHA-256 {release.sha256}, got {size} with {digest}; download it again"
        )
    return data


def modules_in(data: bytes, release: Release) -> Mapping[PurePosixPath, bytes]:
    """Return the package's Python modules in a released archive: path and source of each.

    Raises
    ------
    EngineError
        If the archive is malformed or has no such package.
    """
    top = PurePosixPath(release.archive.removesuffix(".tar.gz"))
    modules: dict[PurePosixPath, bytes] = {}
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as archive:
            for member in archive:
                path = PurePosixPath(member.name)
                is_module = path.is_relative_to(top / release.name) and path.suffix == ".py"
                if is_module and member.isfile() and not _NOT_NEEDED & set(path.parts):
                    file = archive.extractfile(member)
                    modules[path.relative_to(top)] = file.read() if file else b""
    except (tarfile.TarError, EOFError, OSError, zlib.error) as error:
        raise EngineError(f"{release.archive} is malformed: {error}") from error
    if PurePosixPath(release.name, "__init__.py") not in modules:
        raise EngineError(f"{release.archive} does not contain the package {release.name}")
    return modules


def add_pystruct(
    archive: Path | None = None, *, home: Path | None = None, release: Release = PYSTRUCT_RELEASE
) -> bool:
    """Install pystruct into this Python's packages, completely or not at all.

    Parameters
    ----------
    archive
        The released source archive; downloaded by pip if not given.
    home
        The folder to create; `pystruct_home` if not given.

    Returns
    -------
    False if pystruct was already installed.

    Raises
    ------
    EngineError
        If the archive cannot be downloaded or read, is not the released one, or is malformed, or
        if the folder cannot be written. The message names the next step.
    """
    home = home or pystruct_home()
    if home.is_dir():
        return False
    with tempfile.TemporaryDirectory(prefix="structce-") as folder:
        data = read_release(archive or download_release(release, Path(folder)), release)
    modules = modules_in(data, release)
    with _beside(home) as unfinished:
        for path, source in modules.items():
            file = unfinished / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(source)
        try:
            unfinished.rename(home)
        except OSError:
            if not home.is_dir():  # otherwise another process was faster
                raise
    return True


def remove_pystruct(home: Path | None = None) -> bool:
    """Undo `add_pystruct`; return whether there was anything to remove.

    Raises
    ------
    EngineError
        If the folder cannot be removed.
    """
    home = home or pystruct_home()
    if not home.is_dir():
        return False
    with _beside(home) as discarded:
        home.rename(discarded)  # in one step, so that nobody imports a part of it
    return True


@contextmanager
def _beside(home: Path) -> Iterator[Path]:
    """Yield a temporary path on the same disk, and remove it and an empty parent afterwards."""
    try:
        home.parent.mkdir(parents=True, exist_ok=True)
        try:
            with tempfile.TemporaryDirectory(dir=home.parent, prefix=f".{home.name}-") as folder:
                yield Path(folder, "whole")
        finally:
            if not any(home.parent.iterdir()):
                home.parent.rmdir()
    except OSError as error:
        raise EngineError(
            f"{home} cannot be written: {error.strerror or error}; use a Python environment of "
            "your own (python3 -m venv), or run this as the user who owns that folder"
        ) from error
