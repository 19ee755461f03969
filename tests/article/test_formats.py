"""Formats hold every word of an article and no markup of its page, however hostile."""

import json
import random
import re
from dataclasses import replace
from pathlib import Path

from jsonschema import Draft202012Validator
from lxml import html as lxml_html
from msgspec import structs

from structce.article.article import Article
from structce.article.blocks import Block, Cell, Image, Inline, ListItem, in_one_line, plain_line
from structce.article.formats import to_html, to_markdown
from structce.article.record import article_record
from structce.article.values import FieldValue
from structce.io import encode_json

ROOT = Path(__file__).parents[2]

PIECES = (
    *"\\`*_{}[]()<>#+-.!|~&=:;\"'$%^@/?,", "word", "A", "1.", "12)", "---", "***", "&amp;", "&#60;",
    "<b>", "</p>", "<!--", "-->", "<script>alert(1)</script>", "![x](y)", "[a]: b", "]]>", "\\|",
    "http://x.example", "```", "\x00", "\x0b", "\x1b", "\x7f", "\x85", "\u2028", "\ud83d", "\ufffe",
    "日本", "é", "😀", " ", "  ", "\t", "\n", "\r", "\xa0", "\u202e", "~~", "__", "<![CDATA[",
)  # fmt: skip


def hostile(chance, longest=8):
    return "".join(chance.choices(PIECES, k=chance.randint(1, longest)))


def paragraph(text):
    return Block("paragraph", plain_line(text))


def cell(text, is_header=False, **spans):
    return Cell((paragraph(text),), is_header, **spans)


def article(*blocks, title="T"):
    return Article("https://x.example/a", FieldValue(title, 1.0, None), blocks=blocks)


def all_blocks(text):
    """One block of each kind, each with the text in every place that shows one."""
    plain, head = cell(text), cell(text, is_header=True)
    inner = Block("list", items=(ListItem((paragraph(text),)),))
    return (
        paragraph(text),
        Block("heading", plain_line(text), level=3),
        Block("list", items=(ListItem((paragraph(text),)), ListItem((paragraph(text),)))),
        Block("list", items=(ListItem((paragraph(text), inner)),), is_ordered=True, start=7),
        Block("table", rows=((head, head), (plain, plain))),
        Block("quote", blocks=(paragraph(text), paragraph(text))),
        Block("code", (Inline("code", text),)),
        Block("figure", plain_line(text), images=(Image("https://x.example/i.jpg", text),)),
    )


def without_front_matter(text):
    assert text.startswith("---\n")
    return text.split("\n---\n", 1)[1]


def test_front_matter_is_yaml_whose_values_are_json():
    value = FieldValue('a: "b"\n---\n# c\u2028', 1.0, None)
    text = to_markdown(replace(article(), title=value, authors=(value, value), date=value))
    head = text.split("\n---\n")[0].splitlines()[1:]
    assert [line.split(" ")[0] for line in head] == ["title:", "authors:", "", "", "date:", "url:"]
    assert json.loads(head[0].removeprefix("title: ")) == 'a: "b" --- # c'
    assert json.loads(head[2].removeprefix("  - ")) == 'a: "b" --- # c'


def test_html_escapes_text_and_adds_no_elements():
    chance = random.Random(4)
    ours = "html head meta title link body article header h1 h3 p time ul ol li table tr th td"
    ours = {*ours.split(), *"blockquote pre code figure img figcaption tbody".split()}
    for _ in range(300):
        text = hostile(chance)
        value = FieldValue(text, 1.0, None)
        story = replace(article(*all_blocks(text)), title=value, authors=(value,), date=value)
        tree = lxml_html.document_fromstring(to_html(story).encode())
        assert {element.tag for element in tree.iter()} <= ours, text
        names = {name for element in tree.iter() for name in element.attrib}
        assert names <= {"charset", "name", "content", "rel", "href", "datetime", "itemprop",
                         "start", "src", "alt", "lang"}, text  # fmt: skip
        line = in_one_line(text)
        if not line:
            continue
        assert [p.text_content().strip() for p in tree.findall(".//article//p")] == [
            f"{line} · {line}", *[line] * 7
        ], text  # fmt: skip


def test_html_has_only_addresses_that_may_be_opened():
    images = tuple(map(Image, ("javascript:alert(1)", "data:x", 'https://x.example/"onerror=y')))
    figure = Block("figure", images=images)
    text = to_html(replace(article(figure), url="javascript:alert(1)", canonical_url=""))
    tree = lxml_html.document_fromstring(text)
    assert tree.xpath("//@src") == ["https://x.example/%22onerror=y"]
    assert tree.xpath("//@href") == []
    assert "javascript:alert(1)" not in re.sub(r"(?m)^url: .*", "", to_markdown(article(figure)))


def test_records_fit_their_schema_and_hold_any_text():
    schema = json.loads((ROOT / "docs" / "article.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    value = FieldValue(
        "2026", 0.98765, "/p[1]", "region", (1, 9), (0, 1.234, 2, 3), 4, "In 2026", "og"
    )
    place = {"regions": (1, 2), "spans": ((1, 2),), "box": (0.0, 1.0, 2.0, 3.0)}
    blocks = tuple(structs.replace(block, **place) for block in all_blocks("one"))
    full = Article(
        "https://x.example", value, (value, value), value, "one", value, value, value, blocks, 0.5,
        value, value, value, "https://x.example/c",
    )  # fmt: skip
    for story in (full, Article("")):
        record = json.loads(encode_json(article_record(story)))
        validator.validate(record)
    assert record["title"] is None
    record = json.loads(encode_json(article_record(full)))
    assert record["title"] == {
        "value": "2026", "raw": "In 2026", "confidence": 0.9877, "source": "region",
        "xpath": "/p[1]", "span": [1, 9], "box": [0, 1.23, 2, 3],
    }  # fmt: skip
    assert [block["kind"] for block in record["blocks"]] == [block.kind for block in blocks]
    assert not validator.is_valid({**record, "title": "2026"})
    assert not validator.is_valid({**record, "other": 1})
    assert "blocks" not in article_record(full, has_blocks=False)


def test_spans_of_a_hostile_table_do_not_multiply_its_columns():
    rows = tuple((cell("x", n_columns=100, n_rows=100), cell("y")) for _ in range(300))
    lines = without_front_matter(to_markdown(article(Block("table", rows=rows)))).splitlines()
    assert max(line.count("|") for line in lines) < 300
    assert sum(line.count("y") for line in lines) == 300
