"""``structce features``: list the features, and start new ones from a template."""

from __future__ import annotations

import keyword
import tomllib
from importlib import resources
from pathlib import Path
from string import Template

import click

from structce.cli.lazy_group import LazyGroup
from structce.cli.messages import TABLE_END, write_between
from structce.cli.options import EXISTING_FILE, FOLDER, format_option, print_table
from structce.errors import FeatureError
from structce.features import (
    FAMILIES,
    ODD_HTML,
    OPTIONAL_FAMILIES,
    PRESETS,
    REGISTRY,
    lay_out,
    markdown_tables,
    preset_features,
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
    """List and show the features that describe a region, and create new ones."""


@click.command(
    "list",
    epilog="Examples:  structce features list --family task;  "
    "structce features list --preset spengler2010",
)
@click.option(
    "--family", type=click.Choice((*FAMILIES, *OPTIONAL_FAMILIES)), help="Only this family."
)
@click.option(
    "--preset", type=click.Choice(PRESETS), help="Only the features of a paper, in its order."
)
@click.option("--markdown", is_flag=True, help="Table 1 of the paper beside ours, and all of ours.")
@click.option(
    "--into",
    type=EXISTING_FILE,
    metavar="FILE.md",
    help=f"Write the Markdown into a file, between {FEATURES_BEGIN} and {TABLE_END}.",
)
@format_option
def list_features_command(
    family: str | None, preset: str | None, markdown: bool, into: Path | None, form: str
) -> None:
    """List the registered features."""
    if preset is not None and (markdown or into is not None):
        raise click.UsageError("--preset excludes --markdown and --into")
    if markdown or into is not None:
        tables = markdown_tables(None if family is None else [family])
        write_between(into, FEATURES_BEGIN, "\n".join(tables))
        return
    rows = [
        {
            "name": feature.name,
            "family": feature.family,
            "needs": feature.needs or "",
            "source": feature.source,
            "says": feature.summary,
        }
        for feature in map(REGISTRY.__getitem__, preset_features(preset) if preset else REGISTRY)
        if family in (None, feature.family)
    ]
    print_table(rows, form)


@click.command("new", epilog="Example:  structce features new my_cue --family style")
@click.argument("name", metavar="NAME")
@click.option("--family", type=click.Choice(FAMILIES), required=True, help="Kind of feature.")
@click.option("--folder", default=".", type=FOLDER, help="Where to write the two files.")
def new_feature_command(name: str, family: str, folder: Path) -> None:
    """Write a feature to start from, and its test: NAME.py and test_NAME.py.

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
    """Write the two files, unless one of them exists; return their paths, the feature's first."""
    stubs = tomllib.loads((resources.files(__package__) / "feature_stubs.toml").read_text("utf-8"))
    values = {"function": function, "name": name, "family": family, **stubs["families"][family]}
    paths = folder / f"{function}.py", folder / f"test_{function}.py"
    for path in paths:
        if path.exists():
            raise FeatureError(f"{path} already exists; choose another name or --folder")
    texts = [Template(stubs[kind]).substitute(values) for kind in ("feature", "test")]
    write_all_atomic({path: text.encode() for path, text in zip(paths, texts, strict=True)})
    return paths


def odd_pages() -> list[Page]:
    """Return unusual pages for tests of features: empty, huge, broken, without layout or area.

    Each is one of two pages of a site, so that features that need other pages work.
    """
    renderer = StaticRenderer()
    pages, sites = [], []
    for name, html in ODD_HTML.items():
        url = f"https://www.harbour-post.example/{name.replace(' ', '-')}"
        pages += [renderer.render(Document(html, url=url, name=name))] * 2
        sites += [name] * 2
    known = with_sites(pages, sites)[::2]
    return [*known, *map(lay_out, known)]
