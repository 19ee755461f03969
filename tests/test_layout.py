"""The rules of the house that a reader of the imports can check."""

import ast
import configparser
import importlib
import importlib.metadata
import re
import shutil
import subprocess
import sys
import zipfile
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

from structce.requirements import EXTRAS

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "structce"

# From the bottom up; a part imports from the lines below its own, and freely inside itself.
LAYERS = (
    ("patterns",),
    ("addresses", "arrays", "numbers", "requirements", "version"),
    ("errors",),
    ("extras", "kernels", "lazy_import"),
    ("io", "language", "registry", "runtime"),
    ("labels", "neural"),
    ("gold", "page"),
    ("rendering", "features", "learners"),  # do not know each other
    ("alignment", "bylines", "evaluation"),
    ("corpus",),
    ("datasets", "synthetic"),
    ("labelling",),
    ("article",),
    ("extraction",),
    ("visualisation",),
    ("experiments",),
    ("recipes",),
    ("adapters", "annotate", "service", "bulk", "doctor", "mcp"),
    ("cli",),
    ("__main__",),
)
LEVEL = {part: level for level, parts in enumerate(LAYERS) for part in parts}
LEARNERS_MAY_IMPORT = {
    *"msgspec numpy scipy sklearn sklearn_crfsuite threadpoolctl".split(),
    *sys.stdlib_module_names,
}
OURS_FOR_LEARNERS = set(
    "arrays errors extras io kernels lazy_import learners neural registry requirements".split()
)
# Where the name to import is not the name to install.
IMPORT_NAMES = {"beautifulsoup4": "bs4", "pyyaml": "yaml", "scikit-learn": "sklearn"}
UNSAFE = {"pickle", "_pickle", "cPickle", "cloudpickle", "dill", "shelve", "marshal"}
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "__pycache__" not in path.parts)


class Import(NamedTuple):
    """An import of a module or of a name in one, where it is, and whether it runs at once."""

    module: str
    name: str
    place: str
    is_late: bool

    @property
    def part(self):
        """The part of the package that is imported; empty for other packages."""
        first, _, rest = self.module.partition(".")
        return (rest.partition(".")[0] or self.name) if first == "structce" else ""


def part(path):
    """The part of the house that a module belongs to: ``rendering``, ``page``, ..."""
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


@cache
def tree(path):
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


@cache
def imports(path):
    found = []

    def visit(node, *, is_late):
        for child in ast.iter_child_nodes(node):
            place = f"{path.relative_to(ROOT)}:{getattr(child, 'lineno', 0)}"
            if isinstance(child, ast.Import):
                found.extend(Import(alias.name, "", place, is_late) for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                module = "." * child.level + (child.module or "")
                found.extend(Import(module, alias.name, place, is_late) for alias in child.names)
            elif isinstance(child, ast.stmt | ast.excepthandler):
                function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
                guarded = isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)
                visit(child, is_late=is_late or function or guarded)

    visit(tree(path), is_late=False)
    return tuple(found)


EVERY = [(path, statement) for path in MODULES for statement in imports(path)]


def described(statements):
    return "\n".join(f"{each.place}: {each.module} {each.name}" for each in statements)


def test_imports_point_down_only():
    assert {part(path) for path in MODULES} - {"__init__"} <= set(LEVEL), "name the part in LAYERS"
    wrong = [
        statement
        for path, statement in EVERY
        if part(path) in LEVEL  # the front door imports its names lazily
        and statement.part not in ("", "__version__", part(path))
        and LEVEL.get(statement.part, len(LEVEL)) >= LEVEL[part(path)]
    ]
    assert not wrong, described(wrong)


def test_learners_import_numbers_errors_and_files_only():
    wrong = [
        statement
        for path, statement in EVERY
        if part(path) == "learners"
        and statement.part not in OURS_FOR_LEARNERS
        and statement.module.partition(".")[0] not in LEARNERS_MAY_IMPORT
    ]
    assert not wrong, described(wrong)


def extras():
    """The import names of everything that only an extra installs."""

    def names_of(requirements):
        names = re.findall(r"^\s*([A-Za-z0-9._-]+)", requirements, re.MULTILINE)
        return {IMPORT_NAMES.get(name.lower(), name.lower().replace("-", "_")) for name in names}

    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    section = config["options.extras_require"]
    lines = [names_of(text) for extra, text in section.items() if extra not in ("dev", "docs")]
    return set().union(*lines) - {"structce"} - names_of(config["options"]["install_requires"])


# Rooms that are not loaded when a page is labelled may import these packages at the top.
ROOMS_BESIDE_LABELLING = set(
    """
    annotate bulk corpus datasets evaluation experiments learners recipes synthetic visualisation
    """.split()
)
BESIDE_LABELLING = {*EXTRAS["train"][1], *EXTRAS["synthetic"][1]}


def test_extras_are_imported_late_and_nothing_is_pickled():
    heavy = extras()
    assert {"playwright", "scipy"} <= heavy
    wrong = [statement for _, statement in EVERY if UNSAFE & set(statement.module.split("."))]
    for path, statement in EVERY:
        is_beside = part(path) in ROOMS_BESIDE_LABELLING
        early = heavy - BESIDE_LABELLING if is_beside else heavy
        if statement.module.partition(".")[0] in early and not statement.is_late:
            wrong.append(statement)
    assert not wrong, described(wrong)


def test_no_assert_and_no_bare_except():
    nodes = [(path.relative_to(ROOT), node) for path in MODULES for node in ast.walk(tree(path))]
    bare = [pair for pair in nodes if isinstance(pair[1], ast.ExceptHandler) and not pair[1].type]
    wrong = [pair for pair in nodes if isinstance(pair[1], ast.Assert)] + bare
    assert not wrong, "\n".join(f"{path}:{node.lineno}" for path, node in wrong)


def module_name(path):
    """The dotted name of a module; a door has that of its folder."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


PATHS = {module_name(path): path for path in MODULES}


def home(module, name):
    """The module that a name comes from; a door hands on what it imports."""
    if f"{module}.{name}" in PATHS:
        return f"{module}.{name}"
    path = PATHS.get(module)
    if path is None or path.stem != "__init__":
        return module
    origins = (each.module for each in imports(path) if each.name == name and each.part)
    origin = next(origins, module)
    return module if origin == module else home(origin, name)


def test_no_modules_import_each_other_types_included():
    arrows = {
        name: {home(each.module, each.name) for each in imports(path) if each.part} - {name}
        for name, path in PATHS.items()
    }
    assert len(arrows) > 100
    try:
        tuple(TopologicalSorter(arrows).static_order())
    except CycleError as error:
        pytest.fail(f"modules import each other: {error.args[1]}")


def test_other_packages_are_entered_by_their_door():
    wrong = [
        statement
        for path, statement in EVERY
        if statement.part not in ("", part(path)) and statement.module.count(".") > 1
    ]
    assert not wrong, described(wrong)


def test_doors_list_what_they_hand_on():
    for path in PACKAGE.glob("*/__init__.py"):
        if path.parent.name in ("cli", "models"):
            continue
        ours = [each for each in imports(path) if each.part]
        handed = {each.name for each in ours if f"{each.module}.{each.name}" not in PATHS}
        assigned = [node for node in tree(path).body if isinstance(node, ast.Assign)]
        lists = [ast.literal_eval(node.value) for node in assigned
                 if ast.unparse(node.targets[0]) == "__all__"]  # fmt: skip
        passed_on = {"check_import_name", "lazy_names", "*", "__all__"}
        unlisted = handed - set(lists[0] if lists else ()) - passed_on
        assert not unlisted, path.parent.name


def test_no_module_is_longer_than_600_lines():
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    assert [str(path) for path, n_lines in lengths.items() if n_lines > 600] == []


@pytest.mark.parametrize("name", ["features.text", "rendering", "experiments.config"])
def test_a_door_cannot_be_imported_under_its_own_name(name, monkeypatch):
    """A second copy would find its features taken, or fill a registry that nobody reads."""
    door = name.partition(".")[0]
    if not (ROOT / door).is_symlink():
        pytest.skip("a checkout on Windows may hold links as small files")
    assert (ROOT / door).readlink() == Path("structce", door)
    monkeypatch.syspath_prepend(ROOT)
    monkeypatch.delitem(sys.modules, door, raising=False)  # a folder of tests has the same name
    with pytest.raises(ImportError, match=f"^{door!r} is a link.*import structce.{door}$"):
        importlib.import_module(name)
    assert door not in sys.modules


def builds_wheels():
    """Whether setuptools is here and builds wheels by itself, so that no network is needed."""
    try:
        version = importlib.metadata.version("setuptools")
    except importlib.metadata.PackageNotFoundError:
        return False
    return [int(number) for number in version.split(".")[:2]] >= [70, 1]


@pytest.mark.skipif(not builds_wheels(), reason="needs setuptools 70.1 or later: the dev extra")
def test_wheel_contains_the_package_alone(tmp_path):
    source = tmp_path / "source"  # a build leaves folders beside what it builds
    source.mkdir()
    for path in ROOT.iterdir():
        if path.is_symlink():
            (source / path.name).symlink_to(path.readlink())
        elif path.is_file():
            shutil.copy(path, source)
        elif path == PACKAGE:
            shutil.copytree(path, source / path.name, ignore=shutil.ignore_patterns("__pycache__"))
        elif not path.name.startswith(".") and path.suffix != ".egg-info":
            (source / path.name).mkdir()  # something in the way
            (source / path.name / "__init__.py").touch()
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation"]
    command += ["--no-index", "--quiet", "--wheel-dir", str(tmp_path), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"structce"}
    built = {".c", ".pyd", ".so"}  # what was compiled in place
    files = [path for path in (source / "structce").rglob("*") if path.is_file()]
    paths = [path for path in files if path.suffix not in built]
    left_out = {path.relative_to(source).as_posix() for path in paths} - names
    assert not left_out, f"[options.package_data] in setup.cfg leaves out {sorted(left_out)}"
