"""What is installed, and what is told of what is not."""

import configparser
import re
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest

from structce import lazy_import
from structce.errors import MissingExtraError, describe_fault
from structce.extras import load_extra
from structce.requirements import EXTRAS, installed_versions


def test_the_version_of_a_package_that_is_not_installed_is_empty():
    versions = installed_versions(["numpy", "no-such-package-here"])
    assert versions == {"numpy": np.__version__, "no-such-package-here": ""}


def test_missing_extra_is_named_by_installed_package():
    with pytest.raises(
        MissingExtraError, match=r"a test needs no-such: pip install 'structce\[all"
    ):
        load_extra("no_such.module", "a test", "all")


def test_missing_extra_is_named_in_a_checkout(monkeypatch):
    def version(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", version)
    with pytest.raises(MissingExtraError, match=r"pip install '\.\[all\]'"):
        load_extra("no_such.module", "a test", "all")


IMPORT_NAMES = {
    "newspaper4k": "newspaper",
    "readability_lxml": "readability",
    "scikit_learn": "sklearn",
}


def test_the_table_of_extras_is_that_of_the_setup():
    config = configparser.ConfigParser()
    config.read(Path(__file__).resolve().parents[1] / "setup.cfg", encoding="utf-8")
    section = dict(config["options.extras_require"])

    def modules(extra):
        found = set()
        for line in section[extra].split("\n"):
            if part := re.match(r"structce\[(\w+)\]", line):
                found |= modules(part[1])
            elif name := re.match(r"[\w-]+", line):
                found.add(IMPORT_NAMES.get(name := name[0].replace("-", "_"), name))
        return found

    assert {extra: modules for extra, (_, modules) in EXTRAS.items()} == {
        extra: modules(extra) for extra in section if extra not in ("dev", "docs")
    }


@pytest.mark.parametrize(
    ("room", "module", "extra"),
    [
        ("structce.corpus.splits", "scipy", "corpus"),
        ("structce.learners.base", "sklearn", "train"),
        ("structce.features.columns", "scipy", "train"),
        ("structce.experiments.fit", "scipy", "experiments"),
        ("structce.synthetic.sites", "jinja2", "synthetic"),
        ("structce.datasets.base", "lxml", "corpus"),
        ("structce.cli.explain", "scipy", "train"),
    ],
)
def test_missing_package_is_named_with_its_extra(monkeypatch, room, module, extra):
    code = f"raise ModuleNotFoundError('no', name='{module}.part')"
    monkeypatch.setattr(lazy_import, "import_module", lambda name: exec(code, {"__name__": name}))
    with pytest.raises(MissingExtraError, match=rf"needs {module}: .*\[{extra}\]") as caught:
        lazy_import.lazy_names("structce", {"name": room})("name")
    assert isinstance(describe_fault("page", caught.value.__cause__), MissingExtraError)


def test_a_package_of_no_extra_stays_what_it_is():
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        lazy_import.lazy_names("structce", {"name": "no_such_module"})("name")
