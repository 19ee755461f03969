"""Perturbed copies of training pages: what changes, what follows, and where they are used."""

from dataclasses import replace
from datetime import date
from pathlib import Path

from structce.corpus import Corpus
from structce.datasets import GoldPage, Skipped
from structce.evaluation import PERTURBATIONS
from structce.gold import Gold, GoldMark
from structce.recipes.cross_validation import fit_views, label_unseen
from structce.recipes.ingredients import (
    GROUPS,
    SUFFIX,
    collect_copies,
    collect_corpus,
    perturbed_page,
)
from structce.recipes.recipe import Recipe
from structce.rendering.static import StaticRenderer

TEXTS = (
    "The harbour board met on Tuesday evening to decide about the store.",
    "Residents filled the hall and spoke for almost three hours in favour.",
)
HTML = (
    "<html lang=en><head><title>Store to stay</title></head><body><main class=m>"
    "<h1>Store to stay</h1><p>By Ann Lee</p>"
    f"<p>{TEXTS[0]}</p><p>{TEXTS[1]}</p> </main><footer>Post</footer></body></html>"
)


def page_of(name: str, kind: str = "Paragraph", **changes: object) -> GoldPage:
    gold = Gold("Store to stay", ("Ann Lee",), date(2026, 3, 3), tuple((kind, t) for t in TEXTS))
    url = f"https://post.example/{name}"
    return GoldPage.of_address(name, url, HTML.encode(), replace(gold, **changes))


def copies_of(**changes: object) -> list[GoldPage]:
    copies = [perturbed_page(page_of(f"p{n}", **changes)) for n in range(40)]
    return [copy for copy in copies if isinstance(copy, GoldPage)]


def test_every_perturbation_of_a_group_is_one_of_the_table() -> None:
    assert {name for names in GROUPS for name in names} <= PERTURBATIONS.keys()


def test_copy_depends_on_page_and_seed_alone() -> None:
    page = page_of("p1")
    assert perturbed_page(page) == perturbed_page(page)
    assert len({copy.data for copy in copies_of()}) > 30
    assert any(perturbed_page(page, seed=n) != perturbed_page(page) for n in range(1, 4))


def test_gold_follows_what_a_copy_gains() -> None:
    copies = copies_of()
    gained = [copy.gold for copy in copies if len(copy.gold.body) > len(TEXTS)]
    assert gained
    assert {kind for gold in gained for kind, _ in gold.body} == {"Paragraph", "Subtitle"}
    assert {kind for copy in copies_of(kind="Text") for kind, _ in copy.gold.body} == {"Text"}
    for copy in copies:
        shown = StaticRenderer().render(copy.document())
        words = " ".join(shown.text)
        hidden = b"visibility: hidden" in copy.data or b"opacity: 0" in copy.data
        assert hidden or all(line.split()[0] in words for _, line in copy.gold.body)


def test_annotated_places_and_lost_pages_have_no_copy() -> None:
    marked = perturbed_page(page_of("p1", marks=(GoldMark("text", "/html/body", "Paragraph"),)))
    lost = Skipped("p2", "empty")
    assert isinstance(marked, Skipped)
    assert perturbed_page(lost) is lost


def test_copies_train_beside_their_pages_and_measure_nothing(
    recipe: Recipe, two_data_sets: Path, tmp_path: Path
) -> None:
    corpus = collect_corpus(recipe, two_data_sets, tmp_path, StaticRenderer)
    assert collect_copies(recipe, two_data_sets, tmp_path, StaticRenderer, corpus) is None
    recipe = replace(recipe, perturbed=True)
    copies = collect_copies(recipe, two_data_sets, tmp_path, StaticRenderer, corpus)
    assert copies is not None
    families = {page.id: page.family for page in corpus}
    assert {
        copy.id.removesuffix(SUFFIX): copy.family for copy in copies
    }.items() <= families.items()
    trained: list[set[str]] = []

    def fit(views: Corpus, *arguments: object) -> object:
        trained.append({view.family for view in views if SUFFIX in view.id})
        return fit_views(views, *arguments)

    unseen = label_unseen(corpus, recipe, copies, fit=fit)
    assert sum(page.is_copy for page in unseen) == len(copies)
    assert all(page.page.family not in trained[page.fold] for page in unseen)
    assert all(trained)
