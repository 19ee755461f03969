"""Features of files, of modules and of other packages' entry points."""

import logging
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from structce.errors import FeatureError
from structce.features import registry
from structce.features.registry import REGISTRY, import_features, import_sources, load_entry_points

Write = Callable[..., Path]

SHOUTS = """
from structce.features import feature

@feature("text", aliases=("old-{name}",))
def {name}(page):
    '''Text in capitals, as in a kicker.'''
    return [text.isupper() for text in page.text]
"""


@pytest.fixture(autouse=True)
def _forgets(own_features, monkeypatch):
    """What a test imports is unknown to the next."""
    before = set(sys.modules)
    monkeypatch.setattr(registry, "_IMPORTED", {})
    monkeypatch.setattr(registry, "_LOADED", set())
    yield
    for name in set(sys.modules) - before:
        if name.startswith(("structce_import_", "plug_")):
            del sys.modules[name]


@pytest.fixture
def write(tmp_path):
    def call(file, text=SHOUTS, *, name="plug_shouts"):
        path = tmp_path / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("{name}", name))
        return path

    return call


def test_the_features_of_a_file_are_registered_and_named(write):
    path = write("my_cues.py")
    (imported,) = import_features([path])
    assert imported.features == ("text.plug-shouts",)
    assert REGISTRY["text.old-plug_shouts"] is REGISTRY["text.plug-shouts"]
    assert import_sources() == (str(path),)
    assert sys.modules[imported.module].__file__ == str(path)


def test_importing_a_file_twice_is_harmless_by_whatever_path(write, monkeypatch):
    path = write("my_cues.py")
    first = import_features([path, path])
    monkeypatch.chdir(path.parent)
    assert import_features(["my_cues.py", "./my_cues.py"]) == first
    assert len(import_sources()) == 1


def test_file_and_module_are_imported_once(write, monkeypatch):
    path = write("plug_module.py")
    monkeypatch.syspath_prepend(path.parent)
    (as_module,) = import_features(["plug_module"])
    assert as_module.features == ("text.plug-shouts",)
    assert import_features([path])[0].features == as_module.features
    other = write("plug_other.py", name="plug_other")
    assert import_features([other]) == import_features(["plug_other"])


def test_two_files_of_one_name_do_not_meet(write):
    first, second = write("a/my_cues.py", name="plug_a"), write("b/my_cues.py", name="plug_b")
    imports = import_features([first, second])
    assert [imported.features for imported in imports] == [("text.plug-a",), ("text.plug-b",)]


def test_a_module_inside_a_package_is_imported_by_its_name(write, monkeypatch, tmp_path):
    write("plug_package/__init__.py", "")
    write("plug_package/cues.py")
    monkeypatch.syspath_prepend(tmp_path)
    (imported,) = import_features(["plug_package.cues"])
    assert (imported.source, imported.features) == ("plug_package.cues", ("text.plug-shouts",))
    assert import_sources() == ("plug_package.cues",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\ny = x / 0\n", r"bad\.py, line 2: ZeroDivisionError: division by zero"),
        ("x = 1\n\ndef (\n", r"bad\.py, line 3: invalid syntax"),
        ("import sys\nsys.exit(3)\n", r"bad\.py, line 2: SystemExit: 3"),
        ("import no_such_thing\n", r"bad\.py, line 1: ModuleNotFoundError: No module named"),
        (SHOUTS.replace("{name}", "token"), r"bad\.py, line 4: the name '.*' is taken"),
    ],
)
def test_a_file_that_raises_is_one_error_with_file_and_line(write, text, message):
    path = write("bad.py", text)
    before = set(REGISTRY)
    with pytest.raises(FeatureError, match=message):
        import_features([path])
    assert set(REGISTRY) == before
    assert import_sources() == ()


def test_a_file_that_was_mended_can_be_imported_again(write):
    path = write("my_cues.py", SHOUTS + "\n1 / 0\n")
    with pytest.raises(FeatureError, match="line 9: ZeroDivisionError"):
        import_features([path])
    assert "text.old-plug_shouts" not in REGISTRY
    path.write_text(SHOUTS.replace("{name}", "plug_shouts_again"))
    assert import_features([path])[0].features == ("text.plug-shouts-again",)


def test_what_is_not_there_is_named_with_what_may_be_meant(write, monkeypatch):
    monkeypatch.chdir(write("plug_here.py").parent)
    with pytest.raises(FeatureError, match=r"^nowhere\.py: no such file"):
        import_features(["nowhere.py"])
    with pytest.raises(FeatureError, match=r"plug_here: no module .* give its path: plug_here\.py"):
        import_features(["plug_here"])
    with pytest.raises(FeatureError, match=r"plug_nowhere\.cues: no module of this name to"):
        import_features(["plug_nowhere.cues"])


def test_a_package_that_raises_is_not_called_missing(write, monkeypatch, tmp_path):
    write("plug_broken/__init__.py", "import plug_no_such_thing\n")
    write("plug_broken/cues.py")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(FeatureError, match="No module named 'plug_no_such_thing'"):
        import_features(["plug_broken.cues"])


def distribution(folder, name, entry):
    """Write what an installed package of this name leaves."""
    info = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[structce.features]\n{entry}\n")


def test_entry_points_of_packages_are_loaded_once(write, monkeypatch, tmp_path):
    write("plug_cues.py")
    distribution(tmp_path, "plug-cues", "cues = plug_cues")
    monkeypatch.syspath_prepend(tmp_path)
    load_entry_points()
    load_entry_points()
    assert "text.plug-shouts" in REGISTRY
    assert import_sources() == ("plug_cues",)


def test_broken_entry_point_is_a_warning(write, monkeypatch, tmp_path, caplog):
    write("plug_bad.py", SHOUTS.replace("{name}", "plug_half") + "\nraise RuntimeError('no')\n")
    write("plug_good.py")
    distribution(tmp_path, "plug-bad", "cues = plug_bad")
    distribution(tmp_path, "plug-gone", "cues = plug_no_module")
    distribution(tmp_path, "plug-good", "cues = plug_good")
    monkeypatch.syspath_prepend(tmp_path)
    with caplog.at_level(logging.WARNING, logger="structce.features.registry"):
        load_entry_points()
        load_entry_points()
    bad, gone = caplog.messages
    assert bad.startswith("package plug-bad: ")
    assert "plug_bad.py, line 9: RuntimeError: no" in bad
    assert gone.startswith("package plug-gone: ")
    assert "text.plug-shouts" in REGISTRY
    assert "text.plug-half" not in REGISTRY
