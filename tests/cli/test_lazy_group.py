"""Features from elsewhere: files and modules that are named, packages that are installed."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from structce.cli.lazy_group import ENTRY_POINT_GROUP
from structce.features import registry

pytestmark = pytest.mark.usefixtures("forgets_imports")

ROOT = Path(__file__).parents[2]

Run = Callable[..., tuple[int, str, str]]


def names(out: str) -> list[str]:
    return [row["name"] for row in json.loads(out)]


def test_a_file_is_imported_before_or_after_the_command(run: Run, shouts: Path) -> None:
    listing = ("features", "list", "--format", "json")
    code, out, _ = run(*listing, "--import", shouts)
    assert code == 0
    assert "text.zz-shouts" in names(out)
    code, out, _ = run("--import", shouts, *listing, "--import", shouts)
    assert code == 0
    assert names(out).count("text.zz-shouts") == 1


@pytest.mark.parametrize(
    "command",
    [
        "label",
        "render",
        "corpus info",
        "corpus import",
        "corpus synthesise",
        "train",
        "evaluate",
        "compare",
        "features list",
        "features show",
        "features new",
        "features try",
        "explain",
        "model show",
        "doctor",
        "engines add",
    ],
)
def test_every_command_takes_imports(run: Run, command: str) -> None:
    for _ in range(2):  # the commands live on; the option is put there once
        code, out, _ = run(*command.split(), "--help")
        assert code == 0
        assert out.count("--import FILE.py|MODULE") == 1


def test_a_file_that_cannot_be_imported_is_one_line_with_file_and_line(
    run: Run, tmp_path: Path, make_cues: Callable[[str, str], Path]
) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("import numpy\nnumpy.no_such_thing\n")
    code, out, err = run("features", "list", "--import", bad)
    assert (code, out) == (1, "")
    assert re.fullmatch(r"error: .*bad\.py, line 2: AttributeError: .*\n", err)
    code, _, err = run("--import", tmp_path / "none.py", "features", "list")
    assert code == 1
    assert "none.py: no such file" in err
    taken = make_cues("taken.py", "token")
    code, _, err = run("features", "list", "--import", taken)
    assert code == 1
    assert "taken.py, line 4: the name 'text.token' is taken" in err


def test_features_of_other_packages_are_there_and_broken_ones_are_warned_of(
    shouts: Path, tmp_path: Path
) -> None:
    (tmp_path / "zz_broken.py").write_text("1 / 0\n")
    for package, module in (("zz-good", "my_cues"), ("zz-bad", "zz_broken")):
        info = tmp_path / f"{package.replace('-', '_')}-1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1\n")
        (info / "entry_points.txt").write_text(f"[{ENTRY_POINT_GROUP}]\ncues = {module}\n")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from structce.cli import main; main()"
    )
    command = [sys.executable, "-c", code, "features", "list", "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    assert "text.zz-shouts" in names(done.stdout)
    assert "package zz-bad: " in done.stderr
    assert "zz_broken.py, line 1: ZeroDivisionError" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_command_line_looks_at_the_group_that_the_registry_loads() -> None:
    assert ENTRY_POINT_GROUP == registry._ENTRY_POINTS
