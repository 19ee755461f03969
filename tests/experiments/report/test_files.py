"""Reports are written whole and read strictly; their schema says what stands in them."""

import json
import math
import re
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from xml.etree import ElementTree

import jsonschema
import numpy as np
import pytest

from structce.errors import ExperimentError
from structce.experiments.report.files import (
    figure_files,
    prediction_files,
    read_learner_report,
    report_schema,
    to_json,
    write_report,
)
from structce.experiments.report.plots.base import SOFT, Plot, file_stem, finish_plot, open_figure
from structce.experiments.results import GridPoint

FILES = {
    "report.html": "<p>ü</p>".encode(),
    "tables.md": "| ü |".encode(),
    "tables.tex": "ü".encode(),
}


@pytest.fixture
def written(tmp_path, report):
    """A folder with a report."""
    write_report(report, tmp_path, FILES)
    return tmp_path


def damage(folder, change):
    """Change the plain values of a report on disk."""
    path = folder / "report.json"
    plain = json.loads(path.read_text(encoding="utf-8"))
    change(plain)
    path.write_text(json.dumps(plain), encoding="utf-8")
    return path


def test_a_report_comes_back_as_it_was_written(written, report):
    assert read_learner_report(written) == report
    assert read_learner_report(written / "report.json") == report


def test_a_report_that_was_read_is_written_with_the_same_bytes(written):
    assert to_json(read_learner_report(written)) == (written / "report.json").read_bytes()


def test_json_is_utf_8_indented_by_one_space_in_the_order_of_the_fields(report):
    asked = replace(report, experiment=replace(report.experiment, question="Schön?"))
    text = to_json(asked).decode("utf-8")
    assert text.startswith('{\n "experiment": {\n  "question": "Schön?",\n')
    assert text.endswith("}\n")
    assert list(json.loads(text)) == [
        "experiment", "command", "versions", "studies", "rankings", "contrasts", "costs",
        "format", "version",
    ]  # fmt: skip


def test_whole_numbers_and_booleans_stay_what_they_are(tmp_path, report):
    study = report.studies[0]
    values = {"a": 1, "b": 1.0, "c": True, "d": "1"}
    trial = replace(study.candidates[0].row.trials[0], parameters=values)
    candidate = replace(study.candidates[0], row=replace(study.candidates[0].row, trials=(trial,)))
    write_report(
        replace(report, studies=(replace(study, candidates=(candidate,)),)), tmp_path, FILES
    )
    parameters = read_learner_report(tmp_path).studies[0].candidates[0].row.trials[0].parameters
    assert {name: type(value) for name, value in parameters.items()} == {
        name: type(value) for name, value in values.items()
    }


def test_any_mapping_and_numbers_of_numpy_are_written_as_plain_ones(report):
    cost = replace(report.costs[0], seconds=np.float64(report.costs[0].seconds))
    odd = replace(
        report, versions=MappingProxyType(report.versions), costs=(cost, *report.costs[1:])
    )
    assert to_json(odd) == to_json(report)


def test_arrays_have_no_place_in_a_report(report):
    with pytest.raises(TypeError, match="ndarray has no place in a report"):
        to_json(replace(report, versions={"numpy": np.zeros(2)}))


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_number_that_json_does_not_have_is_refused_with_its_place(report, number):
    contrast = replace(report.contrasts[0], values=(0.5, number))
    with pytest.raises(ExperimentError, match=rf"report\.contrasts\[0\]\.values\[1\] is {number}"):
        to_json(replace(report, contrasts=(contrast,)))


def test_a_name_of_a_mapping_is_part_of_the_place():
    with pytest.raises(ExperimentError, match=r"dict\.f1\.Title is nan; expected a finite number"):
        to_json({"f1": {"Title": math.nan}})


def test_costs_are_all_that_is_left_out_for_comparing_two_runs(report):
    slower = replace(report, costs=(replace(report.costs[0], seconds=9.75),))
    assert to_json(slower) != to_json(report)
    assert to_json(replace(slower, costs=())) == to_json(replace(report, costs=()))
    assert replace(replace(report, costs=()), costs=report.costs) == report


def test_page_and_tables_stand_beside_the_report(written):
    files = {path.name: path.read_bytes() for path in written.iterdir()}
    assert files.pop("report.json").startswith(b"{")
    assert files == {
        "report.html": "<p>ü</p>".encode(),
        "tables.md": "| ü |".encode(),
        "tables.tex": "ü".encode(),
    }


def test_nothing_is_written_if_one_file_cannot_be_made(written, report):
    before = {path.name: path.read_bytes() for path in written.iterdir()}
    broken = replace(report, costs=(replace(report.costs[0], seconds=math.nan),))
    with pytest.raises(ExperimentError, match="seconds is nan"):
        write_report(broken, written, dict.fromkeys(FILES, b"new"))
    assert {path.name: path.read_bytes() for path in written.iterdir()} == before


def test_what_is_not_there_is_an_error_that_says_what_was_expected(tmp_path):
    with pytest.raises(ExperimentError, match=r"report\.json: .*'structce compare' wrote"):
        read_learner_report(tmp_path)


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xfe", b"PK\x03\x04", b'{"format": "struct', b"[" * 100_000]
)
def test_a_file_that_is_no_json_is_no_report(tmp_path, data):
    (tmp_path / "report.json").write_bytes(data)
    with pytest.raises(ExperimentError, match="not JSON, so not a report"):
        read_learner_report(tmp_path)


@pytest.mark.parametrize("text", ["[]", "3", "{}", '{"format": "structce-model", "version": 2}'])
def test_other_json_is_no_report(tmp_path, text):
    (tmp_path / "report.json").write_text(text)
    with pytest.raises(ExperimentError, match='expected "format": "structce-report"'):
        read_learner_report(tmp_path)


@pytest.mark.parametrize("version", [2, 4, None, "3"])
def test_a_report_of_another_version_names_both(written, version):
    damage(written, lambda plain: plain.update(version=version))
    with pytest.raises(ExperimentError, match=f"is of version {version}; .* reads version 3"):
        read_learner_report(written)


def test_a_value_of_another_type_is_named_with_its_place(written):
    damage(written, lambda plain: plain["studies"][0].update(by=3))
    with pytest.raises(ExperimentError, match=r"damaged: Expected `str`.*studies\[0\]\.by"):
        read_learner_report(written)


def test_a_key_that_is_missing_is_damage(written):
    damage(written, lambda plain: plain["studies"][0]["candidates"][0]["row"].pop("scores"))
    with pytest.raises(ExperimentError, match=r"damaged: .*missing required field `scores`"):
        read_learner_report(written)


def test_a_key_that_nobody_knows_is_damage(written):
    damage(written, lambda plain: plain["studies"][0]["candidates"][0].update(colour="red"))
    with pytest.raises(
        ExperimentError, match=r"damaged: unknown key \$\.studies\[0\]\.candidates\[0\]\.colour"
    ):
        read_learner_report(written)


def test_an_experiment_that_cannot_work_is_told_with_the_file(written):
    damage(written, lambda plain: plain["experiment"].update(seed=-1))
    with pytest.raises(ExperimentError, match=r"report\.json: .*seed.*-1; expected 0 or more"):
        read_learner_report(written)


DOCS = Path(__file__).resolve().parents[3] / "docs"


@pytest.fixture(scope="module")
def validator():
    jsonschema.Draft202012Validator.check_schema(report_schema())
    return jsonschema.Draft202012Validator(report_schema())


def test_a_report_is_what_the_schema_says(report, validator):
    validator.validate(json.loads(to_json(report)))


@pytest.mark.parametrize(
    "change",
    [
        lambda plain: plain.update(colour="red"),
        lambda plain: plain.update(version=1),
        lambda plain: plain.pop("format"),
        lambda plain: plain.pop("studies"),
        lambda plain: plain["studies"][0].update(by=3),
        lambda plain: plain["contrasts"][0].update(values=[1.0]),
        lambda plain: plain["studies"][0]["source"]["counts"].update(Title="many"),
    ],
)
def test_the_schema_refuses_what_the_reader_refuses(tmp_path, report, validator, change):
    plain = json.loads(to_json(report))
    change(plain)
    (tmp_path / "report.json").write_text(json.dumps(plain))
    assert not validator.is_valid(plain)
    with pytest.raises(ExperimentError):
        read_learner_report(tmp_path)


def test_the_schema_says_of_each_class_and_field_what_the_docstring_says():
    definitions = report_schema()["$defs"]
    point, row = definitions["GridPoint"], definitions["LearnerResult"]
    assert point["description"] == " ".join(GridPoint.__doc__.split("\n\n")[0].split())
    assert point["properties"]["value"]["description"]
    assert "description" not in point["properties"]["parameters"]
    assert row["properties"]["confusion"]["description"].startswith("Shape (n_labels, n_labels). ")
    comparison = definitions["Comparison"]["properties"]
    assert comparison["first"]["description"] == comparison["second"]["description"]
    assert "Raises" not in definitions["Experiment"]["description"]
    segments = definitions["SegmentScores"]["properties"]
    assert ":class:" not in segments["micro"]["description"]


def test_the_schema_in_the_docs_is_that_of_the_values():
    stored = (DOCS / "report.schema.json").read_text(encoding="utf-8")
    assert json.loads(stored) == report_schema(), (
        "run: structce report schema > docs/report.schema.json"
    )


def test_further_files_stand_below_the_folder(report, tmp_path):
    write_report(report, tmp_path, FILES | {"figures/a.svg": b"<svg/>"})
    assert (tmp_path / "figures" / "a.svg").read_bytes() == b"<svg/>"
    assert read_learner_report(tmp_path) == report


def plot_of(*names):
    with open_figure(1.5) as figure:
        figure.subplots().plot([1, 2], color=SOFT)
        return finish_plot(figure, "Title", f"1 and 2, {names}", *names)


def test_each_plot_is_an_svg_and_a_pdf_file_that_stands_alone():
    files = figure_files([plot_of("costs", "news by site"), Plot("<svg/>", "drawn", "before")])
    assert sorted(files) == ["figures/costs-news-by-site.pdf", "figures/costs-news-by-site.svg"]
    root = ElementTree.fromstring(files["figures/costs-news-by-site.svg"])
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    text = files["figures/costs-news-by-site.svg"].decode()
    assert "var(--" not in text
    assert SOFT in text
    pdf = files["figures/costs-news-by-site.pdf"]
    assert pdf.startswith(b"%PDF-")
    assert b"CreationDate" not in pdf


def test_figures_of_one_name_do_not_replace_each_other():
    plot = plot_of("costs", "news")
    names = (("costs", "news"), ("Costs!", "news"), ("見出し",))
    files = figure_files([replace(plot, names=own) for own in names])
    stems = {Path(name).stem for name in files}
    assert {"costs-news", "costs-news-2"} < stems
    assert len(stems) == 3
    assert all(re.fullmatch(r"[a-z0-9.-]+", stem) for stem in stems)


def test_a_long_name_of_a_file_is_cut_and_stays_its_own():
    first, other = (file_stem("a very long name " * 9 + end) for end in ("x", "y"))
    assert first != other
    assert max(len(first), len(other)) <= 80


def test_predictions_are_a_file_a_study():
    files = prediction_files({"news by site": "gold\nNone\n", "News, by site": "gold\n"})
    assert files == {
        "predictions/news-by-site.tsv": "gold\nNone\n",
        "predictions/news-by-site-2.tsv": "gold\n",
    }
