"""Choice of the body: what is taken, and which blocks stand or fall together."""

import itertools
import json
from types import SimpleNamespace
from typing import get_args

import numpy as np
import pytest

from structce.article.body_choice import Favour, choose_body, expected_f1, least_of_body
from structce.article.tuned import tuned
from structce.labelling import ArticleTrees

NO_TREES = ArticleTrees()
FAVOURS = get_args(Favour)
TEASERS = (0.95, 0.9, *[0.55] * 8)


def body_trees(*p):
    """Trees that find blocks as likely as given."""
    body = SimpleNamespace(names=(), probability=lambda rows: np.array(p[: len(rows)]))
    return ArticleTrees(body=body)


def body_of(p, chars, make_page, see, **options):
    """Blocks of the body of a page of linked paragraphs, by probability; sure ones are together."""
    blocks = [f"<p><a href=/>{'word ' * (n // 5)}{i}</a></p>" for i, n in enumerate(chars)]
    sure = [i for i, own in enumerate(p) if own >= 0.85] or [0]
    parts = blocks[: sure[0]], blocks[sure[0] : sure[-1] + 1], blocks[sure[-1] + 1 :]
    page = make_page("".join(f"<article>{''.join(part)}</article>" for part in parts))
    evidence = see(page, ["Paragraph"] * len(page), p)
    chosen = choose_body(evidence, body_trees(*p), **options)
    return chosen.is_body.tolist()


def test_blocks_count_as_their_regions_without_trees(make_page, see):
    page = make_page("<p>One.</p><p>Two <b>three</b></p><p>Four</p><img src=a.png>")
    evidence = see(page, ["Paragraph", "Paragraph", "None", "None", "Paragraph"])
    body = choose_body(evidence, NO_TREES, "precision")
    assert body.p == pytest.approx([1, 3.001 / 8.002, 0, 1], abs=1e-3)
    assert body.is_body.tolist() == [True, False, False, False, False]
    assert body.confidence[:4] == pytest.approx([1, 0.625, 0.625, 1], abs=1e-3)


def test_whole_blocks_are_taken_without_empty_regions(make_page, see):
    page = make_page("<p>One.</p><p>Two <b>three</b><img src=a.png></p>")
    body = choose_body(see(page), body_trees(0.1, 0.9))
    assert body.is_body.tolist() == [False, True, True, False]
    assert body.confidence.tolist() == pytest.approx([0.9, 0.9, 0.9, 0.1])


@pytest.mark.parametrize("favour", FAVOURS)
@pytest.mark.parametrize("html", ["", "<html></html>"])
def test_a_page_without_regions_has_no_body(html, favour, make_page, see):
    body = choose_body(see(make_page(html)), body_trees(), favour)
    assert [len(column) for column in (body.is_body, body.confidence, body.p)] == [0, 0, 0]


@pytest.mark.parametrize("article", [0.0, 0.5, 1.0])
def test_recall_takes_at_least_what_precision_takes(article):
    random = np.random.default_rng(3)
    for _ in range(100):
        p, chars = random.random(8) ** 2, random.integers(0, 300, 8).astype(float)
        leasts = [least_of_body(p, chars, favour, article) for favour in FAVOURS]
        assert leasts == sorted(leasts, reverse=True)


def test_doubtful_blocks_apart_from_sure_ones_are_left_out(make_page, see):
    chars = [200] * len(TEASERS)
    assert body_of(TEASERS, chars, make_page, see) == [True] * 2 + [False] * 8
    assert all(body_of(TEASERS, chars, make_page, see, favour="recall"))
    assert all(body_of(TEASERS, chars, make_page, see, types={"forum": 0.4, "article": 0.0}))


@pytest.mark.parametrize(
    ("p", "chars"),
    [
        ((0.95, *[0.55] * 9), 200),  # one sure block
        ((0.95, 0.9, *[0.55] * 8), 30),  # little sure text
        ((0.95, 0.9, *[0.75] * 4, *[0.55] * 4), 200),  # no gap between sure and doubtful blocks
    ],
)
def test_doubtful_blocks_stay_beside_sure_ones(p, chars, make_page, see):
    assert all(body_of(p, [chars] * len(p), make_page, see, types={"article": 0.0}))


def test_doubtful_blocks_between_sure_ones_stay(make_page, see):
    p = (0.5, 0.95, 0.55, 0.9, 0.5, 0.5)
    assert body_of(p, [200] * 6, make_page, see, types={"article": 0.0}) == [
        False, True, True, True, False, False,
    ]  # fmt: skip


def test_least_probability_follows_the_page_type():
    sure, chars = np.array([0.0, 1.0]), np.array([50.0, 100.0])
    for favour in FAVOURS:
        other, own = tuned(favour), tuned(f"{favour}-of-article")
        assert least_of_body(sure, chars, favour, 1.0) == pytest.approx(own)
        assert least_of_body(sure, chars, favour, 0.0) == pytest.approx(other)
        assert least_of_body(sure, chars, favour, 0.5) == pytest.approx((own + other) / 2)


def test_blocks_are_taken_from_a_share_of_the_expected_f1():
    random = np.random.default_rng(5)
    for _ in range(50):
        p, chars = random.random(7), random.integers(1, 200, 7).astype(float)
        choices = [np.array(bits, dtype=bool) for bits in itertools.product((0, 1), repeat=7)]
        f1 = [
            2 * (p * chars)[choice].sum() / (chars[choice].sum() + (p * chars).sum())
            for choice in choices
        ]
        assert expected_f1(p, chars) == pytest.approx(max(f1))
        assert (choices[int(np.argmax(f1))] == (p >= max(f1) / 2)).all()


def test_the_likeliest_block_is_taken_unless_impossible():
    chars = np.array([10.0, 10.0])
    assert least_of_body(np.array([0.1, 0.3]), chars, "precision") <= 0.3
    nothing = least_of_body(np.array([0.0, 0.01]), chars, "precision")
    assert nothing > 0.01
    assert least_of_body(np.zeros(0), np.zeros(0), "balance") > 0


def test_one_copy_of_a_doubled_article_is_taken(make_page, see):
    line = "<p>{n} ferries were to sail, but none did before noon. {x}</p>"
    article = "".join(line.format(n=n, x="It rained. " * 40) for n in range(6))
    page = make_page(f"<div>{article}</div><p>Advice</p><div>{article}</div>")
    body = choose_body(see(page, ["Paragraph"] * len(page)), NO_TREES)
    assert body.is_body.tolist() == [True] * 7 + [False] * 6


def test_repeated_lines_of_an_article_stay(make_page, see):
    song = "<p>Row the boat.</p><p>Row it home.</p>" * 9 + f"<p>{'Merrily. ' * 400}</p>" * 2
    page = make_page(song)
    assert choose_body(see(page, ["Paragraph"] * len(page)), NO_TREES).is_body.all()


@pytest.mark.parametrize(
    ("types", "options", "n_taken"),
    [
        ({"product": 0.4, "article": 0.6}, {}, 1),
        ({"product": 0.4, "article": 0.6}, {"favour": "recall"}, 2),
        ({"product": 0.3, "article": 0.7}, {}, 2),
    ],
)
def test_reviews_of_a_product_are_left_out(types, options, n_taken, make_page, see):
    told = "<p>A ferry of oak, painted by hand in the colours of the harbour.</p>"
    said = "<div class=Customer-Reviews><p>It sank at once, and the paint came off first.</p></div>"
    page = make_page(f"<body class=has-reviews>{told}{said}")
    evidence = see(page, ["Paragraph"] * len(page))
    body = choose_body(evidence, NO_TREES, types=types, **options)
    assert body.is_body.tolist() == [True] * n_taken + [False] * (2 - n_taken)


@pytest.mark.parametrize(("favour", "n_taken"), [("balance", 1), ("recall", 2)])
def test_captions_among_the_body_are_left_out(favour, n_taken, make_page, see):
    told = "<p>No ferry sailed before noon, and the harbour stayed quiet.</p>"
    page = make_page(f"{told}<figure><figcaption>The quay at night</figcaption></figure>")
    trees = body_trees(0.9, 0.8)
    body = choose_body(see(page, ["Paragraph", "Caption"]), trees, favour)
    assert body.is_body.tolist() == [True] * n_taken + [False] * (2 - n_taken)


@pytest.mark.parametrize(
    ("types", "options", "n_taken"),
    [
        ({"article": 0.6, "forum": 0.3}, {}, 1),
        ({}, {}, 1),
        ({"article": 0.6, "forum": 0.3}, {"favour": "recall"}, 2),
        ({"article": 0.5, "forum": 0.5}, {}, 2),
    ],
)
def test_comments_are_left_out_unless_a_thread_is_likely(types, options, n_taken, make_page, see):
    told = "<p>No ferry sailed before noon, and the harbour stayed quiet.</p>"
    said = "<div id=comments><p>I waited there for the whole of the morning.</p></div>"
    evidence = see(make_page(told + said), ["Paragraph", "Paragraph"])
    body = choose_body(evidence, NO_TREES, types=types, **options)
    assert body.is_body.sum() == n_taken


@pytest.mark.parametrize(("title", "is_left_out"), [("h1", True), ("p", False)])
def test_comments_below_the_title_are_left_out(title, is_left_out, make_page, see):
    told = "<p>No ferry sailed before noon, and the harbour stayed quiet.</p>"
    said = "<div id=comments><p>I waited there for the whole of the morning.</p></div>"
    page = make_page(f"<{title}>No ferry</{title}>{told}{said}")
    evidence = see(page, ["Title" if title == "h1" else "None", "Paragraph", "Paragraph"])
    trees = body_trees(0.1, 0.3, 0.9)
    body = choose_body(evidence, trees, types={"article": 1.0})
    assert body.is_body.tolist() == [False, is_left_out, not is_left_out]


def test_comments_stay_if_nothing_else_is_likely(make_page, see):
    told = "<p>No ferry sailed before noon.</p><p>The harbour stayed quiet until then.</p>"
    page = make_page(f"<p>Menu</p><div class=has-comments>{told}</div>")
    evidence = see(page, ["None", "Paragraph", "Paragraph"])
    assert choose_body(evidence, NO_TREES, types={"article": 1.0}).is_body.tolist() == [
        False, True, True,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("p", "shown", "is_taken"),
    [(0.3, ("flour", "salt"), True), (0.1, ("flour", "salt"), False), (0.3, ("flour",), False)],
)
def test_stated_content_that_is_shown_is_taken(p, shown, is_taken, make_page, see):
    stated = {name: f"500 g of {name} of the best kind, sifted twice" for name in ("flour", "salt")}
    recipe = json.dumps({"@type": "Recipe", "recipeIngredient": [*stated.values()]})
    lines = "".join(f"<li>{stated[name]}</li>" for name in shown)
    page = make_page(f"<script type=application/ld+json>{recipe}</script><p>Bread.</p>{lines}")
    trees = body_trees(0.9, *[p] * len(shown))
    body = choose_body(see(page), trees, "precision", types={"article": 0.0})
    assert body.is_body.tolist() == [True] + [is_taken] * len(shown)
    assert body.p.max() == 0.9


def test_reviews_stay_if_there_is_little_else(make_page, see):
    said = "<p>It sank at once, and the paint came off before it did.</p>"
    page = make_page(f"<p>Ferry</p><div id=reviews>{said}</div>")
    evidence = see(page, ["Paragraph"] * len(page))
    assert choose_body(evidence, NO_TREES, types={"product": 0.9}).is_body.all()


@pytest.mark.parametrize(
    ("types", "taken"),
    [
        ({"product": 0.8, "article": 0.2}, [True, True, False, True, True]),
        ({"product": 0.7, "article": 0.2, "documentation": 0.1}, [True] * 5),
        ({}, [True] * 5),
    ],
)
def test_repeated_lines_are_left_out_of_other_pages(types, taken, make_page, see):
    line = "<p>Both ferries are painted by hand, in the colours of the harbour.</p>"
    page = make_page(f"{line}<p>Blue</p>{line}<p>Red</p><p>Blue</p>")
    chosen = choose_body(see(page, ["Paragraph"] * len(page)), NO_TREES, types=types)
    assert chosen.is_body.tolist() == taken
    assert chosen.is_likely.all()
