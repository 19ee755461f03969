import pytest

from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.web2text_features import CollapsedDom

#   body+div (root) ─┬─ ul ─┬─ li+a "Home"
#                    │      └─ li+a "About us"
#                    ├─ h1 "The ferry"
#                    └─ p ─┬─ "Text"
#                          ├─ b "bold"
#                          └─ "end."
PAGE = """<html><head><title>No leaf</title></head><body class=page><div class=main>
<ul class=menu><li><a href=/>Home</a></li><li><a href=/a>About
us</a></li></ul><h1>The ferry</h1><p>Text <b>bold</b> end.</p></div></body></html>"""


def dom_of(html):
    return CollapsedDom.of(ParsedDocument(html))


@pytest.fixture(scope="module")
def dom():
    return dom_of(PAGE)


def test_leaves_are_the_texts_between_tags(dom):
    assert dom.texts == ["Home", "About us", "The ferry", "Text", "bold", "end."]


def test_inner_nodes_have_two_children_or_more(dom):
    assert len(dom) == dom.n_leaves + 3
    root, menu, paragraph = range(dom.n_leaves, len(dom))
    assert dom.root == root
    assert dom.parent.tolist() == [menu, menu, root, *[paragraph] * 3, -1, root, root]
    assert dom.first_leaf[[root, menu, paragraph]].tolist() == [0, 0, 3]
    assert dom.end_leaf[[root, menu, paragraph]].tolist() == [6, 2, 6]


def test_a_node_has_the_tags_of_all_its_elements(dom):
    names = ("html", "body", "div", "ul", "li", "a", "h1", "p", "b", "title")
    flags = dom.has_tag(names)
    tags = [{name for name, own in zip(names, row, strict=True) if own} for row in flags]
    menu = [{"li", "a"}, {"li", "a"}]
    assert tags == [*menu, {"h1"}, set(), {"b"}, set(), {"html", "body", "div"}, {"ul"}, {"p"}]


def test_distances_count_the_steps_by_the_common_ancestor(dom):
    root, menu, paragraph = range(dom.n_leaves, len(dom))
    assert dom.common_ancestor.tolist() == [menu, root, root, paragraph, paragraph]
    assert dom.distance.tolist() == [2, 3, 3, 2, 2]


def test_lines_end_at_borders_of_blocks_and_at_forced_breaks(dom):
    assert dom.is_break.tolist() == [True, True, True, False, False]
    assert dom_of("<p>a<br>b <i>c</i>").is_break.tolist() == [True, False]


def test_equal_names_and_classes_make_one_class_path():
    html = "<ul><li class='a b'>1<li class='b a'>2<li class=a>3</ul><ul><li class='a b'>4</ul>5"
    paths = dom_of(html).class_path
    assert paths[0] == paths[1] == paths[3]
    assert len({paths[0], paths[2], paths[4]}) == 3


def test_a_text_without_elements_is_a_leaf_and_the_root():
    dom = dom_of("Only a text")
    assert (dom.n_leaves, len(dom), dom.root) == (1, 1, 0)
    assert dom.parent.tolist() == [-1]
    assert dom_of("<div><p>a</p></div>").parent.tolist() == [-1]


def test_a_page_without_texts_has_no_nodes():
    dom = dom_of("<div><img src=a></div><script>no text</script>")
    assert len(dom) == dom.n_leaves == 0
    assert dom.texts == []
    assert dom.distance.tolist() == []
