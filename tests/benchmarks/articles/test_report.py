"""Tables, plots and commands of the leaderboard of articles."""

from dataclasses import replace

import pytest
from click.testing import CliRunner

from benchmarks.articles import board, comparison, pages, report
from benchmarks.articles.__main__ import main
from benchmarks.articles.answers import AnswerFile
from benchmarks.articles.pages import fill, page_tables
from benchmarks.articles.scores import MEASURES, value_of
from benchmarks.articles.text_difference import NOT_FOUND, PageText, foreign_lines
from benchmarks.articles.worst import half_of, worst_pages, worst_table
from structce.errors import StructceError


def test_tables_show_values_intervals_and_the_best_in_bold(section, monkeypatch):
    assert report.summary([section]) == ""  # too few pages
    for module in (comparison, report):
        monkeypatch.setattr(module, "LEAST_PAGES", 1)
    head, _, *rows = report.summary([section]).splitlines()
    names = [cell.strip() for cell in head.split("|")[4:-1]]
    assert names == ["pages", "trafilatura", "goose3", "ours-static"]
    title = next(row for row in rows if "title" in row)
    assert [cell.strip() for cell in title.split("|")[4:-1]] == ["3", ".333", ".000", "**.667**"]
    cells = comparison.compare([section], "ours-static", seed=1)
    assert ".667 [.500, 1.000]" in report.cell_table(cells)
    assert "+.333 [+.000, +1.000]" in report.cell_table(cells)


def test_the_worst_pages_are_those_that_ours_loses(section):
    (row,) = worst_pages(section, "ours-static", MEASURES["date"], 20)
    assert (row["page"], row["trafilatura says"], row["gold"]) == ("p1", "2024-05-03", "2024-05-03")
    assert "- page: p1" in worst_table([row])
    assert worst_pages(section, "ours-static", MEASURES["date"], 20, against="goose3") == []
    other = {"even": "odd", "odd": "even"}[half_of("a.example")]
    assert not worst_pages(section, "ours-static", MEASURES["date"], 20, half=other)


def test_a_lost_text_is_told_by_its_lines_and_their_places(section, right):
    said = "By Ann Lee, 3 May\nIn the night the river rose."
    answers = {**section.answers, "ours-static": {"p1": replace(right, id="p1", text=said)}}
    (row,) = worst_pages(replace(section, answers=answers), "ours-static", MEASURES["text"], 20)
    assert row["gold, ours-static, trafilatura"] == "8 words / 11 words / 8 words"
    extra, lost = row["too much in ours-static"], row["missing in ours-static"]
    assert "5 words: By Ann Lee, 3 May @ p.byline" in extra
    assert "2 words, in trafilatura, too: It fell." in lost


def test_lines_are_foreign_by_their_runs_of_words():
    gold = "The river rose in the night and stood in the fields.\nIt fell."
    text = "The river rose in the night!\nIn the fields the river stood\nIt fell\n--\nNo"
    twice = "It fell.\nIt fell.\nIt rose by noon today"
    expected = {text: [("In the fields the river stood", 6), ("No", 1)], "": []}
    expected[twice] = [("It fell.", 2), ("It rose by noon today", 5)]
    for given, foreign in expected.items():
        assert [(line.text, line.n_words) for line in foreign_lines(given, gold)] == foreign
    html = "<div id=a class='b c d'><p><i>It <b>fell</b></i></p></div>"
    page = PageText.of(html, "https://a.example/")
    assert page.place("It fell") == "div#a.b.c > p > i"
    assert page.place("It rose") == NOT_FOUND


def test_plot_has_a_row_per_corpus_and_an_alternative_text(section, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    from benchmarks.articles import comparison, plots

    assert plots.plot_rows([section], "stated", "Title", seed=1) == []  # too few pages
    monkeypatch.setattr(plots, "_LEAST_PAGES", 1)
    monkeypatch.setattr(comparison, "LEAST_PAGES", 1)
    (row,) = plots.plot_rows([section], "stated", "Title", seed=1)
    assert row.values["ours-static"] == pytest.approx(2 / 3)
    assert row.intervals == {"ours-static": (0.5, 1.0)}
    (text,) = plots.plot_rows([section], "stated", "Text", seed=1)
    assert text.name == "c"
    old = replace(section.systems[0], system="old (published)", is_published=True)
    (both,) = plots.plot_rows([replace(section, systems=(old,))], "stated", "Title", seed=1)
    assert (both.values, both.best_published) == ({}, pytest.approx(1 / 3))
    said = plots.alternative_text(comparison.compare([section], "ours-static", seed=1))
    assert "pages as they are, ours against the best other system is" in said
    plots.save_plot([section, replace(section, view="bare")], tmp_path / "plot.svg", said, 1)
    drawn = (tmp_path / "plot.svg").read_text(encoding="utf-8")
    assert said in drawn
    assert "trafilatura" in drawn


def test_tables_are_written_between_the_marks_of_a_page(section, monkeypatch):
    monkeypatch.setattr(report, "LEAST_PAGES", 1)

    text = "# A\n<!-- begin systems -->\nold\n<!-- end systems -->\nMore.\n"
    tables = page_tables([section], [], "ours-static", seed=1)
    page = fill(text, tables)
    assert page.startswith("# A\n<!-- begin systems -->\n| corpus")
    assert page.endswith("<!-- end systems -->\nMore.\n")
    assert fill(page, tables) == page
    with pytest.raises(StructceError, match="'times'"):
        fill(text.replace("systems", "times"), tables)


def test_views_types_and_languages_have_tables_of_their_own(section, monkeypatch):
    monkeypatch.setattr(pages, "LEAST_PAGES", 1)
    bare = replace(section, view="bare", systems=section.systems[1:])
    rows = {row["measure"]: row for row in
            pages.view_rows([section], [bare], "ours-static", 1)}  # fmt: skip
    assert rows["title"]["as they are"] == rows["title"]["without metadata"] == ".667"
    assert rows["title"]["difference"] == "+.000 [+.000, +.000]"
    assert list(pages.type_rows(section, "ours-static")) == []
    own = section.of("ours-static")
    forum = replace(own.pages[0], page_type="forum")
    mixed = replace(section, systems=(replace(own, pages=(forum, *own.pages[1:])),))
    cells = [(row["page type"], row["pages"], row["ours"], row["best other"])
             for row in pages.type_rows(mixed, "ours-static")]  # fmt: skip
    assert cells == [("article", "2", ".500", "-"), ("forum", "1", "1.000", "-")]
    assert list(pages.language_rows([section], "ours-static", 1)) == []
    monkeypatch.setattr(pages, "FEW_PAGES", 1)
    (german,) = pages.language_rows([section, section], "ours-static", 1)
    assert (german["language"], german["pages"], german["sites"]) == ("de", "3", "2")
    assert german["title"].endswith("of 3")


def test_the_command_reads_answers_and_prints_a_table(tmp_path, monkeypatch, article_pages, right):
    monkeypatch.setattr(board, "read_pages", lambda folder, name: article_pages)
    monkeypatch.setattr(report, "LEAST_PAGES", 1)
    file = AnswerFile(tmp_path / "fundus" / "stated" / "trafilatura.jsonl")
    file.start("digest", "trafilatura 1")
    for page in article_pages[:2]:
        file.append(replace(right, id=page.id))
    command = ["table", str(tmp_path), "--out", str(tmp_path), "--corpus", "fundus"]
    assert "trafilatura" not in CliRunner().invoke(main, command, catch_exceptions=False).stdout
    file.append(replace(right, id="p2"))
    done = CliRunner().invoke(main, command, catch_exceptions=False)
    assert done.exit_code == 0
    assert done.stdout.count("1.000") >= 4


def test_answers_of_the_last_folder_count(tmp_path, monkeypatch, article_pages, right):
    monkeypatch.setattr(board, "read_pages", lambda folder, name: article_pages)
    for n, title in enumerate(("no", right.title)):
        file = AnswerFile(tmp_path / str(n) / "fundus" / "stated" / "trafilatura.jsonl")
        file.start("digest", "trafilatura 1")
        for page in article_pages:
            file.append(replace(right, id=page.id, title=title))
    outs = [tmp_path / "0", tmp_path / "1"]
    for order, value in ((outs, 1.0), (outs[::-1], 0.0), (outs[:1], 0.0)):
        asked = tmp_path, order, ("fundus",), ("stated",)
        (board_section,) = board.read_board(*asked, lambda line: None)
        scores = board_section.of("trafilatura").having("title")
        assert value_of(scores, MEASURES["title"]) == value
