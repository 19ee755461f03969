"""The command line as a whole: help, completion, imports of features, and the doctor."""

import json
import os
import re
import subprocess
import sys

import click
import pytest
from click.shell_completion import BashComplete

from structce.cli import ENTRY_POINT_GROUP, cli
from structce.features import registry

pytestmark = pytest.mark.usefixtures("forgets_imports")


def commands(group, name=""):
    """Return the names of all commands below a group."""
    context, names = click.Context(group), []
    for word in group.list_commands(context):
        _, command, _ = group.resolve_command(context, [word])
        below = commands(command, f"{name}{word} ") if isinstance(command, click.Group) else []
        names += below or [f"{name}{word}"]
    return names


COMMANDS = commands(cli)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example_and_the_option_for_imports(run, command):
    code, out, _ = run(*command.split(), "--help")
    assert code == 0
    words = " ".join(out.split("Example")[-1].split())
    assert f"structce {command}" in words
    assert out.count("--import FILE.py|MODULE") == 1


def program(code, **variables):
    """Run the command line in a fresh Python after some code."""
    start = "\nfrom structce.cli import main\ntry: main()\nexcept SystemExit as stop: pass\n"
    modules = "print('modules:', *sys.modules)"
    command = [sys.executable, "-c", f"import sys\n{code}{start}{modules}"]
    environment = {**os.environ, **variables}
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment)


@pytest.mark.parametrize("typed", ["", "la", "--help"])
def test_help_and_completion_import_no_command(typed):
    asked = {"_STRUCTCE_COMPLETE": "bash_complete", "COMP_WORDS": f"structce {typed}"}
    asked = {} if typed == "--help" else {**asked, "COMP_CWORD": "1"}
    done = program(f"sys.argv = ['structce', {typed!r}]", **asked)
    offered, _, modules = done.stdout.partition("modules:")
    assert not {"numpy", "structce.cli.label", "structce.rendering"} & set(modules.split())
    if asked:
        names = [line.partition(",")[2] for line in offered.splitlines()]
        assert names == [name for name in cli.commands if name.startswith(typed)]


@pytest.mark.parametrize("words", ["site learn x", "train x --learner y -h"])
def test_a_command_without_its_packages_names_the_extra(words):
    done = program(f"sys.modules['lxml'] = None; sys.argv = ['structce', *{words.split()!r}]")
    assert f"error: {words.split()[0]} needs lxml: pip install" in done.stderr


@pytest.mark.parametrize(
    ("before", "typed", "offered"),
    [("label", "--fo", "--format"), ("corpus", "im", "import"), ("label --format", "j", "jsonl")],
)
def test_a_shell_completes_options_subcommands_and_values(before, typed, offered):
    shell = BashComplete(cli, {}, "structce", "_STRUCTCE_COMPLETE")
    items = {item.value for item in shell.get_completions(before.split(), typed)}
    assert offered in items
    assert all(item.startswith(typed) for item in items)


def test_a_misspelt_command_gets_a_suggestion(run):
    code, _, err = run("lable", "a.html")
    assert code == 2
    assert "Did you mean 'label'?" in err


def test_the_doctor_runs_where_packages_are_missing(run):
    code, out, _ = run("doctor", "--format", "json")
    assert code == 0
    assert {"python", "numpy", "browser"} <= {row["name"] for row in json.loads(out)}
    lost = "for name in ('numpy', 'scipy', 'sklearn', 'lxml'): sys.modules[name] = None\n"
    done = program(f"{lost}sys.argv = ['structce', 'doctor']")
    assert "browser" in done.stdout
    assert done.stderr == ""


def names(out):
    return [row["name"] for row in json.loads(out)]


def test_a_file_is_imported_before_or_after_the_command(run, shouts):
    listing = ("features", "list", "--format", "json")
    for command in ((*listing, "--import", shouts), ("--import", shouts, *listing)):
        code, out, _ = run(*command)
        assert code == 0
        assert names(out).count("text.zz-shouts") == 1


def test_a_failing_import_is_an_error_with_file_and_line(run, tmp_path, make_cues):
    bad, taken = tmp_path / "bad.py", make_cues("taken.py", "token")
    bad.write_text("import numpy\nnumpy.no_such_thing\n")
    for path, message in (
        (bad, r"error: .*bad\.py, line 2: AttributeError: .*\n"),
        (tmp_path / "none.py", r"error: .*none\.py: no such file.*\n"),
        (taken, r"error: .*taken\.py, line 4: the name 'text.token' is taken.*\n"),
    ):
        code, out, err = run("features", "list", "--import", path)
        assert (code, out) == (1, "")
        assert re.fullmatch(message, err)


def test_features_of_other_packages_are_registered(shouts, tmp_path):
    assert ENTRY_POINT_GROUP == registry._ENTRY_POINTS
    (tmp_path / "zz_broken.py").write_text("1 / 0\n")
    for package, module in (("zz-good", "my_cues"), ("zz-bad", "zz_broken")):
        info = tmp_path / f"{package.replace('-', '_')}-1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1\n")
        (info / "entry_points.txt").write_text(f"[{ENTRY_POINT_GROUP}]\ncues = {module}\n")
    done = program(
        f"sys.path.insert(0, {str(tmp_path)!r})\n"
        "sys.argv = ['structce', 'features', 'list', '--format', 'json']"
    )
    assert "text.zz-shouts" in names(done.stdout.partition("modules:")[0])
    assert len(done.stderr.splitlines()) == 1
    assert "package zz-bad: " in done.stderr
    assert "zz_broken.py, line 1: ZeroDivisionError" in done.stderr
