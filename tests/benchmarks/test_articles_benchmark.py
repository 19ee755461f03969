import json
import sys
from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from click.testing import CliRunner

from structce.datasets import GoldPage
from structce.gold import Gold

PAGE = """<!DOCTYPE html><html lang="de-AT"><head><title>The river rose</title>
<meta name="author" content="Ann Lee"><link rel="canonical" href="https://a.example/">
<script type="application/ld+json">{"headline": "The river rose"}</script></head>
<body itemscope itemtype="https://schema.org/Article"><h1 itemprop="headline">The river rose</h1>
<p class="byline" property="author">By Ann Lee, <time datetime="2024-05-03">3 May</time></p>
<p>In the night the river rose.<meta itemprop="wordCount" content="6"></p><p>It fell.</p></body>
</html>"""

ECHO = """
import json, os, sys, time
for line in sys.stdin:
    request = json.loads(line)
    if "HANG" in request["html"]:
        while True:
            pass
    if "DIE" in request["html"]:
        os._exit(1)
    if "RAISE" in request["html"]:
        print(json.dumps({"error": "ValueError: no page", "ms": 1.5}), flush=True)
        continue
    print(json.dumps({"title": " a \\n b ", "byline": "By Ann Lee and Tom Rost",
                      "date": "2024-05-03T23:00:00-05:00", "html": "<p>One.</p><p>Two</p>",
                      "ms": 2.5}), flush=True)
"""


@pytest.fixture
def gold():
    body = (("Paragraph", "In the night the river rose."), ("Paragraph", "It fell."))
    return Gold(title="The river rose", authors=("Ann Lee",), date=date(2024, 5, 3), body=body)


@pytest.fixture
def pages(gold):
    """Three pages of two sites; the last has no author."""
    from benchmarks.articles.corpora import ArticlePage

    found = []
    for n, (site, own) in enumerate(
        [("a.example", gold), ("a.example", gold), ("b.example", replace(gold, authors=()))]
    ):
        page = GoldPage(f"p{n}", site, site, f"https://{site}/{n}", PAGE.encode(), own)
        found.append(ArticlePage(page, PAGE, "de"))
    return found


@pytest.fixture
def right(gold):
    from benchmarks.articles.answers import Answer

    return Answer("p0", gold.title, gold.authors, "2024-05-03", gold.text, ms=4.0)


@pytest.fixture
def runner(tmp_path):
    from benchmarks.articles.systems import Runner

    script = tmp_path / "echo.py"
    script.write_text(ECHO, encoding="utf-8")
    runner = Runner((sys.executable, str(script)), limit=0.5)
    yield runner
    runner.close()


def test_the_bare_view_states_nothing_and_shows_the_same():
    from benchmarks.articles.views import VIEWS

    bare = VIEWS["bare"](PAGE)
    for trace in (
        "<meta",
        "<link",
        "<script",
        "itemprop",
        "itemscope",
        "itemtype",
        "property",
        "datetime",
    ):
        assert trace in PAGE
        assert trace not in bare
    for kept in ("<title>The river rose</title>", "<time>3 May</time>", 'class="byline"',
                 "By Ann Lee", "In the night the river rose.", 'lang="de-AT"'):  # fmt: skip
        assert kept in bare
    assert VIEWS["stated"](PAGE) == PAGE


def test_the_unstructured_view_keeps_meta_elements_alone():
    from benchmarks.articles.views import VIEWS, view_digest

    html = PAGE.replace("<link", '<meta property="og:title" content="A day"><link')
    found = VIEWS["unstructured"](html)
    for trace in ("ld+json", "itemprop", "itemscope", "itemtype", 'property="author"'):
        assert trace in html
        assert trace not in found
    for kept in ('property="og:title"', 'name="author"', 'datetime="2024-05-03"', "<link"):
        assert kept in found
    assert view_digest("stated") == ""
    assert view_digest("bare")


def test_text_of_html_has_a_line_a_block():
    from benchmarks.articles.html_text import text_of_html

    html = "<div>a <b>b</b>c<p>d\ne</p><ul><li>f</li></ul>g<br>h</div><script>i</script><!-- j -->"
    assert text_of_html(html) == "a bc\nd e\nf\ng\nh"
    assert text_of_html(" ") == ""


def test_answers_are_used_again_while_pages_and_version_are_the_same(tmp_path, right):
    from benchmarks.articles.answers import AnswerFile

    file = AnswerFile(tmp_path / "set" / "stated" / "peer.jsonl")
    assert file.start("digest", "peer 1") == {}
    file.append(right)
    file.append(replace(right, id="p1", ms=float("nan"), text="a\u2028b"))
    known = file.start("digest", "peer 1")
    assert known["p0"] == right
    assert known["p1"].text == "a\u2028b"
    assert known["p1"].ms != known["p1"].ms
    assert file.start("digest", "peer 2") == {}
    file.append(right)
    assert file.start("another", "peer 2") == {}


def test_a_line_that_was_cut_off_is_asked_again(tmp_path, right):
    from benchmarks.articles.answers import AnswerFile

    file = AnswerFile(tmp_path / "peer.jsonl")
    file.start("digest", "peer 1")
    file.append(right)
    with file.path.open("a") as stream:
        stream.write('{"id": "p1", "tit')
    assert set(file.start("digest", "peer 1")) == {"p0"}
    file.append(replace(right, id="p1"))
    assert set(file.read()) == {"p0", "p1"}


def test_answers_made_elsewhere_are_taken_as_they_are(tmp_path):
    from benchmarks.articles.answers import AnswerFile

    file = AnswerFile(tmp_path / "ours-static.jsonl")
    assert file.is_own
    row = {"id": "p0", "title": None, "authors": ["Ann Lee"], "text": "It fell."}
    file.path.write_text(json.dumps(row) + "\n")
    assert not file.is_own
    answer = file.read()["p0"]
    assert (answer.title, answer.authors, answer.date) == ("", ("Ann Lee",), "")


def test_a_system_in_a_process_answers_and_its_errors_are_counted(runner):
    answer = runner.ask("p0", PAGE, "", "en")
    assert (answer.id, answer.title, answer.authors) == ("p0", "a b", ("Ann Lee", "Tom Rost"))
    assert (answer.date, answer.text, answer.ms) == ("2024-05-03", "One.\nTwo", 2.5)
    assert runner.ask("p1", "RAISE", "", "en").error == "ValueError: no page"


@pytest.mark.parametrize(("html", "error"), [("HANG", "TimeoutError"), ("DIE", "EOFError")])
def test_a_page_that_hangs_or_kills_a_system_costs_its_own_answer_alone(runner, html, error):
    assert runner.ask("p0", html, "", "en").error.startswith(error)
    assert runner.ask("p1", PAGE, "", "en").error == ""


@pytest.mark.parametrize("side_by_side", [True, False])
def test_answers_are_collected_by_system_or_side_by_side(
    tmp_path, monkeypatch, pages, side_by_side
):
    from benchmarks.articles import collection
    from benchmarks.articles.answers import Answer, AnswerFile

    asked = []

    class Fake:
        def __init__(self, system, limit, node_modules):
            self.name = system.name

        def ask(self, id, html, url, lang):
            asked.append((self.name, id))
            return Answer(id, title="A day")

        def close(self):
            asked.append((self.name, "closed"))

    monkeypatch.setattr(collection, "read_pages", lambda folder, name: pages[:2])
    monkeypatch.setattr(collection, "system_version", lambda system, folder: "1")
    monkeypatch.setattr(collection, "start_runner", Fake)
    plan = collection.Plan(
        tmp_path, tmp_path, ("fundus",), ("stated",), ("goose3", "justext"), 1.0,
        side_by_side=side_by_side,
    )  # fmt: skip
    collection.collect(plan, lambda line: None)
    goose, justext = ([(name, id) for id in ("p0", "p1")] for name in ("goose3", "justext"))
    closed = [("goose3", "closed"), ("justext", "closed")]
    together = [goose[0], justext[0], goose[1], justext[1], *closed]
    assert asked == (together if side_by_side else [*goose, closed[0], *justext, closed[1]])
    found = AnswerFile(tmp_path / "fundus" / "stated" / "goose3.jsonl").read()
    assert {id: answer.title for id, answer in found.items()} == {"p0": "A day", "p1": "A day"}
    asked.clear()
    collection.collect(plan, lambda line: None)
    assert asked == []


def test_days_are_as_written_and_scraps_are_none():
    from benchmarks.articles.systems import as_day

    assert as_day("2024-05-03T23:30:00-05:00") == "2024-05-03"
    assert as_day("Fri, 3 May 2024 10:00:00 GMT") == "2024-05-03"
    assert [as_day(text) for text in ("", None, "May 2024", "yesterday", "no day")] == [""] * 5


def test_a_system_that_is_not_here_says_why(tmp_path):
    from benchmarks.articles.systems import SYSTEMS, System, UnavailableError, system_version

    nowhere = System("peer", ("text",), "no-such-package-of-ours")
    with pytest.raises(UnavailableError, match="not installed"):
        system_version(nowhere, None)
    with pytest.raises(UnavailableError, match="elsewhere"):
        system_version(SYSTEMS["ours-static"], None)
    with pytest.raises(UnavailableError, match=r"node"):
        system_version(SYSTEMS["defuddle"], tmp_path)


def test_a_right_answer_scores_one_and_none_scores_zero(pages, right):
    from benchmarks.articles.answers import Answer
    from benchmarks.articles.scores import MEASURES, score_page, value_of
    from benchmarks.articles.systems import ALL_FIELDS

    names = {"title", "authors", "date", "text", "precision", "recall", "rouge", "shingles"}
    best, worst = (
        score_page(pages[0], answer, ALL_FIELDS) for answer in (right, Answer("p0", error="none"))
    )
    assert set(best.rows) == set(worst.rows) == names
    assert {value_of([best], MEASURES[name]) for name in names} == {1.0}
    assert {value_of([worst], MEASURES[name]) for name in names} == {0.0}
    assert set(score_page(pages[0], right, ("date",)).rows) == {"date"}


def test_headings_may_be_in_the_text_or_not(pages, right):
    from benchmarks.articles.corpora import ArticlePage
    from benchmarks.articles.scores import score_page

    gold = replace(pages[0].gold_page.gold, body=(("Subtitle", "Later"), ("Paragraph", "It fell.")))
    page = ArticlePage(replace(pages[0].gold_page, gold=gold), PAGE, "de")
    for text in ("Later\nIt fell.", "It fell."):
        rows = score_page(page, replace(right, text=text), ("text",)).rows
        assert rows["text"] == rows["rouge"] == (1, 1)
    assert score_page(page, replace(right, text="Later"), ("text",)).rows["text"][0] < 1


def test_an_author_of_a_page_without_one_is_invented_where_the_corpus_says_so(pages, right):
    from benchmarks.articles.corpora import ArticleCorpus
    from benchmarks.articles.scores import score_page, within

    score = score_page(pages[2], right, ("authors",))
    assert score.rows == {"invented": (1, 1)}
    assert score_page(pages[2], replace(right, authors=()), ("authors",)).rows["invented"][0] == 0
    silent = ArticleCorpus("c", "c", ("authors",))
    assert within(score, silent).rows == {}
    assert within(score, replace(silent, empty_means_no_author=True)).rows == score.rows


def test_scores_are_computed_again_only_if_an_answer_or_the_gold_changed(
    tmp_path, monkeypatch, pages, right
):
    from benchmarks.articles import score_memory

    memory, asked = score_memory.ScoreMemory(tmp_path), []
    compute = score_memory.score_page
    monkeypatch.setattr(
        score_memory,
        "score_page",
        lambda page, *rest: asked.append(page.id) or compute(page, *rest),
    )
    answers = [replace(right, id=page.id) for page in pages]
    first = memory.scores("peer", pages, answers, ("title", "authors"))
    assert memory.scores("peer", pages, answers, ("title", "authors")) == first
    assert len(asked) == 3
    slower = [replace(answer, ms=9.0) for answer in answers]
    assert {s.ms for s in memory.scores("peer", pages, slower, ("title", "authors"))} == {9.0}
    assert len(asked) == 3
    other = [replace(right, title="no"), *answers[1:]]
    assert memory.scores("peer", pages, other, ("title", "authors"))[0].rows["title"] == (0, 1)
    assert len(asked) == 6
    memory.scores("peer", pages[:2], other[:2], ("title", "authors"))
    assert len(asked) == 8


def scored(pages, name, answers, corpus):
    from benchmarks.articles.scores import SystemScores, score_page, within
    from benchmarks.articles.systems import ALL_FIELDS

    found = tuple(
        within(score_page(page, answer, ALL_FIELDS), corpus)
        for page, answer in zip(pages, answers, strict=True)
    )
    return SystemScores(name, found)


@pytest.fixture
def section(pages, right):
    """Ours is right but on the second page, trafilatura on it alone, goose3 nowhere."""
    from benchmarks.articles.board import Section
    from benchmarks.articles.corpora import ArticleCorpus

    corpus = ArticleCorpus("c", "c", ("title", "authors", "date", "text"), note="a note")
    wrong = replace(right, title="no", authors=("No One",), date="", text="nothing", ms=6.0)
    rows = {
        "trafilatura": (wrong, right, wrong),
        "goose3": (wrong, wrong, wrong),
        "ours-static": (right, wrong, right),
    }
    answers = {
        name: {p.id: replace(a, id=p.id) for p, a in zip(pages, row, strict=True)}
        for name, row in rows.items()
    }
    systems = [scored(pages, name, own.values(), corpus) for name, own in answers.items()]
    return Section(corpus, "stated", tuple(pages), tuple(systems), {"x": "not here"}, answers)


def test_ours_is_compared_with_the_best_of_the_others_cell_by_cell(section, monkeypatch):
    from benchmarks.articles import comparison

    monkeypatch.setattr(comparison, "LEAST_PAGES", 1)
    (title,) = comparison.compare([section], "ours-static", seed=1, measures=("title",))
    assert (title.other, title.n_sites, title.difference.n_pages) == ("trafilatura", 2, 3)
    assert (title.value, title.other_value) == (pytest.approx(2 / 3), pytest.approx(1 / 3))
    # Site a is a tie, site b is won: draws of the two sites differ by 0 (a, a) to 1 (b, b).
    assert title.difference.interval == (0.0, 1.0)
    (other,) = comparison.compare(
        [section], "ours-static", seed=1, against="goose3", measures=("title",)
    )
    assert (other.other, other.other_value) == ("goose3", 0)
    monkeypatch.setattr(comparison, "LEAST_PAGES", 4)
    assert comparison.compare([section], "ours-static", seed=1) == []


def system_of(values, name="s"):
    """Scores of one page a site, by whether its title is right."""
    from benchmarks.articles.scores import PageScore, SystemScores

    return SystemScores(name, tuple(
        PageScore(f"p{n}", f"{n // 2}.example", "article", "en", 1.0, "", {"title": (float(v), 1)})
        for n, v in enumerate(values)
    ))  # fmt: skip


def test_p_values_are_of_sites_and_corrected_for_all_cells(section):
    from benchmarks.articles.comparison import compare, site_p_value
    from benchmarks.articles.scores import MEASURES
    from structce.evaluation.significance import wilcoxon

    ours, other = system_of([1] * 20), system_of([0] * 14 + [1] * 6, "trafilatura")
    mine, theirs = ours.having("title"), other.having("title")
    by_hand = wilcoxon(np.ones(10), np.array([0.0] * 7 + [1.0] * 3))
    found = site_p_value(mine, theirs, MEASURES["title"])
    assert found == pytest.approx(by_hand)
    assert site_p_value(mine[:4], theirs, MEASURES["title"]) > by_hand  # two sites
    one = replace(section, systems=(replace(ours, system="ours-static"), other))
    (alone,) = compare([one], "ours-static", seed=1)
    both = compare([one, one], "ours-static", seed=1)
    assert alone.p_value == pytest.approx(by_hand)
    assert [cell.p_value for cell in both] == pytest.approx([2 * by_hand] * 2)
    assert alone.verdict == "ahead"


@pytest.mark.parametrize(
    ("name", "value", "interval", "p_value", "verdict"),
    [
        ("title", 0.1, (0.02, 0.2), 0.01, "ahead"),
        ("title", 0.1, (0.02, 0.2), 0.2, "level"),
        ("title", 0.1, (-0.02, 0.2), 0.01, "level"),
        ("title", -0.1, (-0.2, -0.02), 0.2, "behind"),
        ("title", -0.1, (-0.2, 0.02), 0.01, "behind"),
        ("title", -0.1, (-0.2, 0.02), 0.2, "level"),
        ("invented", -0.1, (-0.2, -0.02), 0.01, "ahead"),
        ("invented", 0.1, (0.02, 0.2), 0.2, "behind"),
        ("title", 0.1, None, 0.01, "level"),
    ],
)
def test_ahead_needs_test_and_interval_behind_one_of_them(name, value, interval, p_value, verdict):
    from benchmarks.articles.comparison import Cell
    from benchmarks.articles.scores import MEASURES, Difference

    difference = Difference(value, interval, 20)
    cell = Cell("c", "stated", MEASURES[name], 9, 0.5, None, "o", 0.4, difference, p_value)
    assert cell.verdict == verdict


def test_the_table_shows_values_intervals_differences_and_what_is_left_out(section, monkeypatch):
    from benchmarks.articles import comparison
    from benchmarks.articles.report import markdown

    monkeypatch.setattr(comparison, "LEAST_PAGES", 1)
    cells = comparison.compare([section], "ours-static", seed=1)
    text = markdown([section], cells, seed=1)
    assert "## c, stated (a note)" in text
    assert "3 pages of 2 sites" in text
    row = next(line for line in text.splitlines() if line.startswith("| ours-static"))
    assert ".667 [.500, 1.000]" in row
    assert "+.333 [+.000, +1.000]" in text
    assert "x: not here" in text


def test_the_summary_has_a_column_a_system_and_the_best_in_bold(section, monkeypatch):
    from benchmarks.articles import report

    assert report.summary([section]) == ""  # too few pages
    monkeypatch.setattr(report, "LEAST_PAGES", 1)
    head, _, *rows = report.summary([section]).splitlines()
    assert [cell.strip() for cell in head.split("|")[4:-1]] == [
        "pages", "trafilatura", "goose3", "ours-static",
    ]  # fmt: skip
    title = next(row for row in rows if "title" in row)
    assert [cell.strip() for cell in title.split("|")[4:-1]] == ["3", ".333", ".000", "**.667**"]


def test_figures_are_plain_json(section, monkeypatch):
    from benchmarks.articles import comparison
    from benchmarks.articles.report import figures
    from structce.io import encode_json

    monkeypatch.setattr(comparison, "LEAST_PAGES", 1)
    cells = comparison.compare([section], "ours-static", seed=1)
    (found,) = json.loads(encode_json(figures([section], cells, seed=1)))
    assert found["systems"]["trafilatura"]["measures"]["title"]["value"] == pytest.approx(1 / 3)
    assert found["systems"]["trafilatura"]["ms"] == {"mean": pytest.approx(16 / 3), "median": 6}
    assert found["ours against the other"]["title"]["system"] == "trafilatura"


def test_the_worst_pages_are_those_that_ours_loses(section):
    from benchmarks.articles.scores import MEASURES
    from benchmarks.articles.worst import half_of, worst_pages, worst_table

    (row,) = worst_pages(section, "ours-static", MEASURES["date"], 20)
    assert (row["page"], row["trafilatura says"], row["gold"]) == ("p1", "2024-05-03", "2024-05-03")
    assert "- page: p1" in worst_table([row])
    assert worst_pages(section, "ours-static", MEASURES["date"], 20, against="goose3") == []
    other = {"even": "odd", "odd": "even"}[half_of("a.example")]
    assert not worst_pages(section, "ours-static", MEASURES["date"], 20, half=other)


def test_a_lost_text_is_told_by_its_lines_and_their_places(section, right):
    from benchmarks.articles.scores import MEASURES
    from benchmarks.articles.worst import worst_pages

    said = "By Ann Lee, 3 May\nIn the night the river rose."
    answers = {**section.answers, "ours-static": {"p1": replace(right, id="p1", text=said)}}
    (row,) = worst_pages(replace(section, answers=answers), "ours-static", MEASURES["text"], 20)
    assert row["gold, ours-static, trafilatura"] == "8 words / 11 words / 8 words"
    extra, lost = row["too much in ours-static"], row["missing in ours-static"]
    assert "5 words: By Ann Lee, 3 May @ p.byline" in extra
    assert "2 words, in trafilatura, too: It fell." in lost


def test_lines_are_foreign_by_their_runs_of_words():
    from benchmarks.articles.text_difference import NOT_FOUND, PageText, foreign_lines

    gold = "The river rose in the night and stood in the fields.\nIt fell."
    text = "The river rose in the night!\nIn the fields the river stood\nIt fell\n--\nNo"
    found = [(line.text, line.n_words) for line in foreign_lines(text, gold)]
    assert found == [("In the fields the river stood", 6), ("No", 1)]
    assert foreign_lines("", gold) == []
    twice = foreign_lines("It fell.\nIt fell.\nIt rose by noon today", gold)
    assert [(line.text, line.n_words) for line in twice] == [
        ("It fell.", 2), ("It rose by noon today", 5),
    ]  # fmt: skip
    html = "<div id=a class='b c d'><p><i>It <b>fell</b></i></p></div>"
    page = PageText.of(html, "https://a.example/")
    assert page.place("It fell") == "div#a.b.c > p > i"
    assert page.place("It rose") == NOT_FOUND


def test_the_plot_has_a_point_for_each_system_that_answered_all(section, tmp_path):
    pytest.importorskip("matplotlib")
    from benchmarks.articles.plots import accuracy_and_time, save_time_plot

    points = accuracy_and_time([section], "title", "stated")
    assert points["ours-static"] == (pytest.approx(14 / 3), pytest.approx(2 / 3))
    short = replace(section, systems=section.systems[:1])
    assert set(accuracy_and_time([section, short], "title", "stated")) == {"trafilatura"}
    published = replace(section.systems[0], system="old (published)", is_published=True)
    alone = replace(section, systems=(published,))
    assert accuracy_and_time([section, alone], "title", "stated") == points
    save_time_plot([section], tmp_path / "plot.svg")
    assert "ours-static" in (tmp_path / "plot.svg").read_text(encoding="utf-8")


def test_the_plot_of_cells_has_a_row_a_corpus_and_a_sentence_for_those_who_do_not_see_it(
    section, tmp_path, monkeypatch
):
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
    from benchmarks.articles import report
    from benchmarks.articles.pages import fill, page_tables
    from structce.errors import StructceError

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
    from benchmarks.articles import pages

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
    found = [(row["page type"], row["pages"], row["ours"], row["best other"])
             for row in pages.type_rows(mixed, "ours-static")]  # fmt: skip
    assert found == [("article", "2", ".500", "-"), ("forum", "1", "1.000", "-")]
    assert list(pages.language_rows([section], "ours-static", 1)) == []
    monkeypatch.setattr(pages, "FEW_PAGES", 1)
    (german,) = pages.language_rows([section, section], "ours-static", 1)
    assert (german["language"], german["pages"], german["sites"]) == ("de", "3", "2")
    assert german["title"].endswith("of 3")


def test_times_are_of_pages_with_a_known_time(section):
    from benchmarks.articles.pages import time_rows

    rows = {row["system"]: row for row in time_rows([section, section])}
    assert rows["trafilatura"]["mean, ms"] == "5.3"
    assert rows["trafilatura"]["pages"] == "6"
    assert rows["ours-static"]["failures"] == "0"


def test_published_outputs_are_rows_of_their_own(tmp_path):
    from benchmarks.articles.published import published_answers

    zyte = tmp_path / "published-outputs.zip" / "zyte2026"  # a folder will do for an archive
    study = tmp_path / "published-outputs.zip" / "sigir2023" / "article-extraction-benchmark"
    zyte.mkdir(parents=True)
    study.mkdir(parents=True)
    (zyte / "AutoExtract.json").write_text('{"p0": {"articleBody": "It fell."}}')
    (zyte / "trafilatura.json").write_text('{"p0": {"articleBody": "ours runs it"}}')
    row = {"file": "html/p1.html.gz", "text": "It rose."}
    (study / "web2text.jsonl").write_text(json.dumps(row) + "\n")
    found = published_answers(tmp_path, "article-extraction-benchmark")
    assert {name: set(own) for name, own in found.items()} == {
        "AutoExtract (published)": {"p0"},
        "web2text (published)": {"p1"},
    }
    assert published_answers(tmp_path / "nowhere", "dragnet") == {}


def test_the_command_reads_answers_and_prints_a_table(tmp_path, monkeypatch, pages, right):
    from benchmarks.articles import board
    from benchmarks.articles.__main__ import main
    from benchmarks.articles.answers import AnswerFile

    monkeypatch.setattr(board, "read_pages", lambda folder, name: pages)
    file = AnswerFile(tmp_path / "fundus" / "stated" / "trafilatura.jsonl")
    file.start("digest", "trafilatura 1")
    for page in pages[:2]:
        file.append(replace(right, id=page.id))
    command = ["table", str(tmp_path), "--out", str(tmp_path), "--corpus", "fundus"]
    assert "trafilatura" not in CliRunner().invoke(main, command, catch_exceptions=False).stdout
    file.append(replace(right, id="p2"))
    done = CliRunner().invoke(main, command, catch_exceptions=False)
    assert done.exit_code == 0
    row = next(line for line in done.stdout.splitlines() if line.startswith("| trafilatura"))
    assert row.count("1.000") >= 4


def test_answers_of_the_last_folder_count(tmp_path, monkeypatch, pages, right):
    from benchmarks.articles import board
    from benchmarks.articles.answers import AnswerFile
    from benchmarks.articles.scores import MEASURES, value_of

    monkeypatch.setattr(board, "read_pages", lambda folder, name: pages)
    for n, title in enumerate(("no", right.title)):
        file = AnswerFile(tmp_path / str(n) / "fundus" / "stated" / "trafilatura.jsonl")
        file.start("digest", "trafilatura 1")
        for page in pages:
            file.append(replace(right, id=page.id, title=title))
    outs = [tmp_path / "0", tmp_path / "1"]
    for order, value in ((outs, 1.0), (outs[::-1], 0.0), (outs[:1], 0.0)):
        (one,) = board.read_board(tmp_path, order, ("fundus",), ("stated",), lambda line: None)
        scores = one.of("trafilatura").having("title")
        assert value_of(scores, MEASURES["title"]) == value
