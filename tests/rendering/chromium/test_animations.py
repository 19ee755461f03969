"""Pages that move: a browser gives the same regions whenever it is asked."""

import pytest

from structce.page import pack_page
from structce.rendering.document import Document

pytestmark = pytest.mark.browser

LONG = "This is the text of the article that a reader came for, and it is long enough. " * 2
SLIDE = "@keyframes f{from{opacity:0;margin-left:9px}to{opacity:1;margin-left:300px}}"
ENDS = f"{SLIDE}p{{animation:f 1s 60s both}}"
ROWS = {
    "fades out in a minute": (
        f"<style>{SLIDE}p{{animation:f 1s 60s reverse both}}</style><p>a</p><i>b</i>", "b"),
    "shows one word after the other": (
        "<style>@keyframes f{50%{visibility:visible}}"
        "b{visibility:hidden;animation:f 2s infinite}b+b{animation-delay:-1s}</style>"
        "<b>x</b><b>y</b>z", "z"),
    "a transition from the start": (
        "<style>p{transition:all 60s 60s;@starting-style{opacity:0;margin-left:99px}}</style>"
        "<p>a</p>", "a"),
    "a transition when hidden text is shown": (
        "<style>main{visibility:hidden;opacity:.5;transition:all 60s}</style>"
        f"<main><p>{LONG}</p></main>", LONG.strip()),
    "in a shadow": (
        f"<div><template shadowrootmode=open><style>{ENDS}</style><p>a</p></template></div>", "a"),
    "in a frame": (f"<iframe srcdoc='<style>{ENDS}</style><p>a</p>'></iframe>", "a"),
    "text of a drawing": (
        "<svg width=300 height=50><text y=20>a<animate attributeName=x from=0 to=200 dur=3s "
        "repeatCount=indefinite /></text></svg>", "a"),
}  # fmt: skip


@pytest.mark.parametrize("name", ROWS)
def test_animations_have_ended_when_a_page_is_read(chromium, name):
    html, expected = ROWS[name]
    document = Document(f"<!doctype html>{html}", name=name)
    pages = [chromium.render(document) for _ in range(3)]
    assert " ".join(pages[0].text) == expected
    assert len({pack_page(page) for page in pages}) == 1
