"""InfoDiscoverer: entropies worked by hand, and the definition in its plainest form."""

import math
import random
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest

from structce.errors import ExtractionError
from structce.evaluation import words
from structce.extraction import PAGE_CLASS_METHODS, ParsedDocument, block_set, entropy
from structce.extraction.entropy import STEPS, EntropyTemplate, InfoDiscoverer

MENU = "<ul><li>Home<li>News<li>Sport</ul>"
STORIES = ("Ferry sails at dawn", "Baker wins golden loaf")
STORIES += ("Storm closes coastal road", "Museum opens after repairs")


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


def test_entropies_are_those_of_the_definition(monkeypatch):
    monkeypatch.setattr(entropy, "STOP_SHARE", 2)
    rng = random.Random(7)
    for _ in range(50):
        pages = [" ".join(rng.choices("abcdefgh", k=rng.randint(1, 12))) for _ in range(5)]
        template = InfoDiscoverer().learn([ParsedDocument(f"<p>{page}<hr>") for page in pages])
        expected = entropies_by_definition(list(dict.fromkeys(pages)))
        entropies = {term: template.entropies.get(term, 0) for term in expected}
        assert entropies == pytest.approx(expected, abs=1e-8)


def test_a_block_has_the_mean_entropy_of_its_distinct_terms():
    template = EntropyTemplate(4, 0.5, ("p",), {"home": 1.0, "news": 0.5}, frozenset({"the"}))
    blocks = block_set(ParsedDocument("<p>Home home ferry<p>The news<p>The<p><img src=a>"), ("p",))
    expected = [0.5, 0.5, math.inf, math.inf]
    assert template.block_entropies(blocks).tolist() == expected
    assert template.choose(blocks).tolist() == [True, True, False, False]


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


def test_words_of_the_language_do_not_count_and_need_no_list():
    filler = [f"und der {i} " * 7 for i in range(4)]
    pages = [f"{MENU}<p>{filler[i]}<p>und der {story}" for i, story in enumerate(STORIES)]
    template = InfoDiscoverer().learn(map(ParsedDocument, pages))
    assert template.stop_words == ("der", "und")
    assert STORIES[0] in template.extract(ParsedDocument(pages[0])).text


def test_innermost_tables_are_the_blocks_of_the_paper():
    method = PAGE_CLASS_METHODS["entropy-tables"]()
    pages = [
        f"<table><tr><td><table><tr><td>Home<td>News</table><td>"
        f"<table><tr><td>{story}<tr><td><p>{story} again</table></table>"
        for story in STORIES
    ]
    template = method.learn(map(ParsedDocument, pages))
    lines = template.extract(ParsedDocument(pages[1])).text.split("\n")
    assert lines == [STORIES[1], f"{STORIES[1]} again"]


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
