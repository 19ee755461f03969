"""``structce annotate`` as a user starts it; what it serves is tested in tests/annotate."""

import subprocess
import sys
from pathlib import Path

import pytest

from structce.corpus import Corpus

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("page.html",), 2, "give --out DIR"),
        (("https://post.example/1",), 2, "give --out DIR"),
        (("glod",), 2, "glod: no such corpus"),
        ((ROOT / "data" / "sample",), 1, "raw HTML"),
        (("page.html", "--out", "."), 1, "neither empty nor a corpus"),
        (("small", "--annotator", "../ann"), 2, "'../ann'"),
        (("small", "--host", "0.0.0.0"), 2, "give the address"),
        (("small", "--labels", "page.html"), 2, "--labels is for a new corpus"),
    ],
)
def test_mistakes_are_named(run, tmp_path, make_corpus, monkeypatch, arguments, code, message):
    monkeypatch.chdir(tmp_path)
    Path("page.html").write_text("<h1>Ferry</h1>")
    make_corpus(1).save(Path("small"))
    status, _, err = run("annotate", *arguments)
    assert status == code
    assert message in " ".join(err.split())


@pytest.mark.parametrize("names", [["ann"], ["ann", "ben"]])
def test_each_annotator_gets_a_link(tmp_path, article_html, names):
    pytest.importorskip("uvicorn")
    (tmp_path / "story.html").write_text(article_html(0))
    arguments = (tmp_path / "story.html", "--out", tmp_path / "gold", "--renderer", "static")
    command = [sys.executable, "-m", "structce", "annotate", *map(str, arguments)]
    command += [part for name in names for part in ("--annotator", name)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as server:
        try:
            links = [server.stdout.readline() for _ in names]
        finally:
            server.terminate()
            server.communicate(timeout=60)
    whose = [f"{name}: " for name in names] if len(names) > 1 else [""]
    assert [link.partition("http://127.0.0.1:")[0] for link in links] == whose
    assert len({link.partition("?token=")[2] for link in links}) == len(names)
    assert len(Corpus.load(tmp_path / "gold")) == 1
