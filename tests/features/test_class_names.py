"""Class names, attributes, microdata and roles, and what they mean."""

from structce.features.class_names import meanings


def test_meanings_come_from_the_element_and_from_three_above(make_page, values):
    page = make_page(
        "<main id=comments><div class='byline x'><p><span property='headline'><i>a</i></span></p>"
        "</div></main>"
    )
    assert meanings(page) == [{"^title", "^author"}]
    assert values("dom.far-meaning", page) == [{"comment"}]


def test_attributes_are_listed_by_name(make_page, values):
    page = make_page("<a rel='author nofollow' href=/x dir=LTR>x</a><time datetime=1>y</time>")
    assert values("dom.attribute", page) == [{"rel", "href", "dir"}, {"datetime"}]


def test_microdata_is_read_here_and_near(make_page, values):
    page = make_page(
        "<div itemprop=author itemscope itemtype='https://schema.org/Person'>"
        "<span itemprop=name>Ann</span> <i property=schema:jobTitle>x</i></div><p>y</p>"
    )
    near = {"^author", "^Person"}
    assert values("dom.microdata", page)[0] == {"name"} | near
    assert values("dom.microdata", page)[-2:] == [{"jobTitle"} | near, frozenset()]


def test_roles_and_landmarks_are_the_innermost_stated_or_implied(make_page, values):
    page = make_page(
        "<header>1<nav>2</nav></header><div role='Main x'>3<aside role=presentation>4</aside>"
        "<p role=note>5</p></div><p role=' '>6</p>"
    )
    assert values("dom.role", page) == [None, None, "main", "presentation", "note", None]
    assert values("dom.landmark", page) == ["banner", "navigation", "main", "main", "main", None]
