"""``structce features``: list the features, and start new ones from a template."""

from __future__ import annotations

import keyword
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template
from types import MappingProxyType

import click

from structce.cli.lazy_group import LazyGroup
from structce.cli.options import format_option, print_table
from structce.cli.output import TABLE_END, write_between
from structce.errors import FeatureError
from structce.features import (
    FAMILIES,
    ODD_HTML,
    OPTIONAL_FAMILIES,
    REGISTRY,
    lay_out,
    markdown_tables,
)
from structce.io import write_all_atomic
from structce.page import Page, with_sites
from structce.rendering import Document, StaticRenderer

FEATURES_BEGIN = "<!-- structce features list --markdown -->"
"""Line of a Markdown file that begins the tables of features."""


_COMMANDS = {
    "list": "structce.cli.features:list_features_command",
    "show": "structce.cli.feature_show:show_feature_command",
    "new": "structce.cli.features:new_feature_command",
    "try": "structce.cli.feature_trial:try_features_command",
}


@click.group("features", cls=LazyGroup, targets=_COMMANDS)
def features_group() -> None:
    """Look at the features that describe a region, and make new ones."""


@click.command(
    "list",
    epilog="Examples:  structce features list --family task;  structce features list --markdown",
)
@click.option(
    "--family", type=click.Choice((*FAMILIES, *OPTIONAL_FAMILIES)), help="Only this family."
)
@click.option("--markdown", is_flag=True, help="Table 1 of the paper beside ours, and all of ours.")
@click.option(
    "--into",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE.md",
    help=f"Put the Markdown into a file, between {FEATURES_BEGIN} and {TABLE_END}.",
)
@format_option
def list_features_command(family: str | None, markdown: bool, into: Path | None, form: str) -> None:
    """List the registered features."""
    if markdown or into is not None:
        text = "\n".join(markdown_tables(None if family is None else [family]))
        if into is None:
            click.echo(text)
        else:
            write_between(into, FEATURES_BEGIN, text)
        return
    rows = [
        {
            "name": feature.name,
            "family": feature.family,
            "needs": feature.needs or "",
            "source": feature.source,
            "says": feature.summary,
        }
        for feature in REGISTRY.values()
        if family in (None, feature.family)
    ]
    print_table(rows, form)


@dataclass(frozen=True)
class FeatureStub:
    """What differs between the templates of families.

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


_STUBS: Mapping[str, FeatureStub] = MappingProxyType(
    {
        "text": FeatureStub(
            options=", bins=(1, 2, 4, 8)",
            doc="Number of commas: running text and lists of names have some, headlines few.",
            body='return np.array([text.count(",") for text in page.text], dtype=np.int64)',
            html="<p>one, two, three</p><p>four</p>",
            values="[2, 0]",
        ),
        "dom": FeatureStub(
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
        "style": FeatureStub(
            options=", bins=(0.4, 0.6, 0.8, 0.95)",
            doc="Font size as a share of the page's largest (0 to 1): headlines have most of it.",
            body=(
                'sizes = page.styles["font-size"].astype(np.float64)\n'
                "    return sizes / sizes.max(initial=1)"
            ),
            html="<h1>one</h1><p>two</p>",
            values="[1.0, 0.5]",
        ),
        "task": FeatureStub(
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
"""Templates of features by family."""

_FEATURE_TEMPLATE = Template('''\
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

_TEST_TEMPLATE = Template('''\
"""Tests of $name: the contract of a feature, and values worked out by hand."""

from pathlib import Path

import pytest

from structce.features import REGISTRY
from structce.features.contract import check_feature
from structce.features.registry import import_features
from structce.rendering import Document, StaticRenderer
from structce.cli.features import odd_pages

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


@click.command("new", epilog="Example:  structce features new my_cue --family style")
@click.argument("name", metavar="NAME")
@click.option("--family", type=click.Choice(FAMILIES), required=True, help="Kind of feature.")
@click.option(
    "--folder",
    default=".",
    show_default=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Where to write the two files.",
)
def new_feature_command(name: str, family: str, folder: Path) -> None:
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
    stub = _STUBS[family]
    values = {"function": function, "name": name, "family": family, **vars(stub)}
    paths = folder / f"{function}.py", folder / f"test_{function}.py"
    for path in paths:
        if path.exists():
            raise FeatureError(f"{path} is there already; choose another name or --folder")
    texts = [template.substitute(values) for template in (_FEATURE_TEMPLATE, _TEST_TEMPLATE)]
    write_all_atomic({path: text.encode() for path, text in zip(paths, texts, strict=True)})
    return paths


def odd_pages() -> list[Page]:
    """Return unusual pages for tests of features: empty, huge, broken, without layout or area.

    Each is one of two pages of a site, so that features that need other pages work, too.
    """
    renderer = StaticRenderer()
    pages, sites = [], []
    for name, html in ODD_HTML.items():
        url = f"https://www.harbour-post.example/{name.replace(' ', '-')}"
        pages += [renderer.render(Document(html, url=url, name=name))] * 2
        sites += [name] * 2
    known = with_sites(pages, sites)[::2]
    return [*known, *map(lay_out, known)]
