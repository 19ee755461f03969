"""Learners beside sklearn-crfsuite on three sequence-labelling data sets: accuracy and time.

    python3 -m benchmarks.learners
    python3 -m benchmarks.learners --only digits --seed 3

``digits`` are words of handwritten digits (scikit-learn's, 8 x 8 pixels) that follow a Markov
chain. ``chunks`` are sentences of an invented language, whose phrases are labelled B, I and O by
the words and their neighbours. ``markov`` is a hidden Markov model with known parameters, so that
its own Viterbi gives the best accuracy that can be expected. Each learner's regulariser is chosen
from a grid on a third of the training sequences; the time is that of one fit with it, by the
processor's clock.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click
import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn_crfsuite import CRF as TheirCRF  # noqa: N811  # theirs beside ours
from tabulate import tabulate
from tqdm import tqdm

from structce.learners import (
    GreedySVM,
    LinearChainCRF,
    MulticlassSVM,
    StructuredSVM,
    suppress_solver_warnings,
    viterbi,
)

Sequences = tuple[list[Any], list[list[str]]]
LAMBDAS = (0.0001, 0.001, 0.01, 0.1, 1.0)
_DIGIT_WORDS, _SENTENCES, _CHAINS = 180, 240, 240  # sequences of each data set
_LENGTH = 12  # mean length of a sequence


def digits(random: np.random.Generator) -> Sequences:
    """Return words of handwritten digits; after each digit, three others follow most often."""
    images, answers = load_digits(return_X_y=True)
    rows = [np.flatnonzero(answers == digit) for digit in range(10)]
    steps = random.dirichlet(np.full(10, 0.3), size=10)
    X, y = [], []
    for _ in range(_DIGIT_WORDS):
        word = _chain(random, steps)
        noisy = [images[random.choice(rows[d])] + 6 * random.normal(size=64) for d in word]
        X.append(sparse.csr_array(np.column_stack([np.array(noisy) / 16, np.ones(len(word))])))
        y.append([str(digit) for digit in word])
    return X, y


def chunks(random: np.random.Generator) -> Sequences:
    """Return sentences whose phrases begin with a determiner or adjective and end with a noun."""
    words = {kind: [f"{kind}{n}" for n in range(60)] for kind in ("noun", "verb", "adj")}
    words |= {"det": ["the", "a"], "prep": ["in", "of", "by"]}
    both = [f"word{n}" for n in range(40)]  # noun or verb, as the neighbours have it
    X, y = [], []
    for _ in range(_SENTENCES):
        tokens: list[tuple[str, str]] = []
        for _ in range(random.integers(2, 5)):
            phrase = ["det"] * random.integers(2) + ["adj"] * random.integers(3) + ["noun"]
            for place, kind in enumerate([*phrase, "prep" if random.random() < 0.3 else "verb"]):
                is_open = kind in ("noun", "verb") and random.random() < 0.5
                word = str(random.choice(both if is_open else words[kind]))
                inside = place < len(phrase)
                tokens.append((word, ("I" if place else "B") if inside else "O"))
        X.append([
            {
                "word": word,
                "before": tokens[i - 1][0] if i else "",
                "after": tokens[i + 1][0] if i + 1 < len(tokens) else "",
                "bias": 1.0,
            }
            for i, (word, _) in enumerate(tokens)
        ])  # fmt: skip
        y.append([label for _, label in tokens])
    return X, y


def markov(random: np.random.Generator) -> Sequences:
    """Return sequences of a hidden Markov model of five states and thirty symbols."""
    steps, emissions = _model()
    X, y = [], []
    for _ in range(_CHAINS):
        states = _chain(random, steps)
        seen = [random.choice(emissions.shape[1], p=emissions[state]) for state in states]
        X.append(sparse.csr_array(np.eye(emissions.shape[1])[seen]))
        y.append([f"s{state}" for state in states])
    return X, y


def _model() -> tuple[np.ndarray, np.ndarray]:
    own = np.random.default_rng(1)
    return 0.5 * np.eye(5) + 0.5 * own.dirichlet(np.ones(5), 5), own.dirichlet(np.full(30, 0.3), 5)


def _chain(random: np.random.Generator, steps: np.ndarray) -> list[int]:
    chain = [int(random.integers(len(steps)))]
    for _ in range(random.poisson(_LENGTH)):
        chain.append(int(random.choice(len(steps), p=steps[chain[-1]])))
    return chain


class TrueModel:
    """Viterbi with the parameters that `markov` draws from: no learner can be expected above."""

    def fit(self, X: Sequence[Any], y: Sequence[Sequence[str]]) -> TrueModel:
        """Learn nothing."""
        return self

    def predict(self, X: Sequence[Any]) -> list[list[str]]:
        """Return the most probable states."""
        steps, emissions = map(np.log, _model())
        return [[f"s{i}" for i in viterbi(page @ emissions.T, steps)] for page in X]


def _named(page: Any) -> list[dict[str, Any]]:
    """Return a page in CRFsuite's format: dictionaries."""
    if isinstance(page, list):
        return page
    rows = (page[[i]] for i in range(page.shape[0]))
    return [dict(zip(map(str, row.indices), row.data.tolist(), strict=True)) for row in rows]


DATA: Mapping[str, Callable[[np.random.Generator], Sequences]] = {
    "digits": digits,
    "chunks": chunks,
    "markov": markov,
}


def candidates(n_sequences: int) -> dict[str, list[Any]]:
    """Return each system with every strength of its regulariser."""
    ours = (MulticlassSVM, GreedySVM, LinearChainCRF, StructuredSVM)
    systems: dict[str, list[Any]] = {
        kind.name: [kind(lambda_=lambda_) for lambda_ in LAMBDAS] for kind in ours
    }
    systems["sklearn-crfsuite"] = [
        TheirCRF(c1=0, c2=lambda_ * n_sequences / 2, all_possible_transitions=True)
        for lambda_ in LAMBDAS
    ]
    return systems


def _accuracy(predicted: Sequence[Sequence[str]], gold: Sequence[Sequence[str]]) -> float:
    pairs = zip(predicted, gold, strict=True)
    return float(np.mean([a == b for page in pairs for a, b in zip(*page, strict=True)]))


def measure(name: str, seed: int) -> list[dict[str, object]]:
    """Return a row for each system on one data set."""
    X, y = DATA[name](np.random.default_rng(seed))
    named = [_named(page) for page in X]
    cut = 2 * len(X) // 3
    inner = 2 * cut // 3
    systems = candidates(cut)
    if name == "markov":
        systems["true model"] = [TrueModel()]
    rows = []
    for system, grid in systems.items():
        pages = named if system == "sklearn-crfsuite" else X
        scores = []
        for model in grid if len(grid) > 1 else []:
            fitted = clone(model).fit(pages[:inner], y[:inner])
            scores.append(_accuracy(fitted.predict(pages[inner:cut]), y[inner:cut]))
        best = grid[int(np.argmax(scores))] if scores else grid[0]
        start = time.process_time()
        best.fit(pages[:cut], y[:cut])
        fit_seconds = time.process_time() - start
        predicted = best.predict(pages[cut:])
        predict_seconds = time.process_time() - start - fit_seconds
        exact = np.mean([list(a) == list(b) for a, b in zip(predicted, y[cut:], strict=True)])
        rows.append({
            "data": name,
            "system": system,
            "lambda": LAMBDAS[int(np.argmax(scores))] if scores else "",
            "accuracy": round(_accuracy(predicted, y[cut:]), 3),
            "whole sequences": round(float(exact), 3),
            "seconds to fit": round(fit_seconds, 2),
            "to predict": round(predict_seconds, 3),
        })  # fmt: skip
    return rows


@click.command(epilog="Example:  python3 -m benchmarks.learners --only digits --seed 3")
@click.option("--only", type=click.Choice(list(DATA)), help="One data set instead of all.")
@click.option("--seed", default=0, show_default=True, help="Seed of the data.")
def main(only: str | None, seed: int) -> None:
    """Measure our learners beside sklearn-crfsuite, as a table in Markdown."""
    with suppress_solver_warnings():
        rows = [
            row
            for name in tqdm([only] if only else list(DATA), unit="data set", disable=None)
            for row in measure(name, seed)
        ]
    click.echo(tabulate(rows, headers="keys", tablefmt="github"))


if __name__ == "__main__":
    main()
