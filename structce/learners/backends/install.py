"""Engines that train the learners: which can be used here, and how pystruct is added or removed.

Nothing of an archive is run, and no part of it is looked at before its SHA-256 is the released one.
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
"""Parts of paths that are not copied; what leads out of the archive is none of its modules."""

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
"""What pip takes for setuptools while it downloads: only what pip asks before it has the file."""


@dataclass(frozen=True)
class Release:
    """A source archive of a package: its name, and the bytes and SHA-256 that it must have."""

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
    """An engine, the learners that can use it, whether it is here, and what would bring it."""

    name: str
    learners: str
    usable: bool
    found: str
    next_step: str = ""


def list_engines() -> list[Engine]:
    """Return every engine; one is usable if it can be imported now."""
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
        mend = f"structce engines remove pystruct && {ADD_COMMAND}"
        return engine(False, str(error.__cause__ or error), mend)
    found = str(import_pystruct().__version__)
    if find_spec("cvxopt"):
        return engine(True, found)
    found += ", without cvxopt: no one-slack"
    return engine(True, found, "pip install 'structce[pystruct]'")


def download_release(
    release: Release,
    folder: Path,
    run: Callable[..., subprocess.CompletedProcess[str]] = subprocess.run,
) -> Path:
    """Let pip download a release into a folder; return the archive's path.

    pip looks where its configuration tells it to, and checks the SHA-256 before all else.

    Raises
    ------
    EngineError
        If pip is missing or fails; the message says why, and what to do without a network.
    """
    wanted, stand_in = folder / "wanted.txt", folder / "stand-in" / "setuptools"
    wanted.write_text(f"{release.name}=={release.version} --hash=sha256:{release.sha256}\n")
    stand_in.mkdir(parents=True)
    (stand_in / "__init__.py").touch()
    text = _STAND_IN.format(name=release.name, version=release.version)
    (stand_in / "build_meta.py").write_text(text)
    paths = [str(stand_in.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    # By variable: pips that no longer know the option ignore it.
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PIP_USE_PEP517": "1"}
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-build-isolation"]
    command += ["--no-input", "--no-binary", release.name, "--dest", str(folder)]
    done = run(
        [*command, "--requirement", str(wanted)],
        env=environ,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    if done.returncode or not (folder / release.archive).is_file():
        raise EngineError(
            f"pip could not fetch {release.name} {release.version}: {_reason(done.stdout)}; check "
            f"the network and `pip config list`, or bring {release.archive} from elsewhere and "
            f"run: {ADD_COMMAND} --archive {release.archive}"
        )
    return folder / release.archive


def _reason(output: str) -> str:
    """Return what pip says went wrong, on one line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    return "; ".join((errors or lines)[-2:]) or "it said nothing"


def read_release(path: Path, release: Release) -> bytes:
    """Return the bytes of an archive, if they are those that were released.

    Raises
    ------
    EngineError
        If it cannot be read, or has another size or SHA-256.
    """
    try:
        with path.open("rb") as file:
            data = file.read(release.size + 1)
    except OSError as error:
        raise EngineError(f"{path} cannot be read: {error.strerror or error}") from error
    found = hashlib.sha256(data).hexdigest()
    if len(data) != release.size or found != release.sha256:
        size = f"{len(data)} bytes" if len(data) <= release.size else f"over {release.size} bytes"
        raise EngineError(
            f"{path} is not {release.archive} as released: expected {release.size} bytes with "
            f"SHA-256 {release.sha256}, got {size} with {found}; fetch it anew"
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
    found: dict[PurePosixPath, bytes] = {}
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as archive:
            for member in archive:
                path = PurePosixPath(member.name)
                is_module = path.is_relative_to(top / release.name) and path.suffix == ".py"
                if is_module and member.isfile() and not _NOT_NEEDED & set(path.parts):
                    file = archive.extractfile(member)
                    found[path.relative_to(top)] = file.read() if file else b""
    except (tarfile.TarError, EOFError, OSError, zlib.error) as error:
        raise EngineError(f"{release.archive} is malformed: {error}") from error
    if PurePosixPath(release.name, "__init__.py") not in found:
        raise EngineError(f"{release.archive} holds no package {release.name}")
    return found


def add_pystruct(
    archive: Path | None = None, *, home: Path | None = None, release: Release = PYSTRUCT_RELEASE
) -> bool:
    """Bring pystruct into this Python's packages, whole or not at all; tell if it was not there.

    Parameters
    ----------
    archive
        The released source archive; fetched by pip if not given.
    home
        The folder to make; `pystruct_home` if not given.

    Raises
    ------
    EngineError
        If the archive cannot be fetched or read, is not the released one, or holds what it must
        not, or if the folder cannot be written. The message names the next step.
    """
    home = home or pystruct_home()
    if home.is_dir():
        return False
    with tempfile.TemporaryDirectory(prefix="structce-") as folder:
        data = read_release(archive or download_release(release, Path(folder)), release)
    modules = modules_in(data, release)
    with _beside(home) as half:
        for path, source in modules.items():
            file = half / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(source)
        try:
            half.rename(home)
        except OSError:
            if not home.is_dir():  # else another run of this was faster
                raise
    return True


def remove_pystruct(home: Path | None = None) -> bool:
    """Undo `add_pystruct`; tell whether there was something to remove.

    Raises
    ------
    EngineError
        If the folder cannot be removed.
    """
    home = home or pystruct_home()
    if not home.is_dir():
        return False
    with _beside(home) as away:
        home.rename(away)  # gone at once, so that nobody imports a part
    return True


@contextmanager
def _beside(home: Path) -> Iterator[Path]:
    """Give a path on the same disk, and leave nothing there, nor an empty folder."""
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
