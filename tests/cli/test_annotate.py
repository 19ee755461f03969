"""``structce annotate`` as a user starts it; what it serves stands in tests/annotate."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from structce.corpus.corpus import Corpus

Run = Callable[..., tuple[int, str, str]]


def test_pages_need_a_corpus_to_go_to(run: Run, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<h1>Ferry</h1>")
    code, _, err = run("annotate", tmp_path / "page.html")
    assert code == 2
    assert "give --out DIR" in err


def test_a_corpus_that_is_not_there_is_said_to_be_so(run: Run, tmp_path: Path) -> None:
    code, _, err = run("annotate", tmp_path / "glod")
    assert code == 2
    assert "glod: no such corpus" in err
    assert "give --out DIR" in run("annotate", "https://post.example/1")[2]


def test_a_corpus_of_raw_pages_and_an_archive_say_what_to_do(run: Run, tmp_path: Path) -> None:
    sample = Path(__file__).parents[2] / "data" / "sample"
    code, _, err = run("annotate", sample)
    assert code == 1
    assert "raw HTML" in err


def test_a_folder_of_something_else_is_left_alone(run: Run, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<h1>Ferry</h1>")
    code, _, err = run("annotate", tmp_path / "page.html", "--out", tmp_path)
    assert code == 1
    assert "neither empty nor a corpus" in err


def test_names_of_annotators_are_checked(run: Run, tmp_path: Path, make_corpus) -> None:
    make_corpus(1).save(tmp_path / "small")
    code, _, err = run("annotate", tmp_path / "small", "--annotator", "../ann")
    assert code == 2
    assert "'../ann'" in err


def test_a_host_that_stands_for_all_is_refused(run: Run, tmp_path: Path, make_corpus) -> None:
    make_corpus(1).save(tmp_path / "small")
    code, _, err = run("annotate", tmp_path / "small", "--host", "0.0.0.0")
    assert code == 2
    assert "give the address" in err


def test_it_prints_a_link_for_each_annotator_and_ends_with_an_interruption(
    tmp_path: Path, article_html
) -> None:
    pytest.importorskip("uvicorn")
    (tmp_path / "story.html").write_text(article_html(0))
    arguments = [tmp_path / "story.html", "--out", tmp_path / "gold", "--renderer", "static"]
    command = [sys.executable, "-m", "structce", "annotate", *map(str, arguments)]
    with subprocess.Popen(
        [*command, "--annotator", "ann", "--annotator", "ben"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        try:
            links = [server.stdout.readline(), server.stdout.readline()]
        finally:
            server.terminate()
            server.communicate(timeout=60)
    assert [link.split(": http://127.0.0.1:")[0] for link in links] == ["ann", "ben"]
    assert len({link.partition("?token=")[2] for link in links}) == 2
    assert len(Corpus.load(tmp_path / "gold")) == 1
