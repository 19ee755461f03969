"""Leaves and words: the Python package and the extension find the same ones."""

import json
import subprocess

import pytest

from structce.extraction.boilernet import load_boilernet
from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.text_leaves import SKIPPED, SPACES, leaf_words, text_leaves
from structce.language import UNSPACED


def leaves_of(html):
    """Return text, path and words of each leaf, as the fixture has them."""
    leaves = text_leaves(ParsedDocument.of(html))
    records = []
    for text, element in zip(leaves.text, leaves.element.tolist(), strict=True):
        path = []
        while element >= 0:
            path.insert(0, leaves.tag[element])
            element = int(leaves.parent[element])
        records.append({"text": text, "path": path, "words": leaf_words(text)})
    return records


def test_python_finds_the_leaves_of_the_fixture(fixture_pages):
    for page in fixture_pages:
        assert leaves_of(page["html"]) == page["leaves"], page["name"]


def test_both_sides_have_the_same_rules(extension_folder):
    rules = json.loads((extension_folder / "src/leaf_rules.json").read_text(encoding="utf-8"))
    assert rules == {"skipped": sorted(SKIPPED), "spaces": SPACES, "unspaced": UNSPACED}


def test_node_finds_the_leaves_of_the_fixture(node, test_folder):
    files = sorted(path.name for path in test_folder.glob("*.test.mjs"))
    command = [node, "--test", "--test-reporter=tap", *files]
    done = subprocess.run(command, cwd=test_folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout[-4000:]
    assert "# tests 0" not in done.stdout


def test_model_files_contain_the_tested_network(small_boilernet, test_folder):
    pytest.importorskip("onnxruntime")
    stored = load_boilernet(test_folder / "model")
    assert stored.vocabulary == small_boilernet.vocabulary
    leaves = text_leaves(ParsedDocument.of("<p>The ferry<nav>, home<p>海"))
    expected = small_boilernet.probabilities(leaves)
    assert abs(stored.probabilities(leaves) - expected).max() < 1e-6
