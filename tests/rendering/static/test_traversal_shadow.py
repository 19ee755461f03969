"""Shadow trees that HTML declares, and what their slots show."""

import pytest

from structce.page import Page

BODY = "/html[1]/body[1]"


def shown(page: Page) -> list[tuple[str, str]]:
    """Addresses below body, and text or, of media, the tag."""
    pairs = zip(page.xpath, page.text, page.tag, strict=True)
    return [(xpath.removeprefix(BODY + "/"), text or tag) for xpath, text, tag in pairs]


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
