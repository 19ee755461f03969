"""Registry of features: a decorator registers a function of a page under its name.

A feature is a function of a page that returns one value per region:

===================== =============================================================
value of a region     columns
===================== =============================================================
bool                  one, set where true
number                one; with ``bins``, one per interval
str                   one per value
collection of str     one per member
NaN or None           unknown: no column
===================== =============================================================

This module also imports files, modules and other packages that register features of their own,
and :func:`once_a_page` caches intermediate results that several features share.
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial, wraps
from hashlib import sha256
from importlib import import_module, invalidate_caches
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import find_spec, module_from_spec
from numbers import Real
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeVar, get_args

import msgspec
import numpy as np

from structce.arrays import Flags, Floats, Floats32, Integers, Integers32
from structce.errors import FeatureError
from structce.lazy_import import has_entry_points
from structce.page import Page
from structce.registry import Registry, suggestion

FAMILIES = ("text", "dom", "style", "task")
"""Families in the order of Table 1 of Spengler et al. (2010); feature sets use all by default."""

FAMILY_WINDOWS: Mapping[str, tuple[int, ...]] = MappingProxyType({"task": (-1, 1)})
"""Offsets at which neighbours see the features of a family; families not listed have none."""

BESIDE, NEAR, AROUND = (-1, 1), (-2, -1, 1, 2), (-3, -2, -1, 1, 2, 3)
"""Windows of features; each feature's was chosen on training sites of Fundus.

What hardly changes from one region to the next needs no window, and most other cues say more about
their own region than about its neighbours.
"""

JOINED_STRENGTH = 3.0
"""Strength of features that join several cues; one value for all, chosen on training sites of
Fundus."""

SPENGLER = "Spengler et al. (2010)"  # source of the features of their Table 1
Need = Literal["layout"]
_NEEDS: tuple[Need, ...] = get_args(Need)
FeatureValues = (
    Flags
    | Floats
    | Floats32
    | Integers
    | Integers32
    | Sequence[bool]
    | Sequence[str | None]
    | Sequence[Collection[str]]
)
Compute = Callable[[Page], FeatureValues]
F = TypeVar("F", bound=Compute)
T = TypeVar("T")

_ENTRY_POINTS = "structce.features"  # entry-point group of other packages
_IMPORTED: dict[str, FeatureImport] = {}  # by source
_LOADED: set[tuple[str, str]] = set()  # package and text of each entry point
_log = logging.getLogger(__name__)


class Feature(msgspec.Struct, frozen=True):
    """A named function of a page.

    Parameters
    ----------
    name
        Family and function name with hyphens: ``text.word-count``.
    bins
        Increasing borders that divide numbers into intervals; a value on a border belongs above
        it. Alternatively, a number of intervals, equally full, that a feature set learns from its
        training pages.
    needs
        ``layout`` if boxes or computed styles are needed; such a feature is unknown, not zero, on
        a page without them.
    aliases
        Other names, with the family: those of Table 1 of Spengler et al. (2010), or older ones.
    source
        Publication that described the cue; ``ours`` if we know of none.
    window
        Offsets of neighbouring regions at which a region also sees the feature, unless a feature
        set overrides it: ``(-1, 1)`` for the regions before and after it.
    strength
        Weight of the feature's cells, unless a feature set overrides it. A linear learner with an
        L2 penalty prefers features with a larger weight.
    is_optional
        Whether a feature set includes it only by its own name, not with its family: for variants
        of another feature.
    """

    name: str
    family: str
    compute: Compute
    bins: tuple[float, ...] | int = ()
    needs: Need | None = None
    aliases: tuple[str, ...] = ()
    source: str = "ours"
    window: tuple[int, ...] = ()
    strength: float = 1.0
    is_optional: bool = False

    @property
    def summary(self) -> str:
        """First sentence of the feature's docstring."""
        return (self.compute.__doc__ or "").strip().split("\n\n")[0].replace("\n    ", " ")

    @property
    def borders(self) -> tuple[float, ...]:
        """Borders of bins that were given; empty if they are to be learnt."""
        return self.bins if isinstance(self.bins, tuple) else ()

    def is_known(self, page: Page) -> bool:
        """Return whether a page has what the feature needs."""
        return self.needs is None or page.has_layout

    def values(self, page: Page) -> FeatureValues:
        """Return one value per region; FeatureError if the function returns another number."""
        values = self.compute(page)
        try:
            if len(values) == len(page.text):
                return values
        except TypeError:
            raise FeatureError(
                f"feature {self.name} returned {values!r}, expected one value per region: an "
                "array or a list"
            ) from None
        raise FeatureError(
            f"feature {self.name} returned {len(values)} values for the {len(page)} regions "
            f"of {page.url or 'a page'}"
        )


class FeatureRegistry(Registry[Feature]):
    """Features by name or alias; iterates over names, in the order of registration."""

    def __init__(self) -> None:
        super().__init__("feature", FeatureError)
        self._aliases: dict[str, Feature] = {}

    def __missing__(self, name: str) -> Feature:
        if name in self._aliases:
            return self._aliases[name]
        raise self.unknown(name, [*self, *self._aliases])

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or name in self._aliases

    def add(self, feature: Feature) -> None:
        """Register a feature.

        FeatureError if a name is taken, the family or the need is unknown, the bins do not rise, or
        window or strength is out of range.
        """
        for name in (feature.name, *feature.aliases):
            if name in self:
                raise FeatureError(f"the name {name!r} is taken by another {self.kind}")
        if feature.family not in FAMILIES:
            problem = f"unknown family {feature.family!r}; expected one of {FAMILIES}"
            raise FeatureError(f"{feature.name}: {problem}")
        if feature.needs not in (None, *_NEEDS):
            hint = suggestion(str(feature.needs), _NEEDS)
            problem = f"needs = {feature.needs!r}; expected one of {_NEEDS}{hint}"
            raise FeatureError(f"{feature.name}: {problem}")
        _check_bins(feature.name, feature.bins)
        check_window(feature.name, feature.window)
        check_strength(feature.name, feature.strength)
        self[feature.name] = feature
        self._aliases.update(dict.fromkeys(feature.aliases, feature))

    def sort(self, order: Sequence[str]) -> None:
        """Put the features of ``order`` first; the others follow in their present order."""
        features = {name: self[name] for name in (*order, *self) if name in self}
        self.clear()
        self.update(features)

    def forget(self, names: Iterable[str]) -> None:
        """Remove features again, for instance when the file that registered them raised."""
        for name in names:
            for alias in self.pop(name).aliases:
                del self._aliases[alias]

    def setting_name(self, name: str) -> str:
        """Return the family or feature to which a setting, such as a window, applies.

        FeatureError if the name is neither; the message suggests the most similar name.
        """
        if name in FAMILIES:
            return name
        if name in self:
            return self[name].name
        hint = suggestion(name, [*self, *self._aliases, *FAMILIES])
        raise FeatureError(f"{name!r} is neither a feature nor a family{hint}")


def _check_bins(name: str, bins: tuple[float, ...] | int) -> None:
    if isinstance(bins, int):
        if bins < 2:
            raise FeatureError(f"{name}: bins = {bins}; expected borders, or a count of 2 or more")
    elif not all(isinstance(border, Real) for border in bins) or list(bins) != sorted(set(bins)):
        raise FeatureError(f"{name}: bins must rise and be numbers, got {bins}")


def check_window(name: str, window: Sequence[int]) -> None:
    """Raise an error unless a window is a sequence of whole numbers."""
    if not isinstance(window, Iterable) or any(type(offset) is not int for offset in window):
        raise FeatureError(
            f"the window of {name} is {window!r}; expected whole numbers of regions, as in (-1, 1)"
        )


def check_strength(name: str, strength: float) -> None:
    """Raise an error unless a strength is a finite number above 0."""
    if not 0 < strength < np.inf:
        raise FeatureError(f"the strength of {name} is {strength}; expected more than 0")


REGISTRY = FeatureRegistry()
"""Registry of all imported features."""


def feature(
    family: str,
    *,
    bins: Sequence[float] | int = (),
    needs: Need | None = None,
    name: str | None = None,
    aliases: Sequence[str] = (),
    source: str = "ours",
    window: Sequence[int] | None = None,
    strength: float = 1.0,
    is_optional: bool = False,
    registry: FeatureRegistry = REGISTRY,
) -> Callable[[F], F]:
    """Register a function of a page as a feature, by default under the function's name.

    Parameters
    ----------
    aliases
        Other names, without the family.
    window
        As for :class:`Feature`; by default that of the family in ``FAMILY_WINDOWS``.

    Examples
    --------
    >>> from structce.features import FeatureRegistry, feature
    >>> mine = FeatureRegistry()
    >>> @feature("text", registry=mine)
    ... def shouts(page):
    ...     '''Text in capitals, as in a kicker.'''
    ...     return [text.isupper() for text in page.text]
    >>> list(mine)
    ['text.shouts']
    """
    if callable(family):  # @feature without parentheses would register nothing
        raise FeatureError(f"@feature needs a family: {FAMILIES}, as in @feature('text')")
    if isinstance(aliases, str):
        raise FeatureError(f"aliases = {aliases!r}; expected a list of names")

    def register(compute: F) -> F:
        words = name or compute.__name__.strip("_").replace("_", "-")
        check_window(f"{family}.{words}", () if window is None else window)
        registry.add(
            Feature(
                f"{family}.{words}",
                family,
                compute,
                bins=bins if isinstance(bins, int) else tuple(bins),
                needs=needs,
                aliases=tuple(f"{family}.{alias}" for alias in aliases),
                source=source,
                window=tuple(FAMILY_WINDOWS.get(family, ()) if window is None else window),
                strength=strength,
                is_optional=is_optional,
            )
        )
        return compute

    return register


class _Memo(dict[object, object]):
    """Results computed for a page, by function; they are not sent to other processes."""

    def __reduce__(self) -> tuple[type[_Memo], tuple[()]]:
        return _Memo, ()


_MEMO = "_features_memo"  # attribute of a page that contains its memo


def once_a_page(compute: Callable[[Page], T]) -> Callable[[Page], T]:
    """Memoise a pure function of a page: its value is kept in the page and freed with it.

    Pages never change, so callers see no difference except the time. Arrays are made read-only,
    since all callers share them. A value must not refer to its page, or the page is freed only when
    Python next collects cycles.
    """

    @wraps(compute)
    def remembered(page: Page) -> T:
        memo: Any = page.__dict__.get(_MEMO)
        if memo is None:
            memo = page.__dict__[_MEMO] = _Memo()
        known: T = memo.get(remembered, memo)
        if known is memo:
            known = page.__dict__[_MEMO][remembered] = compute(page)
            if isinstance(known, np.ndarray):
                known.setflags(write=False)
        return known

    return remembered


class FeatureImport(msgspec.Struct, frozen=True):
    """A file or module that was imported for its features."""

    source: str  # absolute path of the file, or name of the module
    module: str  # name of the resulting module
    features: tuple[str, ...]  # names of the features that it registered


def import_features(names: Iterable[str | Path]) -> tuple[FeatureImport, ...]:
    """Import files (``my_cues.py``) and modules (``package.cues``) that register features.

    Files and modules that have been imported before are not imported again. FeatureError if there
    is no such file or module, or it raises; the message names file and line. None of its features
    stay registered.
    """
    return tuple(_import_one(str(name)) for name in names)


def import_sources() -> tuple[str, ...]:
    """Return the paths and modules to pass to :func:`import_features` in another process."""
    return tuple(_IMPORTED)


def load_entry_points() -> None:
    """Import the features of other installed packages, each once.

    A package whose features cannot be imported is reported as a warning in the log.
    """
    if not has_entry_points(_ENTRY_POINTS):
        return
    from importlib.metadata import entry_points  # late: it takes 20 ms to import

    invalidate_caches()
    points = {
        (point.dist.name if point.dist else "?", f"{point.name} = {point.value}"): point
        for point in entry_points(group=_ENTRY_POINTS)
    }
    for place in sorted(points.keys() - _LOADED):
        _LOADED.add(place)
        point = points[place]
        try:
            _record(point.module, point.module, point.load)
        except FeatureError as error:
            _log.warning("package %s: its features were not loaded: %s", place[0], error)


def _import_one(name: str) -> FeatureImport:
    if name.endswith(".py") or "/" in name or "\\" in name:
        path = Path(name).resolve()
        if not path.is_file():
            raise FeatureError(f"{name}: no such file to import features from")
        loaded = _module_of(path)
        load = partial(import_module, loaded) if loaded else partial(_load_file, path)
        return _record(str(path), loaded or _module_name(path), load)
    if not _is_module(name):
        hint = f"; for a file, give its path: {name}.py" if Path(f"{name}.py").is_file() else ""
        raise FeatureError(f"{name}: no module of this name to import features from{hint}")
    known = _IMPORTED.get(str(_file_of(name)))
    return known or _record(name, name, partial(import_module, name))


def _is_module(name: str) -> bool:
    """Return whether a module of this name exists, even one that raises when imported."""
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError as error:
        return not f"{name}.".startswith(f"{error.name}.")
    except (ImportError, ValueError):  # a relative name, or an empty one
        return False
    except Exception:  # a parent package raises, and will again where its error is reported
        return True


def _record(source: str, module: str, load: Callable[[], object]) -> FeatureImport:
    """Import a new source and record its features; remove them again if it raises."""
    if source in _IMPORTED:
        return _IMPORTED[source]
    before = set(REGISTRY)
    try:
        load()
    except (Exception, SystemExit) as error:  # anything that the file raises is reported
        REGISTRY.forget([name for name in _names_of(module) if name not in before])
        sys.modules.pop(module, None)
        raise FeatureError(_described(source, error)) from error
    own = _names_of(module)
    names = tuple(name for name in REGISTRY if name not in before or name in own)
    return _IMPORTED.setdefault(source, FeatureImport(source, module, names))


def _names_of(module: str) -> list[str]:
    return [name for name, feature in REGISTRY.items() if feature.compute.__module__ == module]


def _load_file(path: Path) -> None:
    """Import a file as a module that can later be imported by its name."""
    name = _module_name(path)
    loader = SourceFileLoader(name, str(path))
    module = module_from_spec(ModuleSpec(name, loader, origin=str(path)))
    module.__file__ = str(path)
    sys.modules[name] = module
    loader.exec_module(module)


def _module_name(path: Path) -> str:
    """Return the module name of a file: the same in every process, different for each path."""
    stem = "".join(c if c.isalnum() else "_" for c in path.stem)
    return f"structce_import_{stem}_{sha256(str(path).encode()).hexdigest()[:8]}"


def _module_of(path: Path) -> str | None:
    """Return the name under which a file is already imported, or None."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        is_alike = isinstance(file, str) and Path(file).name == path.name
        if is_alike and name != "__main__" and Path(str(file)).resolve() == path:
            return name
    return None


def _described(source: str, error: BaseException) -> str:
    """Return what went wrong and, if known, in which line of the file."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}, line {error.lineno}: {error.msg}"
    what = str(error) if isinstance(error, FeatureError) else f"{type(error).__name__}: {error}"
    file = _file_of(source)
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).resolve() == file
    ]
    return f"{file}, line {lines[-1]}: {what}" if lines else f"{source}: {what}"


def _file_of(source: str) -> Path | None:
    """Return the file that a source is read from; None if it is not known."""
    if source.endswith(".py"):
        return Path(source)
    try:
        spec = find_spec(source)
    except Exception:  # a parent package raises
        return None
    return Path(spec.origin).resolve() if spec and spec.origin else None
