"""``structce site learn``, and ``structce label --rules``."""

import json

import pytest

from structce.article import SiteRules

PAGE = """<html lang=en><title>{title}</title><h1>The Harbour Post</h1><h2 class=hed>{title}</h2>
<p>{title}, the company said on Monday, and nobody could say how long the works would take.</p>
<p>Pier: <b>{pier}</b></p></html>"""
ROWS = [("Ferry to stop", "North"), ("Library opens", "South"), ("Storm takes roof", "West")]


@pytest.fixture
def pages(tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    for n, (title, pier) in enumerate([*ROWS, ("Bread grows dear", "East")]):
        (folder / f"{n}.html").write_text(PAGE.format(title=title, pier=pier))
    rows = (
        f"pages/{n}.html,https://post.example/{n},{','.join(row)}" for n, row in enumerate(ROWS)
    )
    (tmp_path / "three.csv").write_text("\n".join(["file,url,title,pier", *rows]))
    return folder


@pytest.fixture
def learn(run, pages, tmp_path):
    def call(*options):
        gold, out = tmp_path / "three.csv", tmp_path / "rules.toml"
        return run("site", "learn", pages, "--gold", gold, "-o", out, *options)

    return call


def test_rules_are_learnt_shown_and_used(run, learn, pages, tmp_path):
    code, out, err = learn()
    rows = [line.split(maxsplit=8) for line in out.splitlines()]
    assert code == 0
    assert 'pier 3 of 3 4 of 4 4 b:after("Pier:")'.split() in rows
    assert "2 rules from 3 pages written" in err
    rules = tmp_path / "rules.toml"
    assert SiteRules.load(rules).sites == ("post.example",)
    code, out, _ = run("label", pages / "3.html", "--rules", rules)
    record = json.loads(out)
    assert (code, record["title"]["value"]) == (0, "Bread grows dear")
    assert record["values"]["pier"]["value"] == "East"
    assert "values" not in json.loads(run("label", pages / "3.html")[1])


def test_impossible_gold_is_an_error(run, learn, tmp_path):
    assert learn()[0] == 0
    code, _, err = learn()
    assert (code, "already exists; --force" in err) == (2, True)
    (tmp_path / "three.csv").write_text("file,title\nabsent.html,Ferry\n")
    code, _, err = learn("--force")
    assert (code, "absent.html" in err) == (1, True)
