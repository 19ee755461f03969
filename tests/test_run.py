"""The pieces of run.py, with commands that are noted instead of run."""

import ast
import importlib.util
import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def load():
    spec = importlib.util.spec_from_file_location("structce_run", ROOT / "run.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


run = load()


class Machine:
    """Commands end with 0, unless words in them are told to end otherwise."""

    def __init__(self, venv, *, ensurepip=True, root=False, apt=False, **environ):
        self.codes: dict[str, int] = {}
        self.ran: list[str] = []
        self.environs: list[dict[str, str]] = []
        which = {"which": lambda name: f"/usr/bin/{name}" if apt else None}
        answers = {"has_ensurepip": lambda: ensurepip, "is_root": lambda: root} | which
        self.job = run.Job(venv, environ, self.run, **answers)

    def run(self, command, environ, quiet):
        line = " ".join(command).replace(f"{self.job.venv}{os.sep}", "")
        self.ran.append(line)
        self.environs.append(dict(environ))
        if " -m venv " in line:
            self.job.venv.mkdir(exist_ok=True)
            (self.job.venv / "pyvenv.cfg").touch()
        return max((code for words, code in self.codes.items() if words in line), default=0), "said"

    def ran_with(self, words):
        return [line for line in self.ran if words in line]


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A folder that stands for the project."""
    folder = tmp_path / "project"
    (folder / "data/sample").mkdir(parents=True)
    (folder / "data/sample/manifest.json").touch()
    for name in run.STAMPED:
        (folder / name).write_text(name)
    monkeypatch.setattr(run, "ROOT", folder)
    return folder


@pytest.fixture
def machine(tmp_path, project):
    return Machine(tmp_path / "venv")


def test_older_python_is_refused_and_the_standard_library_does():
    source = (ROOT / "run.py").read_text(encoding="utf-8")
    tree = ast.parse(source, feature_version=(3, 6))
    _, first, second = tree.body[:3]
    assert ast.unparse(first) == "import sys"
    assert ast.unparse(second.test) == "sys.version_info < (3, 11)"
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module] if isinstance(node, ast.ImportFrom) else []
        assert {name.split(".")[0] for name in names} <= set(sys.stdlib_module_names)


def test_what_stands_after_two_dashes_is_for_pytest():
    options = run.parse(["test", "--no-browser", "--", "-k", "viterbi", "--", "x"])
    assert options.more == ["-k", "viterbi", "--", "x"]
    assert options.no_browser


@pytest.mark.parametrize(
    "argv", [[], ["dance"], ["demo", "--", "x"], ["test", "--browser", "b", "--no-browser"]]
)
def test_wrong_options_are_refused(argv, capsys):
    with pytest.raises(SystemExit) as stop:
        run.parse(argv)
    assert stop.value.code == 2
    assert "usage: run.py" in capsys.readouterr().err


def test_a_browser_by_its_path_is_made_absolute(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("chrome").touch()
    assert run.parse(["demo", "--browser", "chrome"]).browser == str(tmp_path / "chrome")
    assert run.parse(["demo", "--browser", "google-chrome"]).browser == "google-chrome"


@pytest.mark.parametrize(
    ("broken", "is_anew"),
    [
        ({"-m pip": 1}, False),
        ({"sys.version_info": 1}, True),
        ({"-m pip": 1, "ensurepip": 1}, True),
    ],
)
def test_a_broken_environment_gets_pip_or_is_made_anew(machine, broken, is_anew, capsys):
    machine.job.venv.mkdir()
    (machine.job.venv / "pyvenv.cfg").touch()
    machine.codes.update(broken)
    run.make_environment(machine.job)
    assert bool(machine.ran_with("-m ensurepip")) == ("-m pip" in broken)
    assert bool(machine.ran_with(" -m venv --clear")) == is_anew
    assert ("does not work" in capsys.readouterr().err) == is_anew


def test_an_environment_is_made_but_in_no_folder_of_other_things(machine):
    machine.job.venv.mkdir()
    (machine.job.venv / "thesis.tex").touch()
    with pytest.raises(run.SetupError, match="not a virtual environment; choose another"):
        run.make_environment(machine.job)
    assert not machine.ran
    (machine.job.venv / "thesis.tex").unlink()
    machine.job.venv.rmdir()
    run.make_environment(machine.job)
    assert machine.ran == [f"{sys.executable} -m venv --clear {machine.job.venv}"]


PACKAGE = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"


@pytest.mark.parametrize("is_root", [False, True])
def test_without_ensurepip_root_installs_it_and_users_are_told(tmp_path, is_root):
    machine = Machine(tmp_path / "venv", ensurepip=False, apt=True, root=is_root)
    if is_root:
        run.make_environment(machine.job)
        assert machine.ran[:2] == ["apt-get update", f"apt-get install -y {PACKAGE}"]
        assert machine.environs[1]["DEBIAN_FRONTEND"] == "noninteractive"
        assert machine.ran_with(" -m venv ")
    else:
        with pytest.raises(run.SetupError, match=f"sudo apt-get install -y {PACKAGE}"):
            run.make_environment(machine.job)
        assert not machine.ran


def install(machine, extras="browser,dev"):
    machine.job.venv.mkdir(exist_ok=True)
    return run.install(machine.job, extras)


@pytest.mark.parametrize("name", ["setup.cfg", "setup.py", "constraints.txt"])
def test_an_installation_is_repeated_when_a_setting_changes(machine, project, name):
    assert install(machine)
    (project / name).write_text("changed")
    assert install(machine)
    assert len(machine.ran) == 2
    assert machine.ran[0].endswith("-c constraints.txt -e .[browser,dev]")


def test_newest_versions_are_tried_after_a_failure(machine, capsys):
    machine.codes["constraints.txt"] = 1
    assert install(machine)
    assert machine.ran[-1].endswith("--disable-pip-version-check -e .[browser,dev]")
    err = capsys.readouterr().err
    assert "said" in err
    assert "failed: " in err


@pytest.mark.parametrize(("extras", "rest"), [("browser,dev", ".[dev]"), ("browser", ".")])
def test_playwright_is_left_out_where_it_cannot_be_installed(machine, extras, rest, capsys):
    machine.codes["browser"] = 1
    assert not install(machine, extras)
    assert machine.ran[-1].endswith(f"-e {rest}")
    assert "Playwright could not be installed" in capsys.readouterr().err
    assert not install(machine, extras)
    assert len(machine.ran) == 6  # it is tried again: the network may have been down


@pytest.mark.parametrize(("code", "is_there"), [(0, True), (1, False)])
def test_the_browser_is_found_or_installed_by_the_package(machine, code, is_there):
    machine.codes["structce.rendering.chromium --install"] = code
    assert run.has_browser(machine.job) is is_there


def test_no_browser_is_sought_when_told_so(machine, capsys):
    assert run.main(["test", "--no-browser"], machine.job) == 0
    assert not machine.ran_with("structce.rendering.chromium")
    assert machine.ran_with("-m pytest")[0].endswith("-m not browser")
    assert "warning: no browser" in capsys.readouterr().err


def test_every_check_is_run_and_what_fails_is_named(machine, capsys):
    assert run.test(machine.job, browser=True, more=[]) == 0
    assert machine.ran[0].endswith("extension/prepare.py")
    checks = [line.split(" -m ")[1] for line in machine.ran[1:]]
    assert checks == ["ruff check .", "ruff format --check .", "mypy", "pytest -n auto"]
    machine.codes = {run.CHECKS[0]: 1, "pytest": 5}
    assert run.test(machine.job, browser=True, more=[]) == 1
    assert len(machine.ran) == 2 * (len(checks) + 1)
    assert f"failed: {run.CHECKS[0]}, pytest" in capsys.readouterr().err


def test_the_demo_prints_each_command_as_a_user_types_it(machine, capsys):
    assert run.demo(machine.job, browser=True) == 0
    out = capsys.readouterr().out
    typed = [line.removeprefix("$ ") for line in out.splitlines() if line.startswith("$ ")]
    assert len(typed) == len(run.DEMO)
    assert typed[0].startswith("structce corpus export data/sample out/demo/corpus")
    assert "out/demo/report" in out
    assert "activate" in out


def test_the_demo_without_a_browser_asks_for_the_static_renderer(machine):
    asked = [line for line, _ in run.DEMO if "{renderer}" in line]
    assert asked
    run.demo(machine.job, browser=False)
    assert len(machine.ran_with("--renderer static")) == len(asked)
    assert not machine.ran_with("--overlay")
    run.demo(machine.job, browser=True)
    assert len(machine.ran_with("--renderer static")) == len(asked)
    assert machine.ran_with("--overlay")


def test_the_demo_stops_at_the_first_command_that_fails(machine, capsys):
    machine.codes["structce compare"] = 3
    assert run.demo(machine.job, browser=True) == 1
    assert len(machine.ran) == 2
    assert "failed: structce compare" in capsys.readouterr().err


def test_a_command_is_run_in_the_projects_folder():
    code = "import os, sys; print(os.getcwd()); print(os.environ['WORD'], file=sys.stderr); exit(4)"
    environ = {**os.environ, "WORD": "word"}
    done = run.run_command([sys.executable, "-c", code], environ, True)
    assert done == (4, f"{ROOT}\nword")
