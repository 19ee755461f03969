"""The command line as a whole: help of every command, and the doctor."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.shell_completion import BashComplete

from structce.cli import cli

Run = Callable[..., tuple[int, str, str]]

COMMANDS = tuple(cli.list_commands(click.Context(cli)))


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_every_command_shows_an_example(run: Run, command: str) -> None:
    code, out, _ = run(command, "--help")
    assert code == 0
    if command in ("corpus", "report", "features", "model"):
        assert "Commands:" in out
    else:
        assert f"structce {command}" in " ".join(out.split("Example")[-1].split())


def test_help_lists_every_command(run: Run) -> None:
    code, out, _ = run("--help")
    assert code == 0
    assert all(f"  {command} " in out for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_the_whole_says_of_a_command_what_its_own_help_says(command: str) -> None:
    loaded = cli.get_command(click.Context(cli), command)
    assert loaded is not None
    first, second = cli.summaries[command].split()[:2]  # the summary may be shorter than the help
    assert loaded.get_short_help_str(limit=1_000).startswith(f"{first} {second.rstrip(':,.')}")


def test_the_help_imports_no_command(run: Run) -> None:
    code = (
        "import sys; sys.argv = ['structce', '--help']\n"
        "from structce.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print('modules:', *sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    imported = done.stdout.partition("modules:")[2].split()
    assert "structce.cli" in imported
    assert not {"numpy", "structce.cli.label", "structce.rendering"} & set(imported)


def completed(words: str) -> tuple[list[str], set[str]]:
    """Return what a shell is offered for the last of some words, and the modules it took."""
    code = (
        "import sys; sys.argv = ['structce']\n"
        "from structce.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print('modules:', *sys.modules)"
    )
    asked = {"_STRUCTCE_COMPLETE": "bash_complete", "COMP_WORDS": words}
    asked["COMP_CWORD"] = str(words.count(" "))
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **asked},
    )
    offered, _, modules = done.stdout.partition("modules:")
    return [line.partition(",")[2] for line in offered.splitlines()], set(modules.split())


@pytest.mark.parametrize(("typed", "offered"), [("", COMMANDS), ("la", ("label",))])
def test_a_shell_completes_commands_and_imports_none(typed: str, offered: tuple[str, ...]) -> None:
    names, modules = completed(f"structce {typed}")
    assert names == list(offered)
    assert not {"numpy", "structce.cli.label", "structce.rendering"} & modules


@pytest.mark.parametrize(
    ("before", "typed", "offered"),
    [("label", "--fo", "--format"), ("corpus", "im", "import"), ("label --format", "j", "jsonl")],
)
def test_a_shell_completes_options_subcommands_and_values(
    before: str, typed: str, offered: str
) -> None:
    shell = BashComplete(cli, {}, "structce", "_STRUCTCE_COMPLETE")
    items = {item.value for item in shell.get_completions(before.split(), typed)}
    assert offered in items
    assert all(item.startswith(typed) for item in items)


def test_the_guide_shows_how_to_turn_completion_on() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "guide.md").read_text("utf-8")
    assert "_STRUCTCE_COMPLETE=bash_source structce" in guide


def test_the_doctor_answers_in_json(run: Run) -> None:
    code, out, _ = run("doctor", "--format", "json")
    assert code == 0
    assert {"python", "numpy", "browser"} <= {row["name"] for row in json.loads(out)}


def test_the_doctor_answers_where_packages_are_missing() -> None:
    code = (
        "import sys\n"
        "for name in ('numpy', 'scipy', 'sklearn', 'lxml'): sys.modules[name] = None\n"
        "sys.argv = ['structce', 'doctor']\n"
        "from structce.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "browser" in done.stdout
    assert done.stderr == ""


def test_the_package_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "structce", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("structce, version ")
