"""Frames and shadow trees: walked, limited, or regions themselves; what slots show."""

from html import escape

import pytest

from structce.errors import RenderError
from structce.page import Page
from structce.rendering.document import Document
from structce.rendering.html_rules import MAX_FRAMES
from structce.rendering.static import StaticRenderer

BODY = "/html[1]/body[1]"


def shown(page: Page) -> list[tuple[str, str]]:
    """Addresses below body, and text or, of media, the tag."""
    pairs = zip(page.xpath, page.text, page.tag, strict=True)
    return [(xpath.removeprefix(BODY + "/"), text or tag) for xpath, text, tag in pairs]


def test_a_frame_with_a_document_of_its_own_is_walked(make_page):
    page = make_page(
        "<iframe srcdoc='<title>t</title><p>a<!-- c --> &amp;amp; b</p><img src=x>'>old</iframe>"
        "<p>c</p>"
    )
    assert shown(page) == [
        (f"iframe[1]{BODY}/p[1]/text()[1]", "a"),
        (f"iframe[1]{BODY}/p[1]/text()[2]", "& b"),
        (f"iframe[1]{BODY}/img[1]", "img"),
        ("p[1]/text()[1]", "c"),
    ]
    elements = page.elements
    html = elements.tag.index("html", 1)
    assert elements.tag[elements.parent[html]] == "iframe"
    assert (elements.position[html], elements.n_siblings[html]) == (0, 1)
    assert elements.styles["font-weight"].tolist() == [400] * len(elements)


@pytest.mark.parametrize(
    "frame",
    [
        "<iframe></iframe>",
        "<iframe src=a.html></iframe>",
        "<iframe srcdoc=' '></iframe>",
        "<iframe srcdoc='<!-- a -->'></iframe>",
        "<iframe srcdoc='<p hidden>a</p>'></iframe>",
        "<iframe srcdoc='<p>a</p>' sandbox></iframe>",
        "<iframe srcdoc='<p>a</p>' sandbox='allow-scripts'></iframe>",
    ],
)
def test_a_frame_that_shows_nothing_to_us_is_a_region_itself(make_page, frame):
    assert shown(make_page(frame)) == [("iframe[1]", "iframe")]


def test_a_sandbox_that_keeps_the_origin_is_looked_into(make_page):
    page = make_page("<iframe srcdoc='<p>a</p>' sandbox='allow-forms Allow-Same-Origin'></iframe>")
    assert list(page.text) == ["a"]


def framed(html: str) -> str:
    return f"<iframe srcdoc='{escape(html)}'></iframe>"


def test_frames_in_frames_are_followed_to_a_limit(make_page):
    html = "deep"
    for _ in range(MAX_FRAMES):
        html = framed(html)
    assert list(make_page(html).text) == ["deep"]
    html = framed(html)
    assert shown(make_page(html)) == [
        ("/".join(["iframe[1]"] + ["html[1]/body[1]/iframe[1]"] * MAX_FRAMES), "iframe")
    ]


def test_an_invisible_frame_shows_nothing_whatever_it_holds(make_page):
    inner = "<p style=visibility:visible>a</p>"
    assert len(make_page(f"<iframe style=visibility:hidden srcdoc='{inner}'></iframe>")) == 0


def test_a_frame_nested_too_deeply_is_an_error_that_names_the_page():
    document = Document(f"<iframe srcdoc='{'<div>' * 20_001}a'></iframe>", name="deep-frame")
    with pytest.raises(RenderError, match="deep-frame"):
        StaticRenderer().render(document)


def test_a_shadow_tree_shows_in_place_of_its_hosts_children(make_page):
    page = make_page(
        "<a-card><template shadowrootmode=OPEN>x<h2><slot name=top>none</slot></h2><p>y</p><slot>"
        "</slot></template>one <b slot=top>two</b><i slot=lost>gone</i><!-- c --><em>three</em>"
        "</a-card><p>after</p>"
    )
    assert shown(page) == [
        ("a-card[1]/template[1]/text()[1]", "x"),
        ("a-card[1]/b[1]/text()[1]", "two"),
        ("a-card[1]/template[1]/p[1]/text()[1]", "y"),
        ("a-card[1]/text()[1]", "one"),
        ("a-card[1]/em[1]/text()[1]", "three"),
        ("p[1]/text()[1]", "after"),
    ]
    elements = page.elements
    rows = {tag: i for i, tag in enumerate(elements.tag)}
    assert elements.parent[rows["b"]] == elements.parent[rows["em"]] == rows["a-card"]
    assert page.element[0] == rows["a-card"]
    assert elements.position[[rows["b"], rows["em"]]].tolist() == [0, 2]
    assert elements.n_siblings[[rows["b"], rows["em"]]].tolist() == [3, 3]
    assert page.comments == ()


@pytest.mark.parametrize(
    ("html", "texts"),
    [
        ("<div><template shadowrootmode=closed>a</template>b</div>", ["a"]),
        ("<div><template shadowrootmode=none>a</template>b</div>", ["b"]),
        ("<a><template shadowrootmode=open>a</template>b</a>", ["b"]),
        ("<font-face><template shadowrootmode=open>a</template>b</font-face>", ["b"]),
        ("<x-y><template shadowrootmode=open>a</template>b</x-y>", ["a"]),
        ("<x-y><template shadowrootmode=open><slot>a</slot></template></x-y>", ["a"]),
        ("<x-y><template shadowrootmode=open><slot>a</slot></template> </x-y>", []),
        ("<x-y><template shadowrootmode=open><slot>a</slot></template>b</x-y>", ["b"]),
        (
            "<x-y><template shadowrootmode=open>a</template>"
            "<template shadowrootmode=open>b</template>c</x-y>",
            ["a"],
        ),
        ("<template><x-y><template shadowrootmode=open>a</template></x-y></template>b", ["b"]),
        ("<slot>a</slot>", ["a"]),
    ],
)
def test_only_a_declared_shadow_tree_hides_its_hosts_children(make_page, html, texts):
    assert list(make_page(html).text) == texts


def test_texts_around_a_declared_template_are_one(make_page):
    page = make_page("<p>a <template shadowrootmode=open><slot></slot></template>b<i>c</i>d</p>")
    assert shown(page) == [
        ("p[1]/text()[1]", "a b"),
        ("p[1]/i[1]/text()[1]", "c"),
        ("p[1]/text()[2]", "d"),
    ]


def test_the_first_slot_of_a_name_shows_the_children_as_it_looks_itself(make_page):
    card = "<x-y><template shadowrootmode=open>{}</template><b>a</b></x-y>"
    twice = make_page(card.format("<slot>x</slot><p><slot>y</slot></p>"))
    assert list(twice.text) == ["a", "y"]
    assert list(make_page(card.format("<div hidden><slot></slot></div><slot>y</slot>")).text) == [
        "y"
    ]
    faint = make_page(card.format("<div style='visibility:hidden'><slot></slot></div>"))
    assert len(faint) == 0


def test_a_slot_may_hand_its_children_on_to_an_inner_host(make_page):
    page = make_page(
        "<x-out><template shadowrootmode=open><x-in><template shadowrootmode=open>[<slot></slot>]"
        "</template><slot></slot></x-in></template><p>a</p></x-out>"
    )
    inner = "x-out[1]/template[1]/x-in[1]/template[1]/text()"
    assert shown(page) == [
        (f"{inner}[1]", "["),
        ("x-out[1]/p[1]/text()[1]", "a"),
        (f"{inner}[2]", "]"),
    ]
