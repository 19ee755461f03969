"""How long a model takes to load, and how large it is on disk.

    python3 benchmarks/loading.py --columns 100000 --labels 9

Saves a structured SVM with random weights, none of them 0, and random names of columns: the worst
case, as the columns of real pages share more and two thirds of their weights are 0. Then loads it
again and again in one process, the files in the system's cache.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import click
import numpy as np
from scipy import sparse

from structce.cli.options import format_option, print_table
from structce.features.feature_set import FeatureSet
from structce.labelling import RegionLabeller
from structce.labels import LabelSet
from structce.learners.structured_svm import StructuredSVM

LETTERS = np.array(list("abcdefghijklmnopqrstuvwxyz"))
WORD = 16  # letters; with what stands before the word the mean name is as long as a shipped one


def make_features(n_columns: int, random: np.random.Generator) -> FeatureSet:
    """Return a feature set with columns of random names, spread evenly over all features."""
    state = FeatureSet().state()
    names = FeatureSet().names
    words = LETTERS[random.integers(len(LETTERS), size=(n_columns, WORD))]
    spread = [f"{names[n % len(names)]}={''.join(word)}{n}" for n, word in enumerate(words)]
    return FeatureSet.from_state({**state, "columns": sorted(spread)})


def make_learner(n_columns: int, n_labels: int, random: np.random.Generator) -> StructuredSVM:
    """Return a fitted learner with random weights."""
    page = sparse.csr_matrix((1, n_columns))
    fitted = StructuredSVM(max_epochs=1).fit([page], [np.zeros(1, dtype=int)], n_labels=n_labels)
    weights = random.standard_normal((n_columns, n_labels))
    fitted.emissions_ = weights.astype(np.float32).astype(np.float64)
    return fitted


def seconds_to_load(folder: Path) -> float:
    """Return how long one load takes."""
    start = time.perf_counter()
    RegionLabeller.load(folder)
    return time.perf_counter() - start


@click.command()
@click.option("--columns", default=100_000, show_default=True)
@click.option("--labels", default=9, show_default=True)
@click.option(
    "--repeats", default=20, show_default=True, help="Number of times the model is loaded."
)
@click.option("--seed", default=0, show_default=True)
@format_option
def main(columns: int, labels: int, repeats: int, seed: int, form: str) -> None:
    """Print the time to load a model, best and middle of several, and its size."""
    random = np.random.default_rng(seed)
    names = tuple(f"Label{n}" for n in range(labels))
    labeller = RegionLabeller(
        make_features(columns, random),
        make_learner(columns, labels, random),
        LabelSet(names, background=names[0]),
    )
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "model"
        labeller.save(folder)
        sizes = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
        times = [seconds_to_load(folder) for _ in range(repeats)]
    row = {
        "columns": columns,
        "labels": labels,
        "best, ms": 1000 * min(times),
        "median, ms": 1000 * float(np.median(times)),
        "size, MB": sum(sizes) / 1e6,
    }
    print_table([row], form)


if __name__ == "__main__":
    main()
