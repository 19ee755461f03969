"""What the doctor says of machines that lack one thing or another."""

import json
import sys
from dataclasses import asdict
from importlib import metadata

import pytest

from structce import doctor, rendering
from structce.doctor import Check
from structce.errors import BrowserError
from structce.rendering.chromium import discovery
from structce.rendering.chromium.discovery import is_root


def installed(**versions):
    """A look-up of versions in which only these distributions are installed."""

    def version_of(name):
        try:
            return versions[name.replace("-", "_")]
        except KeyError:
            raise metadata.PackageNotFoundError(name) from None

    return version_of


def requirement(line, **versions):
    (check,) = doctor.check_requirements([line], installed(**versions))
    return check


def test_an_older_python_is_named_with_what_to_do():
    check = doctor.check_python((3, 10, 4))
    assert (check.ok, check.found, check.required) == (False, "3.10.4", True)
    assert "3.11" in check.mend


@pytest.mark.parametrize("version", [(3, 11, 0), (3, 13, 2), (4, 0, 0)])
def test_a_python_that_is_new_enough_is_ok(version):
    assert doctor.check_python(version).ok


def test_structce_that_is_not_installed_is_missing():
    assert doctor.check_version(installed(structce="0.1.0")) == Check("structce", True, "0.1.0")
    check = doctor.check_version(installed())
    assert not check.ok
    assert check.mend.endswith("-m pip install -e .")


@pytest.mark.parametrize("version", ["1.26", "1.26.0", "1.26.4", "1.100", "2", "1.27rc1"])
def test_a_version_at_or_above_the_bound_is_ok(version):
    assert requirement("numpy>=1.26", numpy=version).ok


@pytest.mark.parametrize("version", ["1.9", "1.25.9", "0.99", "1"])
def test_a_version_below_the_bound_is_not(version):
    check = requirement("numpy>=1.26", numpy=version)
    assert not check.ok
    assert check.found == f"{version}, expected 1.26 or later"
    assert check.mend.endswith("-m pip install 'numpy>=1.26'")


def test_a_bound_with_zeros_at_its_end_is_met_without_them():
    assert requirement("numpy>=2.0.0", numpy="2").ok


def test_a_dependency_that_is_missing_is_required():
    check = requirement("scikit-learn>=1.4")
    assert (check.ok, check.required, check.found) == (False, True, "not installed")


def test_a_requirement_without_a_bound_is_met_by_any_version():
    assert requirement("numpy", numpy="0.1").ok
    assert requirement("numpy; python_version > '3.0'", numpy="0.1").ok


def test_the_browser_extra_is_a_warning():
    check = requirement('playwright>=1.45; extra == "browser"')
    assert (check.name, check.required) == ("playwright (extra browser)", False)
    assert check.status() == "warning"


def test_other_extras_are_not_looked_at():
    lines = ['pytest>=8.0; extra == "dev"', "ray>=2 ; python_version > '3' and extra == 'bulk'"]
    assert list(doctor.check_requirements(lines, installed())) == []


def test_every_requirement_of_structce_is_understood():
    lines = metadata.requires("structce")
    core = [line for line in lines if "extra ==" not in line]
    checks = list(doctor.check_requirements())
    browser = [line for line in lines if line.endswith('extra == "browser"')]
    assert len(checks) == len(core) + len(browser)
    for line, check in zip(core, checks, strict=False):
        match = doctor.REQUIREMENT.match(line)
        assert match["least"], f"{line}: the doctor reads lower bounds only"
        assert check.name == match["name"]


@pytest.fixture
def seek(monkeypatch):
    """Let the search for a browser give this result, or raise this error."""

    def give(result):
        def search():
            if isinstance(result, Exception):
                raise result
            return result

        monkeypatch.setattr(rendering, "search_browser", search)

    return give


def test_a_browser_is_shown_with_its_version(seek, tmp_path):
    program = discovery.BrowserProgram(tmp_path / "chrome", "chrome", "150.0.1", "installed")
    seek(discovery.Search(program))
    check = doctor.check_browser()
    assert check.ok
    assert check.found.startswith(f"{tmp_path / 'chrome'} (chrome 150.0.1, installed)")
    assert ("without its own sandbox" in check.found) == is_root()


def test_without_a_browser_there_is_a_warning_and_a_command(seek):
    seek(discovery.Search(None, ("/c does not start: no lib",)))
    check = doctor.check_browser()
    assert check.status() == "warning"
    assert "static renderer" in check.found
    assert "/c does not start: no lib" in check.found
    assert check.mend == "structce doctor --install-browser"


def test_a_named_browser_that_fails_is_required(seek):
    seek(BrowserError("STRUCTCE_BROWSER: no browser at '/opt/none'"))
    check = doctor.check_browser()
    assert check.status() == "MISSING"
    assert "/opt/none" in check.found


def test_the_browser_is_not_sought_where_its_package_cannot_be_imported(monkeypatch):
    monkeypatch.setitem(sys.modules, "structce.rendering", None)
    check = doctor.check_browser()
    assert not check.ok
    assert "cannot search" in check.found


def test_models_are_folders_with_a_manifest(tmp_path):
    (tmp_path / "notes").mkdir()
    check = doctor.check_models(tmp_path)
    assert check.status() == "warning"
    assert check.mend.startswith("structce train")
    for name in ("small", "news"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "manifest.json").touch()
    assert doctor.check_models(tmp_path) == Check("models", True, "news, small", required=False)


def test_a_folder_that_is_not_there_yet_is_judged_by_its_parent(tmp_path):
    assert doctor.check_folder("cache", tmp_path / "a" / "b", "XDG_CACHE_HOME").ok
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_names_its_variable(tmp_path, monkeypatch):
    def refuse(dir):  # root may write anywhere, so the refusal is made up
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(doctor.tempfile, "TemporaryFile", refuse)
    check = doctor.check_folder("temporary files", tmp_path, "TMPDIR")
    assert (check.status(), "Permission denied" in check.found) == ("MISSING", True)
    assert check.mend.startswith("export TMPDIR=")


def test_everything_is_examined_once(seek):
    seek(discovery.Search(None))
    checks = doctor.run_checks()
    names = [check.name for check in checks]
    assert len(names) == len(set(names))
    assert {"python", "structce", "numpy", "browser", "models", "temporary files"} <= set(names)
    assert all(check.ok or check.mend for check in checks)


def test_warnings_do_not_spoil_health():
    warning = Check("browser", False, "none", "install one", required=False)
    missing = Check("numpy", False, "not installed", "install it")
    assert doctor.is_healthy([Check("python", True, "3.11.0"), warning])
    assert not doctor.is_healthy([warning, missing])
    assert doctor.is_healthy([])


CHECKS = [
    Check("python", True, "3.12.10"),
    Check("numpy", False, "not installed", "pip install numpy"),
    Check("browser", False, "none", "get one", required=False),
]


def test_the_text_is_a_table_and_the_commands_that_mend():
    text = doctor.format_checks(CHECKS)
    rows = [line.split() for line in text.splitlines()]
    assert ["python", "ok", "3.12.10"] in rows
    assert ["numpy", "MISSING", "not", "installed"] in rows
    assert ["browser", "warning", "none"] in rows
    assert text.endswith("To fix:\n  numpy: pip install numpy\n  browser: get one")


def test_the_text_of_a_healthy_machine_mends_nothing():
    assert "mend" not in doctor.format_checks(CHECKS[:1])


def test_the_text_needs_no_dependency(monkeypatch):
    monkeypatch.setitem(sys.modules, "tabulate", None)
    text = doctor.format_checks(CHECKS)
    assert "MISSING numpy: not installed" in text
    assert "  numpy: pip install numpy" in text


def test_the_json_has_every_field():
    first, second, third = json.loads(json.dumps([asdict(check) for check in CHECKS]))
    assert second == {
        "name": "numpy",
        "ok": False,
        "found": "not installed",
        "mend": "pip install numpy",
        "required": True,
    }
    assert (first["ok"], third["required"]) == (True, False)
