"""Trees of articles: what pages teach, what too little teaches, and what the trees then do."""

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from structce.article import fitting, read_article
from structce.article.block_columns import BLOCK_COLUMNS
from structce.article.choice import FIELDS, choice_columns, choose
from structce.article.fitting import fit_trees, make_example
from structce.article.page_type import PAGE_COLUMNS, page_features
from structce.article.quality import QUALITY_COLUMNS
from structce.article.roles import ROLE_COLUMNS
from structce.gold import Gold
from structce.labelling import ArticleTrees
from structce.labels import NEWS, UNKNOWN

HTML = (
    "<meta property=og:title content='Another'><html lang=en><h1>Ferry stops</h1><p>By Ann Lee</p>"
    "<p>14 March 2026</p><p>It will not sail before noon on <b>Monday</b> or later.</p><p>Seen</p>"
)
LABELS = ("Title", "Author", "Date", "Paragraph", "Paragraph", "Paragraph", "None")
BODY = (("Paragraph", "It will not sail before noon on Monday or later."),)


@pytest.fixture(scope="module")
def evidence(make_page, see):
    return see(make_page(HTML), LABELS, [0.9] * 7)


def test_each_candidate_is_right_or_wrong_as_the_gold_has_it(evidence):
    gold = Gold(title="Ferry stops!", authors=("Ann LEE", "Tom Rost"), date=date(2026, 3, 14))
    fields = make_example(evidence, LABELS, gold, fold=3).fields
    values = {"title": {"Ferry stops": True, "Another": False}}
    values |= {"authors": {"Ann Lee": True}, "date": {"2026-03-14": True}}
    assert list(fields) == list(values)
    for field, example in fields.items():
        names = [candidate.value for candidate in example.candidates]
        assert dict(zip(names, example.is_right, strict=True)) == values[field]
        assert example.rows.shape == (len(example.candidates), len(FIELDS[field].columns))


def test_page_without_author_gives_negative_examples(evidence):
    def taught(**about):
        return make_example(evidence, LABELS, Gold(about=about), fold=0).fields.get("authors")

    assert taught(page_type="article").is_right.tolist() == [False]
    assert taught() is None
    assert taught(page_type="article", author="two names that could not be parsed") is None


def test_unlabelled_blocks_are_body_by_gold_words(evidence):
    labels = ("Title", UNKNOWN, "Date", UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN)
    example = make_example(evidence, labels, Gold(body=BODY), fold=0)
    assert example.is_body.tolist() == [0, 0, 0, 1, 0]
    assert (example.weights > 0).all()
    noon = Gold(body=(("Paragraph", "He had seen that it will not sail before noon, not by Ann."),))
    half = make_example(evidence, labels, noon, fold=0)
    assert half.weights.tolist() == pytest.approx(
        [*(np.array([11, 10, 13]) ** 0.7 / 34**0.5), 0, 0]
    )


@pytest.mark.parametrize("html", ["", "<html></html>"])
def test_an_empty_page_teaches_that_nothing_is_there(html, make_page, see):
    gold = Gold("A", ("B",), date(2026, 1, 1), BODY, about={"page_type": "article"})
    example = make_example(see(make_page(html)), (), gold, fold=0)
    assert [len(field.candidates) for field in example.fields.values()] == [0, 0, 0]
    assert len(example.blocks) == 0
    assert example.page_type == "article"
    assert not fit_trees([example, replace(example, fold=1)])


def test_too_little_gives_no_trees(examples, few_trees):
    assert not fit_trees([])
    known = {"body", *(f"role-{name}" for name in NEWS.names)}
    assert fit_trees(examples[:1]).stored().keys() <= known
    one_fold = [example for example in examples if example.fold == 0]
    assert not fit_trees(one_fold).stored().keys() & {"title", "authors", "date", "quality"}


def test_pages_of_all_kinds_give_all_trees(examples, trees):
    taught = {name for example in examples if example.roles for name in example.roles.labels}
    names = {
        **{field: columns for field, (columns, *_) in FIELDS.items()},
        **{f"{field}-sure": choice_columns(field) for field in FIELDS},
        "body": BLOCK_COLUMNS,
        "quality": QUALITY_COLUMNS,
        "type-article": PAGE_COLUMNS,
        "type-listing": PAGE_COLUMNS,
        **{f"role-{name}": ROLE_COLUMNS for name in taught},
    }
    assert {name: forest.names for name, forest in trees.stored().items()} == names


def test_one_seed_gives_one_result(examples, trees, few_trees):
    again = fitting._fit_body(examples, 1)
    for part, array in trees.body.arrays().items():
        assert np.array_equal(array, again.arrays()[part])


def test_trees_choose_right_value_of_an_unseen_page(trees, make_corpus, see):
    unseen = make_corpus(31).pages[-1]
    evidence = see(unseen.page, unseen.labels, [0.9] * len(unseen.page))
    title, day = (
        choose(field, evidence, trees, page_features(evidence)) for field in ("title", "date")
    )
    assert title.candidate.value == "Ferry to stop in June, part 30"
    assert day.candidate.value[:10] == "2026-03-03"


def check_article(page, article):
    values = [article.title, *article.authors, article.date, article.modified, article.page_type]
    for value in (value for value in values if value is not None):
        assert 0 <= value.confidence <= 1
        assert value.value
        assert (value.region is None) == (value.xpath is None)
        if value.region is not None:
            assert page.xpath[value.region] == value.xpath
    for block in (inner for top in article.blocks for inner in top.walk()):
        assert 0 <= block.confidence <= 1
        assert all(0 <= region < len(page) for region in block.regions)
    assert article.quality is None or 0 <= article.quality <= 1
    shown = "".join("".join(page.text).split())
    for line in article.text.splitlines():
        for word in line.split():
            assert word in shown


PIECES = (
    "<p>", "</p>", "<h1>", "</h1>", "<ul><li>", "</ul>", "<div class=comment>", "</div>", "<b>",
    "</b>", "<time datetime=2026-13-99>", "</time>", "<a href=/author/x>", "</a>", "<table><tr>",
    "<td>", "</table>", "By Ann Lee ", "14 March 2026 ", "Ferry stops in June. ", "東京で地震 ",
    "<img src=a.png>", "<pre>a\n b</pre>", "<blockquote>", "</blockquote>", "<br>", "x" * 300,
    "<meta name=author content='The Post'>", "<title>Ferry | Post</title>", "&nbsp;", "« Oui » ",
)  # fmt: skip


@pytest.mark.parametrize("seed", range(25))
def test_any_heap_of_pieces_is_read_with_and_without_trees(seed, labeller, make_page):
    rng = np.random.default_rng(seed)
    page = make_page("".join(rng.choice(PIECES, size=rng.integers(1, 60))))
    for reader in (labeller, replace(labeller, trees=ArticleTrees())):
        check_article(page, read_article(reader.label(page)))


def test_only_gold_of_every_kind_teaches_roles(make_page, see):
    page = make_page(HTML)
    labels = ("Title", "Author", UNKNOWN, "Paragraph", "Paragraph|Subtitle", "Subtitle", "None")
    seen = see(page, ("None",) * 7, [0.4] * 7)
    whole = Gold(body=BODY, covers=frozenset({"Paragraph", "Subtitle"}))
    roles = make_example(seen, labels, whole, fold=0).roles
    assert roles.labels == ("Title", "Author", "Paragraph", "Subtitle", "None")
    assert roles.rows.shape == (5, len(ROLE_COLUMNS))
    assert roles.weights[2] == pytest.approx(np.sqrt(1 + len(page.text[3])))
    for gold in (Gold(body=BODY), replace(whole, body=(("Text", BODY[0][1]),))):
        assert make_example(seen, labels, gold, fold=0).roles is None
    judged = Gold(body=(("Text", BODY[0][1]),), about={"judged": "choosing"})
    assert make_example(seen, labels, judged, fold=0).roles.labels == roles.labels
