"""What can be asked of a report, and what it says of its inputs."""

from dataclasses import replace

import pytest

from structce.corpus.corpus import Corpus
from structce.experiments.results import CorpusRecord, FailureRecord, PartRecord
from structce.labels import UNKNOWN


def test_candidates_and_pairs_are_found_by_name(study):
    assert study.candidate("background") is study.candidates[1]
    pair = study.pair("centroids", "background")
    assert (pair.first, pair.second) == ("centroids", "background")
    assert study.pair("background", "centroids") is None
    assert study.pair("centroids", "raising") is None
    with pytest.raises(KeyError, match="raising"):
        study.candidate("raising")


def test_a_report_is_complete_if_no_study_has_a_failure(experiment, corpus, learners, report_of):
    report = report_of(replace(experiment, candidates=experiment.candidates[1:2]), corpus, learners)
    assert report.is_complete
    (whole,) = report.studies
    failed = replace(whole, failures=(FailureRecord("a", "a, split 1, test", "ValueError: no"),))
    assert not replace(report, studies=(whole, failed)).is_complete


def test_the_pages_and_sites_of_a_part_are_sorted(corpus):
    part = PartRecord.of(corpus.subset(["west-1", "east-2", "east-0"]))
    assert part == PartRecord(("east-0", "east-2", "west-1"), ("east", "west"))


def test_a_source_tells_what_a_corpus_holds(corpus):
    first = replace(corpus.pages[0], labels=(UNKNOWN, *corpus.pages[0].labels[1:]))
    holed = Corpus("holed", (first, *corpus.pages[1:]), corpus.label_set)
    record = CorpusRecord.of(holed, "data/holed")
    assert (record.path, record.name, record.digest) == ("data/holed", "holed", holed.digest)
    assert (record.n_pages, record.renderer, record.background) == (18, "static", "None")
    assert record.sites == ("east", "lower", "north", "south", "upper", "west")
    assert record.counts == {"Author": 18, "Date": 0, "None": 35, "Paragraph": 36, "Title": 18}
    assert record.n_unknown == 1
