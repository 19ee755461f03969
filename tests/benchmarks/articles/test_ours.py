import json

from click.testing import CliRunner


def test_ours_answers_every_page_of_every_data_set_in_every_view(
    two_data_sets, small_recipe, tmp_path, few_bylines
):
    from benchmarks.articles.ours import main

    command = [str(two_data_sets), "--out", str(tmp_path / "out"), "--recipe", str(small_recipe)]
    command += ["--corpora", str(tmp_path / "corpora")]
    done = CliRunner().invoke(main, command, catch_exceptions=False)
    assert done.exit_code == 0
    pages = {"article-extraction-benchmark": 6, "htmldate": 4}
    for data_set, n_pages in pages.items():
        for view in ("stated", "bare"):
            file = tmp_path / "out" / data_set / view / "ours-static.jsonl"
            rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
            assert len({row["id"] for row in rows}) == len(rows) == n_pages
            assert all(row["title"] or row["text"] for row in rows)
    assert "| view | field |" in (tmp_path / "out" / "sureness-static.md").read_text()
