"""What is installed, and what is told of what is not."""

from importlib import metadata

import numpy as np
import pytest

from structce.errors import MissingExtraError
from structce.extras import installed_versions, load_extra


def test_the_version_of_a_package_that_is_not_installed_is_empty():
    versions = installed_versions(["numpy", "no-such-package-here"])
    assert versions == {"numpy": np.__version__, "no-such-package-here": ""}


def test_a_missing_extra_is_asked_for_by_the_name_of_the_installed_package():
    with pytest.raises(
        MissingExtraError, match=r"a test needs no-such: pip install 'structce\[all"
    ):
        load_extra("no_such.module", "a test", "all")


def test_a_missing_extra_is_asked_for_in_the_folder_of_a_checkout(monkeypatch):
    def version(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", version)
    with pytest.raises(MissingExtraError, match=r"pip install '\.\[all\]'"):
        load_extra("no_such.module", "a test", "all")
