#!/usr/bin/env python3
"""Set structce up in a virtual environment, then run its demo or its checks and tests.

    python3 run.py demo
    python3 run.py test -- tests/learners -k viterbi

It needs only the standard library. Outside the virtual environment it installs a browser for the
tests if none is found and, as root on Debian or Ubuntu, the package that `python3 -m venv` needs.
"""

import sys

# Before anything that an older Python cannot run; this file parses from Python 3.6 on.
if sys.version_info < (3, 11):  # noqa: UP036 - this line is for older Pythons
    version = f"{sys.version_info[0]}.{sys.version_info[1]} ({sys.executable})"
    sys.exit(f"run.py: structce needs Python 3.11 or later, for example python3.11; got {version}")

import argparse
import hashlib
import importlib.util
import os
import shlex
import shutil
import subprocess
import tempfile
import textwrap
import time
import webbrowser
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent
EXTRAS = {"demo": "browser,experiments,synthetic", "test": "browser,dev"}
STAMPED = ("setup.cfg", "setup.py", "constraints.txt", "pyproject.toml")

# Commands of the demo, each with the number of lines that are shown of what it prints.
DEMO = (
    ("structce corpus export data/sample out/demo/corpus --renderer {renderer}", 1),
    (
        "structce compare out/demo/corpus --learners multiclass-svm,linear-chain-crf --by site "
        "--seed 7 --out out/demo/report",
        3,
    ),
    ("structce train out/demo/corpus --learner linear-chain-crf --out out/demo/model", 2),
    ("structce corpus synthesise out/demo/unseen --sites 1 --pages 1 --seed 95", 1),
    (
        "structce label out/demo/unseen/pages --model out/demo/model --format text "
        "--renderer {renderer}",
        8,
    ),
)
OVERLAY = " --overlay out/demo/pictures"  # of the last command, which draws with a browser only
DEMO_END = """
out/demo/report has the comparison, out/demo/model the model, out/demo/pictures (with a browser) the
labels over the page of an unseen site. Try next, after: {activate}
  structce label page.html                       a file of yours, with the shipped model
  structce label https://example.org/article     a page on the web
  structce features list                         what the learners see; the guide: docs/guide.md
Open: {pages}"""

CHECKS = ("ruff check .", "ruff format --check .", "mypy")
PYTEST = "-m pytest -n auto"
BROWSER = "-m structce.rendering.chromium --install"


class SetupError(Exception):
    """Setting up failed; the message says what to do."""


def run_command(command: Sequence[str], environ: Mapping[str, str], quiet: bool) -> tuple[int, str]:
    """Run a command in the project's folder; return its code and, if quiet, what it printed."""
    sys.stdout.flush()
    pipe, same = (subprocess.PIPE, subprocess.STDOUT) if quiet else (None, None)
    try:
        done = subprocess.run(command, cwd=ROOT, env=environ, stdout=pipe, stderr=same, check=False)
    except OSError as error:
        return 127, f"{command[0]}: {error.strerror}"
    return done.returncode, (done.stdout or b"").decode(errors="replace").strip()


def has_desktop() -> bool:
    """Return whether somebody looks on who could be shown a page."""
    is_system = os.name == "nt" or sys.platform == "darwin"
    has_screen = bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return sys.stdout.isatty() and (is_system or has_screen)


@dataclass(frozen=True)
class Job:
    """One call of run.py: the environment's folder, variables, and the machine's answers."""

    venv: Path
    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    run: Callable[[Sequence[str], Mapping[str, str], bool], tuple[int, str]] = run_command
    has_ensurepip: Callable[[], bool] = lambda: importlib.util.find_spec("ensurepip") is not None
    is_root: Callable[[], bool] = lambda: hasattr(os, "geteuid") and os.geteuid() == 0
    which: Callable[[str], str | None] = shutil.which
    has_desktop: Callable[[], bool] = has_desktop
    open: Callable[[str], object] = webbrowser.open

    def command(self, name: str) -> str:
        """Return the path of a command of the virtual environment."""
        windows = os.name == "nt"
        return str(self.venv / ("Scripts" if windows else "bin") / (name + ".exe" * windows))

    def python(self, arguments: str, *more: str) -> list[str]:
        """Return the environment's Python with these arguments."""
        return [self.command("python"), *shlex.split(arguments), *more]

    def show(self, command: Sequence[str]) -> int:
        """Run a command whose output the user sees; return its code."""
        return self.run(command, self.environ, False)[0]

    def quiet(self, command: Sequence[str]) -> tuple[int, str]:
        """Run a command whose output is shown only after a failure; return its code and output."""
        return self.run(command, {**self.environ, "DEBIAN_FRONTEND": "noninteractive"}, True)


def say(message: str) -> None:
    """Print to standard error, where it does not mix with what the commands print."""
    print("run.py:", message, file=sys.stderr, flush=True)


def fail(what: str) -> int:
    """Print what failed; return the exit status for it."""
    say(f"failed: {what}")
    return 1


@contextmanager
def step(name: str) -> Iterator[None]:
    """Print what was done, and how long it took."""
    say(f"{name} ...")
    begin = time.monotonic()
    yield
    say(f"{name}: {time.monotonic() - begin:.1f} s")


def check_writable(folder: Path) -> None:
    """Raise SetupError if files cannot be created in the folder."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        why = f"{folder} cannot be written ({error.strerror}); run a copy in a folder of your own"
        raise SetupError(why) from None


def make_environment(job: Job) -> None:
    """Create the virtual environment, unless a working one exists."""
    config = job.venv / "pyvenv.cfg"
    if config.exists():
        if is_working(job):
            return
        say(f"the virtual environment {job.venv} does not work; creating it again")
    elif job.venv.exists() and (not job.venv.is_dir() or any(job.venv.iterdir())):
        raise SetupError(f"{job.venv} is not a virtual environment; choose another --venv")
    if not job.has_ensurepip():
        install_ensurepip(job)
    job.venv.parent.mkdir(parents=True, exist_ok=True)
    check_writable(job.venv.parent)
    command = [sys.executable, "-m", "venv", "--clear", str(job.venv)]
    with step(f"creating the virtual environment {job.venv}"):
        code, output = job.quiet(command)
    if code != 0:
        raise SetupError(f"{output}\nfailed: {shlex.join(command)}")


def is_working(job: Job) -> bool:
    """Return whether the environment has a new enough Python, and pip or the means to get it."""
    if job.quiet(job.python("-c 'import sys; sys.exit(sys.version_info < (3, 11))'"))[0] != 0:
        return False
    return any(job.quiet(job.python(f"-m {way}"))[0] == 0 for way in ("pip --version", "ensurepip"))


def install_ensurepip(job: Job) -> None:
    """Install the package of Debian and Ubuntu that `python3 -m venv` needs."""
    package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
    trouble = "this Python cannot create virtual environments: it lacks ensurepip.\n"
    advice = f"Fix it with: sudo apt-get install -y {package}"
    if not job.which("apt-get"):
        raise SetupError(trouble + "Install your system's package for it, or another Python.")
    if not job.is_root():
        raise SetupError(trouble + advice)
    with step(f"apt-get install -y {package}"):
        job.quiet(["apt-get", "update"])
        code, output = job.quiet(["apt-get", "install", "-y", package])
    if code != 0:
        raise SetupError(f"{output}\n{trouble}{advice}")


def fingerprint(job: Job, extras: str) -> str:
    """Return what an installation depends on, including the two folders recorded in it."""
    known = [str(ROOT), str(job.venv), sys.version, extras]
    known += [(ROOT / name).read_text(encoding="utf-8") for name in STAMPED]
    return hashlib.sha256("\0".join(known).encode()).hexdigest()


def install(job: Job, extras: str) -> bool:
    """Install structce with these extras; return whether Playwright is among them.

    Tried in this order: the tested versions; the newest ones; the newest without Playwright,
    which is not built for every machine.
    """
    stamp = job.venv / f"structce-{extras.replace(',', '-')}.stamp"
    mark = fingerprint(job, extras)
    if stamp.exists() and stamp.read_text(encoding="utf-8") == mark:
        return True
    rest = ",".join(extra for extra in extras.split(",") if extra != "browser")
    with step("installing structce (minutes, the first time)"):
        if pip(job, extras, ["-c", "constraints.txt"]) or pip(job, extras, []):
            stamp.write_text(mark, encoding="utf-8")
            return True
        if pip(job, rest, []):
            say("warning: Playwright could not be installed; going on without a browser")
            return False
    raise SetupError("installing failed, see above; pip needs the internet or PIP_INDEX_URL")


def pip(job: Job, extras: str, options: Sequence[str]) -> bool:
    """Run one pip install; show the end of its output if it fails."""
    what = f".[{extras}]" if extras else "."
    command = job.python("-m pip install --disable-pip-version-check", *options, "-e", what)
    code, output = job.quiet(command)
    if code != 0:
        print(*output.splitlines()[-15:], sep="\n", file=sys.stderr)
        fail(shlex.join(command))
    return code == 0


def has_browser(job: Job) -> bool:
    """Find or install a browser; return whether there is one."""
    with step("looking for a browser"):
        code = job.show(job.python(BROWSER))
    if code == 2:  # the user named one, and it does not work: nothing else would be what they want
        raise SetupError("the browser that you named does not work; see above")
    return code == 0


def test(job: Job, browser: bool, more: Sequence[str]) -> int:
    """Run every check, then the tests; return 1 if any of them failed."""
    failed = []
    commands = {"extension": job.python("extension/prepare.py")} if browser else {}
    commands |= {check: job.python(f"-m {check}") for check in CHECKS}
    commands["pytest"] = job.python(PYTEST, *([] if browser else ["-m", "not browser"]), *more)
    for name, command in commands.items():
        with step(name):
            if job.show(command) != 0:
                failed.append(name)
    return fail(", ".join(failed)) if failed else 0


def demo(job: Job, browser: bool) -> int:
    """Run the demo's commands, and open what they wrote; return 1 at the first that fails."""
    if not (ROOT / "data/sample/manifest.json").is_file():
        raise SetupError("data/sample: the sample corpus is missing")
    shutil.rmtree(ROOT / "out/demo", ignore_errors=True)
    renderer = "chromium" if browser else "static"
    for number, (line, n_lines) in enumerate(DEMO, start=1):
        is_drawn = browser and number == len(DEMO)
        words = shlex.split(line.format(renderer=renderer) + OVERLAY * is_drawn)
        print(f"$ {shlex.join(words)}", flush=True)
        code, output = job.quiet([job.command(words[0]), *words[1:]])
        print(output if code else excerpt(output, n_lines))
        if code != 0:
            return fail(shlex.join(words))
    activate = ("" if os.name == "nt" else ". ") + str(Path(job.command("x")).parent / "activate")
    files = (ROOT / "out/demo").glob("pictures/0*.png")
    pages = [file.as_uri() for file in (ROOT / "out/demo/report/report.html", *files)]
    print(DEMO_END.format(activate=activate, pages=" ".join(pages)))
    if job.has_desktop():
        for page in pages:
            job.open(page)
    return 0


def excerpt(output: str, n_lines: int) -> str:
    """Return the first lines of an output, as wide as a page and without empty ones."""
    wrapped = [part for line in output.splitlines() for part in textwrap.wrap(line, 100)]
    return "\n".join([*wrapped[:n_lines], *["…"] * (len(wrapped) > n_lines)])


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Return the options; arguments after ``--`` are for pytest."""
    cut = argv.index("--") if "--" in argv else len(argv)
    parser = argparse.ArgumentParser(
        "run.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("action", choices=sorted(EXTRAS), help="what to do, once all is set up")
    parser.add_argument("--venv", default=str(ROOT / ".venv"), metavar="DIR", help="default: .venv")
    browser = parser.add_mutually_exclusive_group()
    browser.add_argument("--browser", metavar="PATH", help="the Chromium, Chrome or Edge to use")
    browser.add_argument("--no-browser", action="store_true", help="neither use nor look for one")
    options = parser.parse_args(argv[:cut])
    options.more = list(argv[cut + 1 :])
    if options.browser and Path(options.browser).exists():  # else a name on the PATH, or an error
        options.browser = str(Path(options.browser).absolute())
    if options.more and options.action != "test":
        parser.error("arguments after -- are for pytest: run.py test -- ...")
    return options


def main(argv: Sequence[str], job: Job | None = None) -> int:
    """Set up, then run the action; return the exit status."""
    options = parse(argv)
    environ = {**os.environ, **({"STRUCTCE_BROWSER": options.browser} if options.browser else {})}
    environ.pop("PYTHONDONTWRITEBYTECODE", None)  # hundreds of processes would compile all again
    job = job or Job(Path(options.venv).expanduser().absolute(), environ)
    try:
        check_writable(ROOT)
        make_environment(job)
        playwright = install(job, EXTRAS[options.action])
        browser = playwright and not options.no_browser and has_browser(job)
        if not browser:
            say("warning: no browser, so no layout; tests that need one are skipped")
        return test(job, browser, options.more) if options.action == "test" else demo(job, browser)
    except (SetupError, OSError) as error:
        say(f"error: {error}")
        return 1
    except KeyboardInterrupt:
        return fail("interrupted")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
