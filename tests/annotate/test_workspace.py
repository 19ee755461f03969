"""Workspaces: what is on the disk after an action, a crash, a second process, a changed page."""

import json

import pytest

from structce.annotate.proposals import Proposer
from structce.annotate.session import Session
from structce.annotate.trail import ACCEPT, LABEL, UNDO
from structce.annotate.workspace import StaleError, Workspace
from structce.corpus.corpus import Corpus
from structce.errors import CorpusError, LabelError
from structce.labels import NEWS


@pytest.fixture
def workspace_folder(new_workspace):
    return new_workspace()


def test_the_corpus_is_whole_after_every_action(workspace_folder):
    with Workspace(workspace_folder) as workspace:
        for labels in ({0: "Title"}, {1: "Caption|Paragraph"}, {0: ""}, {2: "?"}):
            workspace.act("page0", "ann", LABEL, labels)
            assert Corpus.load(workspace_folder).pages[0].labels == workspace.page("page0").labels
        assert Corpus.load(workspace_folder).pages[0].labels[:3] == ("?", "Caption|Paragraph", "?")


def test_a_crash_between_trail_and_labels_loses_nothing(workspace_folder, monkeypatch):
    with Workspace(workspace_folder) as workspace:
        monkeypatch.setattr(workspace.editor, "set_labels", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            workspace.act("page0", "ann", LABEL, {0: "Title"})
    with Workspace(workspace_folder):
        assert Corpus.load(workspace_folder).pages[0].labels[0] == "Title"


def test_one_process_at_a_time_labels_a_corpus(workspace_folder):
    with Workspace(workspace_folder), pytest.raises(CorpusError, match="another process"):
        Workspace(workspace_folder)
    Workspace(workspace_folder).close()


def test_a_changed_page_is_refused(workspace_folder, make_page):
    with Workspace(workspace_folder) as workspace:
        workspace.act("page0", "ann", LABEL, {0: "Title"})
    file = workspace_folder / "annotation" / "trail" / "page0.jsonl"
    lines = file.read_text().splitlines()
    opened = json.loads(lines[0])
    opened["digest"] = "0" * 64
    file.write_text("\n".join([json.dumps(opened), *lines[1:], ""]))
    refused = pytest.raises(StaleError, match="the page differs from")
    with Workspace(workspace_folder) as workspace, refused:
        workspace.act("page0", "ann", LABEL, {0: "Author"})


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ({999: "Title"}, "no region 999"),
        ({-1: "Title"}, "no region"),
        ({0: "Headline"}, "Headline"),
    ],
)
def test_labels_that_cannot_be_are_refused(workspace_folder, labels, message):
    with Workspace(workspace_folder) as workspace:
        with pytest.raises(LabelError, match=message):
            workspace.act("page0", "ann", LABEL, labels)
        assert workspace.version("page0", "ann") == 0


def test_a_corpus_with_gold_keeps_it_while_labelled(tmp_path, make_corpus):
    make_corpus(2).save(tmp_path / "small")
    with Workspace(tmp_path / "small") as workspace:
        session = Session(workspace, Proposer(None, "none", NEWS))
        before = workspace.page("page0").labels
        i = before.index("Author")
        state = session.act("page0", "ann", LABEL, {i: "None"}, base=0, key="")
        assert state["labels"][i] == "None"
        assert state["sources"][i - 1 : i + 1] == "ch"
        session.act("page0", "ann", ACCEPT, {}, base=1, key="")
        assert workspace.page("page0").labels == (*before[:i], "None", *before[i + 1 :])
        for _ in range(2):
            session.act("page0", "ann", UNDO, {}, base=None, key="")
        assert Corpus.load(tmp_path / "small").digest == make_corpus(2).digest
