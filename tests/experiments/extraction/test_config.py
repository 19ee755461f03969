"""Experiments with content extractors as files."""

import re
import tomllib
from pathlib import Path

import pytest

import structce.experiments
from structce.errors import ExperimentError
from structce.experiments.config import Experiment
from structce.experiments.config_toml import read_experiment, to_toml
from structce.experiments.extraction.config import (
    SECONDS,
    ExtractionExperiment,
    PackageSource,
    _ExtractionTable,
    _FoldsTable,
    _LearningTable,
    _PackageTable,
)
from structce.extraction import MEASURES, Method
from structce.extraction.token_spans import DocumentSlopeCurve

FOLDER = Path(structce.experiments.__file__).parent
DOCS = FOLDER.parents[1] / "docs" / "experiments.md"
PAPER = FOLDER / "gottron2007.toml"
LEAST = 'question = "Which?"\n[package.cleaneval]\n[method.plain]\n[method.bte]\n'


def test_a_package_and_a_method_are_enough(read):
    experiment = read(LEAST)
    assert experiment.packages == (PackageSource("cleaneval", "cleaneval"),)
    assert experiment.methods == (Method("plain", "plain"), Method("bte", "bte"))
    assert experiment.reference == "plain"
    assert experiment.measure == "characters"
    assert (experiment.pages, experiment.seed, experiment.seconds) == (0, 0, SECONDS)


def test_a_method_has_parameters_and_a_name_of_its_own(read):
    experiment = read(LEAST + '[method.narrow]\nmethod = "dsc"\nwindow = 20\n')
    assert experiment.methods[-1].make() == DocumentSlopeCurve(window=20)
    assert experiment.methods[-1].name == "narrow"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LEAST + "[method.dscc]\n", "method.dscc: unknown 'dscc'; did you mean 'dsc'?"),
        (LEAST + "[method.dsc]\nwindw = 2\n", "dsc.windw: unknown key; did you mean 'window'?"),
        (LEAST + "[method.dsc]\nwindow = [2]\n", "method.dsc.window: expected a number"),
        (LEAST + "[method.dsc]\nwindow = 1\n", "method.dsc: dsc: expected a window"),
        (LEAST + '[method."model:x"]\nshare = 1\n', "only a registered extractor takes"),
        (LEAST + "[package.wcbx]\n", "package.wcbx: unknown 'wcbx'; did you mean 'wcxb"),
        (LEAST + "[package.wcxb]\nbi = 1\n", "package.wcxb.bi: unknown key; did you mean 'by'?"),
        (LEAST + '[package.wcxb]\nonly = "forum"\n', 'package.wcxb.only: expected a fact in "by"'),
        (LEAST + "[package.wcxb]\nmin_pages = 0\n", "package.wcxb.min_pages: 0"),
        (LEAST + "[package.wcxb]\npages = -1\n", "package.wcxb.pages: -1"),
        ('pages = -1\n' + LEAST, "pages: -1"),
        ('reference = "dsc"\n' + LEAST, "reference: unknown 'dsc'"),
        ('measures = ["bags"]\n' + LEAST, "measures: unknown 'bags'; did you mean 'bag'?"),
        ('question = "?"\n[method.bte]\n', "package: missing"),
        ('question = "?"\n[package.wcxb]\n', "method: missing"),
        ("[package.wcxb]\n[method.bte]\n", "question: missing"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_file_key_and_nearest_name(read, text, message):
    with pytest.raises(ExperimentError, match=re.escape(message)) as caught:
        read(text)
    assert "question.toml: " in str(caught.value)


def test_an_override_replaces_a_value_and_is_named_if_it_is_at_fault(read):
    assert read(LEAST, "pages=20", "package.cleaneval.by=site").pages == 20
    with pytest.raises(ExperimentError, match="--set pages=-2: pages: -2"):
        read(LEAST, "seed=3", "pages=-2")


def test_an_experiment_is_written_as_the_file_that_it_is_read_from(read):
    text = (
        LEAST
        + '[package.wcxb]\nby = "page_type"\nonly = "article"\ntitle = false\n'
        + "pages = 5\ncomments = true\n"
        + '[method.d]\nmethod = "dsc"\n'
    )
    experiment = read('seed = 3\nreference = "bte"\nmeasures = "bag"\n' + text + "window = 20\n")
    assert read(to_toml(experiment)) == experiment


def test_a_file_is_read_as_an_experiment_of_its_kind(tmp_path):
    assert isinstance(read_experiment(PAPER), ExtractionExperiment)
    assert isinstance(read_experiment(FOLDER / "four_learners.toml"), Experiment)
    with pytest.raises(ExperimentError, match="No such file"):
        read_experiment(tmp_path / "no.toml")


def test_the_question_of_the_paper_has_its_methods_measures_and_packages():
    experiment = read_experiment(PAPER)
    names = {method.name for method in experiment.methods}
    quotas = {f"link-quota-{percent}" for percent in (25, 50, 75)}
    assert {"plain", "crunch", "bte", "dsc", *quotas} <= names
    assert experiment.measures == ("characters", "sequence", "bag", "set")
    assert experiment.reference == "dsc"
    assert {"cleaneval", "big9", "fundus", "l3s-gn1", "wcxb"} <= {
        package.reader for package in experiment.packages
    }
    comment = PAPER.read_text(encoding="utf-8").partition("question =")[0]
    assert "Gottron (2007)" in comment
    assert tomllib.loads(PAPER.read_text(encoding="utf-8"))["question"].endswith("?")


def test_the_question_of_debnath_has_methods_that_see_classes_one_page_and_main_contents():
    experiment = read_experiment(FOLDER / "debnath2005.toml")
    kinds = {method.name: method.kind for method in experiment.methods}
    assert {name for name, kind in kinds.items() if kind == "page class"} == {
        "entropy", "entropy-tables", "content-extractor", "k-feature-extractor-text-data",
    }  # fmt: skip
    assert {"feature-extractor-text", "k-feature-extractor-text"} < set(kinds)
    assert kinds["l-extractor"] == "trainable"
    assert {kinds["feature-extractor"], kinds["k-feature-extractor"]} == {"extractor"}
    assert experiment.measures[:2] == ("block", "block-weighted")
    assert experiment.class_pages == (5, 10, 20, 40)
    assert all(package.by for package in experiment.packages)
    pages = {package.name: package.only for package in experiment.packages if package.only}
    shops = ("product", "collection")
    assert pages == {"products": shops[:1], "collections": shops[1:], "shops": shops}


def test_the_question_of_yao_and_zuo_has_three_sets_of_features_and_both_kinds_of_folds():
    experiment = read_experiment(FOLDER / "yao_zuo2013.toml")
    names = ("block-svm-text", "block-svm-position", "block-svm", "dragnet-like")
    assert {method.name for method in experiment.methods if method.kind == "trainable"} == set(
        names
    )
    assert (experiment.n_folds, experiment.folds_by) == (5, ("random", "site"))
    assert experiment.measures[:2] == ("set", "sequence")
    assert (experiment.pages, experiment.reference_setting) == (600, "block-svm, folds by site")


def test_the_example_of_the_documentation_can_be_read_and_every_key_is_documented(read):
    text = DOCS.read_text(encoding="utf-8").partition("\n## Content extractors\n")[2]
    experiment = read(re.findall(r"```toml\n(.*?)```", text, re.DOTALL)[0])
    assert experiment.packages[1].by == ("site", "year")
    tables = (_ExtractionTable, _PackageTable, _LearningTable, _FoldsTable)
    keys = [key for table in tables for key in table.__struct_fields__]
    for key in set(keys) - {"package", "method"}:
        assert text.count(f"\n| `{key}` |") == keys.count(key)


def test_every_measure_is_documented():
    text = DOCS.read_text(encoding="utf-8").partition("\n## Content extractors\n")[2]
    rows = text.partition("\n| measure | what is compared |")[2].partition("\n\n")[0]
    firsts = [row.split(" | ")[0] for row in rows.splitlines()]
    assert re.findall(r"`([a-z-]+)`", "\n".join(firsts)) == list(MEASURES)
