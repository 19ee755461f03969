import ast
from pathlib import Path

import pytest

import structce.evaluation
import structce.experiments

PACKAGES = [structce.evaluation, structce.experiments]


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_what_is_exported_is_what_is_named(package):
    tree = ast.parse(Path(package.__file__).read_text(encoding="utf-8"))
    nodes = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    imported = [
        alias.name
        for node in nodes
        for alias in node.names
        if alias.name != "check_import_name"  # which it calls and does not export
    ]
    assert sorted(imported) == sorted(package.__all__)
    assert all(hasattr(package, name) for name in package.__all__)
