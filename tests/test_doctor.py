"""What the doctor says of machines that lack one thing or another."""

import sys
from importlib import metadata

import pytest

from structce import doctor, rendering
from structce.doctor import Check
from structce.errors import BrowserError
from structce.rendering.chromium.discovery import BrowserProgram, Search


def requirement(line, **versions):
    """Check a requirement where only these distributions are installed."""

    def version_of(name):
        if name not in versions:
            raise metadata.PackageNotFoundError(name)
        return versions[name]

    (check,) = doctor.check_requirements([line], version_of)
    return check


@pytest.mark.parametrize("ok", [True, False])
def test_version_is_compared_with_the_lower_bound(ok):
    for version in ("1.26 1.26.0 1.100 2 1.27rc1" if ok else "1.9 1.25.9 0.99 1").split():
        check = requirement("numpy>=1.26", numpy=version)
        assert check.ok == ok
        assert ok or check.mend.endswith("-m pip install 'numpy>=1.26'")
        assert ok or check.found == f"{version}, expected 1.26 or later"
    assert requirement("numpy>=2.0.0", numpy="2").ok
    assert requirement("numpy; python_version > '3.0'", numpy="0.1").ok


def test_missing_dependency_is_required_and_missing_extra_absent(monkeypatch):
    check = requirement("scikit-learn>=1.4")
    assert (check.status(), check.found) == ("MISSING", "not installed")
    monkeypatch.setattr(doctor, "EXTRAS", {"zz": ("nothing", {"no_such_module"})})
    (check,) = doctor.check_extras()
    assert (check.name, check.status(), check.found) == ("extra zz", "absent", "nothing")
    assert check.mend.endswith("[zz]'")
    assert doctor.is_healthy([check])
    assert "absent  extra zz: nothing (pip install" in doctor.format_checks([check])
    others = ['pytest>=8.0; extra == "dev"', "ray>=2 ; python_version > '3' and extra == 'bulk'"]
    assert list(doctor.check_requirements(others)) == []


def test_every_requirement_of_structce_is_understood():
    lines = metadata.requires("structce")
    core = [line for line in lines if "extra ==" not in line]
    own, *checks = doctor.check_requirements()
    assert (own.name, own.ok) == ("structce", True)
    assert len(checks) == len(core)
    for line in core:
        assert doctor.REQUIREMENT.match(line)["least"], f"{line}: only lower bounds are read"
    assert doctor.REQUIREMENT.match('structce[train]; extra == "dev"')["extra"]


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


def test_browser_is_shown_and_its_absence_is_a_warning(seek, tmp_path):
    seek(Search(BrowserProgram(tmp_path / "chrome", "chrome", "150.0.1", "installed")))
    assert doctor.check_browser().ok
    seek(Search(None, ("/c does not start: no lib",)))
    check = doctor.check_browser()
    assert check.status() == "warning"
    assert "/c does not start: no lib" in check.found
    assert check.mend == "structce doctor --install-browser"
    seek(BrowserError("STRUCTCE_BROWSER: no browser at '/opt/none'"))
    assert doctor.check_browser().status() == "MISSING"


def test_browser_is_not_sought_without_its_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "structce.rendering", None)
    assert "cannot search" in doctor.check_browser().found


def test_models_are_folders_with_a_manifest(tmp_path):
    (tmp_path / "notes").mkdir()
    assert doctor.check_models(tmp_path).mend.startswith("structce train")
    (tmp_path / "news").mkdir()
    (tmp_path / "news" / "manifest.json").touch()
    assert doctor.check_models(tmp_path) == Check("models", True, "news", required=False)


def test_folder_that_cannot_be_written_names_its_variable(monkeypatch):
    assert doctor.check_temporary_folder().ok

    def refuse(dir):  # root may write anywhere, so the refusal is made up
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(doctor.tempfile, "TemporaryFile", refuse)
    check = doctor.check_temporary_folder()
    assert (check.status(), "Permission denied" in check.found) == ("MISSING", True)
    assert check.mend.startswith("export TMPDIR=")


def test_everything_is_examined_and_shown_once(seek):
    seek(Search(None))
    checks = doctor.run_checks()
    names = [check.name for check in checks]
    assert len(names) == len(set(names))
    assert {"python", "structce", "numpy", "browser", "models", "temporary files"} <= set(names)
    assert all(check.ok or check.mend for check in checks)
    assert doctor.is_healthy(checks)
    text = doctor.format_checks([*checks, Check("numpy", False, "not installed", "pip install x")])
    assert "MISSING numpy: not installed" in text
    assert text.endswith("  numpy: pip install x")
