"""What the doors of evaluation and experiments name is what they hand on."""

import ast
from pathlib import Path

import pytest

import structce.evaluation
import structce.experiments

PACKAGES = [structce.evaluation, structce.experiments]
UNNAMED = {"TYPE_CHECKING", "check_import_name", "lazy_names"}  # used by a door, not handed on


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_what_is_exported_is_what_is_named(package):
    tree = ast.parse(Path(package.__file__).read_text(encoding="utf-8"))
    imported = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert sorted(imported - UNNAMED) == sorted(package.__all__)
    assert all(hasattr(package, name) for name in package.__all__)
