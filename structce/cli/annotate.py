"""``structce annotate``: label pages in a browser, helped by a model."""

from __future__ import annotations

import getpass
import socket
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from structce.annotate import (
    ORDERS,
    AccessRules,
    BackgroundTraining,
    Order,
    Proposer,
    Session,
    Workspace,
    add_sources,
    build_app,
    create_workspace,
    default_scheme,
    is_annotator_name,
    read_scheme,
)
from structce.cli.inputs import RenderingChoice, rendering_options
from structce.cli.options import EXISTING_FILE, FOLDER
from structce.errors import CorpusError
from structce.extras import check_extras
from structce.labelling import ModelChoice
from structce.rendering import is_url
from structce.runtime import LOOPBACK, bind, host_headers, new_token, serve

_MANIFEST = "manifest.json"
_ANY = ("0.0.0.0", "::", "")  # requests must name their host, so the address must be known


@click.command(
    "annotate",
    epilog="Examples:  structce annotate pages/ --out gold;  structce annotate gold;  "
    "structce annotate gold --annotator ann --annotator ben --same 20",
)
@click.argument("sources", nargs=-1, required=True, metavar="CORPUS|PAGES...")
@click.option(
    "--out",
    type=FOLDER,
    metavar="DIR",
    help="Corpus to add the pages to; an existing one is continued.",
)
@click.option(
    "--labels",
    type=EXISTING_FILE,
    metavar="FILE.toml",
    help="Your own labels: names, colours, keys, guidelines. Default: those for news.",
)
@click.option(
    "--model",
    metavar="MODEL",
    help="Folder or name of the model that proposes labels, or 'none'. Default: a shipped one.",
)
@click.option(
    "--annotator",
    "annotators",
    multiple=True,
    metavar="NAME",
    help="Name of an annotator; repeat for several.",
)
@click.option(
    "--same",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="The first N pages go to all annotators, to measure agreement; each other page goes to "
    "whoever starts it first.",
)
@click.option(
    "--order",
    type=click.Choice(ORDERS),
    default="given",
    help="Pages as given, by site, or least certain first: of the model, or of aligned gold.",
)
@click.option(
    "--train-every",
    type=click.IntRange(0),
    default=10,
    metavar="N",
    help="Train on the finished pages after every N of them, in the background; 0 for never.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    show_default=False,
    help="Default: any free one.",
)
@click.option(
    "--host",
    metavar="ADDRESS",
    help="Address for other machines to open; asks for a password. Default: this machine only.",
)
@click.option("--open", "is_opened", is_flag=True, help="Open the page in your browser.")
@rendering_options
def annotate_command(
    sources: tuple[str, ...], out: Path | None, labels: Path | None, model: str | None,
    annotators: tuple[str, ...], same: int, order: Order, train_every: int, port: int,
    host: str | None, is_opened: bool, rendering: RenderingChoice,
) -> None:  # fmt: skip
    """Label pages by clicks and keys, in a browser page that this command serves.

    A corpus is labelled in place. Pages (files, folders, archives) are first rendered into the
    corpus DIR. Every action is saved at once; a page becomes gold when you mark it as done. Ctrl-C
    ends the command; run the same command to continue.

    Prints one address per annotator; each contains a secret.
    """
    check_extras(("starlette", "uvicorn"), "the labelling page", "annotate")
    if host in _ANY:
        raise click.UsageError("--host: give the address that others open, not a wildcard")
    folder = _corpus_folder(sources, out, labels)
    with Workspace(folder, progress=_bar) as workspace:
        if out is not None:
            renderer = rendering.start(workspace.editor.renderer or None)
            with rendering.reader() as read:
                for error in add_sources(workspace, sources, renderer, read):
                    click.echo(f"error: {error}", err=True)
        if not len(workspace.editor):
            raise CorpusError(f"{folder}: no pages to label")
        proposer = _proposer(workspace, model)
        names = _names(annotators)
        password = ""
        if host:
            password = click.prompt(
                "Password of annotators", hide_input=True, confirmation_prompt=True
            )
        with bind(host or LOOPBACK, port) as listener:
            tokens = {new_token(): name for name in names}
            cookie = f"structce_{listener.getsockname()[1]}"
            own = ["localhost", LOOPBACK] if host is None else [host, socket.gethostname()]
            access = AccessRules(host_headers(listener, *own), tokens, password, cookie)
            training = BackgroundTraining(folder, train_every)
            session = Session(workspace, proposer, training=training, n_same=same, order=order)
            _announce(listener, host, tokens, is_opened=is_opened)
            try:
                serve(build_app(session, access), listener)
            finally:
                session.close()


def _corpus_folder(sources: Sequence[str], out: Path | None, labels: Path | None) -> Path:
    """Return the folder of the corpus to label, created if it does not exist."""
    if out is None:
        folder = Path(sources[0])
        if len(sources) == 1 and not folder.exists() and not is_url(sources[0]):
            raise click.UsageError(
                f"{folder}: no such corpus; to make one of pages, give their files and --out DIR"
            )
        if len(sources) > 1 or not (folder / _MANIFEST).is_file():
            raise click.UsageError("give --out DIR, the corpus to add these pages to")
        if labels is not None:
            raise click.UsageError("--labels is for a new corpus; this one already has labels")
        return folder
    if not (out / _MANIFEST).is_file():
        scheme = default_scheme() if labels is None else read_scheme(labels)
        create_workspace(out, scheme, out.name)
    elif labels is not None and read_scheme(labels).label_set.names:
        raise click.UsageError(f"--labels is for a new corpus; {out} already has labels")
    return out


def _proposer(workspace: Workspace, model: str | None) -> Proposer:
    """Return the proposer of labels: the requested model, or the shipped one that fits."""
    label_set = workspace.editor.label_set
    choice = ModelChoice(model)
    if model == "none":
        return Proposer(None, "none", label_set)
    renderer = workspace.editor.renderer.partition("+")[0]
    labeller = choice.labeller(renderer)
    if not set(labeller.label_set.foreground) & set(label_set.foreground):
        if model is not None:
            raise CorpusError(
                f"{model}: labels {labeller.label_set.names}; the corpus has {label_set.names}"
            )
        return Proposer(None, "none", label_set)
    return Proposer(labeller, choice.name(renderer), label_set)


def _names(annotators: Sequence[str]) -> Sequence[str]:
    for name in annotators:
        if not is_annotator_name(name):
            raise click.BadParameter(f"--annotator {name!r}; expected a name of at most 40 letters")
    return tuple(dict.fromkeys(annotators)) or (_user(),)


def _user() -> str:
    try:
        name = getpass.getuser()
    except (KeyError, OSError):  # an account without a name
        name = ""
    return name if is_annotator_name(name) else "annotator"


def _announce(
    listener: socket.socket, host: str | None, tokens: dict[str, str], *, is_opened: bool
) -> None:
    port = listener.getsockname()[1]
    address = f"[{host}]" if host and ":" in host else host or LOOPBACK
    for token, name in tokens.items():
        click.echo(f"{name}: http://{address}:{port}/?token={token}")
    click.echo("Ctrl-C stops the server; everything is saved", err=True)
    if is_opened:
        import webbrowser  # late: rarely needed

        webbrowser.open(f"http://{address}:{port}/?token={next(iter(tokens))}")


def _bar(rows: Sequence[object]) -> Iterable[object]:
    from tqdm import tqdm  # late: other commands do not need it

    return tqdm(rows, "opening", unit="page", disable=None)
