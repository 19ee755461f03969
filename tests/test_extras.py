"""What is installed, and what is told of what is not."""

import numpy as np

from structce.extras import installed_versions


def test_the_version_of_a_package_that_is_not_installed_is_empty():
    found = installed_versions(["numpy", "no-such-package-here"])
    assert found == {"numpy": np.__version__, "no-such-package-here": ""}
