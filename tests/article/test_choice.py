"""Choice among candidates: by rule, by trees, and of the body."""

import itertools
import json
from dataclasses import dataclass, replace

import numpy as np
import pytest

from structce.article.candidates import Candidate
from structce.article.choice import (
    AUTHOR_LEAST,
    BODY_LEAST,
    CHOICE_COLUMNS,
    COLUMNS,
    ONLY_AUTHOR_LEAST,
    candidates_of,
    choice_columns,
    choice_facts,
    choose,
    choose_authors,
    choose_body,
    expected_f1,
    least_of_body,
    pick_names,
    probabilities,
)
from structce.article.page_type import PAGE_COLUMNS
from structce.article.reading import ArticleReader
from structce.errors import ModelError
from structce.labelling import ArticleTrees

PAGE = dict.fromkeys(PAGE_COLUMNS, 7.0)
NO_TREES = ArticleTrees()

FAVOURS = tuple(BODY_LEAST)


@dataclass
class Fixed:
    """Trees that answer with given probabilities, and keep what they were asked."""

    answers: tuple[float, ...]
    names: tuple[str, ...] = ()
    asked: object = None

    def probability(self, rows):
        self.asked = rows
        return np.array(self.answers[: len(rows)])


def test_without_trees_a_visible_and_stated_value_is_likelier_than_either():
    shown = Candidate("a", (0,), facts={"p": 0.5})
    stated = Candidate("b", sources=("json-ld", "og"))
    both = Candidate("c", (1,), ("json-ld",), facts={"p": 0.5})
    p = probabilities("title", [shown, stated, both], NO_TREES)
    assert p == pytest.approx([0.5, 0.6, 1 - 0.5 * 0.4])


def test_without_trees_organisations_and_mere_changes_count_half_of_their_region():
    site = Candidate("The Post", (0,), ("json-ld",), facts={"p": 0.8, "is_organisation": 1.0})
    changed = Candidate("2026-03-14", sources=("json-ld",), facts={"is_only_modified": 1.0})
    assert probabilities("authors", [site], NO_TREES) == pytest.approx([0.4])
    assert probabilities("date", [changed], NO_TREES) == pytest.approx([0])


@pytest.mark.parametrize("field", COLUMNS)
def test_no_candidate_is_no_choice(field, make_page, see):
    assert probabilities(field, [], ArticleTrees({field: Fixed(())})).shape == (0,)
    empty = see(make_page(""))
    assert choose_authors(empty, NO_TREES, {}) == []
    if field != "authors":
        assert choose(field, empty, NO_TREES, {}) is None


def test_the_likeliest_is_chosen_and_of_equals_the_first(make_page, see):
    evidence = see(make_page("<h1>One</h1><h1>Two</h1>"), ["Title", "Title"], [0.5, 0.5])
    assert choose("title", evidence, NO_TREES, {}).candidate.value == "One"
    choice = choose("title", evidence, ArticleTrees({"title": Fixed((0.2, 0.7))}), {})
    assert (choice.candidate.value, choice.confidence) == ("Two", 0.7)


def test_further_trees_say_how_sure_a_choice_is(make_page, see):
    evidence = see(make_page("<h1>One</h1><h1>Two</h1>"), ["Title", "Title"], [0.5, 0.5])
    sure = Fixed((0.9,), choice_columns("title"))
    trees = ArticleTrees({"title": Fixed((0.2, 0.7))}, {"title": sure})
    choice = choose("title", evidence, trees, PAGE)
    assert (choice.candidate.value, choice.confidence) == ("Two", 0.9)
    row = dict(zip(sure.names, sure.asked[0], strict=True))
    facts = {
        "p_first": 0.7,
        "p_second": 0.2,
        "p_third": 0,
        "p_gap": 0.5,
        "p_sum": 0.9,
        "entropy": 0.5297,
        "n_candidates": 2,
        "n_stating": 0,
        "second_p": 0.5,
        "second_shown": 1,
        "second_stated": 0,
        "likeness": 100 / 3,
    }  # of 2/9 and 7/9; "one" and "two" share the letter o alone
    assert {name: row[name] for name in CHOICE_COLUMNS} == pytest.approx(facts, abs=1e-4)
    assert row["rank"] == 1


def test_a_choice_without_rivals_has_a_second_of_nought_and_knows_nothing_else_of_it():
    facts = choice_facts("date", [Candidate("2026-03-14")], np.array([0.4]), 0, PAGE)
    assert facts["share_p"] == facts["longest"] == 7
    assert (facts["p_second"], facts["p_gap"], facts["n_candidates"]) == (0, 0.4, 1)
    assert not facts.keys() & {"likeness", "second_p", "second_shown", "second_stated"}


def test_two_days_are_as_unlike_as_days_lie_between_them():
    days = [Candidate("2026-03-14"), Candidate("2026-02-14T10:30:00"), Candidate("2026-03-13")]
    for p, apart in (((0.4, 0.3, 0.1), 28), ((0.4, 0.1, 0.3), 1)):
        assert choice_facts("date", days, np.array(p), 0, PAGE)["likeness"] == apart


def test_columns_of_a_choice_are_named_once():
    for field in COLUMNS:
        assert len(set(choice_columns(field))) == len(choice_columns(field))


def test_one_author_may_be_less_likely_than_further_ones():
    names = [Candidate(name) for name in ("Ann Lee", "Tom Rost", "Mira Okafor")]
    between = (AUTHOR_LEAST + ONLY_AUTHOR_LEAST) / 2
    assert pick_names(names, np.array([between, between - 0.01, 0])) == [0]
    assert pick_names(names, np.array([between, 0.9, AUTHOR_LEAST])) == [1, 2]
    assert pick_names(names, np.array([0.1, ONLY_AUTHOR_LEAST - 0.01, 0.0])) == []
    assert pick_names([], np.zeros(0)) == []


def test_of_a_name_and_its_part_the_likelier_is_taken():
    names = [Candidate(name) for name in ("Ann Lee", "ann maria lee", "Ann Rost")]
    assert pick_names(names, np.array([0.8, 0.9, 0.7])) == [1, 2]
    assert pick_names(names, np.array([0.9, 0.8, 0.7])) == [0, 2]


def test_a_name_beside_a_given_one_is_taken_if_metadata_state_both():
    ann = Candidate("Ann Lee", (4,), ("json-ld", "meta"))
    tom = Candidate("Tom Rost", (6,), ("json-ld",))
    p = np.array([0.8, 0.3])
    assert pick_names([ann, tom], p) == [0, 1]
    assert pick_names([ann, replace(tom, sources=("time",))], p) == [0]
    assert pick_names([ann, replace(tom, regions=(60,))], p) == [0]
    assert pick_names([ann, replace(tom, regions=())], p) == [0]
    assert pick_names([ann, tom], np.array([0.8, 0.1])) == [0]


def test_authors_stand_in_the_order_of_the_page_then_of_the_metadata(make_page, see):
    html = "<meta name=author content='Zoe Stone'><html lang=en><p>By Ann Lee</p><p>By Tom Rost</p>"
    evidence = see(make_page(html), ["Author", "Author"], [0.6, 0.9])
    choices = choose_authors(evidence, NO_TREES, {})
    assert [choice.candidate.value for choice in choices] == ["Ann Lee", "Tom Rost", "Zoe Stone"]


def test_trees_of_the_choice_judge_every_author_beside_its_rivals(make_page, see):
    html = "<html lang=en><p>By Ann Lee</p><p>By Tom Rost</p>"
    evidence = see(make_page(html), ["Author", "Author"], [0.6, 0.9])
    beside = Fixed((0.1, 0.95), choice_columns("authors"))
    trees = ArticleTrees({"authors": Fixed((0.7, 0.4))}, {"authors": beside})
    choices = choose_authors(evidence, trees, PAGE)
    assert [(choice.candidate.value, choice.confidence) for choice in choices] == [
        ("Ann Lee", 0.95)
    ]
    rows = [dict(zip(beside.names, row, strict=True)) for row in beside.asked]
    assert [(row["p_first"], row["p_second"]) for row in rows] == [(0.7, 0.4), (0.4, 0.7)]


def test_names_of_one_line_are_authors_together():
    ann = Candidate("Ann Lee", (4,), raw="By Ann Lee and Tom Rost")
    tom = Candidate("Tom Rost", (40,), raw="By Ann Lee and Tom Rost")
    p = np.array([0.8, 0.3])
    assert pick_names([ann, tom], p) == [0, 1]
    assert pick_names([ann, replace(tom, raw="Photo: Tom Rost")], p) == [0]
    assert pick_names([replace(ann, raw=""), replace(tom, raw="")], p) == [0]
    assert pick_names([ann, tom], np.array([0.8, 0.1])) == [0]


@dataclass(eq=False)
class Learnt:
    """Trees that split by one column."""

    names: tuple[str, ...]
    columns: np.ndarray


@pytest.mark.parametrize(
    ("field", "html", "label", "column", "values"),
    [
        ("authors", "<p>Ann Lee, PhD", "Author", "is_unread", {"Ann Lee, PhD"}),
        ("title", "<h1><i>Harbour</i> <b>Ferry stops</b>", "Title", "part", {"Harbour"}),
    ],
)
def test_candidates_of_a_kind_are_for_trees_that_have_learnt_it(
    field, html, label, column, values, make_page, see
):
    page = make_page(html)
    evidence = see(page, [label] * len(page), [0.4, 0.9][-len(page) :])
    names = COLUMNS[field]
    new, old = (
        Learnt(names, np.array([names.index(name)], dtype=np.int32)) for name in (column, "p")
    )
    known = {
        candidate.value for candidate in candidates_of(field, evidence, ArticleTrees({field: new}))
    }
    assert values <= known
    for trees in (ArticleTrees({field: old}), NO_TREES):
        assert {
            candidate.value for candidate in candidates_of(field, evidence, trees)
        } == known - values


def test_without_trees_a_block_is_as_likely_body_as_its_regions(make_page, see):
    page = make_page("<p>One.</p><p>Two <b>three</b></p><p>Four</p><img src=a.png>")
    evidence = see(page, ["Paragraph", "Paragraph", "None", "None", "Paragraph"])
    body = choose_body(evidence, NO_TREES)
    assert body.p == pytest.approx([1, 3.001 / 8.002, 0, 1], abs=1e-3)
    assert body.is_body.tolist() == [True, False, False, False, False]
    assert body.confidence[:4] == pytest.approx([1, 0.625, 0.625, 1], abs=1e-3)


def test_the_whole_block_is_taken_by_trees_but_no_region_without_text(make_page, see):
    page = make_page("<p>One.</p><p>Two <b>three</b><img src=a.png></p>")
    body = choose_body(see(page), ArticleTrees(body=Fixed((0.1, 0.9))))
    assert body.is_body.tolist() == [False, True, True, False]
    assert body.confidence.tolist() == pytest.approx([0.9, 0.9, 0.9, 0.1])


@pytest.mark.parametrize("favour", FAVOURS)
@pytest.mark.parametrize("html", ["", "<html></html>"])
def test_a_page_without_regions_has_no_body(html, favour, make_page, see):
    body = choose_body(see(make_page(html)), ArticleTrees(body=Fixed(())), favour)
    assert [len(column) for column in (body.is_body, body.confidence, body.p)] == [0, 0, 0]


@pytest.mark.parametrize("article", [0.0, 0.5, 1.0])
def test_precision_takes_no_more_and_recall_no_less_than_balance(article):
    random = np.random.default_rng(3)
    for _ in range(100):
        p, chars = random.random(8) ** 2, random.integers(0, 300, 8).astype(float)
        leasts = [least_of_body(p, chars, favour, article) for favour in FAVOURS]
        assert leasts == sorted(leasts, reverse=True)


def body_of(p, chars, make_page, see, **options):
    """Blocks of the body of a page of linked paragraphs, by probability; sure ones are together."""
    blocks = [f"<p><a href=/>{'word ' * (n // 5)}{i}</a></p>" for i, n in enumerate(chars)]
    sure = [i for i, own in enumerate(p) if own >= 0.85] or [0]
    parts = blocks[: sure[0]], blocks[sure[0] : sure[-1] + 1], blocks[sure[-1] + 1 :]
    page = make_page("".join(f"<article>{''.join(part)}</article>" for part in parts))
    evidence = see(page, ["Paragraph"] * len(page), p)
    chosen = choose_body(evidence, ArticleTrees(body=Fixed(p)), **options)
    return chosen.is_body.tolist()


TEASERS = (0.95, 0.9, *[0.55] * 8)


def test_doubtful_blocks_are_left_out_where_sure_ones_stand_apart(make_page, see):
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
def test_doubtful_blocks_stay_where_nothing_stands_apart(p, chars, make_page, see):
    assert all(body_of(p, [chars] * len(p), make_page, see, types={"article": 0.0}))


def test_doubtful_blocks_between_sure_ones_stay(make_page, see):
    p = (0.5, 0.95, 0.55, 0.9, 0.5, 0.5)
    assert body_of(p, [200] * 6, make_page, see, types={"article": 0.0}) == [
        False, True, True, True, False, False,
    ]  # fmt: skip


def test_the_least_probability_lies_between_that_of_articles_and_of_other_pages():
    sure, chars = np.array([0.0, 1.0]), np.array([50.0, 100.0])
    for favour, (other, own) in BODY_LEAST.items():
        assert least_of_body(sure, chars, favour, 1.0) == pytest.approx(own)
        assert least_of_body(sure, chars, favour, 0.0) == pytest.approx(other)
        assert least_of_body(sure, chars, favour, 0.5) == pytest.approx((own + other) / 2)


def test_blocks_are_taken_from_half_of_the_f1_that_the_best_choice_can_expect():
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


def test_where_no_block_is_likely_enough_the_likeliest_is_taken_unless_impossible():
    chars = np.array([10.0, 10.0])
    assert least_of_body(np.array([0.1, 0.3]), chars, "precision") <= 0.3
    nothing = least_of_body(np.array([0.0, 0.01]), chars, "precision")
    assert nothing > 0.01
    assert least_of_body(np.zeros(0), np.zeros(0), "balance") > 0


def test_of_an_article_that_stands_twice_one_copy_is_taken(make_page, see):
    line = "<p>{n} ferries were to sail, but none did before noon. {x}</p>"
    article = "".join(line.format(n=n, x="It rained. " * 40) for n in range(6))
    page = make_page(f"<div>{article}</div><p>Advice</p><div>{article}</div>")
    body = choose_body(see(page, ["Paragraph"] * len(page)), NO_TREES)
    assert body.is_body.tolist() == [True] * 7 + [False] * 6


def test_lines_that_come_again_are_taken_again(make_page, see):
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
def test_the_text_of_a_product_is_without_the_reviews_by_its_buyers(
    types, options, n_taken, make_page, see
):
    told = "<p>A ferry of oak, painted by hand in the colours of the harbour.</p>"
    said = "<div class=Customer-Reviews><p>It sank at once, and the paint came off first.</p></div>"
    page = make_page(f"<body class=has-reviews>{told}{said}")
    evidence = see(page, ["Paragraph"] * len(page))
    body = choose_body(evidence, NO_TREES, types=types, **options)
    assert body.is_body.tolist() == [True] * n_taken + [False] * (2 - n_taken)


@pytest.mark.parametrize(("favour", "n_taken"), [("balance", 1), ("recall", 2)])
def test_the_body_is_without_captions_that_trees_take_for_text(favour, n_taken, make_page, see):
    told = "<p>No ferry sailed before noon, and the harbour stayed quiet.</p>"
    page = make_page(f"{told}<figure><figcaption>The quay at night</figcaption></figure>")
    trees = ArticleTrees(body=Fixed((0.9, 0.8)))
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
def test_the_body_is_without_the_comments_of_readers_unless_the_page_may_be_a_thread(
    types, options, n_taken, make_page, see
):
    told = "<p>No ferry sailed before noon, and the harbour stayed quiet.</p>"
    said = "<div id=comments><p>I waited there for the whole of the morning.</p></div>"
    evidence = see(make_page(told + said), ["Paragraph", "Paragraph"])
    body = choose_body(evidence, NO_TREES, types=types, **options)
    assert body.is_body.sum() == n_taken


@pytest.mark.parametrize(("title", "is_left_out"), [("h1", True), ("p", False)])
def test_comments_below_the_title_are_left_out_even_of_a_doubtful_body(
    title, is_left_out, make_page, see
):
    told = "<p>No ferry sailed before noon, and the harbour stayed quiet.</p>"
    said = "<div id=comments><p>I waited there for the whole of the morning.</p></div>"
    page = make_page(f"<{title}>No ferry</{title}>{told}{said}")
    evidence = see(page, ["Title" if title == "h1" else "None", "Paragraph", "Paragraph"])
    trees = ArticleTrees(body=Fixed((0.1, 0.3, 0.9)))
    body = choose_body(evidence, trees, types={"article": 1.0})
    assert body.is_body.tolist() == [False, is_left_out, not is_left_out]


def test_comments_stay_where_nothing_else_is_likely(make_page, see):
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
def test_content_that_json_ld_states_is_taken_where_the_page_shows_most_of_it(
    p, shown, is_taken, make_page, see
):
    stated = {name: f"500 g of {name} of the best kind, sifted twice" for name in ("flour", "salt")}
    recipe = json.dumps({"@type": "Recipe", "recipeIngredient": [*stated.values()]})
    lines = "".join(f"<li>{stated[name]}</li>" for name in shown)
    page = make_page(f"<script type=application/ld+json>{recipe}</script><p>Bread.</p>{lines}")
    body = choose_body(see(page), ArticleTrees(body=Fixed((0.9, *[p] * len(shown)))))
    assert body.is_body.tolist() == [True] + [is_taken] * len(shown)
    assert body.p.max() == 0.9


def test_reviews_stay_where_a_page_has_little_else(make_page, see):
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
def test_a_line_that_comes_again_is_left_out_only_where_nothing_is_an_article(
    types, taken, make_page, see
):
    line = "<p>Both ferries are painted by hand, in the colours of the harbour.</p>"
    page = make_page(f"{line}<p>Blue</p>{line}<p>Red</p><p>Blue</p>")
    chosen = choose_body(see(page, ["Paragraph"] * len(page)), NO_TREES, types=types)
    assert chosen.is_body.tolist() == taken
    assert chosen.is_likely.all()


def changed(trees, name, names):
    """Return the trees with other columns of one stored ensemble."""
    stored = trees.stored()
    return ArticleTrees.of_stored({**stored, name: replace(stored[name], names=names)})


def test_trees_that_ask_for_a_column_that_is_not_read_are_an_error(trees):
    ArticleReader(trees)
    ArticleReader(ArticleTrees({"a user's own": Fixed(())}))
    subjects = {
        "title": "title",
        "authors": "authors",
        "date-sure": "choice of date",
        "body": "body",
        "role-None": "role None",
        "type-listing": "page type listing",
        "quality": "quality",
    }
    for name, subject in subjects.items():
        names = (*trees.stored()[name].names[1:], "lucky-number")
        with pytest.raises(ModelError, match=f"{subject} .*'lucky-number'"):
            ArticleReader(changed(trees, name, names))


def test_trees_read_the_columns_that_they_were_fitted_to_in_their_order(trees, see, make_page):
    evidence = see(make_page("<h1>One</h1><p>Two"), ["Title", "Paragraph"], [0.5, 0.9])
    own = trees.candidates["title"]
    columns = (len(own.names) - 1 - own.columns).astype(own.columns.dtype)
    older = ArticleTrees({"title": replace(own, names=own.names[::-1], columns=columns)})
    candidates = candidates_of("title", evidence, trees)
    p = probabilities("title", candidates, trees)
    assert probabilities("title", candidates, older).tolist() == p.tolist()
