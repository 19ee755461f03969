"""Pages that would grow with the square of their size are refused by their tags."""

import pytest

from structce.errors import RenderError
from structce.rendering.document import Document
from structce.rendering.static import StaticRenderer
from structce.rendering.static.parser import MAX_DEPTH, MAX_NAMES, check_tags

BOMB = "".join(f"<b id={i}><p>" for i in range(3000))


@pytest.mark.parametrize(
    ("html", "message"),
    [
        (BOMB, "bad: formatting that is never closed"),
        (BOMB.upper(), "bad: formatting that is never closed"),
        ("</b>" * 9000 + BOMB, "bad: formatting that is never closed"),
        ("".join(f"<i id={i}></b><p>" for i in range(3000)), "bad: formatting"),
        ("<div>" * (MAX_DEPTH + 1), "bad: over 20,000 nested elements"),
        ("<div></x>" * (MAX_DEPTH + 1), "bad: over 20,000 nested elements"),
        ("".join(f"<x{i}></x{i}>" for i in range(MAX_NAMES + 1)), "bad: over 20,000 names"),
    ],
)
def test_a_page_that_grows_with_its_square_is_refused_and_named(html, message):
    with pytest.raises(RenderError, match=message):
        StaticRenderer().render(Document(html, name="bad"))


@pytest.mark.parametrize(
    "html",
    [
        b"<p>x" * 60_000,
        b"<div></div>" * 60_000,
        b"".join(b"<x%d></x%d>" % (i % 5000, i % 5000) for i in range(60_000)),
        b"<ul><li><b>a</b><i>b</i></ul>" * 20_000,
        b"<br>" * 60_000,
        b"<a href=x>y" * 60_000,
    ],
)
def test_a_large_page_of_common_kind_is_not_refused(html):
    check_tags(html, "large")
