"""``structce template``, and ``structce extract`` with methods that compare pages."""

import json

import pytest

from structce.extraction import load_template

FRAME = """<!-- saved from url=(0026)https://{site}/{n} --><html><body>
<ul><li><a href=/>Home</a><li><a href=/s>Sport</a></ul><p>{text}</p>
<div>All rights reserved by those who write for the paper</div></body></html>"""
STORIES = (
    "The ferry to the island will stop in June, the harbour master said.",
    "A library opens its doors again after years of building.",
    "Storms took the roof off the pier, and fishermen went looking for it.",
)


def write_pages(folder, site="post.example", stories=STORIES):
    folder.mkdir(exist_ok=True)
    for n, text in enumerate(stories):
        (folder / f"{site}-{n}.html").write_text(FRAME.format(site=site, n=n, text=text))
    return folder


@pytest.fixture
def site_folder(tmp_path):
    return write_pages(tmp_path / "pages")


@pytest.fixture
def learn(run, site_folder, tmp_path):
    """Learn a template; return exit code, file and messages."""

    def call(*options, pages=site_folder):
        path = tmp_path / "post.template"
        code, _, err = run("template", "learn", pages, "--out", path, *options)
        return code, path, err

    return call


def test_a_template_serves_unseen_pages(run, learn, tmp_path):
    code, path, err = learn()
    assert (code, "content-extractor, learnt from 3 pages" in err) == (0, True)
    text = "Prices of bread rose sharply this spring."
    new = write_pages(tmp_path / "new", stories=(text,))
    code, out, _ = run("extract", new, "--method", f"template:{path}")
    assert (code, out.strip()) == (0, text)


def test_methods_and_parameters_are_chosen(run, learn, site_folder):
    _, path, _ = learn("--method", "content-extractor max_df=3")
    _, out, _ = run("extract", site_folder / "post.example-0.html", "--method", f"template:{path}")
    assert "reserved" in out
    assert learn("--method", "entropy")[0] == 0
    assert run("extract", site_folder, "--method", f"template:{path}")[0] == 0
    code, _, err = learn("--method", "content")
    assert (code, "did you mean 'content-extractor'" in err) == (1, True)


def test_pages_that_cannot_be_learnt_from_are_named(learn, site_folder):
    code, path, err = learn(pages=site_folder / "post.example-0.html")
    assert (code, "at least two" in err, path.exists()) == (1, True, False)
    (site_folder / "picture.html").write_bytes(b"\x89PNG")
    code, path, err = learn()
    assert (code, "PNG" in err, load_template(path).n_pages) == (1, True, 3)
    write_pages(site_folder, site="times.example")
    assert "a template is for one site" in learn()[2]


def test_extract_learns_from_all_pages_first(run, site_folder):
    methods = ("--method", "content-extractor", "--method", "plain")
    code, out, err = run("extract", site_folder, *methods)
    assert code == 0
    lines = [line for line in out.splitlines() if line in STORIES]
    assert lines == [text for text in STORIES for _ in range(2)]
    assert "content-extractor: learnt from 3 pages" in err
    write_pages(site_folder, site="times.example", stories=STORIES[:1])
    code, out, err = run("extract", site_folder, *methods[:2], "--format", "jsonl")
    assert code == 1
    records = [json.loads(line) for line in out.splitlines()]
    assert [record["text"] for record in records if "text" in record] == list(STORIES)
    (failed,) = (record for record in records if "error" in record)
    assert "at least two" in failed["error"]
    assert failed["url"] == "https://times.example/0"
    assert "structce template learn PAGES --method 'content-extractor' --out FILE" in err
