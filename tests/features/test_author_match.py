"""Stated authors, found in the text where and as it names them."""

from collections.abc import Callable

import numpy as np
import pytest

from structce.features.registry import REGISTRY
from structce.page import Page

Make = Callable[..., Page]


def page_of(make_page: Make, texts: list[str], head: str = "", lang: str = "en") -> Page:
    body = "".join(f"<p>{text}</p>" for text in texts)
    return make_page(f"<html lang='{lang}'><head>{head}</head><body>{body}</body></html>")


HEAD = '<meta name="author" content="{}">'


def numbers(name: str, page: Page) -> list[float]:
    return list(np.asarray(REGISTRY[name].values(page), dtype=float))


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Jon King", "exact"),
        ("JON KING", "exact"),
        ("By Jon King", "by"),
        ("KING Jon", "reversed"),
        ("J. King", "initials"),
        ("King", "part"),
        ("Jon", "part"),
        ("Jon King, Harbour editor", "inside"),
        ("jon.king@post.example", "email"),
        ("Write to jking@post.example", "email"),
        ("editor@post.example", None),
        ("Kings Road", None),
        ("", None),
    ],
)
def test_an_author_is_named_in_many_forms(make_page: Make, text: str, form: str | None) -> None:
    page = page_of(make_page, [text or "…"], HEAD.format("Jon King"))
    assert REGISTRY["task.author-form"].values(page) == [form]


def test_an_address_stated_as_author_is_that_of_a_name(make_page: Make) -> None:
    page = page_of(
        make_page, ["Dieter Kuckel", "Anna Kuckel"], HEAD.format("d.kuckel@post.example")
    )
    assert REGISTRY["task.author-form"].values(page) == ["email", None]


def test_several_authors_are_read_apart(make_page: Make) -> None:
    page = page_of(make_page, ["Ann Lee", "Tom Rost"], HEAD.format("Ann Lee and Tom Rost"))
    assert REGISTRY["task.author-form"].values(page) == ["exact", "exact"]


def test_the_share_of_a_name_is_that_of_letters(make_page: Make) -> None:
    page = page_of(make_page, ["Ann Lee", "Ann Lee, Berlin", "Berlin"], HEAD.format("Ann Lee"))
    assert numbers("task.author-match", page) == pytest.approx([1, 0.5, 0])
