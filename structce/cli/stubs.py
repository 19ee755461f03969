"""``structce features new``: a file with a feature to start from, and its test."""

from __future__ import annotations

import keyword
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template
from types import MappingProxyType

import click

from structce.errors import FeatureError
from structce.features import FAMILIES, REGISTRY
from structce.files import write_together


@dataclass(frozen=True)
class Stub:
    """What differs between families.

    Parameters
    ----------
    options
        Arguments of the decorator after the family.
    doc, body
        Docstring and body of the function.
    html, values
        A page of two regions, and what the function gives on it.
    """

    options: str
    doc: str
    body: str
    html: str
    values: str


STUBS: Mapping[str, Stub] = MappingProxyType(
    {
        "text": Stub(
            options=", bins=(1, 2, 4, 8)",
            doc="Number of commas: running text and lists of names have some, headlines few.",
            body='return np.array([text.count(",") for text in page.text], dtype=np.int64)',
            html="<p>one, two, three</p><p>four</p>",
            values="[2, 0]",
        ),
        "dom": Stub(
            options="",
            doc='An attribute of the region\'s element holds "credit": names of photographers.',
            body=(
                "rows = page.elements.attributes\n"
                '    holds = [any("credit" in value for value in row.values()) for row in rows]\n'
                "    return np.array(holds, dtype=bool)[page.element]"
            ),
            html="<p class=photo-credit>Ann Lee</p><p>four</p>",
            values="[True, False]",
        ),
        "style": Stub(
            options=", bins=(0.4, 0.6, 0.8, 0.95)",
            doc="Font size as a share of the page's largest (0 to 1): headlines have most of it.",
            body=(
                'sizes = page.styles["font-size"].astype(np.float64)\n'
                "    return sizes / sizes.max(initial=1)"
            ),
            html="<h1>one</h1><p>two</p>",
            values="[1.0, 0.5]",
        ),
        "task": Stub(
            options=", bins=(1, 2, 4)",
            doc="Number of words that are in the page's title, too: headlines share most.",
            body=(
                "title = set(page.title.lower().split())\n"
                "    shared = [len(title & set(text.lower().split())) for text in page.text]\n"
                "    return np.array(shared, dtype=np.int64)"
            ),
            html="<title>Ferry to stop</title><h1>Ferry to stop</h1><p>The boats wait.</p>",
            values="[3, 0]",
        ),
    }
)
"""Features to start from, one a family."""

FEATURE = Template('''\
"""Features of mine: $name."""

import numpy as np

from structce.features import feature
from structce.page import Page


@feature("$family"$options)
def $function(page: Page) -> np.ndarray:
    """$doc

    Write here why it should help on sites that nobody has seen.
    """
    # One value a region, in the order of page.text:
    #   an array of truth values or of numbers (NaN: not known); numbers are best given bins;
    #   a list of texts (None: not known), each of which becomes a column of its own;
    #   a list of sets of texts, each member of which becomes a column.
    # page.text, page.tag, page.attributes, page.styles and page.boxes have one value a region,
    # page.elements holds the elements above them, page.element the element of each region.
    # page.boxes and most of page.styles need a browser: then say needs="layout" above.
    # Look neither at page.url nor at labels: what is learnt must hold on other sites.
    $body
''')

TEST = Template('''\
"""Does $name keep what a feature promises, and say what it should?"""

from pathlib import Path

import pytest

from structce.features import REGISTRY
from structce.features.contract import check_feature
from structce.features.plugins import import_features
from structce.rendering import Document, StaticRenderer
from structce.trying.pages import odd_pages

HTML = "$html"
VALUES = $values

(MINE,) = import_features([Path(__file__).with_name("$function.py")])


@pytest.mark.parametrize("name", MINE.features)
def test_it_keeps_the_contract_of_a_feature(name: str) -> None:
    check_feature(REGISTRY[name], odd_pages())


def test_it_says_what_was_worked_out_by_hand() -> None:
    page = StaticRenderer().render(Document(HTML))
    assert list(REGISTRY["$name"].values(page)) == VALUES
''')


@click.command(epilog="Example:  structce features new my_cue --family style")
@click.argument("name", metavar="NAME")
@click.option("--family", type=click.Choice(FAMILIES), required=True, help="Kind of feature.")
@click.option(
    "--folder",
    default=".",
    show_default=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Where to write the two files.",
)
def new(name: str, family: str, folder: Path) -> None:
    """Write a feature to start from and its test: NAME.py and test_NAME.py.

    Both work as they are. Nothing is overwritten.
    """
    function = name.replace("-", "_")
    if not function.isidentifier() or keyword.iskeyword(function) or function.startswith("_"):
        raise click.BadParameter(f"{name!r}; expected a name such as my_cue", param_hint="NAME")
    full = f"{family}.{function.rstrip('_').replace('_', '-')}"
    if full in REGISTRY:
        raise FeatureError(f"the name {full!r} is taken; 'structce features list' shows all")
    files = write_stub(function, full, family, folder)
    path = next(iter(files))
    click.echo(f"written: {', '.join(map(str, files))}")
    click.echo("next:")
    click.echo(f"  python -m pytest {folder / f'test_{function}.py'}")
    click.echo(f"  structce features show {full} page.html --import {path}")
    click.echo(f"  structce features try {path} --corpus CORPUS")


def write_stub(function: str, name: str, family: str, folder: Path) -> tuple[Path, Path]:
    """Write the two files and return their paths, the feature's first.

    Raises
    ------
    FeatureError
        If one of them is there already.
    """
    stub = STUBS[family]
    values = {"function": function, "name": name, "family": family, **vars(stub)}
    paths = folder / f"{function}.py", folder / f"test_{function}.py"
    for path in paths:
        if path.exists():
            raise FeatureError(f"{path} is there already; choose another name or --folder")
    texts = [template.substitute(values) for template in (FEATURE, TEST)]
    write_together({path: text.encode() for path, text in zip(paths, texts, strict=True)})
    return paths
