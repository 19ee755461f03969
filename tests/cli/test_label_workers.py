"""``structce label --workers``: the same records in the same order."""

import json
from collections.abc import Callable
from pathlib import Path

from structce.synthetic.generate import sample_pages

Run = Callable[..., tuple[int, str, str]]


def test_records_are_alike_with_any_number_of_workers(run: Run, tmp_path: Path) -> None:
    for i, page in enumerate(sample_pages(3, 1, seed=1)):
        (tmp_path / f"{i}.html").write_text(page.html, encoding="utf-8")
    (tmp_path / "1b.html").write_bytes(b"\x89PNG")
    code, alone, _ = run("label", tmp_path, "--renderer", "static")
    again, out, _ = run("label", tmp_path, "--renderer", "static", "--workers", "2")
    assert (again, code) == (1, 1)
    records, others = ([json.loads(line) for line in text.splitlines()] for text in (out, alone))
    names = [Path(record["source"]).name for record in records]
    assert names == ["0.html", "1.html", "1b.html", "2.html"]
    assert records == others
