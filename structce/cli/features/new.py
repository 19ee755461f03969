"""``structce features new``: a feature to start from, with its test."""

from __future__ import annotations

import keyword
import tomllib
from importlib import resources
from pathlib import Path
from string import Template

import click

from structce.errors import FeatureError
from structce.features import FAMILIES, ODD_HTML, REGISTRY, lay_out
from structce.io import write_all_atomic
from structce.page import Page
from structce.rendering import Document, StaticRenderer


@click.command("new", epilog="Example:  structce features new my_cue --family style")
@click.argument("name", metavar="NAME")
@click.option("--family", type=click.Choice(FAMILIES), required=True, help="Kind of feature.")
def command(name: str, family: str) -> None:
    """Write a feature to start from, and its test: NAME.py and test_NAME.py.

    Both work as they are. Nothing is overwritten.
    """
    function = name.replace("-", "_")
    if not function.isidentifier() or keyword.iskeyword(function) or function.startswith("_"):
        raise click.BadParameter(f"{name!r}; expected a name such as my_cue", param_hint="NAME")
    full = f"{family}.{function.rstrip('_').replace('_', '-')}"
    if full in REGISTRY:
        raise FeatureError(f"the name {full!r} is taken; 'structce features list' shows all")
    stubs = tomllib.loads((resources.files(__package__) / "stubs.toml").read_text("utf-8"))
    values = {"function": function, "name": full, "family": family, **stubs["families"][family]}
    path, test = Path(f"{function}.py"), Path(f"test_{function}.py")
    texts = {path: stubs["feature"], test: stubs["test"]}
    for file in texts:
        if file.exists():
            raise FeatureError(f"{file} already exists; choose another name or folder")
    write_all_atomic(
        {file: Template(text).substitute(values).encode() for file, text in texts.items()}
    )
    click.echo(f"written: {path}, {test}")
    click.echo("next:")
    click.echo(f"  python -m pytest {test}")
    click.echo(f"  structce features show {full} page.html --import {path}")
    click.echo(f"  structce features try {path} --corpus CORPUS")


def odd_pages() -> list[Page]:
    """Return unusual pages for tests of features: empty, huge, broken, without layout or area."""
    renderer = StaticRenderer()
    pages = []
    for name, html in ODD_HTML.items():
        url = f"https://www.harbour-post.example/{name.replace(' ', '-')}"
        pages.append(renderer.render(Document(html, url=url, name=name)))
    return [*pages, *map(lay_out, pages)]
