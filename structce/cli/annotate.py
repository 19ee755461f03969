"""``structce annotate``: label pages in a browser, helped by a model."""

from __future__ import annotations

import getpass
import socket
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import click
from tqdm import tqdm

from structce import annotate
from structce.annotate import build_app
from structce.cli import options
from structce.cli.messages import show_error, show_message
from structce.cli.options import RenderingChoice, rendering_options
from structce.datasets import SITE_RULES
from structce.errors import CorpusError
from structce.extras import check_extras
from structce.labelling import ModelChoice
from structce.rendering import is_url
from structce.runtime import LOOPBACK, bind, host_headers, new_token, serve

_MANIFEST = "manifest.json"
_ANY = ("0.0.0.0", "::", "")  # requests must name their host, so the address must be known


@click.command("annotate", epilog="Example:  structce annotate pages/ --out gold")
@click.argument("sources", nargs=-1, required=True, metavar="CORPUS|PAGES...")
@click.option("--out", type=options.FOLDER, help="Corpus to add the pages to, new or not.")
@click.option("--labels", type=options.EXISTING_FILE, help="Your own labels, a TOML file.")
@click.option("--model", help="Model that proposes labels, or 'none'. Default: a shipped one.")
@click.option("--annotator", "annotators", multiple=True, help="Name; repeat for several.")
@click.option("--same", type=click.IntRange(0), default=0, help="First pages that go to everyone.")
@click.option(
    "--order", type=click.Choice(annotate.ORDERS), default="given", help="unsure: uncertain first."
)
@click.option("--site-from", type=click.Choice(SITE_RULES), help="What makes sites of --out.")
@click.option("--port", type=options.PORT, default=0, help="Port; 0 for a free one.")
@click.option("--host", help="Address of this machine for links that others can open.")
@rendering_options
def command(
    sources: tuple[str, ...], out: Path | None, labels: Path | None, model: str | None,
    annotators: tuple[str, ...], same: int, order: annotate.Order, site_from: str | None,
    port: int, host: str | None, chosen: RenderingChoice,
) -> None:  # fmt: skip
    """Label pages by clicks and keys, in a browser page that this command serves.

    A corpus is labelled in place. Pages (files, folders, archives) are first rendered into the
    corpus --out; a page is of the site of its address, which it may state itself, else of its
    folder, unless --site-from says otherwise. Every action is saved at once. Prints one address per
    annotator; each contains a secret. Ctrl-C ends the command; run the same command to continue.
    """
    check_extras(("starlette", "uvicorn"), "the labelling page", "annotate")
    if host in _ANY:
        raise click.UsageError("--host: give the address that others open, not a wildcard")
    folder = _corpus_folder(sources, out, labels)
    progress = partial(tqdm, desc="opening", unit="page", disable=None)
    with annotate.Workspace(folder, progress=progress) as workspace:
        if out is not None:
            renderer = chosen.start(workspace.editor.renderer or None)
            read = chosen.reader()
            failed = annotate.add_sources(workspace, sources, renderer, read, site_from or "")
            for error in failed:
                show_error(error)
        if not len(workspace.editor):
            raise CorpusError(f"{folder}: no pages to label")
        proposer = _proposer(workspace, model)
        names = _names(annotators)
        with bind(host or LOOPBACK, port) as listener:
            tokens = {new_token(): name for name in names}
            own = ["localhost", LOOPBACK] if host is None else [host, socket.gethostname()]
            port, hosts = listener.getsockname()[1], host_headers(listener, *own)
            access = annotate.AccessRules(hosts, tokens, f"structce_{port}")
            training = annotate.BackgroundTraining(folder)
            session = annotate.Session(
                workspace, proposer, training=training, n_same=same, order=order
            )
            address = f"[{host}]" if host and ":" in host else host or LOOPBACK
            for token, name in tokens.items():
                whose = f"{name}: " if len(tokens) > 1 else ""
                click.echo(f"{whose}http://{address}:{port}/?token={token}")
            show_message("Ctrl-C stops the server; everything is saved")
            try:
                serve(build_app(session, access), listener)
            finally:
                session.close()


def _corpus_folder(sources: Sequence[str], out: Path | None, labels: Path | None) -> Path:
    """Return the folder of the corpus to label, created if it does not exist."""
    folder = out or Path(sources[0])
    is_corpus = (folder / _MANIFEST).is_file()
    if out is None and len(sources) == 1 and not folder.exists() and not is_url(sources[0]):
        raise click.UsageError(
            f"{folder}: no such corpus; to make one of pages, give their files and --out DIR"
        )
    if out is None and (len(sources) > 1 or not is_corpus):
        raise click.UsageError("give --out DIR, the corpus to add these pages to")
    if is_corpus and labels is not None:
        raise click.UsageError(f"--labels is for a new corpus; {folder} already has labels")
    if not is_corpus:
        scheme = annotate.default_scheme()
        if labels is not None:
            scheme = annotate.read_scheme(labels)
        annotate.create_workspace(folder, scheme, folder.name)
    return folder


def _proposer(workspace: annotate.Workspace, model: str | None) -> annotate.Proposer:
    """Return the proposer of labels: the requested model, or the shipped one that fits."""
    label_set, choice = workspace.editor.label_set, ModelChoice(model)
    if model != "none":
        renderer = workspace.editor.renderer.partition("+")[0]
        labeller = choice.labeller(renderer)
        if set(labeller.label_set.foreground) & set(label_set.foreground):
            return annotate.Proposer(labeller, choice.name(renderer), label_set)
        if model is not None:
            raise CorpusError(
                f"{model}: labels {labeller.label_set.names}; the corpus has {label_set.names}"
            )
    return annotate.Proposer(None, "none", label_set)


def _names(annotators: Sequence[str]) -> Sequence[str]:
    """Return the annotators; without any, the name of the user."""
    for name in annotators:
        if not annotate.is_annotator_name(name):
            raise click.BadParameter(f"--annotator {name!r}; expected a name of at most 40 letters")
    if annotators:
        return tuple(dict.fromkeys(annotators))
    with suppress(KeyError, OSError):  # of an account without a name
        if annotate.is_annotator_name(user := getpass.getuser()):
            return (user,)
    return ("annotator",)
