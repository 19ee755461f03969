"""The search for a browser and its installation, on a machine that is a folder of scripts."""

import os
import platform
from pathlib import Path

import pytest

from structce.errors import BrowserError
from structce.rendering.chromium import __main__ as installation
from structce.rendering.chromium import discovery
from structce.rendering.chromium.discovery import LOADS_EXTENSIONS, find_browser, search_browser

pytestmark = pytest.mark.skipif(os.name == "nt", reason="its browsers are shell scripts")

SHELL = "chromium-headless-shell"
STARTS = "echo Chromium 150.0.7000.1 built on something"
NO_LIBRARY = "echo '/x: error while loading shared libraries: libnss3.so' >&2; exit 127"
WINDOWS = {"PROGRAMFILES": "pf", "PROGRAMFILES(X86)": "x86", "LOCALAPPDATA": "local"}
VARIABLES = ("STRUCTCE_BROWSER", "PLAYWRIGHT_BROWSERS_PATH", "XDG_CACHE_HOME", *WINDOWS)


class Machine:
    """A folder that is the user's home, with browsers and commands that are shell scripts."""

    def __init__(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.home, self._monkeypatch = home, monkeypatch
        for name in VARIABLES:
            monkeypatch.delenv(name, raising=False)
        self.set(HOME=str(home), PATH=str(home / "bin"))
        self.system("Linux")

    def set(self, **variables: str) -> None:
        for name, value in variables.items():
            self._monkeypatch.setenv(name, value)

    def system(self, name: str, *, is_root: bool = False) -> None:
        self._monkeypatch.setattr(platform, "system", lambda: name)
        self._monkeypatch.setattr(installation, "is_root", lambda: is_root)

    def add(self, name: str, script: str = STARTS) -> Path:
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return path

    def download(self, name: str, script: str = STARTS) -> Path:
        return self.add(f".cache/ms-playwright/{name}", script)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path, monkeypatch)


def shell(revision: int) -> str:
    return f"chromium_headless_shell-{revision}/chrome-linux/headless_shell"


def test_argument_precedes_variable_and_installed_browsers(machine):
    edge, chrome = machine.add("opt/msedge"), machine.add("opt/chrome")
    machine.add(f"bin/{SHELL}")
    assert find_browser().kind == "headless-shell"
    machine.set(STRUCTCE_BROWSER=str(chrome))
    assert find_browser() == (chrome, "chrome", "150.0.7000.1", "STRUCTCE_BROWSER")
    assert find_browser(str(edge)) == (edge, "edge", "150.0.7000.1", "argument")
    machine.set(STRUCTCE_BROWSER="")
    assert find_browser(SHELL).origin == "argument"


@pytest.mark.parametrize("name", ["/opt/none", "none", "broken"])
def test_named_browser_that_does_not_start_is_an_error(machine, name):
    machine.add(f"bin/{SHELL}")
    machine.add("bin/broken", NO_LIBRARY)
    reason = "does not start: .*libnss3" if name == "broken" else f"no browser at '{name}'"
    with pytest.raises(BrowserError, match=f"argument: .*{reason}"):
        find_browser(name)
    machine.set(STRUCTCE_BROWSER=name)
    with pytest.raises(BrowserError, match=f"STRUCTCE_BROWSER: .*{reason}"):
        find_browser()


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("chrome-headless-shell", "headless-shell"),
        ("chromium-browser", "chromium"),
        ("google-chrome-stable", "chrome"),
        ("microsoft-edge", "edge"),
    ],
)
def test_browser_on_the_path_is_found(machine, command, kind):
    path = machine.add(f"bin/{command}")
    assert find_browser() == (path, kind, "150.0.7000.1", "installed")


@pytest.mark.parametrize("script", [NO_LIBRARY, "echo 'requires the snap' >&2; exit 1", "echo no"])
def test_installed_browser_that_does_not_start_is_skipped(machine, script):
    stub = machine.add("bin/chromium-browser", script)
    machine.add("bin/google-chrome")
    browser, failures = search_browser()
    assert browser.kind == "chrome"
    assert [failure.startswith(f"{stub} does not start: ") for failure in failures] == [True]


def test_applications_of_macos_are_found(machine):
    machine.system("Darwin")
    path = machine.add("Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
    assert find_browser()[:2] == (path, "chrome")


@pytest.mark.parametrize("variable", WINDOWS)
def test_programs_of_windows_are_found_without_a_window(machine, variable):
    machine.system("Windows")
    machine.set(**{variable: str(machine.home / "programs")})
    path = machine.add("programs/Google/Chrome/Application/chrome.exe", "echo no; exit 1")
    assert find_browser() is None
    path = machine.add("programs/Microsoft/Edge/Application/msedge.exe", '[ "$1" != --version ] &&'
                       "echo '<html></html>'")  # fmt: skip
    assert find_browser() == (path, "edge", "", "installed")


def test_newest_headless_shell_of_playwright_that_starts_is_used(machine):
    machine.download("chromium-1300/chrome-linux64/chrome")
    older, _ = machine.download(shell(999)), machine.download(shell(1200), NO_LIBRARY)
    assert find_browser() == (older, "headless-shell", "150.0.7000.1", "playwright")
    assert find_browser().path != machine.add("bin/microsoft-edge")
    assert find_browser().kind == "edge"


@pytest.mark.parametrize(
    ("system", "variable", "folder", "executable"),
    [
        ("Linux", "XDG_CACHE_HOME", "ms-playwright", shell(5)),
        ("Linux", "PLAYWRIGHT_BROWSERS_PATH", "", "chromium-5/chrome-linux/chrome"),
        ("Windows", "LOCALAPPDATA", "ms-playwright", "chromium-5/chrome-win/chrome.exe"),
        (
            "Darwin",
            "",
            "Library/Caches/ms-playwright",
            "chromium-5/chrome-mac/Google Chrome for Testing.app/Contents/MacOS/"
            "Google Chrome for Testing",
        ),
    ],
)
def test_downloads_are_found_in_the_cache_of_each_system(
    machine, system, variable, folder, executable
):
    machine.system(system)
    if variable:
        machine.set(**{variable: str(machine.home / "caches")})
    start = "echo '<html>'" if system == "Windows" else STARTS
    path = machine.add(f"{'caches/' * bool(variable)}{folder}/{executable}", start)
    assert find_browser()[::3] == (path, "playwright")


def test_other_files_in_the_cache_are_no_browsers(machine):
    names = "ffmpeg-1/linux/ffmpeg chromium-tip-of-tree-5/chrome-linux/chrome chromium-7/readme"
    for name in [*names.split(), "chromium-8/chrome-linux/chrome_crashpad_handler"]:
        machine.download(name)
    assert find_browser() is None


@pytest.mark.browser
def test_browser_of_this_machine_is_found():
    assert find_browser() is not None


class Steps:
    """Steps of an installation: some fail, and some put a browser on the machine."""

    def __init__(self, machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
        self.machine = machine
        self.outcomes: dict[str, tuple[str, ...]] = {}  # words of a step, what it adds
        self.commands: list[str] = []
        monkeypatch.setattr(installation, "run_command", self.run)

    def run(self, command, seconds):
        self.commands.append(" ".join(command))
        added = [files for words, files in self.outcomes.items() if words in self.commands[-1]]
        for name in added[0] if added else ():
            self.machine.add(name)
        return "", "" if added else "E: no network"


@pytest.fixture
def steps(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> Steps:
    return Steps(machine, monkeypatch)


def test_download_by_playwright_is_tried_first(steps):
    steps.outcomes[f"playwright install {SHELL}"] = (f".cache/ms-playwright/{shell(5)}",)
    assert installation.install_browser().browser.origin == "playwright"
    assert len(steps.commands) == 1


def test_root_installs_missing_libraries_of_a_download(machine, steps):
    machine.add("bin/apt-get")
    machine.system("Linux", is_root=True)
    machine.download(shell(5), NO_LIBRARY)
    steps.outcomes["playwright install "] = ()
    steps.outcomes["install-deps"] = (f".cache/ms-playwright/{shell(5)}",)
    assert installation.install_browser().browser.origin == "playwright"


@pytest.mark.parametrize("package", [SHELL, "chromium"])
def test_root_installs_a_package_where_the_download_fails(machine, steps, package):
    machine.add("bin/apt-get")
    machine.system("Linux", is_root=True)
    steps.outcomes[f"install -y {package}"] = (f"bin/{package}",)
    browser, failures = installation.install_browser()
    assert (browser.path.name, browser.origin) == (package, "installed")
    assert "playwright install" in failures[0]
    assert failures[0].endswith("E: no network")
    assert not any("install-deps" in command for command in steps.commands)


def test_without_root_the_command_is_reported_and_not_run(machine, steps, capsys):
    machine.add("bin/apt-get")
    assert installation.browser_command(["--install"]) == 1
    assert len(steps.commands) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "E: no network" in captured.err
    assert f"as root: apt-get install -y {SHELL}" in captured.err
    assert "static renderer" in captured.err


def test_extensions_need_a_browser_that_loads_them(machine, steps, capsys):
    machine.set(STRUCTCE_BROWSER=str(machine.add(f"bin/{SHELL}")))
    machine.add("bin/google-chrome")
    assert search_browser(kind=LOADS_EXTENSIONS).browser is None
    assert installation.browser_command(["--extensions"]) == 1
    steps.outcomes["playwright install chromium"] = ("bin/chromium",)
    assert installation.browser_command(["--extensions", "--install"]) == 0
    assert "bin/chromium" in capsys.readouterr().out


def test_command_fails_otherwise_where_the_named_browser_does(machine, capsys):
    machine.set(STRUCTCE_BROWSER="/opt/none")
    assert installation.browser_command(["--install"]) == 2
    assert "error: STRUCTCE_BROWSER: no browser at '/opt/none'" in capsys.readouterr().err


def test_command_without_an_answer_is_ended(machine):
    path = machine.add("bin/hangs", "exec /bin/sleep 600")
    assert "timed out" in discovery.run_command([str(path)], 0.5)[1]
