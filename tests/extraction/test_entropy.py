"""InfoDiscoverer: entropies worked by hand, and the definition in its plainest form."""

import math
import random
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from structce.errors import ExtractionError
from structce.evaluation import words
from structce.extraction import (
    PAGE_CLASS_METHODS,
    ParsedDocument,
    block_set,
    load_template,
    make_extractor,
    save_template,
)
from structce.extraction.entropy import STEPS, EntropyTemplate, InfoDiscoverer, greedy_threshold

MENU = "<ul><li>Home<li>News<li>Sport</ul>"
STORIES = (
    "Ferry sails at dawn",
    "Baker wins golden loaf",
    "Storm closes coastal road",
    "Museum opens after repairs",
)


def site(stories=STORIES):
    return [ParsedDocument(f"<body>{MENU}<p>{story}</p><hr>Imprint") for story in stories]


def entropies_by_definition(pages):
    """-sum of w log w over the pages, to the base of their number, of each term of some texts."""
    counts = [Counter(words(page)) for page in pages]
    entropies = {}
    for term in set().union(*counts):
        total = sum(count[term] for count in counts)
        shares = [count[term] / total for count in counts if count[term]]
        entropies[term] = -sum(share * math.log(share, len(pages)) for share in shares)
    return entropies


def test_a_term_of_every_page_has_entropy_one_and_a_term_of_one_page_none():
    template = InfoDiscoverer().learn(site())
    assert template.entropies == pytest.approx({"home": 1, "news": 1, "sport": 1, "imprint": 1})


def test_entropies_are_those_worked_by_hand():
    # log4 of 1/2 is -1/2, that of 1/4 is -1: a has 1/2 twice, c has 1/4, 1/2 and 1/4
    pages = ["a b c", "a b b b", "d c c", "c d e"]
    template = InfoDiscoverer().learn([ParsedDocument(f"<p>{page}") for page in pages])
    quarter = -(0.25 * math.log(0.25, 4) + 0.75 * math.log(0.75, 4))
    assert template.entropies["a"] == pytest.approx(0.5)
    assert template.entropies["b"] == pytest.approx(quarter)
    assert template.entropies["c"] == pytest.approx(0.75)
    assert "e" not in template.entropies


def test_entropies_are_those_of_the_definition():
    rng = random.Random(7)
    for _ in range(50):
        pages = [" ".join(rng.choices("abcdefgh", k=rng.randint(1, 12))) for _ in range(5)]
        template = InfoDiscoverer(stop_share=2).learn(
            [ParsedDocument(f"<p>{page}<hr>") for page in pages]
        )
        expected = entropies_by_definition(list(dict.fromkeys(pages)))
        entropies = {term: template.entropies.get(term, 0) for term in expected}
        assert entropies == pytest.approx(expected, abs=1e-8)


def test_a_block_has_the_mean_entropy_of_its_distinct_terms():
    template = EntropyTemplate(4, 0.5, ("p",), {"home": 1.0, "news": 0.5}, frozenset({"the"}))
    blocks = block_set(ParsedDocument("<p>Home home ferry<p>The news<p>The<p><img src=a>"), ("p",))
    expected = [0.5, 0.5, math.inf, math.inf]
    assert template.block_entropies(blocks).tolist() == expected
    assert template.choose(blocks).tolist() == [True, True, False, False]


def test_what_repeats_is_left_out_and_what_does_not_is_kept():
    template = InfoDiscoverer().learn(site())
    for page, story in zip(site(), STORIES, strict=True):
        assert template.extract(page).text == story


def test_a_page_that_was_not_learnt_is_read_too():
    template = InfoDiscoverer().learn(site())
    (page,) = site(["Harbour gets new cranes"])
    assert template.extract(page).text == "Harbour gets new cranes"


def test_the_search_ends_where_few_terms_come():
    assert greedy_threshold([100, 50, 4, 90, 0, 0, 0, 0, 0, 0]) == 0.2
    assert greedy_threshold([0, 0, 100, 5, 5, 0, 0, 0, 0, 0]) == pytest.approx(0.4)
    assert greedy_threshold([10] * 10) == 1.0
    assert greedy_threshold([0] * 10) == 1.0


def threshold_by_definition(template, documents):
    """Thresholds rise until the blocks of the next one bring less than 5 % new terms."""
    texts = [
        (entropy, set(words(blocks.text(i))).difference(template.stop_words))
        for blocks in map(template.blocks, documents)
        for i, entropy in enumerate(template.block_entropies(blocks))
    ]
    for now, later in pairwise(STEPS):
        terms = set().union(*(own for entropy, own in texts if entropy <= now + 1e-9))
        more = set().union(*(own for entropy, own in texts if entropy <= later + 1e-9))
        if terms and len(more) - len(terms) < 0.05 * len(terms):
            return now
    return 1.0


def test_the_threshold_is_that_of_the_definition():
    rng = random.Random(3)
    thresholds = set()
    for _ in range(60):
        vocabulary = [f"w{i}" for i in range(rng.choice((12, 60, 400)))]
        pages = [
            "".join(f"<p>{' '.join(rng.choices(vocabulary, k=rng.randint(1, 9)))}" for _ in "abcd")
            for _ in range(rng.randint(2, 6))
        ]
        documents = [ParsedDocument(MENU + page) for page in pages]
        template = InfoDiscoverer().learn(documents)
        assert template.threshold == threshold_by_definition(template, documents)
        thresholds.add(template.threshold)
    assert len(thresholds) > 2


def test_a_threshold_may_be_given():
    template = InfoDiscoverer(threshold=1.0).learn(site())
    assert template.threshold == 1.0
    assert template.extract(site()[0]).text.split() == [
        "Home",
        "News",
        "Sport",
        *STORIES[0].split(),
        "Imprint",
    ]
    assert InfoDiscoverer(threshold=0.0).learn(site()).extract(site()[0]).text == STORIES[0]


def test_words_of_the_language_do_not_count_and_need_no_list():
    filler = [f"und der {i} " * 7 for i in range(4)]
    pages = [f"{MENU}<p>{filler[i]}<p>und der {story}" for i, story in enumerate(STORIES)]
    template = InfoDiscoverer().learn(map(ParsedDocument, pages))
    assert template.stop_words == ("der", "und")
    assert STORIES[0] in template.extract(ParsedDocument(pages[0])).text
    assert not InfoDiscoverer(stop_share=1.1).learn(map(ParsedDocument, pages)).stop_words


def test_innermost_tables_are_the_blocks_of_the_paper():
    method = PAGE_CLASS_METHODS["entropy-tables"]()
    pages = [
        f"<table><tr><td><table><tr><td>Home<td>News</table><td>"
        f"<table><tr><td>{story}<tr><td><p>{story} again</table></table>"
        for story in STORIES
    ]
    template = method.learn(map(ParsedDocument, pages))
    assert template.extract(ParsedDocument(pages[1])).text.split("\n") == [
        STORIES[1],
        f"{STORIES[1]} again",
    ]


@pytest.mark.parametrize(
    "pages",
    [
        [],
        site()[:1],
        [site()[0], ParsedDocument(site()[0].html)],
        [site()[0], ParsedDocument("")],
        [ParsedDocument("<p>***"), ParsedDocument("<img src=a>")],
    ],
)
def test_fewer_than_two_pages_with_words_are_an_error(pages):
    with pytest.raises(ExtractionError, match=r"entropy compares pages of one site, .* got [01]"):
        InfoDiscoverer().learn(pages)


@pytest.mark.parametrize("parameters", [{"threshold": 1.5}, {"threshold": -1}, {"stop_share": 0}])
def test_parameters_out_of_range_are_an_error(parameters):
    with pytest.raises(ExtractionError, match="entropy"):
        InfoDiscoverer(**parameters)


def test_a_page_without_words_has_no_content():
    template = InfoDiscoverer().learn(site())
    assert template.extract(ParsedDocument("")).text == ""
    assert template.extract(ParsedDocument("<p>***</p><img src=a>")).text == ""


def test_a_file_keeps_what_was_learnt(tmp_path):
    template = InfoDiscoverer().learn(site())
    path = tmp_path / "site.template"
    save_template(template, path)
    loaded = load_template(path)
    assert loaded.state() == template.state()
    assert loaded.rows() == template.rows()
    assert make_extractor(f"template:{path}").extract(site()[2]) == template.extract(site()[2])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"threshold":0.1', b'"threshold":2'),
        (b'"home":1.0', b'"home":7'),
        (b'"home":1.0', b'"home":"x"'),
        (b'"n_pages":4', b'"n_pages":1'),
    ],
)
def test_a_state_whose_numbers_cannot_be_is_refused(old, new):
    state = InfoDiscoverer().learn(site()).state()
    assert old in state.text
    with pytest.raises((ExtractionError, ValueError)):
        EntropyTemplate.from_state(replace(state, text=state.text.replace(old, new)))


def test_a_table_of_terms_has_the_highest_entropy_first():
    rows = InfoDiscoverer().learn(site()).rows()
    assert [row["term"] for row in rows] == ["home", "imprint", "news", "sport"]


def test_pages_of_very_many_blocks_are_learnt():
    pages = [ParsedDocument(f"<p>a{i}" * 15_000) for i in range(2)]
    template = InfoDiscoverer().learn(pages)
    assert template.extract(pages[0]).text
    assert np.isfinite(template.threshold)
