"""Configuration of an extraction experiment: packages, methods, their settings, and measures.

A method that learns nothing has one setting. One that compares pages of a class has a setting for
each number of pages that it learns from; one that learns from main contents has a setting for each
way of drawing folds. A report treats settings as it treats methods.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from structce.datasets import READERS, GoldPage
from structce.errors import ExperimentError, ExtractionError, MissingExtraError, SourceError
from structce.evaluation import FOUR
from structce.experiments.toml_tables import (
    KeyPath,
    ParameterValue,
    TomlTable,
    check_known,
    check_parameter,
    convert_table,
    listed,
    parameter_names,
    read_subject,
    require,
    unknown_key,
    unknown_name,
    written_name,
)
from structce.extraction import (
    EXTRACTORS,
    MEASURES,
    PAGE_CLASS_METHODS,
    TRAINABLE_METHODS,
    LearningTask,
    Method,
    load_extractors,
)

SECONDS = 60.0
"""Time limit for one method on one page; beyond it the page is a failure. Our choice."""

CLASS_PAGES = (10,)
"""Pages of a class to learn from; 5 to 10 are enough by Debnath et al. (2005)."""

N_FOLDS = 5  # folds, as Yao and Zuo (2013) have them

_EXPRESSION = r"(?s).*[^a-z0-9-].*|"
"""Pattern of what is not a name: combinations, proxies, commands and files of extractors."""


@dataclass(frozen=True)
class PackageSource:
    """Pages with their main content: a data set, a test package or a corpus of raw pages.

    Parameters
    ----------
    name
        Name in the report, and of the reader unless this is given.
    reader
        Name of a data set, ``gottron`` for a test package, ``corpus`` for a corpus of raw pages.
    path
        Folder or archive, relative to the folder of data; empty for the reader's name.
    by
        Facts by which the pages become packages of their own: ``site``, ``family``, or one that
        the data set records, such as ``page_type``.
    only
        Values of the first of these facts; pages with other values are left out. Empty for all.
    title
        Whether the headline, where it is known, is part of the main content.
    min_pages
        Fewest pages of a package; smaller ones count only as parts of the whole.
    pages
        Most pages of each package, drawn with the seed; 0 for all, None for the experiment's limit.
    comments
        Whether readers' comments, where they are known, are part of the main content.
    learn_from
        Fact ``split`` of the pages that trained methods learn from; the others are measured. Empty
        for folds.
    """

    name: str
    reader: str
    path: str = ""
    by: tuple[str, ...] = ()
    title: bool = True
    min_pages: int = 1
    pages: int | None = None
    comments: bool = False
    only: tuple[str, ...] = ()
    learn_from: str = ""


@dataclass(frozen=True)
class ExtractionExperiment:
    """One question about content extractors: packages, methods, and how they are compared.

    Parameters
    ----------
    data
        Folder that the paths of packages are relative to.
    pages
        Most pages of a package, drawn with the seed; 0 for all.
    measures
        Some of ``structce.extraction.MEASURES``; methods are ranked and tested by the first.
    reference
        Name of the method that the others are tested against, or of one of its settings; a
        method with several stands for the last of them.
    seconds
        Time limit of one method on one page, where pages are measured in several processes.
    class_pages
        Numbers of pages of a class, a part of a package, that methods of page classes learn from;
        each of them is a setting.
    n_folds
        Number of folds of each package, for methods that learn from main contents.
    folds_by
        How the folds are drawn, keys of ``FOLDS_BY``; each of them is a setting.

    Raises
    ------
    ExperimentError
        If a value is out of range, or does not fit the others.
    """

    question: str
    packages: tuple[PackageSource, ...]
    methods: tuple[Method, ...]
    data: str = "."
    seed: int = 0
    pages: int = 0
    measures: tuple[str, ...] = FOUR
    reference: str = ""
    seconds: float = SECONDS
    class_pages: tuple[int, ...] = CLASS_PAGES
    n_folds: int = N_FOLDS
    folds_by: tuple[str, ...] = ("site",)

    def __post_init__(self) -> None:
        require(bool(self.methods), "missing; expected a table such as [method.bte]", "method")
        message = "missing; expected a table such as [package.cleaneval]"
        require(bool(self.packages), message, "package")
        require(bool(self.measures), "expected a measure, or several", "measures")
        check_known(self.measures, MEASURES, ("measures",))
        self._check_learning()
        if not self.reference:
            object.__setattr__(self, "reference", self.methods[0].name)
        names = [setting.name for setting in self.settings]
        if self.reference not in (*names, *(method.name for method in self.methods)):
            raise unknown_name(self.reference, names, "reference")
        require(self.seed >= 0, f"{self.seed}; expected 0 or more", "seed")
        require(self.pages >= 0, f"{self.pages}; expected 0 for all, or more", "pages")
        require(self.seconds > 0, f"{self.seconds}; expected more than 0", "seconds")

    def _check_learning(self) -> None:
        key = ("learning", "class_pages")
        require(bool(self.class_pages), "expected a number of pages, or several", *key)
        for n in self.class_pages:
            require(n >= 2, f"{n}; expected 2 or more", *key)
        message = f"{list(self.class_pages)}; expected numbers that grow"
        require(list(self.class_pages) == sorted(set(self.class_pages)), message, *key)
        require(self.n_folds >= 2, f"{self.n_folds}; expected 2 or more", "folds", "n")
        require(bool(self.folds_by), "expected random, site, or both", "folds", "by")
        check_known(self.folds_by, FOLDS_BY, ("folds", "by"))
        for package in self.packages if self.compares_classes else ():
            message = 'a method compares pages of a class; expected a fact, such as by = "site"'
            require(bool(package.by), message, "package", package.name, "by")

    @property
    def reference_setting(self) -> str:
        """Name of the setting that the others are tested against."""
        names = [s.name for s in self.settings if self.reference in (s.name, s.method.name)]
        return self.reference if self.reference in names else names[-1]

    @property
    def settings(self) -> tuple[Setting, ...]:
        """What is measured: each method, with what it learns from."""
        return list_settings(self.methods, self.class_pages, self.folds_by)

    @property
    def compares_classes(self) -> bool:
        """Whether a method compares pages of a class."""
        return any(method.kind == "page class" for method in self.methods)

    @property
    def has_folds(self) -> bool:
        """Whether a method learns from main contents."""
        return any(method.kind == "trainable" for method in self.methods)

    @property
    def measure(self) -> str:
        """The measure that methods are ranked and tested by."""
        return self.measures[0]


class _PackageTable(msgspec.Struct, forbid_unknown_fields=True):
    reader: str = ""
    path: str = ""
    by: str | list[str] = msgspec.field(default_factory=list)
    only: str | list[str] = msgspec.field(default_factory=list)
    title: bool = True
    min_pages: int = 1
    pages: int | None = None
    comments: bool = False
    learn_from: str = ""


class _LearningTable(msgspec.Struct, forbid_unknown_fields=True):
    class_pages: int | list[int] = msgspec.field(default_factory=lambda: list(CLASS_PAGES))


class _FoldsTable(msgspec.Struct, forbid_unknown_fields=True):
    n: int = N_FOLDS
    by: str | list[str] = "site"


class _ExtractionTable(msgspec.Struct, forbid_unknown_fields=True):
    question: str
    data: str = "."
    seed: int = 0
    pages: int = 0
    measures: str | list[str] = msgspec.field(default_factory=lambda: list(FOUR))
    reference: str = ""
    seconds: float = SECONDS
    learning: _LearningTable | None = None
    folds: _FoldsTable | None = None
    package: dict[str, object] = msgspec.field(default_factory=dict)
    method: dict[str, object] = msgspec.field(default_factory=dict)


def extraction_experiment(table: TomlTable) -> ExtractionExperiment:
    """Return the experiment of a table, every key and value checked."""
    inner: dict[KeyPath, type[msgspec.Struct]]
    inner = {("learning",): _LearningTable, ("folds",): _FoldsTable}
    top = convert_table(table, _ExtractionTable, inner)
    methods = tuple(_method(*named) for named in top.method.items())
    kinds = {method.kind for method in methods}
    message = "no method of the file compares pages of a class"
    require(top.learning is None or "page class" in kinds, message, "learning")
    message = "no method of the file learns from main contents"
    require(top.folds is None or "trainable" in kinds, message, "folds")
    learning, folds = top.learning or _LearningTable(), top.folds or _FoldsTable()
    return ExtractionExperiment(
        question=top.question,
        packages=tuple(_package(*named) for named in top.package.items()),
        methods=methods,
        data=top.data,
        seed=top.seed,
        pages=top.pages,
        measures=listed(top.measures),
        reference=top.reference,
        seconds=top.seconds,
        class_pages=listed(learning.class_pages),
        n_folds=folds.n,
        folds_by=listed(folds.by),
    )


def _package(name: str, table: object) -> PackageSource:
    key: KeyPath = ("package", name)
    given = convert_table(table, _PackageTable, at=key)
    reader = given.reader or name
    known = (*READERS, "corpus")
    if reader not in known:
        raise unknown_name(reader, known, *key, *(["reader"] if given.reader else []))
    require(given.min_pages >= 1, f"{given.min_pages}; expected 1 or more", *key, "min_pages")
    message = f"{given.pages}; expected 0 for all, or more"
    require(given.pages is None or given.pages >= 0, message, *key, "pages")
    by, only = listed(given.by), listed(given.only)
    require(bool(by) or not only, 'expected a fact in "by", such as page_type', *key, "only")
    drawn = given.min_pages, given.pages, given.comments, only, given.learn_from
    return PackageSource(name, reader, given.path, by, given.title, *drawn)


def known_extractors() -> dict[str, Callable[..., object]]:
    """Return everything that makes an extractor, or learns one, by its registered name."""
    load_extractors()
    return {**EXTRACTORS, **PAGE_CLASS_METHODS, **TRAINABLE_METHODS}


def _method(name: str, table: object) -> Method:
    known = known_extractors()
    extractor, given = read_subject("method", name, table, known, may_be=_EXPRESSION)
    parameters = _parameters(known.get(extractor), given, ("method", name)) if given else {}
    method = Method(name, extractor, parameters)
    try:
        method.check()
    except MissingExtraError:
        pass  # a failure of the run, shown in the report
    except (ExtractionError, SourceError) as error:
        raise ExperimentError(str(error), key=("method", name)) from None
    return method


def _parameters(
    make: Callable[..., object] | None, given: Mapping[str, object], key: KeyPath
) -> dict[str, ParameterValue]:
    """Return the parameters of an extractor by their names in Python."""
    if make is None:
        message = "only a registered extractor takes parameters"
        raise ExperimentError(message, key=(*key, next(iter(given))))
    names = parameter_names(make)
    for written in given:
        if written not in names:
            raise unknown_key(key, written, ("method", *names))
    return {
        names[written]: check_parameter(value, *key, written) for written, value in given.items()
    }


def extraction_table(experiment: ExtractionExperiment) -> TomlTable:
    """Return the table from which :func:`extraction_experiment` reads an equal experiment."""
    learning = {"class_pages": list(experiment.class_pages)}
    folds = {"n": experiment.n_folds, "by": list(experiment.folds_by)}
    return {
        "question": experiment.question,
        "data": experiment.data,
        "seed": experiment.seed,
        "pages": experiment.pages,
        "measures": list(experiment.measures),
        "reference": experiment.reference,
        "seconds": experiment.seconds,
        **({"learning": learning} if experiment.compares_classes else {}),
        **({"folds": folds} if experiment.has_folds else {}),
        "package": {
            package.name: {
                "reader": package.reader,
                "path": package.path,
                "by": list(package.by),
                **({"only": list(package.only)} if package.only else {}),
                "title": package.title,
                "min_pages": package.min_pages,
                **({} if package.pages is None else {"pages": package.pages}),
                **({"comments": True} if package.comments else {}),
                **({"learn_from": package.learn_from} if package.learn_from else {}),
            }
            for package in experiment.packages
        },
        "method": {
            method.name: {
                "method": method.extractor,
                **{written_name(name): value for name, value in method.parameters.items()},
            }
            for method in experiment.methods
        },
    }


FOLDS_BY = {"random": "random folds", "site": "folds by site"}
"""Words for each way of drawing folds."""


@dataclass(frozen=True)
class Setting:
    """One method, and what it learns from, which its name says if there are several settings.

    The number of pages of a class is 0 for a method that compares none, and how folds are drawn, a
    key of ``FOLDS_BY``, empty for a method that is not trained.
    """

    name: str
    method: Method
    n_pages: int = 0
    folds: str = ""

    @property
    def is_learnt(self) -> bool:
        """Whether the method learns from pages first."""
        return bool(self.n_pages or self.folds)


def list_settings(
    methods: Iterable[Method], class_pages: Sequence[int], folds_by: Sequence[str]
) -> tuple[Setting, ...]:
    """Return the settings of methods, in their order."""
    settings: list[Setting] = []
    for method in methods:
        own = [Setting(method.name, method)]
        if method.kind == "page class":
            own = [Setting(f"{method.name}, {n} pages", method, n_pages=n) for n in class_pages]
        elif method.kind == "trainable":
            own = [Setting(f"{method.name}, {FOLDS_BY[by]}", method, folds=by) for by in folds_by]
        settings += own if len(own) > 1 else [replace(own[0], name=method.name)]
    return tuple(settings)


def class_tasks(
    setting: Setting,
    package: str,
    classes: Iterable[Sequence[GoldPage]],
    *,
    seed: int,
    measures: tuple[str, ...],
) -> Iterator[LearningTask]:
    """Yield a task for each class: to learn from some of its pages, and extract from all of them.

    A larger set of pages to learn from contains every smaller one.
    """
    for pages in classes:
        learnt = order_pages(pages, seed)[: setting.n_pages]
        yield LearningTask(
            package, setting.name, setting.method, tuple(learnt), tuple(pages), measures
        )


def fold_tasks(
    setting: Setting,
    package: str,
    folds: Sequence[Sequence[GoldPage]],
    *,
    measures: tuple[str, ...],
) -> Iterator[LearningTask]:
    """Yield a task for each fold: to learn from the others, and extract from its own pages."""
    for held in folds:
        learnt = tuple(page for fold in folds if fold is not held for page in fold)
        yield LearningTask(package, setting.name, setting.method, learnt, tuple(held), measures)


def draw_folds(
    pages: Sequence[GoldPage], n: int, by: str, seed: int
) -> tuple[tuple[GoldPage, ...], ...]:
    """Return pages in folds of about the same size: page by page, or each site in one fold.

    Sites that share a template, as far as the data set records it, count as one. With fewer sites
    than folds, each site is a fold.
    """
    groups: dict[str, list[GoldPage]] = {}
    for page in pages:
        groups.setdefault(page.id if by == "random" else page.family, []).append(page)
    order = sorted(groups, key=lambda name: (-len(groups[name]), _place(seed, name)))
    folds: list[list[GoldPage]] = [[] for _ in range(min(n, len(groups)))]
    for name in order:  # the largest first, each to the fold that has the fewest pages so far
        min(folds, key=len).extend(groups[name])
    return tuple(map(tuple, folds))


def order_pages(pages: Iterable[GoldPage], seed: int) -> list[GoldPage]:
    """Return pages in an order drawn by digests of seed and id, independent of other pages."""
    return sorted(pages, key=lambda page: _place(seed, page.id))


def _place(seed: int, name: str) -> bytes:
    return hashlib.sha256(f"{seed}\0{name}".encode()).digest()
