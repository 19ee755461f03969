"""The schema of a report says what stands in it, and what does not."""

import json
from pathlib import Path

import jsonschema
import pytest

from structce.errors import ExperimentError
from structce.experiments.report.files import read_report, schema, to_json

DOCS = Path(__file__).resolve().parents[3] / "docs"


def test_a_report_is_what_the_schema_says(report):
    jsonschema.Draft202012Validator.check_schema(schema())
    jsonschema.validate(json.loads(to_json(report)), schema())


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
def test_the_schema_refuses_what_the_reader_refuses(tmp_path, report, change):
    plain = json.loads(to_json(report))
    change(plain)
    (tmp_path / "report.json").write_text(json.dumps(plain))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(plain, schema())
    with pytest.raises(ExperimentError):
        read_report(tmp_path)


def test_the_schema_says_of_each_field_what_the_docstring_says():
    definitions = schema()["$defs"]
    point, row = definitions["Point"], definitions["Row"]
    assert point["description"] == (
        "One point of a grid: fitted on the training part, measured on the validation part."
    )
    assert point["properties"]["value"]["description"].startswith("Of the measure that")
    assert "description" not in point["properties"]["parameters"]
    assert row["properties"]["confusion"]["description"] == (
        "Shape (n_labels, n_labels). Gold labels are rows, in the order of the label set."
    )
    pair = definitions["Pair"]["properties"]
    assert pair["first"]["description"] == pair["second"]["description"]
    assert "Raises" not in definitions["Experiment"]["description"]
    segments = definitions["SegmentScores"]["properties"]
    assert ":class:" not in segments["micro"]["description"]


def test_the_schema_in_the_docs_is_that_of_the_values():
    stored = (DOCS / "report.schema.json").read_text(encoding="utf-8")
    assert json.loads(stored) == schema(), "run: structce report schema > docs/report.schema.json"
