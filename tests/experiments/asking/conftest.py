"""Learners that only need to have parameters, and files with one question."""

from pathlib import Path

import pytest

from structce.errors import LearnerError

GOOD = """\
# A question.
question = "Why?"
corpus = "data/sample"
splits = { train = 0.6, validation = 0.2, test = 0.2, by = "page" }
seed = 7

[features]
families = ["text", "dom"]
min_count = 2

[learner.centroids]
lambda = [0.1, 1.0]

[learner.background]
random_state = 3
"""


class Centroids:
    def __init__(self, *, lambda_=1.0, random_state=0):
        if lambda_ < 0:
            raise LearnerError(f"lambda_={lambda_!r}; expected 0 or more")
        if lambda_ == 5 and random_state == 5:
            raise LearnerError("not five and five")


class Background(Centroids):
    pass


@pytest.fixture
def learners():
    return {"centroids": Centroids, "background": Background}


@pytest.fixture
def good():
    """A file that can be read with the learners of :func:`learners`."""
    return GOOD


@pytest.fixture
def write(tmp_path):
    """Write a question to a file."""

    def write(text: str) -> Path:
        path = tmp_path / "question.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write
