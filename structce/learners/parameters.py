"""Hyper-parameters of an estimator according to scikit-learn's contract, without scikit-learn.

Importing scikit-learn takes a second of processor time, more than labelling a page including the
start of Python; code that only reads or sets hyper-parameters does not need it.
"""

from __future__ import annotations

import inspect
from typing import Self

from structce.errors import LearnerError


class Parameters:
    """Hyper-parameters of an estimator: the keywords of its ``__init__``, which stores them.

    It works with scikit-learn's ``clone``, its searches over grids, and ``check_is_fitted``.
    """

    def get_params(self, deep: bool = True) -> dict[str, object]:
        """Return the hyper-parameters by name, sorted.

        Parameters
        ----------
        deep
            Part of the contract; no hyper-parameter of ours is an estimator.
        """
        return {name: getattr(self, name) for name in _names(type(self))}

    def set_params(self, **parameters: object) -> Self:
        """Set hyper-parameters, which the next ``fit`` checks, and return the estimator.

        Raises
        ------
        LearnerError
            If a hyper-parameter does not exist.
        """
        known = _names(type(self))
        for name, value in parameters.items():
            if name not in known:
                kind = type(self).__name__
                raise LearnerError(f"{kind} has no {name!r}; expected one of {', '.join(known)}")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        """Return the class with the hyper-parameters that differ from the default."""
        defaults = _names(type(self))
        shown = (
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if not _is_same(value, defaults[name])
        )
        return f"{type(self).__name__}({', '.join(shown)})"

    def __sklearn_tags__(self) -> object:
        """Return the default tags that scikit-learn 1.6 and later expects of an estimator."""
        from sklearn.base import BaseEstimator  # late: it takes a second

        return BaseEstimator.__sklearn_tags__(self)


def _names(kind: type) -> dict[str, object]:
    """Return the hyper-parameters of a class by name, sorted, with their defaults."""
    keywords = sorted(inspect.signature(kind).parameters.values(), key=lambda word: word.name)
    return {keyword.name: keyword.default for keyword in keywords}


def _is_same(value: object, default: object) -> bool:
    return value is default or (type(value) is type(default) and repr(value) == repr(default))
