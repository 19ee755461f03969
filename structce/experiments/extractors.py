"""Extractors on packages of pages: the jobs of all methods, and the rows of a report."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import fmean, median, stdev

import numpy as np

from structce.datasets import READERS, GoldPage, Skipped, gold_text
from structce.errors import StructceError
from structce.evaluation import FOUR
from structce.experiments.config import (
    ExtractionExperiment,
    PackageSource,
    known_extractors,
)
from structce.experiments.jobs import (
    PACKAGE,
    JobRun,
    code_digest,
    digest_of_values,
    source_digest,
)
from structce.experiments.statistics import Row, Rows, corrected, paired_test, rank_studies
from structce.experiments.toml_tables import require, unknown_name
from structce.extraction import (
    LEAVES,
    MEASURES,
    PARTS,
    DocumentRow,
    MeasurementJob,
    Method,
    count_leaves,
    digest_of,
    pooled_leaves,
    start_measuring,
    training_sets,
)
from structce.features import import_sources
from structce.gold import TEXT
from structce.requirements import installed_versions

EXTRACTION_LIBRARIES = tuple(
    """
    structce numpy lxml selectolax trafilatura readability-lxml jusText boilerpy3 resiliparse
    newspaper4k goose3 inscriptis scikit-learn
    """.split()
)
"""Packages that extract, or that extraction is made of; rows of other versions are stale."""

CODE_PATHS = tuple(
    """
    arrays.py article evaluation/overlap.py extraction features labelling labels.py language
    learners page rendering
    """.split()
)
"""Code, below the package, that rows depend on; a change in it makes all of them stale."""

PageRows = Mapping[str, DocumentRow]  # rows of a method on a source by page
MeasuredRows = tuple[DocumentRow, ...]


@dataclass(frozen=True)
class SourcePages:
    """Pages of one source to measure, the name of the part of each, and pages to learn from.

    The latter are empty for folds. ``n_lost`` counts pages that are read but not measured: without
    main content, unless the data set gives that up, with copies to learn from, or of small parts.
    """

    name: str
    pages: tuple[GoldPage, ...]
    parts: Mapping[str, str]
    learnt: tuple[GoldPage, ...] = ()
    n_lost: int = 0

    @property
    def classes(self) -> dict[str, tuple[GoldPage, ...]]:
        """Pages of each part, by its name, in the order of the names."""
        return {
            name: tuple(page for page in self.pages if self.parts[page.id] == name)
            for name in sorted({*self.parts.values()} - {""})
        }

    @property
    def digest(self) -> str:
        """Sixteen hexadecimal digits that identify everything that is measured."""
        total = hashlib.sha256()
        for page in (*self.learnt, *self.pages):
            total.update(f"{page.id}\0{page.content_type}\0{page.gold.text}\0".encode())
            total.update(page.data)
        return total.hexdigest()[:16]


def add_extractor_rows(rows: Rows, experiment: ExtractionExperiment, run: JobRun) -> None:
    """Run all methods on all sources, and add the rows of a report.

    A method that cannot be made, or fails on every page of a source, is a failure and has no rows
    there. Jobs that failed on all of their pages are tried again by the next run.
    """
    sources = [read_source(experiment, one) for one in experiment.package.values()]
    methods = []
    for method in experiment.method.values():
        try:
            method.check()
            methods.append(method)
        except StructceError as error:
            failure = {"subject": method.name, "error": str(error), "n_units": 0}
            rows["failures"].append(failure)
    found: dict[str, dict[str, PageRows]] = {source.name: {} for source in sources}
    for (study, subject), own in _measure(experiment, sources, methods, run).items():
        errors = [row.error for row in own.values() if row.error]
        if errors:
            failure = {"study": study, "subject": subject, "error": errors[0]}
            rows["failures"].append({**failure, "n_units": len(errors)})
        if len(errors) < len(own):
            found[study][subject] = own
    for source in sources:
        _add_source(rows, experiment, source, found[source.name])
    rows["rankings"] += rank_studies(  # all sources are ranked together, and the parts of each
        rows,
        f"{experiment.measures[0]}_f1",
        lambda study: ("" if study["name"] == study["source"] else study["source"],),
    )


def method_jobs(
    experiment: ExtractionExperiment, method: Method, source: SourcePages
) -> Iterator[MeasurementJob]:
    """Yield the jobs of a method on a source: one per page, or per class or fold if it learns."""
    measures = tuple(name for name in MEASURES if name in {*FOUR, *experiment.measures})
    job = partial(MeasurementJob, source.name, method, measures=measures)
    seed = experiment.seed
    if method.kind == "page class":
        for pages in source.classes.values():
            learnt = draw_pages(pages, experiment.class_pages, seed)
            yield job(measured=pages, learnt=tuple(learnt))
    elif method.kind == "trainable" and source.learnt:
        yield job(measured=source.pages, learnt=source.learnt)
    elif method.kind == "trainable":
        folds = draw_folds(source.pages, experiment.folds.n, experiment.folds.by, seed)
        message = f"folds by {experiment.folds.by} need two; the pages are of one"
        require(len(folds) >= 2, message, "package", source.name)
        for held in folds:
            others = [page for fold in folds if fold is not held for page in fold]
            yield job(measured=held, learnt=tuple(others))
    else:
        for page in source.pages:
            yield job(measured=(page,))


def _measure(
    experiment: ExtractionExperiment, sources: Sequence[SourcePages], methods: Sequence[Method],
    run: JobRun,
) -> dict[tuple[str, str], PageRows]:  # fmt: skip
    """Return the rows by source and method; jobs that would do the same are run once."""
    key_of = _key_function(sources)
    keyed = {
        (source.name, method.name): [
            (key_of(job), job) for job in method_jobs(experiment, method, source)
        ]
        for source in sources
        for method in methods
    }
    different = {key: job for jobs in keyed.values() for key, job in jobs}
    run.expect(len(different))
    starter = partial(start_measuring, experiment.seconds, import_sources())

    def execute(missing: list[MeasurementJob]) -> Iterator[tuple[int, MeasuredRows]]:
        n_pages = max(len(job.learnt) + len(job.measured) for job in missing)
        names, seconds = list(map(str, missing)), experiment.seconds * n_pages
        return run.run(
            starter, missing, names, lambda i, error: missing[i].failed(error), seconds=seconds
        )

    def is_final(measured: MeasuredRows) -> bool:
        return not all(row.error for row in measured)

    found: dict[str, MeasuredRows] = {}
    for learns in (False, True):  # apart, since a time limit is that of the largest job
        jobs = [(key, job) for key, job in different.items() if bool(job.learnt) == learns]
        outcomes = run.finish(jobs, execute, MeasuredRows, is_final)
        found |= zip((key for key, _ in jobs), outcomes, strict=True)
    return {
        place: {row.document: row for key, _ in jobs for row in found[key]}
        for place, jobs in keyed.items()
    }


def _key_function(sources: Sequence[SourcePages]) -> Callable[[MeasurementJob], str]:
    """Return the function that gives a job's key, whatever source and method are called."""
    manifests = sorted((PACKAGE / "models").glob("*/manifest.json"))
    base = digest_of_values(
        {
            "code": code_digest(CODE_PATHS),
            "models": [path.read_text("utf-8") for path in manifests],
            "versions": installed_versions(EXTRACTION_LIBRARIES),
            "extractors": {name: source_digest(make) for name, make in known_extractors().items()},
        }
    )
    digests = {
        (source.name, page.id): digest_of(page)
        for source in sources
        for page in (*source.learnt, *source.pages)
    }

    def key_of(job: MeasurementJob) -> str:
        asked = {"method": job.method.extractor, "parameters": dict(job.method.parameters)}
        pages = {
            name: [[page.id, digests[job.package, page.id]] for page in own]
            for name, own in (("learnt", job.learnt), ("measured", job.measured))
        }
        return digest_of_values({**asked, **pages, "measures": list(job.measures), "base": base})

    return key_of


def _add_source(
    rows: Rows, experiment: ExtractionExperiment, source: SourcePages,
    found: Mapping[str, PageRows],
) -> None:  # fmt: skip
    """Add the rows of a source as a whole, and of its parts in the order of their names."""
    measure, reference = experiment.measures[0], experiment.reference
    trained = []
    for method in experiment.method.values():
        with suppress(StructceError, KeyError):  # a failure of the method, which is reported
            if experiment.package[source.name].reader in training_sets(method):
                trained.append(method.name)
    whole = {"n_lost": source.n_lost, "trained_on": tuple(trained)}
    leaves = {}
    if set(LEAVES) <= set(experiment.measures):
        leaves = {page.id: count_leaves(page) for page in source.pages}
    for name, pages in {source.name: source.pages, **source.classes}.items():
        sites = [page.site for page in pages]
        about = {"name": name, "source": source.name, "digest": source.digest, "n_lost": 0}
        about |= {"n_pages": len(pages), "n_sites": len({*sites}), "reference": reference}
        rows["studies"].append(about | (whole if name == source.name else {}))
        values = {}
        for subject, by_page in found.items():
            own = [by_page[page.id] for page in pages]
            values[subject] = np.array([row.overlaps[measure].f1 for row in own])
            scores = [*method_scores(experiment.measures, own)]
            if leaves:
                scores += _leaf_scores([leaves[page.id] for page in pages], own)
            rows["scores"] += [{"study": name, "subject": subject, **score} for score in scores]
        others = [one for one in values if one != reference and reference in values]
        pairs = [
            paired_test((one, reference), (values[one], values[reference]), sites, experiment.seed)
            for one in others
        ]
        rows["pairs"] += [{"study": name, **pair} for pair in corrected(pairs)]
    rows["units"] += [
        {
            "study": source.name,
            "subject": subject,
            "unit": page.id,
            "site": page.site,
            "measure": f"{measure}_f1",
            "value": by_page[page.id].overlaps[measure].f1,
            "part": source.parts[page.id],
        }
        for subject, by_page in found.items()
        for page in source.pages
    ]


def method_scores(measures: Sequence[str], rows: Sequence[DocumentRow]) -> Iterator[Row]:
    """Yield the scores of a method: means over pages with their deviations, times and failures.

    A page on which it failed counts as if nothing had been extracted.
    """

    def mean(measure: str, values: Sequence[float]) -> Row:
        deviation = stdev(values) if len(values) > 1 else None
        return {"measure": measure, "value": fmean(values), "deviation": deviation}

    for name in measures:
        for kind in PARTS:
            yield mean(f"{name}_{kind}", [getattr(row.overlaps[name], kind) for row in rows])
    yield {"measure": "n_failures", "value": sum(bool(row.error) for row in rows)}
    times = [row.seconds for row in rows if row.seconds is not None]
    if times:
        rates = [row.seconds_per_kb for row in rows if row.seconds_per_kb is not None]
        yield mean("seconds_per_kb", rates)
        yield {"measure": "median_milliseconds", "value": 1_000 * median(times)}


def _leaf_scores(counts: Sequence[tuple[int, int]], rows: Sequence[DocumentRow]) -> Iterator[Row]:
    """Yield the scores of the leaves of all pages together, as ``pooled_leaf_f1``."""
    content, others = LEAVES
    recalls = [
        (0.0, 1.0) if row.error else (row.overlaps[content].recall, row.overlaps[others].recall)
        for row in rows
    ]
    for name, overlap in pooled_leaves(recalls, counts).items():
        for kind in PARTS:
            yield {"measure": f"pooled_{name}_{kind}", "value": getattr(overlap, kind)}


def read_source(experiment: ExtractionExperiment, source: PackageSource) -> SourcePages:
    """Return the pages of a source that are measured, each with its main content as its gold."""
    key, path = ("package", source.name), Path(experiment.data) / (source.path or source.reader)
    if not source.path and not path.exists():
        path = path.with_name(f"{source.reader}.zip")
    message = f"{path}: no such folder or archive; --set data=FOLDER names where it is"
    require(path.exists(), message, *key)
    pages, n_lost = [], 0
    for item in READERS[source.reader].read(path):
        if isinstance(item, Skipped):
            n_lost += not item.is_known
        elif not source.only or part_name(item, source.by[:1]) in source.only:
            text = main_content(item, with_title=source.title, with_comments=source.comments)
            pages.append(replace(item, gold=replace(item.gold, body=((TEXT, text),))))
    known = [page for page in pages if page.gold.text]
    require(bool(known), "contains no page with main content", *key)
    splits = [page.gold.about.get("split", "") for page in known]
    is_learnt = [bool(source.learn_from) and split == source.learn_from for split in splits]
    learnt = tuple(itertools.compress(known, is_learnt))
    if source.learn_from and not 0 < len(learnt) < len(known):
        raise unknown_name(source.learn_from, sorted({*splits} - {""}), *key, "learn_from")
    copies = {page.data for page in learnt}
    others = [page for page in known if page.data not in copies]
    parts, n_small = _drawn_parts(others, source, experiment)
    require(bool(parts), "contains no class of pages", *key)
    measured = tuple(page for page in others if page.id in parts)
    n_lost += len(pages) - len(learnt) - len(others) + n_small
    return SourcePages(source.name, measured, parts, learnt, n_lost)


def _drawn_parts(
    pages: Sequence[GoldPage], source: PackageSource, experiment: ExtractionExperiment
) -> tuple[dict[str, str], int]:
    """Return the part of each page to measure, by its id; empty for a page of no part.

    If a method compares pages of a class, no method measures pages of too small parts; the second
    value is their number.
    """
    most = experiment.pages if source.pages is None else source.pages
    compares = experiment.compares_classes
    least = max(source.min_pages, 2) if compares else source.min_pages
    groups: dict[str, list[GoldPage]] = {}
    for page in pages:
        groups.setdefault(part_name(page, source.by), []).append(page)
    drawn, n_small = dict[str, str](), 0
    for name, group in groups.items():
        is_part = bool(source.by) and len(group) >= least
        if is_part or not (compares and source.by):
            part = f"{source.name} {name}" if is_part else ""
            drawn |= {page.id: part for page in draw_pages(group, most, experiment.seed)}
        else:
            n_small += len(group)
    return drawn, n_small


def main_content(page: GoldPage, *, with_title: bool = True, with_comments: bool = False) -> str:
    """Return the main content in a page's gold, one line per piece; empty if it has none."""
    gold = page.gold
    comments = gold.others.get("comment", ()) if with_comments else ()
    if not with_title:
        blocks = tuple(block for block in gold.blocks if block.label != "Title")
        gold = replace(gold, title=None, blocks=blocks)
    return "\n".join((gold_text(gold), *comments)).strip()


def part_name(page: GoldPage, by: Iterable[str]) -> str:
    """Return the name of the part of a page; ``unknown`` if the data set does not record it."""
    facts = {**page.gold.about, "site": page.site, "family": page.family}
    return " ".join(facts.get(name) or "unknown" for name in by)


def draw_pages(pages: Sequence[GoldPage], most: int, seed: int) -> Sequence[GoldPage]:
    """Return at most ``most`` pages, drawn by digests of seed and id; all for 0.

    A larger draw contains every smaller one, so that its measurements are kept.
    """
    return sorted(pages, key=lambda page: _drawn_key(page.id, seed))[:most] if most else pages


def _drawn_key(name: str, seed: int) -> bytes:
    """Return a key by which names are sorted in an order that is drawn, whichever there are."""
    return hashlib.sha256(f"{seed}\0{name}".encode()).digest()


def draw_folds(
    pages: Sequence[GoldPage], n: int, by: str, seed: int
) -> tuple[tuple[GoldPage, ...], ...]:
    """Return pages in folds of about the same size: page by page, or each site in one fold.

    Sites of one family count as one. With fewer sites than folds, each site is a fold.
    """
    groups: dict[str, list[GoldPage]] = {}
    for page in pages:
        groups.setdefault(page.id if by == "random" else page.family, []).append(page)
    order = sorted(groups, key=lambda name: (-len(groups[name]), _drawn_key(name, seed)))
    folds: list[list[GoldPage]] = [[] for _ in range(min(n, len(groups)))]
    for name in order:  # the largest first, each to the fold that has the fewest pages so far
        min(folds, key=len).extend(groups[name])
    return tuple(map(tuple, folds))
