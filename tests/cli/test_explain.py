"""``structce explain`` as a user runs it."""

import json

import pytest

JSON = ("--format", "json")


@pytest.fixture
def article_file(tmp_path, article_html):
    path = tmp_path / "a.html"
    path.write_text(article_html(0))
    return path


def test_the_title_is_explained_and_its_differences_add_up(run, article_file):
    code, out, err = run("explain", article_file, "--columns", 4)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith(f"{article_file}, region 3: Title (confidence ")
    assert lines[1] == "Ferry to stop in June, part 0"
    assert lines[3].split()[:5] == ["column", "or", "context", "value", "Title"]
    assert lines[-2].startswith("Without ")
    rows = [line.split() for line in lines[5:] if line and not line.startswith("Without")]
    *parts, total = [float(row[-1]) for row in rows]
    assert rows[-1][0] == "sum"
    assert len(parts) == 4 + 1
    (digits,) = {len(row[-1].partition(".")[2]) for row in rows}
    assert sum(parts) == pytest.approx(total, abs=0.5 * 10.0**-digits * (len(parts) + 1))


def test_regions_are_chosen_by_number_or_by_label(run, article_file):
    code, out, _ = run("explain", article_file, "--region", 0, "--region", 9, *JSON)
    assert code == 0
    (record,) = json.loads(out)
    assert set(record) == {"source", "url", "renderer", "model", "explanations"}
    assert [explanation["region"] for explanation in record["explanations"]] == [0, 9]
    chosen = ("--label", "Paragraph", "--columns", 2)
    explanations = json.loads(run("explain", article_file, *chosen, *JSON)[1])[0]["explanations"]
    assert len(explanations) > 2
    assert {explanation["answer"] for explanation in explanations} == {"Paragraph"}
    shares = [*explanations[0]["columns"], explanations[0]["others"], *explanations[0]["context"]]
    total = sum(share["difference"] for share in shares)
    assert total == pytest.approx(explanations[0]["margin"], abs=1e-9)


def test_a_label_without_regions_is_a_message(run, article_file):
    code, out, err = run("explain", article_file, "--label", "Advertisement", *JSON)
    assert code == 0
    assert json.loads(out)[0]["explanations"] == []
    assert "no region is labelled Advertisement" in err


def test_a_failure_costs_one_page(run, article_file):
    (article_file.parent / "b.html").write_bytes(b"\x89PNG\r\n\x1a\n")
    code, out, err = run("explain", article_file.parent, *JSON)
    assert code == 1
    assert ["error" in record for record in json.loads(out)] == [False, True]
    assert "b.html" in err
    code, out, err = run("explain", article_file, "--region", 4000, *JSON)
    assert code == 1
    assert "no region 4000; the page has " in json.loads(out)[0]["error"]
    assert str(article_file) in err


@pytest.mark.parametrize(
    "options",
    ["--label Headline", "--region a", "--region 1 --label Title", "--field title --label Date"],
)
def test_wrong_usage_exits_with_2(run, article_file, options):
    assert run("explain", article_file, *options.split())[0] == 2


@pytest.mark.parametrize("field", ["title", "authors", "date"])
def test_the_value_of_a_field_is_explained(run, article_file, field):
    code, out, err = run("explain", article_file, "--field", field, "--columns", 3)
    assert (code, err) == (0, "")
    article = json.loads(run("label", article_file)[1])
    value = article[field] if field != "authors" else article[field][0]
    heading, *lines = out.splitlines()
    sure = f"(confidence {value['confidence']:.4f})"
    assert heading == f"{article_file}, {field}: {value['value']} {sure}"
    (chosen,) = (line for line in lines if line.startswith("chosen"))
    assert value["value"] in chosen
    table = lines[next(n for n, line in enumerate(lines) if line.startswith("column ")) + 2 :]
    parts = [float(line.split()[-1]) for line in table if line.strip()]
    assert len(parts) == 3 + 2
    assert sum(parts[:-1]) == pytest.approx(parts[-1], abs=0.03)
    record = json.loads(run("explain", article_file, "--field", field, *JSON)[1])[0]
    assert record["explanation"]["field"] == field
    assert record["explanation"]["confidence"] == pytest.approx(value["confidence"], abs=1e-4)
