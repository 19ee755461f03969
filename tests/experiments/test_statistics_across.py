"""What several studies say together."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from structce.evaluation.significance import critical_difference
from structce.experiments.results import CandidateResult, CorpusRecord, Study
from structce.experiments.statistics import contrast_studies, rank_studies

PAGES = [(f"{site}{i}", "AB") for site in "abcd" for i in range(2)]
RIGHT, HALF, WRONG = (["AB"] * 8, ["AN"] * 8, ["NN"] * 8)


@pytest.fixture(scope="module")
def make_study(pool_words):
    """Return a function that makes a study, and what was pooled, of one word list an candidate."""

    def make(name, by="site", path="news", renderer="static", pages=PAGES, **candidates):
        pooled = {candidate: pool_words(pages, words) for candidate, words in candidates.items()}
        source = CorpusRecord(
            path=path,
            name=path,
            digest="0" * 64,
            n_pages=len(pages),
            sites=("a", "b", "c", "d"),
            renderer=renderer,
            counts={"A": 8, "B": 8, "N": 0},
            background="N",
        )
        results = tuple(
            CandidateResult(candidate, result.row) for candidate, result in pooled.items()
        )
        return Study(name, source, by, (), {}, {}, results), pooled

    return make


def contrasts_of(*made):
    return contrast_studies(
        [study for study, _ in made], {study.name: pooled for study, pooled in made}, 0
    )


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"by": "page"}, "by"),
        ({"path": "blogs"}, "corpus"),
        ({"renderer": "chromium"}, "renderer"),
        ({"by": "page", "path": "blogs"}, None),
        ({"by": "page", "renderer": "chromium"}, None),
        ({"path": "blogs", "renderer": "chromium"}, "renderer"),
        ({}, None),
    ],
)
def test_studies_that_differ_in_one_thing_are_contrasted(make_study, changes, what):
    contrasts = contrasts_of(make_study("one", x=RIGHT), make_study("two", x=HALF, **changes))
    assert [contrast.what for contrast in contrasts] == ([what] if what else [])


def test_each_candidate_of_both_is_contrasted_in_every_two_studies(make_study):
    contrasts = contrasts_of(
        make_study("one", x=RIGHT, y=HALF, z=HALF),
        make_study("two", path="blogs", y=RIGHT, x=HALF),
        make_study("three", path="shops", x=WRONG),
    )
    assert [(contrast.candidate, contrast.first, contrast.second) for contrast in contrasts] == [
        ("x", "one", "two"),
        ("y", "one", "two"),
        ("x", "one", "three"),
        ("x", "two", "three"),
    ]
    # Right: 1. Half: A has 1, B has 0; N, which gold does not have, is no label of the mean.
    assert contrasts[0].values == pytest.approx((1, 1 / 2))
    assert contrasts[1].values == pytest.approx((1 / 2, 1))


def test_the_same_test_pages_are_paired(make_study):
    (contrast,) = contrasts_of(make_study("one", x=RIGHT), make_study("two", by="page", x=HALF))
    assert (contrast.pair.first, contrast.pair.second) == ("one", "two")
    assert (contrast.pair.difference, contrast.pair.n_pages) == (0.5, 8)
    assert contrast.pair.macro_interval == pytest.approx((1 / 2, 1 / 2))


def test_other_test_pages_are_not_paired(make_study):
    fewer = make_study("two", by="page", pages=PAGES[1:], x=HALF[1:])
    (contrast,) = contrasts_of(make_study("one", x=RIGHT), fewer)
    assert contrast.pair is None
    assert contrast.values == pytest.approx((1, 1 / 2))


def test_corpora_of_other_pages_are_not_contrasted(make_study):
    study, pooled = make_study("two", path="blogs", x=HALF)
    moved = {page: f"{site}.example" for page, site in pooled["x"].sites.items()}
    elsewhere = {"x": replace(pooled["x"], sites=moved)}
    assert not contrasts_of(make_study("one", x=RIGHT), (study, elsewhere))
    fewer = make_study("two", path="blogs", pages=PAGES[1:], x=HALF[1:])
    assert not contrasts_of(make_study("one", x=RIGHT), fewer)


def test_pages_are_paired_though_their_regions_differ(make_study):
    """As those of two renderers do, or pages that repeats tested more often."""
    shorter = [(name, "B") for name, _ in PAGES]
    other = make_study("two", renderer="chromium", pages=shorter, x=["B"] * 8)
    (contrast,) = contrasts_of(make_study("one", x=HALF), other)
    assert contrast.pair.difference == -0.5
    assert contrast.pair.macro_interval == (-1, 1)
    twice = make_study("two", by="page", pages=[*PAGES, PAGES[0]], x=[*HALF, "NN"])
    (contrast,) = contrasts_of(make_study("one", x=HALF), twice)
    # The first page was half right, and then wrong.
    assert contrast.pair.difference == pytest.approx(0.25 / 8)


def studies_of(*made):
    return [study for study, _ in made]


def test_candidates_are_ranked_over_studies(make_study):
    orders = [(RIGHT, HALF, WRONG), (RIGHT, WRONG, HALF), (HALF, RIGHT, WRONG), (RIGHT, HALF, HALF)]
    made = [
        make_study(f"study {i}", path=f"corpus {i}", x=x, y=y, z=z)
        for i, (x, y, z) in enumerate(orders)
    ]
    (ranking,) = rank_studies(studies_of(*made))
    assert ranking.measure == "macro_f1"
    assert ranking.studies == ("study 0", "study 1", "study 2", "study 3")
    ranks = np.array([(1, 2, 3), (1, 3, 2), (2, 1, 3), (1, 2.5, 2.5)])
    assert ranking.ranks == pytest.approx(dict(zip("xyz", ranks.mean(axis=0), strict=True)))
    assert ranking.p_friedman == pytest.approx(stats.friedmanchisquare(*ranks.T).pvalue)
    assert ranking.critical_difference == critical_difference(3, 4)
    # Nemenyi: the distance of mean ranks over its standard error is a studentised range.
    distance = (ranking.ranks["z"] - ranking.ranks["x"]) / np.sqrt(3 * 4 / (6 * 4))
    expected = stats.studentized_range.sf(distance * np.sqrt(2), 3, np.inf)
    assert ranking.p_pairs["x"]["z"] == pytest.approx(expected, abs=1e-6)
    assert ranking.p_pairs["z"]["x"] == ranking.p_pairs["x"]["z"]
    assert ranking.p_pairs["y"]["y"] == 1


def test_another_measure_ranks_otherwise(make_study):
    # Half of A and B: accuracy 1/2, macro F1 1/2. All B: accuracy 1/2, macro F1 (0 + 2/3) / 2.
    made = [make_study(f"study {i}", path=str(i), x=HALF, y=["BB"] * 8) for i in range(2)]
    assert rank_studies(studies_of(*made))[0].ranks == {"x": 1.0, "y": 2.0}
    (ranking,) = rank_studies(studies_of(*made), "accuracy")
    assert (ranking.measure, ranking.ranks) == ("accuracy", {"x": 1.5, "y": 1.5})


@pytest.mark.parametrize(("n_candidates", "n_studies"), [(2, 3), (3, 2), (2, 2)])
def test_few_candidates_or_studies_are_ranked_and_not_tested(make_study, n_candidates, n_studies):
    candidates = dict(list({"x": RIGHT, "y": HALF, "z": WRONG}.items())[:n_candidates])
    made = [make_study(f"study {i}", path=str(i), **candidates) for i in range(n_studies)]
    (ranking,) = rank_studies(studies_of(*made))
    assert list(ranking.ranks.values()) == [1.0, 2.0, 3.0][:n_candidates]
    assert (ranking.p_friedman, ranking.critical_difference, ranking.p_pairs) == (None, None, {})


def test_one_study_or_one_candidate_is_not_ranked(make_study):
    assert rank_studies([]) == ()
    assert rank_studies(studies_of(make_study("one", x=RIGHT, y=HALF))) == ()
    made = [make_study(f"study {i}", path=str(i), x=RIGHT) for i in range(3)]
    assert rank_studies(studies_of(*made)) == ()


def test_ways_to_split_are_ranked_apart(make_study):
    made = [
        make_study(f"{path} by {by}", by=by, path=path, x=words, y=HALF)
        for path in ("news", "blogs")
        for by, words in (("site", RIGHT), ("page", WRONG))
    ]
    by_site, by_page = rank_studies(studies_of(*made))
    assert by_site.studies == ("news by site", "blogs by site")
    assert by_site.ranks == {"x": 1.0, "y": 2.0}
    assert by_page.studies == ("news by page", "blogs by page")
    assert by_page.ranks == {"x": 2.0, "y": 1.0}


def test_renderers_of_one_corpus_are_ranked_apart(make_study):
    made = [
        make_study(f"{path} {renderer}", path=path, renderer=renderer, x=words, y=HALF)
        for path in ("news", "blogs")
        for renderer, words in (("static", RIGHT), ("chromium", WRONG))
    ]
    assert [ranking.studies for ranking in rank_studies(studies_of(*made))] == [
        ("news static", "blogs static"),
        ("news chromium", "blogs chromium"),
    ]
    assert not rank_studies(studies_of(*made[:2]))
    (together,) = rank_studies(
        studies_of(made[0], made[3])
    )  # each corpus has a renderer of its own
    assert together.studies == ("news static", "blogs chromium")


def test_candidates_are_ranked_that_have_scores_in_every_study_with_scores(make_study):
    rankings = rank_studies(
        studies_of(
            make_study("one", x=RIGHT, y=HALF, z=WRONG),
            make_study("nothing", path="shops"),
            make_study("two", path="blogs", z=RIGHT, x=HALF),
        )
    )
    assert [(ranking.studies, ranking.ranks) for ranking in rankings] == [
        (("one", "two"), {"x": 1.5, "z": 1.5})
    ]
