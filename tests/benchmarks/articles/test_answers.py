"""Views, answers and systems of the leaderboard of articles."""

import sys
from dataclasses import replace

import pytest

from benchmarks.articles import collection
from benchmarks.articles.answers import Answer, AnswerFile
from benchmarks.articles.html_text import text_of_html
from benchmarks.articles.systems import SYSTEMS, Runner, System, UnavailableError, system_version
from benchmarks.articles.views import VIEWS

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
def runner(tmp_path):
    script = tmp_path / "echo.py"
    script.write_text(ECHO, encoding="utf-8")
    runner = Runner((sys.executable, str(script)), limit=0.5)
    yield runner
    runner.close()


def test_the_bare_view_states_nothing_and_shows_the_same(river):
    bare = VIEWS["bare"](river)
    for trace in "<meta <link <script itemprop itemscope itemtype property datetime".split():
        assert trace in river
        assert trace not in bare
    for kept in ("<title>The river rose</title>", "<time>3 May</time>", 'class="byline"',
                 "By Ann Lee", "In the night the river rose.", 'lang="de-AT"'):  # fmt: skip
        assert kept in bare
    assert VIEWS["stated"](river) == river


def test_text_of_html_has_a_line_a_block():
    html = "<div>a <b>b</b>c<p>d\ne</p><ul><li>f</li></ul>g<br>h</div><script>i</script><!-- j -->"
    assert text_of_html(html) == "a bc\nd e\nf\ng\nh"
    assert text_of_html(" ") == ""


def test_answers_are_reused_for_same_pages_and_version(tmp_path, right):
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


def test_errors_of_a_system_in_a_process_are_counted(runner, river):
    answer = runner.ask("p0", river, "", "en")
    assert (answer.id, answer.title, answer.authors) == ("p0", "a b", ("Ann Lee", "Tom Rost"))
    assert (answer.date, answer.text, answer.ms) == ("2024-05-03", "One.\nTwo", 2.5)
    assert runner.ask("p1", "RAISE", "", "en").error == "ValueError: no page"


@pytest.mark.parametrize(("html", "error"), [("HANG", "TimeoutError"), ("DIE", "EOFError")])
def test_crash_or_hang_costs_one_answer(runner, html, error, river):
    assert runner.ask("p0", html, "", "en").error.startswith(error)
    assert runner.ask("p1", river, "", "en").error == ""


@pytest.mark.parametrize("side_by_side", [True, False])
def test_answers_are_collected_by_system_or_side_by_side(
    tmp_path, monkeypatch, article_pages, side_by_side
):
    asked = []

    class Fake:
        def __init__(self, system, limit, node_modules):
            self.name = system.name

        def ask(self, id, html, url, lang):
            asked.append((self.name, id))
            return Answer(id, title="A day")

        def close(self):
            asked.append((self.name, "closed"))

    monkeypatch.setattr(collection, "read_pages", lambda folder, name: article_pages[:2])
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
    answers = AnswerFile(tmp_path / "fundus" / "stated" / "goose3.jsonl").read()
    assert {id: answer.title for id, answer in answers.items()} == {"p0": "A day", "p1": "A day"}
    asked.clear()
    collection.collect(plan, lambda line: None)
    assert asked == []


def test_a_system_that_is_not_here_says_why(tmp_path):
    nowhere = System("peer", ("text",), "no-such-package-of-ours")
    with pytest.raises(UnavailableError, match="not installed"):
        system_version(nowhere, None)
    with pytest.raises(UnavailableError, match="separately"):
        system_version(SYSTEMS["ours-static"], None)
    with pytest.raises(UnavailableError, match=r"node"):
        system_version(SYSTEMS["defuddle"], tmp_path)
