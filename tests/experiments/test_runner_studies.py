"""Studies, and the splits of each: folds, repeats, stored splits, several ways, several corpora."""

import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from structce.corpus.corpus import Corpus
from structce.errors import CorpusError, ExperimentError
from structce.experiments.config import FRACTIONS, Candidate, Splits
from structce.experiments.splits import count_splits, draw_splits, plan_studies
from structce.rendering.document import Document
from structce.rendering.static import StaticRenderer


@pytest.fixture(scope="session")
def simple(experiment):
    """The learner that is right, and the one that is not; nothing to choose."""
    return replace(experiment, candidates=(Candidate("centroids"), Candidate("background")))


@pytest.fixture(scope="session")
def families(corpus):
    """The corpus, two sites of which are of one family."""
    pages = (
        replace(page, family="twins") if page.site in ("north", "south") else page
        for page in corpus
    )
    return Corpus("families", tuple(pages), corpus.label_set)


def without_menu(corpus):
    """Return the corpus as if a browser had rendered it, and not shown the menu."""
    pages = []
    for labelled in corpus:
        text = f"<h1>{labelled.page.title}</h1><address>By</address><p>First.<p>More."
        page = StaticRenderer().render(Document(text, url=labelled.page.url))
        page = replace(page, renderer="chromium")
        pages.append(replace(labelled, page=page, labels=labelled.labels[2:]))
    return replace(corpus, pages=tuple(pages))


def pages_of(parts):
    return [{page.id for page in part} for part in (parts.train, parts.validation, parts.test)]


def save_split(corpus, path, *, names=("train", "validation", "test"), by="site", seed=11):
    split = corpus.draw_split(dict(zip(names, FRACTIONS, strict=True)), by=by, seed=seed)
    split.save(path)
    return split


def test_folds_test_each_page_once_by_a_model_that_has_not_seen_its_site(
    simple, corpus, learners, study_of
):
    study = study_of(replace(simple, splits=Splits(folds=3)), corpus, learners)
    tested = [page for split in study.splits for page in split.test.pages]
    everything = sorted(page.id for page in corpus)
    assert sorted(tested) == everything
    for split in study.splits:
        parts = [set(part.sites) for part in (split.train, split.validation, split.test)]
        assert list(map(len, parts)) == [2, 2, 2]
        assert len(set().union(*parts)) == 6
    row = study.candidate("centroids").row
    assert sorted(row.page_accuracy) == everything
    assert np.sum(row.confusion) == sum(len(page.page) for page in corpus)
    assert [trial.split for trial in row.trials] == [0, 1, 2]
    assert study.n_test == corpus.counts
    assert study.n_train["Title"] == pytest.approx(len(corpus) * 2 / 3)


def test_each_fold_is_the_validation_part_once(simple, corpus):
    folds = list(draw_splits(replace(simple, splits=Splits(folds=3)), corpus, "site"))
    tests = [pages_of(parts)[2] for parts in folds]
    assert [pages_of(parts)[1] for parts in folds] == [tests[1], tests[2], tests[0]]


def test_a_repeat_draws_with_the_next_seed(simple, corpus):
    repeated = list(draw_splits(replace(simple, splits=Splits(repeats=3)), corpus, "site"))
    assert [parts.seed for parts in repeated] == [7, 8, 9]
    for parts in repeated:
        (alone,) = draw_splits(replace(simple, seed=parts.seed), corpus, "site")
        assert pages_of(alone) == pages_of(parts)
    assert pages_of(repeated[0]) != pages_of(repeated[1])


def test_folds_are_repeated_whole(simple, corpus):
    chosen = replace(simple, splits=Splits(folds=3, repeats=2))
    repeated = list(draw_splits(chosen, corpus, "site"))
    assert [parts.seed for parts in repeated] == [7, 7, 7, 8, 8, 8]
    assert count_splits(chosen) == 6
    for first in (0, 3):
        tests = [pages_of(parts)[2] for parts in repeated[first : first + 3]]
        assert sum(map(len, tests)) == len(set().union(*tests)) == len(corpus)


def test_a_page_that_is_tested_several_times_has_its_mean_accuracy(
    simple, corpus, learners, study_of
):
    fitted = []

    class Fading(learners["background"]):
        """Right at first; always None from the second model on."""

        def fit(self, X, y, *, n_labels):
            self.is_first = not fitted
            fitted.append(1)
            return super().fit(X, y, n_labels=n_labels)

        def predict(self, X):
            predictions = super().predict(X)
            return [np.array([2, 2, 4, 0, 3, 3]) for _ in X] if self.is_first else predictions

    chosen = replace(simple, candidates=(Candidate("fading"),), splits=Splits(folds=3, repeats=2))
    study = study_of(chosen, corpus, {"fading": Fading})
    row = study.candidate("fading").row
    first = set(study.splits[0].test.pages)
    for page in corpus:
        expected = (1 + 1 / 3) / 2 if page.id in first else 1 / 3
        assert row.page_accuracy[page.id] == pytest.approx(expected)
    assert np.sum(row.confusion) == 2 * 6 * len(corpus)
    assert study.n_test == {name: 2 * n for name, n in corpus.counts.items()}
    # A page that came out twice stands among the worst once, as it came out worst.
    assert len({page.page for page in study.worst}) == len(study.worst) == len(corpus)
    assert [page.accuracy for page in study.worst] == [pytest.approx(1 / 3)] * len(corpus)


def test_a_split_by_page_keeps_no_site_together(simple, corpus):
    (parts,) = draw_splits(simple, corpus, "page")
    assert set(parts.train.sites) & set(parts.test.sites)
    assert len(parts.groups) == len(set(parts.groups))


def test_a_family_stays_on_one_side_and_is_one_group(simple, families):
    for seed in range(6):
        (parts,) = draw_splits(replace(simple, seed=seed), families, "site")
        sides = [
            {page.site for page in part} & {"north", "south"}
            for part in (parts.train, parts.validation, parts.test)
        ]
        assert sorted(map(len, sides)) == [0, 0, 2]
        seen = [*parts.train, *parts.validation]
        assert parts.groups == tuple(page.family for page in seen)


def test_a_stored_split_is_taken_as_it_stands(simple, corpus, learners, study_of, tmp_path):
    stored = save_split(corpus, tmp_path / "split.json")
    study = study_of(
        replace(simple, splits=Splits(file=str(tmp_path / "split.json"))), corpus, learners
    )
    (split,) = study.splits
    parts = {name: getattr(split, name).pages for name in ("train", "validation", "test")}
    assert parts == dict(stored.parts)
    (drawn,) = draw_splits(simple, corpus, "site")
    assert set(parts["test"]) != pages_of(drawn)[2]


def test_site_and_family_are_one_way_to_split(simple, corpus, tmp_path):
    path = tmp_path / "split.json"
    stored = save_split(corpus, path, by="family")
    (parts,) = draw_splits(replace(simple, splits=Splits(file=str(path))), corpus, "site")
    assert pages_of(parts)[2] == set(stored.parts["test"])


def test_a_stored_split_of_another_way_other_parts_or_another_corpus_is_an_error(
    simple, corpus, tmp_path
):
    path = tmp_path / "split.json"
    chosen = replace(simple, splits=Splits(file=str(path)))
    with pytest.raises(CorpusError, match="no split here"):
        next(draw_splits(chosen, corpus, "site"))
    save_split(corpus, path, by="page")
    with pytest.raises(ExperimentError, match="split by 'page'; the experiment says 'site'"):
        next(draw_splits(chosen, corpus, "site"))
    save_split(corpus, path, names=("train", "dev", "test"))
    with pytest.raises(ExperimentError, match="expected \\['test', 'train', 'validation'\\]"):
        next(draw_splits(chosen, corpus, "site"))
    save_split(corpus, path)
    with pytest.raises(CorpusError, match="split this corpus again"):
        next(draw_splits(chosen, replace(corpus, pages=corpus.pages[1:]), "site"))


def test_a_corpus_and_a_way_to_split_each_are_a_study(simple):
    chosen = replace(
        simple,
        corpora=("data/news", "more/news", "blogs"),
        renderers=("static", "chromium"),
        splits=Splits(by=("site", "page")),
    )
    names = [plan.name for plan in plan_studies(chosen)]
    assert len(names) == len(set(names)) == 12
    # Corpora of one name are told apart by where they stand.
    assert names[:4] == [
        "data/news (static) by site",
        "data/news (static) by page",
        "data/news (chromium) by site",
        "data/news (chromium) by page",
    ]
    assert names[-1] == "blogs (chromium) by page"


def test_two_ways_to_split_are_two_studies_and_a_contrast(simple, corpus, learners, report_of):
    splits = Splits(by=("site", "page"), folds=3)
    report = report_of(replace(simple, splits=splits), corpus, learners)
    assert [(study.name, study.by) for study in report.studies] == [
        ("compass by site", "site"),
        ("compass by page", "page"),
    ]
    contrasts = report.contrasts
    assert [(contrast.what, contrast.candidate) for contrast in contrasts] == [
        ("by", "centroids"),
        ("by", "background"),
    ]
    for contrast in contrasts:
        values = tuple(
            study.candidate(contrast.candidate).row.scores.macro_f1 for study in report.studies
        )
        assert contrast.values == values
        # All pages are tested on both sides, and by both learners equally well.
        assert (contrast.pair.n_pages, contrast.pair.n_differ, contrast.pair.p) == (18, 0, 1)
    # Studies of the same pages are not ranked together.
    assert report.rankings == ()


def test_ways_to_split_with_other_test_pages_are_not_paired(simple, corpus, learners, report_of):
    report = report_of(replace(simple, splits=Splits(by=("site", "page"))), corpus, learners)
    assert [contrast.pair for contrast in report.contrasts] == [None, None]


def test_ways_to_split_that_test_a_page_more_or_less_often_are_contrasted(
    simple, corpus, learners, report_of
):
    splits = Splits(by=("site", "page"), repeats=12)
    few = replace(simple, splits=splits, candidates=(Candidate("background"),), families=("dom",))
    report = report_of(few, corpus, learners)
    site, page = (study.candidate("background").row.page_accuracy for study in report.studies)
    assert list(site) == list(page)  # by now every page was tested, some more often than others
    (contrast,) = report.contrasts
    assert (contrast.pair.difference, contrast.pair.p) == (0, 1)


def test_corpora_and_renderers_are_opened_one_by_one_and_ranked(
    simple, corpus, learners, report_of
):
    asked = []

    def opener(path, renderer):
        asked.append((path, renderer))
        number = int(Path(path).name)
        pages = tuple(page for page in corpus if page.site != corpus.sites[number])
        return replace(corpus, name=path, pages=pages)

    candidates = (
        Candidate("centroids"),
        Candidate("background"),
        Candidate("never", {"lambda_": (0.0,)}),
    )
    known = {**learners, "never": learners["centroids"]}
    chosen = replace(
        simple, candidates=candidates, corpora=("a/0", "a/1", "a/2"), renderers=("static",)
    )
    report = report_of(chosen, opener, known)
    assert asked == [("a/0", "static"), ("a/1", "static"), ("a/2", "static")]
    assert [study.source.path for study in report.studies] == ["a/0", "a/1", "a/2"]
    (ranking,) = report.rankings
    assert ranking.studies == tuple(f"{n} (static) by site" for n in range(3))
    # One is right, two are always None and share the second and the third rank.
    assert ranking.ranks == {"centroids": 1.0, "background": 2.5, "never": 2.5}
    # Ranks 1, 2.5, 2.5 three times over; with ties corrected chi-squared is 6, of 2 degrees.
    assert ranking.p_friedman == pytest.approx(np.exp(-3))
    assert set(ranking.p_pairs) == set(ranking.p_pairs["never"]) == set(ranking.ranks)
    assert ranking.critical_difference == pytest.approx(2.343 * np.sqrt(3 * 4 / (6 * 3)), abs=1e-3)
    # Two corpora are contrasted where the pages that were tested are the same.
    tested = [study.splits[0].test.pages for study in report.studies]
    n_same = sum(a == b for a, b in itertools.combinations(tested, 2))
    assert len(report.contrasts) == 3 * n_same
    assert all(contrast.what == "corpus" and contrast.pair for contrast in report.contrasts)


def test_the_same_pages_of_two_renderers_are_paired_by_page(simple, corpus, learners, report_of):
    """Renderers find other regions on the same pages; pages are compared all the same."""

    def opener(path, renderer):
        return corpus if renderer == "static" else without_menu(corpus)

    chosen = replace(simple, renderers=("static", "chromium"), splits=Splits(folds=3))
    report = report_of(chosen, opener, learners)
    assert [study.name for study in report.studies] == [
        "compass (static) by site",
        "compass (chromium) by site",
    ]
    assert [(contrast.what, contrast.candidate) for contrast in report.contrasts] == [
        ("renderer", "centroids"),
        ("renderer", "background"),
    ]
    by_candidate = {contrast.candidate: contrast for contrast in report.contrasts}
    assert by_candidate["centroids"].pair.difference == 0
    # Who says None of everything has two of six right with the menu, and none of four without.
    assert by_candidate["background"].pair.difference == pytest.approx(2 / 6)
    assert by_candidate["background"].pair.n_differ == 18


def test_numbers_of_pages_are_met_by_page_and_nearly_by_site(simple, corpus):
    n = len(corpus)
    sizes = (n - 6, 2, 3)
    numbers = replace(simple, splits=Splits(sizes, by=("page", "site")))
    (drawn,) = draw_splits(numbers, corpus, "page")
    assert tuple(map(len, pages_of(drawn))) == sizes
    too_many = replace(simple, splits=Splits((n, 2, 3)))
    message = rf"^splits: train, validation and test are .* {n + 5} pages in all; .* has {n}$"
    with pytest.raises(ExperimentError, match=message) as caught:
        next(draw_splits(too_many, corpus, "site"))
    assert caught.value.key == ("splits",)
