"""Work in a separate process: make a problem, or measure one contender on a problem.

The task is read as JSON from standard input; measures are written as JSON to standard output.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from benchmarks.learners import crfsuite, regionwise, structce_learners
from benchmarks.learners.jobs import Job, Spec
from benchmarks.learners.measures import Fitted, MemoryMeter, summarise
from benchmarks.learners.problems import Problem, encode_corpus
from benchmarks.learners.synthetic import make_problem

Measure = Callable[[Problem, Job, MemoryMeter], Fitted]


def make(spec: Spec) -> Problem:
    """Return the problem that is asked for."""
    if spec.corpus:
        problem = encode_corpus(Path(spec.corpus), spec.seed)
    else:
        problem = make_problem(spec.n_pages, spec.n_columns, spec.seed)
    return problem.narrowed(spec.n_kept) if spec.n_kept else problem


def measure_of(contender: str) -> Measure:
    """Return the function that measures a contender."""
    if contender in crfsuite.ALGORITHMS:
        return crfsuite.measure
    return regionwise.measure if contender in regionwise.CLASSIFIERS else structce_learners.measure


def main(task: Mapping[str, Mapping[str, object]], file: Path) -> None:
    """Write the problem into a file, or measure a contender on the problem in it."""
    if "spec" in task:
        make(Spec(**task["spec"])).save(file)  # type: ignore[arg-type]
        return
    job = Job(**task["job"])  # type: ignore[arg-type]
    problem = Problem.load(file)
    fitted = measure_of(job.contender)(problem, job, MemoryMeter())
    print(json.dumps(summarise(problem, fitted)))


if __name__ == "__main__":
    main(json.load(sys.stdin), Path(sys.argv[1]))
