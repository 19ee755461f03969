"""The tutorials done step by step as they say, and the messages of the page of questions."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from structce.cli import cli

DOCS = Path(__file__).parents[2] / "docs"
TUTORIALS = {
    "start.md": {"--sites 12 --pages 2": "--sites 3 --pages 1"},
    "tutorials/label-files.md": {"--sites 12 --pages 2": "--sites 3 --pages 1", " --workers 2": ""},
    "tutorials/own-pages.md": {
        "--sites 12 --pages 2": "--sites 6 --pages 1",
        "max-iterations=40": "max-iterations=5",
        "lambda=0.1 --out": "lambda=0.1 --set learner.linear-chain-crf.max_iterations=5 --out",
    },
    "tutorials/annotate.md": {
        "--sites 1 --pages 12": "--sites 1 --pages 8",
        "max-iterations=40": "max-iterations=5",
    },
    "tutorials/compare.md": {
        "--sites 18": "--sites 6",
        "lambda = [1.0, 0.1]": "lambda = 1.0\nmax_epochs = 2",
    },
    "tutorials/own-learner.md": {
        "--sites 12 --pages 2": "--sites 6 --pages 1",
        "lambda = 1.0": "lambda = 1.0\nmax_epochs = 2",
        "smoothing = [0.1, 1.0]": "smoothing = 1.0",
        "n_rounds = 40": "n_rounds = 4",
        "n_estimators=100": "n_estimators=5",
        "min_samples_leaf = [3, 1]": "min_samples_leaf = 3",
    },
}
"""Pages, and what makes their steps cheaper without leaving one out."""


COMMAND = r"^    (?P<command>(?:structce|python -m pytest) (?:[^\n\\]|\\\n)*)"
NAMED = r"`(?P<file>[\w./-]+)`:\n\n^```\w+\n(?P<text>.*?)^```"
PYTHON = r"^```python\n(?P<text>(?!>>>).*?)^```"


def steps(text, block=NAMED):
    """Yield what a reader does in order: files to write by their names, and commands to run."""
    for match in re.finditer(f"{block}|{COMMAND}", text, re.MULTILINE | re.DOTALL):
        if match["command"]:
            yield "", match["command"].replace("\\\n", " ")
        elif block == NAMED:
            yield match["file"], match["text"]
        else:
            yield ("test_" * ("\ndef test_" in match["text"])) + "my_credit.py", match["text"]


def follow(text, run):
    """Write the files and run the commands of a text, all of which must succeed."""
    for file, what in steps(text):
        if file:
            Path(file).write_text(what, encoding="utf-8")
            continue
        _, *arguments = shlex.split(what, comments=True)
        if arguments == ["doctor"]:
            continue  # what it finds is the machine's
        code, _, err = run(*arguments)
        assert code == 0, f"{what}: {err}"


def label_by_gold(session, _):
    """Do on the labelling page what a reader does: correct half of the pages, and accept them."""
    names = session.workspace.names
    for name in names[: len(names) // 2]:
        gold = json.loads(Path(f"demo/labels/{name}.json").read_text("utf-8"))
        page = session.workspace.page(name).page
        shown = session.state(name, "reader")["labels"]
        wanted = [gold.get(xpath, "None") for xpath in page.xpath]
        wrong = {i: label for i, label in enumerate(wanted) if label != shown[i]}
        session.act(name, "reader", "label", wrong, base=None, key="")
        session.act(name, "reader", "accept", {}, base=None, key="")


@pytest.fixture
def reader(monkeypatch):
    """Let `structce annotate` be used by a reader, in place of serving a browser for ever."""
    monkeypatch.setattr("structce.cli.annotate.build_app", lambda session, access: session)
    monkeypatch.setattr("structce.cli.annotate.serve", label_by_gold)


@pytest.mark.usefixtures("forgets_imports", "forgets_learners", "plain_reports", "reader")
@pytest.mark.parametrize("page", TUTORIALS)
def test_the_steps_of_a_tutorial_succeed_in_a_fresh_folder(run, tmp_path, monkeypatch, page):
    monkeypatch.chdir(tmp_path)
    Path("urls.txt").write_text("# sources\ndemo/pages/site00-1.html\n")
    text = (DOCS / page).read_text("utf-8")
    for dear, cheap in TUTORIALS[page].items():
        assert dear in text
        text = text.replace(dear, cheap)
    follow(text, run)
    left = {path.name for path in tmp_path.iterdir()}
    named = set(re.findall(r" (?:-o|--out) ([\w.-]+)", text))
    assert {name for name in named if f"structce label {name}" not in text} <= left


def test_the_messages_of_the_page_of_questions_are_the_real_ones(run, small, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = {"notes.txt": "Just words.", "empty.html": "", "page.html": "<p>Ferry</p>"}
    files |= {"rows.csv": "file,title\nnothere.html,Ferry\n", "taken/manifest.json": "{}"}
    for name, text in files.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    Path("small").symlink_to(small)
    page = (DOCS / "faq.md").read_text("utf-8")
    asked = re.findall(r"^    \$ structce (.*)\n((?:    .*\n)+)", page, re.MULTILINE)
    assert len(asked) > 7
    for command, message in asked:
        code, _, err = run(*shlex.split(command))
        assert code in (1, 2)
        assert " ".join(message.split()) in " ".join(err.split()), command


@pytest.mark.usefixtures("forgets_imports")
def test_the_steps_on_an_own_feature_succeed(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    printed = {}
    text = (DOCS / "extending.md").read_text("utf-8")
    for dear, cheap in (("--pages 2", "--pages 1"), ("max-iterations=40", "max-iterations=5")):
        assert text.count(dear) == 1
        text = text.replace(dear, cheap)
    for file, what in steps(text, PYTHON):
        program, *arguments = shlex.split(what) if not file else ("", "")
        if file:
            Path(file).write_text(what)
        elif program == "python":
            tested = subprocess.run([sys.executable, *arguments], capture_output=True, check=False)
            assert tested.returncode == 0, tested.stdout.decode()
        else:
            command = " ".join(arguments[:2]) if arguments[0] == "features" else arguments[0]
            code, printed[command], err = run(*arguments)
            assert code == 0, f"{what}: {err}"
    assert "columns: 1;" in printed["features try"]
    assert "text.my-credit " in printed["model"]
    assert re.search(r"^ *\d+ +True +\w+ +\w+: ", printed["features show"], re.MULTILINE)
    assert len(printed["label"].splitlines()) > 3


PAGES = sorted([DOCS.parent / "README.md", DOCS.parent / "CONTRIBUTING.md", *DOCS.rglob("*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_of_a_page_have_their_options(page):
    text = page.read_text("utf-8").replace("\\\n", " ")
    for line in re.findall(r"structce ([a-z][^`\n|>#]*)", text):
        command, words = cli, line.split("  ")[0].split()
        while isinstance(command, click.Group) and words:
            if words[0] not in command.commands:
                break  # the word structce in a sentence, or a group alone
            _, command, _ = command.resolve_command(click.Context(command), [words.pop(0)])
        known = {option for parameter in command.params for option in parameter.opts}
        known |= {option for parameter in command.params for option in parameter.secondary_opts}
        given = {word.rstrip(".,;:)") for word in words if re.match("--?[a-z]", word)}
        assert command is cli or given <= known | {"--help"}, line
