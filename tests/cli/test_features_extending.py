"""The page on features of one's own, done step by step as it says."""

import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from structce.cli.feature_trial import TRIAL_HEADERS

PAGE = Path(__file__).parents[2] / "docs" / "extending.md"
FASTER = {
    "--pages 2": "--pages 1",
    "--corpus small": "--corpus small --folds 2 --learner multiclass-svm",
    "max-iterations=40": "max-iterations=5",
}

Run = Callable[..., tuple[int, str, str]]


pytestmark = pytest.mark.usefixtures("forgets_imports")


def steps(text: str) -> Iterator[tuple[str, str]]:
    """Yield what a reader does in order: ``run`` a command, or ``write`` a block of Python."""
    block = r"^```python\n((?!>>>).*?)^```"
    command = r"^    ((?:structce|python -m pytest) (?:[^\n\\]|\\\n)*)"
    pattern = f"{block}|{command}"
    for match in re.finditer(pattern, text, re.MULTILINE | re.DOTALL):
        yield ("write", match[1]) if match[1] else ("run", match[2].replace("\\\n", " "))


def write(block: str) -> None:
    """Put a block where the page says: a file of its own, or two lines of the test."""
    if not block.startswith("HTML = "):
        Path("my_credit.py").write_text(block)
        return
    test = Path("test_my_credit.py")
    changed, n = re.subn(r"HTML = .*\nVALUES = .*\n", block.replace("\\", r"\\"), test.read_text())
    assert n == 1
    test.write_text(changed)


def test_the_steps_of_the_page_lead_from_an_idea_to_a_labelled_page(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    printed: dict[str, str] = {}
    text = PAGE.read_text("utf-8")
    for option, cheaper in FASTER.items():
        assert text.count(option) == 1
        text = text.replace(option, cheaper)
    done = list(steps(text))
    for kind, what in done:
        if kind == "write":
            write(what)
            continue
        program, *arguments = shlex.split(what)
        if program == "python":
            tested = subprocess.run([sys.executable, *arguments], capture_output=True, check=False)
            assert tested.returncode == 0, tested.stdout.decode()
            continue
        command = " ".join(arguments[:2]) if arguments[0] == "features" else arguments[0]
        code, printed[command], err = run(*arguments)
        assert code == 0, f"{what}: {err}"
    assert [kind for kind, _ in done].count("write") == 2
    assert list(printed) == [
        "corpus",
        "features new",
        "features show",
        "features try",
        "train",
        "label",
        "model",
    ]
    assert "columns: 1;" in printed["features try"]
    assert "text.my-credit " in printed["model"]
    assert re.search(r"^\d+ +yes +\w+ +\w+: ", printed["features show"], re.MULTILINE)
    assert len(printed["label"].splitlines()) > 3


def test_the_table_on_the_page_has_the_columns_that_are_printed() -> None:
    lines = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("    label ")]
    assert [re.split(r"  +", line.strip()) for line in lines] == [list(TRIAL_HEADERS[:-1])]
