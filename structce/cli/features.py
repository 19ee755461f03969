"""``structce features``: what describes a region, and features of one's own."""

from __future__ import annotations

import itertools
import json
import keyword
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template
from types import MappingProxyType

import click
import numpy as np
from tabulate import tabulate
from tqdm import tqdm

from structce.cli.lazy_group import LateGroup
from structce.cli.options import (
    browser_option,
    format_option,
    open_for,
    print_rows,
    renderer_option,
)
from structce.cli.output import END, write_between
from structce.errors import FeatureError
from structce.experiments import (
    N_TRIAL_FOLDS,
    TRIAL_LEARNER,
    FeatureTrial,
    ScoreChange,
    count_steps,
    try_features,
)
from structce.features import (
    FAMILIES,
    OPTIONAL_FAMILIES,
    REGISTRY,
    import_features,
    markdown_tables,
)
from structce.io import write_all_atomic
from structce.learners import LEARNERS

BEGIN = "<!-- structce features list --markdown -->"
"""Line of a Markdown file below which the tables go."""


HOMES = {
    "list": "structce.cli.features:list_features",
    "show": "structce.cli.feature_show:show",
    "new": "structce.cli.features:new",
    "try": "structce.cli.features:try_",
}


@click.group(cls=LateGroup, homes=HOMES)
def features() -> None:
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
    help=f"Put the Markdown into a file, between {BEGIN} and {END}.",
)
@format_option
def list_features(family: str | None, markdown: bool, into: Path | None, form: str) -> None:
    """List the registered features."""
    if markdown or into is not None:
        text = "\n".join(markdown_tables(None if family is None else [family]))
        if into is None:
            click.echo(text)
        else:
            write_between(into, BEGIN, text)
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
    print_rows(rows, form)


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
from structce.features.registry import import_features
from structce.rendering import Document, StaticRenderer
from structce.cli.feature_pages import odd_pages

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
    write_all_atomic({path: text.encode() for path, text in zip(paths, texts, strict=True)})
    return paths


HEADERS = (
    *("label", "regions", "bits", "of", "F1 without", "F1 with", "change", "95 % interval", ""),
)
"""Of the table that people read; the last column holds the verdict."""


@click.command(
    "try",
    epilog="Examples:  structce features try my_cue.py --corpus news;  structce features try "
    "dom.depth --corpus news",
)
@click.argument("what", metavar="FILE.py|MODULE|NAME...", nargs=-1, required=True)
@click.option(
    "--corpus",
    "path",
    required=True,
    type=click.Path(path_type=Path),
    help="Labelled pages to try it on.",
)
@click.option(
    "--learner",
    type=click.Choice(sorted(LEARNERS)),
    default=TRIAL_LEARNER,
    show_default=True,
    help="What learns, for a few epochs.",
)
@click.option("--seed", default=0, show_default=True, help="The same seed gives the same figures.")
@click.option(
    "--folds",
    type=click.IntRange(2),
    default=N_TRIAL_FOLDS,
    show_default=True,
    help="Parts by site, each labelled by what has learnt the others.",
)
@format_option
@renderer_option
@browser_option
def try_(
    what: tuple[str, ...],
    path: Path,
    learner: str,
    seed: int,
    folds: int,
    form: str,
    renderer: str | None,
    browser: str | None,
) -> None:
    """Tell what each feature of a file adds to all others.

    Prints how often it says something, what it tells of each label by itself (bits), and how F1
    changes with it, on unseen sites, with a 95 % interval over sites. A name instead of a file
    tries a feature that is there. The pages that 'structce compare' tests on with the same seed
    are not looked at.
    """
    names = [name for one in what for name in _names(one)]
    corpus, n_steps = open_for(path, renderer, browser), count_steps(len(names), folds)
    with tqdm(total=n_steps, unit="step", disable=None, file=sys.stderr) as bar:
        begun = itertools.count()

        def tell(step: str) -> None:
            bar.update(next(begun) - bar.n)
            bar.set_description(step)

        trials = try_features(names, corpus, learner=learner, seed=seed, n_folds=folds, tell=tell)
        bar.update(n_steps - bar.n)
    if form == "json":
        click.echo(json.dumps([one.as_dict() for one in trials], ensure_ascii=False, indent=1))
        return
    click.echo("\n\n".join("\n".join(as_text(one)) for one in trials))


def as_text(trial: FeatureTrial) -> Iterator[str]:
    """Yield the lines that people read of a trial; F1 in per cent."""
    seen = trial.observed
    yield trial.feature.name
    yield (
        f"says something of {seen.regions:.1%} of the regions, on {seen.pages:.1%} of the pages; "
        f"columns: {trial.n_columns:,}; time: {seen.milliseconds:.2f} ms a page"
    )
    yield ""
    rows = [
        [
            name,
            trial.support[name],
            f"{trial.information[name]:.4f}",
            f"{trial.entropy[name]:.4f}",
            *_cells(change),
        ]
        for name, change in trial.labels.items()
    ]
    alignment = ("left", *["right"] * 7, "left")
    yield tabulate(rows, HEADERS, disable_numparse=True, colalign=alignment)
    yield ""
    yield _conclusion(trial)


def _names(what: str) -> Sequence[str]:
    """Return the features that a file or module registers, or the one that is named."""
    if what in REGISTRY:
        return [REGISTRY[what].name]
    (found,) = import_features([what])
    if not found.features:
        raise FeatureError(f"{what}: no feature is registered here; decorate one with @feature")
    return found.features


def _cells(change: ScoreChange) -> list[str]:
    if np.isnan([change.before, change.after]).any():
        return ["", "", "", "", "does not occur"]
    interval = f"{100 * change.low:+.2f} to {100 * change.high:+.2f}"
    verdict = "" if change.is_noise else change.verdict
    numbers = [f"{100 * change.before:.2f}", f"{100 * change.after:.2f}"]
    return [*numbers, f"{100 * change.difference:+.2f}", interval, verdict]


def _conclusion(trial: FeatureTrial) -> str:
    if not trial.n_columns:
        return "It adds no column: it says nothing, or the same thing in fewer than 3 regions."
    macro = trial.macro
    _, _, difference, interval, _ = _cells(macro)
    says = "the change is within noise" if macro.is_noise else f"labels get {macro.verdict}"
    return (
        f"Macro F1 {100 * macro.before:.2f} without, {100 * macro.after:.2f} with: {difference} "
        f"points, 95 % interval {interval} over {trial.n_sites} sites: {says}."
    )
