"""Tables of a benchmark: what is written, read and written again stays the same."""

import numpy as np

from structce.evaluation import FOUR, Overlap
from structce.extraction.benchmark import DocumentRow
from structce.extraction.result_table import ResultFile


def random_rows(n_rows: int) -> list[DocumentRow]:
    random = np.random.default_rng(3)
    return [
        DocumentRow(
            "quay",
            "plain",
            f"page-{n}",
            f"{n:016x}",
            int(random.integers(1, 10**6)),
            float(random.random() * 10.0 ** random.integers(-6, 3)),
            {name: Overlap(*random.random(2).tolist()) for name in FOUR},
            "",
        )
        for n in range(n_rows)
    ]


def test_a_table_that_is_completed_again_stays_as_it_is(tmp_path):
    path, rows = tmp_path / "results.tsv", random_rows(400)
    with ResultFile(path) as file:
        for row in rows:
            file.add(row)
    file.finish(rows)
    first = path.read_text()
    again = ResultFile(path)
    assert len(again.known) == len(rows)
    again.finish(list(again.known.values()))
    assert path.read_text() == first


def test_rows_written_one_by_one_are_those_of_the_whole_table(tmp_path):
    path, rows = tmp_path / "results.tsv", random_rows(400)
    with ResultFile(path) as file:
        for row in rows:
            file.add(row)
    interrupted = path.read_text()
    file.finish(rows)
    assert path.read_text().startswith(interrupted)
