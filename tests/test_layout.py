"""The rules of the house that a reader of the imports can check."""

import ast
import configparser
import importlib
import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "structce"

# From the bottom up; a part imports from the lines below its own, and freely inside itself.
LAYERS = (
    ("addresses", "doors", "errors", "arrays", "version"),
    ("extras", "kernels"),
    ("language",),
    ("io", "registry", "runtime"),
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
    ("adapters", "annotate", "service", "bulk", "doctor"),
    ("cli",),
    ("__main__",),
)
LEVEL = {part: level for level, parts in enumerate(LAYERS) for part in parts}
LEARNERS_MAY_IMPORT = {
    "numpy",
    "scipy",
    "sklearn",
    "sklearn_crfsuite",
    "threadpoolctl",
    *sys.stdlib_module_names,
}
# Where the name to import is not the name to install.
IMPORT_NAMES = {"beautifulsoup4": "bs4", "pyyaml": "yaml", "scikit-learn": "sklearn"}
UNSAFE = {"pickle", "_pickle", "cPickle", "cloudpickle", "dill", "shelve", "marshal"}


@dataclass(frozen=True)
class Import:
    """One imported name, where it stands, and whether it runs when its module is imported."""

    name: str
    place: str
    is_late: bool


def modules() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if "__pycache__" not in path.parts)


def part(path: Path) -> str:
    """The part of the house that a module belongs to: ``rendering``, ``page``, ..."""
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


@cache
def imports(path: Path) -> tuple[Import, ...]:
    return tuple(_imports(tree(path), str(path.relative_to(ROOT)), is_late=False))


def _imports(node: ast.AST, place: str, *, is_late: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            continue  # an import is a statement, and no expression contains one
        where = f"{place}:{getattr(child, 'lineno', 0)}"
        if isinstance(child, ast.Import):
            yield from (Import(alias.name, where, is_late) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            module = "." * child.level + (child.module or "")
            names = [alias.name for alias in child.names]
            if module == "structce":  # from structce import page: page is what is imported
                yield from (Import(f"structce.{name}", where, is_late) for name in names)
            else:
                yield Import(module, where, is_late)
        else:
            function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
            guarded = isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)
            yield from _imports(child, place, is_late=is_late or function or guarded)


def extras() -> set[str]:
    """The import names of everything that only an extra installs."""
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    section = config["options.extras_require"]
    core = names_of(config["options"]["install_requires"])
    lines = [names_of(text) for extra, text in section.items() if extra != "dev"]
    return set().union(*lines) - core


def names_of(requirements: str) -> set[str]:
    names = re.findall(r"^\s*([A-Za-z0-9._-]+)", requirements, re.MULTILINE)
    return {IMPORT_NAMES.get(name.lower(), name.lower().replace("-", "_")) for name in names}


def is_allowed(importer: str, imported: str) -> bool:
    return importer == imported or LEVEL[imported] < LEVEL[importer]


def test_every_part_of_the_package_has_a_layer():
    parts = {part(path) for path in modules()} - {"__init__"}
    assert parts <= set(LEVEL), "name the new part in LAYERS, and in the architecture"


def test_imports_point_down_only():
    wrong = []
    for path in modules():
        if part(path) not in LEVEL:
            continue  # the front door, whose public names are imported lazily, or a new part
        for statement in imports(path):
            first, _, rest = statement.name.partition(".")
            imported = rest.partition(".")[0]
            if first != "structce" or imported == "__version__":
                continue
            if imported not in LEVEL or not is_allowed(part(path), imported):
                wrong.append(f"{statement.place}: {part(path)} may not import {statement.name}")
    assert not wrong, "\n".join(wrong)


def test_the_rule_of_layers_sees_an_upward_arrow():
    assert is_allowed("rendering", "page")
    assert is_allowed("datasets", "rendering")
    assert is_allowed("article", "labelling")
    assert not is_allowed("page", "corpus")
    assert not is_allowed("rendering", "features")
    assert not is_allowed("evaluation", "corpus")
    assert not is_allowed("service", "cli")


def test_late_and_guarded_imports_are_told_from_those_at_the_top(tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    path = tmp_path / "sample.py"
    path.write_text(
        "import a\n"
        "from structce import page\n"
        "if TYPE_CHECKING:\n    import b\n"
        "try:\n    import c\nexcept ImportError:\n    pass\n"
        "def f():\n    import d\n"
    )
    names = [(imported.name, imported.is_late) for imported in imports(path)]
    assert names == [
        ("a", False),
        ("structce.page", False),
        ("b", True),
        ("c", False),
        ("d", True),
    ]


def test_imports_are_absolute():
    wrong = [
        imported
        for path in modules()
        for imported in imports(path)
        if imported.name.startswith(".")
    ]
    assert not wrong


LEARNERS_MAY_IMPORT_OF_OURS = {
    f"structce.{name}"
    for name in ("arrays", "doors", "errors", "extras", "io", "kernels", "registry")
}


def test_learners_import_numbers_errors_and_files_only():
    wrong = []
    for path in modules():
        if part(path) != "learners":
            continue
        for imported in imports(path):
            ours = imported.name in LEARNERS_MAY_IMPORT_OF_OURS or imported.name.startswith(
                ("structce.learners", "structce.neural")
            )
            if not ours and imported.name.partition(".")[0] not in LEARNERS_MAY_IMPORT:
                wrong.append(f"{imported.place}: {imported.name}")
    assert not wrong, "\n".join(wrong)


def test_extras_are_imported_late():
    heavy = extras()
    assert "playwright" in heavy
    wrong = [
        f"{imported.place}: {imported.name}"
        for path in modules()
        for imported in imports(path)
        if not imported.is_late and imported.name.partition(".")[0] in heavy
    ]
    assert not wrong, "\n".join(wrong)


def test_nothing_is_loaded_or_saved_by_pickle():
    wrong = [
        f"{imported.place}: {imported.name}"
        for path in modules()
        for imported in imports(path)
        if UNSAFE & set(imported.name.split("."))
    ]
    assert not wrong, "\n".join(wrong)


def test_no_assert_and_no_bare_except():
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in modules()
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Assert)
        or (isinstance(node, ast.ExceptHandler) and node.type is None)
    ]
    assert not wrong, "\n".join(wrong)


def module_name(path: Path) -> str:
    """The dotted name of a module; a door has that of its folder."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def names_imported(path: Path) -> tuple[tuple[str, str], ...]:
    """Every ``from module import name`` of the package in a module, wherever it stands."""
    return tuple(
        (node.module or "", alias.name)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "structce"
        for alias in node.names
    )


def home(module: str, name: str, names: dict[str, Path]) -> str:
    """The module that a name comes from; a door hands on what it imports."""
    if f"{module}.{name}" in names:
        return f"{module}.{name}"
    path = names.get(module)
    if path is None or path.stem != "__init__":
        return module
    given = (origin for origin, taken in names_imported(path) if taken == name)
    origin = next(given, None)
    return module if origin in (None, module) else home(str(origin), name, names)


def imported_modules() -> dict[str, set[str]]:
    """The modules that each module imports names from, types included, doors looked through."""
    names = {module_name(path): path for path in modules()}
    return {
        name: {home(module, taken, names) for module, taken in names_imported(path)} - {name}
        for name, path in names.items()
    }


def test_no_modules_import_each_other_types_included():
    arrows = imported_modules()
    assert len(arrows) > 100
    try:
        tuple(TopologicalSorter(arrows).static_order())
    except CycleError as error:
        pytest.fail(f"modules import each other: {error.args[1]}")


def test_other_packages_are_entered_by_their_door():
    wrong = []
    for path in modules():
        for module, name in names_imported(path):
            parts = module.split(".")
            if len(parts) > 2 and parts[1] != part(path):
                wrong.append(f"{path.relative_to(ROOT)}: from {module} import {name}")
    assert not wrong, "\n".join(wrong)


def test_doors_list_what_they_hand_on():
    every = {module_name(path) for path in modules()}
    for path in PACKAGE.glob("*/__init__.py"):
        if path.parent.name in ("cli", "models"):
            continue
        handed = {name for module, name in names_imported(path) if f"{module}.{name}" not in every}
        lists = [
            ast.literal_eval(node.value)
            for node in tree(path).body
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        ]
        unlisted = handed - set(lists[0] if lists else ()) - {"check_import_name", "lazy_names"}
        assert not unlisted, path.parent.name


def test_no_module_is_longer_than_600_lines():
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in modules()}
    long = [f"{path.relative_to(ROOT)}: {n}" for path, n in lengths.items() if n > 600]
    assert not long, "\n".join(long)


def test_every_public_module_says_what_it_is_for():
    silent = [
        str(path.relative_to(ROOT))
        for path in modules()
        if (path.stem == "__init__" or not path.stem.startswith("_"))
        and not ast.get_docstring(tree(path))
    ]
    assert not silent, "\n".join(silent)


@pytest.mark.parametrize("name", ["features", "rendering", "experiments"])
def test_the_doors_at_the_top_lead_into_the_package(name):
    door = ROOT / name
    if not door.is_symlink() and os.name == "nt":
        pytest.skip("a checkout on Windows may hold links as small files")
    assert door.is_symlink()
    assert door.readlink() == Path("structce", name)
    assert door.is_dir()


@pytest.mark.parametrize("name", ["features.text", "rendering", "experiments.config"])
def test_a_door_cannot_be_imported_under_its_own_name(name, monkeypatch):
    """A second copy would find its features taken, or fill a registry that nobody reads."""
    door = name.partition(".")[0]
    if not (ROOT / door).is_symlink():
        pytest.skip("a checkout on Windows may hold links as small files")
    monkeypatch.syspath_prepend(ROOT)
    monkeypatch.delitem(sys.modules, door, raising=False)  # a folder of tests has the same name
    with pytest.raises(ImportError, match=f"^{door!r} is a link") as refusal:
        importlib.import_module(name)
    assert str(refusal.value).endswith(f"import structce.{door}")
    assert door not in sys.modules


def test_importing_the_package_is_cheap():
    heavy = ["numpy", "scipy", "sklearn", "lxml", "playwright", "dateparser"]
    code = (
        f"import sys, json, structce; print(json.dumps([m for m in {heavy} if m in sys.modules]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == []


def builds_wheels() -> bool:
    """Whether setuptools is here and builds wheels by itself, so that no network is needed."""
    try:
        version = importlib.metadata.version("setuptools")
    except importlib.metadata.PackageNotFoundError:
        return False
    return [int(number) for number in version.split(".")[:2]] >= [70, 1]


def copy_source(target: Path) -> None:
    """Copy what a wheel is made from, with something in the way in each other folder."""
    target.mkdir()
    for path in ROOT.iterdir():
        if path.is_symlink():
            (target / path.name).symlink_to(path.readlink())
        elif path.is_file():
            shutil.copy(path, target)
        elif path == PACKAGE:
            shutil.copytree(path, target / path.name, ignore=shutil.ignore_patterns("__pycache__"))
        elif not path.name.startswith(".") and path.suffix != ".egg-info":
            (target / path.name).mkdir()
            (target / path.name / "__init__.py").touch()


@pytest.mark.skipif(not builds_wheels(), reason="needs setuptools 70.1 or later: the dev extra")
def test_a_wheel_holds_the_package_and_all_of_it_and_nothing_else(tmp_path):
    source = tmp_path / "source"  # a build leaves folders beside what it builds
    copy_source(source)
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
