"""Right answers on small pages in three languages and four layouts survive each perturbation."""

from datetime import date
from itertools import cycle, product

import pytest

from structce.article import label
from structce.evaluation import PERTURBATIONS, bag_overlap, perturb, unperturbed
from structce.gold import Gold

STORIES = {
    "en": (
        "Council keeps the old harbour store",
        "Ann Lee",
        "By {}",
        "3 March 2026",
        "The council voted on Tuesday night to keep the old harbour store for another two years.",
        "Residents had filled the hall and spoke for almost three hours, most of them in favour.",
        "It is the last place where you can still buy nails by weight, the owner told the board.",
        "A final decision on the lease is expected after the summer fair, the chair said.",
    ),
    "de": (
        "Der alte Hafenladen bleibt geöffnet",
        "Jonas Weber",
        "Von {}",
        "3. März 2026",
        "Der Gemeinderat hat am Dienstagabend beschlossen, den alten Hafenladen zu erhalten.",
        "Fast drei Stunden lang sprachen die Anwohner im vollen Saal, die meisten für den Laden.",
        "Es ist der letzte Ort, an dem man Nägel nach Gewicht kaufen kann, sagte der Besitzer.",
        "Über den Pachtvertrag soll nach dem Sommerfest endgültig entschieden werden.",
    ),
    "zh": (
        "老港口商店将继续营业",
        "李明",
        "记者 {}",
        "2026年3月3日",
        "市议会周二晚上投票决定让老港口商店再营业两年，这一决定受到许多居民的欢迎。",
        "居民们挤满了大厅，发言近三个小时，其中大多数人支持保留这家商店。",
        "店主说，这里是最后一个还能按重量买到钉子的地方，他从一九九八年接手至今。",
        "主席表示，关于租约的最终决定预计将在夏季集市之后作出。",
    ),
}
"""Headline, author, byline, day and paragraphs by language."""

LAYOUTS = (
    "<header><a href=/>Home</a> <a href=/news>News</a></header><main><article><h1>{title}</h1>"
    "<p class=byline>{byline}</p><p><time datetime=2026-03-03>{day}</time></p>{text}</article>"
    "</main><footer><p>Contact</p></footer>",
    "<div id=nav><a href=/>Home</a> <a href=/news>News</a></div><div class=page><h1>{title}</h1>"
    "<div class=meta><span>{byline}</span> <span>{day}</span></div><div class=story>{text}</div>"
    "</div><div id=foot><a href=/about>About</a></div>",
    "<h1>{title}</h1><p>{byline}, {day}</p>{text}<p><a href=/about>About</a></p>",
    "<table><tr><td><a href=/>Home</a></td><td><h2>{title}</h2><p><i>{byline}</i></p>"
    "<p>{day}</p><div>{text}</div></td></tr></table>",
)
HEADS = (
    "",
    '<meta property="og:title" content="{title}"><meta property="og:site_name" content="Harbour '
    'Post"><meta property="article:published_time" content="2026-03-03T08:00:00Z">',
    '<script type="application/ld+json">{{"@context":"https://schema.org","@type":"NewsArticle",'
    '"headline":"{title}","datePublished":"2026-03-03","author":{{"@type":"Person","name":'
    '"{author}"}},"publisher":{{"@type":"Organization","name":"Harbour Post"}}}}</script>',
)
URL = "https://harbourpost.example/story"
MOVED = 0.03
"""Share of the words of a text that may change when furniture does."""


def pages():
    heads = cycle(HEADS)
    made = []
    for (lang, story), layout in product(STORIES.items(), LAYOUTS):
        title, author, byline, day, *paragraphs = story
        text = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs) + " "
        values = {"title": title, "author": author, "day": day, "text": text}
        values["byline"] = byline.format(author)
        head, body = next(heads).format(**values), layout.format(**values)
        html = f"<html lang={lang}><head><title>{title}</title>{head}</head><body>{body}</body>"
        body_gold = tuple(("Paragraph", paragraph) for paragraph in paragraphs)
        made.append((html, Gold(title, (author,), date(2026, 3, 3), body_gold)))
    return made


def right_fields(article, gold, authors):
    """Return the fields of an article that are right."""
    return {
        *(["title"] if article.title and article.title.value == gold.title else []),
        *(["date"] if article.date and article.date.value[:10] == "2026-03-03" else []),
        *(["authors"] if {name.value for name in article.authors} == {*authors} else []),
    }


PAGES = pages()
BEFORE = []


def articles_before():
    if not BEFORE:
        BEFORE.extend(label(unperturbed(html), url=URL) for html, _ in PAGES)
    return BEFORE


def test_small_pages_are_read_right():
    for (_, gold), article in zip(PAGES, articles_before(), strict=True):
        assert {"title", "date"} <= right_fields(article, gold, gold.authors)
        assert bag_overlap(article.text, gold.text).f1 > 0.9


@pytest.mark.parametrize("name", PERTURBATIONS)
def test_right_answers_survive_a_perturbation(name):
    wrong = []
    for (html, gold), before in zip(PAGES, articles_before(), strict=True):
        changed = perturb(name, html, gold, URL)
        if changed is None:
            continue
        article = label(changed.html, url=URL)
        authors = gold.authors + changed.authors
        kept = right_fields(before, gold, gold.authors) & {*PERTURBATIONS[name].keeps}
        wrong += sorted(kept - right_fields(article, gold, authors))
        expected = "\n".join((before.text, *changed.added))
        if bag_overlap(article.text, expected).f1 < 1 - MOVED:
            wrong.append("text")
    assert len(wrong) <= 1, f"{len(wrong)} of {len(PAGES)} pages: {wrong}"
