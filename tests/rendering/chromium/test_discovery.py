"""Each branch of the search for a browser, on machines made up here."""

from dataclasses import replace
from pathlib import Path

import pytest

from structce.errors import BrowserError
from structce.rendering.chromium import discovery
from structce.rendering.chromium.discovery import CommandResult, find_browser, search_browser

HOME = Path("/home/ann")
CACHE = HOME / ".cache" / "ms-playwright"
SHELL = "chromium-headless-shell"
STARTS = CommandResult(0, "Chromium 150.0.7000.1 built on something\n")
STUB = CommandResult(
    1, "", "Command 'chromium-browser' requires the chromium snap to be installed.\n"
)
NO_LIBRARY = CommandResult(
    127, "", "/x: error while loading shared libraries: libnss3.so: cannot open shared object\n"
)


def shell(revision: int) -> Path:
    place = f"chromium_headless_shell-{revision}/chrome-headless-shell-linux64"
    return CACHE / place / "chrome-headless-shell"


def chromium(revision: int) -> Path:
    return CACHE / f"chromium-{revision}/chrome-linux64/chrome"


# A browser that the user names


def test_the_argument_goes_before_the_variable_and_all_else(make_computer):
    computer = make_computer(["/opt/edge/msedge", "/opt/chrome", f"/usr/bin/{SHELL}"])
    browser = computer.find("/opt/edge/msedge", STRUCTCE_BROWSER="/opt/chrome")
    assert browser == discovery.Browser(
        Path("/opt/edge/msedge"), "edge", "150.0.7000.1", "argument"
    )


def test_the_variable_goes_before_an_installed_browser(make_computer):
    computer = make_computer(["/opt/chrome", f"/usr/bin/{SHELL}"])
    browser = computer.find(STRUCTCE_BROWSER="/opt/chrome")
    assert (str(browser.path), browser.kind, browser.origin) == (
        "/opt/chrome",
        "chrome",
        "STRUCTCE_BROWSER",
    )


def test_an_empty_variable_names_nothing(make_computer):
    assert make_computer().find(STRUCTCE_BROWSER="") is None


def test_a_named_browser_may_be_a_command_on_the_path(make_computer):
    browser = make_computer(["/usr/bin/chromium"]).find("chromium")
    assert (browser.path, browser.kind) == (Path("/usr/bin/chromium"), "chromium")


@pytest.mark.parametrize("name", ["/opt/none", "none"])
def test_a_named_browser_that_does_not_exist_is_an_error(name, make_computer):
    computer = make_computer([f"/usr/bin/{SHELL}"])
    with pytest.raises(BrowserError, match=f"argument: no browser at '{name}'"):
        computer.find(name)
    with pytest.raises(BrowserError, match="STRUCTCE_BROWSER: no browser"):
        computer.find(STRUCTCE_BROWSER=name)


def test_a_named_browser_that_does_not_start_is_an_error(make_computer):
    computer = make_computer(["/opt/chrome", f"/usr/bin/{SHELL}"], {"/opt/chrome": NO_LIBRARY})
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
def test_a_browser_on_the_path_is_found(command, kind, make_computer):
    browser = make_computer([f"/usr/bin/{command}"]).find()
    assert browser == discovery.Browser(
        Path(f"/usr/bin/{command}"), kind, "150.0.7000.1", "installed"
    )


def test_a_headless_shell_goes_before_the_others(make_computer):
    computer = make_computer(["/usr/bin/google-chrome", "/usr/bin/chromium", f"/usr/bin/{SHELL}"])
    assert computer.find().kind == "headless-shell"


@pytest.mark.parametrize(
    "outcome",
    [STUB, NO_LIBRARY, CommandResult(124), CommandResult(0, "Please install the snap\n")],
    ids=["stub", "library", "hangs", "stub that succeeds"],
)
def test_an_installed_browser_that_does_not_start_is_passed_over(outcome, make_computer):
    files = ["/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
    computer = make_computer(files, {"chromium-browser": outcome})
    result = search_browser(None, replace(computer.machine, environ={}))
    assert result.browser.kind == "chrome"
    (attempt,) = result.attempts
    assert not attempt.ok
    assert "/usr/bin/chromium-browser does not start" in attempt.detail


@pytest.mark.parametrize("root", ["/Applications", "/home/ann/Applications"])
@pytest.mark.parametrize(
    ("name", "kind"),
    [("Chromium", "chromium"), ("Google Chrome", "chrome"), ("Microsoft Edge", "edge")],
)
def test_an_application_of_macos_is_found(root, name, kind, make_computer):
    path = f"{root}/{name}.app/Contents/MacOS/{name}"
    browser = make_computer([path], system="Darwin").find()
    assert (str(browser.path), browser.kind) == (path, kind)


def test_applications_of_macos_are_not_sought_elsewhere(make_computer):
    assert make_computer(["/Applications/Chromium.app/Contents/MacOS/Chromium"]).find() is None


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
def test_a_program_of_windows_is_found_without_opening_a_window(root, place, kind, make_computer):
    page = CommandResult(0, "<html><head></head><body></body></html>")
    computer = make_computer([f"{root}/{place}"], {"--headless": page}, system="Windows")
    browser = computer.find(**WINDOWS)
    assert (str(browser.path), browser.kind, browser.version) == (f"{root}/{place}", kind, None)
    assert not any("--version" in command for command in computer.ran)


def test_a_program_of_windows_that_shows_no_page_is_passed_over(make_computer):
    path = "/c/pf/Google/Chrome/Application/chrome.exe"
    computer = make_computer([path], {"--headless": CommandResult(0)}, system="Windows")
    assert computer.find(**WINDOWS) is None


# What Playwright has downloaded


def test_an_installed_browser_goes_before_playwrights(make_computer):
    assert make_computer([shell(9), "/usr/bin/microsoft-edge"]).find().kind == "edge"


def test_the_newest_headless_shell_goes_first(make_computer):
    browser = make_computer([chromium(1300), shell(999), shell(1200)]).find()
    assert (browser.path, browser.kind, browser.origin) == (
        shell(1200),
        "headless-shell",
        "playwright",
    )


def test_the_newest_chromium_is_taken_where_there_is_no_shell(make_computer):
    browser = make_computer([chromium(999), chromium(1200)]).find()
    assert (browser.path, browser.kind) == (chromium(1200), "chromium")


def test_an_older_download_is_taken_where_the_newest_does_not_start(make_computer):
    computer = make_computer([shell(1), shell(2)], {"shell-2/": NO_LIBRARY})
    assert computer.find().path == shell(1)


def test_other_folders_in_the_cache_are_no_browsers(make_computer):
    names = ["ffmpeg-1/ffmpeg", "chromium-tip-of-tree-5/chrome-linux/chrome", "chromium-7/readme"]
    assert make_computer([CACHE / name for name in names]).find() is None


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
def test_the_cache_is_sought_where_each_system_keeps_it(system, environ, path, make_computer):
    path = path.format("chromium_headless_shell-5")
    outcomes = {"--headless": CommandResult(0, "<html>")} if system == "Windows" else {}
    browser = make_computer([path], outcomes, system=system).find(**environ)
    assert (str(browser.path), browser.origin) == (path, "playwright")


@pytest.mark.parametrize(
    "bundle",
    [
        "Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
        "Chromium.app/Contents/MacOS/Chromium",
    ],
)
def test_a_downloaded_application_of_macos_is_found(bundle, make_computer):
    path = f"/home/ann/Library/Caches/ms-playwright/chromium-5/chrome-mac/{bundle}"
    assert str(make_computer([path], system="Darwin").find().path) == path


def test_browsers_beside_the_package_are_playwrights_own_choice(make_computer):
    playwright = pytest.importorskip("playwright")
    folder = Path(playwright.__file__).parent / "driver/package/.local-browsers"
    path = folder / "chromium-5/chrome-linux/chrome"
    assert make_computer([path]).find(PLAYWRIGHT_BROWSERS_PATH="0").path == path


def test_nothing_is_found_on_a_machine_without_a_browser(make_computer):
    assert make_computer().find() is None


# This machine


@pytest.mark.browser
def test_the_browser_of_this_machine_is_found():
    browser = find_browser()
    if browser is None:
        pytest.skip("no browser here")
    assert browser.path.is_file()
