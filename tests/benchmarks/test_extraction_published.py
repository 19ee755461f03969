"""Our measures on texts of the study of 2023, beside the scores that were published for them."""

import pytest

from benchmarks.extraction.published import (
    PageRow,
    SystemRows,
    agreement_table,
    score_page,
)
from benchmarks.extraction.study import (
    SETS,
    Published,
    open_outputs,
    published,
    study_pages,
    systems_of,
)
from structce.evaluation import levenshtein_ratio

SAMPLE = 6


def row(file: str, rouge: float, theirs: float | None) -> PageRow:
    scores = (rouge, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5)
    return PageRow(file, *scores, (1.0, 0.0, 0.0), theirs, None)


def test_pages_that_are_off_are_listed():
    rows = SystemRows("study", "readability", "bte", (row("a", 0.5, 0.504), row("b", 0.5, 0.51)))
    text = agreement_table([rows])
    assert "Off by more than 0.005: 1" in text
    assert "| readability | bte      | rouge   | b      |" in text


def test_all_scores_of_a_page_are_those_of_equal_texts():
    scores = score_page("a", Published("a b. c", 0.9, None), "a b. c", None)
    assert {scores.rouge, scores.levenshtein, scores.rouge5, scores.bag, scores.characters} == {1.0}
    assert scores.their_rouge == 0.9


@pytest.mark.parametrize("name", SETS)
def test_levenshtein_ratios_are_those_that_were_published(shared_data, name):
    if name != "article-extraction-benchmark":
        pytest.importorskip("resiliparse")  # the gold of the study is made by it
    data = shared_data("published-outputs.zip").parent
    pages, outputs = study_pages(data, name, 5 * SAMPLE), open_outputs(data)
    gaps = []
    for system in systems_of(outputs, name):
        texts = published(outputs, name, system)
        for file in sorted(texts.keys() & pages.keys())[:SAMPLE]:
            if texts[file].levenshtein is not None:
                ours = levenshtein_ratio(texts[file].text, pages[file].gold)
                gaps.append(abs(ours - texts[file].levenshtein))
    assert len(gaps) >= 10 * SAMPLE
    assert max(gaps) < 0.005
