"""Tables of words and thresholds that come with the package."""

import tomllib
from pathlib import Path

import pytest

import structce
from structce.language import read_toml

PACKAGE = Path(structce.__file__).parent
FILES = [
    file.relative_to(PACKAGE).as_posix()
    for room in ("article", "features", "language", "page")
    for file in sorted(PACKAGE.glob(f"{room}/*.toml"))
]


def typed(value: object) -> object:
    if isinstance(value, dict):
        return {key: typed(entry) for key, entry in value.items()}
    return type(value), value


@pytest.mark.parametrize("name", FILES)
def test_a_table_is_read_as_toml(name):
    file = PACKAGE / name
    expected = tomllib.loads(file.read_text(encoding="utf-8"))
    assert typed(read_toml(str(file), file.stem)) == typed(expected)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# only a remark\n",
        "a = 1\n\n[b]\nc = -2.5  # a number\n",
        'a = "#"\nb = \'\\d\'\nc = """\\\n  x \\\n  y"""\nd = """\nz"""\ne = \'\'\'\nit\'s\'\'\'\n',
        'a = ["x", "y",]\nb = []\nc = [\n  "x",\n]\n',
        'a = { b = 1, "c d" = -0.5 }\n',
        'a = "\\u00e4"\n',
        "a = true\n",
        "a = 1e3\n",
        "[[a]]\nb = 1\n",
        "[a.b]\nc = 1\n",
        "a = [[1], [2]]\n",
        "a.b = 1",
        '"a.b" = 1\n',
    ],
)
def test_toml_that_is_not_plain_is_read_as_well(text, tmp_path):
    file = tmp_path / "table.toml"
    file.write_text(text, encoding="utf-8")
    assert typed(read_toml(str(file), "table")) == typed(tomllib.loads(text))
