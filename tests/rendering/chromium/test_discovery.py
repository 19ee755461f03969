"""The search for a browser and its installation, on a machine that is a folder of scripts."""

import os
import platform

import pytest

from structce.errors import BrowserError
from structce.rendering.chromium import __main__ as installation
from structce.rendering.chromium import discovery
from structce.rendering.chromium.discovery import LOADS_EXTENSIONS, search_browser

pytestmark = pytest.mark.skipif(os.name == "nt", reason="its browsers are shell scripts")

SHELL = "chromium-headless-shell"
STARTS = "echo Chromium 150.0.7000.1 built on something"
NO_LIBRARY = "echo '/x: error while loading shared libraries: libnss3.so' >&2; exit 127"
WINDOWS = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
VARIABLES = ("STRUCTCE_BROWSER", "PLAYWRIGHT_BROWSERS_PATH", "XDG_CACHE_HOME", *WINDOWS)
DOWNLOADED = "chromium_headless_shell-{}/chrome-linux/headless_shell"


class Machine:
    """A folder that is the user's home, with browsers and commands that are shell scripts."""

    def __init__(self, home, monkeypatch):
        self.home, self._monkeypatch = home, monkeypatch
        self.outcomes: dict[str, tuple[str, ...]] = {}  # words of a command, what it adds
        self.commands: list[str] = []
        for name in VARIABLES:
            monkeypatch.delenv(name, raising=False)
        self.set(HOME=str(home), PATH=str(home / "bin"))
        self.system("Linux")
        monkeypatch.setattr(installation, "run_command", self.run)

    def set(self, **variables):
        for name, value in variables.items():
            self._monkeypatch.setenv(name, value)

    def system(self, name, *, is_root=False):
        self._monkeypatch.setattr(platform, "system", lambda: name)
        self._monkeypatch.setattr(installation, "is_root", lambda: is_root)

    def add(self, name, script=STARTS):
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return path

    def download(self, name, script=STARTS):
        return self.add(f".cache/ms-playwright/{name}", script)

    def run(self, command, seconds):
        """Note a step of an installation, and put on the machine what it adds."""
        self.commands.append(" ".join(command))
        added = [files for words, files in self.outcomes.items() if words in self.commands[-1]]
        for name in added[0] if added else ():
            self.add(name)
        return "", "" if added else "E: no network"


@pytest.fixture
def machine(tmp_path, monkeypatch):
    return Machine(tmp_path, monkeypatch)


def test_argument_precedes_variable_and_installed_browsers(machine):
    edge, chrome = machine.add("opt/msedge"), machine.add("opt/chrome")
    machine.add(f"bin/{SHELL}")
    assert search_browser().browser.kind == "headless-shell"
    machine.set(STRUCTCE_BROWSER=str(chrome))
    assert search_browser().browser == (chrome, "chrome", "150.0.7000.1", "STRUCTCE_BROWSER")
    assert search_browser(str(edge)).browser == (edge, "edge", "150.0.7000.1", "argument")


@pytest.mark.parametrize("name", ["/opt/none", "broken"])
def test_named_browser_that_does_not_start_is_an_error(machine, name):
    machine.add(f"bin/{SHELL}")
    machine.add("bin/broken", NO_LIBRARY)
    reason = "does not start: .*libnss3" if name == "broken" else f"no browser at '{name}'"
    with pytest.raises(BrowserError, match=f"argument: .*{reason}"):
        search_browser(name)


@pytest.mark.parametrize("script", [NO_LIBRARY, "echo 'requires the snap' >&2; exit 1", "echo no"])
def test_installed_browser_that_does_not_start_is_skipped(machine, script):
    stub, chrome = machine.add("bin/chromium-browser", script), machine.add("bin/google-chrome")
    browser, failures = search_browser()
    assert browser == (chrome, "chrome", "150.0.7000.1", "installed")
    assert [failure.startswith(f"{stub} does not start: ") for failure in failures] == [True]


def test_applications_of_macos_and_windows_are_found(machine):
    machine.system("Darwin")
    path = machine.add("Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
    assert search_browser().browser[:2] == (path, "chrome")
    path.unlink()
    machine.system("Windows")
    machine.set(PROGRAMFILES=str(machine.home / "programs"))
    answer = "[ \"$1\" != --version ] && echo '<html></html>'"  # a window opens for --version
    path = machine.add("programs/Microsoft/Edge/Application/msedge.exe", answer)
    assert search_browser().browser == (path, "edge", "", "installed")


def test_newest_headless_shell_of_playwright_that_starts_is_used(machine):
    machine.download("chromium-1300/chrome-linux64/chrome")
    for name in ("ffmpeg-1/linux/ffmpeg", "chromium-8/chrome-linux/chrome_crashpad_handler"):
        machine.download(name)
    older = machine.download(DOWNLOADED.format(999))
    machine.download(DOWNLOADED.format(1200), NO_LIBRARY)
    assert search_browser().browser == (older, "headless-shell", "150.0.7000.1", "playwright")
    machine.add("bin/microsoft-edge")
    assert search_browser().browser.kind == "edge"


@pytest.mark.parametrize(
    ("system", "variable", "folder", "executable"),
    [
        ("Linux", "XDG_CACHE_HOME", "ms-playwright", DOWNLOADED.format(5)),
        ("Linux", "PLAYWRIGHT_BROWSERS_PATH", "", "chromium-5/chrome-linux/chrome"),
        ("Windows", "LOCALAPPDATA", "ms-playwright", "chromium-5/chrome-win/chrome.exe"),
        ("Darwin", "", "Library/Caches/ms-playwright",
         "chromium-5/chrome-mac/Chrome for Testing.app/Contents/MacOS/Chrome for Testing"),
    ],
)  # fmt: skip
def test_downloads_are_found_in_each_cache(machine, system, variable, folder, executable):
    machine.system(system)
    if variable:
        machine.set(**{variable: str(machine.home / "caches")})
    start = "echo '<html>'" if system == "Windows" else STARTS
    path = machine.add(f"{'caches/' * bool(variable)}{folder}/{executable}", start)
    assert search_browser().browser[::3] == (path, "playwright")


def test_download_is_tried_first_and_its_libraries_next(machine):
    downloaded = (f".cache/ms-playwright/{DOWNLOADED.format(5)}",)
    machine.outcomes[f"playwright install {SHELL}"] = downloaded
    assert installation.install_browser().browser.origin == "playwright"
    assert len(machine.commands) == 1
    machine.add("bin/apt-get")
    machine.system("Linux", is_root=True)
    machine.download(DOWNLOADED.format(5), NO_LIBRARY)
    machine.outcomes = {"playwright install ": (), "install-deps": downloaded}
    assert installation.install_browser().browser.origin == "playwright"


@pytest.mark.parametrize("package", [SHELL, "chromium"])
def test_root_installs_a_package_where_the_download_fails(machine, package):
    machine.add("bin/apt-get")
    machine.system("Linux", is_root=True)
    machine.outcomes[f"install -y {package}"] = (f"bin/{package}",)
    browser, _ = installation.install_browser()
    assert (browser.path.name, browser.origin) == (package, "installed")


def test_without_root_the_command_is_reported_and_not_run(machine, capsys):
    machine.add("bin/apt-get")
    assert installation.browser_command(["--install"]) == 1
    assert len(machine.commands) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "E: no network" in captured.err
    assert f"as root: apt-get install -y {SHELL}" in captured.err


def test_extensions_need_a_browser_that_loads_them(machine, capsys):
    machine.set(STRUCTCE_BROWSER=str(machine.add(f"bin/{SHELL}")))
    machine.add("bin/google-chrome")
    assert search_browser(kind=LOADS_EXTENSIONS).browser is None
    assert installation.browser_command(["--extensions"]) == 1
    machine.outcomes["playwright install chromium"] = ("bin/chromium",)
    assert installation.browser_command(["--extensions", "--install"]) == 0
    assert "bin/chromium" in capsys.readouterr().out
    machine.set(STRUCTCE_BROWSER="/opt/none")
    assert installation.browser_command(["--install"]) == 2


def test_command_without_an_answer_is_ended(machine):
    path = machine.add("bin/hangs", "exec /bin/sleep 600")
    assert "timed out" in discovery.run_command([str(path)], 0.5)[1]
