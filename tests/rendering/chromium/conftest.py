"""A machine made up for the tests: its files, and how its commands end."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from structce.rendering.chromium import discovery
from structce.rendering.chromium.discovery import (
    CommandResult,
    Machine,
    find_browser,
    install_browser,
)

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


class Computer:
    """A machine on which these files exist, and commands end as told.

    A command is matched by the words that it holds; a browser starts unless it is told otherwise.
    A command may also change the machine, as an installation does.
    """

    def __init__(
        self,
        files: Iterable[str | Path] = (),
        outcomes: Mapping[str, CommandResult | Callable[["Computer"], CommandResult]] | None = None,
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

    def run(self, command: Sequence[str], seconds: float) -> CommandResult:
        assert seconds > 0
        self.ran.append(" ".join(command))
        for words, outcome in self.outcomes.items():
            if words in self.ran[-1]:
                return outcome if isinstance(outcome, CommandResult) else outcome(self)
        return STARTS if command[0] in self.files else CommandResult(127, "", "no such command")

    def which(self, name: str) -> str | None:
        return next((file for file in self.files if file == f"/usr/bin/{name}"), None)

    def names(self, folder: Path) -> list[str]:
        start = f"{folder}/"
        inside = [file.removeprefix(start) for file in self.files if file.startswith(start)]
        return sorted({file.split("/")[0] for file in inside})

    def puts(self, file: str | Path) -> Callable[["Computer"], CommandResult]:
        """An outcome after which this file is there."""

        def outcome(computer: "Computer") -> CommandResult:
            computer.files.append(str(file))
            return CommandResult(0)

        return outcome

    def find(self, explicit: str | None = None, **environ: str) -> discovery.Browser | None:
        return find_browser(explicit, replace(self.machine, environ=environ))

    def install(self, **environ: str) -> discovery.Search:
        return install_browser(replace(self.machine, environ=environ))


@pytest.fixture
def make_computer() -> type[Computer]:
    return Computer
