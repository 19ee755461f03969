"""Each branch of the installation of a browser, and the command, on machines made up here."""

import sys
from pathlib import Path

import pytest

from structce.rendering.chromium import discovery
from structce.rendering.chromium.discovery import CommandResult

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


def attempts(result: discovery.Search) -> list[tuple[str, bool]]:
    return [(attempt.name, attempt.ok) for attempt in result.attempts]


OFFLINE = CommandResult(
    1, "Downloading\n", "Error: getaddrinfo ENOTFOUND cdn\nError: Download failure\n    at X\n"
)


def test_playwrights_download_is_tried_first(make_computer):
    computer = make_computer()
    computer.outcomes["playwright install"] = computer.puts(shell(5))
    result = computer.install()
    assert (result.browser.path, result.browser.origin) == (shell(5), "playwright")
    assert attempts(result) == [("Playwright's download", True)]
    assert computer.ran[0] == f"{sys.executable} -m playwright install {SHELL}"


def test_a_download_whose_libraries_are_missing_is_mended_by_root(make_computer):
    computer = make_computer(["/usr/bin/apt-get"], {f"{shell(5)}": NO_LIBRARY}, is_root=True)

    def mend(_: object) -> CommandResult:
        computer.outcomes[str(shell(5))] = STARTS
        return CommandResult(0)

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


def test_without_root_missing_libraries_are_reported_only(make_computer):
    computer = make_computer(["/usr/bin/apt-get"], {f"{shell(5)}": NO_LIBRARY})
    computer.outcomes["playwright install"] = computer.puts(shell(5))
    result = computer.install()
    assert result.browser is None
    assert attempts(result) == [
        ("Playwright's download", True),
        ("playwright headless-shell", False),
        ("apt-get", False),
    ]


def test_root_on_debian_installs_the_package(make_computer):
    computer = make_computer(["/usr/bin/apt-get"], {"playwright": OFFLINE}, is_root=True)
    computer.outcomes["apt-get update"] = CommandResult(0)
    computer.outcomes[f"install -y {SHELL}"] = computer.puts(f"/usr/bin/{SHELL}")
    result = computer.install()
    assert (str(result.browser.path), result.browser.origin) == (
        f"/usr/bin/{SHELL}",
        "installed",
    )
    assert attempts(result) == [
        ("Playwright's download", False),
        ("apt-get update", True),
        (f"apt-get {SHELL}", True),
    ]
    assert result.attempts[0].detail == "Error: getaddrinfo ENOTFOUND cdn"


def test_an_update_that_fails_does_not_stop_the_installation(make_computer):
    computer = make_computer(["/usr/bin/apt-get"], {"playwright": OFFLINE}, is_root=True)
    computer.outcomes["apt-get update"] = CommandResult(100, "", "E: Failed to fetch\n")
    computer.outcomes[f"install -y {SHELL}"] = computer.puts(f"/usr/bin/{SHELL}")
    result = computer.install()
    assert result.browser is not None
    assert result.attempts[1].detail == "E: Failed to fetch"


def test_chromium_is_tried_where_there_is_no_package_of_the_shell(make_computer):
    computer = make_computer(["/usr/bin/apt-get"], {"playwright": OFFLINE}, is_root=True)
    computer.outcomes["apt-get update"] = CommandResult(0)
    computer.outcomes[f"install -y {SHELL}"] = CommandResult(
        100, "", "E: Unable to locate package\n"
    )
    computer.outcomes["install -y chromium"] = computer.puts("/usr/bin/chromium")
    result = computer.install()
    assert result.browser.kind == "chromium"
    assert [attempt.ok for attempt in result.attempts] == [False, True, False, True]


def test_a_package_that_is_only_a_stub_leaves_the_static_renderer(make_computer):
    computer = make_computer(["/usr/bin/apt-get"], {"playwright": OFFLINE}, is_root=True)
    computer.outcomes["apt-get update"] = CommandResult(0)
    computer.outcomes[f"install -y {SHELL}"] = CommandResult(
        100, "", "E: Unable to locate package\n"
    )
    computer.outcomes["install -y chromium"] = computer.puts("/usr/bin/chromium")
    computer.outcomes["/usr/bin/chromium --version"] = STUB
    result = computer.install()
    assert result.browser is None
    assert "requires the chromium snap" in result.attempts[-1].detail


def test_without_root_the_command_is_told_and_not_run(make_computer):
    computer = make_computer(["/usr/bin/apt-get"], {"playwright": OFFLINE})
    result = computer.install()
    assert result.browser is None
    assert result.attempts[-1].command == f"sudo apt-get install -y {SHELL}"
    assert "root" in result.attempts[-1].detail
    assert len(computer.ran) == 1


def test_a_linux_without_apt_is_told_so(make_computer):
    result = make_computer(outcomes={"playwright": OFFLINE}, is_root=True).install()
    assert attempts(result) == [("Playwright's download", False), ("apt-get", False)]
    assert result.attempts[-1].detail == "no apt-get here"


@pytest.mark.parametrize("system", ["Darwin", "Windows"])
def test_other_systems_have_playwrights_download_only(system, make_computer):
    result = make_computer(outcomes={"playwright": OFFLINE}, system=system).install()
    assert attempts(result) == [("Playwright's download", False)]


# The command


@pytest.fixture
def no_variable(monkeypatch):
    monkeypatch.delenv("STRUCTCE_BROWSER", raising=False)
    monkeypatch.delenv("PLAYWRIGHT_BROWSERS_PATH", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)


@pytest.mark.usefixtures("no_variable")
def test_the_command_prints_the_browser(capsys, make_computer):
    assert discovery.browser_command([], make_computer([f"/usr/bin/{SHELL}"]).machine) == 0
    out = capsys.readouterr().out
    assert out == f"/usr/bin/{SHELL} (headless-shell 150.0.7000.1, installed)\n"


@pytest.mark.usefixtures("no_variable")
def test_the_command_installs_only_when_asked(capsys, make_computer):
    computer = make_computer()
    computer.outcomes["playwright install"] = computer.puts(shell(5))
    assert discovery.browser_command([], computer.machine) == 1
    assert not computer.ran
    assert discovery.browser_command(["--install"], computer.machine) == 0
    assert str(shell(5)) in capsys.readouterr().out


@pytest.mark.usefixtures("no_variable")
def test_the_command_installs_nothing_where_a_browser_is_found(make_computer):
    computer = make_computer(["/usr/bin/chromium"])
    assert discovery.browser_command(["--install"], computer.machine) == 0
    assert computer.ran == ["/usr/bin/chromium --version"]


@pytest.mark.usefixtures("no_variable")
def test_a_browser_that_loads_extensions_is_no_shell(monkeypatch, capsys, make_computer):
    computer = make_computer([f"/usr/bin/{SHELL}", "/usr/bin/google-chrome"])
    assert discovery.browser_command(["--extensions"], computer.machine) == 1
    assert "no full Chromium" in capsys.readouterr().err
    computer.outcomes["playwright install chromium"] = computer.puts(chromium(5))
    assert discovery.browser_command(["--extensions", "--install"], computer.machine) == 0
    assert str(chromium(5)) in capsys.readouterr().out
    monkeypatch.setenv("STRUCTCE_BROWSER", f"/usr/bin/{SHELL}")
    assert discovery.browser_command(["--extensions"], computer.machine) == 0
    assert str(chromium(5)) in capsys.readouterr().out


def test_a_browser_that_loads_extensions_comes_from_debian(make_computer):
    computer = make_computer(["/usr/bin/apt-get"], is_root=True)
    computer.outcomes["playwright"] = OFFLINE
    computer.outcomes["apt-get install"] = computer.puts("/usr/bin/chromium")
    search = discovery.install_browser(computer.machine, kind=discovery.LOADS_EXTENSIONS)
    assert search.browser.path == Path("/usr/bin/chromium")
    (line,) = (line for line in computer.ran if "apt-get install" in line)
    assert line.endswith(" chromium")


@pytest.mark.usefixtures("no_variable")
def test_the_command_warns_and_tells_each_step_that_failed(capsys, make_computer):
    assert (
        discovery.browser_command(
            ["--install"], make_computer(outcomes={"playwright": OFFLINE}).machine
        )
        == 1
    )
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Playwright's download: failed: Error: getaddrinfo" in captured.err
    assert "static renderer" in captured.err


def test_the_command_fails_otherwise_where_the_named_browser_does(
    monkeypatch, capsys, make_computer
):
    monkeypatch.setenv("STRUCTCE_BROWSER", "/opt/none")
    assert (
        discovery.browser_command(["--install"], make_computer([f"/usr/bin/{SHELL}"]).machine) == 2
    )
    assert "error: STRUCTCE_BROWSER: no browser at '/opt/none'" in capsys.readouterr().err
