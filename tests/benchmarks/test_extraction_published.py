"""Our measures on texts of the study of 2023, beside the scores that were published for them."""

import pytest

from benchmarks.extraction.study import SETS, open_outputs, published, study_pages, systems_of
from structce.evaluation import sequence_overlap

SAMPLE = 6


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
                ours = sequence_overlap(texts[file].text, pages[file].gold, str.split).f1
                gaps.append(abs(ours - texts[file].levenshtein))
    assert len(gaps) >= 10 * SAMPLE
    assert max(gaps) < 0.005
