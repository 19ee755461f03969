"""Trails: undo and redo, several annotators, and files that a crash cut short."""

import pytest

from structce.annotate import trail as actions
from structce.annotate.trail import ACCEPT, LABEL, OPEN, REDO, UNDO, Action, History, Trail
from structce.errors import CorpusError


def history_of(*steps):
    """The history of (who, action, labels) after a page of four unknown regions was opened."""
    history = History()
    history.apply(Action(1, "", "ann", OPEN, dict.fromkeys(range(4), "?")))
    for n, (who, action, labels) in enumerate(steps, start=2):
        history.apply(Action(n, "", who, action, labels))
    return history


def final(history):
    return history.final(4, "None")


def test_undo_and_redo_go_back_and_forth_without_limit():
    labels = [{n % 4: f"L{n}"} for n in range(40)]
    steps = [("ann", LABEL, label) for label in labels]
    assert final(history_of(*steps, *[("ann", UNDO, {})] * 40)) == ("?",) * 4
    back = history_of(*steps, *[("ann", UNDO, {})] * 40, *[("ann", REDO, {})] * 40)
    assert final(back) == final(history_of(*steps)) == ("L36", "L37", "L38", "L39")
    assert back.annotations["ann"].actions
    assert not back.annotations["ann"].undone


def test_a_new_action_forgets_what_was_undone():
    history = history_of(
        ("ann", LABEL, {0: "A"}), ("ann", UNDO, {}), ("ann", LABEL, {0: "B"}), ("ann", REDO, {})
    )
    assert final(history)[0] == "B"


def test_undo_takes_back_that_a_page_is_done():
    history = history_of(("ann", LABEL, {0: "A"}), ("ann", ACCEPT, {1: "B"}))
    assert final(history) == ("A", "B", "None", "None")
    history.apply(Action(9, "", "ann", UNDO))
    assert final(history) == ("A", "?", "?", "?")
    assert final(history_of(("ann", ACCEPT, {}), ("ann", actions.REOPEN, {}))) == ("?",) * 4


def test_differing_labels_are_a_set_until_resolved():
    history = history_of(("ann", ACCEPT, {0: "A", 1: "B"}), ("ben", ACCEPT, {0: "A", 1: "C"}))
    assert final(history) == ("A", "B|C", "None", "None")
    history.apply(Action(9, "", "ann", actions.RESOLVE, {1: "C"}))
    assert final(history)[1] == "C"


def test_a_line_cut_short_by_a_crash_is_overwritten(tmp_path):
    trail = Trail(tmp_path / "a" / "page.jsonl")
    trail.append(Action(1, "", "ann", OPEN, {}), Action(2, "", "ann", LABEL, {0: "A"}))
    with trail.path.open("ab") as file:
        file.write(b'{"n":3,"ti')
    assert trail.read().n == 2
    trail.append(Action(3, "", "ann", LABEL, {0: "B"}))
    assert trail.read().annotations["ann"].labels == {0: "B"}


@pytest.mark.parametrize("line", [b"nonsense", b"[]", b'{"n":"1"}', b'{"n":2,"time":"\xff"}'])
def test_a_damaged_line_is_an_error_with_its_number(tmp_path, line):
    path = tmp_path / "page.jsonl"
    path.write_bytes(b'{"n":1,"time":"","who":"a","action":"open"}\n' + line + b"\n{}\n")
    with pytest.raises(CorpusError, match=r"page\.jsonl: line 2"):
        Trail(path).read()
