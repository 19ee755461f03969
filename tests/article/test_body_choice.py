"""Choice of the body: what is taken, and which blocks stand or fall together."""

import itertools
import json
from types import SimpleNamespace
from typing import get_args

import numpy as np
import pytest

from structce.article.block_columns import BLOCK_COLUMNS, block_columns
from structce.article.body_choice import (
    Favour,
    body_threshold,
    choose_body,
    expected_f1,
    with_hanging_blocks,
)
from structce.article.tuned import tuned
from structce.labelling import ArticleTrees

NO_TREES = ArticleTrees()
FAVOURS = get_args(Favour)
TEASERS = (0.95, 0.9, *[0.55] * 8)


def named(evidence):
    return dict(zip(BLOCK_COLUMNS, block_columns(evidence), strict=True))


def body_trees(*p):
    """Trees that find blocks as likely as given."""
    names = BLOCK_COLUMNS[:1]
    body = SimpleNamespace(names=names, probability=lambda rows: np.array(p[: len(rows)]))
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


@pytest.mark.parametrize("favour", FAVOURS)
def test_buttons_beside_code_are_not_body(favour, make_page, see):
    button = "<div><button><span>Copy code</span></button></div>"
    page = make_page(f"<p>Run it.</p>{button}<pre>stall print</pre><p>Done.</p><p>So.</p>{button}")
    chosen = choose_body(see(page, ["Paragraph"] * len(page)), body_trees(*[1.0] * 6), favour)
    kept = [page.text[i] for i in np.flatnonzero(chosen.is_body)]
    assert kept[:4] == ["Run it.", "stall print", "Done.", "So."]


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
        leasts = [body_threshold(p, expected_f1(p, chars), favour, article) for favour in FAVOURS]
        assert leasts == sorted(leasts, reverse=True)


def test_doubtful_blocks_apart_from_sure_ones_are_left_out(make_page, see):
    chars = [200] * len(TEASERS)
    assert body_of(TEASERS, chars, make_page, see) == [True] * 2 + [False] * 8
    assert all(body_of(TEASERS, chars, make_page, see, favour="recall"))
    assert all(body_of(TEASERS, chars, make_page, see, types={"forum": 0.4, "article": 0.0}))


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


def test_one_copy_of_a_doubled_article_is_taken(make_page, see):
    line = "<p>{n} ferries were to sail, but none did before noon. {x}</p>"
    article = "".join(line.format(n=n, x="It rained. " * 40) for n in range(6))
    page = make_page(f"<div>{article}</div><p>Advice</p><div>{article}</div>")
    body = choose_body(see(page, ["Paragraph"] * len(page)), NO_TREES)
    assert body.is_body.tolist() == [True] * 7 + [False] * 6


REVIEW = "<div class=Customer-Reviews><p>It sank, and the paint came off first.</p></div>"
COMMENT = "<div id=comments><p>I waited there for the whole of the morning.</p></div>"
CAPTION = "<figure><figcaption>The quay at night</figcaption></figure>"


@pytest.mark.parametrize(
    ("beside", "types", "favour", "n_taken"),
    [
        (REVIEW, {"product": 0.4, "article": 0.6}, "balance", 1),
        (REVIEW, {"product": 0.4, "article": 0.6}, "recall", 2),
        (REVIEW, {"product": 0.3, "article": 0.7}, "balance", 2),
        (COMMENT, {"article": 0.6, "forum": 0.3}, "balance", 1),
        (COMMENT, {}, "balance", 1),
        (COMMENT, {"article": 0.6, "forum": 0.3}, "recall", 2),
        (COMMENT, {"article": 0.5, "forum": 0.5}, "balance", 2),
        (CAPTION, {}, "balance", 1),
        (CAPTION, {}, "recall", 2),
    ],
)
def test_what_is_beside_the_body_is_left_out(beside, types, favour, n_taken, make_page, see):
    told = "<p>No ferry sailed before noon, and the harbour stayed quiet.</p>"
    page = make_page(f"<body class=has-reviews>{told}{beside}")
    labels = ["Paragraph", "Caption" if beside == CAPTION else "Paragraph"]
    body = choose_body(see(page, labels), body_trees(0.9, 0.8), favour, types=types)
    assert body.is_body.tolist() == [True] * n_taken + [False] * (2 - n_taken)


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


LONG = "The harbour board met on Tuesday to decide what becomes of the old grain store by the quay."
ITEMS = "<ul><li>Wood for the floor</li><li>Iron for the roof</li></ul>"


def attached(inside, p, make_page, see, n_taken=2, after=""):
    """Texts that are added to a body of the first blocks of an article, by their probability."""
    html = f"<article>{f'<p>{LONG}</p>' * n_taken}{inside}</article>{after}"
    page = make_page(html)
    evidence = see(page, ["Paragraph"] * len(page))
    taken = np.arange(evidence.n_blocks) < n_taken
    chances = np.where(taken, 0.95, p)
    kept = with_hanging_blocks(evidence, taken, chances, named(evidence))
    assert kept[taken].all()
    return [page.text[i] for i in np.flatnonzero((kept & ~taken)[page.blocks])]


@pytest.mark.parametrize(
    ("inside", "n_texts"),
    [
        (ITEMS, 2),
        (f"<div class=wrap><div>{ITEMS}</div></div>", 2),
        ("<pre><code>stall add 12</code></pre>", 1),
        ("<table><tr><td>Floor<td>Rent<tr><td>1<td>20</table>", 4),
        ("<blockquote><p>We will not sell it.</p></blockquote>", 1),
        ("<dl><dt>Quay<dd>A wall by water</dl>", 2),
        (f"<section>{ITEMS}</section>", 2),
    ],
)
def test_what_hangs_on_the_body_is_kept(inside, n_texts, make_page, see):
    least = tuned("hanging-block")
    assert len(attached(inside, least + 0.01, make_page, see)) == n_texts
    assert attached(inside, least - 0.01, make_page, see) == []
    assert attached("", least + 0.01, make_page, see, after=inside) == []


def test_links_are_kept_only_after_a_colon_or_a_heading(make_page, see):
    links = "<ul><li><a href=/1>The night of the mill</a><li><a href=/2>Rye on the quay</a></ul>"
    assert attached(links, 0.3, make_page, see) == []
    announced = "<p>The stories that explain it:</p>" + links
    assert len(attached(announced, 0.5, make_page, see)) == 3
    assert len(attached(f"<h2>Resources</h2>{links}", 0.5, make_page, see)) == 3


@pytest.mark.parametrize(
    "inside",
    [f"<div class=related>{ITEMS}</div>", f"<h2>Read more</h2>{ITEMS}", f"<p>Share:</p>{ITEMS}"],
)
def test_what_leads_away_and_what_follows_it_is_left_out(inside, make_page, see):
    assert attached(inside, 0.45, make_page, see) == []


def test_the_rest_of_a_list_follows_its_half(make_page, see):
    items = "<ul>" + "".join(f"<li>Item {i}</li>" for i in range(4)) + "</ul>"
    p = np.array([0.95, 0.95, 0.3, 0.3])
    page = make_page(f"<p>{LONG}</p>{items}<p>{LONG}</p>")
    evidence = see(page, ["Paragraph"] * len(page))
    taken = np.array([True, True, True, False, False, True])
    chances = np.array([0.95, *p, 0.95])
    assert with_hanging_blocks(evidence, taken, chances, named(evidence)).all()
