"""The player that counts clicks and keys: what each action costs, and which one it takes."""

from __future__ import annotations

import pytest

from benchmarks.annotation import Player, Screen
from structce.corpus import LabelledPage
from structce.labels import NEWS

NONE = NEWS.background


@pytest.fixture
def make_player(make_page):
    """Return a function that makes a player of a page with one ``p`` per label."""

    def make(labels: list[str], classes: list[str] | None = None) -> Player:
        rows = zip(labels, classes or ["" for _ in labels], strict=True)
        html = "".join(f'<p class="{name}">{n}</p>' for n, (_, name) in enumerate(rows))
        page = make_page(f"<!doctype html><body>{html}</body>")
        return Player(LabelledPage("page", "site", "site", page, tuple(labels)), NONE)

    return make


def test_a_page_that_is_right_costs_enter_alone(make_player):
    assert make_player(["Title", "?"]).play(Screen(["Title", "Date"])) == 1


def test_one_region_costs_a_click_and_a_key_and_a_run_a_key_more(make_player):
    player = make_player(["Title", NONE, NONE, NONE], ["a", "b", "c", "d"])
    assert player.play(Screen([NONE] * 4)) == 1 + 2
    assert player.play(Screen(["Title", "Date", "Date", "Date"])) == 1 + 3


def test_regions_of_a_path_cost_as_much_as_a_run_wherever_they_are(make_player):
    player = make_player([NONE, "Title", NONE, NONE], ["a", "b", "a", "a"])
    assert player.play(Screen(["Date", "Title", "Date", "Date"])) == 1 + 3


@pytest.mark.parametrize(("likely", "cost"), [(["Title", "Date"], 1), (["Date", "Title"], 2)])
def test_a_likely_label_costs_a_right_click_per_rank(make_player, likely, cost):
    player = make_player(["Title"])
    assert player.play(Screen([NONE], [likely])) == 1 + cost


def test_a_label_that_is_not_likely_costs_a_click_and_a_key(make_player):
    player = make_player(["Title"])
    assert player.play(Screen([NONE], [["Date", "Author", "Caption"]])) == 1 + 2


def test_alike_ones_that_show_the_same_label_change_together_and_no_others(make_player):
    player = make_player(["Title", "Date", "Title"], ["a", "a", "a"])
    likely = [["Title"]] * 3
    assert player.play(Screen([NONE, "Date", NONE], likely)) == 1 + 1
    assert player.play(Screen([NONE, NONE, NONE], [["Title"], ["Date"], ["Title"]])) == 1 + 3
    decided = Screen([NONE, "Date", NONE], likely, frozenset([2]))
    assert player.play(decided) == 1 + 2


def test_a_middle_click_reaches_the_smallest_element_that_has_another_region_of_the_label(
    make_page,
):
    html = "<div><ul><li>1</li><li class=a>2</li></ul><p>3</p></div><p>4</p>"
    page = make_page(f"<!doctype html><body>{html}</body>")
    gold = ("Title", "Title", NONE, NONE)
    player = Player(LabelledPage("page", "site", "site", page, gold), NONE)
    assert player.play(Screen([NONE] * 4, [["Title"]] * 4)) == 1 + 1
    assert player.play(Screen([NONE, "Title", NONE, NONE], [["Title"]] * 4)) == 1 + 1
