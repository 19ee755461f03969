"""Each branch of the search for a browser and of its installation, on machines made up here."""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import pytest

from structce.errors import BrowserError
from structce.rendering import browsers
from structce.rendering.browsers import find_browser, install_browser, search
from structce.rendering.browsers.machine import Machine, Outcome

HOME = Path("/home/ann")
CACHE = HOME / ".cache" / "ms-playwright"
SHELL = "chromium-headless-shell"
STARTS = Outcome(0, "Chromium 150.0.7000.1 built on something\n")
STUB = Outcome(1, "", "Command 'chromium-browser' requires the chromium snap to be installed.\n")
NO_LIBRARY = Outcome(
    127, "", "/x: error while loading shared libraries: libnss3.so: cannot open shared object\n"
)


class Computer:
    """A machine on which these files exist, and commands end as told.

    A command is matched by the words that it holds; a browser starts unless it is told otherwise.
    A command may also change the machine, as an installation does.
    """

    def __init__(
        self,
        files: Iterable[str | Path] = (),
        outcomes: Mapping[str, Outcome | Callable[["Computer"], Outcome]] | None = None,
        system: str = "Linux",
        is_root: bool = False,
    ) -> None:
        self.files = [str(file) for file in files]
        self.outcomes = dict(outcomes or {})
        self.ran: list[str] = []
        self.machine = Machine(
            system=system,
            home=HOME,
            run=self.run,
            which=self.which,
            is_file=lambda path: str(path) in self.files,
            names=self.names,
            is_root=lambda: is_root,
        )

    def run(self, command: Sequence[str], timeout_s: float) -> Outcome:
        assert timeout_s > 0
        self.ran.append(" ".join(command))
        for words, outcome in self.outcomes.items():
            if words in self.ran[-1]:
                return outcome if isinstance(outcome, Outcome) else outcome(self)
        return STARTS if command[0] in self.files else Outcome(127, "", "no such command")

    def which(self, name: str) -> str | None:
        return next((file for file in self.files if file == f"/usr/bin/{name}"), None)

    def names(self, folder: Path) -> list[str]:
        start = f"{folder}/"
        inside = [file.removeprefix(start) for file in self.files if file.startswith(start)]
        return sorted({file.split("/")[0] for file in inside})

    def puts(self, file: str | Path) -> Callable[["Computer"], Outcome]:
        """An outcome after which this file is there."""

        def outcome(computer: "Computer") -> Outcome:
            computer.files.append(str(file))
            return Outcome(0)

        return outcome

    def find(self, explicit: str | None = None, **environ: str) -> browsers.Browser | None:
        return find_browser(explicit, environ, self.machine)

    def install(self, **environ: str) -> browsers.Search:
        return install_browser(environ, self.machine)


def shell(revision: int) -> Path:
    place = f"chromium_headless_shell-{revision}/chrome-headless-shell-linux64"
    return CACHE / place / "chrome-headless-shell"


def chromium(revision: int) -> Path:
    return CACHE / f"chromium-{revision}/chrome-linux64/chrome"


# A browser that the user names


def test_the_argument_goes_before_the_variable_and_all_else():
    computer = Computer(["/opt/edge/msedge", "/opt/chrome", f"/usr/bin/{SHELL}"])
    found = computer.find("/opt/edge/msedge", STRUCTCE_BROWSER="/opt/chrome")
    assert found == browsers.Browser(Path("/opt/edge/msedge"), "edge", "150.0.7000.1", "argument")


def test_the_variable_goes_before_an_installed_browser():
    computer = Computer(["/opt/chrome", f"/usr/bin/{SHELL}"])
    found = computer.find(STRUCTCE_BROWSER="/opt/chrome")
    assert (str(found.path), found.kind, found.origin) == (
        "/opt/chrome",
        "chrome",
        "STRUCTCE_BROWSER",
    )


def test_an_empty_variable_names_nothing():
    assert Computer().find(STRUCTCE_BROWSER="") is None


def test_a_named_browser_may_be_a_command_on_the_path():
    found = Computer(["/usr/bin/chromium"]).find("chromium")
    assert (found.path, found.kind) == (Path("/usr/bin/chromium"), "chromium")


@pytest.mark.parametrize("name", ["/opt/none", "none"])
def test_a_named_browser_that_does_not_exist_is_an_error(name):
    computer = Computer([f"/usr/bin/{SHELL}"])
    with pytest.raises(BrowserError, match=f"argument: no browser at '{name}'"):
        computer.find(name)
    with pytest.raises(BrowserError, match="STRUCTCE_BROWSER: no browser"):
        computer.find(STRUCTCE_BROWSER=name)


def test_a_named_browser_that_does_not_start_is_an_error():
    computer = Computer(["/opt/chrome", f"/usr/bin/{SHELL}"], {"/opt/chrome": NO_LIBRARY})
    with pytest.raises(BrowserError, match=r"STRUCTCE_BROWSER: /opt/chrome .* libnss3\.so"):
        computer.find(STRUCTCE_BROWSER="/opt/chrome")


# Installed browsers


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("chromium-headless-shell", "headless-shell"),
        ("chrome-headless-shell", "headless-shell"),
        ("chromium", "chromium"),
        ("chromium-browser", "chromium"),
        ("google-chrome", "chrome"),
        ("google-chrome-stable", "chrome"),
        ("microsoft-edge", "edge"),
        ("microsoft-edge-stable", "edge"),
    ],
)
def test_a_browser_on_the_path_is_found(command, kind):
    found = Computer([f"/usr/bin/{command}"]).find()
    assert found == browsers.Browser(Path(f"/usr/bin/{command}"), kind, "150.0.7000.1", "installed")


def test_a_headless_shell_goes_before_the_others():
    computer = Computer(["/usr/bin/google-chrome", "/usr/bin/chromium", f"/usr/bin/{SHELL}"])
    assert computer.find().kind == "headless-shell"


@pytest.mark.parametrize(
    "outcome",
    [STUB, NO_LIBRARY, Outcome(124), Outcome(0, "Please install the snap\n")],
    ids=["stub", "library", "hangs", "stub that succeeds"],
)
def test_an_installed_browser_that_does_not_start_is_passed_over(outcome):
    files = ["/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
    computer = Computer(files, {"chromium-browser": outcome})
    result = search(None, {}, computer.machine)
    assert result.browser.kind == "chrome"
    (attempt,) = result.attempts
    assert not attempt.ok
    assert "/usr/bin/chromium-browser does not start" in attempt.detail


@pytest.mark.parametrize("root", ["/Applications", "/home/ann/Applications"])
@pytest.mark.parametrize(
    ("name", "kind"),
    [("Chromium", "chromium"), ("Google Chrome", "chrome"), ("Microsoft Edge", "edge")],
)
def test_an_application_of_macos_is_found(root, name, kind):
    path = f"{root}/{name}.app/Contents/MacOS/{name}"
    found = Computer([path], system="Darwin").find()
    assert (str(found.path), found.kind) == (path, kind)


def test_applications_of_macos_are_not_sought_elsewhere():
    assert Computer(["/Applications/Chromium.app/Contents/MacOS/Chromium"]).find() is None


WINDOWS = {"PROGRAMFILES": "/c/pf", "PROGRAMFILES(X86)": "/c/x86", "LOCALAPPDATA": "/c/local"}


@pytest.mark.parametrize("root", WINDOWS.values())
@pytest.mark.parametrize(
    ("place", "kind"),
    [
        ("Chromium/Application/chrome.exe", "chromium"),
        ("Google/Chrome/Application/chrome.exe", "chrome"),
        ("Microsoft/Edge/Application/msedge.exe", "edge"),
    ],
)
def test_a_program_of_windows_is_found_without_opening_a_window(root, place, kind):
    page = Outcome(0, "<html><head></head><body></body></html>")
    computer = Computer([f"{root}/{place}"], {"--headless": page}, system="Windows")
    found = computer.find(**WINDOWS)
    assert (str(found.path), found.kind, found.version) == (f"{root}/{place}", kind, None)
    assert not any("--version" in command for command in computer.ran)


def test_a_program_of_windows_that_shows_no_page_is_passed_over():
    path = "/c/pf/Google/Chrome/Application/chrome.exe"
    computer = Computer([path], {"--headless": Outcome(0)}, system="Windows")
    assert computer.find(**WINDOWS) is None


# What Playwright has downloaded


def test_an_installed_browser_goes_before_playwrights():
    assert Computer([shell(9), "/usr/bin/microsoft-edge"]).find().kind == "edge"


def test_the_newest_headless_shell_goes_first():
    found = Computer([chromium(1300), shell(999), shell(1200)]).find()
    assert (found.path, found.kind, found.origin) == (shell(1200), "headless-shell", "playwright")


def test_the_newest_chromium_is_taken_where_there_is_no_shell():
    found = Computer([chromium(999), chromium(1200)]).find()
    assert (found.path, found.kind) == (chromium(1200), "chromium")


def test_an_older_download_is_taken_where_the_newest_does_not_start():
    computer = Computer([shell(1), shell(2)], {"shell-2/": NO_LIBRARY})
    assert computer.find().path == shell(1)


def test_other_folders_in_the_cache_are_no_browsers():
    names = ["ffmpeg-1/ffmpeg", "chromium-tip-of-tree-5/chrome-linux/chrome", "chromium-7/readme"]
    assert Computer([CACHE / name for name in names]).find() is None


@pytest.mark.parametrize(
    ("system", "environ", "path"),
    [
        ("Linux", {}, "/home/ann/.cache/ms-playwright/{}/chrome-linux/headless_shell"),
        ("Linux", {"XDG_CACHE_HOME": "/c"}, "/c/ms-playwright/{}/chrome-linux/headless_shell"),
        ("Linux", {"PLAYWRIGHT_BROWSERS_PATH": "/pw"}, "/pw/{}/x/chrome-headless-shell"),
        (
            "Darwin",
            {},
            "/home/ann/Library/Caches/ms-playwright/{}/chrome-headless-shell-mac-arm64"
            "/chrome-headless-shell",
        ),
        (
            "Windows",
            {"LOCALAPPDATA": "/l"},
            "/l/ms-playwright/{}/chrome-headless-shell-win64/chrome-headless-shell.exe",
        ),
        (
            "Windows",
            {},
            "/home/ann/AppData/Local/ms-playwright/{}/chrome-win/headless_shell.exe",
        ),
    ],
)
def test_the_cache_is_sought_where_each_system_keeps_it(system, environ, path):
    path = path.format("chromium_headless_shell-5")
    outcomes = {"--headless": Outcome(0, "<html>")} if system == "Windows" else {}
    found = Computer([path], outcomes, system=system).find(**environ)
    assert (str(found.path), found.origin) == (path, "playwright")


@pytest.mark.parametrize(
    "bundle",
    [
        "Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
        "Chromium.app/Contents/MacOS/Chromium",
    ],
)
def test_a_downloaded_application_of_macos_is_found(bundle):
    path = f"/home/ann/Library/Caches/ms-playwright/chromium-5/chrome-mac/{bundle}"
    assert str(Computer([path], system="Darwin").find().path) == path


def test_browsers_beside_the_package_are_playwrights_own_choice():
    playwright = pytest.importorskip("playwright")
    folder = Path(playwright.__file__).parent / "driver/package/.local-browsers"
    path = folder / "chromium-5/chrome-linux/chrome"
    assert Computer([path]).find(PLAYWRIGHT_BROWSERS_PATH="0").path == path


def test_nothing_is_found_on_a_machine_without_a_browser():
    assert Computer().find() is None


# Installing


def attempts(result: browsers.Search) -> list[tuple[str, bool]]:
    return [(attempt.name, attempt.ok) for attempt in result.attempts]


OFFLINE = Outcome(
    1, "Downloading\n", "Error: getaddrinfo ENOTFOUND cdn\nError: Download failure\n    at X\n"
)


def test_playwrights_download_is_tried_first():
    computer = Computer()
    computer.outcomes["playwright install"] = computer.puts(shell(5))
    result = computer.install()
    assert (result.browser.path, result.browser.origin) == (shell(5), "playwright")
    assert attempts(result) == [("Playwright's download", True)]
    assert computer.ran[0] == f"{sys.executable} -m playwright install {SHELL}"


def test_a_download_whose_libraries_are_missing_is_mended_by_root():
    computer = Computer(["/usr/bin/apt-get"], {f"{shell(5)}": NO_LIBRARY}, is_root=True)

    def mend(_: Computer) -> Outcome:
        computer.outcomes[str(shell(5))] = STARTS
        return Outcome(0)

    computer.outcomes["install-deps"] = mend
    computer.outcomes["playwright install "] = computer.puts(shell(5))
    result = computer.install()
    assert result.browser.path == shell(5)
    assert attempts(result) == [
        ("Playwright's download", True),
        ("playwright headless-shell", False),
        ("Playwright's libraries", True),
    ]
    assert "libnss3.so" in result.attempts[1].detail


def test_without_root_missing_libraries_are_reported_only():
    computer = Computer(["/usr/bin/apt-get"], {f"{shell(5)}": NO_LIBRARY})
    computer.outcomes["playwright install"] = computer.puts(shell(5))
    result = computer.install()
    assert result.browser is None
    assert attempts(result) == [
        ("Playwright's download", True),
        ("playwright headless-shell", False),
        ("apt-get", False),
    ]


def test_root_on_debian_installs_the_package():
    computer = Computer(["/usr/bin/apt-get"], {"playwright": OFFLINE}, is_root=True)
    computer.outcomes["apt-get update"] = Outcome(0)
    computer.outcomes[f"install -y {SHELL}"] = computer.puts(f"/usr/bin/{SHELL}")
    result = computer.install()
    assert (str(result.browser.path), result.browser.origin) == (f"/usr/bin/{SHELL}", "installed")
    assert attempts(result) == [
        ("Playwright's download", False),
        ("apt-get update", True),
        (f"apt-get {SHELL}", True),
    ]
    assert result.attempts[0].detail == "Error: getaddrinfo ENOTFOUND cdn"


def test_an_update_that_fails_does_not_stop_the_installation():
    computer = Computer(["/usr/bin/apt-get"], {"playwright": OFFLINE}, is_root=True)
    computer.outcomes["apt-get update"] = Outcome(100, "", "E: Failed to fetch\n")
    computer.outcomes[f"install -y {SHELL}"] = computer.puts(f"/usr/bin/{SHELL}")
    result = computer.install()
    assert result.browser is not None
    assert result.attempts[1].detail == "E: Failed to fetch"


def test_chromium_is_tried_where_there_is_no_package_of_the_shell():
    computer = Computer(["/usr/bin/apt-get"], {"playwright": OFFLINE}, is_root=True)
    computer.outcomes["apt-get update"] = Outcome(0)
    computer.outcomes[f"install -y {SHELL}"] = Outcome(100, "", "E: Unable to locate package\n")
    computer.outcomes["install -y chromium"] = computer.puts("/usr/bin/chromium")
    result = computer.install()
    assert result.browser.kind == "chromium"
    assert [attempt.ok for attempt in result.attempts] == [False, True, False, True]


def test_a_package_that_is_only_a_stub_leaves_the_static_renderer():
    computer = Computer(["/usr/bin/apt-get"], {"playwright": OFFLINE}, is_root=True)
    computer.outcomes["apt-get update"] = Outcome(0)
    computer.outcomes[f"install -y {SHELL}"] = Outcome(100, "", "E: Unable to locate package\n")
    computer.outcomes["install -y chromium"] = computer.puts("/usr/bin/chromium")
    computer.outcomes["/usr/bin/chromium --version"] = STUB
    result = computer.install()
    assert result.browser is None
    assert "requires the chromium snap" in result.attempts[-1].detail


def test_without_root_the_command_is_told_and_not_run():
    computer = Computer(["/usr/bin/apt-get"], {"playwright": OFFLINE})
    result = computer.install()
    assert result.browser is None
    assert result.attempts[-1].command == f"sudo apt-get install -y {SHELL}"
    assert "root" in result.attempts[-1].detail
    assert len(computer.ran) == 1


def test_a_linux_without_apt_is_told_so():
    result = Computer(outcomes={"playwright": OFFLINE}, is_root=True).install()
    assert attempts(result) == [("Playwright's download", False), ("apt-get", False)]
    assert result.attempts[-1].detail == "no apt-get here"


@pytest.mark.parametrize("system", ["Darwin", "Windows"])
def test_other_systems_have_playwrights_download_only(system):
    result = Computer(outcomes={"playwright": OFFLINE}, system=system).install()
    assert attempts(result) == [("Playwright's download", False)]


# The command


@pytest.fixture
def no_variable(monkeypatch):
    monkeypatch.delenv("STRUCTCE_BROWSER", raising=False)
    monkeypatch.delenv("PLAYWRIGHT_BROWSERS_PATH", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)


@pytest.mark.usefixtures("no_variable")
def test_the_command_prints_the_browser(capsys):
    assert browsers.main([], Computer([f"/usr/bin/{SHELL}"]).machine) == 0
    out = capsys.readouterr().out
    assert out == f"/usr/bin/{SHELL} (headless-shell 150.0.7000.1, installed)\n"


@pytest.mark.usefixtures("no_variable")
def test_the_command_installs_only_when_asked(capsys):
    computer = Computer()
    computer.outcomes["playwright install"] = computer.puts(shell(5))
    assert browsers.main([], computer.machine) == 1
    assert not computer.ran
    assert browsers.main(["--install"], computer.machine) == 0
    assert str(shell(5)) in capsys.readouterr().out


@pytest.mark.usefixtures("no_variable")
def test_the_command_installs_nothing_where_a_browser_is_found():
    computer = Computer(["/usr/bin/chromium"])
    assert browsers.main(["--install"], computer.machine) == 0
    assert computer.ran == ["/usr/bin/chromium --version"]


@pytest.mark.usefixtures("no_variable")
def test_the_command_warns_and_tells_each_step_that_failed(capsys):
    assert browsers.main(["--install"], Computer(outcomes={"playwright": OFFLINE}).machine) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Playwright's download: failed: Error: getaddrinfo" in captured.err
    assert "static renderer" in captured.err


def test_the_command_fails_otherwise_where_the_named_browser_does(monkeypatch, capsys):
    monkeypatch.setenv("STRUCTCE_BROWSER", "/opt/none")
    assert browsers.main(["--install"], Computer([f"/usr/bin/{SHELL}"]).machine) == 2
    assert "error: STRUCTCE_BROWSER: no browser at '/opt/none'" in capsys.readouterr().err


# This machine


@pytest.mark.browser
def test_the_browser_of_this_machine_is_found():
    found = find_browser()
    if found is None:
        pytest.skip("no browser here")
    assert found.path.is_file()
