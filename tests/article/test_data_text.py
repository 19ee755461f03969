"""Texts that stand only in the data of a page's scripts."""

import json
import time

import pytest

import structce
from structce.article import PageReader, article_record
from structce.article.data_text import text_in_data
from structce.labelling import ModelChoice
from structce.rendering import ChromiumRenderer, Document, StaticRenderer

LINES = [
    "The ferry between the two towns will stop in June, the company said on Monday. Nobody could "
    "say how long the works would take, or who would pay for them in the end.",
    "The mayor promised a letter, and the harbour master promised to read it. A second boat is to "
    "be hired from a neighbouring county, if one can be found before the holidays.",
    'Fishermen fear for the summer, when "half of the trade" is done, and have asked the county '
    "council to lend them its old launch until the new engine is there & works.",
    "The last time the boat was out of service, in the winter of the great ice, people walked to "
    "the other side, and a baker drove his van over with bread for the whole island.",
]
TEXT = "\n".join(LINES)
HTML = "".join(f"<p>{line}</p>" for line in LINES).replace("& ", "&amp; ")
TITLE = "Ferry to stop in June"
TREE = [{"type": "paragraph", "content": [{"type": "text", "text": line}]} for line in LINES]
ANGULAR = {"&": "&a;", '"': "&q;", "<": "&l;", ">": "&g;"}
ARTICLE = {"headline": TITLE, "bodyHtml": HTML}
PAGE = (
    f"<html lang=en><head><title>{TITLE} | Harbour Post</title>"
    "<script>var a = 1</script>{}</head><body>{}</body></html>"
)


def script(data, attributes="type=application/json id=__NEXT_DATA__"):
    text = data if isinstance(data, str) else json.dumps(data)
    text = text.replace("</", "<\\/")
    return f"<script {attributes}>{text}</script>"


def stated(data):
    return script(data, "type='application/ld+json'")


SCRIPTS = {
    "JSON-LD": (
        stated({"@type": "NewsArticle", "articleBody": TEXT}),
        ("ld+json", "/articleBody"),
    ),
    "JSON-LD in a graph, escaped": (
        stated({"@graph": [{}, {"articleBody": HTML.replace("<", "&lt;").replace(">", "&gt;")}]}),
        ("ld+json", "/@graph/1/articleBody"),
    ),
    "Next": (
        script({"props": {"pageProps": {"a/b": ARTICLE}}}),
        ("__NEXT_DATA__", "/props/pageProps/a~1b/bodyHtml"),
    ),
    "parts of a body": (
        script({"post": {"title": TITLE, "blocks": [{"type": "p", "text": t} for t in LINES]}}),
        ("__NEXT_DATA__", "/post/blocks"),
    ),
    "a tree of a body": (
        script({"title": TITLE, "body": {"type": "doc", "content": TREE}}),
        ("__NEXT_DATA__", "/body"),
    ),
    "Nuxt 3": (
        script([{"title": 1, "content": 2}, TITLE, HTML], "type=application/json id=__NUXT_DATA__"),
        ("__NUXT_DATA__", "/2"),
    ),
    "Nuxt 2": (
        script(
            "window.__NUXT__=(function(a,b){return {data:[{title:"
            f"{json.dumps(TITLE)},content:{json.dumps(HTML)},u:a}}],error:b}}}}(null,1));",
            "",
        ),
        ("__NUXT__", "/data/0/content"),
    ),
    "a variable": (
        script(f"window.__STATE__ = {json.dumps({'page': ARTICLE})}; run()", ""),
        ("__STATE__", "/page/bodyHtml"),
    ),
    "JSON in a string": (
        script(f"window['__STATE__'] = JSON.parse({json.dumps(json.dumps(ARTICLE))})", ""),
        ("__STATE__", "/bodyHtml"),
    ),
    "Angular": (
        script(
            json.dumps({"page": ARTICLE}).translate(str.maketrans(ANGULAR)),
            "id=serverApp-state type=application/json",
        ),
        ("serverApp-state", "/page/bodyHtml"),
    ),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_text_of_a_shell_is_found_in_its_data(name):
    data, place = SCRIPTS[name]
    html = PAGE.format(data, "<div id=root></div>")
    article = structce.label(html)
    assert article.text == TEXT
    assert [block.kind for block in article.blocks] == ["paragraph"] * 4
    assert article.verdict.kind == "read"
    source = article.text_source
    assert (source.script, source.pointer) == place
    assert html[slice(*source.span)] in data
    assert article_record(article)["text_source"]["pointer"] == place[1]


class StaticBrowser(ChromiumRenderer):
    """A browser in name, which needs none."""

    def __enter__(self):
        return self

    def submit(self, document):
        return StaticRenderer().submit(document)


def test_pages_of_a_browser_have_their_source_when_many_are_read():
    document = Document(PAGE.format(SCRIPTS["Next"][0], "<div id=root></div>"))
    reader = PageReader(StaticBrowser(), ModelChoice("news-static"))
    (outcome,) = reader.pipe([("a.html", lambda: document)], lambda _, reading: reading.article)
    assert (outcome.error, outcome.value.text) == ("", TEXT)


@pytest.mark.parametrize(
    ("data", "body"),
    [
        (SCRIPTS["JSON-LD"][0], f"<h1>{TITLE}</h1><article>{HTML}</article>"),
        (SCRIPTS["JSON-LD"][0], f"<ul>{''.join(f'<li>{line}' for line in LINES)}</ul>"),
        (script({"headline": "Of another story", "bodyHtml": HTML}), ""),
        (script({"headline": TITLE, "bodyHtml": LINES[0]}), ""),
        (script({"headline": TITLE, "css": HTML}), ""),
        (script({"name": TITLE, "tips": [{"name": "Boats of the lake", "body": HTML}]}), ""),
        (script({"headline": TITLE, "body": "a{b:c;}" * 200}), ""),
        (stated({"isAccessibleForFree": False, "articleBody": TEXT}), ""),
        (stated({"comment": [{"name": "Re: boats", "articleBody": TEXT}]}), ""),
    ],
    ids="shown,shown-oddly,another,preview,no-body,tip,no-text,not-free,comment".split(","),
)
@pytest.mark.filterwarnings("ignore::structce.EmptyPageWarning")
def test_data_are_not_read_where_they_are_not_the_hidden_text(data, body):
    article = structce.label(PAGE.format(data, body))
    assert article.text_source is None
    assert "text_source" not in article_record(article)


def deep(n):
    return '{"body":' * n + '"a"' + "}" * n


def nested(n):
    value = [["x"] * 1_000] * 200
    for _ in range(n):
        value = {"title": TITLE, "body": [value, TEXT]}
    return value


HOSTILE = {
    "deep": f"<script type=application/json>{deep(100_000)}</script>",
    "open scripts": "<script type=application/json>" * 50_000,
    "open tags": "<script " * 200_000,
    "many titles": script(
        {**{f"title{n}": "Gull" for n in range(30_000)}, "data": [{"body": "x"}] * 30_000}
    ),
    "bodies in bodies": script(nested(300)),
    "many scripts": script({"title": TITLE, "body": "x" * 600}) * 5_000,
    "many values": script({"title": TITLE, "data": [{"body": n} for n in range(400_000)]}),
    "broken": f"<script>window.__A__ = {'{a:[' * 60_000}</script>",
    "long text": script({"title": TITLE, "body": "ferry " * 400_000}),
    "many bodies": script([{"title": TITLE, "body": f"{n} <b>{TEXT}"} for n in range(500)]),
    "braces": f"<script>window.__A__ = (function(a){{{'{' * 200_000}</script>",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_data_take_bounded_time(name):
    html = PAGE.format(HOSTILE[name], "")
    page = StaticRenderer().render(Document(PAGE.format("", "")))
    start = time.process_time()
    text_in_data(html, page, TITLE)
    assert time.process_time() - start < 20  # minutes without the limits
