"""Rules of a site: paths of values, learnt from labelled pages and asked before the model."""

from datetime import date

import pytest

import structce
from structce.article import FieldRule, LabelledReading, PageReader, SiteRules, learn_rules
from structce.errors import CorpusError, ModelError
from structce.gold import Gold
from structce.labelling import ModelChoice
from structce.rendering import Document, StaticRenderer

PAGE = """<!doctype html><html lang="en"><title>{title} - The Harbour Post</title>
<body><div class="top"><h1>The Harbour Post</h1><a href="/">Home</a></div>
<div class="head" id="head-{n}"><span>{section}</span><b data-qa="hed">{title}</b></div>
<p class="who">Words: {author}</p><p class="when">On {day} May 2026, changed 1 June 2026</p>
<div class="story"><p>{title}, the company said on Monday. Nobody could say how long {n} works would
take, or who would pay for them in the end.</p><div class="promo">Read more: ferries</div>
<p>The {section} office had no comment on line {n} when it was asked.</p></div>
<ul><li>Route: {route}</li><li><i>Ticket</i> {n} pounds <i>Seats</i> 40{n}</li></ul>
<p>Letters to {section}</p></body></html>"""
ROWS = [
    ("Ferry to stop", "Harbour", "Ann Lee", "North"),
    ("Library opens", "Town", "Bo Cole", "South"),
    ("Storm takes roof", "Weather", "Cy Dow", "West"),
    ("Bread grows dear", "Trade", "Di Eck", "East"),
]


def page(n):
    title, section, author, route = ROWS[n]
    return PAGE.format(n=n, title=title, section=section, author=author, route=route, day=n + 3)


def gold(n):
    title, _, author, route = ROWS[n]
    texts = structce.label(page(n), spans=False).text.splitlines()
    body = [("Text", t) for t in texts if t.endswith(("in the end.", "was asked."))]
    assert len(body) == 2
    others = {"route": (route,), "ticket": (f"{n} pounds",), "seats": (f"40{n}",)}
    return Gold(title, (author,), date(2026, 5, n + 3), tuple(body), others=others)


@pytest.fixture(scope="module")
def reader():
    return PageReader(StaticRenderer(), ModelChoice(), spans=False)


@pytest.fixture(scope="module")
def labelled(reader):
    return [LabelledReading(reader(Document(page(n))), gold(n)) for n in range(3)]


def values(labelled, name, path):
    rules = SiteRules({name: FieldRule((path,))})
    return [choice.candidate.value for choice in rules.choices(labelled.evidence, name)]


@pytest.mark.parametrize(
    ("name", "path", "expected"),
    [
        ("section", "div.head > span", "Harbour"),
        ("section", "#head-0 span", "Harbour"),
        ("section", "body span:nth-child(1)", "Harbour"),
        ("section", "body > span", None),
        ("section", '*[class="head"] > *', "Harbour"),
        ("title", 'b[data-qa="hed"]', "Ferry to stop"),
        ("title", "[data-qa]", "Ferry to stop"),
        ("title", "@window", "Ferry to stop - The Harbour Post"),
        ("authors", "p.who", "Ann Lee"),
        ("date", "p.when", "2026-05-03"),
        ("route", 'li:after("Route:")', "North"),
        ("ticket", 'li:after("Ticket")', "0 pounds"),
        ("seats", 'ul li:after("Seats")', "400"),
        ("seats", 'p:after("Seats")', None),
    ],
)
def test_a_path_selects_a_value(labelled, name, path, expected):
    found = values(labelled[0], name, path)
    assert found[:1] == ([] if expected is None else [expected])


@pytest.mark.parametrize("path", ["", " > p", "p,q", "p >", 'p:after("x") b', "p[a=b]", "p:hover"])
def test_a_malformed_path_is_named(tmp_path, path):
    SiteRules({"title": FieldRule((path,))}).save(tmp_path / "rules.toml")
    with pytest.raises(ModelError, match=r"rules\.toml: \[title\]: path .* not understood"):
        SiteRules.load(tmp_path / "rules.toml")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("format = 2", "format 2; expected 1"),
        ("format = 1\nsites = 3", "array"),
        ("format = 1\n[title]\npath = []", r"\[title\]: .*path"),
        ("format = 1\n[text]\npaths = ['@og']", r"\[text\]: @og: metadata states no text"),
        ("format =", "rules.toml"),
    ],
)
def test_a_malformed_file_is_named(tmp_path, text, message):
    (tmp_path / "rules.toml").write_text(text)
    with pytest.raises(ModelError, match=message):
        structce.load(rules=tmp_path / "rules.toml")


def test_learnt_rules_are_read_back_and_serve_another_page(reader, labelled, tmp_path):
    learn_rules(labelled, ["post.example"]).save(tmp_path / "rules.toml")
    rules = SiteRules.load(tmp_path / "rules.toml")
    assert rules == learn_rules(labelled, ["post.example"])
    assert rules.fields["text"].without == ("div.promo",)
    assert all((rule.right, rule.wrong) == (3, 0) for rule in rules.fields.values())
    article = structce.load(rules=tmp_path / "rules.toml")(page(3))
    title, _, author, route = ROWS[3]
    assert (article.get("title"), article.get("authors")) == (title, [author])
    assert article.get("date") == "2026-05-06"
    assert {name: str(v) for name, v in article.values.items()} == {
        "route": route, "ticket": "3 pounds", "seats": "403",
    }  # fmt: skip
    assert article.text.endswith("was asked.")
    assert "Read more" not in article.text
    route = article.to_dict()["values"]["route"]
    start, end = route["span"]
    assert "East" in page(3)[start:end]
    assert route["confidence"] == pytest.approx(0.8)


def test_right_on_one_page_or_wrong_on_another_is_no_rule(labelled):
    foreign = {"greeting": ("Home",), "last": ("Letters to Harbour",), "odd": ("Nowhere",)}
    pages = [
        LabelledReading(labelled[0].reading, Gold(others=foreign)),
        LabelledReading(labelled[1].reading, Gold(others={"greeting": ("Home",)})),
        LabelledReading(labelled[2].reading, Gold(others={"greeting": ("Absent",)})),
    ]
    assert not learn_rules(pages).fields
    with pytest.raises(CorpusError, match="1 labelled pages; expected two"):
        learn_rules(pages[:1])


def test_the_model_decides_where_rules_do_not(reader):
    document = Document(page(0), url="https://www.post.example/0")
    alone = reader(document).article
    missing = SiteRules({"title": FieldRule(("h7",)), "text": FieldRule(("h7",))})
    other = SiteRules({"title": FieldRule(("p.when",))}, ("paper.example", "ost.example"))
    own = SiteRules({"title": FieldRule(("p.who",))}, ("post.example",))
    for rules in [(missing,), (other,)]:
        with_rules = PageReader(reader.renderer, reader.labeller, spans=False, rules=rules)
        assert with_rules(document).article == alone
    with_rules = PageReader(reader.renderer, reader.labeller, spans=False, rules=(other, own))
    assert with_rules(document).article.get("title") == "Words: Ann Lee"


def test_a_text_rule_worse_than_the_model_is_left_out(labelled):
    gold = Gold(body=(("Text", "Letters to nobody"),))
    pages = [LabelledReading(page.reading, gold) for page in labelled]
    assert "text" not in learn_rules(pages).fields
