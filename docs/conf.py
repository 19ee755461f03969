"""Settings of the site, which `sphinx-build -W docs out/site` builds from this folder."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import ClassVar

import click
from docutils import nodes
from docutils.parsers.rst import Directive
from myst_parser.parsers.sphinx_ import MystParser
from sphinx.application import Sphinx

import structce
from structce.cli import cli
from structce.version import __version__

project = "structce"
author = "the authors of structce"
release = version = __version__
copyright = "the authors of structce; MIT licence"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
]
source_suffix = {".md": "markdown"}
exclude_patterns = ["**/.ipynb_checkpoints"]
default_role = "literal"
strip_signature_backslash = True
highlight_language = "none"
trim_doctest_flags = True

myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]

autodoc_typehints = "description"
autodoc_typehints_description_target = "documented_params"
autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
autodoc_class_signature = "mixed"
autodoc_use_type_comments = False  # we have none, and looking for them takes seconds
autodoc_default_options = {
    "members": True,
    # The page on structce itself, which has these names, says otherwise.
    "exclude-members": ", ".join(structce.__all__),
}
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_preprocess_types = False

html_theme = "furo"
html_title = f"structce {__version__}"
html_copy_source = False
html_show_sphinx = False

suppress_warnings = [
    "myst.header",  # features.md consists of generated tables with headings of their own
    "ref.python",  # a name that two packages have may be linked to either
]


class NotebookParser(MystParser):
    """Parser of a notebook with its stored outputs: Markdown, code, text and HTML."""

    supported: ClassVar[tuple[str, ...]] = ("notebook",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Parse the notebook as a page of Markdown."""
        cells = json.loads(inputstring)["cells"]
        super().parse("\n\n".join(map(_cell, cells)) + "\n", document)


def _cell(cell: dict[str, object]) -> str:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return source
    return "\n\n".join([_fenced("python", source), *map(_output, cell["outputs"])])


def _output(output: dict[str, object]) -> str:
    """Return an output of a cell: its card if it has one, otherwise its text."""
    data = output.get("data", {"text/plain": output.get("text", [])})
    shown = "".join(data["text/html"]) if "text/html" in data else _plain(data["text/plain"])
    return _fenced("{raw} html", f'<div class="notebook-output">{shown}</div>')


def _plain(lines: list[str]) -> str:
    return f"<pre>{escape(''.join(lines))}</pre>"


def _fenced(kind: str, text: str) -> str:
    return f"``````{kind}\n{text}\n``````"


class CommandHelp(Directive):
    """Directive that shows the help of every command in a section of its own."""

    def run(self) -> list[nodes.Node]:
        """Return one section per command; subcommands follow their command."""
        return [_section(name, text) for name, text in _helps(cli, "structce")]


def _section(name: str, text: str) -> nodes.section:
    parts = nodes.title(text=name), nodes.literal_block(text, text)
    return nodes.section("", *parts, ids=[nodes.make_id(name)], names=[name])


def _helps(command: click.Command, name: str) -> Iterator[tuple[str, str]]:
    """Yield the help of a command and of the commands below it, by their full names."""
    with click.Context(command, info_name=name, **_HELP) as context:
        yield name, command.get_help(context)
        if isinstance(command, click.Group):
            for subname in command.list_commands(context):
                _, below, _ = command.resolve_command(context, [subname])
                yield from _helps(below, f"{name} {subname}") if below else ()


_HELP = {"terminal_width": 96, "max_content_width": 96}


def setup(app: Sphinx) -> None:
    """Register notebooks as pages, and the directive of the commands."""
    app.add_directive("command-help", CommandHelp)
    app.add_source_parser(NotebookParser)
    app.add_source_suffix(".ipynb", "notebook")
    app.connect("html-page-context", _add_style)


def _add_style(app: Sphinx, page: str, template: str, context: dict, tree: object) -> None:
    """Add the style that lets wide tables and cards scroll in a narrow window."""
    context["metatags"] = context.get("metatags", "") + f"<style>{_STYLE}</style>"


_STYLE = Path(__file__).with_name("site.css").read_text(encoding="utf-8")
