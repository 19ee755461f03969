"""What a command imports before it works: modules are named here, not seconds."""

import json
import subprocess
import sys

import pytest

PAGE = (
    "<!doctype html><html lang=en><title>Ferry to stop</title><h1>Ferry to stop</h1>"
    "<p>By Ann Lee, 3 May 2026<p>The ferry will stop in June, and a bridge takes its place."
)

SCIPY = tuple(f"scipy.{room}" for room in ("linalg", "optimize", "sparse", "special", "stats"))
TRAINING = ("sklearn", "pandas", "joblib", "statsmodels", *SCIPY)
RIM = ("playwright", "matplotlib", "pycrfsuite", "ray", "pyarrow", "fastwarc")
UNUSED = tuple("httpx http asyncio psutil jinja2 tabulate tldextract difflib tomllib".split())
CALENDARS = ("babel", "dateparser", "dateutil", "pytz", "regex")
SOLVERS = tuple(f"structce.learners.solvers.{name}" for name in ("crfsuite", "frank_wolfe"))
FITTING = ("structce.learners.attribution", "structce.neural.training", *SOLVERS)
LATE = tuple("labelling.explanation rendering.chromium rendering.sources.warc".split())
ROOMS = ("corpus", "datasets", "experiments", "visualisation", "synthetic", "doctor")


def imported(code, *arguments):
    """Return the modules that are there when a fresh Python has run some code."""
    run = f"import json, sys\n{code}\nprint()\nprint(json.dumps(sorted(sys.modules)))"
    command = [sys.executable, "-W", "error", "-c", run, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


def unwanted(modules, names):
    return {module for module in modules for name in names if f"{module}.".startswith(f"{name}.")}


def test_the_command_line_itself_is_click_errors_and_messages():
    modules = imported("import structce.cli")
    assert "click" in modules
    assert not unwanted(modules, ("numpy", "scipy", "msgspec", "structce.rendering", *UNUSED))
    ours = {name for name in modules if name.startswith("structce.")}
    assert ours == set(
        """structce.addresses structce.cli structce.cli.messages
        structce.errors structce.lazy_import structce.patterns structce.requirements
        structce.version""".split()
    )


@pytest.mark.parametrize("workers", [1, 2])
def test_labelling_imports_neither_training_nor_browser(tmp_path, workers):
    page = tmp_path / "page.html"
    page.write_text(PAGE, encoding="utf-8")
    code = (
        "from structce.cli import main\n"
        "sys.argv[1:1] = ['label', '--renderer', 'static', '--workers']\n"
        "try:\n    main()\n"
        "except SystemExit as stop:\n    assert not stop.code"
    )
    modules = imported(code, workers, page)
    assert "structce.labelling.labeller" in modules
    rooms = tuple(f"structce.{room}" for room in (*ROOMS, *LATE))
    assert not unwanted(modules, (*TRAINING, *FITTING, *RIM, *UNUSED, *CALENDARS, *rooms))


def test_pages_are_labelled_and_extracted_without_any_extra(tmp_path):
    page = tmp_path / "page.html"
    page.write_text(PAGE, encoding="utf-8")
    code = (
        "from structce.requirements import EXTRAS\n"
        "sys.modules |= {name: None for _, names in EXTRAS.values() for name in names}\n"
        "import structce\n"
        "from structce.cli import main\n"
        "assert structce.label(sys.argv[1]).title\n"
        "file = sys.argv[2]\n"
        "for command in (['label', file], ['extract', file, '--method', 'bte']):\n"
        "    sys.argv[1:] = command\n"
        "    try:\n        main()\n"
        "    except SystemExit as stop:\n        assert not stop.code"
    )
    imported(code, PAGE, page)


def test_one_call_imports_neither_training_nor_browser():
    code = "import structce\nassert structce.label(sys.argv[1]).title"
    modules = imported(code, PAGE)
    rooms = tuple(f"structce.{room}" for room in ("corpus", *LATE))
    assert not unwanted(modules, (*TRAINING, *RIM, *UNUSED, *CALENDARS, *rooms))
    assert not unwanted(modules, ("tempfile", "random"))  # which worker processes need


def test_a_european_page_compiles_no_pattern_of_other_scripts():
    code = (
        "import structce\nassert structce.label(sys.argv[1]).authors\n"
        "from structce.bylines.tokens import _token_pattern as tokens\n"
        "from structce.language.text import _JOINED_LETTER, _ONLY_UNMARKED, _WIDE\n"
        "tokens(True, False), tokens(True, True)\n"
        "assert tokens.cache_info().currsize == 2\n"
        "methods = {'search', 'fullmatch', 'findall'}\n"
        "assert not any(methods & own.__dict__.keys()"
        " for own in (_JOINED_LETTER, _ONLY_UNMARKED, _WIDE))"
    )
    imported(code, PAGE.replace("bridge", "“bridge” – a new one –"))
