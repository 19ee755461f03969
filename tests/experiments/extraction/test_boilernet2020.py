"""The question of Leonhardt et al. (2020): its split, systems and table of text nodes."""

from dataclasses import replace
from pathlib import Path

import pytest

import structce.experiments
from structce.experiments.config_toml import read_experiment
from structce.experiments.extraction.packages import read_packages
from structce.experiments.extraction.runner import run_extraction
from structce.experiments.report.tables.extraction import extraction_tables

FILE = Path(structce.experiments.__file__).parent / "boilernet2020.toml"
TRENDS = """<body><ul><li><a href="/"><span __boilernet_label="0">Home {n}</span></a></li>
<li><a href="/n"><span __boilernet_label="0">News</span></a></li></ul>
<h1><span __boilernet_label="1">Ferry number {n} stops</span></h1>
<p><span __boilernet_label="1">It stops in June {n} because a bridge takes its place.</span></p>
"""


def test_the_systems_of_the_paper_learn_from_the_development_part_of_cleaneval():
    experiment = read_experiment(FILE)
    kinds = {method.name: method.kind for method in experiment.methods}
    assert {name for name, kind in kinds.items() if kind == "trainable"} == {
        "boilernet", "web2text", "web2text-unary",
    }  # fmt: skip
    assert kinds["boilerpipe"] == kinds["readability-js"] == "extractor"
    cleaneval, *others = experiment.packages
    assert (cleaneval.learn_from, cleaneval.pages) == ("dev", 0)
    assert [package.name for package in others] == ["wcxb", "fundus"]
    assert set(experiment.measures) >= {"leaf", "leaf-boilerplate"}


def test_the_real_split_has_57_pages_to_learn_from_and_672_to_measure(shared_data):
    folder = shared_data("cleaneval.zip").parent
    experiment = read_experiment(FILE, overrides=[f"data={folder}"])
    (source,) = read_packages(replace(experiment, packages=experiment.packages[:1]))
    assert (len(source.learnt), len(source.pages)) == (57, 672)
    assert source.lost == {"final-60": "it is among those to learn from"}


def test_pages_of_googletrends_2017_are_added_as_a_package(tmp_path):
    folder = tmp_path / "trends" / "prepared_html"
    folder.mkdir(parents=True)
    for n in range(4):
        (folder / f"page-{n}.html").write_text(TRENDS.replace("{n}", str(n)))
    override = f"package.googletrends-2017={{path = '{folder.parent}'}}"
    experiment = read_experiment(FILE, overrides=[override])
    methods = tuple(m for m in experiment.methods if m.name in ("plain", "boilerpipe"))
    packages = experiment.packages[-1:]
    assert packages[0].name == "googletrends-2017"
    asked = replace(experiment, packages=packages, methods=methods, reference="plain")
    table = extraction_tables(run_extraction(asked, progress=False).report)["leaves"]
    plain = dict(zip(table.headers, table.rows[0], strict=True))
    assert (plain["Precision content"], plain["Recall content"]) == ("50.0", "100.0")


@pytest.mark.parametrize("name", ["boilernet", "web2text", "web2text-unary"])
def test_each_network_fills_its_row_of_the_table(tmp_path, name):
    pytest.importorskip("torch", reason="needs the extra neural")
    for part, n_pages in (("dev", 4), ("final", 3)):
        for kind in ("input", "GoldStandard"):
            (tmp_path / f"cleaneval-{part}" / kind).mkdir(parents=True)
        for n in range(n_pages):
            menu = "".join(f"<li><a href=/{word}>{word}</a>" for word in "abcdef")
            story = "".join(f"<p>The {part} ferry {n} leaves at {hour}.\n" for hour in "1234")
            folder = tmp_path / f"cleaneval-{part}"
            (folder / "input" / f"{n}.html").write_text(f"<body><ul>{menu}</ul>{story}</body>")
            (folder / "GoldStandard" / f"{n}.txt").write_text(story)
    settings = {"boilernet": ["n_epochs=3", "n_dense=4", "n_hidden=4", "n_validation=1"]}
    own = [f"method.{name}.{value}" for value in settings.get(name, ["n_steps=20"])]
    experiment = read_experiment(FILE, overrides=own)
    cleaneval = replace(experiment.packages[0], path=str(tmp_path))
    methods = tuple(m for m in experiment.methods if m.name in ("plain", name))
    asked = replace(experiment, packages=(cleaneval,), methods=methods, reference=name)
    report = run_extraction(asked, progress=False).report
    assert report.is_complete
    assert [method.name for method in report.wholes[0].methods] == ["plain", name]
    assert len(extraction_tables(report)["leaves"].rows) == 2
