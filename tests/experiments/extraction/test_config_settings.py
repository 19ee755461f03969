"""Settings of methods that must see pages first: names, classes, folds, and their TOML."""

import re

import pytest

from structce.datasets import GoldPage
from structce.errors import ExperimentError
from structce.experiments.config_toml import to_toml
from structce.experiments.extraction.config import (
    PackageSource,
    class_tasks,
    draw_folds,
    fold_tasks,
    list_settings,
    order_pages,
)
from structce.experiments.extraction.packages import read_packages
from structce.extraction import Method
from structce.gold import Gold

LEARNING = """
question = "Which?"
[learning]
class_pages = [2, 4]
[folds]
n = 3
by = ["random", "site"]
[package.alpha]
reader = "gottron"
by = "site"
[method.bte]
[method.repetition]
[method.vocabulary]
"""


def page_of(number: int, n_sites: int = 4, family: str = "") -> GoldPage:
    site = f"site{number % n_sites}.example"
    return GoldPage(f"page-{number}", site, family or site, "", b"<p>a", Gold())


PAGES = tuple(page_of(number) for number in range(18))


def names(pages) -> list[str]:
    return [page.id for page in pages]


def test_each_way_of_learning_is_a_setting_of_its_own(read, learnt):
    experiment = read(LEARNING)
    assert [setting.name for setting in experiment.settings] == [
        "bte",
        "repetition, 2 pages",
        "repetition, 4 pages",
        "vocabulary, random folds",
        "vocabulary, folds by site",
    ]
    assert [setting.is_learnt for setting in experiment.settings] == [False, True, True, True, True]
    assert (experiment.n_folds, experiment.compares_classes, experiment.has_folds) == (
        3,
        True,
        True,
    )


def test_of_a_single_way_of_learning_the_method_keeps_its_name(learnt):
    methods = [Method(name, name) for name in ("repetition", "vocabulary")]
    assert [setting.name for setting in list_settings(methods, (5,), ("site",))] == [
        "repetition",
        "vocabulary",
    ]


def test_the_reference_is_a_setting_or_the_last_one_of_a_method(read, learnt):
    def reference(value: str) -> str:
        return read(f'reference = "{value}"\n{LEARNING}').reference_setting

    assert reference("repetition") == "repetition, 4 pages"
    assert reference("repetition, 2 pages") == "repetition, 2 pages"
    assert reference("vocabulary") == "vocabulary, folds by site"
    assert read(LEARNING).reference_setting == "bte"
    with pytest.raises(ExperimentError, match=r"reference: unknown 'repetition, 3 pages'"):
        reference("repetition, 3 pages")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[2, 4]", "[1, 4]", "learning.class_pages: 1; expected 2 or more"),
        ("[2, 4]", "[4, 2]", "learning.class_pages: [4, 2]; expected numbers that grow"),
        ("[2, 4]", "[]", "learning.class_pages: expected a number"),
        ("class_pages", "class_page", "class_page: unknown key; did you mean 'class_pages'?"),
        ("n = 3", "n = 1", "folds.n: 1; expected 2 or more"),
        ('"random", "site"', '"sites"', "folds.by: unknown 'sites'; did you mean 'site'?"),
        ('"random", "site"', "", "folds.by: expected random, site, or both"),
        ('by = "site"', "", "package.alpha.by: a method compares pages of a class"),
        ("[method.repetition]", "", "learning: no method of the file compares pages of a class"),
        ("[method.vocabulary]", "", "folds: no method of the file learns from main contents"),
        ("[method.bte]", "[method.repetitio]", "unknown 'repetitio'; did you mean 'repetition'?"),
        ("[method.repetition]", "[method.repetition]\nbit = 2", "repetition.bit: unknown key"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_its_key(read, learnt, old, new, message):
    with pytest.raises(ExperimentError, match=re.escape(message)):
        read(LEARNING.replace(old, new))


def test_an_experiment_that_learns_is_written_as_the_file_it_is_read_from(read, learnt):
    experiment = read('measures = ["block", "set"]\nreference = "vocabulary"\n' + LEARNING)
    assert read(to_toml(experiment)) == experiment


def test_more_pages_of_a_class_hold_all_of_fewer_and_all_pages_are_measured(read, learnt):
    settings = read(LEARNING).settings[1:3]
    classes = [PAGES[:3], PAGES[3:]]
    small, large = (
        list(class_tasks(setting, "alpha", classes, seed=3, measures=("bag",)))
        for setting in settings
    )
    assert [len(task.learnt) for task in (*small, *large)] == [2, 2, 3, 4]
    assert all(
        set(names(a.learnt)) < set(names(b.learnt)) for a, b in zip(small, large, strict=True)
    )
    assert [names(task.measured) for task in large] == [names(pages) for pages in classes]
    assert (large[0].package, large[0].system) == ("alpha", "repetition, 4 pages")
    drawn = names(order_pages(PAGES, 3))
    assert drawn != names(order_pages(PAGES, 4))
    assert sorted(drawn) == sorted(names(PAGES))


def test_no_page_is_learnt_from_where_it_is_measured(read, learnt):
    setting = read(LEARNING).settings[-1]
    folds = draw_folds(PAGES, 3, "random", seed=1)
    tasks = list(fold_tasks(setting, "alpha", folds, measures=("bag",)))
    measured = [name for task in tasks for name in names(task.measured)]
    assert sorted(measured) == sorted(names(PAGES))
    for task in tasks:
        assert sorted(names(task.learnt) + names(task.measured)) == sorted(names(PAGES))


def test_folds_by_page_are_equal_in_size_and_drawn_by_the_seed():
    folds = draw_folds(PAGES, 5, "random", seed=1)
    assert sorted(map(len, folds)) == [3, 3, 4, 4, 4]
    assert folds == draw_folds(PAGES, 5, "random", seed=1)
    assert folds != draw_folds(PAGES, 5, "random", seed=2)


def test_folds_by_site_keep_sites_and_their_families_whole():
    pages = [*PAGES, *(page_of(100 + n, family="site1.example") for n in range(3))]
    folds = draw_folds(pages, 3, "site", seed=1)
    places = [{page.family for page in fold} for fold in folds]
    assert sum(map(len, places)) == 4
    assert sorted(map(len, folds)) == [5, 7, 8] or max(map(len, folds)) <= 9
    assert len(draw_folds(PAGES, 9, "site", seed=1)) == 4


def test_pages_without_a_class_are_lost_to_all_methods(read, learnt, data):
    (data / "alpha" / "page-0.meta").write_text("url: https://alone.example/0\n")
    text = f'data = "{data}"\n' + LEARNING.replace('"gottron"', '"gottron"\npath = "alpha"')
    (alpha,) = read_packages(read(text))
    assert alpha.lost.keys() == {"page-0", "page-2"}
    assert alpha.lost["page-0"] == "alone.example has 1 of the 2 pages of a class"
    assert {name: len(pages) for name, pages in alpha.classes.items()} == {"alpha site1.example": 2}
    for number in (1, 3):
        (data / "alpha" / f"page-{number}.meta").write_text(f"url: https://a{number}.example/\n")
    with pytest.raises(ExperimentError, match=r"package.alpha: contains no class of pages"):
        read_packages(read(text))


def test_without_such_a_method_small_parts_stay(read, learnt, data):
    (data / "alpha" / "page-0.meta").write_text("url: https://alone.example/0\n")
    source = PackageSource("alpha", "gottron", "alpha", by=("site",), min_pages=2)
    experiment = read('question = "?"\n[package.a]\nreader = "gottron"\n[method.bte]\n')
    (alpha,) = read_packages(type(experiment)("?", (source,), experiment.methods, data=str(data)))
    assert len(alpha.pages) == 4
    assert set(alpha.parts.values()) == {"alpha site1.example"}
