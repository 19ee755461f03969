"""How an experiment writes names, and what it says of one that it does not know."""

from __future__ import annotations

from collections.abc import Collection

from rapidfuzz import process

from structce.errors import ExperimentError


def written_name(parameter: str) -> str:
    """Return a hyper-parameter's name as files and reports write it: ``lambda`` for ``lambda_``."""
    return parameter.removesuffix("_")


def unknown_name(key: object, known: Collection[str], where: str) -> ExperimentError:
    """Return the error for a name that is not known; it names the nearest known one."""
    near = process.extractOne(str(key), list(known))
    hint = f"did you mean {near[0]!r}?" if near else "nothing is known here"
    return ExperimentError(f"unknown {key!r} in {where}; {hint}")
