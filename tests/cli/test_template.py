"""``structce template``, and ``structce extract`` with methods that compare pages."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from structce.extraction import load_template

Run = Callable[..., tuple[int, str, str]]

FRAME = """<!-- saved from url=(0026)https://{site}/{n} --><html><body>
<ul><li><a href=/>Home</a><li><a href=/s>Sport</a></ul><p>{text}</p>
<div>All rights reserved by those who write for the paper</div></body></html>"""
STORIES = (
    "The ferry to the island will stop in June, the harbour master said.",
    "A library opens its doors again after years of building.",
    "Storms took the roof off the pier, and fishermen went looking for it.",
)


def write_pages(
    folder: Path, site: str = "post.example", stories: tuple[str, ...] = STORIES
) -> Path:
    folder.mkdir(exist_ok=True)
    for n, text in enumerate(stories):
        (folder / f"{site}-{n}.html").write_text(FRAME.format(site=site, n=n, text=text))
    return folder


@pytest.fixture
def site_folder(tmp_path: Path) -> Path:
    return write_pages(tmp_path / "pages")


@pytest.fixture
def template(run: Run, site_folder: Path, tmp_path: Path) -> Path:
    path = tmp_path / "post.template"
    code, _, err = run("template", "learn", site_folder, "--out", path)
    assert (code, "content-extractor, learnt from 3 pages" in err) == (0, True)
    return path


def test_a_template_serves_pages_that_it_was_not_learnt_from(
    run: Run, template: Path, tmp_path: Path
) -> None:
    text = "Prices of bread rose sharply this spring."
    new = write_pages(tmp_path / "new", stories=(text,))
    code, out, _ = run("extract", new, "--method", f"template:{template}")
    assert (code, out.strip()) == (0, text)


def test_what_repeats_is_shown_with_its_pages(run: Run, template: Path) -> None:
    code, out, err = run("template", "show", template, "--format", "json")
    assert code == 0
    rows = {row["text"]: row["pages"] for row in json.loads(out)}
    assert rows == {"Home\nSport": 3, "All rights reserved by those who write for the paper": 3}
    assert "3 pages" in err


def test_a_table_is_cut_and_says_so(run: Run, template: Path) -> None:
    _, out, err = run("template", "show", template, "--top", 1)
    assert ("Sport" in out) != ("reserved" in out)
    assert "and 1 more" in err


def test_pages_are_added_as_if_all_had_been_learnt_at_once(
    run: Run, site_folder: Path, tmp_path: Path
) -> None:
    parts = [write_pages(tmp_path / f"{n}", stories=STORIES[: n + 1]) for n in (1, 2)]
    path = tmp_path / "grown.template"
    run("template", "learn", parts[0], "--out", path)
    code, _, _ = run("template", "update", path, site_folder)
    assert code == 0
    run("template", "learn", site_folder, "--out", tmp_path / "whole.template")
    assert load_template(path).state() == load_template(tmp_path / "whole.template").state()


def test_a_method_with_parameters_learns(run: Run, site_folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "t"
    assert (
        run(
            "template",
            "learn",
            site_folder,
            "--out",
            path,
            "--method",
            "content-extractor max_df=3",
        )[0]
        == 0
    )
    _, out, _ = run("extract", site_folder / "post.example-0.html", "--method", f"template:{path}")
    assert "reserved" in out


def test_a_template_of_terms_is_kept_but_cannot_be_added_to(
    run: Run, site_folder: Path, tmp_path: Path
) -> None:
    path = tmp_path / "t"
    assert run("template", "learn", site_folder, "--out", path, "--method", "entropy")[0] == 0
    assert run("template", "show", path)[0] == 0
    assert run("extract", site_folder, "--method", f"template:{path}")[0] == 0
    code, _, err = run("template", "update", path, site_folder)
    assert code == 1
    assert "learn it again" in err


def test_one_page_is_an_error_and_no_file(run: Run, site_folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "t"
    code, _, err = run("template", "learn", site_folder / "post.example-0.html", "--out", path)
    assert code == 1
    assert "at least two" in err
    assert not path.exists()


def test_a_page_that_cannot_be_read_is_left_out(
    run: Run, site_folder: Path, tmp_path: Path
) -> None:
    (site_folder / "picture.html").write_bytes(b"\x89PNG")
    path = tmp_path / "t"
    code, _, err = run("template", "learn", site_folder, "--out", path)
    assert code == 1
    assert "PNG" in err
    assert load_template(path).n_pages == 3


def test_pages_of_several_sites_are_a_warning(run: Run, site_folder: Path, tmp_path: Path) -> None:
    write_pages(site_folder, site="times.example")
    _, _, err = run("template", "learn", site_folder, "--out", tmp_path / "t")
    assert "a template is for one site" in err


def test_an_unknown_method_is_an_error_with_a_suggestion(
    run: Run, site_folder: Path, tmp_path: Path
) -> None:
    code, _, err = run(
        "template", "learn", site_folder, "--out", tmp_path / "t", "--method", "content"
    )
    assert code == 1
    assert "did you mean 'content-extractor'" in err


def test_what_is_no_template_is_an_error(run: Run, site_folder: Path) -> None:
    page = site_folder / "post.example-0.html"
    for arguments in (
        ("template", "show", page),
        ("extract", page, "--method", f"template:{page}"),
    ):
        code, _, err = run(*arguments)
        assert code == 1
        assert "not a trained extractor" in err


def test_several_pages_of_a_site_are_learnt_from_first(run: Run, site_folder: Path) -> None:
    code, out, err = run(
        "extract", site_folder, "--method", "content-extractor", "--method", "plain"
    )
    assert code == 0
    assert [line for line in out.splitlines() if line in STORIES] == [
        text for text in STORIES for _ in range(2)
    ]
    assert "content-extractor: learnt from 3 pages" in err


def test_each_site_has_a_template_of_its_own(run: Run, site_folder: Path) -> None:
    write_pages(site_folder, site="times.example", stories=STORIES[:1])
    code, out, err = run(
        "extract", site_folder, "--method", "content-extractor", "--format", "jsonl"
    )
    assert code == 1
    records = [json.loads(line) for line in out.splitlines()]
    assert [record["text"] for record in records if "text" in record] == list(STORIES)
    (failed,) = (record for record in records if "error" in record)
    assert "at least two" in failed["error"]
    assert failed["url"] == "https://times.example/0"
    assert "learnt from 3 pages of post.example" in err


def test_one_page_to_extract_from_is_an_error_that_says_what_to_do(
    run: Run, site_folder: Path
) -> None:
    code, out, err = run(
        "extract", site_folder / "post.example-0.html", "--method", "content-extractor"
    )
    assert (code, out) == (1, "")
    assert "structce template learn PAGES --method 'content-extractor' --out FILE" in err
