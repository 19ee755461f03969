"""The site of the documentation, and its notebook."""

import ast
import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
NOTEBOOK = json.loads((DOCS / "notebook.ipynb").read_text(encoding="utf-8"))
EXTRA = ("sphinx", "furo", "myst_parser")


@pytest.mark.skipif(not all(map(find_spec, EXTRA)), reason="needs the extra docs")
def test_the_site_is_built_without_a_warning(tmp_path):
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    # Our own theme and curly quotes take longer, and warn of nothing else.
    command += ["-D", "html_theme=basic", "-D", "smartquotes=0"]
    done = subprocess.run(
        [*command, str(DOCS), str(tmp_path / "site")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    site = tmp_path / "site"
    assert 'id="structce.label"' in (site / "reference" / "structce.html").read_text("utf-8")
    assert "structce corpus import" in (site / "reference" / "commands.html").read_text("utf-8")
    assert 'class="notebook-output"' in (site / "notebook.html").read_text("utf-8")


def code_cells():
    return [cell for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]


def run_cell(source, names):
    """Run a cell; return the value of its last line, if that is an expression."""
    body = ast.parse(source).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "<cell>", "exec"), names)
    return last and eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)


def test_notebook_runs_with_stored_kinds_of_values(monkeypatch, capsys):
    pytest.importorskip("pandas")
    monkeypatch.chdir(DOCS)
    names = {}
    for cell in code_cells():
        value = run_cell("".join(cell["source"]), names)
        printed = capsys.readouterr().out
        kinds = [output["output_type"] for output in cell["outputs"]]
        assert kinds == ["stream"] * bool(printed) + ["execute_result"] * (value is not None)
        if value is not None:
            stored = cell["outputs"][-1]["data"]
            assert ("text/html" in stored) == hasattr(value, "_repr_html_")
    assert names["report"].rows("pairs")
