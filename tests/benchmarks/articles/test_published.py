"""Measures of articles on published outputs, beside the scores that were published for them."""

import csv
import io
import json

import numpy as np
import pytest

from benchmarks.extraction.study import ZYTE_F1
from structce.datasets import open_data_set
from structce.evaluation import rouge_lsum, shingle_counts, shingle_overlap

STUDY = "sigir2023/article-extraction-benchmark"


@pytest.fixture
def outputs(shared_data):
    return open_data_set(shared_data("published-outputs.zip"), "zyte2026", "sigir2023")


@pytest.fixture
def gold_texts(shared_data):
    """The gold as it is published: no line is taken out."""
    folder = open_data_set(shared_data("article-extraction-benchmark.zip"), "ground-truth.json")
    rows = json.loads((folder / "ground-truth.json").read_bytes())
    return {name: row["articleBody"] for name, row in rows.items()}


def test_shingles_give_the_published_scores(outputs, gold_texts):
    gaps = {}
    for system, published in ZYTE_F1.items():
        answers = json.loads((outputs / f"zyte2026/{system}.json").read_bytes())
        texts = {name: answers[name].get("articleBody") or "" for name in gold_texts}
        counts = (shingle_counts(text, gold_texts[name]) for name, text in texts.items())
        gaps[system] = shingle_overlap(counts).f1 - published
    # Ten pages are not here, and words are case folded: no system is off by more than that.
    assert max(map(abs, gaps.values())) < 0.0125, gaps
    assert np.median(np.abs(list(gaps.values()))) < 0.003, gaps


@pytest.mark.parametrize("system", ["trafilatura", "web2text"])
def test_rouge_gives_the_published_scores(outputs, gold_texts, system):
    table = (outputs / f"{STUDY}/scores/rouge_{system}.csv").read_text(encoding="utf-8")
    published = {row["file"]: float(row["f1"]) for row in csv.DictReader(io.StringIO(table))}
    lines = (outputs / f"{STUDY}/{system}.jsonl").read_bytes().decode().split("\n")
    rows = [json.loads(line) for line in lines if line.strip()]
    gaps = [
        rouge_lsum(row["text"], gold_texts[name], str.split).f1 - published[row["file"]]
        for row in rows
        if (name := row["file"].removeprefix("html/").removesuffix(".html.gz")) in gold_texts
        and row["file"] in published
    ]
    assert len(gaps) > 150
    assert abs(np.mean(gaps)) < 0.001
    assert np.mean(np.abs(gaps) < 1e-6) > 0.75  # their gold of the others is split otherwise
