"""Sessions: what is proposed after a correction, on a site, by training; who labels which page."""

import pytest

from structce.annotate.proposals import Proposer
from structce.annotate.session import Session
from structce.annotate.trail import ACCEPT, LABEL, UNDO
from structce.annotate.training import BackgroundTraining
from structce.annotate.workspace import Workspace
from structce.corpus.corpus import Corpus
from structce.errors import CorpusError
from structce.features import FeatureSet
from structce.labelling import RegionLabeller
from structce.labels import NEWS
from structce.learners import LEARNERS


@pytest.fixture
def session(workspace, tag_proposer):
    return Session(workspace, tag_proposer)


def do(session, action, labels=None, page="page0", who="ann"):
    return session.act(page, who, action, labels or {}, base=None, key="")


def regions(workspace, words, page="page0"):
    return [i for i, text in enumerate(workspace.page(page).page.text) if words in text]


def test_a_correction_changes_proposals_of_similar_regions(session, workspace):
    texts = workspace.page("page0").page.text
    links = [texts.index(word) for word in ("Home", "Sport", "Town")]
    before = session.state("page0", "ann")
    assert {before["labels"][i] for i in links} == {"None"}
    for i in links[:2]:
        after = do(session, LABEL, {i: "Advertisement"})
    assert after["confidence"][links[2]] < before["confidence"][links[2]]
    state = do(session, LABEL, dict.fromkeys(links, "Advertisement"))
    assert state["sources"][links[0]] == "h"


def test_a_correction_is_decoded_with_the_transitions(make_corpus, new_workspace, make_page):
    corpus = make_corpus(8)
    labeller = RegionLabeller(FeatureSet(["text"], min_count=1), LEARNERS["linear-chain-crf"]())
    labeller.fit(corpus)
    learner = labeller.learner
    learner.transitions_[:] = 0
    learner.transitions_[NEWS.index("Author"), NEWS.index("Date")] = 50.0
    with Workspace(new_workspace()) as workspace:
        session = Session(workspace, Proposer(labeller, "crf", NEWS))
        i = regions(workspace, "Ann Lee")[0]
        do(session, LABEL, {i: "Title"})
        before = session.state("page0", "ann")["labels"][i + 1]
        labels = do(session, LABEL, {i: "Author"})["labels"]
        assert (labels[i], labels[i + 1]) == ("Author", "Date")
        assert before == do(session, UNDO)["labels"][i + 1]


def test_several_possible_labels_leave_the_choice_to_the_model(session, workspace):
    i = regions(workspace, "Ferry to stop")[0]
    state = do(session, LABEL, {i: "Subtitle|Title"})
    assert state["labels"][i] == "Subtitle|Title"
    assert session.proposal("page0", "ann").labels[i] == "Title"
    do(session, ACCEPT)
    assert workspace.page("page0").labels[i] == "Subtitle|Title"


def test_next_likely_labels_are_sent_until_the_page_is_done(session):
    state = session.state("page0", "ann")
    others = len(state["others"]) // len(state["labels"])
    assert others == 3
    for i, label in enumerate(state["labels"]):
        row = [NEWS.names[k] for k in state["others"][others * i : others * (i + 1)]]
        assert len(set(row)) == 3
        assert label not in row
    assert do(session, ACCEPT)["others"] == []


def test_dont_know_stays_unknown_when_the_page_is_done(session, workspace):
    do(session, LABEL, {0: "?"})
    do(session, ACCEPT)
    assert workspace.page("page0").labels[0] == "?"
    assert "?" not in workspace.page("page0").labels[1:]


def test_finished_pages_help_the_next_one_of_their_site(tag_proposer, workspace):
    session = Session(workspace, type(tag_proposer)(margin=3.0))
    (byline,) = regions(workspace, "Ann Lee")
    (other,) = regions(workspace, "Tomas Rost", "page1")
    assert session.state("page1", "ann")["labels"][other] == "None"
    do(session, LABEL, {byline: "Author"})
    assert session.state("page1", "ann")["labels"][other] == "None"  # not before it is done
    do(session, ACCEPT)
    assert session.state("page1", "ann")["confidence"][other] < 50
    (third,) = regions(workspace, "Mira Okafor", "page2")
    do(session, LABEL, {other: "Author"}, "page1")
    do(session, ACCEPT, page="page1")
    assert session.state("page2", "ann")["labels"][third] == "Author"


def test_background_training_brings_a_new_model(new_workspace, make_corpus, tag_proposer):
    with Workspace(new_workspace(4)) as workspace:
        training = BackgroundTraining(workspace.folder, every=2)
        session = Session(workspace, tag_proposer, training=training)
        gold = {page.id: page.labels for page in make_corpus(4)}
        for name in ("page0", "page1"):
            do(session, LABEL, dict(enumerate(gold[name])), name)
            do(session, ACCEPT, page=name)
        training.wait(120)
        assert session.progress()["model"] == "2 pages of yours"
        assert session.state("page2", "ann")["labels"] == list(gold["page2"])
        session.close()


def test_pages_are_labelled_once_except_the_shared_ones(workspace, tag_proposer):
    session = Session(workspace, tag_proposer, n_same=1)
    for who in ("ann", "ben"):
        do(session, ACCEPT, page="page0", who=who)
    do(session, LABEL, {0: "Title"}, "page1")
    session.page("page2", "ben")
    holders = {row["id"]: row["holder"] for row in session.queue("ben", "given")["queue"]}
    assert holders == {"page0": "", "page1": "ann", "page2": ""}
    holders = {row["id"]: row["holder"] for row in session.queue("ann", "given")["queue"]}
    assert holders == {"page0": "", "page1": "", "page2": "ben"}


def test_an_opened_page_is_reserved_for_a_while(session, monkeypatch):
    def holder(who):
        return session.queue(who, "given")["queue"][0]["holder"]

    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    session.page("page0", "ann")
    session.page("page0", "ben")
    assert holder("cleo") == "ann"
    now[0] += 10_000
    session.page("page0", "ben")
    assert holder("cleo") == "ben"
    assert holder("ben") == ""


def test_the_least_sure_page_comes_first(session, workspace):
    do(session, LABEL, dict.fromkeys(range(len(workspace.page("page0").page)), "None"))
    order = [row["id"] for row in session.queue("ann", "unsure")["queue"]]
    session.close()
    assert sorted(order) == ["page0", "page1", "page2"]
    with pytest.raises(CorpusError, match="unknown order"):
        session.queue("ann", "alphabet")


def test_agreement_and_differences_of_two_annotators(session, workspace):
    (byline,) = regions(workspace, "Ann Lee")
    do(session, LABEL, {byline: "Author"})
    for who in ("ann", "ben"):
        do(session, ACCEPT, who=who)
    values = session.agreement()
    assert values["annotators"] == ["ann", "ben"]
    assert 0 < values["rows"][0]["cohen"] < 1
    (difference,) = values["differences"]
    assert difference["labels"] == {"ann": "Author", "ben": "None"}
    assert workspace.page("page0").labels[byline] == "Author|None"
    session.resolve("page0", "ben", {byline: "Author"})
    assert workspace.page("page0").labels[byline] == "Author"
    assert session.agreement()["differences"][0]["resolved"] == "Author"
    with pytest.raises(CorpusError, match="annotators do not differ on region 0"):
        session.resolve("page0", "ben", {0: "Author"})
    assert Corpus.load(workspace.folder)
